"""A run as a folder: what stands in it, and how it gets there so that no interruption harms it.

::

    runs/long/manifest.jsonl            a line on how the run is made, then a line for each chunk that is finished
    runs/long/deck-….csv                the deck, where it is none of the package's
    runs/long/games/0000000.parquet     a chunk's tables, one file each; games, rounds and players
    runs/long/lock                      held by the one process that writes

A file is written under another name, flushed to the disk and renamed; a chunk's line comes after its files, and is flushed,
too. So whatever happens, a chunk with a line is whole, and one without is played again. A chunk's line has the sizes and
digests of its files, and file names come from the chunk's number alone: a manifest cannot name a file elsewhere, and links
are not followed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from nambarz_sim.simulation.manifest import (
    LONGEST_LINE,
    MOST_CHUNKS,
    Chunk,
    Plan,
    deck_file,
    is_deck_file,
    opened,
    read_chunk,
    read_plan,
    sealed,
)
from nambarz_sim.simulation.tables import TABLES, StoredPart
from nambarz_sim.simulation.threads import threads

MANIFEST = "manifest.jsonl"
_LOCK = "lock"
_HALF = ".part"
_HALF_CHUNK = re.compile(r"\d{7}\.part")
_LONGEST_CHUNK_LINE = 1_024


class Folder:
    """A run's folder that is there.

    Parameters
    ----------
    path
        Where it is.

    Attributes
    ----------
    plan
        How the run is made.
    chunks
        What is finished, by the first games of the chunks.
    damaged_lines
        The lines of the manifest that nobody has written so, counted from 1. The last line may be torn by an interruption,
        which is no damage.

    Raises
    ------
    ValueError
        If it holds no run, or the manifest does not say how it is made.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.chunks: dict[int, Chunk] = {}
        self.damaged_lines: list[int] = []
        self._writing = Lock()
        for name in (MANIFEST, *TABLES):
            if (self.path / name).is_symlink():
                raise ValueError(
                    f"{self._named}: {name} is a link, which may lead elsewhere; put what it leads to there"
                )
        lines = self._lines()
        content = opened(next(lines, b""))
        if content is None:
            raise ValueError(
                f"{self._named}: the first line of {MANIFEST}, which says how it is made, is damaged; simulate into "
                f"another folder"
            )
        try:
            self.plan = read_plan(content, self.path)
        except ValueError as problem:
            raise ValueError(f"{self._named}: {MANIFEST} {problem}") from None
        number, line = 1, b"\n"
        for number, line in enumerate(lines, 2):
            try:
                chunk = read_chunk(opened(line) or {}, self.plan)
            except (ValueError, KeyError, TypeError, AttributeError):
                self.damaged_lines.append(number)
            else:
                self.chunks[chunk.first] = chunk
        if self.damaged_lines[-1:] == [number] and not line.endswith(b"\n"):
            self.damaged_lines.pop()

    @classmethod
    def make(cls, path: Path, plan: Plan) -> Folder:
        """A new run's folder; the place must be free, but for what an interruption of this left there."""
        path.mkdir(parents=True, exist_ok=True)
        verify_free(path)
        for table in TABLES:
            (path / table).mkdir(exist_ok=True)
        if deck := deck_file(plan.rules):
            _write(path / deck[0], deck[1])
        half = path / f"{MANIFEST}{_HALF}"
        _write(half, sealed(plan.to_json()))
        half.replace(path / MANIFEST)
        for folder in (path, path.parent):
            _flush_folder(folder)
        return cls(path)

    @staticmethod
    def is_there(path: Path) -> bool:
        """Whether a run has begun in that folder."""
        return os.path.lexists(path / MANIFEST)

    @property
    def missing(self) -> list[int]:
        """The first games of the chunks that are not finished."""
        return [first for first in self.plan.chunks if first not in self.chunks]

    @property
    def done(self) -> int:
        """How many games are finished."""
        return sum(chunk.rows["games"] for chunk in self.chunks.values())

    def number(self, first: int) -> int:
        """A chunk's number by its first game."""
        return first // self.plan.chunk_size

    def file(self, table: str, first: int) -> Path:
        """A chunk's file of a table."""
        return self.path / table / f"{self.number(first):07d}.parquet"

    def part(self, first: int) -> StoredPart:
        """The records of a finished chunk."""

        def open_table(table: str) -> BinaryIO:
            try:
                return self.file(table, first).open("rb")
            except OSError as problem:
                raise ValueError(
                    f"{self._named}, chunk {self.number(first)}: {self._made_anew(table, first, _why(problem))}"
                ) from None

        return StoredPart(open_table, self.chunks[first].rows, self.plan.rules)

    def add(self, first: int, rows: dict[str, int], files: Mapping[str, bytes]) -> None:
        """Keep a finished chunk; by several threads at once, too."""
        names = {table: self.file(table, first) for table in TABLES}
        halves = {table: name.with_suffix(_HALF) for table, name in names.items()}
        try:
            for table, content in files.items():
                halves[table].parent.mkdir(exist_ok=True)
                _write(halves[table], content)
        except OSError:
            for half in halves.values():
                half.unlink(missing_ok=True)
            raise
        for table, name in names.items():
            halves[table].replace(name)
            _flush_folder(name.parent)
        digests = {table: (len(content), hashlib.sha256(content).hexdigest()) for table, content in files.items()}
        chunk = Chunk(first, rows, digests)
        with self._writing:
            _append(self.path / MANIFEST, sealed(chunk._asdict()))
            self.chunks[first] = chunk

    def tidy(self) -> None:
        """Drop what an interruption left, and give the manifest one line a chunk, in their order.

        A line appended to a torn one would be lost with it, so this comes before a run goes on.
        """
        manifest, half = self.path / MANIFEST, self.path / f"{MANIFEST}{_HALF}"
        chunks = (self.chunks[first]._asdict() for first in sorted(self.chunks))
        content = b"".join(map(sealed, (self.plan.to_json(), *chunks)))
        if manifest.stat().st_size != len(content) or manifest.read_bytes() != content:
            _write(half, content)
            half.replace(manifest)
            _flush_folder(self.path)
        half.unlink(missing_ok=True)
        for each in (each for table in TABLES for each in (self.path / table).glob(f"*{_HALF}")):
            if _HALF_CHUNK.fullmatch(each.name):
                each.unlink()

    def damaged(self, workers: int | None = None) -> dict[int, str]:
        """The chunks whose files are not as they were written, by their first games, and what is wrong with each."""
        with threads(workers or os.cpu_count() or 1) as pool:
            found = zip(self.chunks, pool.map(self._damage, self.chunks.values()), strict=True)
            return {first: damage for first, damage in found if damage}

    def _damage(self, chunk: Chunk) -> str:
        for table, (size, digest) in chunk.files.items():
            file = self.file(table, chunk.first)
            try:
                if not file.is_file() or file.is_symlink():
                    return self._made_anew(table, chunk.first, "missing")
                with file.open("rb") as content:
                    whole = file.stat().st_size == size and hashlib.file_digest(content, "sha256").hexdigest() == digest
            except OSError as problem:
                return self._made_anew(table, chunk.first, _why(problem))
            if not whole:
                return self._made_anew(table, chunk.first, "damaged")
        try:
            self.part(chunk.first).verify()
        except ValueError as problem:
            return f"{problem}; {resume_words(self.path)} plays them again"
        return ""

    def _made_anew(self, table: str, first: int, what: str) -> str:
        last = first + self.plan.size(first) - 1
        file = self.file(table, first).relative_to(self.path)
        return f"games {first} to {last}: {file} is {what}; {resume_words(self.path)} plays them again"

    @property
    def _named(self) -> str:
        return f"run folder {str(self.path)!r}"

    def _lines(self) -> Iterator[bytes]:
        """The manifest's lines."""
        file = self.path / MANIFEST
        try:
            if not file.is_file():
                raise ValueError(f"{self._named} holds no run; `nambarz simulate --out` makes one")
            with file.open("rb") as source:
                longest = LONGEST_LINE
                for _ in range(2 * MOST_CHUNKS):
                    line = source.readline(longest)
                    if not line:
                        return
                    yield line
                    longest = _LONGEST_CHUNK_LINE
        except OSError as problem:
            raise ValueError(f"{self._named} cannot be read: {problem.strerror}") from None
        raise ValueError(
            f"{self._named}: {MANIFEST} has more lines than a run has chunks; simulate into another folder"
        )


