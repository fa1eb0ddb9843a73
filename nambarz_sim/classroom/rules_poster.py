"""The rules on one page: panels in columns, in letters as large as the page allows."""

from __future__ import annotations

from itertools import combinations

from nambarz_sim.cards import Card
from nambarz_sim.classroom.paper import CARD_SHAPE, SIZES, Paper, letter_height, line_height, paper_size
from nambarz_sim.classroom.rules_words import Item, Panel, example_calculation, rules_in_short
from nambarz_sim.languages import _, in_language
from nambarz_sim.rules import Rules

ACCENT = "#0B4F7D"
"""Behind white titles; as dark in grey."""
_LARGEST, _SMALLEST, _STEP = 14.0, 5.0, 0.25
_BULLET = "•"


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
        _head(paper, title, rules, scale)
        panels = rules_in_short(rules)
        layout = _Layout(paper, scale, 3 if landscape else 2)
        columns = layout.fit(panels)
        number = 0
        for column, held in enumerate(columns):
            number = layout.draw(column, held, number)
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
    paper.y += width * CARD_SHAPE + 5 * scale


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
    """Panels in columns below the title."""

    def __init__(self, paper: Paper, scale: float, columns: int) -> None:
        self.paper, self.scale, self.columns = paper, scale, columns
        self.gap = 5 * scale
        self.width = (paper.inner_width - (columns - 1) * self.gap) / columns
        self.top = paper.y
        self.size = _LARGEST * scale

    def fit(self, panels: list[Panel]) -> list[list[Panel]]:
        """The panels for each column, in their order, in the largest letters with which no column is too high."""
        room = self.paper.bottom - self.top
        self.size = _LARGEST * self.scale
        while True:
            heights = [self.height_of(panel) for panel in panels]
            best: tuple[float, tuple[int, ...]] = (float("inf"), ())
            for cuts in combinations(range(1, len(panels)), self.columns - 1):
                ends = (0, *cuts, len(panels))
                highest = max(sum(heights[a:b]) + (b - a - 1) * self.gap for a, b in zip(ends, ends[1:], strict=False))
                best = min(best, (highest, ends))
            if best[0] <= room or self.size <= _SMALLEST * self.scale:
                ends = best[1]
                return [panels[a:b] for a, b in zip(ends, ends[1:], strict=False)]
            self.size -= _STEP * self.scale

    @property
    def _pad(self) -> float:
        return 0.7 * letter_height(self.size)

    @property
    def _between(self) -> float:
        return 0.45 * letter_height(self.size)

    @property
    def _title_height(self) -> float:
        return line_height(self.size * 1.15) + self._pad

    def height_of(self, panel: Panel) -> float:
        """How high a panel is with its frame."""
        items = sum(self._item(item)[1] for item in panel.items)
        return self._title_height + 2 * self._pad + items + (len(panel.items) - 1) * self._between

    def _item(self, item: Item) -> tuple[list[str], float, float]:
        """The lines of an item, its height, and how far its words stand from the panel's edge."""
        left = self._pad + (self._cards_width(item) if item.cards else 1.0 * letter_height(self.size))
        lines = self.paper.lines(item.words, self.size, False, self.width - left - self._pad)
        height = len(lines) * line_height(self.size)
        if item.cards:
            height = max(height, self._card_width * CARD_SHAPE)
        return lines, height, left

    @property
    def _card_width(self) -> float:
        return 2.9 * letter_height(self.size)

    def _cards_width(self, item: Item) -> float:
        return len(item.cards) * (self._card_width + 0.3 * self._pad) + 0.7 * self._pad

    def draw(self, column: int, panels: list[Panel], number: int) -> int:
        """Put panels into a column; the number of the last one, counted on from the number given."""
        x, y = self.paper.left + column * (self.width + self.gap), self.top
        for panel in panels:
            number += 1
            self._panel(panel, number, x, y)
            y += self.height_of(panel) + self.gap
        return number

    def _panel(self, panel: Panel, number: int, x: float, y: float) -> None:
        paper, height = self.paper, self.height_of(panel)
        paper.box(x, y, self.width, self._title_height, thick=0, fill=ACCENT)
        paper.box(x, y, self.width, height, thick=0.5 * self.scale)
        title = f"{number}. {panel.title}"
        size = paper.fitting_size(title, self.size * 1.15, self.width - 2 * self._pad, bold=True)
        paper.say("")
        top = y + (self._title_height - line_height(size)) / 2
        paper.words(title, x + self._pad, top, size, bold=True, colour="#FFFFFF")
        y += self._title_height + self._pad
        for item in panel.items:
            lines, item_height, left = self._item(item)
            for place, card in enumerate(item.cards):
                paper.card(card, x + self._pad + place * (self._card_width + 0.3 * self._pad), y, self._card_width)
            if not item.cards:
                paper.words(_BULLET, x + self._pad, y, self.size, say="")
            line_y = y + (item_height - len(lines) * line_height(self.size)) / 2
            for line in lines:
                paper.words(line.rstrip(), x + left, line_y, self.size, say="")
                line_y += line_height(self.size)
            paper.say(f"- {item.words}")
            y += item_height + self._between
