"""Sentences that a teacher can read out: what a pupil laid, why it is right or wrong, what becomes of the cards.

Pure words: whoever calls them has asked the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from nambarz_sim.arithmetic.expression import SIGNS, NotAnExpression, steps_of
from nambarz_sim.cards import Card

MISTAKES = {
    "wildcard": "a wildcard misused",
    "types": "number and picture cards mixed",
    "matching card": "a matching card used",
    "does not cover": "a single card that does not cover",
    "too many cards": "more cards than this game allows",
    "operation": "an operation that this game does not allow",
    "step": "a result on the way that is not allowed",
    "order": "no order from left to right",
    "result": "another result",
    "fewest": "not the fewest cards",
    "not in the hand": "a card that is not in the hand",
    "unknown card": "a card that is not in the deck",
    "drawn card": "the drawn card not used",
    "second play": "a second play in one turn",
    "no expression": "no card and no calculation",
}
"""The mistakes that are told apart, in a few words each."""

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TYPES = {"change-number": "number card", "change-picture": "picture card", "change-any": "card"}


def name(card: Card) -> str:
    """A card as people say it: ``3 bee``."""
    return f"{card.number} {card.animal}" if card.animal else str(card)


def names(cards: Sequence[Card], opening: bool = False) -> str:
    """Cards in a row, ``5 and 10``; at the opening of a sentence plain numbers in words, ``Five and ten``.

    A single card opens a sentence as ``The 5``, since ``One goes back`` would leave open which.
    """
    words = [name(card) for card in cards]
    if opening and len(cards) == 1:
        return f"The {words[0]}"
    if opening and all(card.kind == "number" and (card.number or 0) < len(_NUMBERS) for card in cards):
        words = [_NUMBERS[card.number or 0] for card in cards]
    if opening:
        words[0] = words[0].capitalize()
    return _row(words)


def _row(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def number(value: Fraction | int) -> str:
    """A result as people write it, fractions as ``5/2``."""
    return str(Fraction(value))


def steps(cards: Sequence[Card], operations: str) -> str:
    """A calculation step by step, ``10 - 4 = 6, 6 ÷ 2 = 3``."""
    return ", ".join(
        f"{number(before)} {SIGNS[sign]} {card} = {'nothing' if after is None else number(after)}"
        for before, sign, card, after in steps_of(cards, operations)
    )


# --- legal plays -----------------------------------------------------------------------------------------------------


def match(card: Card, active: Card) -> str:
    """Why a single card covers."""
    if active.is_wildcard:
        return f"Any {_TYPES[active.kind]} may be laid on the open {active}, so {name(card)} may."
    shared = f"the same number, {card.number}" if card.number == active.number else f"the same animal, {card.animal}"
    return f"{name(card).capitalize()} matches {name(active)}: {shared}."


def calculation(cards: Sequence[Card], operations: str, target: int, bonus: int, reordered: bool) -> str:
    """Why a calculation is right."""
    parts = [f"{steps(cards, operations)}."]
    if reordered:
        parts.append(f"It is laid in the order {', '.join(name(card) for card in cards)}.")
    if len(cards) > 2:
        parts.append(f"No fewer of these cards make {target}.")
    if bonus:
        parts.append(f"{_NUMBERS[len(cards)].capitalize()} cards are a master stroke: {bonus} extra points.")
    return " ".join(parts)


def change(cards: Sequence[Card], active: Card) -> str:
    """What a change wildcard does."""
    if len(cards) == 1:
        kind = cards[0].kind
        opens = f"{kind.capitalize()} covers {name(active)} and lies open"
        return f"{opens}: the next player may lay any {_TYPES[kind]} on it."
    return f"{name(cards[0]).capitalize()} covers {name(active)}, and {name(cards[1])} is the new active card."


def replay(played: bool) -> str:
    """What a replay wildcard does."""
    if played:
        return "The replay gives you another turn on the card that was laid last."
    return "A replay laid without a play before it means: draw a card at once, and play it if you can."


def second_replay(played: bool) -> str:
    """What becomes of a replay announced behind a replay (R5.2, R5.4)."""
    return "With the second replay you draw a card at once." if played else "The other replay stays in your hand."


# --- faults ----------------------------------------------------------------------------------------------------------


def fewest(laid: Sequence[Card], expression: str, target: int) -> str:
    """R6.1."""
    alone = "alone make" if len(laid) > 1 else "alone makes"
    return f"{names(laid)} {alone} {target}: {expression} = {target}."


def matching(card: Card, active: Card) -> str:
    """R6.2."""
    shared = "number" if card.number == active.number else "animal"
    why = f"{name(card).capitalize()} has the same {shared} as {name(active)}"
    return f"{why}, so it must not be in a calculation; it is laid alone."


def types_mixed(cards: Sequence[Card]) -> str:
    """R6.3."""
    plain = next(card for card in cards if card.kind == "number")
    picture = next(card for card in cards if card.kind == "picture")
    mixed = f"{name(plain)} is a number card and {name(picture)} a picture card"
    return f"{mixed}, but all cards of a calculation must be of one type."


def does_not_cover(card: Card, active: Card) -> str:
    """R6.4 of a single card."""
    why = f"{name(card).capitalize()} does not match {name(active)}"
    if card.kind == active.kind == "picture":
        return f"{why}: another number and another animal."
    return f"{why}: another number."


def too_many_cards(count: int, most: int) -> str:
    """R6.4 of a calculation that is too long."""
    return f"{count} cards are too many: a calculation may have at most {most} cards in this game."


def operation(sign: str, allowed: str) -> str:
    """R6.4 of an operation that the game does not allow."""
    return f"{SIGNS[sign]} is not allowed in this game, only {_row([SIGNS[each] for each in allowed])}."


def step(before: Fraction, sign: str, card: int, after: Fraction | None, kind: str) -> str:
    """R6.4 of a result on the way that is not allowed."""
    if after is None:
        return f"On the way stands {number(before)} {SIGNS[sign]} {card}, and nothing can be divided by 0."
    wanted = "whole and not below 0" if kind == "whole" else "whole"
    found = f"{number(before)} {SIGNS[sign]} {card} = {number(after)}"
    return f"On the way stands {found}, but results on the way must be {wanted}."


def order(written: str, value: Fraction | int) -> str:
    """R6.4 of a calculation that cannot be laid card by card."""
    return (
        f"{written} is {number(value)}, but it cannot be laid left to right: each next card must be reckoned with the "
        f"result so far."
    )


def result(written: str, value: Fraction | None, target: int) -> str:
    """R6.4 of another result."""
    if not written:
        return f"No signs between these cards in this order make {target}."
    if value is None:
        return f"{written} has no result: nothing can be divided by 0."
    return f"{written} makes {number(value)}, not {target}."


def stated(written: str, claimed: int, value: Fraction) -> str:
    """A result written behind the equals sign that is not what the calculation makes."""
    return f"{written} makes {number(value)}, not {claimed} as written."


def other_way(expression: str, target: int) -> str:
    """R6.4: the same cards in another way."""
    return f"The same cards can make {target}, and are laid so: {expression} = {target}."


def back(cards: Sequence[Card], some_laid: bool) -> str:
    """Which cards go back."""
    if not some_laid and len(cards) > 1:
        return "All cards go back to your hand."
    return f"{names(cards, opening=True)} {'goes' if len(cards) == 1 else 'go'} back to your hand."


def penalty(cards: int) -> str:
    """What a fault costs."""
    drawn = f"You draw {cards} card{'' if cards == 1 else 's'} as a penalty, and your" if cards else "Your"
    return f"{drawn} turn is over."


# --- wildcards misused (R6.5) ----------------------------------------------------------------------------------------

TWO_CHANGES = "Two change wildcards must not follow one another."
REPLAY_ALONE = "A replay wildcard is laid by itself."
WILDCARD_FIRST = "A change wildcard is never part of a calculation: it is laid first, with at most one card on it."


def single_on_open(wildcard: Card) -> str:
    """A calculation on an open wildcard."""
    return f"On the open {wildcard} only a single {_TYPES[wildcard.kind]} may be laid, no calculation."


def wrong_type(wildcard: Card, card: Card) -> str:
    """A change wildcard on a card of the other type, or the other type on it."""
    kind = "picture" if card.kind == "picture" else "number"
    return f"{name(wildcard).capitalize()} goes with a {_TYPES[wildcard.kind]} only, and {name(card)} is a {kind} card."


def matching_follow_up(card: Card, covered: Card) -> str:
    """A card on one's own wildcard that matches the covered one."""
    shared = "number" if card.number == covered.number else "animal"
    why = f"{name(card).capitalize()} has the same {shared} as the covered {name(covered)}"
    return f"{why}, so it must not follow the wildcard."


# --- what is no attempt (R6.10) --------------------------------------------------------------------------------------

SECOND_PLAY = "You have made a play in this turn: now only a replay may follow, or end the turn."


def not_in_hand(card: Card, hand: Sequence[Card]) -> str:
    """A card that the player does not hold, or not so often."""
    held = list(hand).count(card)
    there = "is not in your hand" if held == 0 else "is in your hand only " + ("once" if held == 1 else f"{held} times")
    return f"{name(card).capitalize()} {there}. {_use(hand)}"


def unknown_card(card: str, hand: Sequence[Card]) -> str:
    """A card that the deck does not have."""
    return f"There is no card {card} in this game. {_use(hand)}"


def _use(hand: Sequence[Card]) -> str:
    return f"Use cards of your hand: {_row([name(card) for card in hand])}." if hand else "You hold no card."


def drawn_not_used(drawn: Card) -> str:
    """A play after a draw without the drawn card."""
    return f"After a draw a play must use the drawn card, {name(drawn)}: use it, or keep it."


def no_expression(text: str, error: NotAnExpression) -> str:
    """A text that makes no sense."""
    if not text.strip():
        return f"{str(error).capitalize()}."
    return f"This makes no sense from character {error.position + 1} on: {error}."
