"""What the benchmarks measure of runs in folders: speed beside memory, size, reading, going on after a kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from measures import CHILD, SEED, Figure, NotMeasured, Say, Sizes, Target, in_child, interleaved

from nambarz_sim import Results, resume, simulate


def folders(sizes: Sizes, say: Say) -> list[Figure]:
    """A large run to disk and its summary, each in a process of its own; the same games in memory and in a folder."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return [Figure("runs in folders", why="pyarrow is not installed; it comes with the extra `benchmark`")]
    with TemporaryDirectory() as place:
        try:
            large = large_run(sizes, Path(place), say)
        except NotMeasured as reason:
            large = [Figure("a large run", why=str(reason))]
    return [*large, *beside_memory(sizes, say), *after_a_kill(sizes, say)]


def large_run(sizes: Sizes, place: Path, say: Say) -> list[Figure]:
    """Peak memory and seconds of playing into a folder, then of opening it and of its summary; bytes on disk."""
    say(f"{sizes.folder_games:,} games into a folder")
    played = in_child("store", sizes.folder_games, NAMBARZ_FOLDER=str(place / "run"))
    stored = sum(file.stat().st_size for file in (place / "run").rglob("*") if file.is_file())
    reads = []
    for repeat in range(sizes.folder_reads):
        say(f"its summary: {repeat + 1} of {sizes.folder_reads}")
        reads.append(in_child("read", sizes.folder_games, NAMBARZ_FOLDER=str(place / "run")))
    small = Target(1.0, at_most=True)
    return [
        Figure("rounds played into the folder", [played["rounds"]], "rounds"),
        Figure("that run: rounds", [played["rounds"] / played["seconds"]], "a second"),
        Figure("that run: peak memory of the process", [played["peak"] / 1e9], "GB", small),
        Figure("that run: bytes on disk", [stored / played["rounds"]], "a round"),
        Figure("opening it, all digests compared", [one["open"] for one in reads], "s"),
        Figure("its `summary()`", [one["summary"] for one in reads], "s", Target(20.0, at_most=True)),
        Figure("peak memory of the process that reads", [one["peak"] / 1e9 for one in reads], "GB"),
    ]


def beside_memory(sizes: Sizes, say: Say) -> list[Figure]:
    """The same batch in memory and into a folder, in turn."""
    cases = {
        "memory": partial(timed, sizes.folder_pair_games, False),
        "folder": partial(timed, sizes.folder_pair_games, True),
    }
    samples, _ = interleaved(cases, sizes.folder_repeats, say)
    rounds = {name: sizes.folder_pair_games / values[:, 0] for name, values in samples.items()}
    share = (samples["memory"] / samples["folder"])[:, 0]
    return [
        *(Figure(f"rounds, {name}", values.tolist(), "a second") for name, values in rounds.items()),
        Figure("folder's speed to memory's", (100 * share).tolist(), "%", Target(80.0)),
    ]


def timed(games: int, stored: bool) -> tuple[float]:
    """Wall seconds of a batch on two threads."""
    with TemporaryDirectory() as place:
        start = time.perf_counter()
        simulate(games=games, seed=SEED, workers=2, progress=False, out=Path(place) / "run" if stored else None)
        return (time.perf_counter() - start,)


def after_a_kill(sizes: Sizes, say: Say) -> list[Figure]:
    """How many finished chunks a run that was killed plays again when it goes on; seen by the files' own times."""
    again, kept = [], []
    for repeat in range(sizes.folder_kills):
        say(f"killed and resumed: {repeat + 1} of {sizes.folder_kills}")
        with TemporaryDirectory() as place:
            folder = Path(place) / "run"
            finished = killed(sizes.folder_pair_games, folder)
            resumed = resume(folder, workers=2, progress=False)
            assert resumed.complete
            assert len(Results.open(folder).rounds) >= sizes.folder_pair_games
            again.append(float(sum(file.stat().st_mtime_ns != when for file, when in finished.items())))
            kept.append(float(len(finished)))
    return [
        Figure("files of finished chunks when the run was killed", kept, "files"),
        Figure("of these written again by `resume`", again, "files", Target(0.0, at_most=True)),
    ]


def killed(games: int, folder: Path) -> dict[Path, int]:
    """Kill a run when a quarter of its chunks or more is there; the files of its finished chunks, and their times."""
    command = [sys.executable, str(CHILD), "store", str(games)]
    environment = os.environ | {"NAMBARZ_FOLDER": str(folder)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    manifest = folder / "manifest.jsonl"
    try:
        while process.poll() is None:
            if manifest.exists() and manifest.read_bytes().count(b"\n") > 4:
                break
            time.sleep(0.001)
    finally:
        process.kill()
        process.wait()
    lines = [json.loads(line.rpartition(b" ")[0]) for line in manifest.read_bytes().splitlines()[1:]]
    size = json.loads(manifest.read_bytes().splitlines()[0].rpartition(b" ")[0])["chunk_size"]
    files = [folder / table / f"{line['first'] // size:07d}.parquet" for line in lines for table in line["files"]]
    return {file: file.stat().st_mtime_ns for file in files}
