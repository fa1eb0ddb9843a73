"""`simulate`: games by the million, in chunks, on threads or any executor, with progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import takewhile
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from nambarz_sim._errors import whole_number
from nambarz_sim._numba import WARM
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import GAME_OVER, Ints, new_plays, new_state, pack
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import Records, new_records
from nambarz_sim.simulation.results import Results
from nambarz_sim.strategies import Seats, Strategy, seat_strategies
from nambarz_sim.strategies.erring import LAID, PLAY, SIGNS, TRIED, Pupils, err
from nambarz_sim.strategies.own import COMPILED_DECIDING, choose_row, choose_with, rebuilt
from nambarz_sim.strategies.pupil import pupils_at

GAMES_PER_CHUNK = 5_000
MOST_GAMES = 2**40

Progress = Callable[[int, int], object]
"""Told the games finished and the games asked for; what it returns is asked for False alone, which stops the batch."""


def simulate(
    rules: Rules | None = None,
    games: int = 10_000,
    seed: int = 1,
    strategies: Strategy | Sequence[Strategy] = "greedy",
    workers: int | None = None,
    executor: Executor | None = None,
    chunk_size: int | None = None,
    progress: bool | Progress | None = True,
) -> Results:
    """Play games and record every round.

    Game g of a seed is the same whatever the chunk size, the workers, the executor and the platform. Ctrl-C stops after
    the chunks under way.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    games
        How many games, 1 or more.
    seed
        A whole number from 0; games of two variants under one seed share their deals.
    strategies
        A name, one for each seat, functions or pupils who err (see `nambarz_sim.strategies`).
    workers
        Threads of this call, or about how many workers the executor has; all cores of this machine without. Plain Python
        strategies run on one.
    executor
        Any `concurrent.futures.Executor` to play the chunks instead, a process pool for example. Functions given as
        strategies must then be importable by the workers.
    chunk_size
        Games of one chunk.
    progress
        Show a progress bar; None shows it on a terminal only. Or a function ``progress(done, total)``, called in this
        thread before the first chunk and after each: where it returns False, no more chunks are played, and the results
        are those of the games from the first on that are finished by then, none perhaps.

    Returns
    -------
    Results
        Tables and a summary.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.

    Examples
    --------
    >>> results = simulate(Rules(players=3), games=20, seed=1, progress=False)
    >>> len(results.games), len(results.players)
    (20, 60)
    """
    rules = rules or Rules()
    games = whole_number("games", games, 1, MOST_GAMES)
    seed = whole_number("seed", seed, 0, 2**63 - 1)
    for name, value in (("workers", workers), ("chunk_size", chunk_size)):
        if value is not None:
            whole_number(name, value, 1, MOST_GAMES)
    seats = seat_strategies(strategies, rules.players)
    pupils_at(rules, seats.pupils)  # packs the rules once, before the workers ask for them
    workers = 1 if seats.choosers else workers or os.cpu_count() or 1
    chunk_size = chunk_size or max(1, min(GAMES_PER_CHUNK, -(-games // (4 * workers))))
    starts = range(0, games, chunk_size)
    chunks: dict[int, Records] = {}
    done = 0
    played = _chunks(rules, strategies, seed, starts, games, workers, executor)
    with _teller(progress, games) as tell, closing(played):
        if tell(0, games) is not False:
            for first, records in played:
                chunks[first] = records
                done += len(records.games)
                if tell(done, games) is False:
                    break
    # After a stop a chunk may be missing between others; games count from 0 without a gap.
    whole = [chunks[first] for first in takewhile(chunks.__contains__, starts)]
    return Results(rules, seats.names, seed, whole or [new_records(pack(rules), 0).cut(0, 0, 0)])


@contextmanager
def _teller(progress: bool | Progress | None, games: int) -> Iterator[Progress]:
    """Whom to tell of the progress: a function of the caller's, a bar, or nobody."""
    if callable(progress):
        yield progress
    elif sys.stderr.isatty() if progress is None else progress:
        note = None if WARM else "compiling the rules, once (half a minute)"
        with tqdm(total=games, desc=note, unit="game", unit_scale=True) as bar:

            def move(done: int, _: int) -> None:
                if done:
                    bar.set_description(None, refresh=False)
                    bar.update(done - bar.n)

            yield move
    else:  # a bar that is not shown is not made either: tqdm would start a thread for it
        yield lambda _done, _total: None


