"""Posters for the classroom: the calculations with the fewest cards, the rules on one page, a deck to print and cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nambarz_sim._errors import whole_number
from nambarz_sim.analysis.calculations import minimal_calculations
from nambarz_sim.card_pictures import card_title
from nambarz_sim.cards import HIGHEST_NUMBER, Card
from nambarz_sim.classroom.paper import CARD_SHAPE, SIZES, Paper, letter_height, line_height, paper_size
from nambarz_sim.classroom.rules_poster import ACCENT, rules_poster
from nambarz_sim.classroom.school_words import school_signs, steps_in_words
from nambarz_sim.event_words import count_cards
from nambarz_sim.languages import _, in_language, plural, written
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["calculations_poster", "printed_deck", "rules_poster"]

CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
"""A playing card's size in millimetres."""
_LEAST_SHRUNK = 0.85
_ROWS_SAVED = 3
"""Letters are made smaller, down to a part of their size, where one more column fits so and saves some rows."""
_SMALLEST_BORDER = 6.0
"""So near to the edge of a page most printers print."""


# --- all calculations for a target -----------------------------------------------------------------------------------


def calculations_poster(
    rules: Rules | None = None,
    targets: int | Iterable[int] | None = None,
    size: str = "A4",
    *,
    landscape: bool = False,
    lang: str | None = None,
) -> Paper:
    """A poster of all minimal calculations, each target on pages of its own, in letters to be read on a wall.

    Parameters
    ----------
    rules
        The rules in force: their deck, operations, steps and `max_cards` count; `Rules()` without.
    targets
        A number of the deck, or several; without, every number that some calculation makes.
    size
        ``"A4"``, ``"Letter"`` or ``"A3"``.
    landscape
        Whether the long side lies below.
    lang
        The language of the poster; the usual one without.

    Raises
    ------
    ValueError
        If a target is no number of the deck or has no calculation, or there is no such size or language.

    Examples
    --------
    >>> poster = calculations_poster(Rules(operations="+"), targets=3, lang="en")
    >>> print(poster.text)
    NAMBARZ: the calculations with the fewest cards
    Page 1 of 1. Deck: nambarz. On the way: whole numbers from 0 up. Signs: +
    <BLANKLINE>
    Cards to make 3
    2 calculations. Lay the cards and work from left to right.
    <BLANKLINE>
    2 cards
    2 + 1
    <BLANKLINE>
    3 cards
    1 + 1 + 1
    """
    rules = rules or Rules()
    size = paper_size(size)
    with in_language(lang) as spoken:
        wanted = _read_targets(rules, targets)
        found = minimal_calculations(rules)
        by_target = {target: found[found["target"] == target] for target in wanted or sorted(set(found["target"]))}
        without = [target for target, rows in by_target.items() if rows.empty]
        if without or not by_target:
            raise ValueError(
                f"target: {without[0] if without else 'every number'} has no calculation with the operations "
                f"{rules.operations}; choose another target or more operations"
            )
        scale = SIZES[size][0] / SIZES["A4"][0]
        paper = Paper(
            _("NAMBARZ: the calculations with the fewest cards"),
            size,
            landscape=landscape,
            note=_rules_note(rules),
            lang=spoken,
            margin=10 * scale,
        )
        for target, rows in by_target.items():
            _CalculationPages(paper, int(target), rows, scale).write()
    return paper


def _read_targets(rules: Rules, targets: int | Iterable[int] | None) -> list[int]:
    if targets is None:
        return []
    chosen = [targets] if isinstance(targets, int) else list(targets)
    known = rules.the_deck.numbers
    for target in chosen:
        whole_number("target", target, 0, HIGHEST_NUMBER)
        if target not in known:
            raise ValueError(f"target: {target} is no number of the deck; give one of {', '.join(map(str, known))}")
    if not chosen:
        raise ValueError(f"target: none is given; give some of {', '.join(map(str, known))}, or none for all")
    return sorted(set(chosen))


def _rules_note(rules: Rules) -> str:
    """What makes a poster repeatable."""
    note = _("Deck: {deck}. On the way: {steps}. Signs: {signs}").format(
        deck=rules.deck, steps=steps_in_words(rules.steps), signs=school_signs(" ".join(rules.operations))
    )
    if rules.max_cards is None:
        return note
    most = plural("At most {count} card. {note}", "At most {count} cards. {note}", rules.max_cards)
    return most.format(count=rules.max_cards, note=note)


