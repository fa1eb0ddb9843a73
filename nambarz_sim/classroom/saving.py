"""Files that belong together: all of them are written, or none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def check_writable(name: str, file: Path, ending: str) -> None:
    """Refuse a file that cannot be written, before any work is done for it.

    Raises
    ------
    ValueError
        If its name does not end so, it is a folder, or its folder may not be written to.
    """
    if file.suffix.lower() != ending:
        raise ValueError(f"{name}: {str(file)!r} does not end in {ending}; name it so")
    if file.is_dir() or not os.access(file.parent, os.W_OK):
        raise ValueError(f"{name}: {str(file)!r} cannot be written there; choose a folder that you may write to")


def write_together(name: str, contents: Mapping[Path, bytes]) -> None:
    """Write several files, the whole of all or none of them; what stood there before stays if one cannot be written.

    Raises
    ------
    ValueError
        If one of them cannot be written.
    """
    mark = os.getpid()
    unfinished = {file: file.with_name(f".{file.name}.{mark}") for file in contents}
    before = {file: file.with_name(f".{file.name}.{mark}.before") for file in contents}
    file = next(iter(contents))
    try:
        for file, content in contents.items():
            unfinished[file].write_bytes(content)
        for file in contents:
            if file.exists():
                file.replace(before[file])
            unfinished[file].replace(file)
    except OSError as error:
        _undo(unfinished, before)
        raise ValueError(f"{name}: {str(file)!r} cannot be written: {error.strerror}; choose another place") from None
    for old in before.values():
        old.unlink(missing_ok=True)


def _undo(unfinished: Mapping[Path, Path], before: Mapping[Path, Path]) -> None:
    for file, new in unfinished.items():
        # Only what has been moved to its place has no unfinished file any more.
        if not new.exists() and not before[file].exists() and file.is_file():
            file.unlink()
        if before[file].exists():
            before[file].replace(file)
        new.unlink(missing_ok=True)
