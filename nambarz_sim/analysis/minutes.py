"""Minutes from what happens in a round: a model of time, fitted to the rulebooks.

A round lasts the sum of its events, each with its seconds (`Timings`). Nobody was timed for the defaults:

- How the times compare with each other (`ASSUMED`: a calculation of two cards takes as long as two matches, and so on)
  are assumptions, not findings.
- Only their common scale is fitted. The rulebooks say that a round takes 15 to 30 minutes, which is read as: the middle
  half of the rounds does. `fit_timings` chooses the scale for which the quartiles are as near as can be, in proportion.
- The rulebooks disagree on the players: the English one says 15 to 30 minutes of 6 players, the Spanish one of 4. Each
  reading has its scale (`FITTED`); the English one is followed, and both are shown.

The scales in `FITTED` are what ``python -m nambarz_sim.analysis.minutes`` prints.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from nambarz_sim._errors import cut, shown, unknown_name
from nambarz_sim.analysis.estimates import Numbers, quantile_estimate, ratio_estimate, share_estimate
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.cards import WILDCARDS
from nambarz_sim.rules import Rules
from nambarz_sim.simulation.batch import simulate
from nambarz_sim.simulation.records import PLAYER_COLUMNS, ROUND_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.simulation.results import Results
    from nambarz_sim.strategies import Strategy

RULEBOOK_MINUTES = (15, 30)
"""How long a round takes, as both rulebooks say."""
READINGS = {"six players": 6, "four players": 4}
"""The players of whom they say so: the English rulebook, which is followed, and the Spanish one."""
PEOPLE = "year-6"
"""Who plays where nobody is named: the most practised of the pupils, who overlook and err a little, as people do."""
ASSUMED = {
    "match": 1.0, "calculation": 2.0, "further_card": 1.0, "draw": 1.0, "wildcard": 1.0, "penalty": 3.0, "deal": 1.5,
    "score": 0.5,
}  # fmt: skip
"""How long each event takes, in matches: assumptions, not findings."""
FITTED = {"six players": 10.6, "four players": 17.2}
"""The seconds of a match for each reading: what `fit_timings` gives."""
LONGEST = 3600
_SECONDS_A_MINUTE = 60


def _usual(event: str) -> float:
    return round(ASSUMED[event] * FITTED["six players"], 2)


@dataclass(frozen=True)
class Timings:
    """How many seconds each event of a round takes; the defaults are the English rulebook's, see above.

    Put your own class's in their place: stop the time for ten matches, ten calculations and so on.

    Parameters
    ----------
    match
        A match: looking, choosing, laying one card.
    calculation
        A calculation of two cards.
    further_card
        What each card beyond two adds to a calculation.
    draw
        Looking for a play in vain, and drawing a card.
    wildcard
        Laying a wildcard of any kind, with the card laid on it by the same player, if any.
    penalty
        A fault: the attempt, talking it over, drawing the penalty's cards.
    deal
        Shuffling and dealing at the start of a round, for each player.
    score
        Writing down the points at its end, for each player.

    Raises
    ------
    ValueError
        If a time is no number of seconds from 0 to 3600, or all are 0.

    Examples
    --------
    >>> Timings(match=6, draw=5).match
    6.0
    """

    match: float = _usual("match")
    calculation: float = _usual("calculation")
    further_card: float = _usual("further_card")
    draw: float = _usual("draw")
    wildcard: float = _usual("wildcard")
    penalty: float = _usual("penalty")
    deal: float = _usual("deal")
    score: float = _usual("score")

    def __post_init__(self) -> None:
        for field in fields(self):
            seconds = getattr(self, field.name)
            if isinstance(seconds, bool) or not isinstance(seconds, Real) or not 0 <= float(seconds) <= LONGEST:
                raise ValueError(f"{field.name}: {shown(seconds)} is not allowed; give seconds from 0 to {LONGEST}")
            object.__setattr__(self, field.name, float(seconds))
        if not any(asdict(self).values()):
            raise ValueError("timings: all seconds are 0; give at least one event some time, such as match=10")

    @classmethod
    def preset(cls, name: str, **changes: float) -> Timings:
        """The timings of a reading of the rulebooks, with some changed.

        Examples
        --------
        >>> Timings.preset("six players") == Timings()
        True
        """
        if name not in FITTED:
            raise ValueError(unknown_name("timings", name, FITTED))
        return cls(**_scaled(FITTED[name])).replace(**changes)

    @staticmethod
    def presets() -> list[str]:
        """The names for `Timings.preset`."""
        return list(FITTED)

    @classmethod
    def parse(cls, text: str) -> Timings:
        """Timings from a text: a preset's name, seconds such as ``match=6 draw=5``, or both with the name first.

        Examples
        --------
        >>> Timings.parse("four players, match=6, draw=5").draw
        5.0
        """
        words = text.replace(",", " ").split()
        name = " ".join(word for word in words if "=" not in word)
        pairs = [word.partition("=") for word in words if "=" in word]
        changes = {event: _read_seconds(event, value) for event, _, value in pairs}
        return cls.preset(name, **changes) if name else cls().replace(**changes)

    def replace(self, **changes: float) -> Timings:
        """The same timings with some changed.

        Examples
        --------
        >>> Timings().replace(penalty=30).penalty
        30.0
        """
        for name in changes:
            if name not in ASSUMED:
                raise ValueError(unknown_name("timings", name, ASSUMED))
        return replace(self, **changes)

    def to_dict(self) -> dict[str, float]:
        """The seconds of each event."""
        return asdict(self)

    @property
    def name(self) -> str:
        """The reading that these are, or ``own timings``."""
        return next((name for name in FITTED if self == Timings.preset(name)), "own timings")


def readings(timings: Timings | None = None) -> dict[str, Timings]:
    """The timings to show, the first to go by: the given ones alone, or both readings of the rulebooks.

    Examples
    --------
    >>> list(readings()), list(readings(Timings(match=6)))
    (['six players', 'four players'], ['own timings'])
    """
    both = {name: Timings.preset(name) for name in FITTED}
    if timings is None:
        return both
    rest = {name: other for name, other in both.items() if name != timings.name}
    return {timings.name: timings} | (rest if timings.name in both else {})


def round_minutes(results: Results, timings: Timings | None = None) -> Numbers:
    """The minutes of every round proper (extra rounds are left out), in the order of ``results.rounds``.

    Parameters
    ----------
    results
        A batch.
    timings
        The seconds of each event; `Timings()` without.

    Returns
    -------
    numpy.ndarray
        Shape ``(rounds,)``.

    Raises
    ------
    ValueError
        If the batch has no games.

    Examples
    --------
    >>> from nambarz_sim import simulate
    >>> round_minutes(simulate(games=3, progress=False)).shape
    (3,)
    """
    timings = timings or Timings()
    records = results.records
    if not len(records.games):
        raise ValueError("results: 0 games have no minutes; play 1 or more, or stop a batch later")
    weights = _seconds_by_column(timings)
    used = np.flatnonzero(weights)
    seconds = records.players[:, used] @ weights[used]
    dealt_in = records.rounds[:, ROUND_COLUMNS.index("dealt_in")].astype(np.int64)
    total = np.add.reduceat(seconds, np.cumsum(dealt_in) - dealt_in) + dealt_in * (timings.deal + timings.score)
    proper = records.rounds[:, ROUND_COLUMNS.index("extra_round")] == 0
    return np.asarray(total[proper] / _SECONDS_A_MINUTE, dtype=np.float64)


def summarise_minutes(results: Results, timings: Timings | None = None) -> pd.DataFrame:
    """How many minutes rounds take, for each of the `readings`.

    Returns
    -------
    pandas.DataFrame
        Index ``timings`` and ``measure`` (mean, median, P5, P25, P75, P95, and the share of the rounds that take the
        rulebooks' 15 to 30 minutes); columns ``value``, ``low`` and ``high`` (95% interval), ``unit`` and ``rounds``.

    Examples
    --------
    >>> from nambarz_sim import simulate
    >>> table = summarise_minutes(simulate(games=50, progress=False))
    >>> bool(table.loc[("four players", "mean"), "value"] > table.loc[("six players", "mean"), "value"])
    True
    """
    import pandas as pd

    rows: list[tuple[Any, ...]] = []
    count = len(results.records.games)
    proper = results.records.rounds[:, ROUND_COLUMNS.index("extra_round")] == 0
    games = results.round_games[proper]
    for name, each in readings(timings).items():
        minutes = round_minutes(results, each)
        for measure, estimate in _measures(minutes, games, count).items():
            unit = "share of rounds" if measure.startswith("rounds") else "minutes"
            rows.append((name, measure, *estimate, unit, len(minutes)))
    columns = ["timings", "measure", "value", "low", "high", "unit", "rounds"]
    return pd.DataFrame(rows, columns=columns).set_index(["timings", "measure"])


def fit_timings(
    players: int = READINGS["six players"],
    games: int = 20_000,
    seed: int = 1,
    strategies: Strategy = PEOPLE,
    assumed: Mapping[str, float] | None = None,
) -> Timings:
    """The timings for which the middle half of the rounds takes the rulebooks' 15 to 30 minutes.

    One scale is fitted: with the quartiles q and Q of the rounds at scale 1, the square root of 15 x 30 / (q x Q), to a
    tenth of a second a match. So the product of the fitted quartiles is the rulebooks', and each is off by one factor.

    Parameters
    ----------
    players
        How many play the rounds that the rulebooks speak of.
    games, seed, strategies
        The batch to fit to, of one round a game by the usual rules.
    assumed
        How long each event takes compared with the others; `ASSUMED` without.

    Examples
    --------
    >>> fit_timings(players=4, games=200).match > fit_timings(players=6, games=200).match
    True
    """
    relative = Timings(**(assumed or ASSUMED))
    results = simulate(Rules(players=players), games, seed, strategies, progress=False)
    quarter, three = np.quantile(round_minutes(results, relative), (0.25, 0.75))
    scale = round(math.sqrt(math.prod(RULEBOOK_MINUTES) / (quarter * three)), 1)
    return Timings(**_scaled(scale, relative.to_dict()))


def _scaled(scale: float, relative: Mapping[str, float] = ASSUMED) -> dict[str, float]:
    return {event: round(times * scale, 2) for event, times in relative.items()}


def _read_seconds(event: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{cut(event)}: {shown(text)} is no number of seconds; give one, such as match=10") from None


def _seconds_by_column(timings: Timings) -> Numbers:
    """What one of each column of the players' records takes, shape ``(columns,)``."""
    seconds = {"matches": timings.match, "draws": timings.draw, "penalties": timings.penalty}
    for size in range(2, LARGEST + 1):
        seconds[f"calculations_{size}"] = timings.calculation + (size - 2) * timings.further_card
    for kind in WILDCARDS:
        seconds[f"{kind.replace('-', '_')}_laid"] = timings.wildcard
    return np.array([seconds.get(column, 0.0) for column in PLAYER_COLUMNS])


def _measures(minutes: Numbers, games: Any, count: int) -> dict[str, tuple[float, float, float]]:
    """The estimates of `summarise_minutes`, with games as the independent units."""

    def by_game(values: Any) -> Numbers:
        return np.bincount(games, weights=values, minlength=count).astype(np.float64)

    rounds = by_game(np.ones(len(minutes)))
    low, high = RULEBOOK_MINUTES
    found = {"mean": ratio_estimate(by_game(minutes), rounds)}
    for name, level in (("median", 0.5), ("P5", 0.05), ("P25", 0.25), ("P75", 0.75), ("P95", 0.95)):
        found[name] = quantile_estimate(minutes, games, count, level)
    found[f"rounds of {low} to {high} minutes"] = share_estimate(by_game((minutes >= low) & (minutes <= high)), rounds)
    return found


if __name__ == "__main__":
    for reading, players in READINGS.items():
        print(f"{reading}: {fit_timings(players).match} seconds a match")
