"""random: any legal play, each equally likely; after a play a replay every other time. Random.

Parameters: none. The baseline that every other strategy should beat.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim._rng import random_unit
from nambarz_sim.engine.state import PHASE, PHASE_PLAYED


@kernel()
def score(seen, play, stream):
    """A random number; below 0 half of the time for a replay after a play."""
    if seen.public[PHASE] == PHASE_PLAYED:
        return random_unit(stream) - 0.5
    return random_unit(stream)
