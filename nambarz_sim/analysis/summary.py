"""The summary of a batch: every figure with a 95% interval and the number of rounds behind it.

How the intervals come about stands in `nambarz_sim.analysis.estimates`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nambarz_sim._errors import unknown_name
from nambarz_sim.analysis.estimates import Interval, Ratio, quantile, quantile_interval
from nambarz_sim.analysis.sums import batch_products, turns_counts, turns_products
from nambarz_sim.analysis.wording import games, interval, rounds, shown
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.engine.state import SMALLEST_STROKE
from nambarz_sim.languages import N_, _, in_language, localised, plural
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


def tell(results: Results, lang: str | None = None) -> str:
    """The summary as a page of text: what was played, three sentences, and every figure with its interval.

    ``lang`` is the language, as `nambarz_sim.languages.choose_language` takes it.
    """
    with in_language(lang):
        return "\n".join(_lines(results))


def _lines(results: Results) -> list[str]:
    summary = _Summary(results)
    rules = results.rules
    names = dict.fromkeys(results.strategies)
    width = max(_WIDTH, *(len(shown(row[0])) for row in summary.rows))
    lines = [
        _("{games} of {rounds}, {players} players, operations {operations}, wildcards {wildcards}").format(
            games=games(summary.games),
            rounds=rounds(rules.rounds),
            players=rules.players,
            operations=rules.operations,
            wildcards=rules.wildcards,
        ),
        _("strategies: {names}; seed {seed}").format(
            names=", ".join(results.strategies if len(names) > 1 else names), seed=results.seed
        ),
        "",
        *_findings({row[0]: row[1] for row in summary.rows}, rules.players),
        "",
        "{:<{}} {:>9}   {:^20}  {}".format(_("measure"), width, _("value"), _("95% interval"), _("unit")),
    ]
    for measure, *estimate, unit, _rounds in summary.rows:
        value, low, high = (figure_in_words(figure, unit) for figure in estimate)
        ends = interval(low, high) if np.isfinite(estimate[1]) else _("one game: unknown")
        lines.append(f"{shown(measure):<{width}} {value:>9}   {ends:^20}  {shown(unit)}")
    behind = plural(
        "Behind every figure stand {count} round.", "Behind every figure stand {count} rounds.", summary.count
    )
    return [*lines, "", behind.format(count=localised(f"{summary.count:,}"))]


_WIDTH = 36
_LENGTHS = {
    "median": N_("turns a round, median"), "P5": N_("turns a round, P5"), "P25": N_("turns a round, P25"),
    "P75": N_("turns a round, P75"), "P95": N_("turns a round, P95"),
}  # fmt: skip
_LEVELS = {"median": 0.5, "P5": 0.05, "P25": 0.25, "P75": 0.75, "P95": 0.95}
"""The quantiles of game length that the summary tells."""
_PENALTIES = (
    N_("penalties a round, not the fewest cards"), N_("penalties a round, a card that matches by itself"),
    N_("penalties a round, number and picture cards mixed"), N_("penalties a round, a wrong result"),
    N_("penalties a round, a wildcard misused"),
)  # fmt: skip
"""By the kinds of faults, in their order."""


def figure_in_words(value: float, unit: str) -> str:
    """A figure as people read it: shares in per cent, small figures to their first digits."""
    share = unit.startswith("share")
    if share:
        value *= 100
    digits = 2 if value >= 1 else 4
    text = f"{value:,.{digits}f}"
    if value < 0.0001:
        text = np.format_float_positional(value, precision=1, fractional=False, trim="-")
    return localised(text + ("%" if share else ""))


def _findings(value: dict[str, float], players: int) -> list[str]:
    """The three things that a teacher asks first."""
    mean, stroke = value["turns a round, mean"], value["rounds with a master stroke"]
    if stroke > 0:
        often = _("Master strokes (four cards or more in one calculation): 1 of {rounds} rounds has one.")
        often = often.format(rounds=localised(f"{1 / stroke:.1f}"))
    else:
        often = _("Master strokes (four cards or more in one calculation): no round had one.")
    return [
        _("A round takes {mean} turns, about {each} a player; 9 of 10 rounds take {low} to {high}.").format(
            mean=f"{mean:.0f}",
            each=f"{mean / players:.0f}",
            low=f"{value['turns a round, P5']:.0f}",
            high=f"{value['turns a round, P95']:.0f}",
        ),
        _("Of 100 plays {calculations} are calculations and {matches} are matches.").format(
            calculations=f"{100 * value['calculations, share of plays']:.0f}",
            matches=f"{100 * value['matches, share of plays']:.0f}",
        ),
        often,
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

    def _add(self, measure: str, interval: Interval, unit: str, is_told: bool = True) -> None:
        self.estimates[measure] = Estimate(*interval, unit, self.count)
        if is_told:
            self.rows.append((measure, *self.estimates[measure]))

    def _ratio_of(self, measure: str, top: str, bottom: str, unit: str) -> Ratio:
        """The ratio, which is kept under the measure's name, too."""
        self.measures[measure] = Measure(top, bottom, unit)
        return self._products.ratio(top, bottom)

    def _ratio(self, measure: str, top: str, bottom: str, unit: str, is_told: bool = True) -> None:
        self._add(measure, self._ratio_of(measure, top, bottom, unit).interval(), unit, is_told)

    def _share(self, measure: str, top: str, bottom: str, unit: str) -> None:
        self._add(measure, self._ratio_of(measure, top, bottom, unit).share_interval(), unit)

    def _rate(self, measure: str, top: str, unit: str, is_told: bool = True) -> None:
        self._add(measure, self._ratio_of(measure, top, "rounds", unit).rate_interval(), unit, is_told)

    def _length(self) -> None:
        self._ratio(N_("turns a round, mean"), "turns", "rounds", "turns")
        counts = turns_counts(self._results)
        known = np.flatnonzero(counts)
        counts = counts[known]
        ends = {name: quantile(known, counts, level) for name, level in _LEVELS.items()}
        below = turns_products(self._results, list(ends), lambda turns: [turns <= end for end in ends.values()])
        for name, level in _LEVELS.items():
            self._add(_LENGTHS[name], quantile_interval(known, counts, level, below.ratio(name, "rounds")), "turns")

    def _endings(self) -> None:
        self._share(N_("rounds stalled"), "stalled", "rounds", "share of rounds")
        self._share(N_("rounds cut"), "cut", "rounds", "share of rounds")
        self._rate(N_("reshuffles a round"), "recycles", "times")
        self._rate(N_("redeals a round"), "redeals", "times")

    def _strokes(self) -> None:
        self._rate(N_("master strokes a round"), "strokes", "strokes")
        self._share(N_("rounds with a master stroke"), "rounds with a stroke", "rounds", "share of rounds")
        self._share(N_("master strokes a player's turn"), "strokes", "turns", "strokes")
        sizes = range(SMALLEST_STROKE, LARGEST + 1)
        largest = max((size for size in sizes if self._products.sum(f"strokes_{size}")), default=SMALLEST_STROKE)
        for size in sizes:
            is_told = size <= max(largest, SMALLEST_STROKE + 2)
            self._rate(f"master strokes of {size} cards a round", f"strokes_{size}", "strokes", is_told)

    def _plays(self) -> None:
        for name, top in (
            (N_("matches, share of plays"), "matches"), (N_("calculations, share of plays"), "calculations"),
            (N_("change wildcards, share of plays"), "changes"), (N_("replays, share of plays"), "replay_laid"),
        ):  # fmt: skip
            self._share(name, top, "plays", "share of plays")
        self._ratio(N_("draws a turn"), "draws", "turns", "draws")
        self._penalties()

    def _penalties(self) -> None:
        self._rate(N_("penalties a round"), "penalties", "penalties")
        is_told = self._products.sum("penalties") > 0
        self._ratio(N_("penalties a player's turn"), "penalties", "turns", "penalties", is_told)
        for name, measure in zip(FAULT_NAMES, _PENALTIES, strict=True):
            self._rate(measure, name, "penalties", is_told)

    def _seats(self) -> None:
        for seat in range(self.players):
            self._ratio(f"points a round, seat {seat}", f"points, seat {seat}", "rounds", "points")
        for seat in range(self.players):
            self._share(f"rounds won, seat {seat}", f"first, seat {seat}", "rounds", "share of rounds")
