"""Sentences that a teacher can read out: what a pupil laid, why it is right or wrong, what becomes of the cards.

Pure words, in the language spoken: whoever calls them has asked the engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from nambarz_sim.arithmetic.expression import NotAnExpression, steps_of
from nambarz_sim.arithmetic.shown import shown, signs
from nambarz_sim.card_names import card_name, translated
from nambarz_sim.cards import Card
from nambarz_sim.languages import N_, _, joined, plural

MISTAKES = {
    "wildcard": N_("a wildcard misused"),
    "types": N_("number and picture cards mixed"),
    "matching card": N_("a matching card used"),
    "does not cover": N_("a single card that does not cover"),
    "too many cards": N_("more cards than this game allows"),
    "operation": N_("an operation that this game does not allow"),
    "step": N_("a result on the way that is not allowed"),
    "order": N_("no order from left to right"),
    "result": N_("another result"),
    "fewest": N_("not the fewest cards"),
    "not in the hand": N_("a card that is not in the hand"),
    "unknown card": N_("a card that is not in the deck"),
    "drawn card": N_("the drawn card not used"),
    "second play": N_("a second play in one turn"),
    "no expression": N_("no card and no calculation"),
}
"""The mistakes that are told apart, in a few words each."""

_NUMBERS = (
    N_("zero"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"), N_("seven"), N_("eight"),
    N_("nine"), N_("ten"), N_("eleven"), N_("twelve"),
)  # fmt: skip
_WORDED = range(len(_NUMBERS))


def names(cards: Sequence[Card], opening: bool = False) -> str:
    """Cards in a row, ``5 and 10``; at the opening of a sentence plain numbers in words, ``five and ten``."""
    words = [card_name(card) for card in cards]
    if opening and len(cards) > 1 and all(card.kind == "number" and card.number in _WORDED for card in cards):
        words = [_(_NUMBERS[card.number or 0]) for card in cards]
    return joined(words)


def _sentence(text: str) -> str:
    """A text that may open with a card's name, as a sentence opens."""
    return text[:1].upper() + text[1:]


def number(value: Fraction | int) -> str:
    """A result as people write it, fractions as ``5/2``."""
    return str(Fraction(value))


def steps(cards: Sequence[Card], operations: str) -> str:
    """A calculation step by step, ``10 - 4 = 6, 6 ÷ 2 = 3``."""
    nothing = _("nothing")
    return ", ".join(
        f"{_step(before, sign, card)} = {nothing if after is None else number(after)}"
        for before, sign, card, after in steps_of(cards, operations)
    )


def _step(before: Fraction, sign: str, card: int) -> str:
    return f"{number(before)} {signs()[sign]} {card}"


# --- legal plays -----------------------------------------------------------------------------------------------------

_ON_OPEN = {
    "change-number": N_("Any number card may be laid on the open {wildcard}, so {card} may."),
    "change-picture": N_("Any picture card may be laid on the open {wildcard}, so {card} may."),
    "change-any": N_("Any card may be laid on the open {wildcard}, so {card} may."),
}
_LIES_OPEN = {
    "change-number": N_("{wildcard} covers {active} and lies open: the next player may lay any number card on it."),
    "change-picture": N_("{wildcard} covers {active} and lies open: the next player may lay any picture card on it."),
    "change-any": N_("{wildcard} covers {active} and lies open: the next player may lay any card on it."),
}


def match(card: Card, active: Card) -> str:
    """Why a single card covers."""
    if active.is_wildcard:
        return _sentence(_(_ON_OPEN[active.kind]).format(wildcard=card_name(active), card=card_name(card)))
    shared: dict[str, object] = {"card": card_name(card), "active": card_name(active)}
    if card.number == active.number:
        return _sentence(_("{card} matches {active}: the same number, {number}.").format(number=card.number, **shared))
    animal = translated(card.animal or "")
    return _sentence(_("{card} matches {active}: the same animal, {animal}.").format(animal=animal, **shared))


def calculation(cards: Sequence[Card], operations: str, target: int, bonus: int, reordered: bool) -> str:
    """Why a calculation is right."""
    parts = [f"{steps(cards, operations)}."]
    if reordered:
        order = ", ".join(card_name(card) for card in cards)
        parts.append(_("It is laid in the order {cards}.").format(cards=order))
    if len(cards) > 2:
        parts.append(_("No fewer of these cards make {target}.").format(target=target))
    if bonus:
        count = _(_NUMBERS[len(cards)])
        stroke = _("{count} cards are a master stroke: {bonus} extra points.").format(count=count, bonus=bonus)
        parts.append(_sentence(stroke))
    return " ".join(parts)


