"""A slow, obvious reference for the legal plays and the faults of NAMBARZ.

It shares no code with the package. Cards are texts: ``"3"`` is a number card, ``"3bee"`` a picture card,
``"change-number"``, ``"change-picture"``, ``"change-any"`` and ``"replay"`` are the wildcards. Everything is found by
trying everything; the caches save repeated work only. Clause numbers (R3.2 ...) are those of the rules page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations

Play = tuple[str, tuple[str, ...], str]
"""Kind, the cards used (sorted), the card laid last."""

Outcome = tuple[str | None, list[str], list[str]]
"""Fault (None: legal), the cards laid in order, the cards returned."""

CHANGE_TYPES: dict[str, set[str]] = {
    "change-number": {"number"},
    "change-picture": {"picture"},
    "change-any": {"number", "picture"},
}
WILDCARDS = {*CHANGE_TYPES, "replay"}
STEPS = ("whole", "integer", "rational")


# Cards


def parse(card: str) -> tuple[int, str]:
    """Return the number and the animal (empty on a number card) of an ordinary card (R1.1).

    Examples
    --------
    >>> parse("10bear"), parse("3")
    ((10, 'bear'), (3, ''))
    """
    found = re.fullmatch(r"(\d+)(\D*)", card)
    if found is None:
        raise ValueError(f"{card!r} is no number or picture card, such as '3' or '3bee'")
    return int(found[1]), found[2]


def number_of(card: str) -> int:
    """Return the number on an ordinary card (R1.1)."""
    return parse(card)[0]


def type_of(card: str) -> str:
    """Return ``"number"`` or ``"picture"`` for an ordinary card (R1.1)."""
    return "picture" if parse(card)[1] else "number"


def matches(card: str, active: str) -> bool:
    """Tell whether one ordinary card may cover another: same number, or same animal (R3.1).

    Examples
    --------
    >>> matches("8bee", "3bee"), matches("3", "3bee"), matches("8bee", "3")
    (True, True, False)
    """
    (number, animal), (active_number, active_animal) = parse(card), parse(active)
    return number == active_number or (animal != "" and animal == active_animal)


# Arithmetic on numbers


def apply_step(left: Fraction, operation: str, right: int, steps: str) -> Fraction | None:
    """Return ``left operation right``, or None where R3.3 does not allow that step.

    Examples
    --------
    >>> apply_step(Fraction(2), "-", 3, "whole"), apply_step(Fraction(2), "-", 3, "integer")
    (None, Fraction(-1, 1))
    """
    if steps not in STEPS:
        raise ValueError(f"steps={steps!r} is none of {STEPS}")
    if operation == "+":
        result = left + right
    elif operation == "-":
        result = left - right
    elif operation == "*":
        result = left * right
    elif operation == "/":
        if right == 0:
            return None
        result = left / right
    else:
        raise ValueError(f"operation {operation!r} is none of + - * /")
    if steps != "rational" and result.denominator != 1:
        return None
    if steps == "whole" and result < 0:
        return None
    return result


def values(numbers: Sequence[int], operations: str, steps: str) -> set[Fraction]:
    """Return all values of the numbers in that order, worked left to right (R3.2, R3.3).

    Examples
    --------
    >>> sorted(int(value) for value in values((10, 4, 2), "-/", "whole"))
    [3, 4]
    """
    found = {Fraction(numbers[0])}
    for number in numbers[1:]:
        results = {apply_step(left, operation, number, steps) for left in found for operation in operations}
        found = {result for result in results if result is not None}
    return found


@lru_cache(maxsize=2_000)
def _any_order(multiset: tuple[int, ...], operations: str, steps: str) -> frozenset[Fraction]:
    """Return all values of sorted numbers in any order (R3.2): some number comes last, the others before it."""
    if len(multiset) == 1:
        return frozenset({Fraction(multiset[0])})
    found: set[Fraction | None] = set()
    for last, others in _choose_last(multiset):
        before = _any_order(others, operations, steps)
        found |= {apply_step(left, operation, last, steps) for left in before for operation in operations}
    return frozenset(result for result in found if result is not None)


def _choose_last(multiset: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each different number of a multiset with the numbers left without it."""
    for last in sorted(set(multiset)):
        where = multiset.index(last)
        yield last, multiset[:where] + multiset[where + 1 :]


