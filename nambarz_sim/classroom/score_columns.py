"""The columns of a score sheet: their headers in every language, written and recognised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from nambarz_sim.languages import LANGUAGES, _, in_language

TEAM, PLAYER, PLACE, STROKES, POINTS, TOTAL, TEAM_TOTAL, FINAL = (
    "team", "player", "place", "strokes", "points", "total", "team total", "final",
)  # fmt: skip


class Column(NamedTuple):
    """What a column of a score sheet holds.

    Attributes
    ----------
    kind
        One of the names above.
    round
        The round counted from 1, or the extra round of a play-off; 0 where a column belongs to none.
    cards
        Of `STROKES` how many cards the master strokes have.
    play_off
        Whether the round is an extra one (R9.2).
    """

    kind: str
    round: int = 0
    cards: int = 0
    play_off: bool = False

    @property
    def header(self) -> str:
        """What stands above it, in the language spoken."""
        return _headers()[self.kind, self.play_off].format(round=self.round, cards=self.cards)


def _headers() -> dict[tuple[str, bool], str]:
    return {
        (TEAM, False): _("Team"),
        (PLAYER, False): _("Player"),
        (PLACE, False): _("Round {round} place"),
        (STROKES, False): _("Round {round} strokes of {cards} cards"),
        (POINTS, False): _("Round {round} points"),
        (PLACE, True): _("Play-off {round} place"),
        (STROKES, True): _("Play-off {round} strokes of {cards} cards"),
        (POINTS, True): _("Play-off {round} points"),
        (TOTAL, False): _("Total"),
        (TEAM_TOTAL, False): _("Team total"),
        (FINAL, False): _("Final place"),
    }


def columns_of(teams: bool, rounds: int, play_offs: int, sizes: Iterable[int]) -> list[Column]:
    """The columns of a sheet from left to right, with master strokes of these sizes."""
    sizes = list(sizes)
    columns = [Column(TEAM), Column(PLAYER)] if teams else [Column(PLAYER)]
    for play_off, count in ((False, rounds), (True, play_offs)):
        for number in range(1, count + 1):
            columns.append(Column(PLACE, number, play_off=play_off))
            columns += [Column(STROKES, number, size, play_off) for size in sizes]
            columns.append(Column(POINTS, number, play_off=play_off))
        if not play_off:
            columns += [Column(TOTAL), Column(TEAM_TOTAL)] if teams else [Column(TOTAL)]
    return [*columns, Column(FINAL)]


def recognise(header: str, lang: str | None = None) -> Column | None:
    """The column that a header names, in this language or in any; None if it names none.

    Small and capital letters, accents and spaces do not matter.

    Examples
    --------
    >>> recognise("ROUND 2  place:")
    Column(kind='place', round=2, cards=0, play_off=False)
    """
    plain = _plain(header)
    digits = re.findall("[0-9]+", plain)
    shape = re.sub("[0-9]+", "#", plain)
    for known in LANGUAGES if lang is None else (lang,):
        found = _shapes(known).get(shape)
        if found and all(len(each) <= 4 for each in digits):
            kind, play_off, names = found
            numbers = dict(zip(names, map(int, digits), strict=True))
            return Column(kind, numbers.get("round", 0), numbers.get("cards", 0), play_off)
    return None


@lru_cache(maxsize=len(LANGUAGES))
def _shapes(lang: str) -> dict[str, tuple[str, bool, tuple[str, ...]]]:
    """The headers with a # for every number; for each what it names, and what the numbers are."""
    with in_language(lang):
        headers = _headers()
    return {
        re.sub(r"\{\w+\}", "#", _plain(header)): (kind, play_off, tuple(re.findall(r"\{(\w+)\}", header)))
        for (kind, play_off), header in headers.items()
    }


def _plain(header: str) -> str:
    """A header without what may differ: accents, capitals, kinds of spaces and apostrophes, a colon behind it."""
    apart = unicodedata.normalize("NFKD", header.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    bare = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return " ".join(bare.casefold().split()).rstrip(" :.")
