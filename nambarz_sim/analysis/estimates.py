"""Estimates with 95% intervals, from what each game adds up to.

Rounds of one game share their players and starters, so games, not rounds, are the independent units:

- A ratio of sums (turns a round, strokes a turn, share of plays) has the variance of the linearised ratio over games
  (Cochran, Sampling Techniques, 3rd ed., section 6.3 and 9A), with Student's t.
- A share of rounds has Wilson's interval at the effective number of rounds: the number of rounds divided by the design
  effect, which the same variance gives.
- A rate of events a round has Garwood's interval, exact for counts (Garwood 1936), at the effective number of rounds.
- A chance that several independent tables all do something is the product of shares; it has Wilson's interval at the
  number of lessons that the variance of its logarithm is worth (the delta method). The shares in that variance are moved
  towards one half as Agresti and Coull (1998) do, so that no miss in many games is not taken for certainty.
- A quantile has Woodruff's interval: the interval of the share of rounds at or below it, read back as quantiles
  (Woodruff 1952).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv, ndtri, stdtrit

CONFIDENCE = 0.95
Numbers = NDArray[np.float64]
Interval = tuple[float, float, float]
"""A value, and the lower and the upper end of its 95% interval."""


class Ratio(NamedTuple):
    """A ratio of sums over independent games.

    Attributes
    ----------
    value
        The ratio; missing (NaN) with nothing below the line.
    error
        Its linearised standard error; missing with fewer than two games.
    cases
        The sum below the line.
    games
        How many games there are.
    """

    value: float
    error: float
    cases: float
    games: int

    def interval(self) -> Interval:
        """The value with Student's 95% interval; missing ends where the error is."""
        if not np.isfinite(self.error):
            return self.value, float("nan"), float("nan")
        reach = float(stdtrit(self.games - 1, (1 + CONFIDENCE) / 2)) * self.error
        return self.value, self.value - reach, self.value + reach

    def share_interval(self, least_effect: float = 1.0) -> Interval:
        """The value, a share, with Wilson's 95% interval at the effective number of cases; see `share_estimate`."""
        if self.cases == 0 or self.games < 2:
            return self.value, float("nan"), float("nan")
        simple = self.value * (1 - self.value) / self.cases
        effect = max(least_effect, self.error**2 / simple) if simple > 0 and np.isfinite(self.error) else 1.0
        return self.value, *wilson(self.value, self.cases / effect)

    def rate_interval(self) -> Interval:
        """The value, a rate of events, with Garwood's 95% interval at the effective number of cases."""
        if self.cases == 0 or self.games < 2:
            return self.value, float("nan"), float("nan")
        known = self.value > 0 and np.isfinite(self.error)
        effect = max(1.0, self.error**2 * self.cases / self.value) if known else 1.0
        hits, tail = self.value * self.cases / effect, (1 - CONFIDENCE) / 2
        low = float(gammaincinv(hits, tail)) if hits > 0 else 0.0
        most = float(gammaincinv(hits + 1, 1 - tail))
        return self.value, low * effect / self.cases, most * effect / self.cases


def ratio(top: Numbers, bottom: Numbers) -> Ratio:
    """The ratio of what games add above and below the line, both of shape ``(games,)``."""
    cases, games = float(bottom.sum()), len(top)
    if cases == 0:
        return Ratio(float("nan"), float("nan"), cases, games)
    value = float(top.sum() / cases)
    if games < 2:
        return Ratio(value, float("nan"), cases, games)
    residuals = top - value * bottom
    return Ratio(value, float(np.sqrt(games / (games - 1) * np.sum(residuals**2)) / cases), cases, games)


def ratio_estimate(top: Numbers, bottom: Numbers) -> Interval:
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
    return ratio(top, bottom).interval()


def share_estimate(top: Numbers, bottom: Numbers, least_effect: float = 1.0) -> Interval:
    """A share, or a rate of rare events, with Wilson's 95% interval at the effective number of cases.

    Parameters
    ----------
    top, bottom
        For each game the hits and the cases, shape ``(games,)``.
    least_effect
        The least design effect to reckon with. Below 1 where the cases of a game balance one another, as the seats of a
        deal do that is played once from each of them.
    """
    return ratio(top, bottom).share_interval(least_effect)


