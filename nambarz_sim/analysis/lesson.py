"""A lesson with NAMBARZ: which tables, which variant, how many rounds, and the arithmetic that a pupil gets through.

What is tried, in this order, until something fits (all tables finish in time with the chance asked for):

1. tables of 3 to 6 with the usual hand of seven, at every level of wildcards; then, at the first level, with hands of 5
   and of 3 cards;
2. as many tables as there can be, pairs if possible, with hands of 7, 5 and 3 cards.

Where there are too few tables for 3 to 6 at each, only the most tables possible are tried. Of what fits in one step, the
plan takes the lesson in which a pupil gets through most calculations; among those with nearly as many (95 of 100), the one
that ends soonest. All that is tried plays the same deals, so what differs between two rows of `LessonPlan.table` is hardly
chance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

from nambarz_sim._errors import whole_number
from nambarz_sim.analysis.lesson_search import Batch, Choice, Deal, Search, table_rules, tell_choice, together
from nambarz_sim.analysis.minutes import PEOPLE, Timings, readings
from nambarz_sim.analysis.seating import Seating, Together, seatings
from nambarz_sim.cards import WILDCARDS
from nambarz_sim.rules import LEVELS, Rules, WildcardCounts
from nambarz_sim.strategies import Strategy, seat_strategies
from nambarz_sim.strategies.pupil import Pupil

if TYPE_CHECKING:
    import pandas as pd

RESERVE = 10
"""Minutes kept for explaining, handing out and tidying up, where nothing else is said."""
_LIMITS = {"minutes": (1, 600), "pupils": (2, 400), "reserve": (0, 600), "games": (100, 100_000)}


@dataclass(frozen=True)
class LessonPlan:
    """A plan of a lesson; ``print(plan)`` gives the page to read.

    Attributes
    ----------
    minutes, pupils, reserve, operations, chance, games, seed
        As asked for.
    seating
        The pupils at each table; each table needs a deck.
    wildcards, hand_size, rounds
        The variant, and the rounds that every table plays.
    strategy
        How the simulated pupils play.
    timings
        The timings by the readings' names; the plan goes by the first.
    table
        All that was tried, one row a seating, variant and number of rounds: the chance that all tables finish in time, by
        each reading, the calculations that a pupil gets through, each with its 95% interval, and whether it fits.
    times
        Minutes of play for each reading and size of table, and until the last table is done, in the plan's rounds: mean
        (by Student's t over games), P5, median and P95, and the chance to be done in time, with 95% intervals.
    arithmetic
        What a pupil gets through when all rounds are played to the end: mean, 95% interval and the games behind it.
    batches
        The games at a table of each size, behind the figures.
    """

    minutes: int
    pupils: int
    reserve: int
    operations: str
    chance: float
    games: int
    seed: int
    seating: Seating
    wildcards: WildcardCounts
    hand_size: int
    rounds: int
    strategy: str
    timings: dict[str, Timings]
    table: pd.DataFrame = field(repr=False, compare=False)
    times: pd.DataFrame = field(repr=False, compare=False)
    arithmetic: pd.DataFrame = field(repr=False, compare=False)
    batches: dict[int, Batch] = field(repr=False, compare=False)

    def __str__(self) -> str:
        from nambarz_sim.analysis.lesson_page import tell_plan

        return tell_plan(self)

    @property
    def time(self) -> int:
        """The minutes left to play in."""
        return self.minutes - self.reserve

    @property
    def choice(self) -> Choice:
        """What the plan proposes."""
        return Choice(self.seating, Deal(self.wildcards, self.hand_size), self.rounds)

    @property
    def rules(self) -> dict[int, Rules]:
        """The rules at a table of each size."""
        sizes = dict.fromkeys(self.seating)
        return {size: table_rules(size, self.choice.deal, self.operations, self.rounds) for size in sizes}

    def estimate(
        self, measure: str, who: str = "all tables", reading: str | None = None
    ) -> tuple[float, float, float] | None:
        """A figure of `times` with its interval, by the first reading without; None where there is none."""
        where = (reading or next(iter(self.timings)), who, measure)
        if where not in self.times.index:
            return None
        value, low, high = (float(self.times[column][where]) for column in ("value", "low", "high"))
        return value, low, high

    def together(self, reading: str | None = None, rounds: int | None = None) -> Together:
        """All tables of the lesson by one of the readings, after so many rounds; the plan's own without."""
        return together(self.seating, self.batches, reading or next(iter(self.timings)), rounds or self.rounds)

    def to_dict(self) -> dict[str, Any]:
        """The plan as plain numbers, texts, lists and dictionaries, its tables as lists of rows."""
        names = ("minutes", "pupils", "reserve", "operations", "chance", "games", "seed", "hand_size", "rounds")
        tables = {"times": self.times.reset_index(), "arithmetic": self.arithmetic.reset_index(), "table": self.table}
        return {
            **{name: getattr(self, name) for name in names},
            "wildcards": dict(zip(WILDCARDS, self.wildcards, strict=True)),
            "seating": list(self.seating),
            "strategy": self.strategy,
            "timings": {name: timings.to_dict() for name, timings in self.timings.items()},
            **{name: frame.to_dict(orient="records") for name, frame in tables.items()},
        }


def plan_lesson(
    minutes: int = 45,
    pupils: int = 27,
    operations: str = "+-*/",
    wildcards: Any = None,
    school_year: int | None = None,
    strategies: Strategy | None = None,
    timings: Timings | str | None = None,
    most_tables: int | None = None,
    reserve: int = RESERVE,
    chance: float = 0.9,
    games: int = 1_000,
    seed: int = 1,
) -> LessonPlan:
    """A lesson that ends in time: tables, seats, variant and rounds, and the arithmetic a pupil gets through.

    Parameters
    ----------
    minutes
        The length of the lesson.
    pupils
        How many there are; all play.
    operations
        The operations to practise.
    wildcards
        A level, a total or counts, as for `Rules`; every level is tried without.
    school_year
        1 to 6: the simulated pupils play and err like that year's (`Pupil.preset`).
    strategies
        Or: how they play, one strategy for all. Without both they are practised players, ``"year-6"``, to whom the
        default timings are fitted.
    timings
        The seconds of each event, or a text for `Timings.parse`; both readings of the rulebooks are shown without, and
        the plan goes by the English one.
    most_tables
        How many tables there can be at most: as many as there are decks.
    reserve
        Minutes of the lesson for explaining, handing out and tidying up.
    chance
        How likely all tables are to finish in time.
    games
        How many games are played for each size of table and variant.
    seed
        Which deals.

    Raises
    ------
    ValueError
        If an argument is not allowed, or nothing that was tried fits; the message then says how many minutes would do.

    Examples
    --------
    >>> plan = plan_lesson(minutes=60, pupils=8, wildcards="beginner", games=100)
    >>> sum(plan.seating), plan.rounds >= 1
    (8, True)
    """
    asked = {"minutes": minutes, "pupils": pupils, "reserve": reserve, "games": games}
    numbers = {name: whole_number(name, value, *_LIMITS[name]) for name, value in asked.items()}
    if isinstance(chance, bool) or not isinstance(chance, Real) or not 0 < float(chance) < 1:
        raise ValueError(f"chance: {chance!r} is not allowed; give one between 0 and 1, such as 0.9")
    if most_tables is not None:
        whole_number("most_tables", most_tables, 1, _LIMITS["pupils"][1])
    levels = [Rules(2, level, operations) for level in (LEVELS if wildcards is None else [wildcards])]
    search = Search(
        time=numbers["minutes"] - numbers["reserve"],
        chance=float(chance),
        operations=levels[0].operations,
        strategy=_who(school_year, strategies),
        timings=readings(Timings.parse(timings) if isinstance(timings, str) else timings),
        games=numbers["games"],
        seed=whole_number("seed", seed, 0, 2**63 - 1),
        levels=[level.wildcards for level in levels],
    )
    chosen = search.find(seatings(numbers["pupils"], most_tables))
    if chosen is None:
        raise ValueError(_too_short(search, numbers))
    return LessonPlan(
        **numbers,
        operations=search.operations,
        chance=search.chance,
        seed=search.seed,
        seating=chosen.seating,
        wildcards=chosen.deal.wildcards,
        hand_size=chosen.deal.hand_size,
        rounds=chosen.rounds,
        strategy=seat_strategies(search.strategy, 2).names[0],
        timings=search.timings,
        table=search.table(chosen),
        times=search.times(chosen),
        arithmetic=search.arithmetic(chosen),
        batches=search.batches(chosen),
    )


def _who(school_year: int | None, strategies: Strategy | None) -> Strategy:
    """How the simulated pupils play."""
    if school_year is not None:
        if strategies is not None:
            raise ValueError(f"school_year: {school_year!r} and strategies are both given; give one of them")
        return Pupil.preset(f"year-{whole_number('school_year', school_year, 1, len(Pupil.presets()))}")
    if isinstance(strategies, list | tuple):
        raise ValueError("strategies: a list is not allowed, since tables differ in size; give one strategy for all")
    chosen = PEOPLE if strategies is None else strategies
    seat_strategies(chosen, 2)
    return chosen


def _too_short(search: Search, numbers: dict[str, int]) -> str:
    """What to say when nothing fits, and what would."""
    choice, needed = search.nearest()
    return (
        f"minutes: {numbers['minutes']} are too few for {numbers['pupils']} pupils, {numbers['reserve']} of them for "
        f"explaining (reserve): what comes nearest, {tell_choice(choice)}, ends in time at all tables in "
        f"{100 * search.chance_of(choice):.0f} of 100 lessons; give {needed + numbers['reserve']} minutes or more, or "
        f"accept a smaller chance than {search.chance:g}"
    )
