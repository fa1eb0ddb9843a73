"""The cells of a score sheet under their headers, and the mistakes found in them, each named by its cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nambarz_sim.classroom.score_columns import PLACE, PLAYER, POINTS, STROKES, Column, recognise
from nambarz_sim.classroom.score_file import LONGEST_SHOWN, Cells, cell_name, read_number, shown
from nambarz_sim.languages import _, plural, written
from nambarz_sim.rules import MOST_PLAYERS

OF_A_ROUND = (PLACE, STROKES, POINTS)
MOST_TOLD = 1000
"""So many mistakes stand in the message at most; no sheet of a class has more."""


class Problem(NamedTuple):
    """A mistake in a score sheet.

    Attributes
    ----------
    row
        The row in the spreadsheet, counted from 1.
    column
        The header of the column.
    cell
        What spreadsheets call the cell, such as ``"C4"``.
    message
        What is wrong.
    """

    row: int
    column: str
    cell: str
    message: str

    def __str__(self) -> str:
        return _('row {row}, column "{column}" ({cell}): {message}').format(**self._asdict())


class ScoreProblems(ValueError):
    """All mistakes of a score sheet.

    Attributes
    ----------
    problems
        All mistakes, row by row.
    """

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = plural(
            "{file}: {count} mistake; put it right and read the file again",
            "{file}: {count} mistakes; put them right and read the file again",
            count,
        ).format(file=name, count=written(count))
        lines = [head, *map(str, self.problems[:MOST_TOLD])]
        if count > MOST_TOLD:
            lines.append(_("and {count} more").format(count=written(count - MOST_TOLD)))
        super().__init__("\n".join(lines))


class Grid:
    """The cells of a file by rows and columns of a score sheet.

    Attributes
    ----------
    head
        The row with the headers; rows are counted from 0.
    rows
        The rows below it that are not empty.
    columns
        For each column of a score sheet that is there, where it stands, counted from 0.

    Raises
    ------
    ValueError
        If there is no header line of a score sheet, or more than one.
    """

    def __init__(self, cells: Cells, name: str) -> None:
        self._cells, self._name = cells.rows, name
        self._decimal = cells.decimal
        self._found: dict[tuple[int, int], str] = {}
        self._absent: dict[Column, int] = {}
        self.head = self._find_head()
        self.rows = [row for row in range(self.head + 1, len(self._cells)) if any(self._cells[row])]
        self.columns = self._read_head()

    def _find_head(self) -> int:
        heads = [row for row, cells in enumerate(self._cells) if _is_head(cells)]
        known = {"file": repr(self._name), "player": Column(PLAYER).header, "place": Column(PLACE, 1).header}
        if not heads:
            raise ValueError(
                _("file: {file} has no header line; begin with a row such as {player}, {place}, as the template has it")
                .format(**known)
            )  # fmt: skip
        above = [row for row in range(heads[0]) if any(self._cells[row])]
        twice = [*above[:1], *heads][:2]
        if len(twice) > 1:
            raise ValueError(
                _("file: {file} has two header lines, rows {first} and {second}; leave one, with the names of the columns")
                .format(**known, first=twice[0] + 1, second=twice[1] + 1)
            )  # fmt: skip
        return heads[0]

    def _read_head(self) -> dict[Column, int]:
        columns: dict[Column, int] = {}
        for place, header in enumerate(self._cells[self.head]):
            column = recognise(header)
            if column is None and header:
                self.blame(self.head, place, _("{header} is no column of a score sheet").format(header=shown(header)))
            elif column is not None and column in columns:
                self.blame(
                    self.head, place,
                    _("the column is there twice, see {cell}").format(cell=cell_name(self.head, columns[column])),
                )  # fmt: skip
            elif column is not None:
                columns[column] = place
        headers = self._cells[self.head]
        for row in self.rows:
            for place, cell in enumerate(self._cells[row]):
                if cell and not (place < len(headers) and headers[place]):
                    self.blame(row, place, _("there is a value without a header above it"))
        return columns

    def require(self, column: Column) -> bool:
        """Whether a column is there; it is noted where it is not."""
        if column not in self.columns:
            self.blame_column(self.head, column, _("the column is missing"))
        return column in self.columns

    def place(self, column: Column) -> int:
        """Where a column stands, or would stand behind the others."""
        if column in self.columns:
            return self.columns[column]
        return self._absent.setdefault(column, len(self._cells[self.head]) + len(self._absent))

    def cell(self, row: int, column: Column) -> str:
        """What spreadsheets call a cell."""
        return cell_name(row, self.place(column))

    def cells(self, rows: Sequence[int], column: Column) -> str:
        """What spreadsheets call some cells of a column, the first of them where they are many."""
        named = ", ".join(self.cell(row, column) for row in rows[:MOST_PLAYERS])
        return named if len(rows) <= MOST_PLAYERS else f"{named}, …"

    @property
    def next_row(self) -> int:
        """The first row below all that are there."""
        return len(self._cells)

    def text(self, row: int, column: Column) -> str:
        """What stands in a cell; "" where the column or the row ends before it."""
        place = self.columns.get(column)
        cells = self._cells[row] if row < len(self._cells) else []
        return cells[place] if place is not None and place < len(cells) else ""

    def number(self, row: int, column: Column, least: int, most: int) -> int | None:
        """The whole number in a cell; None in an empty one, and in one that is blamed."""
        text = self.text(row, column)
        if not text:
            return None
        value = read_number(text, self._decimal)
        if value is None or not least <= value <= most:
            self.blame_column(
                row, column,
                _("{value} is not allowed; give a whole number from {least} to {most}").format(
                    value=shown(text), least=written(least), most=written(most)
                ),
            )  # fmt: skip
            return None
        return value

    def blame_column(self, row: int, column: Column, message: str) -> None:
        """Note what is wrong with a cell."""
        self.blame(row, self.place(column), message)

    def blame(self, row: int, place: int, message: str) -> None:
        """Note what is wrong with a cell; of several things about one cell the first stands."""
        self._found.setdefault((row, place), message)

    def is_blamed(self, row: int, column: Column) -> bool:
        """Whether something is wrong with a cell."""
        return (row, self.place(column)) in self._found

    def stop_at_problems(self) -> None:
        """An error with all that is wrong, if anything is."""
        if self._found:
            headers = dict(enumerate(self._cells[self.head])) | {
                place: column.header for column, place in self._absent.items()
            }
            raise ScoreProblems(
                self._name,
                [
                    Problem(row + 1, headers.get(place, "")[:LONGEST_SHOWN], cell_name(row, place), message)
                    for (row, place), message in sorted(self._found.items())
                ],
            )


def _is_head(cells: Sequence[str]) -> bool:
    """Whether a row names columns, one of a round among them."""
    columns = [column for cell in cells if (column := recognise(cell))]
    return len(columns) > 1 and any(column.kind in OF_A_ROUND for column in columns)
