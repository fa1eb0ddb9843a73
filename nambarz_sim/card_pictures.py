"""The cards drawn as cards: one SVG picture for each kind of card, and rows of them for notebooks.

Nothing is told by colour alone. A number card is its number; a picture card has its animal drawn and named; each kind of
wildcard has a frame, a background, a symbol and a corner mark of its own, and its name in words. The pictures hold no
ids, gradients or styles, so that any number of them may stand in one page. A card is 100 units wide and 140 high.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape

from nambarz_sim._errors import whole_number
from nambarz_sim.card_names import card_name, card_text, translated
from nambarz_sim.cards import Card, Deck, data_folder
from nambarz_sim.languages import _, choose_language, in_language

CARDS_IN_A_ROW = 10
"""`draw_cards` starts a new row after so many."""

_INK = "#222222"
_ROOM = 82
"""The widest that a text may become: a card without its frame and some air."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def card_svg(card: Card, lang: str | None = None) -> str:
    """The picture of a card: an SVG document of 100 by 140 units with the card's name as its text alternative.

    An animal without a drawing of ours, as a user's deck may have, is shown by its name in large letters. The words are
    of the language ``lang``; without, of the one that `nambarz_sim.languages.choose_language` says.

    Examples
    --------
    >>> picture = card_svg(Card.parse("3bee"))
    >>> picture.startswith("<svg "), "<title>3 bee</title>" in picture
    (True, True)
    """
    return _card_svg(card, choose_language(lang))


@lru_cache(maxsize=512)
def _card_svg(card: Card, lang: str) -> str:
    with in_language(lang):
        if card.is_wildcard:
            face = _wildcard_face(_WILDCARDS[card.kind])
        elif card.animal is not None:
            face = _picture_face(str(card.number), card.animal)
        else:
            face = _number_face(str(card.number))
        return _document(card_title(card), face)


def card_back_svg(lang: str | None = None) -> str:
    """The picture of a card that lies face down: the four signs on a pattern, the same for every card.

    Its text alternative is of the language ``lang``, as in `card_svg`.

    Examples
    --------
    >>> "<title>card face down</title>" in card_back_svg()
    True
    """
    return _card_back_svg(choose_language(lang))


@cache
def _card_back_svg(lang: str) -> str:
    lattice = "".join(f"M{x} {y}l10 10l-10 10l-10 -10Z" for y in range(10, 111, 20) for x in range(20, 81, 20))
    face = (
        f'<rect x="6" y="6" width="88" height="128" rx="5" fill="#0072B2" stroke="{_INK}" stroke-width="2"/>'
        f'<path d="{lattice}" fill="#56B4E9" stroke="#FFFFFF" stroke-width="1.5"/>'
        f'<rect x="26" y="46" width="48" height="48" rx="8" fill="#FFFFFF" stroke="{_INK}" stroke-width="3"/>'
        + _lines("M34 60h11m-5.5 -5.5v11M55 60h11M35.5 76l8 8m0 -8l-8 8M55 80h11m-5.5 -5v0m0 10v0", 3.5)
    )
    with in_language(lang):
        return _document(_("card face down"), face)


def card_title(card: Card, lang: str | None = None) -> str:
    """A card's name as a person says it, the text alternative of its picture, in a language as `card_svg` has it.

    Examples
    --------
    >>> [card_title(Card.parse(text)) for text in ("3bee", "3", "change-any")]
    ['3 bee', 'number card 3', 'change-any wildcard']
    """
    with in_language(lang):
        if card.is_wildcard:
            return _("{wildcard} wildcard").format(wildcard=card_name(card))
        return _("number card {number}").format(number=card.number) if card.animal is None else card_name(card)


@dataclass(frozen=True, repr=False)
class CardPicture:
    """Cards in rows, drawn by a notebook as its cell's value; elsewhere their text.

    Attributes
    ----------
    cards
        The cards, in the order drawn.
    width
        How wide each is on the screen, in pixels.
    lang
        The language of the words; None for the one spoken when it is shown.
    """

    cards: tuple[Card, ...]
    width: int = 90
    lang: str | None = None

    def __repr__(self) -> str:
        with in_language(self.lang):
            return " ".join(card_text(card) for card in self.cards) or _("no cards")

    def _repr_html_(self) -> str:
        with in_language(self.lang):
            return self._html()

    def _html(self) -> str:
        # An image of its own for each card, so that a screen reader goes from card to card and says their names.
        if not self.cards:
            return f"<p>{_text(repr(self))}</p>"
        images = "".join(
            f'<img alt="{_text(card_title(card))}" width="{self.width}" style="margin:0" src="{_data_uri(card)}">'
            for card in self.cards
        )
        gap, label = 6, _text(_("cards"))
        widest = CARDS_IN_A_ROW * (self.width + gap)
        return (
            f'<div role="group" aria-label="{label}" '
            f'style="display:flex;flex-wrap:wrap;gap:{gap}px;max-width:{widest}px">{images}</div>'
        )


