"""Error texts: the field, the value received, what is allowed, the next step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from numbers import Integral
from unicodedata import category

LONGEST_VALUE = 60
"""How many characters of a value an error shows."""
LONGEST_PATH = 120
_MOST_DIGITS = 18
"""Of a number that is written down: more than any that is allowed has."""


def printable(text: str) -> str:
    """A text with escapes for what a terminal obeys or a browser hides: line breaks, colours, a change of direction.

    Spaces of any width stay: numbers and French sentences have them.
    """
    return "".join(
        letter if letter.isprintable() or category(letter) == "Zs" else repr(letter)[1:-1] for letter in text
    )


def printable_lines(text: str) -> str:
    """The same for a text of several lines, whose line breaks stay."""
    return "\n".join(map(printable, text.split("\n")))


def cut(text: str, longest: int = LONGEST_VALUE) -> str:
    """A text that may be anything as one printable line; of a longer one the beginning and the end."""
    tidy, half = printable(text), longest // 2
    return tidy if len(tidy) <= longest else f"{tidy[:half]}…{tidy[-half:]}"


def shown(value: object, longest: int = LONGEST_VALUE) -> str:
    """A value that may be anything, as an error shows it."""
    try:
        return cut(repr(value), longest)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists in lists
        return f"a value too large to print ({type(value).__name__})"


def unknown_name(what: str, value: object, known: Iterable[str], room: int | None = None) -> str:
    """A sentence for a name that does not exist: it suggests the nearest and lists the known ones, as many as have room."""
    names = list(known)
    text = value[:LONGEST_VALUE] if isinstance(value, str) else shown(value)
    near = difflib.get_close_matches(text.lower(), [name.lower() for name in names], n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    between = "; " if any("," in name for name in names) else ", "
    listed = between.join(names)
    if room is not None and len(listed) > room:
        listed = f"{listed[:room].rpartition(between)[0]} and more"
    return f"{what}: {shown(value)} is not known; known are {listed}.{hint}"


def as_number(text: str) -> int | str:
    """The number that a text has the digits of; the text itself where it has none, or more than any number that is allowed.

    Examples
    --------
    >>> as_number("12"), as_number("twelve"), as_number("9" * 20)
    (12, 'twelve', '99999999999999999999')
    """
    return int(text) if text.strip().isdecimal() and len(text.strip()) <= _MOST_DIGITS else text


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """A value that must be a whole number in a range.

    Raises
    ------
    ValueError
        With the name, the value and the range.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise ValueError(f"{name}: {shown(value)} is not allowed; give a whole number from {least} to {most}")
    return int(value)
