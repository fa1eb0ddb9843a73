"""Machine code on disk: a sealed file for each form of a kernel, where Numba would put two that it trusts.

What Numba finds in its own files it takes: one cut short ends a batch with an error of unpickling, one with a flipped bit
is run, and of two processes that write at once one may leave an index that names the other's code. Here a file is whole or
it is no file: it opens with a digest of its name and of all that follows. Its name holds a digest of the package's
sources, since Numba notices a changed file, but no changed function that the file's functions call, and no constant of
another module.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from glob import escape
from pathlib import Path
from types import FunctionType
from typing import Any

_PACKAGE = Path(__file__).parent
_SOURCES = (
    "_*.py", "languages.py", "cards.py", "rules.py", "arithmetic/*.py", "engine/*.py", "strategies/*.py", "*/kernel.py",
)  # fmt: skip
_SEAL_SIZE = hashlib.sha256().digest_size
_DIGITS = 16  # of a digest in a name: enough, for what stands in the file is compared as well


def kernel_sources() -> list[Path]:
    """The files that machine code may depend on: those that kernels stand in, and all that these import."""
    return sorted({source for pattern in _SOURCES for source in _PACKAGE.glob(pattern) if source.is_file()})


def _digest(sources: list[Path]) -> str:
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()[:_DIGITS]


# Of the sources as they are when this process loads them: they may be others by the time that it compiles.
_EDITION = _digest(kernel_sources())


def _seal(name: str, code: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + code).digest()


def read(file: Path) -> bytes | None:
    """What stands in a file behind its seal; None where there is no such file or the seal is not of it."""
    with suppress(OSError):
        whole = file.read_bytes()
        if whole[:_SEAL_SIZE] == _seal(file.name, whole[_SEAL_SIZE:]):
            return whole[_SEAL_SIZE:]
    return None


def write(file: Path, code: bytes) -> None:
    """Put code and its seal into a file, which others see whole or not at all.

    Raises
    ------
    OSError
        If the folder cannot be written or the disk is full; nothing is left of it then.
    """
    half_written = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        half_written.write_bytes(_seal(file.name, code) + code)
        half_written.replace(file)
    finally:
        half_written.unlink(missing_ok=True)


class Files:
    """The machine code of one function, a file for each key; Numba asks it as it would ask its own.

    Parameters
    ----------
    folder
        Where the files are.
    name
        What Numba calls the function: its module and name, its line, the version of Python.
    stamp
        What else must be as it was, such as Numba's version.
    dumps
        Numba's way to pickle.
    """

    def __init__(self, folder: str, name: str, stamp: object, dumps: Callable[[object], bytes]) -> None:
        self._folder, self._name, self._stamp, self._dumps = Path(folder), name, stamp, dumps

    def _file(self, key: object) -> Path:
        digits = hashlib.sha256(repr(key).encode()).hexdigest()[:_DIGITS]
        return self._folder / f"{self._name}.{_EDITION}.{digits}.nbc"

    def load(self, key: object) -> Any:
        """What was saved under a key; None if nothing was."""
        code = read(self._file(key))
        if code is None:
            return None
        of, data = pickle.loads(code)
        return data if of == (self._stamp, key) else None

    def save(self, key: object, data: object) -> None:
        """Keep what is to be loaded under a key, and drop the machine code of other sources."""
        write(self._file(key), self._dumps(((self._stamp, key), data)))
        function, _, line = self._name.rpartition("-")
        python = line.partition(".")[2]
        for file in self._folder.glob(f"{escape(function)}-*.{escape(python)}.*"):
            if file.suffix in (".nbc", ".nbi") and _EDITION not in file.name:
                with suppress(OSError):
                    file.unlink()

    def flush(self) -> None:
        """Drop all; Numba's `recompile` asks for it."""
        for file in self._folder.glob(f"{escape(self._name)}.*"):
            file.unlink(missing_ok=True)


def is_kept(function: FunctionType) -> bool:
    """Whether machine code of a function is on disk, whole and of these sources.

    A folder that Numba chose itself, since the one beside the sources cannot be written, is not looked into.
    """
    source = Path(function.__code__.co_filename)
    home = Path(os.environ.get("NUMBA_CACHE_DIR") or source.parent / "__pycache__")
    python = f"py{sys.version_info[0]}{sys.version_info[1]}"
    name = f"{escape(source.stem)}.{escape(function.__qualname__)}-*.{python}*.{_EDITION}.*.nbc"
    return any(read(file) is not None for file in home.rglob(name))
