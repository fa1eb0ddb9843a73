"""`simulate`: games by the million, in chunks, on threads or any executor, with progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import closing, contextmanager
from functools import lru_cache, partial
from itertools import takewhile
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
from tqdm.auto import tqdm

from nambarz_sim._errors import whole_number
from nambarz_sim._numba import compiled, is_ready, note_ready
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import GAME_OVER, Ints, new_plays, new_state, pack
from nambarz_sim.languages import _
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import MOST_GAMES as MOST_GAMES
from nambarz_sim.simulation.records import Records, new_records
from nambarz_sim.simulation.results import Results
from nambarz_sim.simulation.threads import ThisThread, threads
from nambarz_sim.strategies import Seats, Strategy, seat_strategies
from nambarz_sim.strategies.erring import LAID, PLAY, SIGNS, TRIED, Pupils, err
from nambarz_sim.strategies.own import choose_row, choose_with, exchanged
from nambarz_sim.strategies.planner import Planning, planning_at
from nambarz_sim.strategies.pupil import pupils_at

Chunk = TypeVar("Chunk")
Call = tuple[Callable[..., Chunk], *tuple[Any, ...]]

GAMES_PER_CHUNK = 5_000
SENT_GAMES_PER_CHUNK = 20_000
"""So many where an executor plays: on a cluster each chunk costs milliseconds besides (`make bench` measures them)."""
PLANNED_GAMES_PER_CHUNK = 20
"""So many where a planner sits, who takes a thousand times as long: progress is told and a stop is heard soon."""

PLAIN_SEATS = 8_000
"""A batch of no more seats dealt in (games times rounds times players) is played as plain Python while nothing is compiled:
2,000 rounds of four players take eight seconds so, and the compiler half a minute."""
PLAIN_SECONDS = 10.0
"""So many seconds of a process may go into that; then the compiler is worth its time."""

BROKEN = (
    "executor: a worker died, or the executor was closed, before all games were played; give a new one, or none to play on "
    "threads; functions given as strategies must stand in a file that the workers can import"
)

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
    out: str | os.PathLike[str] | None = None,
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
        Threads of this call; with an executor about how many workers it has, for each of which four chunks wait, and
        64 at the least. All cores of this machine without. Plain Python strategies run on one.
    executor
        Any `concurrent.futures.Executor` to play the chunks instead: a process pool, or a cluster's, such as Dask's
        ``Client(address).get_executor()``, which plays the chunks of a worker that died again. Functions given as
        strategies must then be importable by the workers.
    chunk_size
        Games of one chunk.
    progress
        Show a progress bar; None shows it on a terminal only. Or a function ``progress(done, total)``, called in this
        thread before the first chunk and after each: where it returns False, no more chunks are played, and the results
        are those of the games from the first on that are finished by then, none perhaps.
    out
        A folder to keep the records in, chunk by chunk as they are played, so that there may be more than memory holds.
        Where it has some games of the same run, it is completed; `nambarz_sim.resume` does so without the arguments.

    Returns
    -------
    Results
        Tables and a summary; with ``out``, of the games that the folder holds.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.
    concurrent.futures.BrokenExecutor
        If the executor breaks or is closed; one that gives a chunk up may have an error of its own.

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
    if out is not None:
        from nambarz_sim.simulation.runs import store  # not above: it plays its chunks with this module

        return store(out, rules, games, seed, strategies, workers, executor, chunk_size, progress)
    played = play_on(rules, 0, games, seed, strategies, workers, executor, chunk_size, progress)
    return Results(rules, seats.names, seed, played or [new_records(pack(rules), 0).cut(0, 0, 0)])


def play_on(
    rules: Rules,
    done: int,
    games: int,
    seed: int,
    strategies: Strategy | Sequence[Strategy],
    workers: int | None = None,
    executor: Executor | None = None,
    chunk_size: int | None = None,
    progress: bool | Progress | None = True,
) -> list[Records]:
    """The games of a batch that follow on those ``done``, up to ``games`` in all; the arguments are `simulate`'s."""
    seats = seat_strategies(strategies, rules.players)
    pupils_at(rules, seats.pupils)  # packs the rules once, before the workers ask for them
    plain = executor is None and is_over_soon(rules, games - done, seats)
    workers = 1 if seats.choosers or plain else workers or os.cpu_count() or 1
    usual = GAMES_PER_CHUNK if executor is None or seats.choosers else SENT_GAMES_PER_CHUNK
    most = PLANNED_GAMES_PER_CHUNK if any(seats.playouts) else usual
    chunk_size = chunk_size or max(1, min(most, -(-(games - done) // (4 * workers))))
    starts = range(done, games, chunk_size)
    sizes = [(first, min(chunk_size, games - first)) for first in starts]
    chunks: dict[int, Records] = {}

    def call(first: int, size: int) -> Call[Records]:
        return play_chunk, rules, strategies, seed, first, size, plain and is_sooner_plain(seats)

    played = in_chunks(call, sizes, workers, executor)
    with teller(progress, done, games, plain or is_ready_to_play(seats)) as tell, closing(played):
        if tell(done, games) is not False:
            for first, records in played:
                chunks[first] = records
                done += len(records.games)
                if tell(done, games) is False:
                    break
    # After a stop a chunk may be missing between others; games follow on each other without a gap.
    return [chunks[first] for first in takewhile(chunks.__contains__, starts)]


@contextmanager
def teller(progress: bool | Progress | None, start: int, games: int, ready: bool) -> Iterator[Progress]:
    """Whom to tell of the progress: a function of the caller's, a bar, or nobody."""
    if callable(progress):
        yield progress
    elif sys.stderr.isatty() if progress is None else progress:
        note = None if ready else _("compiling the rules, once (half a minute)")
        with tqdm(total=games, initial=start, desc=note, unit=_("game"), unit_scale=True) as bar:

            def move(done: int, _: int) -> None:
                if done > start:
                    bar.set_description(None, refresh=False)
                    bar.update(done - bar.n)

            yield move
    else:  # a bar that is not shown is not made either: tqdm would start a thread for it
        yield lambda _done, _total: None


def in_chunks(
    call: Callable[[int, int], Call[Chunk]],
    chunks: Iterable[tuple[int, int]],
    workers: int,
    executor: Executor | None,
) -> Generator[tuple[int, Chunk]]:
    """The chunks as they finish, with at most a few waiting, so that a stop stops soon.

    ``chunks`` are first games and numbers of games; ``call`` gives for one the function that plays it, and its arguments.
    """
    own = executor is None
    pool = threads(workers) if executor is None else executor
    waiting: dict[Future[Chunk], int] = {}
    todo = iter(chunks)
    mark = uuid4().hex
    most_waiting = 4 * workers if own else max(64, 4 * workers)  # a larger pool than this machine's stays busy, too
    if isinstance(pool, ThisThread):
        most_waiting = 1  # each is told of before the next is begun
    try:
        while True:
            for first, size in todo:
                play, *arguments = call(first, size)
                waiting[pool.submit(partial(_play_for_batch, play, mark), *arguments)] = first
                if len(waiting) >= most_waiting:
                    break
            if not waiting:
                return
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=waiting.__getitem__):  # a stop then leaves no gap that need not be
                yield waiting.pop(future), future.result()
    except (BrokenExecutor, CancelledError) as error:
        raise BrokenExecutor(BROKEN) from error
    finally:
        for future in reversed(waiting):  # a cluster begins the first while the last are taken back, one call for each
            future.cancel()
        if own:
            pool.shutdown()


def _play_for_batch(play: Callable[..., Chunk], _batch: str, *arguments: Any) -> Chunk:
    """A chunk, marked as a batch's own: a cluster takes equal calls for one task, also where one of them is taken back."""
    return play(*arguments)


def play_chunk(
    rules: Rules,
    strategies: Strategy | Sequence[Strategy],
    seed: int,
    first_game: int,
    games: int,
    plain: bool = False,
    own: Sequence[Callable[..., Any]] = (),
) -> Records:
    """Play games ``first_game`` and on, compiled or plain; what an executor runs. ``own`` as in `seat_strategies`."""
    start = time.perf_counter()
    form: Any = (lambda kernel: kernel) if plain else compiled
    seats = seat_strategies(strategies, rules.players, own)
    packed, pupils = pupils_at(rules, seats.pupils)
    planning = planning_at(packed, seats.playouts)
    state, plays = new_state(packed), new_plays(packed)
    codes = np.array(seats.codes, dtype=np.int64)
    parts: list[Records] = []
    played = 0
    while played < games:
        records = new_records(packed, games - played)
        at = np.array([0, 0, 1], dtype=np.int64)
        if _goes_through_python(seats):
            done = _play_slowly(
                rules, packed, state, plays, seats, pupils, planning, seed, first_game + played, games - played, records,
                at, form,
            )  # fmt: skip
        else:
            play_games = form(batch_loop(seats.scores, pupils is not None, planning is not None))
            who = tuple(each for each in (codes, pupils, planning) if each is not None)
            done = int(play_games(packed, state, plays, *who, seed, first_game + played, games - played, records, at))
        verify_counts(at, first_game + played, done)
        parts.append(records.cut(done, int(at[0]), int(at[1])))
        played += done
    if plain:
        _PLAIN_TIMES.append(time.perf_counter() - start)
    else:
        note_ready(_main_kernel(seats))
    return Records.join(parts)


def verify_counts(at: Ints, first_game: int, games: int) -> None:
    """Refuse records in which a count did not fit.

    Raises
    ------
    OverflowError
        If there is one; the message says which games have it, and the way out.
    """
    if not at[2]:
        raise OverflowError(
            f"turn_limit: a count of games {first_game} to {first_game + games} is above {loop.LARGEST_RECORD}; "
            f"set a smaller turn_limit"
        )


_PLAIN_TIMES: list[float] = []
"""The seconds of every chunk that this process has played as plain Python while nothing was compiled."""


def is_over_soon(rules: Rules, games: int, seats: Seats) -> bool:
    """Whether a batch is so small that plain Python plays it before the compiler would be ready to begin."""
    return (
        games * rules.rounds * rules.players <= PLAIN_SEATS
        and not any(seats.playouts)  # thousands of rounds are played out in each of theirs
        and is_sooner_plain(seats)
    )


def is_sooner_plain(seats: Seats) -> bool:
    """Whether a small batch is over sooner as plain Python than the compiler would be ready to begin."""
    return not is_ready_to_play(seats) and sum(_PLAIN_TIMES) < PLAIN_SECONDS


def is_ready_to_play(seats: Seats) -> bool:
    """Whether the machine code for these seats is there."""
    return is_ready(_main_kernel(seats))


def _goes_through_python(seats: Seats) -> bool:
    """Whether the turns are not all made inside one kernel: beside planning, the time of that is small."""
    return bool(seats.choosers) or (any(seats.pupils) and any(seats.playouts))


def _main_kernel(seats: Seats) -> Any:
    """The kernel whose machine code a batch waits for."""
    return (
        engine.step if _goes_through_python(seats) else batch_loop(seats.scores, any(seats.pupils), any(seats.playouts))
    )


@lru_cache(maxsize=16)
def batch_loop(scores: tuple[Callable[..., Any], ...], pupils: bool = False, planners: bool = False) -> Any:
    """The batch loop, of pupils, planners or neither; with users' scoring functions it is compiled by each process."""
    usual: Any = loop.play_games_of_pupils if pupils else loop.play_games
    play_games: Any = loop.play_games_of_planners if planners else usual
    return exchanged(play_games, choose=choose_with(scores)) if scores else play_games


def _play_slowly(
    rules: Rules,
    packed: Ints,
    state: Ints,
    plays: Ints,
    seats: Seats,
    pupils: Pupils | None,
    planning: Planning | None,
    seed: int,
    first_game: int,
    games: int,
    records: Records,
    at: Ints,
    form: Any,
) -> int:
    """`nambarz_sim.simulation.kernel.play_games` with plain Python strategies, or planners among pupils, by its kernels."""
    turns, rounds, mistakes = form(engine), form(loop), form(err)
    for played in range(games):
        if rounds.is_full(packed, records, at):
            return played
        turns.start_game(packed, state, seed, first_game + played)
        while not state[GAME_OVER]:
            row = choose_row(rules, packed, state, plays, seats, pupils, planning, form)
            tried = int(mistakes(packed, state, plays, row, pupils)) if pupils else 0
            if pupils and tried:
                scratch = pupils.scratch
                turns.apply_attempt(packed, state, scratch[TRIED], scratch[SIGNS], tried, scratch[LAID], scratch[PLAY])
            else:
                turns.step(packed, state, plays, row)
            rounds.close_round(packed, state, records, at)
        rounds.record_game(packed, state, records, played)
    return games
