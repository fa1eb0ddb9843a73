"""What stands on a worksheet in words: what is to be done, and what is right; in the language spoken."""

from __future__ import annotations

import re

from nambarz_sim import explanations as say
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.arithmetic.table import STEPS
from nambarz_sim.cards import Card
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.tasks import GAP, KINDS, Task
from nambarz_sim.engine.plays import Play
from nambarz_sim.languages import _, plural, written
from nambarz_sim.verdict import judge

_WORD = re.compile(r"[^\s()]+")
BLANK = "____"
"""Where something is to be written, in the plain text."""


def kind_name(kind: str) -> str:
    """A kind of task in a few words."""
    names = {
        "find-play": _("Find a calculation"),
        "find-all": _("Find all plays"),
        "longest": _("Find the longest play"),
        "exactly": _("So many cards, no more and no fewer"),
        "complete": _("Complete the calculation"),
        "right-or-wrong": _("Right or wrong?"),
        "replay": _("Plan a turn with a replay"),
    }
    assert set(names) == set(KINDS)
    return names[kind]


def faults() -> dict[str, str]:
    """What a pupil may tick of an attempt: that it is right, or which fault it is."""
    return {
        "right": _("right"),
        "R6.1": _("not the fewest cards"),
        "R6.2": _("a matching card used"),
        "R6.3": _("number and picture cards mixed"),
        "R6.4": _("wrong result"),
        "R6.5": _("wildcard misused"),
    }


def head(level: Level) -> str:
    """What the game of a sheet allows, in a sentence or two."""
    ways = dict(
        zip(
            STEPS,
            (
                _("Results on the way are whole numbers, never below 0."),
                _("Results on the way are whole numbers and may be below 0."),
                _("Results on the way may be below 0 and may be fractions."),
            ),
            strict=True,
        )
    )
    allowed = _("Signs: {signs}. Calculate from left to right.").format(signs=_signs(level.signs))
    return f"{allowed} {ways[level.steps]}"


def instruction(task: Task) -> str:
    """What is to be done, without what is drawn."""
    if task.kind == "complete":
        return _("Which sign is missing?") if task.missing_sign else _("Which number is missing?")
    if task.kind == "right-or-wrong":
        return _("Somebody lays this: {calculation}. Right or wrong?").format(calculation=laid(task))
    if task.kind == "find-all":
        return plural(
            "Find the only way to cover the active card.",
            "Find all {count} ways to cover the active card. Ways are different if they use different cards; a single "
            "card that matches is a way, too.",
            task.count,
        ).format(count=written(task.count))
    if task.kind == "exactly":
        return _("Cover the active card with exactly {count} cards of your hand.").format(count=written(task.count))
    return {
        "find-play": _("Cover the active card with a calculation."),
        "longest": _("Cover the active card with as many cards of your hand as you can."),
        "replay": _("Plan a turn with the replay: cover the active card, lay the replay, cover the card you laid last."),
    }[task.kind]


def laid(task: Task) -> str:
    """What is to be judged: a calculation with the number it is to make, or cards."""
    if any(card.is_wildcard for card in task.hand):
        return say.names(task.hand)
    return f"{expression(task.written)} = {task.active.number}"


def answer(task: Task) -> str:
    """What is right, in a line or a few."""
    if task.kind == "right-or-wrong":
        return _judged(task)
    if task.kind == "complete":
        whole = task.written.replace(GAP, SIGNS.get(task.solution, task.solution))
        missing = _signs(SIGNS.get(task.solution, task.solution))
        return f"{missing}  ({expression(whole)} = {task.active.number})"
    shown = [turn(plays) for plays in task.ways]
    if task.kind in ("find-all", "longest"):
        return "; ".join(shown)
    return plural(
        "{play} (the only way)", "for example {play} (one of {count} ways)", len(shown)
    ).format(play=shown[0], count=written(len(shown)))  # fmt: skip


def turn(plays: tuple[Play, ...]) -> str:
    """One play, or two with the replay between."""
    told = [expression(play.expression) for play in plays]
    between = f" · {say.name(Card('replay'))} · "
    return between.join(told)


def _judged(task: Task) -> str:
    verdict = judge(task.written, list(task.hand), task.active, task.rules)
    if verdict.legal:
        return _("Right. {explanation}").format(explanation=verdict.explanation)
    return _("Wrong, {fault} ({clause}). {explanation}").format(
        fault=faults()[task.solution], clause=task.solution, explanation=verdict.explanation
    )


def expression(text: str) -> str:
    """A calculation as it is printed, ``10 − 4 hen``: cards by their names, a minus as long as a plus is wide."""
    return _signs(_WORD.sub(lambda found: _spoken(found[0]), text))


def _spoken(word: str) -> str:
    try:
        return say.name(Card.parse(word))
    except ValueError:  # a sign
        return word


def _signs(text: str) -> str:
    return re.sub(r"(?<!\S)-(?!\S)", "−", text)
