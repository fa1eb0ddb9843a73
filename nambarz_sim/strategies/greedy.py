"""greedy: the most cards away, wildcards last; a replay after a play when another play follows. Not random.

Parameters: none. Among plays of equal size it lays number cards before picture cards
(a picture card matches more), and leaves as active a card of which it holds another.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim.engine.kernel import of_card
from nambarz_sim.engine.state import (
    CHANGE,
    KIND,
    LAY_REPLAY,
    NUMBER,
    PHASE,
    PHASE_PLAYED,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_NEXT,
    PLAY_SIZE,
)


@kernel()
def score(seen, play, stream):
    """Ten a card and the ease of the hand that stays; wildcards below every other play."""
    kind = play[PLAY_KIND]
    if kind == LAY_REPLAY:
        if seen.public[PHASE] == PHASE_PLAYED and play[PLAY_NEXT] == 0:
            return -1.0
        return 1.0
    last = play[PLAY_CARDS + play[PLAY_SIZE] - 1]
    ease = 0.1 * (seen.hand[last] - 1) + (0.2 if of_card(seen.rules, last, KIND) == NUMBER else 0.0)
    if kind == CHANGE:
        return 2.0 + play[PLAY_SIZE] + ease
    return 10.0 * play[PLAY_SIZE] + ease
