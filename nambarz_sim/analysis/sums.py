"""What games add up to: sums and sums of products of whole numbers, exact, and so the same whatever the parts they come in.

A measure is a ratio of two sums over games. Its value, its error and the error of a difference need no more of the games
than the sums of the products of what each adds (Cochran, Sampling Techniques, 3rd ed., section 6.3). They are gathered part
by part, so a batch may be larger than memory.
"""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from nambarz_sim.analysis.estimates import Numbers, Ratio
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.cards import WILDCARDS
from nambarz_sim.engine.state import ENDINGS, SMALLEST_STROKE
from nambarz_sim.simulation.records import FAULT_NAMES
from nambarz_sim.simulation.threads import threads

if TYPE_CHECKING:
    from nambarz_sim.simulation.results import Part, Results

GAMES = "games"
"""The column in which every game adds 1."""
STROKES = tuple(f"strokes_{size}" for size in range(SMALLEST_STROKE, LARGEST + 1))
_CHANGES = tuple(f"{kind.replace('-', '_')}_laid" for kind in WILDCARDS[:3])
_SUMMED = ("matches", "calculations", "replay_laid", "draws", "penalties", *FAULT_NAMES)
_EXACT = 2**53  # whole numbers of 64-bit floats are exact up to here


class Products:
    """The sums over games of the products of any two columns.

    Parameters
    ----------
    columns
        The names of the columns, without `GAMES`, which stands in front.
    sums
        Shape ``(1 + columns, 1 + columns)``: Python's whole numbers, or fractions of them, so that nothing is rounded.
    """

    def __init__(self, columns: Sequence[str], sums: Any) -> None:
        self._places = {name: place for place, name in enumerate((GAMES, *columns))}
        self._sums = sums

    @classmethod
    def of(cls, columns: Sequence[str], values: Numbers) -> Products:
        """Those of some games.

        Parameters
        ----------
        columns
            Their names.
        values
            What each game adds, shape ``(games, columns)``. Of whole numbers the products are exact.
        """
        most = max(1.0, float(np.abs(values).max(initial=0)))
        size = 1 + len(columns)
        step = max(1, int(_EXACT / most**2))
        sums = np.zeros((size, size), dtype=object)
        for start in range(0, len(values), step):
            part = np.ones((len(values[start : start + step]), size), order="F")
            part[:, 1:] = values[start : start + step]
            products = part.T @ part
            whole = bool((products == np.floor(products)).all())
            sums = sums + (products.astype(np.int64).astype(object) if whole else np.vectorize(Fraction)(products))
        return cls(columns, sums)

    def __add__(self, other: Products) -> Products:
        return Products(list(self._places)[1:], self._sums + other._sums)

    @property
    def games(self) -> int:
        """How many games there are."""
        return int(self._sums[0, 0])

    def sum(self, column: str) -> Any:
        """What all games add up to."""
        return self._sums[0, self._places[column]]

    def product(self, one: str, other: str) -> Any:
        """The sum over games of the product of two columns."""
        return self._sums[self._places[one], self._places[other]]

    def ratio(self, top: str, bottom: str) -> Ratio:
        """The ratio of two columns' sums with its linearised error, as `nambarz_sim.analysis.estimates.ratio` has it."""
        below = self.sum(bottom)
        if below == 0:
            return Ratio(float("nan"), float("nan"), 0.0, self.games)
        value = Fraction(self.sum(top)) / Fraction(below)
        if self.games < 2:
            return Ratio(float(value), float("nan"), float(below), self.games)
        residuals = self.residuals((top, bottom), (top, bottom))
        error = math.sqrt(Fraction(self.games, self.games - 1) * residuals) / float(below)
        return Ratio(float(value), error, float(below), self.games)

    def residuals(self, one: tuple[str, str], other: tuple[str, str]) -> Fraction:
        """The sum over games of the product of two ratios' residuals, ``top - value * bottom`` of each game."""
        first, second = (Fraction(self.sum(top)) / Fraction(self.sum(bottom)) for top, bottom in (one, other))
        found: Fraction = (
            Fraction(self.product(one[0], other[0]))
            - second * self.product(one[0], other[1])
            - first * self.product(one[1], other[0])
            + first * second * self.product(one[1], other[1])
        )
        return found


