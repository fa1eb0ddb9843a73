"""Worksheets on paper: each pupil's sheet, then the teacher's pages with the answers and how difficult the sheets are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from nambarz_sim.card_names import card_name
from nambarz_sim.cards import Card
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.paper import CARD_SHAPE, Paper, letter_height, line_height
from nambarz_sim.classroom.sheets import TOLERANCE, Sheet
from nambarz_sim.classroom.tasks import GAP, Task
from nambarz_sim.classroom.worksheet_words import BLANK, answer, expression, faults, head, instruction, kind_name, laid
from nambarz_sim.languages import _, in_language, written

PAPERS = ("A4", "Letter")
"""The sizes of paper that a sheet is laid out for."""
_SIZE = 11.0
_SMALL = 9.0
_NUMBER_WIDTH = 9.0
_CARD, _CARD_GAP = 13.2, 2.0
_ACTIVE_GAP = 9.0
_LINE = 7.2
_AIR = 3.0
_MARGIN = 12.0
"""Ten tasks of the usual kinds stand on two pages."""
_TICK = 3.6


def print_sheets(
    sheets: Sequence[Sheet],
    level: Level,
    seed: int,
    size: str,
    answers: bool,
    lang: str | None,
    progress: Callable[[int, int], None] | None = None,
) -> Paper:
    """All sheets of a set, each beginning on a page of its own, and with `answers` the teacher's pages behind them."""
    with in_language(lang) as spoken:
        note = _("Seed {seed}").format(seed=seed)
        paper = Paper(_title(sheets[0], len(sheets), level), size, note=note, lang=spoken, margin=_MARGIN)
        for sheet in sheets:
            if progress:
                progress(sheet.number - 1, len(sheets))
            if sheet is not sheets[0]:
                paper.part(_title(sheet, len(sheets), level), note)
            paper.name_line()
            paper.paragraph(head(level, sheet.tasks), _SMALL)
            paper.space(_AIR)
            for number, task in enumerate(sheet.tasks, 1):
                _Block(paper, task, number).write()
        if answers:
            _print_answers(paper, sheets, level, note)
        if progress:
            progress(len(sheets), len(sheets))
    return paper


def _title(sheet: Sheet, count: int, level: Level) -> str:
    words = {"level": level.name or _("of your own"), "sheet": written(sheet.number), "sheets": written(count)}
    if count == 1:
        return _("NAMBARZ worksheet, level {level}").format(**words)
    return _("NAMBARZ worksheet, level {level}, sheet {sheet} of {sheets}").format(**words)


