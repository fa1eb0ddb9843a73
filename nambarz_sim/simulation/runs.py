"""Runs that are stored as they are played, and go on after an interruption."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from nambarz_sim._version import __version__
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import batch
from nambarz_sim.simulation.folder import Folder, lock, resume_words, verify_free
from nambarz_sim.simulation.manifest import MOST_CHUNKS, Plan
from nambarz_sim.simulation.records import Records
from nambarz_sim.simulation.results import PART_SEATS
from nambarz_sim.simulation.stored import StoredResults
from nambarz_sim.simulation.tables import TABLES, as_parquet, need_store
from nambarz_sim.strategies import Seats, Strategy, seat_strategies
from nambarz_sim.strategies.code import code_digest
from nambarz_sim.strategies.pupil import Pupil, pupils_at

FEWEST_CHUNKS = 16
"""Into so many chunks at least a run is cut, if it has as many games: cores share it, and progress is told."""


def store(
    folder: str | os.PathLike[str],
    rules: Rules,
    games: int,
    seed: int,
    strategies: Strategy | Sequence[Strategy],
    workers: int | None = None,
    executor: Executor | None = None,
    chunk_size: int | None = None,
    progress: bool | batch.Progress | None = True,
) -> StoredResults:
    """Play games into a folder; `nambarz_sim.simulate` with ``out`` does so, and says what the arguments are.

    A folder that holds some games of the same run is completed.

    Raises
    ------
    ValueError
        If the folder holds another run, or something else, or another process is writing into it.
    """
    need_store("out")
    path = Path(folder)
    seats = seat_strategies(strategies, rules.players)
    chosen = _usual_chunk_size(rules, games, seats) if chunk_size is None else chunk_size
    # Before the folder is made: what a run cannot have leaves nothing there.
    plan = Plan(rules, seats.names, seed, games, chosen, _own(strategies, rules.players), __version__)
    if path.exists() and not path.is_dir():
        raise ValueError(f"out: {str(path)!r} is a file; name a folder")
    if path.exists():
        verify_free(path)  # before the lock, which would be left in a folder of other things
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise ValueError(f"out: the folder {str(path)!r} cannot be made: {problem.strerror}; choose another") from None
    with lock(path):
        found = Folder(path) if Folder.is_there(path) else None
        if found and chunk_size is None and games == found.plan.games:
            plan = replace(plan, chunk_size=found.plan.chunk_size)
        if found and (difference := found.plan.difference(plan)):
            raise ValueError(f"out: the folder {str(path)!r} holds another run: {difference}; choose another folder")
        return _complete(found or Folder.make(path, plan), strategies, workers, executor, progress)


def resume(
    folder: str | os.PathLike[str],
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | batch.Progress | None = True,
) -> StoredResults:
    """Complete a run that was interrupted, or has damaged chunks; its tables become those of a run without interruption.

    Parameters
    ----------
    folder
        What `nambarz_sim.simulate` was given as ``out``.
    workers, executor, progress
        As `nambarz_sim.simulate` takes them.

    Raises
    ------
    ValueError
        If there is no run, another process is writing into it, it was made by another version, or its strategies are
        functions: then `nambarz_sim.simulate` is called again, as it was.

    Examples
    --------
    >>> import tempfile
    >>> from nambarz_sim import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stopped = simulate(games=40, out=folder, progress=lambda done, games: False)
    ...     whole = resume(folder, progress=False)
    ...     stopped.complete, whole.complete, whole.game_count
    (False, True, 40)
    """
    need_store("resume")
    if not Folder.is_there(Path(folder)):
        raise ValueError(f"resume: {str(folder)!r} holds no run; give the folder of `nambarz simulate --out`")
    with lock(Path(folder)):
        found = Folder(folder)
        if name := _first_own(found.plan):
            raise ValueError(
                f"resume: the strategy {name!r} is a function of yours, which the folder does not hold; call simulate "
                f"again as it was called, with out={str(folder)!r}"
            )
        if found.plan.version != __version__:
            raise ValueError(
                f"resume: {str(folder)!r} was made by version {found.plan.version} and this is {__version__}, which may "
                f"play otherwise; install that version, or simulate into another folder"
            )
        return _complete(found, list(found.plan.strategies), workers, executor, progress)


def _complete(
    folder: Folder,
    strategies: Strategy | Sequence[Strategy],
    workers: int | None,
    executor: Executor | None,
    progress: bool | batch.Progress | None,
) -> StoredResults:
    """Play the chunks that are missing or damaged."""
    plan = folder.plan
    made = json.dumps(plan.provenance)

    def keep(first: int, records: Records) -> None:
        rows = {table: len(each) for table, each in zip(TABLES, records, strict=True)}
        folder.add(first, rows, as_parquet(records, first, plan.rules, plan.strategies, made))

    def play_and_keep(first: int, *arguments: Any) -> None:
        keep(first, batch.play_chunk(*arguments))

    seats = seat_strategies(strategies, plan.rules.players)
    try:
        for first in folder.damaged(workers):
            del folder.chunks[first]
        folder.tidy()
        done, chunks = folder.done, [(first, plan.size(first)) for first in folder.missing]
        pupils_at(plan.rules, seats.pupils)  # packs the rules once, before the workers ask for them
        plain = executor is None and batch.is_over_soon(plan.rules, plan.games - done, seats)
        workers = 1 if seats.choosers or plain else workers or os.cpu_count() or 1

        def call(first: int, size: int) -> batch.Call[Any]:
            arguments = (plan.rules, strategies, plan.seed, first, size, plain and batch.is_sooner_plain(seats))
            # This process's own threads write what they have played; other processes may not see the folder.
            return (play_and_keep, first, *arguments) if executor is None else (batch.play_chunk, *arguments)

        played = batch.in_chunks(call, chunks, workers, executor)
        ready = plain or batch.is_ready_to_play(seats)
        with batch.teller(progress, done, plan.games, ready) as tell, closing(played):
            if tell(done, plan.games) is not False:
                for first, found in played:
                    if executor is not None:
                        keep(first, found)
                    done += plan.size(first)
                    if tell(done, plan.games) is False:
                        break
        folder.tidy()
    except BaseException as problem:
        problem.add_note(_how_far(folder))
        raise
    return StoredResults(folder.path, verify=False)


def _how_far(folder: Folder) -> str:
    how = "the same call" if _first_own(folder.plan) else resume_words(folder.path)
    return f"{folder.done:,} of {folder.plan.games:,} games are kept in {str(folder.path)!r}; {how} goes on"


def _usual_chunk_size(rules: Rules, games: int, seats: Seats) -> int:
    """How many games a chunk has where nobody says so; the same on every machine."""
    most = batch.PLANNED_GAMES_PER_CHUNK if any(seats.playouts) else PART_SEATS // (rules.rounds * rules.players)
    return max(1, min(most, games // FEWEST_CHUNKS), -(-games // MOST_CHUNKS))


def _own(strategies: Strategy | Sequence[Strategy], players: int) -> tuple[str, ...]:
    """For each seat a digest of the user's function that plays there; "" where none does."""
    given = list(strategies) if isinstance(strategies, list | tuple) else [strategies]
    chosen = [each.strategy if isinstance(each, Pupil) else each for each in given]
    digests = tuple(code_digest(each) if callable(each) else "" for each in chosen)
    return digests * players if len(digests) == 1 else digests


def _first_own(plan: Plan) -> str:
    """The name of a seat's strategy that is a user's function; "" where there is none."""
    return next((name for name, digest in zip(plan.strategies, plan.own, strict=True) if digest), "")
