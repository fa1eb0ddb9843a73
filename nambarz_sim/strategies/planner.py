"""planner: deals the cards it cannot see at random, plays its candidates out, and makes the best one (flat Monte Carlo).

Random. Parameter: how many games it plays out for one choice (1,000; ``"planner:200"`` plays out 200). Deals of the hidden
cards are sampled that agree with all that the seat may see; in each of them every candidate is played out, with
`greedy` in all seats, until the next player finishes. A candidate's worth is how often that is the planner or a
teammate. Those worth less are given up, half of them at a time (sequential halving: Karnin, Koren and Somekh 2013). All
candidates are tried in the same deals, so that luck helps none of them.

It is honest: all that reaches `plan` is the seat's `nambarz_sim.engine.state.Seen` and its own random numbers.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nambarz_sim._numba import kernel, part
from nambarz_sim._rng import STREAM_SIZE, random_below, random_bits, start_stream
from nambarz_sim.engine.kernel import add_card, clear, legal_plays, of_card, step
from nambarz_sim.engine.state import (
    ACTIVE,
    ACTIVE_AT,
    AT_DISCARDS,
    AT_HANDS,
    AT_PILE,
    AT_RECYCLING,
    CHANGE,
    COPIES,
    DISCARDED,
    DISCARDS,
    ENDED,
    ENDED_NOT,
    FINISHED_SEATS,
    HELD,
    IN_ROUND,
    OPEN,
    OPEN_AT,
    PARTY,
    PILE_AT,
    PILE_LEFT,
    PLACES,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_SIZE,
    PLAY_WIDTH,
    PLAYERS,
    SEAT,
    TURN_START,
    TYPES,
    Ints,
    new_plays,
    new_state,
)
from nambarz_sim.strategies import greedy
from nambarz_sim.strategies.kernel import GREEDY, choose, own_stream, see

MOST_CANDIDATES = 24
"""Of more candidates than these, those that `greedy` likes least are not played out."""


class Planning(NamedTuple):
    """A planner's arrays, made outside the kernels by `planning_at`.

    ``playouts (players,)`` of each seat, 0 where no planner sits; ``sample`` and ``trial`` states; ``plays`` scratch of
    the playouts; ``rows`` the candidates' rows, -1 for no play; ``rewards`` their sums.
    """

    playouts: Ints
    sample: Ints
    trial: Ints
    plays: Ints
    rows: Ints
    rewards: NDArray[np.float64]


def planning_at(packed: Ints, playouts: Sequence[int]) -> Planning | None:
    """The planners of each seat for the kernels, by their playouts; None where no seat is a planner's."""
    if not any(playouts):
        return None
    return Planning(
        np.array(playouts, dtype=np.int64), new_state(packed), new_state(packed), new_plays(packed),
        np.zeros(MOST_CANDIDATES + 1, dtype=np.int64), np.zeros(MOST_CANDIDATES + 1),
    )  # fmt: skip


@kernel()
def choose_planned(pack, state, plays, count, planning):
    """The row of the play that the planner to move makes, -1 for none."""
    if count == 0:
        return -1
    return plan(see(pack, state), plays, count, own_stream(pack, state), planning)


