"""thrifty: greedy, and leaves an active card that the next player is least likely to cover. Not random.

Parameters: `WEIGHT`, how many tenths of a card a certain cover by the next player counts. The chance is judged from
what can be seen: the cards that neither lie face up nor are in the own hand, and how many cards the next player holds.
Counted are cards that cover alone, change wildcards that may, and pairs of cards that make the number.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from math import exp

from nambarz_sim._numba import kernel
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.engine.kernel import carrier, changes, covers, next_seat, of_card
from nambarz_sim.engine.state import (
    AT_NUMBERS,
    AT_SIZE,
    AT_TARGET_SETS,
    COPIES,
    DISCARDED,
    HELD,
    IN_ROUND,
    LAY_REPLAY,
    NUMBER,
    NUMBER_INDEX,
    PARTY,
    PICTURE,
    PLACES,
    PLAY_ACTIVE,
    PLAY_KIND,
    SEAT,
)
from nambarz_sim.strategies import greedy

WEIGHT = 4.0


@kernel()
def score(seen, play, stream):
    """The score of greedy less `WEIGHT` times the chance that the next player has a card that covers."""
    value = greedy.score(seen, play, stream)
    if value < 0.0 or play[PLAY_KIND] == LAY_REPLAY:
        return value
    chance = 1.0 if play[PLAY_ACTIVE] < 0 else _cover_chance(seen, play[PLAY_ACTIVE])
    # A change wildcard stays behind every other play, whatever it leaves.
    return max(0.0, value - chance * (WEIGHT if value >= 10.0 else 1.0))


@kernel()
def _cover_chance(seen, active):
    """The chance that the next player can cover the active card (0 for a teammate, who is welcome).

    Single cards as if drawn one by one with replacement, pairs as a Poisson number of independent ones.
    """
    held = _next_held(seen)
    unseen = 0
    covering = 0
    for card in range(len(seen.hand)):
        hidden = _hidden(seen, card)
        unseen += hidden
        if covers(seen.rules, card, active) or changes(seen.rules, card, active):
            covering += hidden
    if unseen < 2:
        return 0.0
    pairs = _hidden_pairs(seen, of_card(seen.rules, active, NUMBER_INDEX))
    expected = pairs * held * (held - 1) / (unseen * (unseen - 1.0))
    return 1.0 - (1.0 - covering / unseen) ** held * exp(-expected)


@kernel()
def _hidden_pairs(seen, target):
    """How many pairs of hidden cards of one type make a number; the table lists pairs last (R3.2 to R3.6)."""
    rules = seen.rules
    pairs = 0.0
    row = rules[rules[AT_TARGET_SETS] + target + 1] - 1
    while row >= rules[rules[AT_TARGET_SETS] + target] and rules[rules[AT_SIZE] + row] == 2:
        first, second = rules[rules[AT_NUMBERS] + row * LARGEST], rules[rules[AT_NUMBERS] + row * LARGEST + 1]
        for kind in range(NUMBER, PICTURE + 1):
            count = _hidden_with(seen, kind, first)
            pairs += count * (count - 1) / 2 if first == second else count * _hidden_with(seen, kind, second)
        row -= 1
    return pairs


@kernel()
def _hidden_with(seen, kind, number):
    """How many hidden cards of a type carry a number index."""
    count = 0
    for place in range(carrier(seen.rules, kind, number, 0)):
        count += _hidden(seen, carrier(seen.rules, kind, number, place + 1))
    return count


@kernel(inline="small")
def _hidden(seen, card):
    """How many cards of a type neither lie face up nor are in the own hand."""
    return of_card(seen.rules, card, COPIES) - seen.hand[card] - seen.public[DISCARDED + card]


@kernel(inline="small")
def _next_held(seen):
    """How many cards the next player holds; 0 for a teammate."""
    seat = seen.public[SEAT]
    following = next_seat(seen.rules, seat)
    while following != seat and (not seen.public[IN_ROUND + following] or seen.public[PLACES + following] > 0):
        following = next_seat(seen.rules, following)
    if seen.public[PARTY + following] == seen.public[PARTY + seat]:
        return 0
    return seen.public[HELD + following]
