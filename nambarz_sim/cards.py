"""Cards, their text, and decks read from data files (R1)."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from unicodedata import normalize

from nambarz_sim._errors import LONGEST_PATH, shown, unknown_name
from nambarz_sim._files import is_file, is_there, read_text
from nambarz_sim.card_names import ANIMALS, LETTERS, in_english, join_wildcards
from nambarz_sim.card_names import WILDCARDS as WILDCARDS

KINDS = ("number", "picture", *WILDCARDS)
HIGHEST_NUMBER = 99
MOST_COPIES = 99
MOST_KINDS = 1_000
"""The most kinds of cards in a deck."""
LONGEST_ANIMAL = 40
LARGEST_FILE = 2**20
"""The most bytes of a deck's file."""
_LONGEST_LINE = 10_000
_MOST_COLUMNS = 100
_ROOM = 240
"""For the cards that an error lists."""

_CARD_TEXT = re.compile(rf"(\d{{1,4}})[\s-]*({LETTERS})?")


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One kind of card: a number card, a picture card or a wildcard.

    Parameters
    ----------
    kind
        ``"number"``, ``"picture"`` or one of `WILDCARDS`.
    number
        The number of a number or picture card, 0 to 99; None for a wildcard.
    animal
        The animal of a picture card; None otherwise.

    Examples
    --------
    >>> Card.parse("3bee")
    Card(kind='picture', number=3, animal='bee')
    >>> str(Card.parse("3 bee")), str(Card.parse("10")), str(Card.parse("change-any"))
    ('3bee', '10', 'change-any')
    """

    kind: str
    number: int | None = None
    animal: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(unknown_name("card kind", self.kind, KINDS))
        if (self.number is None) != self.is_wildcard or (self.animal is None) != (self.kind != "picture"):
            raise ValueError(
                f"card: kind {self.kind!r} does not go with number {self.number!r} and animal {self.animal!r}; a number "
                f"card has a number, a picture card an animal too, a wildcard neither"
            )

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card that a text names, such as ``3``, ``3bee`` (``3-bee``, ``3 bee``), ``change-number`` or ``replay``.

        The names of any of `nambarz_sim.languages.LANGUAGES` will do, whichever is spoken: ``3 abeille``, ``rejouer``.

        Raises
        ------
        ValueError
            If the text names no kind of card; whether a deck has the card, `Deck.card` tells.
        """
        card = _as_written(text)
        if card is not None and (card.animal is None or card.animal in ANIMALS):
            return card
        name = in_english(text if card is None else card.animal or "")
        if card is not None:
            return cls("picture", card.number, name) if name in ANIMALS else card
        if name in WILDCARDS:
            return cls(name)
        raise ValueError(
            f"{unknown_name('card', text[:40], WILDCARDS)} A number card is written 3, a picture card 3bee."
        )

    @property
    def is_wildcard(self) -> bool:
        """Whether this is one of the four kinds of wildcard."""
        return self.kind in WILDCARDS

    def __str__(self) -> str:
        return self.kind if self.is_wildcard else f"{self.number}{self.animal or ''}"


def _as_written(text: str) -> Card | None:
    """The card of a text, its animal as it is written; None for none."""
    tidy = text.strip().lower()
    if tidy in WILDCARDS:
        return Card(tidy)
    found = _CARD_TEXT.fullmatch(tidy)
    # The pattern's letters are those of any alphabet, and with them signs such as ³, which are numbers.
    if found is None or int(found[1]) > HIGHEST_NUMBER or not normalize("NFC", found[2] or "a").isalpha():
        return None
    return Card("picture" if found[2] else "number", int(found[1]), found[2])


