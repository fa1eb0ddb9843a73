"""What the table says: its title, its seats, whose turn it is, hints and the rows of the score sheet."""

from __future__ import annotations

from typing import Any

from nambarz_sim import event_words
from nambarz_sim.arithmetic.shown import shown
from nambarz_sim.card_names import card_text
from nambarz_sim.engine.plays import Play
from nambarz_sim.event_words import count_cards, seat_name
from nambarz_sim.languages import _, joined, plural, written
from nambarz_sim.rules import Rules
from nambarz_sim.session import YOU, Session
from nambarz_sim.widgets.panel import counted_strokes

_KINDS = ("calculation", "match", "change", "replay")


def title(number: int, rounds: int, extra: bool) -> str:
    """What is played: a round, or an extra one (R9.2)."""
    if extra:
        told = _("An extra round of {rounds}") if rounds > 1 else _("An extra round")
    else:
        told = _("Round {round} of {rounds}") if rounds > 1 else _("Round {round}")
    return told.format(round=number, rounds=rounds)


def team_name(rules: Rules, seat: int) -> str:
    """The team of a seat as it is called; empty without teams."""
    return event_words.team_name(rules.teams[seat]) if rules.team_sizes else ""


def told_seat(seat: dict[str, Any]) -> dict[str, str]:
    """What is said of a seat: what it is called, holds and has won."""
    score = _points(seat["points"])
    if seat["strokes"]:
        score = f"{score}, ★ {counted_strokes(seat['strokes'])} ({seat['bonus']})"
    return {"name": seat_name(seat["seat"]), "held": count_cards(seat["cards"]), "score": score}


def told_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the score sheet as it is read."""
    player = _("you") if row["player"] == YOU else row["player"]
    strokes = f"★ {row['strokes']} ({_points(row['bonus'])})" if row["strokes"] else "–"
    return {
        "own": row["player"] == YOU,
        "place": str(row["place"]),
        "player": f"{seat_name(row['seat'])} ({player})",
        "cells": [str(row["points"]), strokes, str(row["cards"]), str(row["total"])],
    }


def _points(points: int) -> str:
    return plural("{count} point", "{count} points", points).format(count=points)


def tell_pile(cards: int) -> str:
    """How many cards can be drawn."""
    return plural("Draw pile: {count} card", "Draw pile: {count} cards", cards).format(count=cards)


def whose_turn(session: Session) -> str:
    """Whose turn it is, and what the person has drawn in it."""
    if session.seats[session.seat] != YOU:
        return _("It is the turn of seat {seat}.").format(seat=session.seat)
    if session.drawn is None:
        return _("Your turn.")
    told = _("Your turn: you have drawn {card}. Play it, alone or with others, or keep it.")
    return told.format(card=card_text(session.drawn))


def tell_plays(plays: list[Play]) -> str:
    """How many plays there are, and of what kinds."""
    counts = {kind: sum(play.kind == kind for play in plays) for kind in _KINDS}
    kinds = joined([_tell_kind(kind, count) for kind, count in counts.items() if count])
    told = plural(
        "You have {count} legal play: {kinds}; the longest has {cards}. Ask again to see one.",
        "You have {count} legal plays: {kinds}; the longest has {cards}. Ask again to see one.",
        len(plays),
    )
    longest = count_cards(max(len(play.cards) for play in plays))
    return told.format(count=written(len(plays)), kinds=kinds, cards=longest)


def _tell_kind(kind: str, count: int) -> str:
    """A number of plays of a kind."""
    if kind == "calculation":
        told = plural("{count} calculation", "{count} calculations", count)
    elif kind == "match":
        told = plural("{count} single card", "{count} single cards", count)
    elif kind == "change":
        told = plural("{count} change wildcard", "{count} change wildcards", count)
    else:
        told = plural("{count} replay", "{count} replays", count)
    return told.format(count=written(count))


def tell_play(play: Play) -> str:
    """One play as a hint."""
    if play.bonus:
        told = _("One of them: {play}, a master stroke for {bonus} extra points.")
        return told.format(play=shown(play.expression), bonus=play.bonus)
    return _("One of them: {play}.").format(play=shown(play.expression))
