"""Users' own strategies: scoring functions linked into the kernels, and plain Python functions beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

from nambarz_sim._numba import COMPILED, kernel
from nambarz_sim.arithmetic.table import OPERATIONS
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.observe import observe
from nambarz_sim.engine.plays import rows_of
from nambarz_sim.engine.state import SEAT, Ints
from nambarz_sim.rules import Rules
from nambarz_sim.strategies import Seats
from nambarz_sim.strategies import kernel as choosing
from nambarz_sim.strategies.erring import SIGNS, TRIED, Pupils, err, see_plays
from nambarz_sim.strategies.kernel import FIRST_OWN


@lru_cache(maxsize=16)
def choose_with(scores: tuple[Callable[..., Any], ...]) -> Any:
    """`nambarz_sim.strategies.kernel.choose` that knows users' scoring functions, too."""
    score: Any = choosing.score
    for place, function in enumerate(scores):
        score = _one_more(FIRST_OWN + place, _compiled(function), score)
    return rebuilt(choosing.choose, score=score)


def _compiled(function: Any) -> Any:
    """A scoring function that kernels can call, compiled if it is not yet."""
    return kernel(cache=False)(function) if COMPILED and not hasattr(function, "py_func") else function


def _one_more(code: int, function: Any, others: Any) -> Any:
    @kernel(cache=False)
    def score(strategy, seen, play, stream):
        if strategy == code:
            return function(seen, play, stream)
        return others(strategy, seen, play, stream)

    return score


def rebuilt(compiled: Any, **names: Any) -> Any:
    """The same kernel with some of the functions it calls exchanged; compiled anew in this process."""
    function = getattr(compiled, "py_func", compiled)
    return kernel(cache=False)(FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__))


def choose_row(rules: Rules, packed: Ints, state: Ints, plays: Ints, seats: Seats, pupils: Pupils | None = None) -> int:
    """The row of the play that the seat to move chooses, -1 for none; any kind of strategy.

    Raises
    ------
    ValueError
        If a Python strategy returns something that is not one of the plays it was given.
    """
    code = seats.codes[int(state[SEAT])]
    chooser = seats.choosers.get(code)
    if pupils is None:
        count = int(engine.legal_plays(packed, state, plays))
    else:
        count = int(see_plays(packed, state, plays, pupils))
    if chooser is None:
        choose = choose_with(seats.scores) if seats.scores else choosing.choose
        return int(choose(packed, state, plays, count, code))
    rows = rows_of(packed, plays, count, rules.the_deck)
    if not rows:
        return -1
    legal = [play for _, play in rows]
    chosen = chooser(observe(packed, state, rules.the_deck), legal)
    if chosen is None:
        return -1
    for row, play in rows:
        if play is chosen or play == chosen:
            return row
    raise ValueError(
        f"strategy {seats.names[int(state[SEAT])]!r} returned {chosen!r}, which is not one of the {len(legal)} plays it "
        f"was given; return one of them, or None to draw, keep or end the turn"
    )


def mistake(
    packed: Ints, state: Ints, plays: Ints, row: int, pupils: Pupils | None
) -> tuple[tuple[int, ...], str] | None:
    """What the seat to move lays wrongly instead of the play in a row: card types and operations; None for no error."""
    count = int(err(packed, state, plays, row, pupils)) if pupils is not None else 0
    if pupils is None or count == 0:
        return None
    cards, signs = pupils.scratch[TRIED, :count].tolist(), pupils.scratch[SIGNS, : count - 1].tolist()
    return tuple(cards), "".join(OPERATIONS[sign - 1] for sign in signs if sign)
