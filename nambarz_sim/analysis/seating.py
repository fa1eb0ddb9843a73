"""A class at tables: who sits where, and what holds for all tables together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from nambarz_sim.analysis.estimates import Numbers, joint_share_estimate
from nambarz_sim.rules import FEWEST_PLAYERS, MOST_PLAYERS

Seating = tuple[int, ...]
"""The pupils at each table, the largest first."""
USUAL_SEATS = (3, 6)
"""Tables are preferred from so many pupils to so many: with two there is little to watch, with more a long wait."""


def seatings(pupils: int, most_tables: int | None = None) -> list[Seating]:
    """The ways to seat a class at tables of 2 to 12, as evenly as can be for each number of tables, fewest tables first.

    Raises
    ------
    ValueError
        If the class does not fit at so many tables.

    Examples
    --------
    >>> seatings(27)[-9], seatings(5)
    ((6, 6, 5, 5, 5), [(5,), (3, 2)])
    """
    fewest, most = -(-pupils // MOST_PLAYERS), pupils // FEWEST_PLAYERS
    if most_tables is not None and most_tables < fewest:
        raise ValueError(
            f"most_tables: {most_tables} for {pupils} pupils would be more than {MOST_PLAYERS} at a table; give "
            f"{fewest} or more, or leave it out"
        )
    counts = range(fewest, min(most, most_tables or most) + 1)
    return [tuple(pupils // tables + (table < pupils % tables) for table in range(tables)) for tables in counts]


def usual_seatings(ways: Iterable[Seating]) -> list[Seating]:
    """Those with 3 to 6 pupils at every table.

    Examples
    --------
    >>> usual_seatings(seatings(27))[1]
    (5, 5, 5, 4, 4, 4)
    """
    least, most = USUAL_SEATS
    return [way for way in ways if least <= way[-1] and way[0] <= most]


def tell_seating(seating: Seating) -> str:
    """A seating in words.

    Examples
    --------
    >>> tell_seating((5, 5, 5, 4, 4, 4)), tell_seating((4,))
    ('3 tables of 5 and 3 of 4', '1 table of 4')
    """
    first, *rest = Counter(seating).items()
    tables = f"{first[1]} table{'' if first[1] == 1 else 's'} of {first[0]}"
    return " and ".join([tables, *(f"{count} of {size}" for size, count in rest)])


class Together:
    """When the last of all tables of a class is done, from games at a table of each size that occurs.

    The tables of a lesson play apart, so the chance that all are done is the product of each table's. Games of one
    number share their deal, whatever the size of the table; the intervals allow for it.

    Parameters
    ----------
    seating
        The pupils at each table.
    minutes
        For each size of table the minutes of its games, shape ``(games,)``.

    Examples
    --------
    >>> halves = np.array([10.0, 20.0])
    >>> Together((4, 4), {4: halves}).chance(15)[0]
    0.25
    """

    def __init__(self, seating: Seating, minutes: dict[int, Numbers]) -> None:
        self._tables = list(Counter(seating).values())
        self._minutes = [minutes[size] for size in Counter(seating)]
        self.games = len(self._minutes[0])
        self._moments = np.unique(np.concatenate(self._minutes))
        self._done = self._chances(self._moments)

    def _chances(self, at: Numbers) -> Numbers:
        """The chance that all tables are done by each moment."""
        done = np.ones(len(at))
        for tables, minutes in zip(self._tables, self._minutes, strict=True):
            done *= (np.searchsorted(np.sort(minutes), at, side="right") / self.games) ** tables
        return done

    def chance(self, minutes: float) -> tuple[float, float, float]:
        """The chance that all tables are done by then, with its 95% interval."""
        return joint_share_estimate([(each <= minutes).astype(np.float64) for each in self._minutes], self._tables)

    def shares(self, edges: Numbers) -> Numbers:
        """The chance that the last table is done between each two edges."""
        return np.diff(self._chances(edges))

    def quantile(self, level: float) -> tuple[float, float, float]:
        """When the last table is done, at a level, with Woodruff's 95% interval."""
        value = self._at(level)
        share, low, high = self.chance(value)
        if not np.isfinite(low):
            return value, low, high
        # The interval of the share done by then, moved to the level, and read back as moments.
        return value, self._at(max(0.0, level - (share - low))), self._at(min(1.0, level + (high - share)))

    def _at(self, level: float) -> float:
        place = int(np.searchsorted(self._done, level - 1e-12))
        return float(self._moments[min(place, len(self._moments) - 1)])