def change(cards: Sequence[Card], active: Card) -> str:
    """What a change wildcard does."""
    wildcard = card_name(cards[0])
    if len(cards) == 1:
        return _sentence(_(_LIES_OPEN[cards[0].kind]).format(wildcard=wildcard, active=card_name(active)))
    covers = _("{wildcard} covers {active}, and {card} is the new active card.")
    return _sentence(covers.format(wildcard=wildcard, active=card_name(active), card=card_name(cards[1])))


def replay(played: bool) -> str:
    """What a replay wildcard does."""
    if played:
        return _("The replay gives you another turn on the card that was laid last.")
    return _("A replay laid without a play before it means: draw a card at once, and play it if you can.")


def second_replay(played: bool) -> str:
    """What becomes of a replay announced behind a replay (R5.2, R5.4)."""
    if played:
        return _("With the second replay you draw a card at once.")
    return _("The other replay stays in your hand.")


# --- faults ----------------------------------------------------------------------------------------------------------


def fewest(laid: Sequence[Card], expression: str, target: int) -> str:
    """R6.1."""
    told = plural(
        "{cards} alone makes {target}: {calculation} = {target}.",
        "{cards} alone make {target}: {calculation} = {target}.",
        len(laid),
    )
    return _sentence(told.format(cards=names(laid), target=target, calculation=shown(expression)))


def matching(card: Card, active: Card) -> str:
    """R6.2."""
    if card.number == active.number:
        told = _("{card} has the same number as {active}, so it must not be in a calculation; it is laid alone.")
    else:
        told = _("{card} has the same animal as {active}, so it must not be in a calculation; it is laid alone.")
    return _sentence(told.format(card=card_name(card), active=card_name(active)))


def types_mixed(cards: Sequence[Card]) -> str:
    """R6.3."""
    plain = next(card for card in cards if card.kind == "number")
    picture = next(card for card in cards if card.kind == "picture")
    told = _(
        "{plain} is a number card and {picture} a picture card, but all cards of a calculation must be of one type."
    )
    return _sentence(told.format(plain=card_name(plain), picture=card_name(picture)))


def does_not_cover(card: Card, active: Card) -> str:
    """R6.4 of a single card."""
    if card.kind == active.kind == "picture":
        told = _("{card} does not match {active}: another number and another animal.")
    else:
        told = _("{card} does not match {active}: another number.")
    return _sentence(told.format(card=card_name(card), active=card_name(active)))


def too_many_cards(count: int, most: int) -> str:
    """R6.4 of a calculation that is too long."""
    told = _("{count} cards are too many: a calculation may have at most {most} cards in this game.")
    return told.format(count=count, most=most)


def operation(sign: str, allowed: str) -> str:
    """R6.4 of an operation that the game does not allow."""
    printed = signs()
    told = _("{sign} is not allowed in this game, only {signs}.")
    return told.format(sign=printed[sign], signs=joined([printed[each] for each in allowed]))


def step(before: Fraction, sign: str, card: int, after: Fraction | None, kind: str) -> str:
    """R6.4 of a result on the way that is not allowed."""
    tried = _step(before, sign, card)
    if after is None:
        return _("On the way stands {calculation}, and nothing can be divided by 0.").format(calculation=tried)
    if kind == "whole":
        told = _("On the way stands {calculation}, but results on the way must be whole and not below 0.")
    else:
        told = _("On the way stands {calculation}, but results on the way must be whole.")
    return told.format(calculation=f"{tried} = {number(after)}")


def order(written: str, value: Fraction | int) -> str:
    """R6.4 of a calculation that cannot be laid card by card."""
    told = _(
        "{calculation} is {value}, but it cannot be laid left to right: each next card must be reckoned with the result "
        "so far."
    )
    return told.format(calculation=shown(written), value=number(value))


def result(written: str, value: Fraction | None, target: int) -> str:
    """R6.4 of another result."""
    if not written:
        return _("No signs between these cards in this order make {target}.").format(target=target)
    if value is None:
        told = _("{calculation} has no result: nothing can be divided by 0.")
        return _sentence(told.format(calculation=shown(written)))
    told = _("{calculation} makes {value}, not {target}.")
    return _sentence(told.format(calculation=shown(written), value=number(value), target=target))


