"""The language of what people read: which one it is, its catalogue of messages, and numbers as it writes them."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from nambarz_sim._errors import unknown_name

LANGUAGES = {"en": "English", "es": "español", "fr": "français", "de": "Deutsch"}
"""The languages there are, each by its own name."""
VARIABLE = "NAMBARZ_LANG"
_CATALOGUES = Path(__file__).parent / "locale"
_CHOSEN: ContextVar[str | None] = ContextVar("language", default=None)


def choose_language(lang: str | None = None) -> str:
    """The language to speak: the one asked for, else that of `in_language`, of ``NAMBARZ_LANG``, or of the system.

    Parameters
    ----------
    lang
        ``"en"``, ``"es"``, ``"fr"`` or ``"de"``, also with a country, such as ``"fr_CA"``; None for the usual one.

    Raises
    ------
    ValueError
        If the language asked for, by ``lang`` or by ``NAMBARZ_LANG``, is none of these. A system in another language
        is spoken to in English.

    Examples
    --------
    >>> choose_language("de_AT")
    'de'
    """
    if lang is None and (chosen := _CHOSEN.get()):
        return chosen
    for name, asked in (("lang", lang), (VARIABLE, os.environ.get(VARIABLE) or None)):
        if asked is not None:
            if _language_of(asked) not in LANGUAGES:
                raise ValueError(unknown_name(name, asked, LANGUAGES))
            return _language_of(asked)
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if system := os.environ.get(variable):
            return _language_of(system) if _language_of(system) in LANGUAGES else "en"
    return "en"


@contextmanager
def in_language(lang: str | None) -> Iterator[str]:
    """Speak a language meanwhile; what `choose_language` says of None, without one.

    Raises
    ------
    ValueError
        If there is no such language.

    Examples
    --------
    >>> with in_language("de"):
    ...     written(1234.5, 1)
    '1.234,5'
    """
    before = _CHOSEN.set(choose_language(lang))
    try:
        yield choose_language()
    finally:
        _CHOSEN.reset(before)


def _(message: str) -> str:
    """The message in the language spoken; in English where its catalogue does not have it."""
    return _catalogue(choose_language()).gettext(message)


def N_(message: str) -> str:  # noqa: N802 (the name by which such marks are known)
    """The message itself: a mark on one that stands in a table and is looked up with `_` when it is shown."""
    return message


def plural(one: str, many: str, count: int) -> str:
    """The message in the language spoken, in the form that goes with a count."""
    return _catalogue(choose_language()).ngettext(one, many, count)


def joined(words: Sequence[str]) -> str:
    """One word or more in a row, as ``5, 10 and 2``."""
    if len(words) == 1:
        return words[0]
    return _("{some} and {last}").format(some=", ".join(words[:-1]), last=words[-1])


def written(number: float, digits: int = 0) -> str:
    """A number as the language spoken writes it, with so many digits behind the comma or point."""
    from babel.numbers import format_decimal

    places = f".{'0' * digits}" if digits else ""
    return str(format_decimal(number, f"#,##0{places}", locale=choose_language()))


def localised(number: str) -> str:
    """A number written the English way, as the language spoken writes it: its point, its commas, its sign of per cent.

    The digits stay as they are, so that all languages round alike.

    Examples
    --------
    >>> with in_language("es"):
    ...     localised("-1,234.5")
    '-1.234,5'
    """
    return number.translate(_marks(choose_language()))


def catalogue_file(lang: str) -> Path:
    """Where the messages of a language stand."""
    return _CATALOGUES / lang / "LC_MESSAGES" / "nambarz_sim.po"


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(lang: str) -> gettext.NullTranslations:
    """The messages of a language, as gettext looks them up; English ones are the keys themselves."""
    if lang == "en":
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = BytesIO()
    with catalogue_file(lang).open(encoding="utf-8") as source:
        write_mo(compiled, read_po(source, locale=lang))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@lru_cache(maxsize=len(LANGUAGES))
def _marks(lang: str) -> dict[int, str]:
    """What stands in a language for the marks of English numbers."""
    if lang == "en":
        return {}
    from babel import Locale
    from babel.numbers import get_decimal_symbol, get_group_symbol

    percent = Locale.parse(lang).percent_formats[None].pattern.rpartition("0")[2]
    return str.maketrans({".": get_decimal_symbol(lang), ",": get_group_symbol(lang), "%": percent})


def _language_of(locale: str) -> str:
    """The language of a locale such as ``fr_CA.UTF-8``."""
    return locale.replace("-", "_").split("_")[0].split(".")[0].strip().lower()