def draw_cards(
    cards: str | Card | Iterable[str | Card], deck: str | Deck = "nambarz", width: int = 90, lang: str | None = None
) -> CardPicture:
    """Cards as a picture for a notebook: rows of at most ten, each card with its name as text alternative.

    Parameters
    ----------
    cards
        A text with spaces or commas between the cards, one card, or several. A `Card` is drawn as it is; a text must
        name a card of the deck.
    deck
        A deck, its name, or the path of its CSV file, such as ``rules.deck``.
    width
        How wide each card is on the screen, in pixels, 20 to 1000.
    lang
        The language of the words on the cards and of their names, as `card_svg` has it.

    Raises
    ------
    ValueError
        If a text is no card of the deck, the width is out of range, or there is no such language.
    TypeError
        If something in `cards` is neither a text nor a `Card`.

    Examples
    --------
    >>> draw_cards("10 4, 7fish change-any")
    10 4 7fish change-any
    """
    whole_number("width", width, 20, 1000)
    lang = choose_language(lang)
    if isinstance(deck, str):
        deck = Deck.load(deck)
    if isinstance(cards, str):
        return CardPicture(tuple(deck.hand(cards)), width, lang)
    drawn = []
    for card in [cards] if isinstance(cards, Card) else cards:
        if not isinstance(card, str | Card):
            raise TypeError(f"cards: {card!r} is no card; give a Card or a card's text, such as '3' or '3bee'")
        drawn.append(deck.card(card) if isinstance(card, str) else card)
    return CardPicture(tuple(drawn), width, lang)


def _data_uri(card: Card) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(card_svg(card).encode()).decode("ascii")


# --- parts of a picture ----------------------------------------------------------------------------------------------


def _document(title: str, face: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 140" role="img">'
        f"<title>{_text(title)}</title>"
        f'<rect x="1.5" y="1.5" width="97" height="137" rx="9" fill="#FFFFFF" stroke="{_INK}" stroke-width="3"/>'
        f"{face}</svg>"
    )


def _text(text: str) -> str:
    """A text as XML may hold it: markup escaped, characters that XML forbids replaced."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def _ems(text: str) -> float:
    """About how wide a text in bold letters is, in units of its font size; rather too wide than too narrow."""
    widths = dict.fromkeys("fijlrt", 0.45) | dict.fromkeys("mw", 1.08)
    return sum(1.0 if unicodedata.east_asian_width(sign) in "WF" else widths.get(sign, 0.72) for sign in text)


def _words(text: str, x: float, y: float, size: float, room: float = _ROOM, fill: str = _INK) -> str:
    """A line of bold text around x, its foot at y, made smaller than `size` where it would be wider than `room`."""
    size = min(size, room / max(_ems(text), 0.5))
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:.4g}" font-family="Verdana, \'DejaVu Sans\', sans-serif" '
        f'font-weight="bold" text-anchor="middle" fill="{fill}">{_text(text)}</text>'
    )


def _number(number: str, x: float, y: float, size: float) -> str:
    """A number around x, its foot at y; underlined where it would be another number upside down, as 6 and 9 would."""
    drawn = _words(number, x, y, size)
    if set(number) <= set("0689") and set(number) & set("69"):
        half, thick = 0.33 * size * len(number), max(2.0, 0.07 * size)
        drawn += _lines(f"M{x - half:.4g} {y + 1.6 * thick:.4g}h{2 * half:.4g}", thick)
    return drawn


def _upside_down(drawn: str) -> str:
    return f'<g transform="rotate(180 50 70)">{drawn}</g>'


def _lines(path: str, width: float, colour: str = _INK) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" '
        f'stroke-linejoin="round"/>'
    )


def _moved(drawn: str, x: float, y: float, scale: float) -> str:
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{drawn}</g>'


# --- ordinary cards --------------------------------------------------------------------------------------------------


def _number_face(number: str) -> str:
    corner = _corner(number)
    size = 78 if len(number) == 1 else 58
    return corner + _upside_down(corner) + _number(number, 50, 69 + 0.36 * size, size)


def _picture_face(number: str, animal: str) -> str:
    numbers = _number(number, 7 + 12.5 * len(number), 33, 35) + _upside_down(_corner(number))
    drawing = _drawings().get(animal)
    if drawing is None:
        return numbers + _words(translated(animal), 50, 82, 30, 88)
    return numbers + _moved(drawing, 18, 32, 0.7) + _words(translated(animal), 50, 112, 12)


def _corner(number: str) -> str:
    return _number(number, 9 + 6 * len(number), 20, 17)


@cache
def _drawings() -> dict[str, str]:
    """What stands in the SVG file of each animal that we have a drawing of, by the animal's name."""
    files = (data_folder() / "animals").glob("*.svg")
    return {path.stem: re.sub(r"</?svg[^>]*>|\n\s*", "", path.read_text(encoding="utf-8")) for path in files}