def _chunks(
    rules: Rules,
    strategies: Strategy | Sequence[Strategy],
    seed: int,
    starts: range,
    games: int,
    workers: int,
    executor: Executor | None,
) -> Generator[tuple[int, Records]]:
    """The chunks as they finish, with at most a few waiting, so that a stop stops soon."""
    own = executor is None
    pool = ThreadPoolExecutor(workers, "nambarz") if executor is None else executor
    waiting: dict[Future[Records], int] = {}
    todo = iter(starts)
    most_waiting = 4 * workers if own else max(64, 4 * workers)  # a larger pool than this machine's stays busy, too
    try:
        while True:
            for first in todo:
                size = min(starts.step, games - first)
                waiting[pool.submit(play_chunk, rules, strategies, seed, first, size)] = first
                if len(waiting) >= most_waiting:
                    break
            if not waiting:
                return
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()
        if own:
            pool.shutdown()


def play_chunk(
    rules: Rules, strategies: Strategy | Sequence[Strategy], seed: int, first_game: int, games: int
) -> Records:
    """Play games ``first_game`` and on; what an executor runs."""
    seats = seat_strategies(strategies, rules.players)
    packed, pupils = pupils_at(rules, seats.pupils)
    state, plays = new_state(packed), new_plays(packed)
    codes = np.array(seats.codes, dtype=np.int64)
    parts: list[Records] = []
    played = 0
    while played < games:
        records = new_records(packed, games - played)
        at = np.array([0, 0, 1], dtype=np.int64)
        if seats.choosers:
            done = _play_slowly(
                rules, packed, state, plays, seats, pupils, seed, first_game + played, games - played, records, at
            )
        else:
            play_games = batch_loop(seats.scores, pupils is not None)
            who = (codes,) if pupils is None else (codes, pupils)
            done = int(play_games(packed, state, plays, *who, seed, first_game + played, games - played, records, at))
        if not at[2]:
            raise OverflowError(
                f"turn_limit: a count of games {first_game + played} to {first_game + played + done} is above "
                f"{loop.LARGEST_RECORD}; set a smaller turn_limit"
            )
        parts.append(records.cut(done, int(at[0]), int(at[1])))
        played += done
    return Records.join(parts)


@lru_cache(maxsize=16)
def batch_loop(scores: tuple[Callable[..., Any], ...], pupils: bool = False) -> Any:
    """The batch loop, of pupils or not; with users' scoring functions in it, it is compiled for this process."""
    play_games = loop.play_games_of_pupils if pupils else loop.play_games
    return rebuilt(play_games, choose=choose_with(scores)) if scores else play_games


def _play_slowly(
    rules: Rules,
    packed: Ints,
    state: Ints,
    plays: Ints,
    seats: Seats,
    pupils: Pupils | None,
    seed: int,
    first_game: int,
    games: int,
    records: Records,
    at: Ints,
) -> int:
    """`nambarz_sim.simulation.kernel.play_games` for strategies in plain Python, over the same kernels."""
    for played in range(games):
        if loop.is_full(packed, records, at):
            return played
        engine.start_game(packed, state, seed, first_game + played)
        while not state[GAME_OVER]:
            row = choose_row(rules, packed, state, plays, seats, pupils, COMPILED_DECIDING)
            tried = int(err(packed, state, plays, row, pupils)) if pupils else 0
            if pupils and tried:
                scratch = pupils.scratch
                engine.apply_attempt(packed, state, scratch[TRIED], scratch[SIGNS], tried, scratch[LAID], scratch[PLAY])
            else:
                engine.step(packed, state, plays, row)
            loop.close_round(packed, state, records, at)
        loop.record_game(packed, state, records, played)
    return games
