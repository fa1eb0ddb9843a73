"""The names of the strategies, and how a user's own function is told from another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nambarz_sim._errors import as_number, whole_number
from nambarz_sim.strategies.kernel import GREEDY, MASTER, MATCHER, PLANNER, RANDOM, THRIFTY

SCORES = {"random": RANDOM, "matcher": MATCHER, "greedy": GREEDY, "master": MASTER, "thrifty": THRIFTY}
"""The strategies of the package that score plays, and their codes in `nambarz_sim.strategies.kernel.choose`."""
STRATEGIES = {**SCORES, "planner": PLANNER}
"""All strategies of the package."""
PLAYOUTS = 1_000
"""How many games a planner plays out for one choice unless its name says another number."""
MOST_PLAYOUTS = 1_000_000


def playouts_of(name: str) -> int:
    """The playouts that the name of a planner asks for; 0 for any other name.

    Raises
    ------
    ValueError
        If the number of playouts is not allowed.

    Examples
    --------
    >>> playouts_of("planner"), playouts_of("planner:200"), playouts_of("greedy")
    (1000, 200, 0)
    """
    base, colon, number = name.partition(":")
    if base != "planner":
        return 0
    if not colon:
        return PLAYOUTS
    return whole_number("playouts of a planner", as_number(number), 1, MOST_PLAYOUTS)


def code_of(name: object) -> int | None:
    """The code of a strategy's name, with or without a number of playouts; None for an unknown name.

    Raises
    ------
    ValueError
        If the number of playouts is not allowed.

    Examples
    --------
    >>> code_of("planner:200") == code_of("planner"), code_of("plan")
    (True, None)
    """
    if not isinstance(name, str):
        return None
    return STRATEGIES.get("planner" if playouts_of(name) else name)


def strategy_name(strategy: object) -> str:
    """The name that tables show."""
    name = strategy if isinstance(strategy, str) else getattr(strategy, "__name__", type(strategy).__name__)
    return str(name)


def is_score(function: Callable[..., Any]) -> bool:
    """Whether a user's function is a scoring function for the kernels: three arguments ``seen, play, stream``."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return code is not None and code.co_varnames[: code.co_argcount] == ("seen", "play", "stream")