@dataclass
class _CalculationPages:
    """The pages of one target."""

    paper: Paper
    target: int
    rows: pd.DataFrame
    scale: float

    def write(self) -> None:
        self.paper.part(self.paper.title, self.paper.note)
        self._head()
        for cards in sorted(set(self.rows["cards"])):
            rows = self.rows[self.rows["cards"] == cards]
            marks = [self._mark(*row) for row in rows[["number_cards", "picture_cards"]].itertuples(index=False)]
            lines = [school_signs(text) + mark for text, mark in zip(rows["expression"], marks, strict=True)]
            self._group(int(cards), int(rows["points"].iloc[0]), lines)

    @property
    def _size(self) -> float:
        return 20 * self.scale

    def _mark(self, number_cards: bool, picture_cards: bool) -> str:
        return " *" if not number_cards else " **" if not picture_cards else ""

    def _head(self) -> None:
        """The target, large, on every page."""
        paper, scale = self.paper, self.scale
        width = 22 * scale
        paper.card(Card("number", self.target), paper.left, paper.y, width)
        x, room = paper.left + width + 6 * scale, paper.inner_width - width - 6 * scale
        title = _("Cards to make {target}").format(target=self.target)
        size = paper.fitting_size(title, 38 * scale, room, bold=True)
        paper.words(title, x, paper.y, size, bold=True)
        count = len(self.rows)
        told = plural("{count} calculation.", "{count} calculations.", count).format(count=written(count))
        told += " " + _("Lay the cards and work from left to right.")
        notes = [told]
        if not self.rows["number_cards"].all():
            notes.append(_("* with picture cards only"))
        if not self.rows["picture_cards"].all():
            notes.append(_("** with number cards only"))
        y = paper.y + line_height(38 * scale) + 1
        for note in notes:
            small = paper.fitting_size(note, 12 * scale, room)
            paper.words(note, x, y, small)
            y += line_height(small)
        paper.y += width * CARD_SHAPE + 4 * scale

    def _group(self, cards: int, points: int, lines: list[str]) -> None:
        """The calculations of so many cards, in columns; a page that goes on with them says so."""
        paper = self.paper
        gap = 8 * self.scale
        widest = max(paper.width_of(line, self._size) for line in lines)
        columns = max(1, int((paper.inner_width + gap) // (widest + gap)))
        shrunk = min(1.0, paper.inner_width / widest)
        more = (paper.inner_width - columns * gap) / (columns + 1) / widest
        if more >= _LEAST_SHRUNK and -(-len(lines) // columns) - -(-len(lines) // (columns + 1)) >= _ROWS_SAVED:
            columns, shrunk = columns + 1, more
        columns = -(-len(lines) // -(-len(lines) // columns))
        size, height = self._size * shrunk, line_height(self._size * shrunk)
        band = line_height(15 * self.scale) + 2 * self.scale
        begun = False
        while lines:
            if paper.room < band + 1.5 * self.scale + height:
                paper.new_page()
                self._head()
            self._band(cards, points, band, begun)
            begun = True
            fitting = int((paper.room + 1e-6) // height)
            in_column = min(fitting, -(-len(lines) // columns))
            here, lines = lines[: in_column * columns], lines[in_column * columns :]
            for place, line in enumerate(here):
                column, row = divmod(place, in_column)
                x = paper.left + column * (paper.inner_width + gap) / columns
                paper.words(line, x, paper.y + row * height, size)
            paper.y += in_column * height + 2.5 * self.scale

    def _band(self, cards: int, points: int, height: float, begun: bool) -> None:
        paper, size = self.paper, 15 * self.scale
        title = count_cards(cards)
        if points:
            worth = plural("master stroke, {count} point", "master stroke, {count} points", points)
            title += f": {worth.format(count=points)}"
        if begun:
            title = _("{group} (continued)").format(group=title)
        paper.box(paper.left, paper.y, paper.inner_width, height, thick=0, fill=ACCENT)
        paper.say("")
        top = paper.y + (height - line_height(size)) / 2
        paper.words(title, paper.left + 2 * self.scale, top, size, bold=True, colour="#FFFFFF")
        paper.y += height + 1.5 * self.scale


# --- a deck to print and cut -----------------------------------------------------------------------------------------


def printed_deck(rules: Rules | None = None, size: str = "A4", *, backs: bool = True, lang: str | None = None) -> Paper:
    """All cards of the rules' deck at the size of playing cards, to print and cut.

    Parameters
    ----------
    rules
        The rules in force: as many copies of each card as they play with; `Rules()` without.
    size
        ``"A4"`` and ``"Letter"`` take 9 cards a page, ``"A3"`` takes 16.
    backs
        A page of backs follows each page of cards, to be printed on its other side, turned along the long edge.
    lang
        The language of the words beside the cards; the usual one without.

    Raises
    ------
    ValueError
        If there is no such size or language.

    Examples
    --------
    >>> deck = printed_deck(Rules(wildcards="top-level"), backs=False, lang="en")
    >>> deck.page, sum(placed.kind == "card" for placed in deck.placed)
    (10, 84)
    """
    rules = rules or Rules()
    with in_language(lang) as spoken:
        paper = Paper(_("NAMBARZ: a deck to print and cut"), size, note=_deck_note(rules), lang=spoken, bare=True)
        dealt = [card for card, count in zip(rules.the_deck.cards, rules.copies, strict=True) for _i in range(count)]
        grid = _Grid(paper)
        for start in range(0, len(dealt), grid.cells):
            if start:
                paper.new_page()
            here = dealt[start : start + grid.cells]
            grid.page_of(here, mirrored=False, told=_("Front"), backs=backs)
            if backs:
                paper.new_page()
                grid.page_of([None] * len(here), mirrored=True, told=_("Back"), backs=backs)
    return paper


def _deck_note(rules: Rules) -> str:
    count = sum(rules.copies)
    told = count_cards(count)
    return _("{cards}. Deck: {deck}").format(cards=told, deck=rules.deck)


class _Grid:
    """Cards edge to edge in the middle of a page, so that one cut serves two cards, with marks where to cut."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.columns = int((paper.width - 2 * _SMALLEST_BORDER) // CARD_WIDTH)
        self.rows = int((paper.height - 2 * _SMALLEST_BORDER) // CARD_HEIGHT)
        self.cells = self.columns * self.rows
        self.x = (paper.width - self.columns * CARD_WIDTH) / 2
        self.y = (paper.height - self.rows * CARD_HEIGHT) / 2

    def page_of(self, cards: list[Card] | list[None], mirrored: bool, told: str, backs: bool) -> None:
        """Cards from the upper left, or from the upper right where the other side of the sheet shows them."""
        paper = self.paper
        for place, card in enumerate(cards):
            row, column = divmod(place, self.columns)
            if mirrored:
                column = self.columns - 1 - column
            paper.card(card, self.x + column * CARD_WIDTH, self.y + row * CARD_HEIGHT, CARD_WIDTH, CARD_HEIGHT)
        self._marks()
        self._words_below(told, backs)
        for row in range(0, len(cards), self.columns):
            names = ", ".join(
                card_title(card) if card else _("card face down") for card in cards[row : row + self.columns]
            )
            paper.say(_("Row {row}: {cards}").format(row=row // self.columns + 1, cards=names))

    def _marks(self) -> None:
        """Short lines outside of the cards, at every edge that is cut."""
        paper = self.paper
        right, foot = self.x + self.columns * CARD_WIDTH, self.y + self.rows * CARD_HEIGHT
        long, away = 4.0, 1.5
        for column in range(self.columns + 1):
            x = self.x + column * CARD_WIDTH
            paper.line(x, self.y - away - long, x, self.y - away, 0.2)
            paper.line(x, foot + away, x, foot + away + long, 0.2)
        for row in range(self.rows + 1):
            y = self.y + row * CARD_HEIGHT
            paper.line(self.x - away - long, y, self.x - away, y, 0.2)
            paper.line(right + away, y, right + away + long, y, 0.2)

    def _words_below(self, told: str, backs: bool) -> None:
        paper, size = self.paper, 6.0
        words = [told, _("Print at 100 %: a card is {width} mm wide").format(width=written(CARD_WIDTH))]
        if backs:
            words.append(_("Print on both sides, turned along the long edge"))
        for column, line in enumerate(words):
            room = CARD_WIDTH - 4
            fitting = paper.fitting_size(line, size, room)
            top = self.y + self.rows * CARD_HEIGHT + letter_height(size) / 2
            paper.words(line, self.x + column * CARD_WIDTH + 2, top, fitting, align="center", width=room)
