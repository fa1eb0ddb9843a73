"""The names of the strategies, and how a user's own function is told from another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nambarz_sim.strategies.kernel import GREEDY, MASTER, MATCHER, RANDOM, THRIFTY

STRATEGIES = {"random": RANDOM, "matcher": MATCHER, "greedy": GREEDY, "master": MASTER, "thrifty": THRIFTY}
"""The strategies of the package and their codes in the kernels."""


def strategy_name(strategy: object) -> str:
    """The name that tables show."""
    name = strategy if isinstance(strategy, str) else getattr(strategy, "__name__", type(strategy).__name__)
    return str(name)


def is_score(function: Callable[..., Any]) -> bool:
    """Whether a user's function is a scoring function for the kernels: three arguments ``seen, play, stream``."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return code is not None and code.co_varnames[: code.co_argcount] == ("seen", "play", "stream")