# --- wildcards -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wildcard:
    """What a kind of wildcard looks like; each of these differs from that of the other kinds."""

    kind: str
    colour: str
    frame: str
    """Dashes of the frame."""
    background: str
    symbol: str
    """Drawn around (50, 62)."""
    mark: str
    """Drawn around (0, 0), for the corner that shows when cards are held as a fan."""

    @property
    def words(self) -> list[str]:
        """Its name in the language spoken, on two lines where it has more than one word."""
        return re.split(r"[\s-]", translated(self.kind), maxsplit=1)


def _wildcard_face(look: _Wildcard) -> str:
    lines = len(look.words)
    name = "".join(
        _words(word, 50, 117.5 - 7.5 * (lines - 1) + 15 * line, 15 if lines > 1 else 19, 74, "#FFFFFF")
        for line, word in enumerate(look.words)
    )
    return (
        f'<rect x="6.5" y="6.5" width="87" height="127" rx="5" fill="none" stroke="{look.colour}" stroke-width="6" '
        f'stroke-dasharray="{look.frame}"/>{look.background}'
        f'<rect x="14" y="37" width="72" height="54" rx="6" fill="#FFFFFF" stroke="{_INK}" stroke-width="2.5"/>'
        f"{look.symbol}"
        f'<circle cx="23" cy="22" r="12" fill="#FFFFFF" stroke="{_INK}" stroke-width="2.5"/>'
        f"{_moved(look.mark, 23, 22, 1)}"
        f'<rect x="10" y="96" width="80" height="34" rx="5" fill="{_INK}"/>{name}'
    )


def _hatching(rising: bool) -> str:
    """Slanting lines over the part of a card inside its frame."""
    left, top, right, bottom = 11, 11, 89, 129
    path = ""
    for both in range(left + top + 8, right + bottom, 8):  # along each line x + y is the same
        x, to_x = min(right, both - top), max(left, both - bottom)
        y, to_y = both - x, both - to_x
        path += f"M{x} {y}L{to_x} {to_y}" if rising else f"M{100 - x} {y}L{100 - to_x} {to_y}"
    return path


_SWAP = _lines("M33 48Q50 39 66 47M59 47.5L66 47L63 40.5M67 76Q50 85 34 77M41 76.5L34 77L37 83.5", 3)
_PAW = (
    f'<g fill="{_INK}"><path d="M0 0Q5 0 8 5Q10 10 5 10.5Q0 8.5 -5 10.5Q-10 10 -8 5Q-5 0 0 0Z"/>'
    '<ellipse cx="-9" cy="-1" rx="2.8" ry="3.8"/><ellipse cx="-3.6" cy="-6.5" rx="2.9" ry="4"/>'
    '<ellipse cx="3.6" cy="-6.5" rx="2.9" ry="4"/><ellipse cx="9" cy="-1" rx="2.8" ry="3.8"/></g>'
)
_FISH = _lines("M-12 0Q-3 -12 6 0L12 -6V6L6 0Q-3 12 -12 0ZM-7 -1v0", 2.5)
_ROUND = _lines("M9 -15A17.5 17.5 0 1 1 -9 -15M-1 -16.5L-10 -15.5L-7.5 -6.5", 5)
_STAR = f'<path d="M0 -9l2.6 5.8L9 -3l-5 4.5 1.8 6.3L0 4.2l-5.8 3.6L-4 1.5L-9 -3l6.4 -.2Z" fill="{_INK}"/>'
_DOTS = "".join(f"M{x} {y}v0" for row, y in enumerate(range(14, 130, 7)) for x in range(14 + row % 2 * 4, 90, 8))
_WAVES = "".join(f"M12 {y}q4.75 -5 9.5 0" + "t9.5 0" * 7 for y in range(15, 130, 7))
_WILDCARDS = {
    "change-number": _Wildcard(
        kind="change-number",
        colour="#0072B2",
        frame="7 4",
        background=_lines(_hatching(rising=True), 2, "#56B4E9"),
        symbol=_SWAP + _words("3", 31, 71, 25) + _words("8", 69, 71, 25),
        mark=_words("12", 0, 5, 13),
    ),
    "change-picture": _Wildcard(
        kind="change-picture",
        colour="#D55E00",
        frame="2 3",
        background=_lines(_DOTS, 3, "#E69F00"),
        symbol=_SWAP + _moved(_PAW, 31, 62, 1) + _moved(_FISH, 68.5, 62, 1),
        mark=_moved(_PAW, 0, -1, 0.8),
    ),
    "change-any": _Wildcard(
        kind="change-any",
        colour="#8A4B78",
        frame="14 3 3 3",
        background=_lines(_hatching(rising=True) + _hatching(rising=False), 1.5, "#CC79A7"),
        symbol=_SWAP + _words("3", 31, 71, 25) + _moved(_PAW, 69, 62, 1),
        mark=_STAR,
    ),
    "replay": _Wildcard(
        kind="replay",
        colour="#00805A",
        frame="none",
        background=_lines(_WAVES, 2, "#5CBFA0"),
        symbol=_moved(_ROUND, 50, 65, 1.1),
        mark=_moved(_ROUND, 0, 1, 0.42),
    ),
}
