"""Ratings by Bradley and Terry: how strong each strategy must be for who finishes before whom.

A strategy of strength a finishes before one of strength b with the chance 1 / (1 + exp(b - a)) (Bradley and Terry 1952).
The strengths are those of maximum likelihood. Where many comparisons share a deal they are not independent, so the
covariance is the sandwich over deals (Liang and Zeger 1986): right also where the model is only nearly so. Half a win and
half a loss are added to each pair, so that a strength stays finite where one of the two always wins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, stdtrit

from nambarz_sim.analysis.estimates import CONFIDENCE, Numbers

MEAN_RATING = 1500.0
A_FACTOR_OF_TEN = 400.0
"""Elo's scale: so many points more mean ten wins for each loss."""
_SCALE = A_FACTOR_OF_TEN / np.log(10)
_ADDED = 0.5


class Ratings(NamedTuple):
    """Ratings on Elo's scale, with the mean 1500.

    Attributes
    ----------
    values
        Shape ``(strategies,)``.
    covariance
        Shape ``(strategies, strategies)``; missing (NaN) with a single deal.
    deals
        How many independent deals are behind them.
    """

    values: Numbers
    covariance: Numbers
    deals: int

    def interval(self, place: int) -> tuple[float, float, float]:
        """A rating with its 95% interval."""
        return self._estimate(np.eye(len(self.values))[place])

    def difference(self, one: int, other: int) -> tuple[float, float, float]:
        """How much higher one is rated than another, with its 95% interval."""
        unit = np.eye(len(self.values))
        return self._estimate(unit[one] - unit[other])

    def _estimate(self, weights: Numbers) -> tuple[float, float, float]:
        value = float(weights @ self.values)
        if self.deals < 2:
            return value, float("nan"), float("nan")
        error = float(np.sqrt(max(0.0, float(weights @ self.covariance @ weights))))
        reach = float(stdtrit(self.deals - 1, (1 + CONFIDENCE) / 2)) * error
        return value, value - reach, value + reach


def rate(wins: Numbers) -> Ratings:
    """Ratings from who finished before whom.

    Parameters
    ----------
    wins
        For each deal how often one strategy finished before another, shape ``(deals, strategies, strategies)``; deals are
        independent of one another, comparisons within a deal need not be.

    Examples
    --------
    >>> ten_to_one = rate(np.array([[[0.0, 10.0], [1.0, 0.0]]] * 1000))
    >>> [round(float(value)) for value in ten_to_one.values]
    [1700, 1300]
    """
    deals, strategies, _ = wins.shape
    first, second = np.triu_indices(strategies, 1)
    won, lost = wins[:, first, second], wins[:, second, first]
    pairs = np.arange(len(first))
    design = np.zeros((len(first), strategies))
    design[pairs, first], design[pairs, second] = 1.0, -1.0
    free = design[:, 1:]  # only differences count: the first strength is 0 until all are centred
    strengths = _fit(free, won.sum(axis=0) + _ADDED, lost.sum(axis=0) + _ADDED)
    chance = expit(free @ strengths)
    informed = (won + lost).sum(axis=0) + 2 * _ADDED
    bread = np.linalg.inv(free.T @ (free * (informed * chance * (1 - chance))[:, None]))
    scores = (won - (won + lost) * chance) @ free
    # What was added pulls, too; so a pair in which one always wins is not taken for certain.
    added = _ADDED**2 * ((1 - chance) ** 2 + chance**2)
    filling = deals / max(1, deals - 1) * scores.T @ scores + free.T @ (free * added[:, None])
    centre = (np.eye(strategies) - 1 / strategies)[:, 1:] * _SCALE
    covariance = centre @ bread @ filling @ bread @ centre.T if deals > 1 else np.full((strategies, strategies), np.nan)
    return Ratings(MEAN_RATING + centre @ strengths, covariance, deals)


def _fit(design: Numbers, won: Numbers, lost: Numbers) -> Numbers:
    """The strengths of maximum likelihood; the likelihood is concave, so there is one answer."""
    total = (won + lost).sum()

    def loss(strengths: Numbers) -> tuple[float, Numbers]:
        lead = design @ strengths
        value = -(won @ log_expit(lead) + lost @ log_expit(-lead)) / total
        return float(value), -design.T @ (won * expit(-lead) - lost * expit(lead)) / total

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, method="BFGS", options={"gtol": 1e-9})
    return np.asarray(found.x, dtype=np.float64)
