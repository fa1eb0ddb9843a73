"""What a tournament tells: payoffs, ratings, who is told apart from whom, and a ranking to read."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nambarz_sim.analysis.estimates import Numbers, ratio_estimate, share_estimate
from nambarz_sim.analysis.ratings import Ratings, rate
from nambarz_sim.analysis.wording import deals, interval
from nambarz_sim.languages import _, in_language, localised, plural
from nambarz_sim.rules import Rules

Sums = NDArray[np.int32]
FIRST, AHEAD, POINTS = range(3)
"""What the sums of a tournament count: first places, players finished before, points."""
ABOVE, BELOW, UNSURE = "above par", "below par", "unsure"
"""How a payoff stands to par, by its 95% interval."""


class Tournament:
    """What `nambarz_sim.analysis.tournament.tournament` found; as text a ranking.

    Every interval is a 95% interval over deals, which are the independent units.

    Parameters
    ----------
    names
        The strategies.
    rules, seed
        How it was made.
    asked
        How many deals were asked for.
    sums
        First places, players finished before, and points of the rounds proper, for each one strategy, the other around
        it, its seat and the deal: shape ``(3, strategies, strategies, players, deals)``.
    """

    def __init__(self, names: tuple[str, ...], rules: Rules, seed: int, asked: int, sums: Sums) -> None:
        self.names = names
        self.rules = rules
        self.seed = seed
        self.asked = asked
        self.sums = sums

    @property
    def games(self) -> int:
        """How many deals were played by all pairs from all seats; fewer than `asked` after a stop."""
        return int(self.sums.shape[-1])

    @property
    def par(self) -> float:
        """The share of first places of a player who is just as strong as the others."""
        return 1 / self.rules.players

    @property
    def rounds(self) -> int:
        """How many rounds each strategy played as the one among others of another."""
        return (len(self.names) - 1) * self._rounds_a_pair

    @property
    def _rounds_a_pair(self) -> int:
        return self.games * self.rules.rounds * self.rules.players

    @cached_property
    def table(self) -> pd.DataFrame:
        """One row for each one strategy and the other around it.

        ``strategy`` (one player) and ``against`` (all others); the share of rounds in which the one finished ``first``; the
        share of the others whom it finished ``ahead`` of; its ``points`` a round; each with its interval ``_low`` and
        ``_high``; ``standing``: above par, below par or unsure, by the interval of ``first``; ``rounds`` played.
        """
        self._verify_games()
        rows = [self._pair(one, other) for one in self._places for other in self._places if one != other]
        return pd.DataFrame(rows)

    @property
    def _places(self) -> range:
        return range(len(self.names))

    def _pair(self, one: int, other: int) -> dict[str, object]:
        row: dict[str, object] = {"strategy": self.names[one], "against": self.names[other]}
        by_deal = self.sums[:, one, other].sum(axis=1).astype(np.float64)
        rounds = np.full(self.games, float(self.rules.rounds * self.rules.players))
        least = 1 / self.rules.players  # the seats of a deal balance one another, and never wholly
        row |= _estimate("first", share_estimate(by_deal[FIRST], rounds, least))
        row |= _estimate("ahead", share_estimate(by_deal[AHEAD], rounds * (self.rules.players - 1), least))
        row |= _estimate("points", ratio_estimate(by_deal[POINTS], rounds))
        low, high = float(str(row["first_low"])), float(str(row["first_high"]))
        row["standing"] = ABOVE if low > self.par else BELOW if high < self.par else UNSURE
        row["rounds"] = self._rounds_a_pair
        return row

    def matrix(self, column: str = "first") -> pd.DataFrame:
        """A column of `table` with a row for each strategy and a column for the others around it; missing on the diagonal.

        Raises
        ------
        ValueError
            If the table has no such column.
        """
        columns = [name for name in self.table.columns if name not in ("strategy", "against")]
        if column not in columns:
            raise ValueError(f"column: {column!r} is not known; known are {', '.join(columns)}")
        wide = self.table.pivot_table(index="strategy", columns="against", values=column, aggfunc="first", sort=False)
        return wide.reindex(index=list(self.names), columns=list(self.names))

    @property
    def payoff(self) -> pd.DataFrame:
        """The share of rounds in which one player of a row's strategy finishes first among players of a column's."""
        return self.matrix("first")

    @property
    def payoff_low(self) -> pd.DataFrame:
        """The lower ends of the intervals of `payoff`."""
        return self.matrix("first_low")

    @property
    def payoff_high(self) -> pd.DataFrame:
        """The upper ends of the intervals of `payoff`."""
        return self.matrix("first_high")

    @cached_property
    def seats(self) -> pd.DataFrame:
        """One row for each strategy, the other around it and its seat: ``rounds`` and ``first``, the share of first places.

        The starter of the first round sits in seat 0.
        """
        self._verify_games()
        rounds = self.games * self.rules.rounds
        rows = [
            (self.names[one], self.names[other], seat, self.sums[FIRST, one, other, seat].sum() / rounds, rounds)
            for one in self._places
            for other in self._places
            for seat in range(self.rules.players if one != other else 0)
        ]
        return pd.DataFrame(rows, columns=["strategy", "against", "seat", "first", "rounds"])

    @cached_property
    def _rated(self) -> Ratings:
        self._verify_games()
        ahead: Numbers = self.sums[AHEAD].sum(axis=2).transpose(2, 0, 1).astype(np.float64)
        players = self.rules.players
        behind = self.rules.rounds * players * (players - 1) - ahead
        wins = ahead + behind.transpose(0, 2, 1)
        wins[:, self._places, self._places] = 0
        return rate(wins)

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """One row a strategy, the highest rated first.

        ``rating`` on Elo's scale (mean 1500; 400 more mean that ten of eleven times the one finishes before the other) with
        ``low`` and ``high``; as the one among others, on the average of all opponents: the share of ``first`` places,
        ``points`` a round and ``rounds`` played. Ratings hold for these rules and among these strategies.
        """
        means = self.table.groupby("strategy", sort=False)[["first", "points"]].mean().loc[list(self.names)]
        estimates = np.array([self._rated.interval(place) for place in self._places])
        rated = pd.DataFrame(estimates, columns=["rating", "low", "high"], index=pd.Index(self.names, name="strategy"))
        rated = rated.assign(first=means["first"], points=means["points"], rounds=self.rounds)
        # What the search for the maximum leaves of a difference between equals does not count.
        return rated.sort_values("rating", ascending=False, kind="stable", key=lambda ratings: ratings.round(4))

    @cached_property
    def differences(self) -> pd.DataFrame:
        """One row for each two strategies, the higher rated first: ``difference`` of their ratings, ``low``, ``high``.

        Strategies whose interval holds 0 are not ``told_apart``. The cards in common make these intervals narrower than
        those of the two ratings suggest.
        """
        ranked = [self.names.index(name) for name in self.ratings.index]
        rows = [
            (self.names[one], self.names[other], *self._rated.difference(one, other))
            for rank, one in enumerate(ranked)
            for other in ranked[rank + 1 :]
        ]
        table = pd.DataFrame(rows, columns=["strategy", "against", "difference", "low", "high"])
        return table.assign(told_apart=(table["low"] > 0) | (table["high"] < 0))

    def findings(self, lang: str | None = None) -> list[str]:
        """What was found, in sentences: who leads, who is not told apart, who beats all, and the widest gap."""
        with in_language(lang):
            return [self._leader(), *self._together(), *self._dominant(), self._gap()]

    def _leader(self) -> str:
        best = self.ratings.iloc[0]
        return _("{strategy} is rated highest, {rating}.").format(
            strategy=self.ratings.index[0], rating=_with_interval(best["rating"], best["low"], best["high"])
        )

    def _together(self) -> list[str]:
        """Who is not told apart from the next one."""
        sentence = _("{strategy} and {other} are not told apart: the difference is {difference}.")
        return [
            sentence.format(
                strategy=row["strategy"],
                other=row["against"],
                difference=_with_interval(row["difference"], row["low"], row["high"]),
            )
            for row in self._neighbours().to_dict("records")
            if not row["told_apart"]
        ]

    def _dominant(self) -> list[str]:
        """Who beats all others."""
        sentence = _("{strategy} is above par against every other strategy.")
        return [
            sentence.format(strategy=name)
            for name in self.names
            if (self.table.loc[self.table["strategy"] == name, "standing"] == ABOVE).all()
        ]

    def _gap(self) -> str:
        """The widest gap there is."""
        gap = self.table.sort_values("first", kind="stable").iloc[0]
        return _("One {strategy} among {other} finishes first in {count} of 100 rounds; par is {par}.").format(
            strategy=gap["strategy"],
            other=gap["against"],
            count=f"{100 * gap['first']:.0f}",
            par=f"{100 * self.par:.0f}",
        )

    def _neighbours(self) -> pd.DataFrame:
        """The rows of `differences` of those who follow one another in the ranking."""
        ranked = list(self.ratings.index)
        pairs = list(pairwise(ranked))
        return self.differences.set_index(["strategy", "against"]).loc[pairs].reset_index()

    def __str__(self) -> str:
        head = _("{strategies}, {players} players, {deals} for each pair and seat; seed {seed}")
        if self.games < self.asked:
            head = _(
                "{strategies}, {players} players, stopped after {games} of {asked}; {deals} for each pair and seat; seed "
                "{seed}"
            )
        head = head.format(
            strategies=plural("{count} strategy", "{count} strategies", len(self.names)).format(count=len(self.names)),
            players=self.rules.players,
            games=localised(f"{self.games:,}"),
            asked=deals(self.asked),
            deals=deals(self.games),
            seed=self.seed,
        )
        if not self.games:
            return "\n".join([head, _("No deal was finished, so nothing can be told.")])
        return "\n".join([head, "", *self._ranking(), "", *self.findings()])

    def _ranking(self) -> list[str]:
        """A line for each strategy, the highest rated first."""
        name, rating, ends, first, points = (
            _("strategy"), _("rating"), _("95% interval"), _("first of 100"), _("points a round"),
        )  # fmt: skip
        width = max(len(name), *(len(each) for each in self.names))
        lines = [f"    {name:<{width}}  {rating}  {ends}   {first}  {points}"]
        for rank, (each, row) in enumerate(self.ratings.iterrows(), 1):
            known = np.isfinite(row["low"])
            between = interval(f"{round(row['low'])}", f"{round(row['high'])}") if known else _("unknown")
            won, earned = localised(f"{100 * row['first']:.1f}"), localised(f"{row['points']:.1f}")
            lines.append(
                f"{rank:>2}  {each:<{width}}  {row['rating']:>{len(rating)}.0f}  {between:^{len(ends)}}   "
                f"{won:>{len(first)}}  {earned:>{len(points)}}"
            )
        return lines

    def _verify_games(self) -> None:
        if not self.games:
            raise ValueError("tournament: 0 deals are finished, so nothing can be told; stop later, or ask for less")


def _estimate(name: str, estimate: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), estimate, strict=True))


def _with_interval(value: float, low: float, high: float) -> str:
    """A rating with its interval, if it has one."""
    if not np.isfinite(low):
        return f"{value:.0f}"
    return _("{value} (95% interval {low} to {high})").format(value=f"{value:.0f}", low=round(low), high=round(high))
