"""What tables name in English, as people read it in their language: measures, units, variants, numbers of things.

A name that is not known here, such as that of a variant of the user's own, stays as it is.
"""

from __future__ import annotations

import re

from nambarz_sim.languages import N_, _, localised, plural

_UNITS = (
    N_("turns"), N_("strokes"), N_("times"), N_("draws"), N_("penalties"), N_("points"), N_("minutes"),
    N_("fair shares"), N_("times as often"), N_("share of rounds"), N_("share of plays"), N_("share of hands"),
    N_("share of turns"), N_("share of points"), N_("share of lessons"),
)  # fmt: skip
_SIGNS = N_("×"), N_("÷")
_ARITHMETIC = (
    N_("calculations"), N_("calculations of 2 cards"), N_("calculations of 3 cards"),
    N_("calculations of 4 cards or more"), N_("additions"), N_("subtractions"), N_("multiplications"), N_("divisions"),
    N_("matches"), N_("draws"), N_("faults"),
)  # fmt: skip
_READINGS = N_("six players"), N_("four players"), N_("own timings")
_OPEN = {
    r"master strokes of (?P<size>\d+) cards a round": N_("master strokes of {size} cards a round"),
    r"points a round, seat (?P<seat>\d+)": N_("points a round, seat {seat}"),
    r"rounds won, seat (?P<seat>\d+)": N_("rounds won, seat {seat}"),
    r"a table of (?P<size>\d+)": N_("a table of {size}"),
    r"(?P<count>\d+) or more": N_("{count} or more"),
    r"(?P<count>\d+) wildcards": N_("{count} wildcards"),
    r"(?P<place>\d+)th": N_("{place}th"),
}
"""Names with a number in them."""
_CLOSED = N_("all tables"), N_("1st"), N_("2nd"), N_("3rd"), N_("none"), N_("no wildcards")
_VARIANT = re.compile(r"(\d+) players, (.+), ([-+×÷ ]+)")
_SEATING = re.compile(r"(\d+) tables? of (\d+)(?: and (\d+) of (\d+))?")


def shown(name: str) -> str:
    """The name of a measure, unit, detail, level or the like in the language spoken.

    Examples
    --------
    >>> from nambarz_sim.languages import in_language
    >>> with in_language("es"):
    ...     shown("points"), shown("points a round, seat 2"), shown("my own")
    ('puntos', 'puntos por ronda, lugar 2', 'my own')
    """
    for pattern, message in _OPEN.items():
        if found := re.fullmatch(pattern, name):
            return _(message).format(**found.groupdict())
    return _(name) if name else ""


def shown_measure(measure: str, detail: str = "") -> str:
    """A measure with its detail, if it has one."""
    if not detail:
        return shown(measure)
    return _("{measure} {detail}").format(measure=shown(measure), detail=shown(detail))


def capital(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def shown_signs(operations: str) -> str:
    """The signs of operations as the language writes them, the rest of the text as it is."""
    return operations.replace("×", _("×")).replace("÷", _("÷"))


def shown_variant(name: str) -> str:
    """A variant of `nambarz_sim.variant_grid` in the language spoken; another name as it is.

    Examples
    --------
    >>> from nambarz_sim.languages import in_language
    >>> with in_language("de"):
    ...     shown_variant("2 players, no wildcards, + ÷"), shown_variant("short")
    ('2 Spieler, ohne Joker, + :', 'short')
    """
    found = _VARIANT.fullmatch(name)
    if found is None:
        return name
    players, level, signs = found.groups()
    return _("{players} players, {wildcards}, {signs}").format(
        players=players, wildcards=shown(level), signs=shown_signs(signs)
    )


def shown_seating(seating: str) -> str:
    """A seating, as `nambarz_sim.analysis.seating.tell_seating` names it, in the language spoken.

    Examples
    --------
    >>> from nambarz_sim.languages import in_language
    >>> with in_language("fr"):
    ...     shown_seating("3 tables of 5 and 1 of 4")
    '3 tables de 5 et 1 de 4'
    """
    found = _SEATING.fullmatch(seating)
    assert found is not None
    count, size, *rest = found.groups()
    told = plural("{count} table of {size}", "{count} tables of {size}", int(count)).format(count=count, size=size)
    return _("{tables} and {count} of {size}").format(tables=told, count=rest[0], size=rest[1]) if rest[0] else told


def interval(low: str, high: str) -> str:
    """From one end to the other, both written already."""
    return _("{low} to {high}").format(low=low, high=high)


def games(count: int) -> str:
    """So many games."""
    return plural("{count} game", "{count} games", count).format(count=_whole(count))


def rounds(count: int) -> str:
    """So many rounds."""
    return plural("{count} round", "{count} rounds", count).format(count=_whole(count))


def deals(count: int) -> str:
    """So many deals."""
    return plural("{count} deal", "{count} deals", count).format(count=_whole(count))


def variants(count: int) -> str:
    """So many variants."""
    return plural("{count} variant", "{count} variants", count).format(count=_whole(count))


def _whole(count: int) -> str:
    return localised(f"{count:,}")
