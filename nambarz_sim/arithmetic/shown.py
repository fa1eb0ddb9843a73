"""Cards and calculations as the language spoken writes them, with its signs: what people read, never an identifier."""

from __future__ import annotations

import re

from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.card_names import LETTERS, WILDCARDS, card_text, translated
from nambarz_sim.cards import Card
from nambarz_sim.languages import choose_language

_OTHER_SIGNS = {"de": {"*": "·", "/": ":"}}
"""What the schools of a language write instead of × and ÷."""
_PARTS = re.compile(rf"(?P<wildcard>{'|'.join(WILDCARDS)})|(?P<number>\d+)(?P<animal>{LETTERS})|(?P<sign>[×÷])")
_CODES = {printed: sign for sign, printed in SIGNS.items()}


def signs() -> dict[str, str]:
    """The signs of the operations ``+ - * /`` as the language spoken prints them.

    Examples
    --------
    >>> from nambarz_sim.languages import in_language
    >>> with in_language("de"):
    ...     " ".join(signs().values())
    '+ - · :'
    """
    return SIGNS | _OTHER_SIGNS.get(choose_language(), {})


def shown(expression: str) -> str:
    """A calculation, or cards in a row, of a `Play` or an `Attempt`, as people write it.

    Examples
    --------
    >>> from nambarz_sim.languages import in_language
    >>> with in_language("de"):
    ...     print(shown("6dragonfly × 4duck ÷ 3hippopotamus"))
    6Libelle · 4Ente : 3Nilpferd
    """
    return _PARTS.sub(_shown_part, expression)


def _shown_part(found: re.Match[str]) -> str:
    if found["sign"]:
        return signs()[_CODES[found["sign"]]]
    if found["wildcard"]:
        return card_text(Card(found["wildcard"]))
    return f"{found['number']}{translated(found['animal'])}"