def verify_free(path: Path) -> None:
    """Refuse a folder that holds something else than a run, or than what an interruption of `Folder.make` left there.

    Raises
    ------
    ValueError
        If it does.
    """
    if not all(map(_is_left_over, path.iterdir())) and not Folder.is_there(path):
        raise ValueError(f"out: the folder {str(path)!r} is not empty and holds no run; choose another one")


def resume_words(path: Path) -> str:
    """How a run goes on."""
    name = f'"{path}"' if " " in str(path) else path
    return f"`nambarz resume {name}`"


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the one lock of a run's folder, which the system gives back when the process ends, however it ends.

    Raises
    ------
    ValueError
        If another process has it, or nothing can be written there.
    """
    from filelock import FileLock, Timeout

    held = FileLock(path / _LOCK, timeout=0)
    try:
        held.acquire()
    except Timeout:
        raise ValueError(
            f"run folder {str(path)!r}: another process is writing into it; wait until it has finished, or choose another "
            f"folder"
        ) from None
    except OSError as problem:
        raise ValueError(f"run folder {str(path)!r} cannot be written into: {problem.strerror}") from None
    try:
        yield
    finally:
        held.release()


def _is_left_over(file: Path) -> bool:
    """Whether an interruption of `Folder.make` may have left this."""
    if file.name in TABLES:
        return file.is_dir() and not file.is_symlink() and not any(file.iterdir())
    return file.name in (_LOCK, f"{MANIFEST}{_HALF}") or is_deck_file(file.name)


def _write(file: Path, content: bytes) -> None:
    """Write a new file and wait until the disk has it."""
    file.unlink(missing_ok=True)  # it may be a link, which must not be followed
    with file.open("xb") as target:
        target.write(content)
        target.flush()
        os.fsync(target.fileno())


def _append(file: Path, line: bytes) -> None:
    """Add a line to a file and wait until the disk has it; where it has no room, none of it stays."""
    with file.open("ab", buffering=0) as target:
        before = target.seek(0, os.SEEK_END)
        try:
            written = 0
            while written < len(line):
                written += target.write(line[written:])
            os.fsync(target.fileno())
        except OSError:
            target.truncate(before)
            raise


def _flush_folder(folder: Path) -> None:
    """Wait until the disk has a folder's names, where the system can tell."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _why(problem: OSError) -> str:
    return "missing" if isinstance(problem, FileNotFoundError) else f"not readable ({problem.strerror})"