def columns_of(players: int) -> tuple[str, ...]:
    """What `game_sums` adds up for each game."""
    seats = [f"{what}, seat {seat}" for what in ("points", "first") for seat in range(players)]
    return (
        "rounds", "turns", "stalled", "cut", "recycles", "redeals", "strokes", "rounds with a stroke", *STROKES, "changes",
        "plays", *_SUMMED, *seats,
    )  # fmt: skip


def game_sums(part: Part, players: int) -> Numbers:
    """What each game of a part adds to every column of `columns_of`; shape ``(games, columns)``.

    Rounds proper alone: extra rounds (R9.2) are left out.
    """
    rounds, extra = part.game_columns(("rounds", "extra_rounds"))
    extra_round, turns, ended, recycles, redeals = part.round_columns(
        ("extra_round", "turns", "ended", "recycles", "redeals")
    )
    proper = np.flatnonzero(extra_round == 0) if extra.any() else slice(None)
    several = bool((rounds > 1).any())
    starts = np.concatenate([[0], np.cumsum(rounds[:-1], dtype=np.int64)])
    names = columns_of(players)
    sums = np.empty((len(rounds), len(names)), order="F")  # it is filled column by column
    dealt_in = np.repeat(extra_round == 0, part.round_columns(("dealt_in",))[0]) if extra.any() else slice(None)

    def put(name: str, values: Any) -> None:
        values = values.astype(np.float64)
        sums[:, names.index(name)] = np.add.reduceat(values, starts) if several else values

    def by_seat(columns: Sequence[str]) -> list[Any]:
        """The columns of the players' records, each as a list with one of each seat."""
        found = [column[dealt_in] for column in part.player_columns(columns)]
        return [[column[seat::players] for seat in range(players)] for column in found]

    put("rounds", np.ones(rounds.sum()))
    for name, values in (
        ("turns", turns), ("stalled", ended == ENDINGS.index("stalled")), ("cut", ended == ENDINGS.index("cut")),
        ("recycles", recycles), ("redeals", redeals),
    ):  # fmt: skip
        put(name, values[proper])
    wanted = (*STROKES, *_CHANGES, *_SUMMED)
    added = {name: np.add.reduce(seats, dtype=np.int64) for name, seats in zip(wanted, by_seat(wanted), strict=True)}
    strokes = np.add.reduce([added[name] for name in STROKES])
    changes = np.add.reduce([added.pop(name) for name in _CHANGES])
    plays = added["matches"] + added["calculations"] + added["replay_laid"] + changes
    added |= {"strokes": strokes, "rounds with a stroke": strokes > 0, "changes": changes, "plays": plays}
    for name, values in added.items():
        put(name, values)
    points, places = by_seat(("points", "place"))
    for seat in range(players):
        put(f"points, seat {seat}", points[seat])
        put(f"first, seat {seat}", places[seat] == 1)
    return sums


def proper_turns(part: Part) -> tuple[Any, Any, int]:
    """The turns of the rounds proper of a part, the place of each one's game in it, and how many games it has."""
    rounds, extra = part.game_columns(("rounds", "extra_rounds"))
    turns, extra_round = part.round_columns(("turns", "extra_round"))
    games = np.repeat(np.arange(len(rounds)), rounds)
    return turns[extra_round == 0] if extra.any() else turns, games, len(rounds)


def turns_counts(results: Results) -> Any:
    """How many rounds proper took each number of turns, from 0 on; the turns alone are read."""

    def count(part: Part) -> Any:
        return np.bincount(proper_turns(part)[0])

    parts = list(each_part(results, count))
    longest = max((len(counts) for counts in parts), default=0)
    return np.sum([np.pad(counts, (0, longest - len(counts))) for counts in parts], axis=0, dtype=np.int64)