def last_numbers(multiset: Iterable[int], target: int, operations: str, steps: str) -> set[int]:
    """Return the numbers that can come last where all the numbers, in some order, give the target (R3.2, R3.7).

    Examples
    --------
    >>> sorted(last_numbers([1, 2], 3, "+-*/", "whole")), last_numbers([7, 4], 3, "+-*/", "whole")
    ([1, 2], {4})
    """
    return set(_last_numbers(tuple(sorted(multiset)), target, operations, steps))


@lru_cache(maxsize=200_000)
def _last_numbers(multiset: tuple[int, ...], target: int, operations: str, steps: str) -> frozenset[int]:
    """Return what `last_numbers` does, for sorted numbers (R3.2)."""
    if len(multiset) == 1:
        return frozenset(number for number in multiset if number == target)
    return frozenset(
        last
        for last, others in _choose_last(multiset)
        if any(
            apply_step(left, operation, last, steps) == target
            for left in _any_order(others, operations, steps)
            for operation in operations
        )
    )


def reaches(multiset: Iterable[int], target: int, operations: str, steps: str) -> bool:
    """Tell whether all the numbers, in some order, give the target (R3.2, R3.3); a single one gives itself.

    Examples
    --------
    >>> reaches([2, 4, 10], 3, "+-*/", "whole"), reaches([5], 5, "+", "whole")
    (True, True)
    """
    return bool(last_numbers(multiset, target, operations, steps))


def is_minimal(multiset: Iterable[int], target: int, operations: str, steps: str) -> bool:
    """Tell whether two or more numbers are a minimal calculation for the target (R3.2, R3.3, R3.5, R3.6).

    All of them reach the target, and no smaller selection of them does, a single number (R3.6) included.

    Examples
    --------
    >>> is_minimal([6, 5, 2, 10], 3, "+-*/", "whole"), is_minimal([6, 2], 3, "+-*/", "whole")
    (False, True)
    """
    return _is_minimal(tuple(sorted(multiset)), target, operations, steps)


@lru_cache(maxsize=200_000)
def _is_minimal(numbers: tuple[int, ...], target: int, operations: str, steps: str) -> bool:
    """Return what `is_minimal` does, for sorted numbers (R3.5)."""
    if len(numbers) < 2:
        return False
    for size in range(1, len(numbers)):
        for smaller in sorted(set(combinations(numbers, size))):
            if reaches(smaller, target, operations, steps):
                return False
    return reaches(numbers, target, operations, steps)


def minimal_sets(
    numbers_with_copies: dict[int, int], targets: Iterable[int], operations: str, steps: str, size: int
) -> set[tuple[int, tuple[int, ...]]]:
    """Return (target, sorted numbers) of all minimal calculations with exactly `size` cards (R3.5).

    Parameters
    ----------
    numbers_with_copies
        How many cards of one type there are of each number.

    Examples
    --------
    >>> sorted(minimal_sets({1: 2, 2: 1, 4: 1}, [2, 3], "+-", "whole", 2))
    [(2, (1, 1)), (3, (1, 2)), (3, (1, 4))]
    """
    multisets = [
        numbers
        for numbers in combinations_with_replacement(sorted(numbers_with_copies), size)
        if all(numbers.count(number) <= copies for number, copies in numbers_with_copies.items())
    ]
    return {
        (target, numbers)
        for target in targets
        for numbers in multisets
        if is_minimal(numbers, target, operations, steps)
    }


# Legal plays


