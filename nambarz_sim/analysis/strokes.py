"""Master strokes: how likely a random hand holds one, exactly and by random hands, and how often they are laid (R8.3).

How the exact chances come about. Number cards and picture cards are looked at apart, since a calculation has cards of one
type (R3.4), and only cards that do not match the active card count (R3.6). Let ``a_n`` be the usable cards of one type
with the number n. A hand that takes ``c_n`` of each can be dealt in ``product of C(a_n, c_n)`` ways, and whether it holds
a stroke depends on the counts ``c_n`` alone. So the counts are listed, all of them, and ``w(i)`` is the sum of these
products over those with i cards in all and without a stroke. With u and v for the two types, N cards left in the deck, of
which r are in neither list, and hands of h cards

    hands without a stroke = sum over i and j of  u(i) v(j) C(r, h - i - j),    of C(N, h) hands in all.

All of these are whole numbers, and nothing is rounded before the division at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nambarz_sim._errors import whole_number
from nambarz_sim._numba import compiled, is_ready, note_ready
from nambarz_sim._rng import PURPOSE_HANDS, new_stream, start_stream
from nambarz_sim.analysis import kernel as loop
from nambarz_sim.analysis.calculations import minimal_calculations
from nambarz_sim.analysis.estimates import wilson
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.cards import KINDS, Card
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.plays import put_active
from nambarz_sim.engine.state import SMALLEST_STROKE, Ints, new_plays, new_state, pack
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

MOST_COUNTS = 3_000_000
"""How many combinations of counts the exact chances list before they give up with an error."""
FEW_HANDS = 5_000
"""So many random hands at the most are dealt as plain Python while nothing is compiled: sooner than a compiler is ready."""
ANY = "any"
"""The label of strokes of any size, and of a random active card."""

# One stroke: its number of cards, and how many cards of each number it needs.
_Stroke = tuple[int, tuple[tuple[int, int], ...]]
_Copies = tuple[tuple[int, int], ...]


def stroke_chances(
    rules: Rules | None = None, active: str | Card | None = "3", hand_size: int | None = None
) -> pd.DataFrame:
    """The exact chance that a hand dealt from the full deck holds a master stroke, by its number of cards.

    The active card is taken out of the deck and the hand is dealt from the rest, wildcards and all. A hand holds a stroke
    of a size if `nambarz_sim.find_plays` lists a calculation of so many cards; strokes that a change wildcard or a replay
    would lead to are not counted.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    active
        The active card, such as ``"3"`` or ``"3bee"``; None for a random card that is no wildcard: the mean over all of
        them, weighted by their copies.
    hand_size
        Cards in the hand; `Rules.hand_size` without.

    Returns
    -------
    pandas.DataFrame
        One row a number of cards of the stroke, from 4 to the largest that the rules allow, and one for ``"any"``:
        ``active``, ``hand_size``, ``cards``; ``hands`` that hold such a stroke, of ``all_hands``, exact whole numbers (the
        deck's cards told apart; for a random active card pairs of it and a hand); ``chance``, their ratio.

    Raises
    ------
    ValueError
        If the card is a wildcard or not in the deck, `hand_size` is no number of cards of the deck, or the deck has too
        many different hands to list.

    Notes
    -----
    The module's text gives the formula.

    Examples
    --------
    >>> table = stroke_chances(active="3").set_index("cards")
    >>> print(table.loc["any", "hands"], "of", table.loc["any", "all_hands"])
    427950246 of 8093990190
    >>> print(f"{table.loc['any', 'chance']:.2%}")
    5.29%
    """
    rules = rules or Rules()
    hand = _read_hand_size(rules, hand_size)
    left = sum(rules.copies) - 1
    without: Counter[str] = Counter()
    weights = 0
    for card, weight in _actives(rules, active).items():
        weights += weight
        for label, hands in _hands_without(rules, card, hand, left).items():
            without[label] += weight * hands
    everything = weights * comb(left, hand)
    rows = [(label, everything - without[label], everything) for label in _labels(rules)]
    return _table(active, hand, rows, ["hands", "all_hands"], [hands / everything for _, hands, _ in rows])


def simulated_stroke_chances(
    rules: Rules | None = None,
    active: str | Card | None = None,
    hand_size: int | None = None,
    hands: int = 100_000,
    seed: int = 1,
) -> pd.DataFrame:
    """The share of random hands that hold a master stroke, by its number of cards, with Wilson's 95% interval.

    The hands are dealt as in `stroke_chances`, and the engine lists the legal plays of each.

    Parameters
    ----------
    rules, active, hand_size
        As for `stroke_chances`; without `active` a random card that is no wildcard is turned up for each hand.
    hands
        How many hands, 1 or more.
    seed
        A whole number from 0: the same seed gives the same hands.

    Returns
    -------
    pandas.DataFrame
        ``active``, ``hand_size``, ``cards`` as in `stroke_chances`; ``hits``, the hands with such a stroke, of ``hands``;
        ``chance``, ``low`` and ``high``.

    Raises
    ------
    ValueError
        If an argument is not allowed.

    Examples
    --------
    >>> table = simulated_stroke_chances(active="3", hands=200)
    >>> [str(column) for column in table.columns]
    ['active', 'hand_size', 'cards', 'hits', 'hands', 'chance', 'low', 'high']
    """
    rules = rules or Rules()
    hand = _read_hand_size(rules, hand_size)
    hands = whole_number("hands", hands, 1, 2**40)
    seed = whole_number("seed", seed, 0, 2**63 - 1)
    first = next(iter(_actives(rules, active)))
    types = np.repeat(np.arange(len(rules.copies)), rules.copies)
    at = int(np.flatnonzero(types == rules.the_deck.type_of(first))[0])
    cards = np.append(np.delete(types, at), types[at]).astype(np.int64)
    packed = pack(rules)
    state, stream, hits = new_state(packed), new_stream(), np.zeros(LARGEST + 1, dtype=np.int64)
    put_active(state, rules.the_deck, first)
    start_stream(stream, seed, 0, 0, PURPOSE_HANDS)
    plain = hands <= FEW_HANDS and not is_ready(loop.count_strokes)
    count = loop.count_strokes if plain else compiled(loop.count_strokes)
    count(packed, state, new_plays(packed), stream, cards, active is None, hand, hands, hits)
    if not plain:
        note_ready(loop.count_strokes)
    rows = [(label, int(hits[0 if label == ANY else int(label)]), hands) for label in _labels(rules)]
    table = _table(active, hand, rows, ["hits", "hands"], [found / hands for _, found, _ in rows])
    table[["low", "high"]] = [wilson(found / hands, hands) for _, found, _ in rows]
    return table


def _table(
    active: str | Card | None, hand: int, rows: list[tuple[str, int, int]], names: Sequence[str], chances: list[float]
) -> pd.DataFrame:
    import pandas as pd

    columns: dict[str, Any] = {
        "active": ANY if active is None else str(active),
        "hand_size": hand,
        "cards": [label for label, _, _ in rows],
        names[0]: pd.Series([found for _, found, _ in rows], dtype=object),
        names[1]: pd.Series([cases for _, _, cases in rows], dtype=object),
        "chance": chances,
    }
    return pd.DataFrame(columns)


def _read_hand_size(rules: Rules, hand_size: int | None) -> int:
    return whole_number("hand_size", rules.hand_size if hand_size is None else hand_size, 1, sum(rules.copies) - 1)


def _actives(rules: Rules, active: str | Card | None) -> dict[Card, int]:
    """The cards that may be active, with their copies."""
    deck = rules.the_deck
    if active is None:
        return {card: copies for card, copies in zip(deck.cards, rules.copies, strict=True) if card.kind in KINDS[:2]}
    card = deck.card(active)
    if card.is_wildcard:
        raise ValueError(f"active: {card} is a wildcard, on which nothing is calculated; give a number or picture card")
    return {card: 1}


@lru_cache(maxsize=16)
def _strokes(rules: Rules) -> dict[int, tuple[_Stroke, ...]]:
    """The master strokes of the rules by target."""
    table = minimal_calculations(rules)
    found: dict[int, list[_Stroke]] = {}
    for row in table[table["points"] > 0].itertuples():
        needed = Counter(map(int, str(row.numbers).split()))
        found.setdefault(int(str(row.target)), []).append((needed.total(), tuple(needed.items())))
    return {target: tuple(strokes) for target, strokes in found.items()}


def _labels(rules: Rules) -> list[str]:
    """The numbers of cards that master strokes may have under the rules, and `ANY`."""
    largest = max((size for strokes in _strokes(rules).values() for size, _ in strokes), default=0)
    return [*map(str, range(SMALLEST_STROKE, largest + 1)), ANY]


def _hands_without(rules: Rules, active: Card, hand: int, left: int) -> dict[str, int]:
    """How many hands hold no master stroke of each size, and none at all."""
    assert active.number is not None
    strokes = _strokes(rules).get(active.number, ())
    by_type = []
    rest = left
    for usable in _usable(rules, active):
        known = dict(usable)
        possible = [needed for needed in strokes if all(known.get(n, 0) >= count for n, count in needed[1])]
        needed_numbers = {number for _, needed in possible for number, _ in needed}
        copies = tuple((number, count) for number, count in usable if number in needed_numbers)
        by_type.append(_ways_without(copies, tuple(possible), hand))
        rest -= sum(count for _, count in copies)
    numbers, pictures = by_type
    return {
        label: sum(
            first * second * comb(rest, hand - i - j)
            for i, first in enumerate(numbers.get(label, numbers[""]))
            for j, second in enumerate(pictures.get(label, pictures[""]))
            if i + j <= hand
        )
        for label in _labels(rules)
    }


def _usable(rules: Rules, active: Card) -> tuple[_Copies, _Copies]:
    """How many number cards and picture cards of each number do not match the active card (R3.1, R3.6)."""
    deck, packed = rules.the_deck, pack(rules)
    on = deck.type_of(active)
    found: dict[str, Counter[int]] = {kind: Counter() for kind in KINDS[:2]}
    for place, (card, copies) in enumerate(zip(deck.cards, rules.copies, strict=True)):
        if card.number is not None and not engine.covers(packed, place, on):
            found[card.kind][card.number] += copies
    number_cards, picture_cards = (tuple(sorted(found[kind].items())) for kind in KINDS[:2])
    return number_cards, picture_cards


@lru_cache(maxsize=256)
def _ways_without(copies: _Copies, strokes: tuple[_Stroke, ...], most: int) -> dict[str, list[int]]:
    """Ways to take 0, 1, … `most` cards of one type that hold no stroke of a size, none at all, or (under "") any."""
    place = {number: column for column, (number, _) in enumerate(copies)}
    counts, totals, ways = _all_counts(tuple(count for _, count in copies), most)
    holds_any = np.zeros(len(totals), dtype=bool)
    held = {"": holds_any.copy()}
    for size in sorted({size for size, _ in strokes}):
        held[str(size)] = np.zeros(len(totals), dtype=bool)
        for _, needed in (stroke for stroke in strokes if stroke[0] == size):
            held[str(size)] |= _hold(counts, [(place[number], count) for number, count in needed])
        holds_any |= held[str(size)]
    held[ANY] = holds_any
    by_total = [totals == total for total in range(most + 1)]
    return {label: [int(ways[chosen & ~hits].sum()) for chosen in by_total] for label, hits in held.items()}


def _hold(counts: Sequence[NDArray[np.int16]], needed: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Which combinations of counts hold so many of each of some numbers."""
    held = np.ones(len(counts[0]), dtype=bool)
    for column, count in needed:
        held &= counts[column] >= count
    return held


def _all_counts(copies: tuple[int, ...], most: int) -> tuple[list[NDArray[np.int16]], Ints, Any]:
    """Every combination of counts of up to `most` cards: a column a number, their totals, the ways to take them.

    The ways are 64-bit numbers where all of them together fit, Python's own whole numbers otherwise.
    """
    everything = sum(copies)
    fits = comb(everything, min(most, everything // 2)) < 2**62
    counts: list[NDArray[np.int16]] = []
    totals = np.zeros(1, dtype=np.int64)
    ways = np.ones(1, dtype=np.int64 if fits else object)
    for held in copies:
        kept = [np.flatnonzero(totals + taken <= most) for taken in range(min(held, most) + 1)]
        if sum(map(len, kept)) > MOST_COUNTS:
            raise ValueError(
                f"hand_size: hands of {most} cards of this deck are too many to list (more than {MOST_COUNTS:,} "
                f"combinations); give a smaller hand_size, or use simulated_stroke_chances"
            )
        taken_by = np.repeat(np.arange(len(kept), dtype=np.int16), [len(rows) for rows in kept])
        rows = np.concatenate(kept)
        counts = [*(column[rows] for column in counts), taken_by]
        totals = totals[rows] + taken_by
        ways = ways[rows] * np.array([comb(held, taken) for taken in range(len(kept))], dtype=ways.dtype)[taken_by]
    return counts, totals, ways
