"""The summary of a batch: every figure with a 95% interval and the number of rounds behind it.

Rounds of one game share their players and starters, so games, not rounds, are the independent units:

- A ratio of sums (turns a round, strokes a turn, share of plays) has the variance of the linearised ratio over games
  (Cochran, Sampling Techniques, 3rd ed., section 6.3 and 9A), with Student's t.
- A share of rounds has Wilson's interval at the effective number of rounds: the number of rounds divided by the design
  effect, which the same variance gives.
- A rate of events a round has Garwood's interval, exact for counts (Garwood 1936), at the effective number of rounds.
- A quantile has Woodruff's interval: the interval of the share of rounds at or below it, read back as quantiles
  (Woodruff 1952).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtri, stdtrit

from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.cards import WILDCARDS
from nambarz_sim.engine.state import ENDINGS, FAULTS, SMALLEST_STROKE
from nambarz_sim.events import FAULTS_IN_WORDS, counted
from nambarz_sim.simulation.records import FAULT_NAMES, PLAYER_COLUMNS, ROUND_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.simulation.results import Results

CONFIDENCE = 0.95
Numbers = NDArray[np.float64]


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
        value, low, high = (_figure(figure, unit.startswith("share")) for figure in estimate)
        interval = f"{low} to {high}" if np.isfinite(estimate[1]) else "one game: unknown"
        lines.append(f"{measure:<{width}} {value:>9}   {interval:^20}  {unit}")
    lines += ["", f"Behind every figure stand {counted(summary.count, 'round')}."]
    return "\n".join(lines)


_WIDTH = 36


def _figure(value: float, share: bool) -> str:
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
    """The rows of the summary, from the records of the rounds proper (extra rounds left out)."""

    def __init__(self, results: Results) -> None:
        records = results.records
        proper = records.rounds[:, ROUND_COLUMNS.index("extra_round")] == 0
        rows = np.repeat(proper, records.rounds[:, ROUND_COLUMNS.index("dealt_in")])
        self.players = results.rules.players
        self.games = len(records.games)
        if not self.games:
            raise ValueError("results: 0 games have no summary; play 1 or more, or stop a batch later")
        self._rounds = records.rounds if proper.all() else records.rounds[proper]
        self._seats_records = records.players if proper.all() else records.players[rows]
        self.round_games = results.round_games[proper]
        self.count = len(self._rounds)
        self.per_round = np.ones(self.count)
        self.turns = self._of_rounds("turns")
        self.rows: list[tuple[str, float, float, float, str, int]] = []
        for part in (self._length, self._endings, self._strokes, self._plays, self._seats):
            part()

    def _of_rounds(self, name: str) -> Numbers:
        """A column of `Results.rounds`."""
        return self._rounds[:, ROUND_COLUMNS.index(name)].astype(np.float64)

    def _by_seat(self, name: str) -> Numbers:
        """A column of `Results.players`, shape ``(rounds, players)``."""
        values = self._seats_records[:, PLAYER_COLUMNS.index(name)]
        return values.reshape(self.count, self.players).astype(np.float64)

    def _column(self, name: str) -> Numbers:
        """A column of `Results.players` summed for each round."""
        return np.asarray(self._by_seat(name).sum(axis=1), dtype=np.float64)

    def _add(self, measure: str, estimate: tuple[float, float, float], unit: str) -> None:
        self.rows.append((measure, *estimate, unit, self.count))

    def _ratio(self, measure: str, top: Numbers, bottom: Numbers, unit: str) -> None:
        self._add(measure, ratio_estimate(self._by_game(top), self._by_game(bottom)), unit)

    def _share(self, measure: str, top: Numbers, bottom: Numbers, unit: str) -> None:
        self._add(measure, share_estimate(self._by_game(top), self._by_game(bottom)), unit)

    def _rate(self, measure: str, events: Numbers, unit: str) -> None:
        self._add(measure, rate_estimate(self._by_game(events), self._by_game(self.per_round)), unit)

    def _by_game(self, values: Numbers) -> Numbers:
        return np.bincount(self.round_games, weights=values, minlength=self.games).astype(np.float64)

    def _length(self) -> None:
        turns = self.turns
        self._ratio("turns a round, mean", turns, self.per_round, "turns")
        for name, level in (("median", 0.5), ("P5", 0.05), ("P25", 0.25), ("P75", 0.75), ("P95", 0.95)):
            estimate = quantile_estimate(turns, self.round_games, self.games, level)
            self._add(f"turns a round, {name}", estimate, "turns")

    def _endings(self) -> None:
        ended = self._of_rounds("ended")
        for ending in ("stalled", "cut"):
            hit = np.asarray(ended == ENDINGS.index(ending), dtype=np.float64)
            self._share(f"rounds {ending}", hit, self.per_round, "share of rounds")
        self._rate("reshuffles a round", self._of_rounds("recycles"), "times")
        self._rate("redeals a round", self._of_rounds("redeals"), "times")

    def _strokes(self) -> None:
        by_size = {size: self._column(f"strokes_{size}") for size in range(SMALLEST_STROKE, LARGEST + 1)}
        total = np.asarray(np.sum(list(by_size.values()), axis=0), dtype=np.float64)
        self._rate("master strokes a round", total, "strokes")
        self._share(
            "rounds with a master stroke", np.asarray(total > 0, dtype=np.float64), self.per_round, "share of rounds"
        )
        self._share("master strokes a player's turn", total, self.turns, "strokes")
        largest = max((size for size, strokes in by_size.items() if strokes.any()), default=SMALLEST_STROKE)
        for size in range(SMALLEST_STROKE, max(largest, SMALLEST_STROKE + 2) + 1):
            self._rate(f"master strokes of {size} cards a round", by_size[size], "strokes")

    def _plays(self) -> None:
        matches, calculations = self._column("matches"), self._column("calculations")
        laid = [self._column(f"{kind.replace('-', '_')}_laid") for kind in WILDCARDS[:3]]
        changes = laid[0] + laid[1] + laid[2]
        replays = self._column("replay_laid")
        plays = matches + calculations + changes + replays
        for name, part in (
            ("matches", matches), ("calculations", calculations), ("change wildcards", changes), ("replays", replays),
        ):  # fmt: skip
            self._share(f"{name}, share of plays", part, plays, "share of plays")
        self._ratio("draws a turn", self._column("draws"), self.turns, "draws")
        self._penalties()

    def _penalties(self) -> None:
        penalties = self._column("penalties")
        self._rate("penalties a round", penalties, "penalties")
        if not penalties.any():
            return
        self._ratio("penalties a player's turn", penalties, self.turns, "penalties")
        for name, fault in zip(FAULT_NAMES, FAULTS[1:], strict=True):
            self._rate(f"penalties a round, {FAULTS_IN_WORDS[fault]}", self._column(name), "penalties")

    def _seats(self) -> None:
        points, first = self._by_seat("points"), self._by_seat("place") == 1
        for seat in range(self.players):
            self._ratio(f"points a round, seat {seat}", points[:, seat], self.per_round, "points")
        for seat in range(self.players):
            hit = np.asarray(first[:, seat], dtype=np.float64)
            self._share(f"rounds won, seat {seat}", hit, self.per_round, "share of rounds")


def ratio_estimate(top: Numbers, bottom: Numbers) -> tuple[float, float, float]:
    """A ratio of sums over independent games with its 95% interval.

    Parameters
    ----------
    top, bottom
        For each game the sums above and below the line, shape ``(games,)``.

    Returns
    -------
    tuple
        Value, lower and upper end; missing (NaN) ends with fewer than two games, a missing value with nothing below the
        line.
    """
    value, error = _ratio_and_error(top, bottom)
    if not np.isfinite(error):
        return value, float("nan"), float("nan")
    reach = float(stdtrit(len(top) - 1, (1 + CONFIDENCE) / 2)) * error
    return value, value - reach, value + reach


def share_estimate(top: Numbers, bottom: Numbers) -> tuple[float, float, float]:
    """A share, or a rate of rare events, with Wilson's 95% interval at the effective number of cases.

    Parameters
    ----------
    top, bottom
        For each game the hits and the cases, shape ``(games,)``.
    """
    value, error = _ratio_and_error(top, bottom)
    cases = float(bottom.sum())
    if cases == 0 or len(top) < 2:
        return value, float("nan"), float("nan")
    simple = value * (1 - value) / cases
    effect = max(1.0, error**2 / simple) if simple > 0 and np.isfinite(error) else 1.0
    low, high = _wilson(value, cases / effect)
    return value, low, high


def rate_estimate(events: Numbers, rounds: Numbers) -> tuple[float, float, float]:
    """A rate of events a round with Garwood's 95% interval at the effective number of rounds.

    Parameters
    ----------
    events, rounds
        For each game how often something happened and how many rounds it had, shape ``(games,)``.

    Returns
    -------
    tuple
        Value, lower and upper end; the upper end is above 0 even where nothing happened.
    """
    value, error = _ratio_and_error(events, rounds)
    total = float(rounds.sum())
    if total == 0 or len(events) < 2:
        return value, float("nan"), float("nan")
    effect = max(1.0, error**2 * total / value) if value > 0 and np.isfinite(error) else 1.0
    hits, tail = value * total / effect, (1 - CONFIDENCE) / 2
    low = float(gammaincinv(hits, tail)) if hits > 0 else 0.0
    return value, low * effect / total, float(gammaincinv(hits + 1, 1 - tail)) * effect / total


def quantile_estimate(
    values: Numbers, games: NDArray[np.int64], game_count: int, level: float
) -> tuple[float, float, float]:
    """A quantile of the rounds with Woodruff's 95% interval.

    Parameters
    ----------
    values, games
        For each round its value and its game, shape ``(rounds,)``.
    game_count
        How many games there are.
    level
        The level of the quantile, between 0 and 1.
    """
    value = float(np.quantile(values, level, method="inverted_cdf"))
    if game_count < 2:
        return value, float("nan"), float("nan")
    below = np.bincount(games, weights=values <= value, minlength=game_count).astype(np.float64)
    size = np.bincount(games, minlength=game_count).astype(np.float64)
    share, error = _ratio_and_error(below, size)
    simple = level * (1 - level) / len(values)
    spread = share * (1 - share) / len(values)
    effect = max(1.0, error**2 / spread) if spread > 0 and np.isfinite(error) else 1.0
    reach = float(ndtri((1 + CONFIDENCE) / 2)) * float(np.sqrt(simple * effect))
    levels = np.clip([level - reach, level + reach], 0, 1)
    low, high = np.quantile(values, levels, method="inverted_cdf")
    return value, float(low), float(high)


def _ratio_and_error(top: Numbers, bottom: Numbers) -> tuple[float, float]:
    total = bottom.sum()
    if total == 0:
        return float("nan"), float("nan")
    value = top.sum() / total
    games = len(top)
    if games < 2:
        return float(value), float("nan")
    residuals = top - value * bottom
    return float(value), float(np.sqrt(games / (games - 1) * np.sum(residuals**2)) / total)


def _wilson(share: float, cases: float) -> tuple[float, float]:
    z = float(ndtri((1 + CONFIDENCE) / 2))
    centre = (share + z * z / (2 * cases)) / (1 + z * z / cases)
    reach = z / (1 + z * z / cases) * np.sqrt(share * (1 - share) / cases + z * z / (4 * cases * cases))
    return float(max(0.0, centre - reach)), float(min(1.0, centre + reach))
