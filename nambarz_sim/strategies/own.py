"""Users' own strategies: scoring functions linked into the kernels, and plain Python functions beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

from nambarz_sim._numba import compiled, is_kernel, kernel
from nambarz_sim.arithmetic.table import OPERATIONS
from nambarz_sim.engine.kernel import legal_plays
from nambarz_sim.engine.observe import observe
from nambarz_sim.engine.plays import rows_of
from nambarz_sim.engine.state import SEAT, Ints
from nambarz_sim.rules import Rules
from nambarz_sim.strategies import Seats
from nambarz_sim.strategies.erring import SIGNS, TRIED, Pupils, err, see_plays
from nambarz_sim.strategies.kernel import FIRST_OWN, choose, score
from nambarz_sim.strategies.planner import Planning, choose_planned


@lru_cache(maxsize=16)
def choose_with(scores: tuple[Callable[..., Any], ...]) -> Any:
    """`nambarz_sim.strategies.kernel.choose` that knows users' scoring functions, too."""
    known: Any = score
    for place, function in enumerate(scores):
        known = kernel(cache=False)(_one_more(FIRST_OWN + place, _as_kernel(function), known))
    return exchanged(choose, score=known) if scores else choose


def _as_kernel(function: Any) -> Any:
    """A user's scoring function as a kernel; one that Numba has compiled already is taken as it is."""
    return exchanged(function) if isinstance(function, FunctionType) and not is_kernel(function) else function


def _one_more(code: int, function: Any, others: Any) -> Any:
    def score(strategy, seen, play, stream):
        if strategy == code:
            return function(seen, play, stream)
        return others(strategy, seen, play, stream)

    return score


def exchanged(function: Any, **names: Any) -> Any:
    """The same kernel with some of the functions it calls exchanged; compiled, it is so for this process only."""
    names = {**function.__globals__, **names}
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
    return kernel(cache=False)(copy)


def choose_row(
    rules: Rules,
    packed: Ints,
    state: Ints,
    plays: Ints,
    seats: Seats,
    pupils: Pupils | None = None,
    planning: Planning | None = None,
    form: Callable[[Any], Any] = lambda kernel: kernel,
) -> int:
    """The row of the play that the seat to move chooses, -1 for none; any kind of strategy.

    ``form`` is `compiled` for many games; without, the kernels run as the plain Python they are, but for a planner's, which
    would take too long.

    Raises
    ------
    ValueError
        If a Python strategy returns something that is not one of the plays it was given.
    """
    code = seats.codes[int(state[SEAT])]
    chooser = seats.choosers.get(code)
    if pupils is None:
        count = int(form(legal_plays)(packed, state, plays))
    else:
        count = int(form(see_plays)(packed, state, plays, pupils))
    if planning is not None and planning.playouts[int(state[SEAT])]:
        return int(compiled(choose_planned)(packed, state, plays, count, planning))
    if chooser is None:
        return int(form(choose_with(seats.scores))(packed, state, plays, count, code))
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
