"""The search behind `nambarz_sim.plan_lesson`: what is tried, and what each try gives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nambarz_sim.analysis.estimates import Numbers, ratio_estimate, share_estimate
from nambarz_sim.analysis.minutes import Timings, round_minutes
from nambarz_sim.analysis.seating import Seating, Together, tell_seating, usual_seatings
from nambarz_sim.events import counted
from nambarz_sim.rules import LEVELS, Rules, WildcardCounts
from nambarz_sim.simulation.batch import simulate
from nambarz_sim.simulation.records import FAULT_NAMES, OPERATION_NAMES, PLAYER_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.strategies import Strategy

HANDS = (7, 5, 3)
"""The hands that are tried, the rulebook's first."""
MOST_ROUNDS = 10
"""More rounds are not tried."""
NEARLY = 0.95
"""With this share of the most calculations a lesson counts as equally good, and the one that ends sooner is taken."""
_GAMES_TO_GUESS = 100
_CALCULATIONS = [name for name in PLAYER_COLUMNS if name.startswith("calculations_")]
ARITHMETIC: dict[str, Sequence[str]] = {
    "calculations": _CALCULATIONS,
    "calculations of 2 cards": _CALCULATIONS[:1],
    "calculations of 3 cards": _CALCULATIONS[1:2],
    "calculations of 4 cards or more": _CALCULATIONS[2:],
    **{name: [name] for name in OPERATION_NAMES},
    "matches": ["matches"],
    "draws": ["draws"],
    "faults": FAULT_NAMES,
}
"""What is counted for a pupil, and the columns of the players' records that add up to it."""


class Deal(NamedTuple):
    """The rules of dealing that a plan may choose: the variant."""

    wildcards: WildcardCounts
    hand_size: int


class Choice(NamedTuple):
    """One way to hold the lesson."""

    seating: Seating
    deal: Deal
    rounds: int


class Batch(NamedTuple):
    """What games at one table give, round after round.

    ``minutes``: for each of the readings the minutes from the first deal to the end of each round, shape ``(games,
    rounds)``. ``counts``: for each of `ARITHMETIC` what a player did on average up to then, of the same shape.
    """

    minutes: dict[str, Numbers]
    counts: dict[str, Numbers]


def table_rules(size: int, deal: Deal, operations: str, rounds: int) -> Rules:
    """The rules at a table; a tie stands, since a lesson has no time for extra rounds."""
    return Rules(size, deal.wildcards, operations, rounds=rounds, hand_size=deal.hand_size, play_off="none")


def level_of(wildcards: WildcardCounts) -> str:
    """A level's name, or the counts of the wildcards.

    Examples
    --------
    >>> level_of(Rules().wildcards), level_of(Rules(wildcards=0).wildcards)
    ('beginner', 'none')
    """
    known = {(each,) * len(wildcards): name for name, each in LEVELS.items()} | {(0,) * len(wildcards): "none"}
    return known.get(tuple(wildcards), str(wildcards))


def together(seating: Seating, batches: dict[int, Batch], reading: str, rounds: int) -> Together:
    """All tables of a seating, after so many rounds."""
    return Together(seating, {size: batches[size].minutes[reading][:, rounds - 1] for size in set(seating)})


def play_tables(rules: Rules, games: int, seed: int, strategy: Strategy, timings: dict[str, Timings]) -> Batch:
    """Games at one table.

    Examples
    --------
    >>> batch = play_tables(Rules(rounds=2, play_off="none"), 5, 1, "greedy", {"own": Timings()})
    >>> batch.minutes["own"].shape, batch.counts["additions"].shape
    ((5, 2), (5, 2))
    """
    results = simulate(rules, games, seed, strategy, progress=False)
    players = results.records.players.reshape(games, rules.rounds, rules.players, -1)

    def mean(columns: Sequence[str]) -> Numbers:
        places = [PLAYER_COLUMNS.index(column) for column in columns]
        return np.asarray(players[..., places].sum(axis=(2, 3)).cumsum(axis=1) / rules.players, dtype=np.float64)

    return Batch(
        {name: round_minutes(results, each).reshape(games, -1).cumsum(axis=1) for name, each in timings.items()},
        {measure: mean(columns) for measure, columns in ARITHMETIC.items()},
    )


