"""The tasks of a worksheet: what is shown, and every answer that is right.

A task knows no rule: whoever makes one has asked the engine (`nambarz_sim.classroom.task_kinds`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nambarz_sim._errors import unknown_name
from nambarz_sim.cards import Card
from nambarz_sim.engine.plays import Play
from nambarz_sim.rules import Rules

KINDS = ("find-play", "find-all", "longest", "exactly", "complete", "right-or-wrong", "replay")
"""The kinds of task in the order in which they stand on a sheet."""
GAP = "?"
"""What stands in `Task.written` for the missing number or sign."""


@dataclass(frozen=True)
class Task:
    """One task of a worksheet.

    Attributes
    ----------
    kind
        One of `KINDS`: find a play, find all of them, find the longest, cover the card with exactly `count` cards,
        complete a calculation, say whether an attempt is right and why, plan a turn with a replay wildcard.
    hand
        The cards that the pupil may use, in the order shown. Of a calculation to complete or to judge they are its
        cards, the missing one included.
    active
        The active card.
    rules
        The rules in force.
    answers
        Every play that is right, those with most cards first; with a replay the first play and the second, one for each
        choice of cards. Empty where `solution` is the answer.
    count
        How many sets of cards are right where all are asked for, or how many cards are to be laid; else 0.
    written
        The calculation to complete, with `GAP` in it, or what is to be judged.
    solution
        What stands in the gap, a number or one of ``+ - * /``; ``"right"``, or the clause of the fault.
    """

    kind: str
    hand: tuple[Card, ...]
    active: Card
    rules: Rules
    answers: tuple[tuple[Play, ...], ...] = ()
    count: int = 0
    written: str = ""
    solution: str = ""

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """What two tasks share that are the same task: the kind, the cards in any order, and the active card."""
        return self.kind, tuple(sorted(map(str, self.hand))), str(self.active)

    @property
    def ways(self) -> tuple[tuple[Play, ...], ...]:
        """The answers that differ in their cards, as pupils count them: plays with the same cards count once."""
        return tuple(
            {tuple(tuple(sorted(play.cards)) for play in plays): plays for plays in self.answers[::-1]}.values()
        )[::-1]

    @property
    def missing_sign(self) -> bool:
        """Whether a sign is missing, and not a number."""
        return self.kind == "complete" and not self.solution.isdecimal()

    @property
    def shown(self) -> tuple[Card, ...]:
        """The cards that the sheet draws; a calculation to complete is drawn with its signs instead."""
        return () if self.kind == "complete" else self.hand


def read_kinds(kinds: str | Iterable[str] | None) -> tuple[str, ...]:
    """The kinds of task asked for, each once, in the order of `KINDS`; without any, all.

    Raises
    ------
    ValueError
        If one is not known, or none is left.

    Examples
    --------
    >>> read_kinds("complete, find-play")
    ('find-play', 'complete')
    """
    if kinds is None:
        return KINDS
    names = [name.strip() for name in kinds.split(",")] if isinstance(kinds, str) else list(kinds)
    for name in names:
        if name not in KINDS:
            raise ValueError(unknown_name("kinds", name, KINDS))
    if not names:
        raise ValueError(f"kinds: none is given; give one or more of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in names)
