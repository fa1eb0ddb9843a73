"""Strategy tournaments: every strategy in every seat against every other, over the same deals.

For each two strategies one player of the first sits among players of the second, in every seat in turn. The same deals
are played for all pairs and seats, so luck of the cards and of the seat falls out of the comparisons.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import product

import numpy as np

from nambarz_sim._errors import whole_number
from nambarz_sim.analysis.standings import Sums, Tournament
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.batch import (
    PLAIN_SEATS,
    Progress,
    is_ready_to_play,
    is_sooner_plain,
    play_chunk,
    teller,
)
from nambarz_sim.simulation.records import PLAYER_COLUMNS, Records
from nambarz_sim.simulation.threads import threads
from nambarz_sim.strategies import Strategy, seat_strategies
from nambarz_sim.strategies.pupil import pupils_at

MOST_GAMES = 1_000_000
_BLOCKS = 20
_LARGEST_BLOCK = 5_000


def tournament(
    strategies: Sequence[Strategy] | Mapping[str, Strategy],
    rules: Rules | None = None,
    games: int = 1_000,
    seed: int = 1,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | Progress | None = True,
) -> Tournament:
    """Let every strategy play against every other, from every seat.

    One player of a strategy sits among players of another: in each seat in turn, and each time with the same deals. So with
    s strategies and p players s × (s - 1) × p times `games` games are played (half of that with two players, where one
    among the others and the others around one are the same game).

    Parameters
    ----------
    strategies
        Two or more: names, functions or pupils (see `nambarz_sim.strategies`); or a mapping of names of your own to them.
    rules
        The rules in force, without teams; `Rules()` without.
    games
        How many deals; each is played once for each pair and seat.
    seed
        Which deals: a whole number from 0.
    workers, executor
        As in `nambarz_sim.simulation.batch.simulate`; with plain Python functions the threads are one.
    progress
        As in `simulate`, over the games of the whole tournament. Where ``progress(done, total)`` returns False, or with
        Ctrl-C, the tournament stops; the deals that all pairs have finished from all seats stay.

    Returns
    -------
    Tournament
        Ratings, payoffs and tables; as text a ranking.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.

    Examples
    --------
    >>> found = tournament(["greedy", "random"], Rules(players=3), games=50, progress=False)
    >>> list(found.ratings.index)
    ['greedy', 'random']
    >>> print(found.findings()[0])
    greedy is rated highest, 1530 (95% interval 1511 to 1550).
    """
    rules = rules or Rules()
    names, players = _entrants(strategies)
    games = whole_number("games", games, 1, MOST_GAMES)
    seed = whole_number("seed", seed, 0, 2**63 - 1)
    if workers is not None:
        whole_number("workers", workers, 1, 2**40)
    if rules.team_sizes is not None:
        raise ValueError(
            f"team_sizes: {rules.team_sizes} is not allowed in a tournament, where each plays alone; leave it out"
        )
    play = _Play(rules, players, games, seed)
    plain = executor is None and play.total * rules.rounds * rules.players <= PLAIN_SEATS
    workers = 1 if play.everyone.choosers or plain else workers or os.cpu_count() or 1
    ready = is_ready_to_play(play.everyone) or (plain and is_sooner_plain(play.everyone))
    with _pool(executor, workers) as pool, teller(progress, 0, play.total, ready) as tell:
        try:
            play.run(pool, tell, plain)
        except KeyboardInterrupt:
            if not play.done:
                raise
    return Tournament(names, rules, seed, games, play.sums[..., : play.done])


def _entrants(strategies: Sequence[Strategy] | Mapping[str, Strategy]) -> tuple[tuple[str, ...], list[Strategy]]:
    """The names and the strategies, of which there must be two or more, each with a name of its own."""
    if isinstance(strategies, Mapping):
        names, players = [str(name) for name in strategies], list(strategies.values())
    else:
        players = [strategies] if isinstance(strategies, str) or callable(strategies) else list(strategies)
        names = list(seat_strategies(players, len(players)).names) if players else []
    if len(players) < 2:
        what = f"only {names[0]!r} is given" if names else "none is given"
        raise ValueError(f"strategies: {what}; give two or more, such as ['greedy', 'thrifty']")
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise ValueError(
            f"strategies: {twice[0]!r} is there {names.count(twice[0])} times; give each strategy once, or a mapping with "
            f"a name of its own for each"
        )
    return tuple(names), players


@contextmanager
def _pool(executor: Executor | None, workers: int) -> Iterator[Executor]:
    """The caller's executor, or threads of this call."""
    if executor is not None:
        yield executor
    else:
        with threads(workers) as pool:
            yield pool