class _Block:
    """One task on paper; it stands on one page."""

    def __init__(self, paper: Paper, task: Task, number: int) -> None:
        self.paper, self.task, self.number = paper, task, number
        self.left = paper.left + _NUMBER_WIDTH
        self.width = paper.right - self.left
        self.lines = paper.lines(instruction(task), _SIZE, False, self.width)

    def write(self) -> None:
        """Write it where there is room for all of it."""
        paper = self.paper
        drawn = self._card_height() + line_height(_SMALL) + 1
        if self.task.kind == "complete":
            drawn -= line_height(_SMALL) / 2
        height = len(self.lines) * line_height(_SIZE) + 1 + drawn + 1 + self._answer_height()
        paper.keep_together(height)
        paper.words(f"{self.number}.", paper.left, paper.y, _SIZE, bold=True, say="")
        paper.say("")
        for line in self.lines:
            paper.words(line, self.left, paper.y, _SIZE, say="")
            paper.y += line_height(_SIZE)
        paper.say(f"{self.number}. {instruction(self.task)}")
        paper.y += 1
        if self.task.kind == "complete":
            self._draw_calculation()
        else:
            self._draw_cards()
        paper.y += drawn + 1
        self._leave_room()
        paper.y += _AIR

    # --- what is drawn -----------------------------------------------------------------------------------------------

    def _card_width(self) -> float:
        """As wide as usual, or as narrow as a long row needs."""
        count = len(self.task.shown) + 1
        return min(_CARD, (self.width - _ACTIVE_GAP - (count - 2) * _CARD_GAP) / count)

    def _card_height(self) -> float:
        return self._card_width() * CARD_SHAPE

    def _draw_cards(self) -> None:
        """The active card, a line, and the hand or what is laid."""
        paper, width, task = self.paper, self._card_width(), self.task
        below = paper.y + line_height(_SMALL) + 1
        paper.words(_("Active card"), self.left, paper.y, self._fitting(_("Active card"), width + 7), say="")
        paper.card(task.active, self.left, below, width)
        x = self.left + width + _ACTIVE_GAP / 2 + 1
        paper.line(x, below, x, below + width * CARD_SHAPE, 0.5)
        x += _ACTIVE_GAP / 2 - 1
        judged = task.kind == "right-or-wrong"
        paper.words(_("Laid, from left to right") if judged else _("Your hand"), x, paper.y, _SMALL, say="")
        for card in task.shown:
            paper.card(card, x, below, width)
            x += width + _CARD_GAP
        cards = ", ".join(card_name(card) for card in task.shown)
        hand = _("Laid: {cards}") if judged else _("Your hand: {cards}")
        paper.say(_("Active card: {card}").format(card=card_name(task.active)))
        paper.say(hand.format(cards=cards))

    def _fitting(self, words: str, width: float) -> float:
        return self.paper.fitting_size(words, _SMALL, width)

    def _draw_calculation(self) -> None:
        """Cards with signs and brackets between them, a box for what is missing, and the active card behind it all."""
        paper, task = self.paper, self.task
        parts = [*task.written.replace("(", "( ").replace(")", " )").split(), "=", str(task.active.number)]
        widths = [self._part_width(part) for part in parts]
        shrink = min(1.0, self.width / sum(widths))
        below, x = paper.y + line_height(_SMALL) / 2, self.left
        for place, (part, width) in enumerate(zip(parts, widths, strict=True)):
            self._draw_part(part, x, below, width * shrink, shrink, last=place == len(parts) - 1)
            x += width * shrink
        paper.say(f"{expression(task.written).replace(GAP, BLANK)} = {task.active.number}")

    def _part_width(self, part: str) -> float:
        if part.isdecimal() or (part == GAP and not self.task.missing_sign):
            return _CARD
        return {"(": 6.0, ")": 6.0, GAP: _CARD}.get(part, 11.0)

    def _draw_part(self, part: str, x: float, y: float, width: float, shrink: float, last: bool) -> None:
        paper, task, height = self.paper, self.task, _CARD * CARD_SHAPE * shrink
        if part.isdecimal():
            paper.card(task.active if last else Card("number", int(part)), x, y, width)
        elif part == GAP and task.missing_sign:
            side = width * 0.75
            paper.box(x + (width - side) / 2, y + (height - side) / 2, side, side, thick=0.6, round=1.5)
        elif part == GAP:
            paper.box(
                x + 0.6 * shrink, y + 0.6 * shrink, width - 1.2 * shrink, height - 1.2 * shrink, thick=0.6, round=1.5
            )
        else:
            size = (30 if part in "()" else 20) * shrink
            paper.words(expression(part), x, y + height / 2 - size * 0.24, size, align="center", width=width, say="")

    # --- room for answers --------------------------------------------------------------------------------------------

    def _answer_height(self) -> float:
        if self.task.kind == "complete":
            return 0.0
        return self._rows() * _LINE

    def _rows(self) -> float:
        return {"find-all": -(-self.task.count // 2), "right-or-wrong": 2.5}.get(self.task.kind, 1)

    def _leave_room(self) -> None:
        paper, kind = self.paper, self.task.kind
        if kind == "complete":
            return
        if kind == "right-or-wrong":
            self._ticks()
        elif kind == "find-all":
            half = (self.width - 8) / 2
            for place in range(self.task.count):
                x = self.left + place % 2 * (half + 8)
                self._answer_line(x, x + half, paper.y + place // 2 * _LINE)
            paper.say("   ".join([BLANK] * self.task.count))
        elif kind == "replay":
            self._two_plays()
        else:
            self._answer_line(self.left, paper.right, paper.y)
            paper.say(BLANK)
        paper.y += self._rows() * _LINE

    def _answer_line(self, x: float, end: float, y: float) -> None:
        self.paper.line(x, y + _LINE - 1, end, y + _LINE - 1, 0.25)

    def _two_plays(self) -> None:
        """A line for each of the two plays."""
        paper = self.paper
        half = (self.width - 8) / 2
        first, then = _("First:"), _("After the replay:")
        for words, x in ((first, self.left), (then, self.left + half + 8)):
            paper.words(words, x, paper.y + _LINE - 1 - letter_height(_SMALL), _SMALL, say="")
            self._answer_line(x + paper.width_of(words, _SMALL) + 2, x + half, paper.y)
        paper.say(f"{first} {BLANK}   {then} {BLANK}")

    def _ticks(self) -> None:
        """A box to tick for right and for each fault, and a line to say why."""
        paper, column = self.paper, self.width / 3
        for place, words in enumerate(faults().values()):
            x, y = self.left + place % 3 * column, paper.y + place // 3 * (_LINE - 2) + 1
            paper.box(x, y, _TICK, _TICK)
            size = self._fitting_tick(words, column)
            paper.words(words, x + _TICK + 2, y + _TICK / 2 - line_height(size) / 2, size, say="")
        paper.say("   ".join(f"[ ] {words}" for words in faults().values()))
        why, y = _("Why:"), paper.y + 1.5 * _LINE
        paper.words(why, self.left, y + _LINE - 1 - letter_height(_SMALL), _SMALL, say="")
        self._answer_line(self.left + paper.width_of(why, _SMALL) + 2, paper.right, y)
        paper.say(f"{why} {BLANK}")

    def _fitting_tick(self, words: str, column: float) -> float:
        return self.paper.fitting_size(words, _SMALL, column - _TICK - 4)


# --- the teacher's pages ---------------------------------------------------------------------------------------------


def _print_answers(paper: Paper, sheets: Sequence[Sheet], level: Level, note: str) -> None:
    paper.part(_("Answers for the teacher, level {level}").format(level=level.name or _("of your own")), note)
    paper.paragraph(
        _(
            "“For example” means that other plays are right, too: any play that follows the rules is. Plays are counted "
            "once for the same cards, whatever their order."
        ),
        _SMALL,
    )
    for sheet in sheets:
        if len(sheets) > 1:
            paper.heading(_("Sheet {sheet}").format(sheet=written(sheet.number)), 12)
        else:
            paper.space(3)
        for number, task in enumerate(sheet.tasks, 1):
            _print_answer(paper, number, task)
    _print_difficulties(paper, sheets)


def _print_answer(paper: Paper, number: int, task: Task) -> None:
    """The number of the task, what it was about, and what is right, in a line or a few."""
    asked = f"{card_name(task.active)}: " if task.kind != "right-or-wrong" else f"{laid(task)}: "
    words = answer(task) if task.kind == "complete" else asked + answer(task)
    lines = paper.lines(words, _SMALL + 0.5, False, paper.inner_width - _NUMBER_WIDTH)
    paper.keep_together(len(lines) * line_height(_SMALL + 0.5))
    paper.words(f"{number}.", paper.left, paper.y, _SMALL + 0.5, bold=True, say="")
    for line in lines:
        paper.words(line, paper.left + _NUMBER_WIDTH, paper.y, _SMALL + 0.5, say="")
        paper.y += line_height(_SMALL + 0.5)
    paper.space(0.8)
    paper.say(f"{number}. {words}")


_ROWS_OF_KINDS = 12
"""So many columns of tasks fit side by side."""


def _print_difficulties(paper: Paper, sheets: Sequence[Sheet]) -> None:
    """How difficult each task of each sheet is, so that it can be seen that the sheets are equal."""
    paper.heading(_("How difficult the sheets are"), 12)
    totals = [sheet.total for sheet in sheets]
    paper.paragraph(
        _(
            "The difficulty of a task is the share of pupils of the school year who can be expected to fail it, from 0 to "
            "1. It comes from the steps, signs and numbers of the calculations and from the simulated pupils of that year, "
            "whose figures are assumptions. The sum for a sheet is the number of tasks that such a pupil fails."
        ),
        _SMALL,
    )
    if len(sheets) > 1:
        paper.paragraph(
            _(
                "All sheets have the same kinds of task in the same places. Their sums lie between {low} and {high}; at "
                "most {tolerance} may lie between them."
            ).format(low=written(min(totals), 2), high=written(max(totals), 2), tolerance=written(TOLERANCE, 2)),
            _SMALL,
        )
    paper.space(2)
    count = len(sheets[0].tasks)
    kinds = [f"{number}: {kind_name(task.kind)}" for number, task in enumerate(sheets[0].tasks, 1)]
    paper.paragraph("; ".join(kinds), _SMALL)
    paper.space(2)
    edges = [*range(0, count, _ROWS_OF_KINDS), count]
    for start, end in pairwise(edges):
        last = end == count
        columns = [_("Sheet"), *(str(place + 1) for place in range(start, end)), *([_("Sum")] if last else [])]
        rows = [
            [
                written(sheet.number),
                *(written(value, 2) for value in sheet.difficulties[start:end]),
                *([written(sheet.total, 2)] if last else []),
            ]
            for sheet in sheets
        ]
        paper.table(columns, rows, [min(20.0, paper.inner_width / len(columns))] * len(columns), height=6, size=8)
        paper.space(4)
