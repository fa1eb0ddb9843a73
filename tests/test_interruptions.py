"""Runs that are interrupted: whatever happens and whenever, the folder opens, and goes on to the same bytes.

Processes are killed at random moments; inside this one, every step that a run takes on the disk is made its last. Then the
folder must hold some whole chunks and know which, and must become that of a run without interruption: nothing lost,
nothing doubled.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from interrupted import RUN
from test_runs import contents, marks

from nambarz_sim import Results, Rules, cli, resume, simulate
from nambarz_sim.simulation import folder as folders
from nambarz_sim.simulation.folder import MANIFEST, Folder
from nambarz_sim.simulation.tables import TABLES

SCRIPT = Path(__file__).with_name("interrupted.py")
PLAIN = os.environ | {"NUMBA_DISABLE_JIT": "1"}
"""What is killed need not compile; that both forms write the same bytes is seen beside."""


class Whole:
    """A run without interruption."""

    def __init__(self, run: dict[str, Any], folder: Path) -> None:
        self.run, self.folder = run, folder
        self.results = simulate(**run, out=folder)
        self.contents = contents(folder)

    def finished(self, folder: Path) -> int:
        """How many games of an interrupted run a folder has; what it says of them must be right."""
        if not Folder.is_there(folder):
            with pytest.raises(ValueError, match="holds no run"):
                Results.open(folder)
            return 0
        stored = Results.open(folder)  # this compares the digests
        found = Folder(folder)
        here = contents(folder)
        for first in found.chunks:
            for table in TABLES:
                name = found.file(table, first).relative_to(folder).as_posix()
                assert here[name] == self.contents[name]
        for table in TABLES:
            rows = getattr(self.results, table)
            expected = rows[rows["game"] < stored.game_count]
            pd.testing.assert_frame_equal(getattr(stored, table), expected, check_exact=True)
        assert stored.complete == (found.done == stored.games_asked)
        return found.done

    def go_on(self, folder: Path) -> None:
        """Complete a run, which must become this one."""
        if Folder.is_there(folder):
            assert resume(folder, progress=False).complete
        else:
            assert simulate(**self.run, out=folder).complete
        assert contents(folder) == self.contents


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(RUN, tmp_path_factory.mktemp("runs") / "whole")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process does not wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


def lines(folder: Path) -> int:
    """How many lines the manifest has by now."""
    try:
        return (folder / MANIFEST).read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def wait_for(process: subprocess.Popen[str], arrived: Callable[[], bool]) -> None:
    while process.poll() is None and not arrived():
        time.sleep(0.0005)


# --- kill -9 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.usefixtures("at_once")
def test_killed_twice_at_random_moments(whole: Whole, tmp_path: Path, seed: int) -> None:
    """A kill comes some milliseconds after so many lines of the manifest: in a file, between two, or in the manifest."""
    moments = random.Random(seed)
    run = tmp_path / "run"
    done = 0
    for end in (30, 45):
        what = "resume" if Folder.is_there(run) and moments.random() < 0.7 else "begin"
        least = moments.randrange(min(lines(run), end - 1), end)
        process = subprocess.Popen([sys.executable, SCRIPT, what, run], env=PLAIN)
        wait_for(process, lambda least=least: run.exists() and lines(run) > least)
        time.sleep(moments.uniform(0, 0.02))
        process.kill()
        assert process.wait() in (0, -signal.SIGKILL)
        finished = whole.finished(run)
        assert finished >= done
        done = finished
        assert done > 0 or not least
    kept = {name: mark for name, mark in marks(run).items() if name.endswith(".parquet")}
    chunks = Folder(run).chunks
    whole.go_on(run)
    finished_files = {str(Folder(run).file(table, first).relative_to(run)) for table in TABLES for first in chunks}
    assert {name: kept[name] for name in finished_files}.items() <= marks(run).items()  # nothing is played twice


def test_of_several_processes_at_once_one_writes(whole: Whole, tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [sys.executable, SCRIPT, "begin", run]
    started = [subprocess.Popen(command, env=PLAIN, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.communicate()[1] for process in started]
    for process, words in zip(started, said, strict=True):
        assert process.returncode == 0 or "another process is writing into it" in words
    assert 0 in [process.returncode for process in started]
    assert contents(run) == whole.contents


# --- every step on the disk ------------------------------------------------------------------------------------------


class Cut(BaseException):
    """Nothing expects it, so nothing is tidied up after it: as a power cut."""


class Disk:
    """Counts the steps that a run takes on the disk, and from one of them on lets nothing reach it.

    Parameters
    ----------
    last
        The first step that is not taken.
    torn
        Whether half of it is taken; only steps that write are counted then.
    """

    def __init__(self, last: int, torn: bool) -> None:
        self.last, self.torn = last, torn
        self.counted = 0
        self.counting = threading.Lock()

    def step(self, real: Callable[..., Any], half: Callable[..., Any] | None = None) -> Callable[..., Any]:
        def taken(*arguments: Any, **options: Any) -> Any:
            with self.counting:
                counts = half is not None or not self.torn
                self.counted += counts
                if counts and self.torn and self.counted == self.last and half is not None:
                    half(*arguments)
                if self.counted >= self.last:
                    raise Cut
            return real(*arguments, **options)

        return taken


def write_half(file: Path, content: bytes) -> None:
    file.write_bytes(content[: len(content) // 2])


def append_half(file: Path, line: bytes) -> None:
    with file.open("ab") as target:
        target.write(line[: len(line) // 2])


@contextmanager
def last_step(last: int, torn: bool) -> Iterator[Disk]:
    """The disk takes no step from this one on."""
    disk = Disk(last, torn)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(folders, "_write", disk.step(folders._write, write_half))
        patched.setattr(folders, "_append", disk.step(folders._append, append_half))
        patched.setattr(folders, "_flush_folder", disk.step(folders._flush_folder))
        for name in ("mkdir", "replace", "unlink"):
            patched.setattr(Path, name, disk.step(getattr(Path, name)))
        yield disk


TINY: dict[str, Any] = {"rules": Rules(players=2), "games": 4, "seed": 8, "chunk_size": 2, "progress": False}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(TINY, tmp_path_factory.mktemp("tiny") / "whole")


@pytest.mark.parametrize(
    ("torn", "steps", "finished"), [(False, 30, {0, 2, 4}), (True, 9, {0, 2})], ids=["cut", "torn"]
)
@pytest.mark.usefixtures("at_once")
def test_a_run_can_be_cut_at_every_step(
    tiny: Whole, tmp_path: Path, torn: bool, steps: int, finished: set[int]
) -> None:
    seen = set()
    for step in count(1):
        run = tmp_path / str(step)
        with last_step(step, torn):
            try:
                simulate(**TINY, workers=1, out=run)
            except Cut as cut:
                notes = getattr(cut, "__notes__", [])
            else:
                break
        done = tiny.finished(run)
        seen.add(done)
        if Folder.is_there(run) and notes:
            assert notes == [f"{done} of 4 games are kept in {str(run)!r}; `nambarz resume {run}` goes on"]
        tiny.go_on(run)
    assert step > steps
    assert seen == finished


@pytest.mark.parametrize(("torn", "steps"), [(False, 15), (True, 5)], ids=["cut", "torn"])
@pytest.mark.usefixtures("at_once")
def test_going_on_can_be_cut_at_every_step(tiny: Whole, tmp_path: Path, torn: bool, steps: int) -> None:
    """From a folder with a damaged chunk, lines in another order, half a line and half files."""
    harmed = Path(shutil.copytree(tiny.folder, tmp_path / "harmed"))
    first, *chunks = (harmed / MANIFEST).read_bytes().splitlines(keepends=True)
    (harmed / MANIFEST).write_bytes(first + chunks[1] + chunks[0] + chunks[1][:70])
    (harmed / "rounds" / "0000000.parquet").write_bytes(b"damaged")
    for half in (harmed / "players" / "0000000.part", harmed / f"{MANIFEST}.part"):
        half.write_bytes(b"half")
    seen = set()
    for step in count(1):
        run = Path(shutil.copytree(harmed, tmp_path / str(step)))
        with last_step(step, torn):
            try:
                resume(run, workers=1, progress=False)
            except Cut:
                pass
            else:
                break
        try:
            seen.add(tiny.finished(run))
        except ValueError as problem:  # as before, if nothing was done yet
            seen.add(-1)
            assert "chunk 0: games 0 to 1" in str(problem)  # noqa: PT017
        tiny.go_on(run)
    assert step > steps
    assert seen == {-1, 2, 4}


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------

# A shell that starts tests in the background has its children ignore Ctrl-C.
CLI = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from nambarz_sim.cli import main; main()"
)
LONG = {"rules": Rules(players=2), "games": 3200, "seed": 1, "progress": False}


def command(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> int:
    """The status of a command in this process."""
    monkeypatch.setattr(sys, "argv", ["nambarz", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_ctrl_c_says_how_far_it_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    words = ["simulate", "--games", "3200", "--players", "2", "--workers", "1", "--out", str(run)]
    process = subprocess.Popen(
        [sys.executable, "-c", CLI, *words], env=PLAIN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_for(process, lambda: lines(run) > 1)
    process.send_signal(signal.SIGINT)
    said = process.communicate()
    assert process.returncode == 130
    stopped = Results.open(run)
    assert 0 < stopped.game_count < 3200
    kept = f"{stopped.game_count:,} of 3,200 games are kept in {str(run)!r}; `nambarz resume {run}` goes on"
    assert said == ("", f"nambarz: stopped; {kept}\n")
    assert command(monkeypatch, "resume", run, "--json") == 0
    capsys.readouterr()
    simulate(**LONG, out=tmp_path / "whole")
    assert contents(run) == contents(tmp_path / "whole")


# --- a full disk -----------------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 128 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if mounted.returncode:
        pytest.skip("a small disk cannot be mounted: root may, on Linux")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_full_disk_can_be_given_room(
    small_disk: Path, whole: Whole, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = small_disk / "run"
    begun = simulate(**{**RUN, "progress": lambda *_: False}, out=run)  # the command has no option for the chunks' size
    assert begun.game_count == 0
    for _ in range(2):
        assert command(monkeypatch, "resume", run) == 1
        done = whole.finished(run)
        assert 0 < done < RUN["games"]
        kept = f"{done} of 48 games are kept in {str(run)!r}; `nambarz resume {run}` goes on"
        assert capsys.readouterr() == ("", f"nambarz: {os.strerror(errno.ENOSPC)}; {kept}\n")
        assert not list(run.glob("*/*.part"))  # room for somebody else
    subprocess.run(["mount", "-o", "remount,size=4m", small_disk], check=True)
    assert command(monkeypatch, "resume", run) == 0
    assert capsys.readouterr().err == ""
    assert contents(run) == whole.contents


def test_a_disk_can_be_full_at_every_flush(
    tiny: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    full = os.strerror(errno.ENOSPC)
    seen = set()
    for step in count(1):
        run, flushes = tmp_path / str(step), count(1)

        def flush(_: int, step: int = step, flushes: Iterator[int] = flushes) -> None:
            if next(flushes) >= step:
                raise OSError(errno.ENOSPC, full)

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", flush)
            try:
                simulate(**TINY, workers=1, out=run)
            except OSError as problem:
                assert problem.errno == errno.ENOSPC  # noqa: PT017
            else:
                break
            if Folder.is_there(run):
                status = command(patched, "resume", run)
                said = capsys.readouterr().err
        done = tiny.finished(run)
        seen.add(done)
        if Folder.is_there(run):
            assert status == 1
            assert said.startswith(f"nambarz: {full}; {done} of 4 games are kept")
        tiny.go_on(run)
    assert step > 15
    assert seen == {0, 2}  # a line whose flush fails is taken back


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no limit for the size of files")
def test_of_a_line_without_room_nothing_stays(tmp_path: Path) -> None:
    import resource

    file = tmp_path / MANIFEST
    file.write_bytes(b"a whole line\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
    try:
        with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            folders._append(file, b"another line\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_bytes() == b"a whole line\n"
    folders._append(file, b"another line\n")
    assert file.read_bytes() == b"a whole line\nanother line\n"


# --- lost workers ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
def test_a_lost_worker_leaves_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More chunks than wait at a time: so some are asked for after the loss."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    run = {"rules": Rules(players=2, hand_size=3), "games": 80, "seed": 2, "chunk_size": 1}
    folder = tmp_path / "run"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:

        def lose_workers(done: int, _: int) -> None:
            if done == 5:
                for process in pool._processes.values():
                    process.kill()

        with pytest.raises(BrokenExecutor, match="a worker died") as lost:
            simulate(**run, executor=pool, progress=lose_workers, out=folder)
    whole = Whole(run | {"progress": False}, tmp_path / "whole")
    done = whole.finished(folder)
    assert 5 <= done < 80
    assert lost.value.__notes__ == [
        f"{done} of 80 games are kept in {str(folder)!r}; `nambarz resume {folder}` goes on"
    ]
    whole.go_on(folder)
