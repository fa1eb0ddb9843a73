"""How difficult a task is: the share of pupils of the level's school year who can be expected to fail it, from 0 to 1.

Two things make it up.

*The effort of a calculation*, from the table of minimal calculations, which holds for each set of cards an easy way to
work it: 1 for each step, 1 more if it multiplies or divides, 1 more if a number above `SMALL` comes up in it. So more
cards, harder operations and larger numbers mean more effort. A card that simply covers is an effort of 1.

*The chances of a simulated pupil* of the school year (`nambarz_sim.Pupil`; the figures are assumptions): to overlook a
play, to slip in a calculation, to forget a rule. They are calibrated to the level: a calculation of mean effort (the
mean over the table, as hands are made up from it) is overlooked, or goes wrong, just as often as the preset says; one of
twice that effort twice as often, up to `MOST_LIKELY`.

With *seen* for not overlooking a play and *worked* for making no slip in it (a plain match has no slip), a pupil fails

========================  ==============================================================================================
find a play, exactly n    unless some of the right plays is seen, and worked (as hard as they are on the average)
find the longest          unless it is seen and worked
find all                  unless each set of cards is seen and worked
complete                  unless the calculation is seen and worked
right or wrong            unless the calculation is worked, and, where there is a fault, its rule is not forgotten (R6.1,
                          R6.2, R6.5) and its reason is seen: the smaller calculation (R6.1), or a card (R6.2, R6.3, R6.5)
plan a replay             unless some first play is seen and worked together with some second one
========================  ==============================================================================================

What is right or wrong in a task does not depend on any of this. `simulated_failures` has such pupils play the hand of a
task in the engine, to compare: where a play is to be found, and over many tasks, both give nearly the same share
(`tests/test_worksheets.py` holds them to it). Task by task they differ, the more so at the higher levels: a simulated pupil
overlooks every play with the same chance and knows no effort, so its failures tell only how many plays there are to find.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from math import prod
from typing import NamedTuple

from nambarz_sim._rng import PURPOSE_PUPIL, STREAM_SIZE, start_stream
from nambarz_sim.arithmetic.expression import read_attempt, steps_of
from nambarz_sim.cards import Card, Deck
from nambarz_sim.classroom.hands import listed_calculations
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.tasks import GAP, Task
from nambarz_sim.engine.kernel import pupil_stream
from nambarz_sim.engine.plays import Play, lay_table
from nambarz_sim.engine.state import new_plays
from nambarz_sim.rules import Rules
from nambarz_sim.strategies import seat_strategies
from nambarz_sim.strategies.own import choose_row, mistake
from nambarz_sim.strategies.pupil import Pupil, pupils_at
from nambarz_sim.verdict import judge

SMALL = 10
"""Numbers up to this one are no extra effort."""
MOST_LIKELY = 0.9
"""No chance becomes larger than this, however great the effort."""


def effort(cards: Iterable[Card], operations: str) -> int:
    """How much work a calculation is, worked left to right.

    Examples
    --------
    >>> [effort([Card("number", n) for n in (8, 7, 5)], signs) for signs in ("--", "+-", "*/")]
    [2, 4, 6]
    """
    work = 0
    for before, sign, number, after in steps_of(list(cards), operations):
        large = any(abs(float(value or 0)) > SMALL for value in (before, number, after))
        work += 1 + (sign in "*/") + large
    return work


@lru_cache(maxsize=64)
def mean_effort(level: Level, rules: Rules) -> float:
    """The mean effort of the calculations that a level's hands are made up around: by target, then by number of cards."""
    return _mean(
        _mean(
            _mean(effort([Card("number", number) for number in entry.order], entry.operations) for entry in entries)
            for entries in by_size.values()
        )
        for by_size in listed_calculations(level, rules).values()
    )


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


class _Chances(NamedTuple):
    """What a pupil of the level's year does, calibrated to the level."""

    pupil: Pupil
    mean: float

    def overlooks(self, work: float) -> float:
        return min(MOST_LIKELY, self.pupil.overlook * work / self.mean)

    def slips(self, work: float) -> float:
        return min(MOST_LIKELY, self.pupil.slip * work / self.mean)

    def misses(self, play: Play, rules: Rules) -> float:
        """To overlook a play."""
        return self.overlooks(_effort_of(play, rules))

    def errs(self, play: Play, rules: Rules) -> float:
        """To slip in a play that is seen."""
        return self.slips(_effort_of(play, rules)) if len(play.cards) > 1 else 0.0

    def fails(self, plays: list[Play], rules: Rules) -> float:
        """To overlook all of some plays, or to slip in the one that is seen."""
        none_seen = prod(self.misses(play, rules) for play in plays)
        return 1 - (1 - none_seen) * (1 - _mean(self.errs(play, rules) for play in plays))


