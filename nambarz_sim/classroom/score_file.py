"""Score sheets as the files of spreadsheets: cells read from bytes, numbers read from cells, and both written.

What is read. The bytes are UTF-16 or UTF-8 with a byte-order mark, else UTF-8, else Windows-1252. Cells are apart by
semicolons, commas or tabs: by whichever the first line is cut into most headers of a score sheet; a line ``sep=;`` before
it says so, too. Cells with separators in them stand in double quotes.

How numbers are read. All numbers of a score sheet are whole. Which sign stands for thousands is decided for the whole file:

- cells apart by semicolons: a point (``1.250``), and the comma is the decimal mark;
- by commas: a comma (``"1,250"``), and the point is the decimal mark;
- by tabs: as the language of the headers has it: English as with commas, the others as with semicolons.

Spaces of any kind (also narrow and no-break ones) and apostrophes may stand for thousands in every file. A sign for
thousands has three digits behind it. Behind a decimal mark nothing but noughts may stand: ``40,0`` is 40, and so is
``40.0``, since a nought alone can be no thousands. Whatever else stands in a cell is no number, and is named.

Names that would be a formula in a spreadsheet (beginning with = + - @) are written with an apostrophe before them, which
reading takes away.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nambarz_sim.classroom.score_columns import recognise
from nambarz_sim.languages import LANGUAGES, _, written

MOST_BYTES = 2**20
MOST_ROWS = 200
MOST_COLUMNS = 2000
LONGEST_SHOWN = 60
"""So many signs of a text stand in a message."""
_SEPARATORS = {";": ",", ",": ".", "\t": ""}
"""What cells are apart by, and the decimal mark that goes with it."""
_DECIMAL = {"en": "."}
_SPACES = " '\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}"
_FORMULA = re.compile("'*[=+\\-@\uff1d\uff0b\uff0d\uff20]")
"""The signs that a formula begins with, also as wide ones, with any apostrophes before them."""
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class Cells(NamedTuple):
    """The cells of a file.

    Attributes
    ----------
    rows
        Row by row, as many as there are, without empty ones at the end.
    decimal
        The decimal mark of the file.
    """

    rows: list[list[str]]
    decimal: str


def read_cells(path: str | Path) -> Cells:
    """The cells of a file as spreadsheets write it; how stands above.

    Raises
    ------
    ValueError
        If the file cannot be read, is too large, or holds no table.
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(
            _("file: {file} cannot be read: {reason}; give the CSV file of a score sheet").format(
                file=repr(str(path)), reason=error.strerror
            )
        ) from None
    if len(content) > MOST_BYTES:
        raise ValueError(
            _("file: {file} is larger than 1 MiB; a score sheet is far smaller, so give another file").format(
                file=repr(str(path))
            )
        )
    return cells_of(_decode(content, str(path)), str(path))


