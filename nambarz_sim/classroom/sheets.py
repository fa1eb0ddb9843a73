"""Sheets of equal difficulty: the same kinds of task in the same places, and totals that differ by next to nothing.

For each kind more tasks are drawn than are needed and put in order of their difficulty. Cut into as many bins as a sheet
has tasks of the kind, each bin gives every sheet one task, near the bin's middle. Who gets which is chosen so that the
totals come out equal, from the bin that differs most to the one that differs least; then tasks of one bin are exchanged
between the hardest sheet and another, as long as that helps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from nambarz_sim.classroom.difficulty import difficulty
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.task_kinds import draw_tasks
from nambarz_sim.classroom.tasks import Task
from nambarz_sim.rules import Rules

TOLERANCE = 0.05
"""The most by which the totals of a set's sheets differ: a twentieth of a task that everybody fails."""
NARROW = 0.05
"""Tasks in one place of the sheets that differ by no more than this are as good as equal."""
_POOLS = (2, 4, 8)
"""How many tasks are drawn for each one needed; more, if the totals cannot be made equal."""
_SMALLEST_POOL = 10

_Rated = tuple[float, Task]


@dataclass(frozen=True)
class Sheet:
    """One pupil's sheet.

    Attributes
    ----------
    number
        Its number in the set, from 1 on.
    tasks
        The tasks, in the order in which they stand on it.
    difficulties
        How difficult each of them is (`nambarz_sim.classroom.difficulty`).
    """

    number: int
    tasks: tuple[Task, ...]
    difficulties: tuple[float, ...]

    @property
    def total(self) -> float:
        """The sum of the difficulties: how many tasks a pupil of the level's school year can be expected to fail."""
        return sum(self.difficulties)


def equal_sheets(
    sheets: int,
    level: Level,
    kinds: tuple[str, ...],
    tasks: int,
    seed: int,
    rules: Rules | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Sheet, ...]:
    """Sheets whose totals differ by no more than `TOLERANCE`, without a task that comes twice.

    Raises
    ------
    ValueError
        If the level has not enough tasks of a kind, or they cannot be made equal.
    """
    chance = Random(f"sheets {seed} {level}")
    places = _places(kinds, tasks, chance)
    bins: dict[str, list[list[_Rated]]] = {}
    gap = 0.0
    for pool in _POOLS:
        # A larger pool helps only where the tasks of some place differ much.
        wide = [kind for kind, parts in bins.items() if any(part[-1][0] - part[0][0] > NARROW for part in parts)]
        for done, kind in enumerate(again := wide or list(places)):
            if progress:
                progress(done, len(again) + 1)
            count = places[kind]
            most = max(pool * count * sheets, _SMALLEST_POOL * count)
            drawn = draw_tasks(kind, level, rules, most, seed, count * sheets)
            rated = sorted(((difficulty(task, level), task) for task in drawn), key=lambda each: each[0])
            bins[kind] = _bins(rated, count, sheets)
        rows = _level_out([part for kind in places for part in bins[kind]], sheets, chance)
        totals = [sum(rating for rating, _ in row) for row in rows]
        gap = max(totals) - min(totals)
        if gap <= TOLERANCE:
            if progress:
                progress(1, 1)
            return tuple(
                Sheet(number, tuple(task for _, task in row), tuple(rating for rating, _ in row))
                for number, row in enumerate(rows, 1)
            )
    raise ValueError(
        f"sheets: {sheets} sheets of {tasks} tasks each cannot be made equally difficult, their totals differ by "
        f"{gap:.2f} and at most {TOLERANCE} is allowed; ask for more tasks on a sheet, fewer sheets, or other kinds"
    )


def _places(kinds: tuple[str, ...], tasks: int, chance: Random) -> dict[str, int]:
    """How many tasks of each kind a sheet has: as equally many as can be, what is left over by lot."""
    each, over = divmod(tasks, len(kinds))
    more = chance.sample(kinds, over)
    counts = {kind: each + (kind in more) for kind in kinds}
    return {kind: count for kind, count in counts.items() if count}


def _bins(rated: list[_Rated], count: int, sheets: int) -> list[list[_Rated]]:
    """Tasks in order of their difficulty cut into bins, and of each bin so many neighbours as there are sheets."""
    edges = [place * len(rated) // count for place in range(count + 1)]
    chosen = []
    for start, end in pairwise(edges):
        part = rated[start:end]
        windows = range(len(part) - sheets + 1)
        middle = (len(part) - sheets) / 2

        def unfit(first: int, part: list[_Rated] = part, middle: float = middle) -> tuple[float, float]:
            wide = part[first + sheets - 1][0] - part[first][0]
            return max(wide, NARROW), abs(first - middle)

        first = min(windows, key=unfit)
        chosen.append(part[first : first + sheets])
    return chosen


def _level_out(bins: list[list[_Rated]], sheets: int, chance: Random) -> list[list[_Rated]]:
    """One task of each bin for every sheet, so that the totals are as equal as can be."""
    totals = [0.0] * sheets
    columns: list[list[_Rated]] = [[] for _ in bins]
    for place in sorted(range(len(bins)), key=lambda place: bins[place][0][0] - bins[place][-1][0]):
        order = list(range(sheets))
        chance.shuffle(order)
        order.sort(key=lambda sheet: -totals[sheet])
        column: dict[int, _Rated] = dict(zip(order, bins[place], strict=True))
        columns[place] = [column[sheet] for sheet in range(sheets)]
        totals = [total + column[sheet][0] for sheet, total in enumerate(totals)]
    while _exchange(columns, totals):
        pass
    return [[column[sheet] for column in columns] for sheet in range(sheets)]


def _exchange(columns: list[list[_Rated]], totals: list[float]) -> bool:
    """Exchange two tasks of one place between the hardest or easiest sheet and another; whether it was of use."""
    hardest, easiest = totals.index(max(totals)), totals.index(min(totals))
    best, found = 1e-9, None
    for column in columns:
        for one in (hardest, easiest):
            for other in range(len(totals)):
                moved = column[one][0] - column[other][0]
                # What the squares of the two totals lose by it.
                gain = 2 * moved * (totals[one] - totals[other] - moved)
                if gain > best:
                    best, found = gain, (column, one, other, moved)
    if found is None:
        return False
    column, one, other, moved = found
    column[one], column[other] = column[other], column[one]
    totals[one] -= moved
    totals[other] += moved
    return True
