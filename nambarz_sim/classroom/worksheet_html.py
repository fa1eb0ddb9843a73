"""A worksheet as a piece of a web page, to look at before it is printed."""

from __future__ import annotations

from html import escape

from nambarz_sim.card_pictures import draw_cards
from nambarz_sim.cards import Card
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.sheets import Sheet
from nambarz_sim.classroom.tasks import GAP, Task
from nambarz_sim.classroom.worksheet_words import answer, expression, head, instruction
from nambarz_sim.languages import _, in_language

CARD_WIDTH = 56
_BLANK = "\N{WHITE SQUARE}"


def sheet_html(sheet: Sheet, level: Level, lang: str | None = None) -> str:
    """The tasks with their cards drawn, each with its answer folded away."""
    with in_language(lang):
        tasks = "".join(_task(number, task) for number, task in enumerate(sheet.tasks, 1))
        return f"<p>{escape(head(level, sheet.tasks))}</p>{tasks}"


def _task(number: int, task: Task) -> str:
    if task.kind == "complete":
        blank = expression(task.written).replace(GAP, _BLANK)
        shown = f'<p style="font-size: 150%">{escape(blank)} = {task.active.number}</p>'
    else:
        judged = task.kind == "right-or-wrong"
        active = _captioned(_("Active card"), (task.active,))
        hand = _captioned(_("Laid, from left to right") if judged else _("Your hand"), task.shown)
        shown = f'<div style="display: flex; flex-wrap: wrap; gap: 24px; margin-bottom: 8px">{active}{hand}</div>'
    asked, folded = escape(instruction(task)), escape(_("Answer"))
    return f"<p><b>{number}.</b> {asked}</p>{shown}<details><summary>{folded}</summary>{escape(answer(task))}</details>"


def _captioned(words: str, cards: tuple[Card, ...]) -> str:
    return f"<div>{escape(words)}{draw_cards(cards, width=CARD_WIDTH)._repr_html_()}</div>"