@kernel()
def plan(seen, plays, count, stream, planning):
    """The row of the play that does best in playouts, -1 for none; ``plays`` are the `count` legal ones."""
    playouts = planning.playouts[seen.public[SEAT]]
    alive = _list_candidates(seen, plays, count, stream, planning, min(playouts, MOST_CANDIDATES))
    halvings = 0
    while 1 << halvings < alive:
        halvings += 1
    while alive > 1:
        for _ in range(max(1, playouts // (halvings * alive))):
            sample(seen, stream, planning.sample)
            for place in range(alive):
                planning.rewards[place] += _play_out(seen.rules, plays, planning.rows[place], planning)
        _sort(planning, alive)
        alive = (alive + 1) // 2
    return planning.rows[0]


@kernel()
def _list_candidates(seen, plays, count, stream, planning, most):
    """Write the candidates' rows, those that greedy likes best first; how many there are.

    No play is one only where the first is a wildcard, which may be worth keeping; of other cards the fewer the better.
    """
    rows, values = planning.rows, planning.rewards
    candidates = 0
    for row in range(count):
        value = greedy.score(seen, part(plays[row], 0, PLAY_CARDS + plays[row, PLAY_SIZE]), stream)
        rows[candidates], values[candidates] = row, value
        place = candidates
        while place > 0 and values[place] > values[place - 1]:
            _exchange(planning, place)
            place -= 1
        if candidates < most:
            candidates += 1
    if most > 1 and plays[rows[0], PLAY_KIND] >= CHANGE:
        rows[candidates] = -1
        candidates += 1
    for place in range(candidates):
        values[place] = 0.0
    return candidates


@kernel()
def _exchange(planning, place):
    """Exchange a candidate with the one before."""
    rows, rewards = planning.rows, planning.rewards
    row, reward = rows[place], rewards[place]
    rows[place], rewards[place] = rows[place - 1], rewards[place - 1]
    rows[place - 1], rewards[place - 1] = row, reward


@kernel()
def _sort(planning, alive):
    """Order the candidates by reward, the highest first; equals stay in order."""
    for start in range(1, alive):
        place = start
        while place > 0 and planning.rewards[place] > planning.rewards[place - 1]:
            _exchange(planning, place)
            place -= 1


@kernel()
def _play_out(pack, plays, row, planning):
    """Whether the own party finishes next if a candidate is played in the deal of ``planning.sample``."""
    trial, scratch = planning.trial, planning.plays
    for at in range(len(trial)):
        trial[at] = planning.sample[at]
    seat, finished = trial[SEAT], trial[FINISHED_SEATS]
    choice = -1
    if row >= 0:
        choice = 0
        for column in range(PLAY_WIDTH):
            scratch[0, column] = plays[row, column]
    while True:
        step(pack, trial, scratch, choice)
        if trial[ENDED] != ENDED_NOT or trial[FINISHED_SEATS] > finished:
            break
        count = legal_plays(pack, trial, scratch)
        choice = choose(pack, trial, scratch, count, GREEDY)
    for other in range(pack[PLAYERS]):
        if trial[PLACES + other] == finished + 1:
            return trial[PARTY + other] == trial[PARTY + seat]
    return False


# --- a deal of the hidden cards --------------------------------------------------------------------------------------


@kernel()
def sample(seen, stream, state):
    """Write a game in which everything is as the seat sees it, and what it does not see is dealt at random.

    Which discards lie where is not told, either, but for the active card and an open wildcard; the turn's cards are on top.
    """
    pack = seen.rules
    for at in range(DISCARDED + pack[TYPES]):
        state[at] = seen.public[at]
    clear(state, pack[AT_HANDS], pack[AT_PILE])  # hands, words and groups
    seat = seen.public[SEAT]
    hidden = _gather_hidden(seen, state)
    _shuffle(state, stream, pack[AT_PILE], hidden)
    for other in range(pack[PLAYERS]):
        state[HELD + other] = 0
        shown = other == seat or seen.team_hands[other * pack[TYPES]] >= 0
        if shown:
            for card in range(pack[TYPES]):
                held = seen.hand[card] if other == seat else seen.team_hands[other * pack[TYPES] + card]
                for _ in range(held):
                    add_card(pack, state, other, card)
        elif seen.public[IN_ROUND + other]:
            for _ in range(min(hidden, seen.public[HELD + other])):
                hidden -= 1
                add_card(pack, state, other, state[pack[AT_PILE] + hidden])
    state[PILE_AT] = 0
    state[PILE_LEFT] = min(hidden, seen.public[PILE_LEFT])
    _lay_discards(seen, stream, state)
    recycling = part(state, pack[AT_RECYCLING], STREAM_SIZE)
    start_stream(recycling, random_bits(stream), 0, 0, 0)


@kernel()
def _gather_hidden(seen, state):
    """Put every card that the seat does not see into the pile; how many there are."""
    pack = seen.rules
    hidden = 0
    for card in range(pack[TYPES]):
        unseen = of_card(pack, card, COPIES) - seen.hand[card] - seen.public[DISCARDED + card]
        for other in range(pack[PLAYERS]):
            unseen -= max(0, seen.team_hands[other * pack[TYPES] + card])
        for _ in range(unseen):
            state[pack[AT_PILE] + hidden] = card
            hidden += 1
    return hidden


@kernel()
def _lay_discards(seen, stream, state):
    """Lay the discards that are seen to lie in any order, then the active card and an open wildcard on top."""
    pack = seen.rules
    active, opened = seen.public[ACTIVE], seen.public[OPEN]
    lying = 0
    for card in range(pack[TYPES]):
        for _ in range(seen.public[DISCARDED + card] - (card == active) - (card == opened)):
            state[pack[AT_DISCARDS] + lying] = card
            lying += 1
    _shuffle(state, stream, pack[AT_DISCARDS], lying)
    state[pack[AT_DISCARDS] + lying] = active
    state[ACTIVE_AT] = lying
    lying += 1
    if opened >= 0:
        state[pack[AT_DISCARDS] + lying] = opened
        state[OPEN_AT] = lying
        lying += 1
    state[TURN_START] = max(0, lying - (seen.public[DISCARDS] - seen.public[TURN_START]))
    state[DISCARDS] = lying


@kernel()
def _shuffle(state, stream, start, size):
    """Shuffle some slots."""
    for at in range(size - 1, 0, -1):
        other = start + random_below(stream, at + 1)
        card = state[start + at]
        state[start + at] = state[other]
        state[other] = card