def joint_share_estimate(hits: Sequence[Numbers], copies: Sequence[int]) -> Interval:
    """The chance that all of several independent tables hit, with Wilson's 95% interval at the effective number of cases.

    Parameters
    ----------
    hits
        For each kind of table whether its game hit, 1 or 0, shape ``(games,)``; games of one number may be alike.
    copies
        How many tables of each kind there are.
    """
    games = len(hits[0])
    shares = np.array([each.mean() for each in hits])
    weights = np.asarray(copies, dtype=np.float64)
    value = float(np.prod(shares**weights))
    if games < 2:
        return value, float("nan"), float("nan")
    z = float(ndtri((1 + CONFIDENCE) / 2))
    near = (shares * games + z * z / 2) / (games + z * z)
    chance = float(np.prod(near**weights))
    apart = float(np.sum(weights**2 * (1 - near) / near)) / games
    together = 0.0  # the same from the games as they are, with what kinds of tables share
    if value > 0:
        pulls = np.sum([w * (each - p) / p for w, each, p in zip(weights, hits, shares, strict=True)], axis=0)
        together = float(np.sum(pulls**2)) / (games * (games - 1))
    spread = chance * max(apart, together)
    if spread == 0:  # so many tables that even a good chance at each leaves none that a number can hold
        return value, 0.0, 0.0
    low, high = wilson(value, (1 - chance) / spread)
    return value, min(low, value), max(high, value)  # at 0 and 1 they may differ in the last digit


def rate_estimate(events: Numbers, rounds: Numbers) -> Interval:
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
    return ratio(events, rounds).rate_interval()


def quantile_estimate(values: Numbers, games: NDArray[np.int64], game_count: int, level: float) -> Interval:
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
    known, counts = np.unique(values, return_counts=True)
    value = float(quantile(known, counts, level))
    below = np.bincount(games, weights=values <= value, minlength=game_count).astype(np.float64)
    size = np.bincount(games, minlength=game_count).astype(np.float64)
    return quantile_interval(known, counts, level, ratio(below, size))


def quantile(known: Any, counts: Any, level: float) -> Any:
    """The quantile of values that rise, each there so many times: the least one with so great a share at or below it.

    Examples
    --------
    >>> quantile([3, 5, 8], [2, 1, 1], 0.5), quantile([3, 5, 8], [2, 1, 1], 0.51)
    (3, 5)
    """
    up_to = np.cumsum(counts)
    rank = level * up_to[-1]
    nearest = round(rank)  # a rank that is whole but for rounding is that one
    rank = nearest if abs(rank - nearest) < 1e-9 * max(1, nearest) else rank
    return known[int(np.searchsorted(up_to, max(rank, 1)))]


def quantile_interval(known: Any, counts: Any, level: float, below: Ratio) -> Interval:
    """A quantile with Woodruff's 95% interval, from the values that rise, how often each is there, and ``below``.

    ``below`` is the share of rounds at or below the quantile, a ratio over games.
    """
    value = float(quantile(known, counts, level))
    if below.games < 2:
        return value, float("nan"), float("nan")
    simple = level * (1 - level) / below.cases
    spread = below.value * (1 - below.value) / below.cases
    effect = max(1.0, below.error**2 / spread) if spread > 0 and np.isfinite(below.error) else 1.0
    reach = float(ndtri((1 + CONFIDENCE) / 2)) * float(np.sqrt(simple * effect))
    low, high = (float(quantile(known, counts, min(max(each, 0), 1))) for each in (level - reach, level + reach))
    return value, low, high


def wilson(share: float, cases: float) -> tuple[float, float]:
    """Wilson's 95% interval of a share of independent cases.

    Examples
    --------
    >>> low, high = wilson(0.5, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    z = float(ndtri((1 + CONFIDENCE) / 2))
    centre = (share + z * z / (2 * cases)) / (1 + z * z / cases)
    reach = z / (1 + z * z / cases) * np.sqrt(share * (1 - share) / cases + z * z / (4 * cases * cases))
    # At 0 and at 1 the interval ends there, which rounding would miss by a hair.
    low, high = 0.0 if share == 0 else max(0.0, centre - reach), 1.0 if share == 1 else min(1.0, centre + reach)
    return float(low), float(high)