@dataclass(frozen=True)
class Deck:
    """A deck: how many copies of each kind of card there are.

    Attributes
    ----------
    name
        What the deck was loaded by: a name of `Deck.names` or the path of a file.
    cards
        Number cards by number, picture cards by number and animal, then the four wildcards, each once. A card's
        place here is its *card type* in the engine's arrays.
    copies
        For each of `cards` how many the file has; a wildcard may have 0.
    """

    name: str
    cards: tuple[Card, ...]
    copies: tuple[int, ...]

    @staticmethod
    def names() -> list[str]:
        """The decks that come with the package."""
        return sorted(path.stem for path in (data_folder() / "decks").glob("*.csv"))

    @staticmethod
    def load(name: str) -> Deck:
        """A deck of the package by its name, or one from a CSV file by its path.

        The file has the columns ``kind,number,animal,copies`` (more are ignored) and may open with ``#`` lines.

        Raises
        ------
        ValueError
            If there is no such deck, or the file cannot be used; the message says where and why.

        Examples
        --------
        >>> deck = Deck.load("nambarz")
        >>> len(deck.cards), sum(deck.copies)
        (34, 92)
        """
        return _load_deck(str(name))

    def to_csv(self) -> str:
        """The deck as the text of a file that `Deck.load` reads.

        Examples
        --------
        >>> Deck.load("nambarz").to_csv().splitlines()[:2]
        ['kind,number,animal,copies', 'number,1,,4']
        """
        lines = ["kind,number,animal,copies"]
        for card, copies in zip(self.cards, self.copies, strict=True):
            number = "" if card.number is None else card.number
            lines.append(f"{card.kind},{number},{card.animal or ''},{copies}")
        return "\n".join(lines) + "\n"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The different numbers of the deck in rising order; they are the targets of calculations (R1.3)."""
        return tuple(sorted({card.number for card in self.cards if card.number is not None}))

    @property
    def animals(self) -> tuple[str, ...]:
        """The animals of the deck in alphabetical order."""
        return tuple(sorted({card.animal for card in self.cards if card.animal is not None}))

    @cached_property
    def _types(self) -> dict[Card, int]:
        return {card: place for place, card in enumerate(self.cards)}

    def type_of(self, card: Card) -> int:
        """The card's place in `cards`.

        Raises
        ------
        ValueError
            If the deck has no such card.
        """
        place = self._types.get(card)
        if place is None:
            same_number = [str(other) for other in self.cards if other.number == card.number]
            known = same_number if card.number is not None and same_number else [str(other) for other in self.cards]
            raise ValueError(unknown_name(f"card (deck {shown(self.name)})", str(card), known, _ROOM))
        return place

    def card(self, text: str | Card) -> Card:
        """The deck's card of that text (see `Card.parse`); its own animals come before translations.

        Raises
        ------
        ValueError
            If the text names no card, or none of this deck.
        """
        if isinstance(text, Card):
            return self.cards[self.type_of(text)]
        card = _as_written(text)
        if card is None or (card not in self._types and card.animal not in self.animals):
            card = Card.parse(text)
        return self.cards[self.type_of(card)]

    def hand(self, hand: str | list[Card] | tuple[Card, ...] | list[str]) -> list[Card]:
        """The cards of a hand: a text with spaces or commas between the cards, or a list.

        Raises
        ------
        ValueError
            If a word is no card of the deck.

        Examples
        --------
        >>> [str(card) for card in Deck.load("nambarz").hand("10 4, 7fish change-any")]
        ['10', '4', '7fish', 'change-any']
        """
        if not isinstance(hand, str):
            return [self.card(word) for word in hand if word]
        try:
            return [self.card(word) for word in re.split(r"[\s,;]+", hand) if word]
        except ValueError:
            # Some wildcards are several words.
            joined = join_wildcards(hand)
            if joined == hand:
                raise
            return self.hand(joined)


def data_folder() -> Path:
    """The folder of decks, presets and test vectors: inside an installed package, beside it in a source tree.

    Raises
    ------
    FileNotFoundError
        If neither place has it, which means a damaged installation.
    """
    package = Path(__file__).parent
    for folder in (package / "data", package.parent / "data"):
        if (folder / "decks").is_dir():
            return folder
    raise FileNotFoundError(f"no data folder in {package} or beside it; install nambarz_sim again")


@lru_cache(maxsize=32)
def _load_deck(name: str) -> Deck:
    shipped = data_folder() / "decks" / f"{name}.csv"
    if re.fullmatch(r"[\w-]+", name) and is_file(shipped):
        path = shipped
    elif is_there(Path(name)):
        path = Path(name)
    else:
        raise ValueError(unknown_name("deck", name, [*Deck.names(), "or the path of a CSV file"]))
    text = read_text("deck file", path, "CSV", LARGEST_FILE, _LONGEST_LINE)
    try:
        return _read_deck(name, text)
    except csv.Error as error:
        named = shown(name, LONGEST_PATH)
        raise ValueError(f"deck file {named} cannot be read as CSV: {error}; close its quotation marks") from None


def _read_deck(name: str, text: str) -> Deck:
    # Comment lines stay as blank ones so that line numbers in errors are those of the file.
    lines = ["" if line.startswith("#") else line for line in text.splitlines()]
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    named_file = f"deck file {shown(name, LONGEST_PATH)}"
    reader = csv.DictReader(lines[first:])
    columns = [column.strip() for column in reader.fieldnames or ()]
    if len(columns) > _MOST_COLUMNS:
        raise ValueError(f"{named_file}: it has {len(columns)} columns; leave at most {_MOST_COLUMNS} in it")
    missing = [column for column in ("kind", "number", "animal", "copies") if column not in columns]
    if missing:
        raise ValueError(
            f"{named_file}: column {missing[0]!r} is missing; its first line must name kind,number,animal,copies"
        )
    copies: dict[Card, int] = dict.fromkeys((Card(kind) for kind in WILDCARDS), 0)
    named: set[Card] = set()
    for row in reader:
        where = f"{named_file}, line {first + reader.line_num}"
        card, count = _read_row(where, {str(key).strip(): (value or "") for key, value in row.items() if key})
        if card in named:
            raise ValueError(f"{where}: {card} stands in the file twice; give each card one line with its copies")
        named.add(card)
        copies[card] = count
        if len(copies) > MOST_KINDS:
            raise ValueError(f"{where}: it is one card too many; give at most {MOST_KINDS:,} kinds of cards")
    ordinary = sorted(card for card in copies if not card.is_wildcard)
    if len(ordinary) == 0:
        raise ValueError(f"{named_file}: there is no number or picture card; add at least one line of them")
    cards = (*ordinary, *(Card(kind) for kind in WILDCARDS))
    return Deck(name, cards, tuple(copies[card] for card in cards))


def _read_row(where: str, row: dict[str, str]) -> tuple[Card, int]:
    kind, number, animal = (row[column].strip().lower() for column in ("kind", "number", "animal"))
    if kind not in KINDS:
        raise ValueError(unknown_name(f"{where}: kind", kind, KINDS))
    least = 0 if kind in WILDCARDS else 1
    count = _whole(where, "copies", row["copies"], least, MOST_COPIES)
    if kind in WILDCARDS:
        return Card(kind), count
    value = _whole(where, "number", number, 0, HIGHEST_NUMBER)
    if kind == "number" and animal:
        raise ValueError(f"{where}: animal {shown(animal)} must be empty for a number card")
    if kind == "picture" and not (animal.isalpha() and len(animal) <= LONGEST_ANIMAL):
        raise ValueError(
            f"{where}: animal {shown(animal)} must be one word of letters for a picture card, at most {LONGEST_ANIMAL}"
        )
    return Card(kind, value, animal if kind == "picture" else None), count


def _whole(where: str, column: str, text: str, least: int, most: int) -> int:
    tidy = text.strip()
    if not (tidy.isascii() and tidy.isdigit() and len(tidy) < 5 and least <= int(tidy) <= most):
        raise ValueError(f"{where}: {column} {shown(text)} must be a whole number from {least} to {most}")
    return int(tidy)
