"""Error texts: the field, the value received, what is allowed, the next step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown_name(what: str, value: object, known: Iterable[str]) -> str:
    """A sentence for a name that does not exist: it lists the known ones and suggests the nearest."""
    names = list(known)
    near = difflib.get_close_matches(str(value).lower(), [name.lower() for name in names], n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return f"{what}: {value!r} is not known; known are {', '.join(names)}.{hint}"
