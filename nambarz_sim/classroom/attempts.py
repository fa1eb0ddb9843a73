"""Attempts to be judged by pupils: right ones, and wrong ones with exactly one fault (R6.1 to R6.5).

Each is made so that it should be of a kind, then `judge` says of what kind it is. That nothing else is wrong is asked, too:
with the one reason taken away, the attempt must be legal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nambarz_sim.arithmetic.expression import read_attempt
from nambarz_sim.arithmetic.table import Value, steps_from
from nambarz_sim.cards import Card
from nambarz_sim.classroom.hands import Dealer, take
from nambarz_sim.engine.plays import write_chain
from nambarz_sim.verdict import Verdict, judge

_CHANGES = ("change-number", "change-picture", "change-any")


@dataclass(frozen=True)
class Tried:
    """What somebody lays on an active card: the cards in the order laid, and what is written of them."""

    active: Card
    cards: tuple[Card, ...]
    written: str


def draw_attempt(dealer: Dealer) -> Tried | None:
    """A right attempt or one with a single fault, about two wrong ones for a right one; None where it did not work out."""
    fault = dealer.random.choice(("", "", "R6.1", "R6.2", "R6.3", "R6.4", "R6.5"))
    tried = _DRAWS[fault](dealer)
    if tried is None:
        return None
    verdict = _verdict(dealer, tried)
    return tried if verdict.fault == fault and not verdict.refused and _NOTHING_ELSE[fault](dealer, tried) else None


def _verdict(dealer: Dealer, tried: Tried) -> Verdict:
    return judge(tried.written, list(tried.cards), tried.active, dealer.rules)


def _calculated(active: Card, cards: Sequence[Card], operations: str) -> Tried:
    return Tried(active, tuple(cards), write_chain([str(card) for card in cards], operations))


# --- drawing ---------------------------------------------------------------------------------------------------------


def _right(dealer: Dealer) -> Tried | None:
    """A calculation, or now and then a wildcard used rightly, so that a wildcard alone gives nothing away."""
    return _wildcard(dealer) if dealer.random.random() < 0.25 else _laid(dealer, dealer.one_type())


def _laid(dealer: Dealer, kind: str | None) -> Tried | None:
    """A calculation of the table in cards of one type, or of any."""
    entry = dealer.calculation()
    pool = dealer.shuffled()
    active = take(pool, entry.target) if entry else None
    if entry is None or active is None:
        return None
    cards = [card for number in entry.order if (card := take(pool, number, kind))]
    return _calculated(active, cards, entry.operations) if len(cards) == len(entry.order) else None


def _not_fewest(dealer: Dealer) -> Tried | None:
    """Cards of a calculation with further ones among them, in an order and with signs that give the same result."""
    level = dealer.level
    entry = dealer.calculation(most_cards=level.most_cards - 1)
    pool = dealer.shuffled()
    active = take(pool, entry.target) if entry else None
    if entry is None or active is None:
        return None
    kind = dealer.one_type()
    cards = [card for number in entry.order if (card := take(pool, number, kind))]
    more = dealer.random.randint(1, level.most_cards - len(entry.order))
    cards += [card for card in pool if card.kind == kind][:more]
    dealer.random.shuffle(cards)
    ways = _ways(dealer, [card.number or 0 for card in cards], entry.target)
    return _calculated(active, cards, dealer.random.choice(ways)) if ways else None


def _ways(dealer: Dealer, numbers: list[int], target: int) -> list[str]:
    """The signs that make a number of others in this order, as the table of calculations works them."""
    rules = dealer.rules
    ways = [("", numbers[0])]
    for number in numbers[1:]:
        ways = [
            (signs + sign, made)
            for signs, value in ways
            for sign, made in steps_from(value, number, rules.operations, rules.steps)
            if isinstance(made, int)
        ]
    return [signs for signs, made in ways if made == target]


def _matching_used(dealer: Dealer) -> Tried | None:
    """Picture cards of a calculation, one of them with the animal of the active card."""
    entry = dealer.calculation()
    if entry is None or not dealer.level.pictures:
        return None
    pool = dealer.shuffled()
    active = take(pool, entry.target, "picture")
    if active is None:
        return None
    cards = [take(pool, number, "picture", active.animal) or take(pool, number, "picture") for number in entry.order]
    return None if None in cards else _calculated(active, [card for card in cards if card], entry.operations)


def _types_mixed(dealer: Dealer) -> Tried | None:
    return _laid(dealer, None) if dealer.level.pictures else None


def _wrong_result(dealer: Dealer) -> Tried | None:
    """A calculation with one sign exchanged for another."""
    entry = dealer.calculation()
    if entry is None or len(dealer.rules.operations) < 2:
        return None
    place = dealer.random.randrange(len(entry.operations))
    others = [sign for sign in dealer.rules.operations if sign != entry.operations[place]]
    signs = entry.operations[:place] + dealer.random.choice(others) + entry.operations[place + 1 :]
    pool, kind = dealer.shuffled(), dealer.one_type()
    active = take(pool, entry.target)
    cards = [card for number in entry.order if (card := take(pool, number, kind))]
    return _calculated(active, cards, signs) if active and len(cards) == len(entry.order) else None


def _wildcard(dealer: Dealer) -> Tried | None:
    """A change wildcard on some card, mostly with a card that follows it."""
    deck, copies = dealer.rules.the_deck, dealer.rules.copies
    known = [Card(kind) for kind in _CHANGES if copies[deck.type_of(Card(kind))]]
    if not known:
        return None
    active, following = dealer.shuffled()[:2]
    cards = [dealer.random.choice(known)] + ([following] if dealer.random.random() < 0.8 else [])
    return Tried(active, tuple(cards), " ".join(str(card) for card in cards))


_DRAWS: dict[str, Callable[[Dealer], Tried | None]] = {
    "": _right,
    "R6.1": _not_fewest,
    "R6.2": _matching_used,
    "R6.3": _types_mixed,
    "R6.4": _wrong_result,
    "R6.5": _wildcard,
}


# --- nothing else is wrong -------------------------------------------------------------------------------------------


def _as_numbers(dealer: Dealer, tried: Tried) -> bool:
    """Whether the same numbers on number cards would be legal."""
    plain = replace(
        tried,
        active=_plain(tried.active),
        cards=tuple(_plain(card) for card in tried.cards),
        written="".join(part for part in tried.written if not part.isalpha()),
    )
    return _verdict(dealer, plain).legal


def _plain(card: Card) -> Card:
    return Card("number", card.number)


def _only_types(dealer: Dealer, tried: Tried) -> bool:
    """R6.3: the numbers are right, and no card covers by itself."""
    return _as_numbers(dealer, tried) and not any(_covers(dealer, tried, card) for card in tried.cards)


def _only_matching(dealer: Dealer, tried: Tried) -> bool:
    """R6.2: the numbers are right, so that it is the animal, and the animal of one card only."""
    return _as_numbers(dealer, tried) and sum(_covers(dealer, tried, card) for card in tried.cards) == 1


def _covers(dealer: Dealer, tried: Tried, card: Card) -> bool:
    return _verdict(dealer, Tried(tried.active, (card,), str(card))).legal


def _only_result(dealer: Dealer, tried: Tried) -> bool:
    """R6.4: the same cards, all of them, are right in another way, and every result on the way is allowed."""
    verdict = _verdict(dealer, tried)
    value: Value | None = tried.cards[0].number
    signs = read_attempt(tried.written, dealer.rules.the_deck).operations or ""
    for card, sign in zip(tried.cards[1:], signs, strict=True):
        if value is not None:
            value = dict(steps_from(value, card.number or 0, sign, dealer.rules.steps)).get(sign)
    return value is not None and verdict.mistake == "result" and len(verdict.laid) == len(tried.cards)


def _only_wildcard(dealer: Dealer, tried: Tried) -> bool:
    """R6.5: a change-any in its place, or no card behind it, would be right."""
    following = tried.cards[1:]
    if _verdict(dealer, Tried(tried.active, tried.cards[:1], str(tried.cards[0]))).legal:
        return True
    other = (Card("change-any"), *following)
    deck, copies = dealer.rules.the_deck, dealer.rules.copies
    if not copies[deck.type_of(other[0])]:
        return False
    return _verdict(dealer, Tried(tried.active, other, " ".join(map(str, other)))).legal


def _nothing(dealer: Dealer, tried: Tried) -> bool:
    """R6.1 is looked for last, so there is no other fault before it (R6.6); a right attempt has none."""
    return True


_NOTHING_ELSE: dict[str, Callable[[Dealer, Tried], bool]] = {
    "": _nothing,
    "R6.1": _nothing,
    "R6.2": _only_matching,
    "R6.3": _only_types,
    "R6.4": _only_result,
    "R6.5": _only_wildcard,
}