@dataclass
class Search:
    """What is tried, in the order of `nambarz_sim.analysis.lesson`, and what came of it.

    Attributes
    ----------
    time, chance
        Minutes to play in, and how likely all tables must be to finish in them.
    operations, strategy, timings, games, seed
        What is the same for all; the first of the timings decides.
    levels
        The wildcards to try.
    """

    time: int
    chance: float
    operations: str
    strategy: Strategy
    timings: dict[str, Timings]
    games: int
    seed: int
    levels: list[WildcardCounts]
    _played: dict[tuple[int, Deal], Batch | None] = field(default_factory=dict)
    _tried: dict[Choice, Together] = field(default_factory=dict)
    _rounds: int = 1

    def find(self, ways: list[Seating]) -> Choice | None:
        """Of the first step in which something fits, what ends soonest with (nearly) most calculations; None if nothing."""
        self._rounds = self._most_rounds((usual_seatings(ways) or ways)[-1][-1])
        for step in self._steps(ways):
            gain = {choice: self._a_pupil(choice, "calculations")[0] for choice in step if self._fits(choice)}
            if gain:
                best = [choice for choice in gain if gain[choice] >= NEARLY * max(gain.values())]
                return min(best, key=lambda choice: self._tried[choice].quantile(self.chance)[0])
        return None

    def batches(self, choice: Choice) -> dict[int, Batch]:
        """The games at the tables of a choice, by their sizes."""
        found = {size: self._played[size, choice.deal] for size in dict.fromkeys(choice.seating)}
        return {size: batch for size, batch in found.items() if batch}

    def _fits(self, choice: Choice) -> bool:
        return self._tried[choice].chance(self.time)[0] >= self.chance

    def _most_rounds(self, size: int) -> int:
        """One round more than the quickest tables can hope to finish."""
        deal = Deal(self.levels[0], HANDS[-1])  # which can always be dealt
        rules = table_rules(size, deal, self.operations, 1)
        batch = play_tables(rules, _GAMES_TO_GUESS, self.seed, self.strategy, self.timings)
        mean = float(batch.minutes[next(iter(self.timings))].mean())
        return min(MOST_ROUNDS, 1 + max(0, int(self.time / mean)))

    def _steps(self, ways: list[Seating]) -> Iterator[list[Choice]]:
        """What is tried at a time."""
        usual = usual_seatings(ways)
        groups = [usual] if usual else []
        if ways[-1] not in usual:
            groups.append(ways[-1:])
        levels = self.levels
        for group in groups:
            for hand_size in HANDS:
                deals = [Deal(level, hand_size) for level in levels]
                yield [choice for deal in deals for seating in group for choice in self._try(seating, deal)]
                levels = self.levels[:1]  # with more wildcards rounds are shorter

    def _try(self, seating: Seating, deal: Deal) -> list[Choice]:
        """A seating with a deal for every number of rounds; none where it cannot be dealt (R1.5)."""
        batches = {size: self._play(size, deal) for size in dict.fromkeys(seating)}
        dealt = {size: batch for size, batch in batches.items() if batch}
        if len(dealt) < len(batches):
            return []
        choices = [Choice(seating, deal, rounds) for rounds in range(1, self._rounds + 1)]
        for choice in choices:
            self._tried[choice] = together(seating, dealt, next(iter(self.timings)), choice.rounds)
        return choices

    def _play(self, size: int, deal: Deal) -> Batch | None:
        """The games at a table, played once; None if they cannot be dealt."""
        if (size, deal) not in self._played:
            try:
                rules = table_rules(size, deal, self.operations, self._rounds)
            except ValueError:  # all else was checked before
                self._played[size, deal] = None
            else:
                self._played[size, deal] = play_tables(rules, self.games, self.seed, self.strategy, self.timings)
        return self._played[size, deal]

    def _a_pupil(self, choice: Choice, measure: str) -> tuple[float, float, float]:
        """What a pupil of the class does on average, game by game over tables of all sizes."""
        batches = self.batches(choice)
        by_game = np.zeros(self.games)
        for size in choice.seating:
            by_game += size * batches[size].counts[measure][:, choice.rounds - 1] / sum(choice.seating)
        return ratio_estimate(by_game, np.ones(self.games))

    def nearest(self) -> tuple[Choice, int]:
        """What comes nearest to fitting when nothing does, and the minutes of play that would do for it."""
        choice = min(self._tried, key=lambda each: self._tried[each].quantile(self.chance)[0])
        return choice, math.ceil(self._tried[choice].quantile(self.chance)[0])

    def chance_of(self, choice: Choice) -> float:
        """How likely all tables are to finish in time."""
        return self._tried[choice].chance(self.time)[0]

    def table(self, chosen: Choice) -> pd.DataFrame:
        """One row for all that was tried."""
        import pandas as pd

        return pd.DataFrame([self._row(choice, choice == chosen) for choice in self._tried])

    def _row(self, choice: Choice, chosen: bool) -> dict[str, Any]:
        row: dict[str, Any] = {
            "seating": tell_seating(choice.seating),
            "tables": len(choice.seating),
            "wildcards": level_of(choice.deal.wildcards),
            "hand_size": choice.deal.hand_size,
            "rounds": choice.rounds,
        }
        for place, reading in enumerate(self.timings):
            more = f", {reading}" if place else ""
            chances = together(choice.seating, self.batches(choice), reading, choice.rounds).chance(self.time)
            row |= dict(zip((f"chance{more}", f"low{more}", f"high{more}"), chances, strict=True))
        names = ("calculations", "calculations_low", "calculations_high")
        row |= dict(zip(names, self._a_pupil(choice, "calculations"), strict=True))
        return row | {"games": self.games, "fits": self._fits(choice), "chosen": chosen}

    def times(self, choice: Choice) -> pd.DataFrame:
        """Minutes and chances of each size of table and of all together, by each reading."""
        import pandas as pd

        rows: list[tuple[Any, ...]] = []
        ones = np.ones(self.games)
        batches = self.batches(choice)
        for reading in self.timings:
            for size, batch in batches.items():
                minutes = batch.minutes[reading][:, choice.rounds - 1]
                table = Together((size,), {size: minutes})
                where = (reading, f"a table of {size}")
                rows.append((*where, "mean", *ratio_estimate(minutes, ones), "minutes"))
                rows += [(*where, *row) for row in _quantiles(table)]
                done = share_estimate((minutes <= self.time).astype(np.float64), ones)
                rows.append((*where, "done in time", *done, "share of lessons"))
            last = together(choice.seating, batches, reading, choice.rounds)
            rows += [(reading, "all tables", *row) for row in _quantiles(last)]
            rows.append((reading, "all tables", "done in time", *last.chance(self.time), "share of lessons"))
        columns = ["timings", "who", "measure", "value", "low", "high", "unit"]
        return pd.DataFrame(rows, columns=columns).assign(games=self.games).set_index(columns[:3])

    def arithmetic(self, choice: Choice) -> pd.DataFrame:
        """What a pupil gets through."""
        import pandas as pd

        rows = [(measure, *self._a_pupil(choice, measure), "a pupil") for measure in ARITHMETIC]
        columns = ["measure", "value", "low", "high", "unit"]
        return pd.DataFrame(rows, columns=columns).assign(games=self.games).set_index("measure")


def _quantiles(tables: Together) -> list[tuple[Any, ...]]:
    levels = {"P5": 0.05, "median": 0.5, "P95": 0.95}
    return [(name, *tables.quantile(level), "minutes") for name, level in levels.items()]


def tell_choice(choice: Choice) -> str:
    """A choice in words.

    Examples
    --------
    >>> tell_choice(Choice((4, 3), Deal(Rules().wildcards, 7), 2))
    '1 table of 4 and 1 of 3, 2 rounds, 7 cards each, beginner wildcards'
    """
    hand = f"{counted(choice.deal.hand_size, 'card')} each"
    level = level_of(choice.deal.wildcards)
    return f"{tell_seating(choice.seating)}, {counted(choice.rounds, 'round')}, {hand}, {level} wildcards"
