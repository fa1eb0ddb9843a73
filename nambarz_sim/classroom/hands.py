"""Hands made up backwards: a minimal calculation from the table, its cards, and others beside them.

What such a hand allows the engine says afterwards; here is only what makes it likely that there is something to find.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from nambarz_sim.arithmetic.table import Calculation, minimal_table
from nambarz_sim.cards import Card
from nambarz_sim.classroom.levels import Level
from nambarz_sim.engine.state import most_held
from nambarz_sim.rules import Rules

Listed = dict[int, dict[int, list[Calculation]]]
"""Calculations by target and by number of cards."""


@lru_cache(maxsize=64)
def listed_calculations(level: Level, rules: Rules) -> Listed:
    """The minimal calculations that a level's hands are made up around, by target and number of cards; `rules` its own.

    Raises
    ------
    ValueError
        If there are none.
    """
    most = min(level.most_cards, rules.largest_calculation)
    table = minimal_table(tuple(most_held(rules.the_deck, rules.decks).items()), rules.operations, rules.steps, most)
    listed: Listed = {}
    for entry in table.calculations:
        if len(entry.order) >= level.fewest_cards:
            listed.setdefault(entry.target, {}).setdefault(len(entry.order), []).append(entry)
    if not listed:
        raise ValueError(
            f"level: with {level.signs} no calculation of {level.fewest_cards} to {most} cards makes a number of the "
            f"deck; allow fewer cards (fewest_cards) or more operations"
        )
    return listed


@dataclass
class Dealer:
    """Deals the cards of tasks.

    Attributes
    ----------
    level
        What the cards are to be like.
    rules
        The rules in force, with the operations of the level.
    random
        Where chance comes from.
    """

    level: Level
    rules: Rules
    random: Random

    def __post_init__(self) -> None:
        self._listed = listed_calculations(self.level, self.rules)
        self._cards = [
            card
            for card, copies in zip(self.rules.the_deck.cards, self.rules.copies, strict=True)
            for _ in range(copies)
            if not card.is_wildcard and (self.level.pictures or card.kind == "number")
        ]

    def calculation(self, most_cards: int | None = None, target: int | None = None) -> Calculation | None:
        """One of the table's calculations: each target, then each number of cards, then each entry equally likely."""
        by_size = self._listed.get(self.random.choice(sorted(self._listed)) if target is None else target, {})
        sizes = [size for size in sorted(by_size) if most_cards is None or size <= most_cards]
        return self.random.choice(by_size[self.random.choice(sizes)]) if sizes else None

    def ending_in(self, number: int, target: int, most_cards: int) -> Calculation | None:
        """One of the table's calculations for a target whose last number is this one."""
        by_size = self._listed.get(target, {})
        entries = [each for size in by_size for each in by_size[size] if size <= most_cards and each.last == number]
        return self.random.choice(entries) if entries else None

    def shuffled(self) -> list[Card]:
        """All number and picture cards of the game that the level uses, shuffled."""
        cards = self._cards.copy()
        self.random.shuffle(cards)
        return cards

    def one_type(self) -> str:
        """Number or picture, where the level has both."""
        return self.random.choice(("number", "picture")) if self.level.pictures else "number"

    def around(self, entry: Calculation, matching: bool = False) -> tuple[Card, tuple[Card, ...]] | None:
        """An active card and a hand around a calculation, with a matching card if so; None where cards do not suffice."""
        pool = self.shuffled()
        active = take(pool, entry.target)
        kind = self.one_type()
        chosen = [take(pool, number, kind) for number in entry.order]
        if active is None or None in chosen:
            return None
        hand = [card for card in chosen if card]
        if matching and len(hand) < self.level.hand_size and (match := take(pool, entry.target)):
            hand.append(match)
        hand += pool[: max(0, self.level.hand_size - len(hand))]
        return active, self.in_order(hand)

    def in_order(self, hand: list[Card]) -> tuple[Card, ...]:
        """A hand as people hold it: number cards, picture cards, wildcards, each in rising order."""
        return tuple(sorted(hand, key=self.rules.the_deck.type_of))


def take(pool: list[Card], number: int, kind: str | None = None, animal: str | None = None) -> Card | None:
    """Take the first card of a pool that has this number, and this kind and animal if they are given."""
    for place, card in enumerate(pool):
        if card.number == number and kind in (None, card.kind) and animal in (None, card.animal):
            return pool.pop(place)
    return None