def turns_products(results: Results, columns: Sequence[str], hits: Callable[[Any], Sequence[Any]]) -> Products:
    """The products of how many rounds of each game hit, in several ways, and of its ``rounds``.

    Parameters
    ----------
    results
        A batch.
    columns
        The names of the ways.
    hits
        Gives for the turns of some rounds, for each way, which of them hit.
    """

    def work(part: Part) -> Products:
        turns, games, count = proper_turns(part)
        values = [np.bincount(games, weights=each, minlength=count) for each in hits(turns)]
        values.append(np.bincount(games, minlength=count).astype(np.float64))
        return Products.of((*columns, "rounds"), np.column_stack(values))

    return total(each_part(results, work))


def length_ratios(results: Results, longest: int) -> list[Ratio]:
    """The share of rounds that took each number of turns from 0 to ``longest``, as ratios over games."""

    def work(part: Part) -> tuple[Any, Any]:
        turns, games, count = proper_turns(part)
        rounds = np.bincount(games, minlength=count)
        shown = turns <= longest
        # The lengths that a game had, and how often: most games have one.
        cells, hits = np.unique(games[shown] * (longest + 1) + turns[shown], return_counts=True)
        lengths, of_game = cells % (longest + 1), rounds[cells // (longest + 1)]
        by_length = [
            np.bincount(lengths, weights=each, minlength=longest + 1) for each in (hits, hits * hits, hits * of_game)
        ]
        return np.array(by_length).astype(np.int64).astype(object), np.array(
            [count, rounds.sum(), rounds @ rounds], object
        )

    by_length, (games, rounds, squares) = reduce(
        lambda one, other: (one[0] + other[0], one[1] + other[1]), each_part(results, work)
    )
    sums = ([[games, hits, rounds], [hits, both, mixed], [rounds, mixed, squares]] for hits, both, mixed in by_length.T)
    return [Products(("hits", "rounds"), np.array(each, object)).ratio("hits", "rounds") for each in sums]


def each_part(results: Results, work: Callable[[Part], Any]) -> Iterator[Any]:
    """What a function makes of every part of a batch, in their order, on all cores; a few at a time, to save memory."""
    workers = os.cpu_count() or 1
    waiting: deque[Future[Any]] = deque()
    # The products of a part are small; threads of the matrix library's own would wait for each other beside these.
    with threadpool_limits(1, "blas"), threads(workers) as pool:
        for part in results.parts():
            waiting.append(pool.submit(work, part))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def total(products: Iterable[Products]) -> Products:
    """All of them together."""
    return reduce(add, products)


def batch_products(results: Results) -> Products:
    """The products of all of `columns_of` over a batch."""
    players = results.rules.players
    columns = columns_of(players)
    return total(each_part(results, lambda part: Products.of(columns, game_sums(part, players))))


def joint_products(batches: Sequence[Results]) -> Products:
    """The products of all columns of several batches, game by game; column ``turns`` of the first is ``0 turns``.

    Games of one number belong together; where a batch has fewer than another, the first so many games of each are taken.
    """
    columns = [f"{place} {name}" for place, each in enumerate(batches) for name in columns_of(each.rules.players)]
    made = [_batch_sums(each) for each in batches]
    return total(Products.of(columns, np.hstack(together)) for together in _side_by_side(made))


def _batch_sums(results: Results) -> Iterator[Numbers]:
    return each_part(results, lambda part: game_sums(part, results.rules.players))


def _side_by_side(made: Sequence[Iterator[Numbers]]) -> Iterator[list[Numbers]]:
    """The rows of several sequences of tables, so cut that each time all have equally many; ends with the shortest."""
    heads = [next(each) for each in made]
    while True:
        count = min(map(len, heads))
        yield [head[:count] for head in heads]
        heads = [head[count:] for head in heads]
        for place, each in enumerate(made):
            if not len(heads[place]):
                following = next(each, None)
                if following is None:
                    return
                heads[place] = following
