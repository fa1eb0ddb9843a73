"""Paper: pages to print with cards on them, and the same content as plain text, for whoever cannot see the pages.

All measures are millimetres from the page's upper left corner, sizes of letters are points. A `Paper` has a place where
writing goes on (`y`); methods without coordinates write there and start a new page where the room ends, never inside
a line, a card or a row. Methods with coordinates put something anywhere and leave `y` as it is. Whatever is put on a
page is said in `text` too, unless ``say`` is something else; nothing is told by colour alone. The same calls give the
same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nambarz_sim.card_pictures import card_title
from nambarz_sim.cards import Card
from nambarz_sim.classroom.saving import check_writable, write_together
from nambarz_sim.classroom.surface import (
    CARD_SHAPE,
    SIZES,
    Placed,
    Surface,
    letter_height,
    line_height,
    paper_size,
    tidy,
)
from nambarz_sim.languages import _, in_language

__all__ = [
    "CARD_SHAPE",
    "SIZES",
    "Paper",
    "Placed",
    "letter_height",
    "line_height",
    "output_files",
    "paper_size",
    "tidy",
]


@dataclass
class _Part:
    """Pages that belong together, such as one pupil's sheet: numbered for themselves."""

    title: str
    note: str
    first: int
    pages: int = 1


class Paper(Surface):
    """Pages to print, and their content as plain text.

    Parameters
    ----------
    title
        What stands in the header of every page and in the file's properties.
    size
        ``"A4"``, ``"Letter"`` or ``"A3"``.
    landscape
        Whether the long side lies below.
    note
        What makes the pages repeatable, such as the seed; it stands in the footer.
    lang
        The language of the words of the paper itself, which is written into the file; the usual one without.
    margin
        The empty border on each side.
    bare
        No header and no footer.

    Raises
    ------
    ValueError
        If there is no such size or language.

    Examples
    --------
    >>> from nambarz_sim.cards import Card
    >>> paper = Paper("A small hand", note="seed 7", lang="en")
    >>> paper.paragraph("Which of these cards make 3?")
    >>> paper.cards([Card.parse("10"), Card.parse("4"), Card.parse("2")])
    >>> print(paper.text)
    A small hand
    Page 1 of 1. seed 7
    <BLANKLINE>
    Which of these cards make 3?
    Cards: number card 10, number card 4, number card 2
    >>> paper.to_bytes()[:5]
    b'%PDF-'
    """

    def __init__(
        self,
        title: str,
        size: str = "A4",
        *,
        landscape: bool = False,
        note: str = "",
        lang: str | None = None,
        margin: float = 15.0,
        bare: bool = False,
    ) -> None:
        width, height = SIZES[paper_size(size)]
        super().__init__(title, *((height, width) if landscape else (width, height)), lang)
        self.title, self.note = title, note
        self.bare = bare
        self.margin = margin
        self.left, self.right = margin, self.width - margin
        self.top = margin if bare else margin + 10
        self.bottom = self.height - margin if bare else self.height - margin - 6
        self.y = self.top
        self._parts: list[_Part] = []
        self._bytes = b""
        self.part(title, note)

    # --- pages ---------------------------------------------------------------------------------------------------

    @property
    def inner_width(self) -> float:
        """How wide the page is between its margins."""
        return self.right - self.left

    @property
    def room(self) -> float:
        """How much height is left on this page."""
        return self.bottom - self.y

    def part(self, title: str, note: str = "") -> None:
        """Begin on a new page a part with a header, a footer and page numbers of its own, such as one pupil's sheet."""
        part = _Part(tidy(title).replace("\n", " "), tidy(note).replace("\n", " "), self.page + 1)
        if self._parts and not any(placed.page == self.page for placed in self.placed):
            # The page is empty still: the part begins there.
            part.first = self.page
            replaced = self._parts[-1]
            replaced.pages -= 1
            if not replaced.pages:
                self._parts.pop()
            self._parts.append(part)
            return
        self._parts.append(part)
        self._add_page()

    def new_page(self) -> None:
        """Go on at the top of a new page of this part."""
        self._parts[-1].pages += 1
        self._add_page()

    def _add_page(self) -> None:
        self.pdf.add_page()
        self._font = ("", 0.0)
        self.y = self.top
        self._said.append(self.page)

    def keep_together(self, height: float) -> None:
        """Go to a new page if less than this height is left, so that what comes next is not split."""
        if height > self.room + 1e-6 and self.y > self.top:
            self.new_page()

    def space(self, height: float) -> None:
        """Leave some height empty."""
        self.y += height

    # --- words ---------------------------------------------------------------------------------------------------

    def heading(self, words: str, size: float = 16, say: str | None = None) -> None:
        """A line or more in bold letters, with air around it; it does not stand alone at the foot of a page."""
        self.keep_together(line_height(size) * 2 + 14)
        self.space(0 if self.y <= self.top else 2)
        if say is None:
            self.say("")
        self.paragraph(words, size, bold=True, say=say)

    def paragraph(
        self, words: str, size: float = 11, *, bold: bool = False, align: str = "left", indent: float = 0.0,
        say: str | None = None,
    ) -> None:  # fmt: skip
        """Words in lines as long as the page is wide; not split over pages unless they are longer than a page."""
        lines = self.lines(words, size, bold, self.inner_width - indent)
        height = line_height(size)
        self.keep_together(min(len(lines) * height, self.bottom - self.top))
        for line in lines:
            self.keep_together(height)
            self.words(line, self.left + indent, self.y, size, bold=bold, align=align, say="",
                       width=self.inner_width - indent)  # fmt: skip
            self.y += height
        self.y += 1.5
        if say != "":
            self.say(words if say is None else say)

    def name_line(self) -> None:
        """A line for a pupil's name and the date."""
        with in_language(self.lang):
            name, date = _("Name:"), _("Date:")
        self.keep_together(12)
        size, foot, middle = 11, self.y + 7, self.left + 0.64 * self.inner_width
        for words, x, end in ((name, self.left, middle - 6), (date, middle, self.right)):
            self.words(words, x, foot - letter_height(size), size, say="")
            self.line(x + self.width_of(words, size) + 2, foot + 0.6, end, foot + 0.6)
        self.say(f"{name} ____________________   {date} __________")
        self.y += 12

    # --- lines, boxes and tables ---------------------------------------------------------------------------------

    def table(
        self, columns: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[float], *, height: float = 8.0,
        size: float = 10,
    ) -> None:  # fmt: skip
        """A table with a frame around every cell; its head stands on each page, no row is split, words are made to fit."""
        if self.room < 2 * height:
            self.new_page()
        self._row(columns, widths, height, size, head=True)
        self.say(" | ".join(columns))
        for row in rows:
            if self.room < height - 1e-6:
                self.new_page()
                self._row(columns, widths, height, size, head=True)
            self._row(row, widths, height, size, head=False)
            self.say(" | ".join(row))

    def _row(self, cells: Sequence[str], widths: Sequence[float], height: float, size: float, head: bool) -> None:
        x = self.left
        for cell, width in zip(cells, widths, strict=True):
            self.box(x, self.y, width, height, fill="#E6E6E6" if head else "")
            if cell:
                fitting = self.fitting_size(cell, size, width - 2, bold=head)
                at = self.y + (height - line_height(fitting)) / 2
                self.words(cell, x, at, fitting, bold=head, align="center", width=width, say="")
            x += width
        self.y += height

    # --- cards ---------------------------------------------------------------------------------------------------

    def cards(
        self, cards: Iterable[Card], width: float = 20.0, *, gap: float = 3.0, indent: float = 0.0,
        say: str | None = None,
    ) -> None:  # fmt: skip
        """Cards in rows from the left, each row on one page; the text names them."""
        dealt = list(cards)
        self.keep_together(min(self.height_of_cards(len(dealt), width, gap, indent), self.bottom - self.top))
        in_row = self._cards_in_a_row(width, gap, indent)
        for start in range(0, len(dealt), in_row):
            self.keep_together(width * CARD_SHAPE)
            for place, card in enumerate(dealt[start : start + in_row]):
                self.card(card, self.left + indent + place * (width + gap), self.y, width)
            self.y += width * CARD_SHAPE + gap
        if say is None:
            with in_language(self.lang):
                say = _("Cards: {cards}").format(cards=", ".join(card_title(card) for card in dealt))
        if say:
            self.say(say)

    def height_of_cards(self, count: int, width: float = 20.0, gap: float = 3.0, indent: float = 0.0) -> float:
        """How much height so many cards in rows take, without the gap below the last."""
        rows = -(-count // self._cards_in_a_row(width, gap, indent))
        return max(0.0, rows * (width * CARD_SHAPE + gap) - gap)

    def _cards_in_a_row(self, width: float, gap: float, indent: float) -> int:
        return max(1, int((self.inner_width - indent + gap + 1e-6) // (width + gap)))

    # --- the whole -----------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The content as plain text; where a page begins, its title, number and note stand."""
        heads = {page: f"{part.title}\n{self._number(part, page)}" for part in self._parts for page in _pages(part)}
        told: list[str] = []
        for said in self._said:
            if isinstance(said, int):
                told += ["", heads[said], ""] if told else [heads[said], ""]
            elif said or (told and told[-1]):  # no two empty lines
                told.append(said)
        return "\n".join(told)

    def _number(self, part: _Part, page: int) -> str:
        with in_language(self.lang):
            told = _("Page {page} of {pages}").format(page=page - part.first + 1, pages=part.pages)
        return f"{told}. {part.note}" if part.note else told

    def to_bytes(self) -> bytes:
        """The PDF file; after that nothing can be written any more."""
        if not self._bytes:
            if not self.bare:
                for part in self._parts:
                    for page in _pages(part):
                        self._frame(part, page)
            self._bytes = bytes(self.pdf.output())
            for font in self.pdf.fonts.values():
                font.ttfont.close()
        return self._bytes

    def _frame(self, part: _Part, page: int) -> None:
        """Header and footer, when it is known how many pages there are."""
        self.pdf.page = page
        self._font = ("", 0.0)
        with in_language(self.lang):
            number = _("Page {page} of {pages}").format(page=page - part.first + 1, pages=part.pages)
        title_size = self.fitting_size(part.title, 10, self.inner_width)
        self.words(part.title, self.left, self.margin, title_size, say="")
        self.line(self.left, self.margin + 6, self.right, self.margin + 6)
        foot = self.height - self.margin - 4
        room = self.inner_width - self.width_of(number, 9) - 4
        if part.note:
            self.words(part.note, self.left, foot, self.fitting_size(part.note, 9, room), say="")
        self.words(number, self.left, foot, 9, align="right", width=self.inner_width, say="")

    def save(self, file: str | Path) -> list[Path]:
        """Write the PDF file and the text beside it, both or neither; their paths.

        Raises
        ------
        ValueError
            If the name does not end in ``.pdf``, or they cannot be written.
        """
        file, beside = output_files(file)
        write_together("output", {beside: f"{self.text}\n".encode(), file: self.to_bytes()})
        return [file, beside]


def output_files(file: str | Path) -> tuple[Path, Path]:
    """The PDF file and the text file beside it, refused before any work if they cannot be written there.

    Raises
    ------
    ValueError
        If the name does not end in ``.pdf``, or the files cannot be written.
    """
    file = Path(file)
    check_writable("output", file, ".pdf")
    beside = file.with_suffix(".txt")
    check_writable("output", beside, ".txt")
    return file, beside


def _pages(part: _Part) -> range:
    return range(part.first, part.first + part.pages)
