"""A digest of a user's function, by which a run in a folder tells whether a strategy still is what it was."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any


def code_digest(function: Callable[..., Any]) -> str:
    """A digest that changes when a function does, and is the same in every process.

    It is made of the code, with that of the functions inside it and of those of its module that it calls, and of the plain
    values (numbers, texts, tuples of them) among its defaults, the names around it, and a callable object's attributes.

    Examples
    --------
    >>> def most(cards):
    ...     return lambda observation, plays: next((play for play in plays if len(play.cards) <= cards), None)
    >>> code_digest(most(3)) == code_digest(most(3)), code_digest(most(3)) == code_digest(most(4))
    (True, False)
    """
    return hashlib.sha256(repr(_told(function, set())).encode()).hexdigest()


def _told(value: Any, known: set[int]) -> Any:
    """What decides what a value does, in a form whose text is the same in every process."""
    value = getattr(value, "py_func", value)  # what Numba compiles is a function, too
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if isinstance(value, tuple):
        return [_told(each, known) for each in value]
    if isinstance(value, frozenset):  # its order differs between processes
        return sorted(repr(_told(each, known)) for each in value)
    if isinstance(value, BuiltinFunctionType | type):
        return f"{value.__module__}.{value.__qualname__}"
    if id(value) in known:
        return "known"
    known.add(id(value))
    if isinstance(value, CodeType):
        return [value.co_code.hex(), value.co_names, _told(value.co_consts, known)]
    if isinstance(value, FunctionType):
        around = [cell.cell_contents for cell in value.__closure__ or () if not _is_empty(cell)]
        defaults = (value.__defaults__, tuple(sorted((value.__kwdefaults__ or {}).items())))
        return [_told(each, known) for each in (value.__code__, *defaults, *around, *_called(value))]
    if isinstance(value, MethodType):
        return [_told(value.__func__, known), _told(value.__self__, known)]
    if isinstance(value, partial):
        return [_told(each, known) for each in (value.func, value.args, tuple(sorted(value.keywords.items())))]
    if not callable(value):
        return type(value).__qualname__
    attributes = tuple(sorted(getattr(value, "__dict__", {}).items()))
    return [type(value).__qualname__, _told(type(value).__call__, known), _told(attributes, known)]


def _called(function: FunctionType) -> Iterator[Any]:
    """The plain values and the functions of a function's module that it names."""
    for name in sorted(set(_names(function.__code__))):
        value = function.__globals__.get(name)
        plain = getattr(value, "py_func", value)
        neighbour = isinstance(plain, FunctionType) and plain.__module__ == function.__module__
        if neighbour or isinstance(plain, int | float | str | tuple | frozenset):
            yield name, value


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inside in code.co_consts:
        if isinstance(inside, CodeType):
            yield from _names(inside)


def _is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is None
    except ValueError:
        return True
