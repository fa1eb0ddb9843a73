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
from nambarz_sim.strategies.names import code_of, is_score, playouts_of, strategy_name
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
    playouts
        For each seat how many games a planner plays out for a choice; 0 where none sits.
    """

    codes: tuple[int, ...]
    names: tuple[str, ...]
    scores: tuple[Callable[..., Any], ...]
    choosers: dict[int, Callable[..., Any]]
    pupils: tuple[Pupil | None, ...]
    playouts: tuple[int, ...]


def seat_strategies(
    strategies: Strategy | Sequence[Strategy], players: int, own: Sequence[Callable[..., Any]] = ()
) -> Seats:
    """One strategy for all seats, or one for each.

    Parameters
    ----------
    strategies
        A strategy, or a list with one for each seat.
    players
        How many seats there are.
    own
        Scoring functions that get a code although they may have no seat: where many line-ups are played, one loop that
        knows the functions of all is compiled then, and not one for each line-up.

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
    functions = list(dict.fromkeys([*own, *(strategy for strategy in chosen_by if callable(strategy))]))
    # Scoring functions first, so that their codes are their places.
    functions.sort(key=lambda function: not is_score(function))
    codes = []
    for strategy in chosen_by:
        if callable(strategy):
            codes.append(FIRST_OWN + functions.index(strategy))
        elif (code := code_of(strategy)) is not None:
            codes.append(code)
        else:
            raise ValueError(unknown_name("strategy", strategy, [*STRATEGIES, *Pupil.presets()]))
    return Seats(
        codes=tuple(codes),
        names=tuple(strategy.name if isinstance(strategy, Pupil) else strategy_name(strategy) for strategy in given),
        scores=tuple(function for function in functions if is_score(function)),
        choosers={FIRST_OWN + place: function for place, function in enumerate(functions) if not is_score(function)},
        pupils=pupils,
        playouts=tuple(playouts_of(strategy) if isinstance(strategy, str) else 0 for strategy in chosen_by),
    )
