"""The rules on one page: panels in columns, in letters as large as the page allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

from nambarz_sim.cards import Card
from nambarz_sim.classroom.paper import CARD_SHAPE, SIZES, Paper, letter_height, line_height, paper_size
from nambarz_sim.classroom.rules_words import Item, Panel, example_calculation, rules_in_short
from nambarz_sim.languages import _, in_language
from nambarz_sim.rules import Rules

ACCENT = "#0B4F7D"
"""Behind white titles; as dark in grey."""
_LARGEST, _SMALLEST, _STEP = 14.0, 5.0, 0.25
_BULLET = "•"
_SHARES: dict[bool, list[tuple[float, ...]]] = {
    False: [(share, 1 - share) for share in (0.5, 0.47, 0.53, 0.44, 0.56, 0.41, 0.59)],
    True: [(a, b, 1 - a - b) for a in (0.33, 0.3, 0.36) for b in (0.33, 0.3, 0.36, 0.39)],
}
"""How the width may be shared out among the columns, upright and in landscape."""


def rules_poster(
    rules: Rules | None = None, size: str = "A4", *, landscape: bool = False, lang: str | None = None
) -> Paper:
    """The rules in short on one page, in words for a class: only what holds for the rules given.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    size
        ``"A4"``, ``"Letter"`` or ``"A3"``.
    landscape
        Whether the long side lies below.
    lang
        The language of the poster; the usual one without.

    Raises
    ------
    ValueError
        If there is no such size or language.

    Examples
    --------
    >>> poster = rules_poster(Rules(penalty_cards=1), lang="en")
    >>> poster.page, "Each mistake costs 1 card from the pile, and your turn is over." in poster.text
    (1, True)
    """
    rules = rules or Rules()
    size = paper_size(size)
    scale = SIZES[size][0] / SIZES["A4"][0]
    with in_language(lang) as spoken:
        title = _("How to play NAMBARZ")
        paper = Paper(title, size, landscape=landscape, lang=spoken, margin=11 * scale, bare=True)
        _head(paper, title, rules, scale * (0.75 if landscape else 1))
        _Layout(paper, scale, _SHARES[landscape]).draw(rules_in_short(rules))
    return paper


def _head(paper: Paper, title: str, rules: Rules, scale: float) -> None:
    """The title, and cards beside it."""
    width, gap = 17 * scale, 2.5 * scale
    cards = _cards_to_show(rules)
    x = paper.right - len(cards) * (width + gap) + gap
    size = paper.fitting_size(title, 36 * scale, x - paper.left - 5 * scale, bold=True)
    paper.words(title, paper.left, paper.y + (width * CARD_SHAPE - line_height(size)) / 2, size, bold=True, say="")
    for place, card in enumerate(cards):
        paper.card(card, x + place * (width + gap), paper.y, width)
    paper.y += width * CARD_SHAPE + 4 * scale


def _cards_to_show(rules: Rules) -> list[Card]:
    """A number card, a picture card and a wildcard, as far as the rules have them; the example's target if they can."""
    example = example_calculation(rules)
    shown = []
    for kinds in (("number",), ("picture",), ("replay", "change-any", "change-number", "change-picture")):
        of_kind = [card for card, count in zip(rules.the_deck.cards, rules.copies, strict=True)
                   if count and card.kind in kinds]  # fmt: skip
        fitting = [card for card in of_kind if example and card.number == example[0]]
        shown += (fitting or of_kind)[:1]
    return shown


class _Layout:
    """Panels in columns below the title, in the largest letters with which they fit."""

    def __init__(self, paper: Paper, scale: float, shares: Sequence[tuple[float, ...]]) -> None:
        self.paper, self.scale, self.shares = paper, scale, shares
        self.words = _Words(paper)
        self.gap = 4.5 * scale
        self.top, self.room = paper.y, paper.bottom - paper.y

    def draw(self, panels: Sequence[Panel]) -> None:
        """Put the panels on the page."""
        smallest, largest = 0, int((_LARGEST - _SMALLEST) / _STEP)
        found = self._fitting(panels, smallest)
        while smallest < largest:
            middle = (smallest + largest + 1) // 2
            fitting = self._fitting(panels, middle)
            if fitting[0] <= self.room:
                smallest, found = middle, fitting
            else:
                largest = middle - 1
        _highest, columns = found
        x, number = self.paper.left, 0
        for column in columns:
            column.draw(x, self.top, self.room, number)
            number += len(column.panels)
            x += column.width + self.gap

    def _fitting(self, panels: Sequence[Panel], step: int) -> tuple[float, list[_Column]]:
        """How high the highest column is with letters of a size, and the columns, their widths and cuts chosen best."""
        size = (_SMALLEST + step * _STEP) * self.scale
        best: tuple[float, list[_Column]] = (float("inf"), [])
        for shares in self.shares:
            room = self.paper.inner_width - (len(shares) - 1) * self.gap
            for cuts in combinations(range(1, len(panels)), len(shares) - 1):
                ends = pairwise((0, *cuts, len(panels)))
                columns = [
                    _Column(self.words, tuple(panels[start:end]), share * room, size, self.gap)
                    for share, (start, end) in zip(shares, ends, strict=True)
                ]
                highest = max(column.height for column in columns)
                if highest < best[0]:
                    best = (highest, columns)
        return best


