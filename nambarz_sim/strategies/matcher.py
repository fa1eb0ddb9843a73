"""matcher: matches when it can, then changes; calculates only when it must, with as few cards as possible. Not random.

Parameters: none. A pupil who would rather not do sums.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim.engine.state import CALCULATION, CHANGE, MATCH, PHASE, PHASE_PLAYED, PLAY_KIND, PLAY_NEXT, PLAY_SIZE


@kernel()
def score(seen, play, stream):
    """Match 100, change 50 and more, calculation 20 less a point a card, replay 1."""
    kind = play[PLAY_KIND]
    if kind == MATCH:
        return 100.0
    if kind == CHANGE:
        return 50.0 + play[PLAY_SIZE]
    if kind == CALCULATION:
        return 20.0 - play[PLAY_SIZE]
    if seen.public[PHASE] == PHASE_PLAYED and play[PLAY_NEXT] == 0:
        return -1.0
    return 1.0
