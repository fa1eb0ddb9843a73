"""Games of a batch watched more closely than the records tell: leads, wildcards dealt, and turns begun on each number."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import closing
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from nambarz_sim._errors import unknown_name
from nambarz_sim._numba import compiled
from nambarz_sim.engine.state import NUMBERS, Ints, new_plays, new_state, pack
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.batch import GAMES_PER_CHUNK, Call, Progress, in_chunks, verify_counts
from nambarz_sim.simulation.records import Counts, Records, new_records
from nambarz_sim.simulation.results import Results
from nambarz_sim.strategies import seat_strategies
from nambarz_sim.strategies.names import SCORES


class Watched(NamedTuple):
    """What is watched, in 16-bit counts, row by row beside the `Records` of the same games.

    ``rounds (rounds, 2 + 2 * numbers)``: one more than the seat that led last, and how often the lead changed; then for
    each number of the deck the turns begun on it and those that covered it without a draw. A seat leads that alone holds
    the fewest cards after a turn; ties in between change nothing. ``players (seats dealt in,)``: wildcards dealt.
    """

    rounds: Counts
    players: Counts

    @property
    def lead_changes(self) -> Counts:
        """For each round how often another seat took the lead."""
        return self.rounds[:, loop.WATCHED_CHANGES]

    @property
    def leaders(self) -> Counts:
        """For each round the seat that led last, -1 for none."""
        return self.rounds[:, loop.WATCHED_LEADER] - np.int16(1)

    @property
    def turns_on(self) -> Counts:
        """For each round and number of the deck, the turns begun on it."""
        return self.rounds[:, loop.WATCHED_NUMBERS :: 2]

    @property
    def covered(self) -> Counts:
        """For each round and number of the deck, the turns that covered it without a draw."""
        return self.rounds[:, loop.WATCHED_NUMBERS + 1 :: 2]


def watch(
    rules: Rules,
    games: int,
    seed: int,
    strategies: str | Sequence[str] = "greedy",
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> tuple[Results, Watched]:
    """Play games as `nambarz_sim.simulation.batch.simulate` does, with the same results, and watch them.

    Parameters
    ----------
    rules, games, seed, strategies, workers, executor, progress
        As there; the strategies are those that score plays, by name, and there is no progress bar.

    Raises
    ------
    ValueError
        If a strategy is not one of these.

    Examples
    --------
    >>> results, watched = watch(Rules(players=3), games=20, seed=1)
    >>> len(watched.lead_changes) == len(results.rounds)
    True
    """
    for name in [strategies] if isinstance(strategies, str) else strategies:
        verify_watchable("strategies", name)
    workers = workers or os.cpu_count() or 1
    size = max(1, min(GAMES_PER_CHUNK, -(-games // (4 * workers))))
    starts = range(0, games, size)
    chunks: dict[int, tuple[Records, Watched]] = {}
    done = 0

    def call(first: int, size: int) -> Call[tuple[Records, Watched]]:
        return watch_chunk, rules, strategies, seed, first, size

    sizes = [(first, min(size, games - first)) for first in starts]
    with closing(in_chunks(call, sizes, workers, executor)) as played:
        for first, chunk in played:
            chunks[first] = chunk
            done += len(chunk[0].games)
            if progress is not None and progress(done, games) is False:
                break
    # After a stop a chunk may be missing between others; games count from 0 without a gap.
    whole = [chunks[first] for first in takewhile(chunks.__contains__, starts)] or [
        watch_chunk(rules, strategies, 0, 0, 0)
    ]
    results = Results(rules, seat_strategies(strategies, rules.players).names, seed, [records for records, _ in whole])
    return results, Watched(*map(np.concatenate, zip(*(watched for _, watched in whole), strict=True)))


def verify_watchable(argument: str, strategy: str) -> None:
    """Refuse a strategy whose games are not watched: planners and pupils have loops of their own.

    Raises
    ------
    ValueError
        If it is none that scores plays; the message names the argument.
    """
    if strategy not in SCORES:
        raise ValueError(unknown_name(argument, strategy, SCORES))


def watch_chunk(
    rules: Rules, strategies: str | Sequence[str], seed: int, first_game: int, games: int
) -> tuple[Records, Watched]:
    """Play and watch games ``first_game`` and on; what an executor runs."""
    seats = seat_strategies(strategies, rules.players)
    packed = pack(rules)
    state, plays, codes = new_state(packed), new_plays(packed), np.array(seats.codes, dtype=np.int64)
    parts: list[tuple[Records, Watched]] = []
    played = 0
    while played < games or not parts:
        records = new_records(packed, games - played)
        watched = _new_watched(packed, records)
        at = np.array([0, 0, 1], dtype=np.int64)
        left = games - played
        done = int(
            compiled(loop.play_games_watched)(
                packed, state, plays, codes, seed, first_game + played, left, records, watched, at
            )
        )
        verify_counts(at, first_game + played, done)
        rounds, players = int(at[0]), int(at[1])
        parts.append((records.cut(done, rounds, players), Watched(watched.rounds[:rounds], watched.players[:players])))
        played += done
    records = Records.join([records for records, _ in parts])
    return records, Watched(*map(np.concatenate, zip(*(watched for _, watched in parts), strict=True)))


def _new_watched(packed: Ints, records: Records) -> Watched:
    width = loop.WATCHED_NUMBERS + 2 * int(packed[NUMBERS])
    return Watched(
        np.zeros((len(records.rounds), width), dtype=np.int16), np.zeros(len(records.players), dtype=np.int16)
    )