def legal_plays(
    hand: list[str],
    active: str,
    operations: str = "+-*/",
    steps: str = "whole",
    max_cards: int | None = None,
    drawn: str | None = None,
    played: bool = False,
    banned: str | None = None,
) -> set[Play]:
    """Return the legal plays of a hand as (kind, sorted cards, card laid last) (R2.3).

    Parameters
    ----------
    hand
        The cards held, the drawn card included.
    active
        The card to cover; a change wildcard is an open one (R4.3).
    max_cards
        The most cards of one calculation that may be laid (R3.8).
    drawn
        The card just drawn; only plays that use it are legal (R2.4).
    played
        A play was made in this turn; only a replay may follow, after a draw too (R5.1, R2.4).
    banned
        On an open wildcard: the covered card, for the player who laid the wildcard (R4.2, R4.3).

    Examples
    --------
    >>> sorted(legal_plays(["1", "2", "9", "8bee"], "3bee"))
    [('calculation', ('1', '2'), '1'), ('calculation', ('1', '2'), '2'), ('match', ('8bee',), '8bee')]
    """
    replays: set[Play] = {("replay", ("replay",), "replay")} if "replay" in hand else set()
    if played:
        return replays
    if active in CHANGE_TYPES:
        plays = replays | _open_plays(hand, active, banned)
    else:
        plays = replays | _match_plays(hand, active) | _change_plays(hand, active)
        plays |= _calculation_plays(hand, active, operations, steps, max_cards)
    return {play for play in plays if drawn is None or drawn in play[1]}


def _ordinary(hand: list[str]) -> list[str]:
    """Return the number and picture cards of a hand (R1.1)."""
    return [card for card in hand if card not in WILDCARDS]


def _match_plays(hand: list[str], active: str) -> set[Play]:
    """Return the single cards that match an ordinary active card (R3.1)."""
    return {("match", (card,), card) for card in _ordinary(hand) if matches(card, active)}


def _open_plays(hand: list[str], wildcard: str, banned: str | None) -> set[Play]:
    """Return the single cards that may be laid on an open wildcard (R4.3; R4.2 with `banned`)."""
    return {("match", (card,), card) for card in _ordinary(hand) if _fits_open(card, wildcard, banned)}


def _fits_open(card: str, wildcard: str, banned: str | None) -> bool:
    """Tell whether an ordinary card may be laid on a change wildcard (R4.2, R4.3)."""
    return type_of(card) in CHANGE_TYPES[wildcard] and not (banned is not None and matches(card, banned))


def _change_plays(hand: list[str], active: str) -> set[Play]:
    """Return the change wildcards on an ordinary card, alone or with a card laid on them (R4.1, R4.2, R4.3)."""
    plays: set[Play] = set()
    for wildcard in set(hand) & set(CHANGE_TYPES):
        if type_of(active) in CHANGE_TYPES[wildcard]:
            plays.add(("change", (wildcard,), wildcard))
            for card in _ordinary(hand):
                if _fits_open(card, wildcard, active):
                    plays.add(("change", _sorted_cards([wildcard, card]), card))
    return plays


