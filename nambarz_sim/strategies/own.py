"""Users' own strategies: scoring functions linked into the kernels, and plain Python functions beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple

from nambarz_sim._numba import COMPILED, kernel, plain
from nambarz_sim.arithmetic.table import OPERATIONS
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.observe import observe
from nambarz_sim.engine.plays import rows_of
from nambarz_sim.engine.state import SEAT, Ints
from nambarz_sim.rules import Rules
from nambarz_sim.strategies import Seats, erring
from nambarz_sim.strategies import kernel as choosing
from nambarz_sim.strategies.erring import SIGNS, TRIED, Pupils
from nambarz_sim.strategies.kernel import FIRST_OWN


class Deciding(NamedTuple):
    """The kernels that a decision takes: compiled ones for many games, plain ones for a single one."""

    legal_plays: Any
    see_plays: Any
    err: Any
    choosing: Any


COMPILED_DECIDING = Deciding(engine.legal_plays, erring.see_plays, erring.err, choosing)
PLAIN_DECIDING = Deciding(plain(engine).legal_plays, plain(erring).see_plays, plain(erring).err, plain(choosing))


@lru_cache(maxsize=16)
def choose_with(scores: tuple[Callable[..., Any], ...]) -> Any:
    """`nambarz_sim.strategies.kernel.choose` that knows users' scoring functions, too."""
    score: Any = choosing.score
    for place, function in enumerate(scores):
        score = kernel(cache=False)(_one_more(FIRST_OWN + place, _compiled(function), score))
    return rebuilt(choosing.choose, score=score)


@lru_cache(maxsize=16)
def choose_plainly_with(scores: tuple[Callable[..., Any], ...]) -> Any:
    """The same as a plain Python function."""
    score: Any = PLAIN_DECIDING.choosing.score
    for place, function in enumerate(scores):
        score = _one_more(FIRST_OWN + place, getattr(function, "py_func", function), score)
    return _exchanged(PLAIN_DECIDING.choosing.choose, score=score)


def _compiled(function: Any) -> Any:
    """A scoring function that kernels can call, compiled if it is not yet."""
    return kernel(cache=False)(function) if COMPILED and not hasattr(function, "py_func") else function


def _one_more(code: int, function: Any, others: Any) -> Any:
    def score(strategy, seen, play, stream):
        if strategy == code:
            return function(seen, play, stream)
        return others(strategy, seen, play, stream)

    return score


def rebuilt(compiled: Any, **names: Any) -> Any:
    """The same kernel with some of the functions it calls exchanged; compiled anew in this process."""
    return kernel(cache=False)(_exchanged(getattr(compiled, "py_func", compiled), **names))


def _exchanged(function: Any, **names: Any) -> Any:
    return FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)


def choose_row(
    rules: Rules,
    packed: Ints,
    state: Ints,
    plays: Ints,
    seats: Seats,
    pupils: Pupils | None = None,
    deciding: Deciding = PLAIN_DECIDING,
) -> int:
    """The row of the play that the seat to move chooses, -1 for none; any kind of strategy.

    Raises
    ------
    ValueError
        If a Python strategy returns something that is not one of the plays it was given.
    """
    code = seats.codes[int(state[SEAT])]
    chooser = seats.choosers.get(code)
    if pupils is None:
        count = int(deciding.legal_plays(packed, state, plays))
    else:
        count = int(deciding.see_plays(packed, state, plays, pupils))
    if chooser is None:
        choose = deciding.choosing.choose
        if seats.scores:
            choose = (choose_with if deciding is COMPILED_DECIDING else choose_plainly_with)(seats.scores)
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
    count = int(PLAIN_DECIDING.err(packed, state, plays, row, pupils)) if pupils is not None else 0
    if pupils is None or count == 0:
        return None
    cards, signs = pupils.scratch[TRIED, :count].tolist(), pupils.scratch[SIGNS, : count - 1].tolist()
    return tuple(cards), "".join(OPERATIONS[sign - 1] for sign in signs if sign)