class _Column:
    """Panels below each other, as wide as the column, in letters of one size."""

    def __init__(self, words: _Words, panels: tuple[Panel, ...], width: float, size: float, gap: float) -> None:
        self.words, self.paper, self.panels = words, words.paper, panels
        self.width, self.size, self.gap = width, size, gap
        letter = letter_height(size)
        self.pad, self.between, self.card_width = 0.7 * letter, 0.45 * letter, 2.9 * letter
        self.title_size = size * 1.15
        self.title_height = line_height(self.title_size) + self.pad
        self.between_cards = 0.2 * letter

    @property
    def height(self) -> float:
        """How high the column is at least."""
        return sum(self._panel_height(panel) for panel in self.panels) + (len(self.panels) - 1) * self.gap

    def _panel_height(self, panel: Panel) -> float:
        items = sum(self._item_height(item) for item in panel.items)
        return self.title_height + 2 * self.pad + items + (len(panel.items) - 1) * self.between

    def _item_height(self, item: Item) -> float:
        words = len(self._lines(item)) * line_height(self.size)
        return max(words, self.card_width * CARD_SHAPE) if item.cards else words

    def _lines(self, item: Item) -> list[str]:
        return self.words.lines(item.words, self.size, self.width - self._indent(item) - self.pad)

    def _indent(self, item: Item) -> float:
        """How far the words of an item stand from the panel's edge."""
        if not item.cards:
            return self.pad + letter_height(self.size)
        return 2 * self.pad + len(item.cards) * (self.card_width + self.between_cards)

    def draw(self, x: float, y: float, room: float, number: int) -> None:
        """Put the panels on the page, with a number each, their sentences as far apart as the height allows."""
        sentences = sum(len(panel.items) - 1 for panel in self.panels)
        self.between += min((room - self.height) / max(sentences, 1), letter_height(self.size))
        for panel in self.panels:
            number += 1
            self._panel(panel, number, x, y)
            y += self._panel_height(panel) + self.gap

    def _panel(self, panel: Panel, number: int, x: float, y: float) -> None:
        paper, pad = self.paper, self.pad
        paper.box(x, y, self.width, self.title_height, thick=0, fill=ACCENT)
        paper.box(x, y, self.width, self._panel_height(panel), thick=self.gap / 9)
        title = f"{number}. {panel.title}"
        size = paper.fitting_size(title, self.title_size, self.width - 2 * pad, bold=True)
        paper.say("")
        top = y + (self.title_height - line_height(size)) / 2
        paper.words(title, x + pad, top, size, bold=True, colour="#FFFFFF")
        y += self.title_height + pad
        for item in panel.items:
            self._item(item, x, y)
            y += self._item_height(item) + self.between

    def _item(self, item: Item, x: float, y: float) -> None:
        paper, lines, left = self.paper, self._lines(item), x + self.pad
        for place, card in enumerate(item.cards):
            paper.card(card, left + place * (self.card_width + self.between_cards), y, self.card_width)
        if not item.cards:
            paper.words(_BULLET, left, y, self.size, say="")
        line_y = y + (self._item_height(item) - len(lines) * line_height(self.size)) / 2
        for line in lines:
            paper.words(line, x + self._indent(item), line_y, self.size, say="")
            line_y += line_height(self.size)
        paper.say(f"- {item.spoken}")


class _Words:
    """Words in lines, for many sizes and widths; nothing is worked out twice."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self._widths: dict[str, float] = {}
        self._lines: dict[tuple[str, float, float], list[str]] = {}

    def lines(self, words: str, size: float, width: float) -> list[str]:
        """The words in lines that are no wider than this, unless a single word is."""
        if known := self._lines.get((words, size, width)):
            return known
        lines: list[str] = []
        space, left = self._width(" ") * size, 0.0
        for word in words.split(" "):  # not at spaces that must not break
            long = self._width(word) * size
            if lines and long + space <= left:
                lines[-1] += f" {word}"
                left -= long + space
            else:
                lines.append(word)
                left = width - long
        self._lines[words, size, width] = lines
        return lines

    def _width(self, word: str) -> float:
        if word not in self._widths:
            self._widths[word] = self.paper.width_of(word, 100) / 100
        return self._widths[word]
