"""Worksheets to print: one, or a class set that gives every pupil another sheet of equal difficulty."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nambarz_sim._errors import whole_number
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.paper import Paper, output_files, paper_size
from nambarz_sim.classroom.sheets import Sheet, equal_sheets
from nambarz_sim.classroom.tasks import read_kinds
from nambarz_sim.classroom.worksheet_pages import PAPERS, print_sheets
from nambarz_sim.languages import choose_language
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

MOST_SHEETS, MOST_TASKS = 200, 40
"""The most sheets of a set, and the most tasks of a sheet."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class ClassSet:
    """Worksheets for a class: the same kinds of task on every sheet, no task twice, and equal difficulty.

    Two tasks are the same if they are of the same kind, with the same cards in any order and the same active card.

    Attributes
    ----------
    sheets
        Each pupil's sheet.
    level, seed, rules, lang
        What they are made from; the same ones make the same sheets.
    """

    sheets: tuple[Sheet, ...]
    level: Level
    seed: int
    rules: Rules
    lang: str

    @property
    def difficulties(self) -> pd.DataFrame:
        """How difficult each task of each sheet is: a row for each sheet, a column for each task, and their sum.

        A difficulty is the share of pupils of the level's school year who can be expected to fail the task; see
        `nambarz_sim.classroom.difficulty`.
        """
        import pandas as pd

        numbers = [sheet.number for sheet in self.sheets]
        frame = pd.DataFrame([sheet.difficulties for sheet in self.sheets], index=pd.Index(numbers, name="sheet"))
        frame.columns = pd.Index([f"{place + 1} {task.kind}" for place, task in enumerate(self.sheets[0].tasks)])
        return frame.assign(total=[sheet.total for sheet in self.sheets])

    def paper(self, size: str = "A4", answers: bool = True, progress: Progress | None = None) -> Paper:
        """The sheets laid out on ``"A4"`` or ``"Letter"`` paper, with the answers on pages of their own behind them."""
        return print_sheets(self.sheets, self.level, self.seed, paper_size(size, PAPERS), answers, self.lang, progress)

    def text(self, answers: bool = True) -> str:
        """All that the pages say as plain text."""
        return self.paper(answers=answers).text

    def save(
        self, file: str | Path, size: str = "A4", answers: bool = True, progress: Progress | None = None
    ) -> list[Path]:
        """Write the PDF file and the plain text beside it, both or neither; their paths.

        Raises
        ------
        ValueError
            If there is no such size of paper, the name does not end in ``.pdf``, or they cannot be written.
        """
        paper_size(size, PAPERS)
        output_files(file)
        return self.paper(size, answers, progress).save(file)


def worksheet(
    level: int | str | Level = 3,
    kinds: str | Iterable[str] | None = None,
    tasks: int = 10,
    seed: int = 1,
    rules: Rules | None = None,
    lang: str | None = None,
) -> ClassSet:
    """One worksheet; arguments as `class_set` has, and what comes back is a set of one sheet.

    Examples
    --------
    >>> sheet = worksheet(level=2, kinds="complete", tasks=1, lang="en")
    >>> print(sheet.text(answers=False))  # doctest: +ELLIPSIS
    NAMBARZ worksheet, level 2
    Page 1 of 1. Seed 1
    ...
    """
    return class_set(1, level, kinds, tasks, seed, rules, lang)


def class_set(
    sheets: int = 30,
    level: int | str | Level = 3,
    kinds: str | Iterable[str] | None = None,
    tasks: int = 10,
    seed: int = 1,
    rules: Rules | None = None,
    lang: str | None = None,
    progress: Progress | None = None,
) -> ClassSet:
    """Worksheets for a class, of equal difficulty.

    Parameters
    ----------
    sheets
        How many, 1 to 200.
    level
        1 to 6, roughly the years of primary school, or a `Level` of your own.
    kinds
        Which kinds of task, of `nambarz_sim.classroom.tasks.KINDS`; all without. A sheet has about equally many of each.
    tasks
        How many tasks a sheet has, 1 to 40.
    seed
        Which tasks: the same seed and arguments give the same sheets.
    rules
        The rules of the game, but for operations and steps, which the level has; `Rules()` without.
    lang
        The language of the sheets; the usual one without.
    progress
        Called with how much is done and how much there is to do, now and then.

    Raises
    ------
    ValueError
        If an argument is not allowed, or the level has not enough tasks of a kind.

    Examples
    --------
    >>> two = class_set(sheets=2, level=3, tasks=7, seed=5)
    >>> [len(sheet.tasks) for sheet in two.sheets]
    [7, 7]
    >>> bool(abs(two.difficulties["total"].diff().max()) < 0.05)
    True
    """
    sheets = whole_number("sheets", sheets, 1, MOST_SHEETS)
    tasks = whole_number("tasks", tasks, 1, MOST_TASKS)
    seed = whole_number("seed", seed, 0, 2**63 - 1)
    lang = choose_language(lang)
    level = level if isinstance(level, Level) else Level.preset(level)
    chosen = read_kinds(kinds)
    made = equal_sheets(sheets, level, chosen, tasks, seed, rules, progress)
    return ClassSet(made, level, seed, level.rules(rules), lang)
