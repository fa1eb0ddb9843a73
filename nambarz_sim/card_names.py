"""What cards are called in every language, and which card a word of any of them names.

The English names identify cards everywhere; the catalogues translate them. An animal that only a user's deck has is
called the same in every language.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from nambarz_sim.languages import LANGUAGES, N_, _, in_language

if TYPE_CHECKING:
    from nambarz_sim.cards import Card

WILDCARDS = (N_("change-number"), N_("change-picture"), N_("change-any"), N_("replay"))
"""The four kinds of wildcard, in the order of every table and array."""
ANIMALS = (
    N_("bear"),
    N_("bee"),
    N_("cat"),
    N_("dragonfly"),
    N_("duck"),
    N_("fish"),
    N_("hen"),
    N_("hippopotamus"),
    N_("rabbit"),
    N_("turtle"),
)
"""The animals of the game's own deck."""
LETTERS = r"(?:[^\W\d_][\u0300-\u036f]*)+"
"""A word, its accents part of its letters or behind them, as the pattern of a regular expression."""

_BETWEEN = re.compile(r"[\s/-]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def translated(name: str) -> str:
    """An animal or a kind of wildcard, by its English name, in the language spoken."""
    return _(name) if name in ANIMALS or name in WILDCARDS else name


def card_name(card: Card) -> str:
    """A card as people say it: ``3 bee``."""
    return f"{card.number} {translated(card.animal)}" if card.animal else translated(str(card))


def card_text(card: Card) -> str:
    """A card as people write it, in one word: ``3bee``."""
    if card.is_wildcard:
        return "-".join(translated(card.kind).split())
    return f"{card.number}{translated(card.animal or '')}"


def in_english(word: str) -> str | None:
    """The English name of the animal or wildcard that a word of any of the languages names; None for no such word.

    Capitals, accents, and whether hyphens or spaces stand in it, do not matter.

    Examples
    --------
    >>> [in_english(word) for word in ("Abeille", "hipopotamo", "Schildkroete", "changer chiffre", "axolotl")]
    ['bee', 'hippopotamus', 'turtle', 'change-number', None]
    """
    return _english_names().get(_plain(word))


@cache
def wildcard_pattern() -> str:
    """A regular expression, without groups, for the name of any wildcard in any language, in small letters."""
    spellings = {word for word, name in _english_names().items() if name in WILDCARDS}
    # The longest first: in Spanish one name is the beginning of another.
    longest_first = sorted(spellings, key=lambda word: (-len(word), word))
    return "|".join(rf"{_BETWEEN.pattern}".join(map(re.escape, word.split())) for word in longest_first)


def join_wildcards(text: str) -> str:
    """The text with every wildcard named in it by its English name, which is one word.

    Examples
    --------
    >>> join_wildcards("10, Volver a jugar 4 cambiar cifra-dibujo")
    '10, replay 4 change-any'
    """
    found = rf"(?<![^\W_])(?:{wildcard_pattern()})(?![^\W_])"
    return re.sub(found, lambda name: in_english(name[0]) or name[0], text, flags=re.IGNORECASE)


@cache
def _english_names() -> dict[str, str]:
    """The English name by every plain spelling in every language."""
    names: dict[str, str] = {}
    for lang in LANGUAGES:
        with in_language(lang):
            for name in (*ANIMALS, *WILDCARDS):
                word = _(name)
                names |= dict.fromkeys((_plain(word), _plain(word.casefold().translate(_UMLAUTS))), name)
    return names


def _plain(word: str) -> str:
    """A word in small letters without accents, with one space between its parts."""
    letters = unicodedata.normalize("NFD", unicodedata.normalize("NFC", word).casefold())
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _BETWEEN.sub(" ", bare).strip()
