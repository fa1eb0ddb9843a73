"""Error texts: the field, the value received, what is allowed, the next step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from numbers import Integral


def unknown_name(what: str, value: object, known: Iterable[str]) -> str:
    """A sentence for a name that does not exist: it lists the known ones and suggests the nearest."""
    names = list(known)
    near = difflib.get_close_matches(str(value).lower(), [name.lower() for name in names], n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    between = "; " if any("," in name for name in names) else ", "
    return f"{what}: {value!r} is not known; known are {between.join(names)}.{hint}"


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """A value that must be a whole number in a range.

    Raises
    ------
    ValueError
        With the name, the value and the range.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise ValueError(f"{name}: {value!r} is not allowed; give a whole number from {least} to {most}")
    return int(value)