def _decode(content: bytes, name: str) -> str:
    marked = next((encoding for mark, encoding in _MARKS.items() if content.startswith(mark)), None)
    for encoding in (marked,) if marked else ("utf-8", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Bytes that are no text decode to signs that no text has.
        if not any(unicodedata.category(sign) == "Cc" and sign not in "\t\r\n" for sign in text):
            return text
        break
    raise _no_table(name)


def cells_of(text: str, name: str) -> Cells:
    """The cells of the text of a file.

    Raises
    ------
    ValueError
        If it is no table.
    """
    said = re.match(r"sep=([;,\t])\r?\n", text)
    if said:
        text = text[said.end() :]
    separator = said[1] if said else _separator(text)
    try:
        rows = [
            [cell.strip() for cell in row]
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        ]
    except csv.Error:
        raise _no_table(name) from None
    for row in rows:
        while row and not row[-1]:
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise ValueError(
            _("file: {file} is empty; give the CSV file of a score sheet, as the template has it").format(
                file=repr(name)
            )
        )
    if len(rows) > MOST_ROWS or max(map(len, rows)) > MOST_COLUMNS:
        raise ValueError(
            _(
                "file: {file} has more than {rows} rows or {columns} columns; give a score sheet with a row a player"
            ).format(file=repr(name), rows=MOST_ROWS, columns=written(MOST_COLUMNS))
        )
    return Cells(rows, _SEPARATORS[separator] or _decimal_of(rows))


def _no_table(name: str) -> ValueError:
    return ValueError(
        _("file: {file} is no table of text; save the sheet as CSV in the spreadsheet, and give that file").format(
            file=repr(name)
        )
    )


def _separator(text: str) -> str:
    """What cuts one of the first lines into most headers; of equal ones what cuts it into most cells."""
    best, found = ",", (0, 0)
    for line in [line for line in text.splitlines() if line.strip()][:5]:
        for separator in _SEPARATORS:
            try:
                cells = next(csv.reader([line], delimiter=separator), [])
            except csv.Error:  # of a cell as long as a book
                continue
            score = (sum(recognise(cell) is not None for cell in cells), line.count(separator))
            if score > found:
                best, found = separator, score
    return best


def _decimal_of(rows: Sequence[Sequence[str]]) -> str:
    """The decimal mark of the language that most headers are in."""

    def known(lang: str) -> int:
        return max(sum(recognise(cell, lang) is not None for cell in row) for row in rows[:5])

    return _DECIMAL.get(max(LANGUAGES, key=known), ",")


def read_number(cell: str, decimal: str) -> int | None:
    """The whole number in a cell of a file with this decimal mark; None if there is none.

    Examples
    --------
    >>> read_number("1.250", ","), read_number("1,250", "."), read_number("1 250", "."), read_number("40,00", ",")
    (1250, 1250, 1250, 40)
    >>> read_number("12,5", ",") is None
    True
    """
    thousands = "." if decimal == "," else ","
    groups = "|".join(rf"(?:[{mark}][0-9]{{3}})+" for mark in (re.escape(thousands), _SPACES))
    found = re.fullmatch(rf"([0-9]{{1,3}}(?:{groups})|[0-9]{{1,9}})(?:{re.escape(decimal)}0+)?", cell)
    if found:
        return int(re.sub("[^0-9]", "", found[1]))
    # The other mark cannot be one of thousands here: fewer digits than three stand behind it.
    found = re.fullmatch(rf"([0-9]{{1,9}}){re.escape(thousands)}0{{1,2}}", cell)
    return int(found[1]) if found else None


def read_name(cell: str) -> str:
    """A name as it is meant: composed letters, single spaces, without the apostrophe that keeps it from being a formula."""
    name = " ".join(unicodedata.normalize("NFC", cell).split())
    return name[1:] if name.startswith("'") and _FORMULA.match(name) else name


def write_name(name: str) -> str:
    """A name for a cell that no spreadsheet takes for a formula."""
    return f"'{name}" if _FORMULA.match(name) else name


def shown(text: str) -> str:
    """A text for a message, in quotes, its beginning where it is long."""
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")


def cell_name(row: int, column: int) -> str:
    """What spreadsheets call a cell, from its row and column counted from 0.

    Examples
    --------
    >>> cell_name(3, 2), cell_name(0, 27)
    ('C4', 'AB1')
    """
    letters, left = "", column + 1
    while left:
        left, place = divmod(left - 1, 26)
        letters = chr(ord("A") + place) + letters
    return f"{letters}{row + 1}"


def to_csv(rows: Sequence[Sequence[str | int]], lang: str) -> bytes:
    """A table as a file that spreadsheets of this language open: its separator, quoted texts, a byte-order mark."""
    separator = "," if _DECIMAL.get(lang, ",") == "." else ";"
    file = io.StringIO(newline="")
    # Texts are quoted, so that no separator of another country cuts them into cells.
    csv.writer(file, delimiter=separator, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n").writerows(rows)
    return codecs.BOM_UTF8 + file.getvalue().encode()
