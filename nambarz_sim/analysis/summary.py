"""The summary of a batch: every figure with a 95% interval and the number of rounds behind it.

How the intervals come about stands in `nambarz_sim.analysis.estimates`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nambarz_sim._errors import unknown_name
from nambarz_sim.analysis.estimates import Interval, Ratio, quantile, quantile_interval
from nambarz_sim.analysis.sums import batch_products, turns_counts, turns_products
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.engine.state import FAULTS, SMALLEST_STROKE
from nambarz_sim.events import FAULTS_IN_WORDS, counted
from nambarz_sim.simulation.records import FAULT_NAMES

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.simulation.results import Results


def summarise(results: Results) -> pd.DataFrame:
    """The summary table of a batch.

    Returns
    -------
    pandas.DataFrame
        Index ``measure``; columns ``value``, ``low`` and ``high`` (95% interval), ``unit``, and ``rounds``, the number of
        rounds behind the figure. With a single game there is no spread to judge by, and the intervals are missing.
    """
    import pandas as pd  # not above: the command line prints a summary without tables, and starts sooner

    columns = ["measure", "value", "low", "high", "unit", "rounds"]
    return pd.DataFrame(_Summary(results).rows, columns=columns).set_index("measure")


class Estimate(NamedTuple):
    """A row of the summary: the value with its 95% interval, what it counts, and the rounds behind it."""

    value: float
    low: float
    high: float
    unit: str
    rounds: int


class Measure(NamedTuple):
    """A measure of the summary that is a ratio of sums over games.

    Attributes
    ----------
    top, bottom
        The columns of `nambarz_sim.analysis.sums.columns_of` above and below the line.
    unit
        What it counts.
    """

    top: str
    bottom: str
    unit: str


def ratio_measures(results: Results) -> dict[str, Measure]:
    """Every measure of a batch that is a ratio of sums, which leaves out the quantiles.

    Measures that the summary leaves out, since nothing of theirs was seen, are there, too.
    """
    return _Summary(results).measures


def estimate(results: Results, measure: str) -> Estimate:
    """One measure of a batch, also one that the summary leaves out, since nothing of it was seen.

    Raises
    ------
    ValueError
        If the measure is not known.
    """
    estimates = _Summary(results).estimates
    if measure not in estimates:
        raise ValueError(unknown_name("measure", measure, estimates))
    return estimates[measure]


def tell(results: Results) -> str:
    """The summary as a page of text: what was played, three sentences, and every figure with its interval."""
    summary = _Summary(results)
    rules = results.rules
    names = dict.fromkeys(results.strategies)
    width = max(_WIDTH, *(len(row[0]) for row in summary.rows))
    lines = [
        f"{counted(summary.games, 'game')} of {counted(rules.rounds, 'round')}, {rules.players} players, "
        f"operations {rules.operations}, wildcards {rules.wildcards}",
        f"strategies: {', '.join(results.strategies if len(names) > 1 else names)}; seed {results.seed}",
        "",
        *_findings({row[0]: row[1] for row in summary.rows}, rules.players),
        "",
        f"{'measure':<{width}} {'value':>9}   {'95% interval':^20}  unit",
    ]
    for measure, *estimate, unit, _ in summary.rows:
        value, low, high = (figure_in_words(figure, unit) for figure in estimate)
        interval = f"{low} to {high}" if np.isfinite(estimate[1]) else "one game: unknown"
        lines.append(f"{measure:<{width}} {value:>9}   {interval:^20}  {unit}")
    lines += ["", f"Behind every figure stand {counted(summary.count, 'round')}."]
    return "\n".join(lines)


_WIDTH = 36
_LEVELS = {"median": 0.5, "P5": 0.05, "P25": 0.25, "P75": 0.75, "P95": 0.95}
"""The quantiles of game length that the summary tells."""


def figure_in_words(value: float, unit: str) -> str:
    """A figure as people read it: shares in per cent, small figures to their first digits."""
    share = unit.startswith("share")
    if share:
        value *= 100
    digits = 2 if value >= 1 else 4
    text = f"{value:,.{digits}f}"
    if value < 0.0001:
        text = np.format_float_positional(value, precision=1, fractional=False, trim="-")
    return text + ("%" if share else "")


def _findings(value: dict[str, float], players: int) -> list[str]:
    """The three things that a teacher asks first."""
    mean, stroke = value["turns a round, mean"], value["rounds with a master stroke"]
    often = f"1 of {1 / stroke:.1f} rounds has one" if stroke > 0 else "no round had one"
    return [
        f"A round takes {mean:.0f} turns, about {mean / players:.0f} a player; "
        f"9 of 10 rounds take {value['turns a round, P5']:.0f} to {value['turns a round, P95']:.0f}.",
        f"Of 100 plays {100 * value['calculations, share of plays']:.0f} are calculations and "
        f"{100 * value['matches, share of plays']:.0f} are matches.",
        f"Master strokes (four cards or more in one calculation): {often}.",
    ]


class _Summary:
    """The rows of the summary, from the rounds proper (extra rounds left out)."""

    def __init__(self, results: Results) -> None:
        self.players = results.rules.players
        self.games = results.game_count
        if not self.games:
            raise ValueError("results: 0 games have no summary; play 1 or more, or stop a batch later")
        self._results = results
        self._products = batch_products(results)
        self.count = int(self._products.sum("rounds"))
        self.rows: list[tuple[str, float, float, float, str, int]] = []
        self.measures: dict[str, Measure] = {}
        self.estimates: dict[str, Estimate] = {}
        for part in (self._length, self._endings, self._strokes, self._plays, self._seats):
            part()

    def _add(self, measure: str, interval: Interval, unit: str, shown: bool = True) -> None:
        self.estimates[measure] = Estimate(*interval, unit, self.count)
        if shown:
            self.rows.append((measure, *self.estimates[measure]))

    def _ratio_of(self, measure: str, top: str, bottom: str, unit: str) -> Ratio:
        """The ratio, which is kept under the measure's name, too."""
        self.measures[measure] = Measure(top, bottom, unit)
        return self._products.ratio(top, bottom)

    def _ratio(self, measure: str, top: str, bottom: str, unit: str, shown: bool = True) -> None:
        self._add(measure, self._ratio_of(measure, top, bottom, unit).interval(), unit, shown)

    def _share(self, measure: str, top: str, bottom: str, unit: str) -> None:
        self._add(measure, self._ratio_of(measure, top, bottom, unit).share_interval(), unit)

    def _rate(self, measure: str, top: str, unit: str, shown: bool = True) -> None:
        self._add(measure, self._ratio_of(measure, top, "rounds", unit).rate_interval(), unit, shown)

    def _length(self) -> None:
        self._ratio("turns a round, mean", "turns", "rounds", "turns")
        counts = turns_counts(self._results)
        known = np.flatnonzero(counts)
        counts = counts[known]
        ends = {name: quantile(known, counts, level) for name, level in _LEVELS.items()}
        below = turns_products(self._results, list(ends), lambda turns: [turns <= end for end in ends.values()])
        for name, level in _LEVELS.items():
            interval = quantile_interval(known, counts, level, below.ratio(name, "rounds"))
            self._add(f"turns a round, {name}", interval, "turns")

    def _endings(self) -> None:
        for ending in ("stalled", "cut"):
            self._share(f"rounds {ending}", ending, "rounds", "share of rounds")
        self._rate("reshuffles a round", "recycles", "times")
        self._rate("redeals a round", "redeals", "times")

    def _strokes(self) -> None:
        self._rate("master strokes a round", "strokes", "strokes")
        self._share("rounds with a master stroke", "rounds with a stroke", "rounds", "share of rounds")
        self._share("master strokes a player's turn", "strokes", "turns", "strokes")
        sizes = range(SMALLEST_STROKE, LARGEST + 1)
        largest = max((size for size in sizes if self._products.sum(f"strokes_{size}")), default=SMALLEST_STROKE)
        for size in sizes:
            shown = size <= max(largest, SMALLEST_STROKE + 2)
            self._rate(f"master strokes of {size} cards a round", f"strokes_{size}", "strokes", shown)

    def _plays(self) -> None:
        for name, top in (
            ("matches", "matches"), ("calculations", "calculations"), ("change wildcards", "changes"),
            ("replays", "replay_laid"),
        ):  # fmt: skip
            self._share(f"{name}, share of plays", top, "plays", "share of plays")
        self._ratio("draws a turn", "draws", "turns", "draws")
        self._penalties()

    def _penalties(self) -> None:
        self._rate("penalties a round", "penalties", "penalties")
        shown = self._products.sum("penalties") > 0
        self._ratio("penalties a player's turn", "penalties", "turns", "penalties", shown)
        for name, fault in zip(FAULT_NAMES, FAULTS[1:], strict=True):
            self._rate(f"penalties a round, {FAULTS_IN_WORDS[fault]}", name, "penalties", shown)

    def _seats(self) -> None:
        for seat in range(self.players):
            self._ratio(f"points a round, seat {seat}", f"points, seat {seat}", "rounds", "points")
        for seat in range(self.players):
            self._share(f"rounds won, seat {seat}", f"first, seat {seat}", "rounds", "share of rounds")
