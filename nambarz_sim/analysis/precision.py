"""`simulate_until`: games are played until a measure's interval is as narrow as asked.

After a first batch the games still needed are foretold from the width so far, which shrinks with the square root of their
number. So the interval is looked at a few times only: every look that may end the sampling takes a little from the
interval's coverage (Chow and Robbins 1965 show that what it takes vanishes as the width asked for shrinks).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from nambarz_sim._errors import whole_number
from nambarz_sim.analysis.summary import Estimate, estimate, figure_in_words
from nambarz_sim.analysis.wording import shown
from nambarz_sim.languages import N_, _, localised, plural
from nambarz_sim.rules import Rules
from nambarz_sim.simulation.batch import Progress, play_on
from nambarz_sim.simulation.records import Records
from nambarz_sim.simulation.results import Results
from nambarz_sim.strategies import Strategy, seat_strategies

FIRST_GAMES = 1_000
"""Games before the interval is looked at for the first time."""
MOST_GAMES = 10_000_000
_OF = {"share of rounds": N_("of rounds"), "share of plays": N_("of plays")}
"""What a share is of, behind a figure in per cent."""
_MARGIN = 1.05
"""So many times the games foretold are played: a forecast may fall short."""


@dataclass(frozen=True)
class Precision:
    """What `simulate_until` found.

    Attributes
    ----------
    results
        The whole batch.
    measure
        The name of the measure.
    estimate
        Its ``value`` with the 95% interval ``low`` to ``high``, in its ``unit``, and the ``rounds`` behind it.
    asked
        The half-width asked for.
    games
        How many games that took.
    """

    results: Results
    measure: str
    estimate: Estimate
    asked: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.results.game_count

    @property
    def half_width(self) -> float:
        """Half the width of the interval, in the unit of the summary."""
        return (self.estimate.high - self.estimate.low) / 2

    @property
    def reached(self) -> bool:
        """Whether the interval is as narrow as asked; False after a stop, or at the most games."""
        return self.half_width <= self.asked

    def __str__(self) -> str:
        unit = self.estimate.unit
        value, low, high = (figure_in_words(figure, unit) for figure in self.estimate[:3])
        estimate = _("{measure}: {value} {unit} (95% interval {low} to {high}).").format(
            measure=shown(self.measure), value=value, unit=_(_OF.get(unit, unit)), low=low, high=high
        )
        if self.reached:
            took = plural("That took {count} game.", "That took {count} games.", self.games)
        else:
            took = plural(
                "The interval is still wider than asked; that took {count} game.",
                "The interval is still wider than asked; that took {count} games.",
                self.games,
            )
        return f"{estimate} {took.format(count=localised(f'{self.games:,}'))}"


def simulate_until(
    rules: Rules | None = None,
    measure: str = "turns a round, mean",
    half_width: float = 0.5,
    seed: int = 1,
    strategies: Strategy | Sequence[Strategy] = "greedy",
    most_games: int = MOST_GAMES,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | Progress | None = True,
) -> Precision:
    """Play games until a measure's 95% interval is as narrow as asked, and say how many that took.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    measure
        A measure of `Results.summary`.
    half_width
        Half the width of the interval, above 0, in the measure's unit: 0.5 turns; 0.01 for one percentage point of a share.
    seed, strategies, workers, executor
        As `nambarz_sim.simulate` takes them; the games are those of a batch of that seed.
    most_games
        Where to give up.
    progress
        As for `nambarz_sim.simulate`; the total is the number of games foretold so far.

    Returns
    -------
    Precision
        The figure, its interval, and the batch.

    Raises
    ------
    ValueError
        If an argument is not allowed, or the measure is not known.

    Examples
    --------
    >>> found = simulate_until(Rules(players=3), "turns a round, mean", half_width=1.0, progress=False)
    >>> found.reached, found.half_width <= 1.0
    (True, True)
    """
    rules = rules or Rules()
    if isinstance(half_width, bool) or not isinstance(half_width, int | float) or not 0 < half_width < math.inf:
        raise ValueError(f"half_width: {half_width!r} is not allowed; give a number above 0, in the measure's unit")
    most_games = whole_number("most_games", most_games, 2, MOST_GAMES)
    names = seat_strategies(strategies, rules.players).names
    seed = whole_number("seed", seed, 0, 2**63 - 1)
    # A measure that there is none of is refused after one game and not after thousands.
    estimate(Results(rules, names, seed, play_on(rules, 0, 1, seed, strategies, 1, progress=False)), measure)
    played: list[Records] = []
    done, games = 0, min(FIRST_GAMES, most_games)
    while True:
        played += play_on(rules, done, games, seed, strategies, workers, executor, progress=progress)
        done = sum(len(records.games) for records in played)
        if done < 2:
            raise ValueError("simulate_until: it was stopped before 2 games were over; let it play longer")
        results = Results(rules, names, seed, [Records.join(played)])
        found = Precision(results, measure, estimate(results, measure), half_width)
        if found.reached or done < games or games == most_games:
            return found
        width = found.half_width
        ratio = (width / half_width) ** 2 if math.isfinite(width) else 10.0
        games = min(most_games, max(math.ceil(_MARGIN * done * min(ratio, 100.0)), 2 * done if ratio > 2 else done + 1))
