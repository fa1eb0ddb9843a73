"""Files that somebody else may have written: whether one is ordinary, small and text is found out before it is read."""

from __future__ import annotations

import stat
from pathlib import Path

from nambarz_sim._errors import LONGEST_PATH, shown


def is_file(path: Path) -> bool:
    """Whether there is an ordinary file; no path is refused for its form, such as one that is too long."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_there(path: Path) -> bool:
    """Whether there is anything but a folder, ordinary or not."""
    try:
        return path.exists() and not path.is_dir()
    except (OSError, ValueError):
        return False


def read_text(what: str, path: Path, form: str, largest: int, longest: int) -> str:
    """The text of a file that may come from anybody; a byte-order mark before it is dropped.

    Parameters
    ----------
    what
        What the file is, for the error.
    path
        Where it is.
    form
        What it is written in, for the error.
    largest, longest
        The most bytes of the file, and the most characters of a line.

    Raises
    ------
    ValueError
        If the file is missing, no ordinary one, too large, or no text in UTF-8.
    """
    named = f"{what} {shown(str(path), LONGEST_PATH)}"
    other = f"give the path of a {form} file"
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe waits, and a device has no end
            raise ValueError(f"{named} is no ordinary file; {other}")
        with path.open("rb") as file:
            content = file.read(largest + 1)
    except FileNotFoundError:
        raise ValueError(f"{named} does not exist; {other}") from None
    except OSError as error:
        raise ValueError(f"{named} cannot be read: {error.strerror}; {other}") from None
    except UnicodeEncodeError:
        raise ValueError(f"{named} is no path; {other}") from None
    if len(content) > largest:
        raise ValueError(f"{named} has more than {largest:,} bytes; give a smaller one, without what is no part of it")
    if b"\0" in content:
        place = content.index(b"\0")
        raise ValueError(f"{named}: byte {place} is a NUL, which no text has; save the file as {form} in UTF-8")
    try:
        text = content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ValueError(f"{named}: byte {error.start} is not UTF-8; save the file as {form} in UTF-8") from None
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > longest:
            raise ValueError(f"{named}, line {number}: it has {len(line):,} characters; write at most {longest:,}")
    return text