def _sorted_cards(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards sorted as texts."""
    return tuple(sorted(cards))


def _calculation_plays(hand: list[str], active: str, operations: str, steps: str, max_cards: int | None) -> set[Play]:
    """Return the calculations a hand holds, by cards used and card laid last (R3.2 to R3.8)."""
    plays: set[Play] = set()
    for kind in ("number", "picture"):
        usable = [card for card in _ordinary(hand) if type_of(card) == kind and not matches(card, active)]
        most = len(usable) if max_cards is None else min(max_cards, len(usable))
        for size in range(2, most + 1):
            for cards in set(combinations(sorted(usable), size)):
                for last in _last_cards(cards, number_of(active), operations, steps):
                    plays.add(("calculation", _sorted_cards(cards), last))
    return plays


def _last_cards(cards: Sequence[str], target: int, operations: str, steps: str) -> set[str]:
    """Return the cards that can be laid last if the cards are a minimal calculation, else none (R3.5, R3.7)."""
    numbers = [number_of(card) for card in cards]
    if not is_minimal(numbers, target, operations, steps):
        return set()
    lasts = last_numbers(numbers, target, operations, steps)
    return {card for card in cards if number_of(card) in lasts}


# Faults


def fault(
    cards: list[str],
    ops: str | None,
    active: str,
    operations: str = "+-*/",
    steps: str = "whole",
    max_cards: int | None = None,
    banned: str | None = None,
) -> Outcome:
    """Return the fault of an attempt, the cards that end up laid, and those that go back (R6).

    Parameters
    ----------
    cards
        The cards in the order laid. One ``"replay"`` after another play is an announced replay (R5.1, R6.7).
    ops
        For a calculation, one operation fewer than its cards, worked left to right; None: any that work in that order.
    active, operations, steps, max_cards, banned
        As for `legal_plays`.

    Examples
    --------
    >>> fault(["6", "5", "2", "10"], "++-", "3bee")
    ('R6.1', ['6', '2'], ['5', '10'])
    """
    if not cards:
        raise ValueError("an attempt needs at least one card")
    if cards == ["replay"]:
        return None, ["replay"], []
    if cards[-1] == "replay" and "replay" not in cards[:-1]:
        found, laid, returned = fault(cards[:-1], ops, active, operations, steps, max_cards, banned)
        if found is None:
            return None, [*laid, "replay"], returned
        return found, laid, [*returned, "replay"]
    if active in CHANGE_TYPES or set(cards) & WILDCARDS:
        legal = _wildcard_use_is_legal(cards, active, banned)
        return (None, list(cards), []) if legal else ("R6.5", [], list(cards))
    if len(cards) == 1:
        return (None, list(cards), []) if matches(cards[0], active) else ("R6.4", [], list(cards))
    return _calculation_fault(cards, ops, active, operations, steps, max_cards)


def _wildcard_use_is_legal(cards: list[str], active: str, banned: str | None) -> bool:
    """Judge an attempt with a wildcard in it or under it (R4.1 to R4.4, R6.9)."""
    first = cards[0]
    if active in CHANGE_TYPES:
        return len(cards) == 1 and first not in WILDCARDS and _fits_open(first, active, banned)
    if first not in CHANGE_TYPES or type_of(active) not in CHANGE_TYPES[first]:
        return False
    if len(cards) == 1:
        return True
    return len(cards) == 2 and cards[1] not in WILDCARDS and _fits_open(cards[1], first, active)


def _calculation_fault(
    cards: list[str], ops: str | None, active: str, operations: str, steps: str, max_cards: int | None
) -> Outcome:
    """Judge two or more ordinary cards on an ordinary card (R6.1 to R6.4, in the order of R6.6)."""
    numbers, target = [number_of(card) for card in cards], number_of(active)
    if len({type_of(card) for card in cards}) > 1:
        return "R6.3", [], list(cards)
    for place, card in enumerate(cards):
        if matches(card, active):
            return "R6.2", [card], cards[:place] + cards[place + 1 :]
    if max_cards is not None and len(cards) > max_cards:
        return "R6.4", [], list(cards)
    minimal = is_minimal(numbers, target, operations, steps)
    if not _works(numbers, ops, target, operations, steps):
        laid = _working_order(cards, target, operations, steps) if minimal else []
        return "R6.4", laid, [] if minimal else list(cards)
    if minimal:
        return None, list(cards), []
    return _fewest_cards(cards, target, operations, steps)


def _works(numbers: list[int], ops: str | None, target: int, operations: str, steps: str) -> bool:
    """Tell whether the numbers in that order give the target with these operations (R3.2, R6.10); None: with any."""
    if ops is None:
        return target in values(numbers, operations, steps)
    if len(ops) != len(numbers) - 1:
        raise ValueError(f"ops={ops!r}: {len(numbers)} cards need {len(numbers) - 1} operations")
    result: Fraction | None = Fraction(numbers[0])
    for operation, number in zip(ops, numbers[1:], strict=True):
        if result is not None:
            result = apply_step(result, operation, number, steps) if operation in operations else None
    return result == target


def _working_order(cards: Sequence[str], target: int, operations: str, steps: str) -> list[str]:
    """Return the cards in the player's order if that gives the target, else in the first order that does (R6.8)."""
    for order in permutations(cards):
        if target in values([number_of(card) for card in order], operations, steps):
            return list(order)
    raise ValueError(f"{cards} cannot give {target}")


def _fewest_cards(cards: list[str], target: int, operations: str, steps: str) -> Outcome:
    """Lay the smallest selection that gives the target, of several the one laid earliest (R6.1, R6.8)."""
    for size in range(2, len(cards)):
        for places in combinations(range(len(cards)), size):
            chosen = [cards[place] for place in places]
            if reaches([number_of(card) for card in chosen], target, operations, steps):
                returned = [card for place, card in enumerate(cards) if place not in places]
                return "R6.1", _working_order(chosen, target, operations, steps), returned
    raise ValueError(f"no smaller selection of {cards} gives {target}")
