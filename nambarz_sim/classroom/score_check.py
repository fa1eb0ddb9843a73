"""Score sheets read from files and checked: every mistake is named by its cell, and nothing is put right in silence.

A cell for points, a total or a final place may be empty: the engine fills it in. What is given is compared. Rounds
at the end that have no entries at all are still to be played, and so is a play-off without entries.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nambarz_sim.classroom.score_file import Cells, read_cells
from nambarz_sim.classroom.score_grid import OF_A_ROUND, Grid
from nambarz_sim.classroom.score_roster import Roster, Wanted
from nambarz_sim.classroom.score_rounds import Rounds
from nambarz_sim.classroom.score_sheets import MOST_ROUNDS, ScoreSheet, check_rounds
from nambarz_sim.languages import _, in_language, written
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

COUNTS = ("players", "rounds", "team_sizes")
"""The counts of `Rules` that a file has, too."""


def read_scores(
    path: str | Path,
    rules: Rules | None = None,
    names: Sequence[str] | None = None,
    lang: str | None = None,
    fixed: Collection[str] = COUNTS,
) -> ScoreSheet:
    """The score sheet in a CSV file, checked.

    How separators, encodings and numbers are read stands in `nambarz_sim.classroom.score_file`. The headers are those of
    the template in any language, the columns may stand in any order, and those of master strokes may be missing. With 2
    to 5 players everybody has a place in a round. With 6 to 12 only those who have finished (R8.2): the others' cells are
    empty, or have a place above the fifth. Where such a round ended early, since nobody could move, a dash stands for
    a player who has not finished; an empty cell is then taken for forgotten.

    Parameters
    ----------
    path
        The file.
    rules
        The rules in force. Without, `Rules()` with as many players, teams and rounds as the file has.
    names
        The players who should be there; without, whoever is.
    lang
        The language of the messages; the usual one without.
    fixed
        Which counts of the rules the file must have, some of ``"players"``, ``"rounds"`` and ``"team_sizes"``; the others
        are those of the file.

    Raises
    ------
    nambarz_sim.classroom.score_grid.ScoreProblems
        If cells are wrong: it lists all of them, each by its cell.
    ValueError
        If the file is no score sheet at all, in one sentence.
    """
    with in_language(lang):
        return _read(read_cells(path), str(path), rules, names, fixed)


def read_table(
    table: pd.DataFrame, rules: Rules | None = None, names: Sequence[str] | None = None, lang: str | None = None
) -> ScoreSheet:
    """The score sheet in a table as `ScoreSheet.table` gives it and a notebook fills it, checked as a file is.

    Examples
    --------
    >>> table = ScoreSheet.template(Rules(players=2), lang="en").table("en")
    >>> table["Round 1 place"] = [2, 1]
    >>> read_table(table, lang="en").totals
    (32, 40)
    """
    with in_language(lang):
        given: list[list[object]] = [list(table.columns), *table.to_numpy(dtype=object).tolist()]
        rows = [[_as_text(cell) for cell in row] for row in given]
        return _read(Cells(rows, "."), _("table"), rules, names, COUNTS)


def _as_text(cell: object) -> str:
    if cell is None or cell != cell:  # missing (NaN)
        return ""
    return str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell).strip()


def _read(
    cells: Cells, file: str, rules: Rules | None, names: Sequence[str] | None, fixed: Collection[str]
) -> ScoreSheet:
    fixed = fixed if rules is not None else ()
    rules = rules or Rules()
    if "rounds" in fixed:
        check_rounds(rules)
    wanted = Wanted(
        rules.players if "players" in fixed else None,
        rules.team_sizes or () if "team_sizes" in fixed else None,
        names,
    )
    if wanted.players and names is not None and len(names) != wanted.players:
        raise ValueError(
            _("names: {given} given for {count}; give a name for each").format(given=len(names), count=wanted.players)
        )
    grid = Grid(cells, file)
    roster = Roster(grid, wanted)
    rounds = Rounds(grid, roster, rules, _count_rounds(grid, rules.rounds if "rounds" in fixed else None))
    rounds.check()
    grid.stop_at_problems()
    return rounds.sheet()


def _count_rounds(grid: Grid, wanted: int | None) -> int:
    """How many rounds the game has; columns of other rounds are named."""
    most = wanted or MOST_ROUNDS
    last = 0
    for column in grid.columns:
        if column.kind not in OF_A_ROUND:
            continue
        if not 1 <= column.round <= (MOST_ROUNDS if column.play_off else most):
            grid.blame_column(
                grid.head, column, _("there is no such round; the game has {rounds}").format(rounds=written(most))
            )
        elif not column.play_off:
            last = max(last, column.round)
    return wanted or max(1, last)
