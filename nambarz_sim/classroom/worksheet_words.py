"""What stands on a worksheet in words: what is to be done, and what is right; in the language spoken."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nambarz_sim import explanations as say
from nambarz_sim.card_names import card_name
from nambarz_sim.cards import Card
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.school_words import school_signs, steps_in_words
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
        "right": _("all right"),
        "R6.1": _("not the fewest cards"),
        "R6.2": _("a matching card used"),
        "R6.3": _("number and picture cards mixed"),
        "R6.4": _("wrong result"),
        "R6.5": _("wildcard misused"),
    }


def head(level: Level, tasks: Iterable[Task]) -> str:
    """What the game of a sheet allows, and what counts as a way where ways are counted."""
    told = _("Signs: {signs}. Calculate from left to right. Results on the way: {steps}.").format(
        signs=school_signs(level.signs), steps=steps_in_words(level.steps)
    )
    if any(task.kind == "find-all" for task in tasks):
        ways = _("Ways to cover a card are different if they use different cards; a single card that matches is a way.")
        told = f"{told} {ways}"
    return told


def instruction(task: Task) -> str:
    """What is to be done, without what is drawn."""
    if task.kind == "complete":
        return _("Which sign is missing?") if task.missing_sign else _("Which number is missing?")
    if task.kind == "right-or-wrong":
        return _("Somebody lays this: {calculation}. Right or wrong?").format(calculation=laid(task))
    if task.kind == "find-all":
        return _("Find all {count} ways to cover the active card.").format(count=written(task.count))
    if task.kind == "exactly":
        return _("Cover the active card with exactly {count} cards of your hand.").format(count=written(task.count))
    return {
        "find-play": _("Cover the active card with a calculation."),
        "longest": _("Cover the active card with as many cards of your hand as you can."),
        "replay": _("Plan a turn: cover the active card, lay the replay, then cover your own last card."),
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
        whole = task.written.replace(GAP, task.solution)
        return f"{school_signs(task.solution)}  ({expression(whole)} = {task.active.number})"
    shown = [turn(plays) for plays in task.ways]
    if task.kind in ("find-all", "longest"):
        return "; ".join(shown)
    told = plural("{play} (the only way)", "for example {play} (one of {count} ways)", len(shown))
    return told.format(play=shown[0], count=written(len(shown)))


def turn(plays: tuple[Play, ...]) -> str:
    """One play, or two with the replay between."""
    told = [expression(play.expression) for play in plays]
    return told[0] if len(told) == 1 else _("{first}, replay, {second}").format(first=told[0], second=told[1])


def _judged(task: Task) -> str:
    verdict = judge(task.written, list(task.hand), task.active, task.rules)
    if verdict.legal:
        return _("Right. {explanation}").format(explanation=verdict.explanation)
    return _("Wrong: {fault} ({clause}). {explanation}").format(
        fault=faults()[task.solution], clause=task.solution, explanation=verdict.explanation
    )


def expression(text: str) -> str:
    """A calculation as it is printed, ``10 − 4 hen``: cards by their names, signs as schools write them."""
    return _WORD.sub(lambda found: _spoken(found[0]), text)


def _spoken(word: str) -> str:
    return card_name(Card.parse(word)) if word[0].isalnum() else school_signs(word)
