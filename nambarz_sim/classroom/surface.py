"""A surface to put words, lines and cards on, at places in millimetres: a thin layer over fpdf2."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

import matplotlib
from fpdf import FPDF
from fpdf.drawing import DrawingContext, GraphicsStyle
from fpdf.drawing_primitives import Point
from fpdf.prefs import ViewerPreferences
from fpdf.svg import SVGObject

from nambarz_sim._errors import unknown_name
from nambarz_sim._version import __version__
from nambarz_sim.card_pictures import card_back_svg, card_svg, card_title
from nambarz_sim.cards import Card
from nambarz_sim.languages import _, choose_language, in_language

SIZES = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4), "A3": (297.0, 420.0)}
"""Width and height of the sizes of paper, upright."""
CARD_SHAPE = 1.4
"""How high a card is for its width."""
BLACK = "#000000"
INK = "#222222"
"""Of lines, as of the cards."""
_FONT = "dejavu"
_MM = 72 / 25.4
_LEADING = 1.3
_SHIFTS = {"left": 0.0, "center": 0.5, "right": 1.0}
_UNWRITABLE = re.compile("[\x00-\x09\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def paper_size(size: str, known: Iterable[str] = SIZES) -> str:
    """The name of a size of paper, which may be written in small letters.

    Raises
    ------
    ValueError
        If there is no such size.

    Examples
    --------
    >>> paper_size("a4")
    'A4'
    """
    names = list(known)
    for name in names:
        if isinstance(size, str) and name.lower() == size.strip().lower():
            return name
    raise ValueError(unknown_name("size", size, names))


class Placed(NamedTuple):
    """Something that stands on a page, and where."""

    page: int
    kind: str
    """``"words"``, ``"card"`` or ``"box"``."""
    x: float
    y: float
    width: float
    height: float
    words: str


class Surface:
    """Pages with words, lines and cards at places on them, and what is said of them in plain text.

    Parameters
    ----------
    title
        What the file's properties say.
    width, height
        Of the pages.
    lang
        The language that the file is written in; the usual one without.
    """

    def __init__(self, title: str, width: float, height: float, lang: str | None = None) -> None:
        self.width, self.height = width, height
        self.lang = choose_language(lang)
        self.placed: list[Placed] = []
        """Everything that stands on the pages, in the order put there."""
        self._said: list[str | int] = []
        self._drawn: dict[Card | None, str] = {}
        self._font = ("", 0.0)
        self.pdf = self._document(title)

    def _document(self, title: str) -> FPDF:
        pdf = FPDF(unit="mm", format=(self.width, self.height))
        pdf.set_creation_date(datetime(2000, 1, 1, tzinfo=timezone.utc))  # noqa: UP017 - the same bytes every day
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0
        pdf.set_title(tidy(title))
        pdf.set_author(f"nambarz_sim {__version__}")
        pdf.set_lang(self.lang)
        pdf.viewer_preferences = ViewerPreferences(display_doc_title=True)
        fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
        pdf.add_font(_FONT, "", fonts / "DejaVuSans.ttf")
        pdf.add_font(_FONT, "B", fonts / "DejaVuSans-Bold.ttf")
        return pdf

    @property
    def page(self) -> int:
        """The number of the page written on, counted from 1."""
        return int(self.pdf.page)

    def say(self, words: str) -> None:
        """Put words into the plain-text version only."""
        self._said.append(tidy(words))

    def lines(self, words: str, size: float, bold: bool, width: float) -> list[str]:
        """The words in lines that are no wider than this."""
        self._set_font(bold, size)
        return list(self.pdf.multi_cell(width, line_height(size), tidy(words), dry_run=True, output="LINES", align="L"))

    def width_of(self, words: str, size: float, bold: bool = False) -> float:
        """How wide the words are in one line."""
        self._set_font(bold, size)
        return float(self.pdf.get_string_width(tidy(words)))

    def words(
        self, words: str, x: float, y: float, size: float = 11, *, bold: bool = False, align: str = "left",
        width: float = 0.0, colour: str = BLACK, say: str | None = None,
    ) -> None:  # fmt: skip
        """One line of words with its upper left corner at (x, y), or to the left, in the center or right of a width."""
        words = tidy(words).replace("\n", " ")
        long = self.width_of(words, size, bold)
        x += _SHIFTS[align] * (width - long)
        self.pdf.set_text_color(colour)
        self.pdf.text(x, y + letter_height(size), words)
        self._place("words", x, y, long, line_height(size), words)
        if say != "":
            self.say(words if say is None else say)

    def fitting_size(self, words: str, size: float, width: float, bold: bool = False) -> float:
        """The size of letters, as asked for or smaller, with which the words are no wider than this."""
        return size * min(1.0, width / max(self.width_of(words, size, bold), 1e-9))

    def line(self, x: float, y: float, to_x: float, to_y: float, thick: float = 0.3, colour: str = INK) -> None:
        """A straight line."""
        self.pdf.set_draw_color(colour)
        self.pdf.set_line_width(thick)
        self.pdf.line(x, y, to_x, to_y)

    def box(
        self, x: float, y: float, width: float, height: float, *, thick: float = 0.3, fill: str = "", round: float = 0.0
    ) -> None:
        """A frame, filled with a colour if one is given, with round corners if a radius is; not said."""
        self.pdf.set_draw_color(INK)
        self.pdf.set_line_width(thick)
        if fill:
            self.pdf.set_fill_color(fill)
        style = ("D" if thick else "") + ("F" if fill else "")
        self.pdf.rect(x, y, width, height, style=style, round_corners=bool(round), corner_radius=round)
        self._place("box", x, y, width, height, "")

    def card(self, card: Card | None, x: float, y: float, width: float, height: float = 0.0) -> None:
        """A card with its upper left corner at (x, y), its name as alternative text; None is a card face down. Not said."""
        with in_language(self.lang):
            name = card_title(card) if card else _("card face down")
            if card not in self._drawn:
                self._drawn[card] = self._draw(card_svg(card) if card else card_back_svg())
        height = height or width * CARD_SHAPE
        # fpdf2 would read the drawing anew and write its numbers for every card, 5 ms each; so what it makes of one card,
        # 100 units wide with its corner in the origin, is kept and put into a page as often as it is needed.
        across, down = width / 100 * _MM, height / 140 * _MM
        at = f"{across:.5f} 0 0 {down:.5f} {x * _MM:.3f} {(self.height - y) * _MM:.3f} cm"
        with self.pdf._marked_sequence(alt_text=name):
            self.pdf._out(f"q {at} {self._drawn[card]} Q")
        self.pdf._resource_catalog.index_stream_resources(self._drawn[card], self.page)
        self._place("card", x, y, width, height, name)

    def _draw(self, picture: str) -> str:
        """What a PDF file holds for a drawing, in our font; fpdf2 does not know titles and would complain of them."""
        picture = re.sub(r'font-family="[^"]*"', f'font-family="{_FONT}"', re.sub(r"<title>.*?</title>", "", picture))
        _width, _height, shapes = SVGObject(picture).transform_to_rect_viewport(
            scale=1, width=100, height=140, ignore_svg_top_attrs=True
        )
        drawing = DrawingContext()
        drawing.add_item(shapes, clone=False)
        style = GraphicsStyle()  # of its own, since the page's colours and widths may be any
        style.stroke_dash_pattern, style.stroke_dash_phase = (), 0
        return str(drawing.render(self.pdf._resource_catalog, Point(0, 0), 1, 0, style))

    def _set_font(self, bold: bool, size: float) -> None:
        style = "B" if bold else ""
        if self._font != (style, size):
            self.pdf.set_font_size(1)  # so that the font is set on this page, too, where fpdf2 thinks it is set already
            self.pdf.set_font(_FONT, style, size)
            self._font = (style, size)

    def _place(self, kind: str, x: float, y: float, width: float, height: float, words: str) -> None:
        self.placed.append(Placed(self.page, kind, x, y, width, height, words))


def letter_height(size: float) -> float:
    """The size of letters in millimetres; so far below its upper edge a line of them has its foot."""
    return size / _MM


def line_height(size: float) -> float:
    """How much height a line of letters of this size takes."""
    return size / _MM * _LEADING


def tidy(words: str) -> str:
    """Words without signs that cannot be written."""
    return _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", words)
