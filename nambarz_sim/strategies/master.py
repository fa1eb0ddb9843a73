"""master: the most points: master strokes first, and replays kept for them. Not random.

Parameters: `ENOUGH`, the cards in hand from which it still hopes for a stroke. With fewer it plays like greedy. With
more it lays single cards of the type that it holds less of, so that the other type grows into a stroke.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim.engine.kernel import of_card
from nambarz_sim.engine.state import (
    CALCULATION,
    CHANGE,
    HELD,
    KIND,
    LAY_REPLAY,
    PHASE,
    PHASE_PLAYED,
    PICTURE,
    PLAY_BONUS,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_NEXT,
    PLAY_SIZE,
    SEAT,
    SMALLEST_STROKE,
)
from nambarz_sim.strategies import greedy

ENOUGH = 5


@kernel()
def score(seen, play, stream):
    """Strokes by their points; then, while the hand is large, single cards of the smaller type."""
    if play[PLAY_BONUS] > 0:
        return 1000.0 + play[PLAY_BONUS]
    kind = play[PLAY_KIND]
    if seen.public[HELD + seen.public[SEAT]] < ENOUGH:
        return greedy.score(seen, play, stream)
    if kind == LAY_REPLAY:
        if seen.public[PHASE] == PHASE_PLAYED and play[PLAY_NEXT] < SMALLEST_STROKE:
            return -1.0
        return 1.0
    card = play[PLAY_CARDS + play[PLAY_SIZE] - 1]
    same_type = 0
    if of_card(seen.rules, card, KIND) <= PICTURE:
        for other in range(len(seen.hand)):
            if of_card(seen.rules, other, KIND) == of_card(seen.rules, card, KIND):
                same_type += seen.hand[other]
    if kind == CALCULATION:
        return 30.0 - 5.0 * play[PLAY_SIZE] - same_type
    if kind == CHANGE:
        return 2.0 + play[PLAY_SIZE]
    return 60.0 - same_type