def stated(written: str, claimed: int, value: Fraction) -> str:
    """A result written behind the equals sign that is not what the calculation makes."""
    told = _("{calculation} makes {value}, not {claimed} as written.")
    return told.format(calculation=shown(written), value=number(value), claimed=claimed)


def other_way(expression: str, target: int) -> str:
    """R6.4: the same cards in another way."""
    told = _("The same cards can make {target}, and are laid so: {calculation} = {target}.")
    return told.format(target=target, calculation=shown(expression))


def back(cards: Sequence[Card], some_laid: bool) -> str:
    """Which cards go back."""
    if not some_laid and len(cards) > 1:
        return _("All cards go back to your hand.")
    # "One goes back" would leave open which: a single card is told with its number.
    told = plural("The {cards} goes back to your hand.", "{cards} go back to your hand.", len(cards))
    return _sentence(told.format(cards=names(cards, opening=True)))


def penalty(cards: int) -> str:
    """What a fault costs."""
    if not cards:
        return _("Your turn is over.")
    told = plural(
        "You draw {count} card as a penalty, and your turn is over.",
        "You draw {count} cards as a penalty, and your turn is over.",
        cards,
    )
    return told.format(count=cards)


# --- wildcards misused (R6.5) ----------------------------------------------------------------------------------------

TWO_CHANGES = N_("Two change wildcards must not follow one another.")
REPLAY_ALONE = N_("A replay wildcard is laid by itself.")
WILDCARD_FIRST = N_("A change wildcard is never part of a calculation: it is laid first, with at most one card on it.")

_SINGLE_ON_OPEN = {
    "change-number": N_("On the open {wildcard} only a single number card may be laid, no calculation."),
    "change-picture": N_("On the open {wildcard} only a single picture card may be laid, no calculation."),
    "change-any": N_("On the open {wildcard} only a single card may be laid, no calculation."),
}
_WRONG_TYPE = {
    "change-number": N_("{wildcard} goes with a number card only, and {card} is a picture card."),
    "change-picture": N_("{wildcard} goes with a picture card only, and {card} is a number card."),
}


def single_on_open(wildcard: Card) -> str:
    """A calculation on an open wildcard."""
    return _(_SINGLE_ON_OPEN[wildcard.kind]).format(wildcard=card_name(wildcard))


def wrong_type(wildcard: Card, card: Card) -> str:
    """A change wildcard on a card of the other type, or the other type on it."""
    return _sentence(_(_WRONG_TYPE[wildcard.kind]).format(wildcard=card_name(wildcard), card=card_name(card)))


def matching_follow_up(card: Card, covered: Card) -> str:
    """A card on one's own wildcard that matches the covered one."""
    if card.number == covered.number:
        told = _("{card} has the same number as the covered {covered}, so it must not follow the wildcard.")
    else:
        told = _("{card} has the same animal as the covered {covered}, so it must not follow the wildcard.")
    return _sentence(told.format(card=card_name(card), covered=card_name(covered)))


# --- what is no attempt (R6.10) --------------------------------------------------------------------------------------

SECOND_PLAY = N_("You have made a play in this turn: now only a replay may follow, or end the turn.")


def not_in_hand(card: Card, hand: Sequence[Card]) -> str:
    """A card that the player does not hold, or not so often."""
    held = list(hand).count(card)
    if held == 0:
        told = _("{card} is not in your hand.")
    else:
        told = plural("{card} is in your hand only once.", "{card} is in your hand only {count} times.", held)
    return f"{_sentence(told.format(card=card_name(card), count=held))} {_use(hand)}"


def unknown_card(card: str, hand: Sequence[Card]) -> str:
    """A card that the deck does not have."""
    told = _("There is no card {card} in this game.")
    return f"{told.format(card=card)} {_use(hand)}"


def _use(hand: Sequence[Card]) -> str:
    return _("Use cards of your hand: {cards}.").format(cards=names(hand)) if hand else _("You hold no card.")


def drawn_not_used(drawn: Card) -> str:
    """A play after a draw without the drawn card."""
    told = _("After a draw a play must use the drawn card, {card}: use it, or keep it.")
    return told.format(card=card_name(drawn))


def no_expression(text: str, error: NotAnExpression) -> str:
    """A text that makes no sense."""
    if not text.strip():
        return f"{_sentence(str(error))}."
    told = _("This makes no sense from character {place} on: {reason}.")
    return told.format(place=error.position + 1, reason=error)
