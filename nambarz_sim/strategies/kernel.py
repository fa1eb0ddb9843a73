"""Choosing a play: every legal play gets a score, the highest one is made, and none if all are below 0."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel, part
from nambarz_sim._rng import STREAM_SIZE
from nambarz_sim.engine.kernel import look
from nambarz_sim.engine.state import (
    AT_HANDS,
    AT_STREAMS,
    AT_TEAM_HANDS,
    DISCARDED,
    PLAY_CARDS,
    PLAY_SIZE,
    PLAYERS,
    SEAT,
    TYPES,
    Seen,
)
from nambarz_sim.strategies import greedy, master, matcher, random, thrifty

RANDOM, MATCHER, GREEDY, MASTER, THRIFTY, PLANNER, FIRST_OWN = range(7)
"""Codes; the planner scores no plays, see `nambarz_sim.strategies.planner`."""


@kernel(inline="small")
def score(strategy, seen, play, stream):
    """A strategy's score for one legal play; below 0 it would rather not."""
    if strategy == GREEDY:
        return greedy.score(seen, play, stream)
    if strategy == MATCHER:
        return matcher.score(seen, play, stream)
    if strategy == MASTER:
        return master.score(seen, play, stream)
    if strategy == THRIFTY:
        return thrifty.score(seen, play, stream)
    return random.score(seen, play, stream)


@kernel(inline="part")
def see(pack, state):
    """Views of what the seat to move may see, and of nothing else."""
    look(pack, state)
    types = pack[TYPES]
    hand = pack[AT_HANDS] + state[SEAT] * types
    team_hands = part(state, pack[AT_TEAM_HANDS], pack[PLAYERS] * types)
    return Seen(pack, part(state, 0, DISCARDED + types), part(state, hand, types), team_hands)


@kernel(inline="part")
def own_stream(pack, state):
    """The random numbers of the seat to move."""
    return part(state, pack[AT_STREAMS] + state[SEAT] * STREAM_SIZE, STREAM_SIZE)


@kernel(inline="small")
def choose(pack, state, plays, count, strategy):
    """The row of the play with the highest score, the first of equals; -1 if no play scores 0 or more."""
    if count == 0:
        return -1
    seen, stream = see(pack, state), own_stream(pack, state)
    best = -1
    best_score = 0.0
    for row in range(count):
        # Without the columns behind the cards, which may hold cards of an earlier list.
        value = score(strategy, seen, part(plays[row], 0, PLAY_CARDS + plays[row, PLAY_SIZE]), stream)
        if value > best_score or (best < 0 and value == 0.0):
            best = row
            best_score = value
    return best
