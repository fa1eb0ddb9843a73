"""Strategies by name, and how a user's own come in.

A strategy is a name of `STRATEGIES`; or a scoring function compiled with `kernel`, ``score(seen, play, stream)``, as the
files of this folder have one (fast); or a plain Python function ``choose(observation, plays)`` (slower) that returns one
of the plays, or None to draw, keep the drawn card, or end the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nambarz_sim._errors import unknown_name
from nambarz_sim.strategies.kernel import FIRST_OWN, GREEDY, MASTER, MATCHER, RANDOM, THRIFTY

STRATEGIES = {"random": RANDOM, "matcher": MATCHER, "greedy": GREEDY, "master": MASTER, "thrifty": THRIFTY}
"""The strategies of the package and their codes in the kernels."""

Strategy = str | Callable[..., Any]


@dataclass(frozen=True)
class Seats:
    """The strategies of a game's seats, ready for the kernels.

    Attributes
    ----------
    codes
        For each seat its code: one of `STRATEGIES`, or `FIRST_OWN` and up for the functions.
    names
        For each seat the strategy's name.
    scores
        The users' scoring functions, by code from `FIRST_OWN` on.
    choosers
        The users' plain Python functions by their codes.
    """

    codes: tuple[int, ...]
    names: tuple[str, ...]
    scores: tuple[Callable[..., Any], ...]
    choosers: dict[int, Callable[..., Any]]


def seat_strategies(strategies: Strategy | Sequence[Strategy], players: int) -> Seats:
    """One strategy for all seats, or one for each.

    Raises
    ------
    ValueError
        If a name is not known, or the number of strategies is neither 1 nor the number of players.
    """
    given: list[Any] = list(strategies) if isinstance(strategies, list | tuple) else [strategies]
    if len(given) not in (1, players):
        raise ValueError(
            f"strategies: {len(given)} are given for {players} players; give one for all, or one for each seat"
        )
    given = given * players if len(given) == 1 else given
    own = list(dict.fromkeys(strategy for strategy in given if callable(strategy)))
    # Scoring functions first, so that their codes are their places.
    own.sort(key=lambda function: not is_score(function))
    codes = []
    for strategy in given:
        if callable(strategy):
            codes.append(FIRST_OWN + own.index(strategy))
        elif isinstance(strategy, str) and strategy in STRATEGIES:
            codes.append(STRATEGIES[strategy])
        else:
            raise ValueError(unknown_name("strategy", strategy, STRATEGIES))
    return Seats(
        codes=tuple(codes),
        names=tuple(strategy_name(strategy) for strategy in given),
        scores=tuple(function for function in own if is_score(function)),
        choosers={FIRST_OWN + place: function for place, function in enumerate(own) if not is_score(function)},
    )


def strategy_name(strategy: Strategy) -> str:
    """The name that tables show."""
    return strategy if isinstance(strategy, str) else str(getattr(strategy, "__name__", type(strategy).__name__))


def is_score(function: Callable[..., Any]) -> bool:
    """Whether a user's function is a scoring function for the kernels: three arguments ``seen, play, stream``."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    return code is not None and code.co_varnames[: code.co_argcount] == ("seen", "play", "stream")