def _effort_of(play: Play, rules: Rules) -> int:
    return _effort_written(play.expression, rules.deck) if play.kind == "calculation" else 1


@lru_cache(maxsize=4096)
def _effort_written(written: str, deck: str) -> int:
    read = read_attempt(written, Deck.load(deck))
    return effort(read.cards, read.operations or "")


def difficulty(task: Task, level: Level) -> float:
    """The share of pupils of the level's school year who can be expected to fail a task; see the module's text.

    Examples
    --------
    >>> from nambarz_sim.classroom.task_kinds import draw_tasks
    >>> level = Level.preset(3)
    >>> for task in draw_tasks("complete", level, None, 2, seed=1):
    ...     print(task.written, "=", task.active.number, round(difficulty(task, level), 2))
    (9 + 4) ? 6 = 7 0.48
    9 - ? = 7 0.13
    """
    return _FAILS[task.kind](task, _chances(level, task.rules))


@lru_cache(maxsize=64)
def _chances(level: Level, rules: Rules) -> _Chances:
    return _Chances(Pupil.preset(f"year-{level.school_year}"), mean_effort(level, rules))


def _some(task: Task, chances: _Chances) -> float:
    return chances.fails([play for (play,) in task.answers], task.rules)


def _all(task: Task, chances: _Chances) -> float:
    sets: dict[tuple[Card, ...], list[Play]] = defaultdict(list)
    for (play,) in task.answers:
        sets[tuple(sorted(play.cards))].append(play)
    return 1 - prod(1 - chances.fails(plays, task.rules) for plays in sets.values())


def _completed(task: Task, chances: _Chances) -> float:
    work = _effort_written(task.written.replace(GAP, task.solution), task.rules.deck)
    return 1 - (1 - chances.overlooks(work)) * (1 - chances.slips(work))


def _judged(task: Task, chances: _Chances) -> float:
    pupil, a_card = chances.pupil, chances.overlooks(1)
    wildcard = any(card.is_wildcard for card in task.hand)
    slips = 0.0 if wildcard else chances.slips(_effort_written(task.written, task.rules.deck))
    forgets = {
        "R6.1": pupil.forget_fewest, "R6.2": pupil.forget_matching, "R6.5": pupil.misuse_wildcard,
        "right": pupil.misuse_wildcard if wildcard else 0.0,
    }.get(task.solution, 0.0)  # fmt: skip
    overlooks = {"right": 0.0, "R6.4": 0.0}.get(task.solution, a_card)
    if task.solution == "R6.1":
        smaller = judge(task.written, list(task.hand), task.active, task.rules).play
        assert smaller is not None
        overlooks = chances.misses(smaller, task.rules)
    return 1 - (1 - slips) * (1 - forgets) * (1 - overlooks)


def _planned(task: Task, chances: _Chances) -> float:
    by_first: dict[Play, list[Play]] = defaultdict(list)
    for first, second in task.answers:
        by_first[first].append(second)
    return prod(
        1 - (1 - chances.fails([first], task.rules)) * (1 - chances.fails(seconds, task.rules))
        for first, seconds in by_first.items()
    )


_FAILS = {
    "find-play": _some,
    "find-all": _all,
    "longest": _all,
    "exactly": _some,
    "complete": _completed,
    "right-or-wrong": _judged,
    "replay": _planned,
}


def simulated_failures(task: Task, level: Level, pupils: int = 200, seed: int = 1) -> float:
    """The share of simulated pupils of the level's year who lay no card, or a wrong one, with the hand of a task.

    They play greedily in the engine, see `nambarz_sim.Pupil`; it takes about a millisecond for each.
    """
    pupil = Pupil.preset(f"year-{level.school_year}")
    rules = task.rules
    players = seat_strategies([pupil], rules.players)
    packed, able = pupils_at(rules, players.pupils)
    failed = 0
    for each in range(pupils):
        _, state = lay_table(rules, list(task.hand), task.active, None, False)
        start = pupil_stream(packed, 0)
        start_stream(state[start : start + STREAM_SIZE], seed, each, 0, PURPOSE_PUPIL)
        plays = new_plays(packed)
        row = choose_row(rules, packed, state, plays, players, able)
        failed += row < 0 or mistake(packed, state, plays, row, able) is not None
    return failed / pupils
