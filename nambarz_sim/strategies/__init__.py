"""Strategies by name, and how a user's own come in.

A strategy is a name of `STRATEGIES`; or a scoring function compiled with `kernel`, ``score(seen, play, stream)``, as the
files of this folder have one (fast); or a plain Python function ``choose(observation, plays)`` (slower) that returns one
of the plays, or None to draw, keep the drawn card, or end the turn. Or it is a `Pupil` (or a pupil's name, such as
``"year-3"`` or ``"year-3:thrifty"``), who has one of these and errs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nambarz_sim._errors import unknown_name
from nambarz_sim.strategies.kernel import FIRST_OWN
from nambarz_sim.strategies.names import STRATEGIES as STRATEGIES
from nambarz_sim.strategies.names import is_score, strategy_name
from nambarz_sim.strategies.pupil import Pupil, is_pupil

Strategy = str | Callable[..., Any] | Pupil


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
    pupils
        For each seat the pupil in it, or None.
    """

    codes: tuple[int, ...]
    names: tuple[str, ...]
    scores: tuple[Callable[..., Any], ...]
    choosers: dict[int, Callable[..., Any]]
    pupils: tuple[Pupil | None, ...]


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
    given = [
        Pupil.parse(strategy) if isinstance(strategy, str) and is_pupil(strategy) else strategy for strategy in given
    ]
    pupils = tuple(strategy if isinstance(strategy, Pupil) else None for strategy in given)
    chosen_by = [strategy.strategy if isinstance(strategy, Pupil) else strategy for strategy in given]
    own = list(dict.fromkeys(strategy for strategy in chosen_by if callable(strategy)))
    # Scoring functions first, so that their codes are their places.
    own.sort(key=lambda function: not is_score(function))
    codes = []
    for strategy in chosen_by:
        if callable(strategy):
            codes.append(FIRST_OWN + own.index(strategy))
        elif isinstance(strategy, str) and strategy in STRATEGIES:
            codes.append(STRATEGIES[strategy])
        else:
            raise ValueError(unknown_name("strategy", strategy, [*STRATEGIES, *Pupil.presets()]))
    return Seats(
        codes=tuple(codes),
        names=tuple(strategy.name if isinstance(strategy, Pupil) else strategy_name(strategy) for strategy in given),
        scores=tuple(function for function in own if is_score(function)),
        choosers={FIRST_OWN + place: function for place, function in enumerate(own) if not is_score(function)},
        pupils=pupils,
    )