# One player of a strategy among players of another, in a seat.
_Sitting = tuple[int, int, int]


class _Play:
    """The play of a tournament: blocks of deals, each with all line-ups, so that a stop leaves all pairs the same deals."""

    def __init__(self, rules: Rules, strategies: Sequence[Strategy], games: int, seed: int) -> None:
        self.everyone = seat_strategies(strategies, len(strategies))
        self.rules, self.strategies, self.games, self.seed = rules, strategies, games, seed
        self.line_ups = _line_ups(len(strategies), rules.players)
        self.total = games * len(self.line_ups)
        self.done = 0
        self.sums: Sums = np.zeros((3, len(strategies), len(strategies), rules.players, games), dtype=np.int32)
        for line_up in self.line_ups:  # packs the rules once, before the workers ask for them
            pupils_at(rules, [self.everyone.pupils[place] for place in line_up])

    def run(self, pool: Executor, tell: Progress, plain: bool) -> None:
        """Play until all deals are done or it is told to stop; ``plain``: as plain Python for as long as that is sooner."""
        go_on = tell(0, self.total) is not False
        while go_on and self.done < self.games:
            size = min(max(1, min(_LARGEST_BLOCK, -(-self.games // _BLOCKS))), self.games - self.done)
            plain = plain and is_sooner_plain(self.everyone)
            futures = {line_up: self._submit(pool, line_up, size, plain) for line_up in self.line_ups}
            try:
                for number, (line_up, future) in enumerate(futures.items(), 1):
                    self._take(line_up, _count(future.result(), self.rules))
                    go_on = tell(self.done * len(futures) + number * size, self.total) is not False
                    if not go_on and number < len(futures):
                        return
            finally:
                for future in futures.values():
                    future.cancel()
            self.done += size

    def _submit(self, pool: Executor, line_up: tuple[int, ...], size: int, plain: bool) -> Future[Records]:
        seats = [self.strategies[place] for place in line_up]
        return pool.submit(play_chunk, self.rules, seats, self.seed, self.done, size, plain, self.everyone.scores)

    def _take(self, line_up: tuple[int, ...], counts: Sums) -> None:
        for one, other, seat in self.line_ups[line_up]:
            self.sums[:, one, other, seat, self.done : self.done + counts.shape[-1]] = counts[:, seat]


def _line_ups(strategies: int, players: int) -> dict[tuple[int, ...], list[_Sitting]]:
    """The strategies of all seats, each once, and which sittings are played by them: two where two players meet."""
    line_ups: dict[tuple[int, ...], list[_Sitting]] = {}
    for one, other, seat in product(range(strategies), range(strategies), range(players)):
        if one != other:
            line_up = tuple(one if place == seat else other for place in range(players))
            line_ups.setdefault(line_up, []).append((one, other, seat))
    return line_ups


def _count(records: Records, rules: Rules) -> Sums:
    """First places, players finished before, and points of each seat in the rounds proper: ``(3, players, games)``."""
    rounds = records.rounds
    proper = rounds[:, loop.ROUND_EXTRA] == 0
    rows = records.players[np.repeat(proper, rounds[:, loop.ROUND_DEALT_IN])]
    rows = rows.reshape(len(records.games), rules.rounds, rules.players, -1).astype(np.int32)
    places, points = (rows[..., PLAYER_COLUMNS.index(name)] for name in ("place", "points"))
    counts = np.stack([places == 1, rules.players - places, points])
    by_game: Sums = counts.sum(axis=2, dtype=np.int32).transpose(0, 2, 1)
    return by_game
