"""thrifty: greedy, and leaves an active card that the next player is least likely to cover. Not random.

Parameters: `WEIGHT`, how many tenths of a card a certain cover by the next player counts. The chance is judged from
what can be seen: the cards that neither lie face up nor are in the own hand, and how many cards the next player holds.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim.engine.kernel import covers, next_seat, of_card
from nambarz_sim.engine.state import (
    COPIES,
    DISCARDED,
    HELD,
    IN_ROUND,
    LAY_REPLAY,
    PARTY,
    PLACES,
    PLAY_ACTIVE,
    PLAY_KIND,
    SEAT,
)
from nambarz_sim.strategies import greedy

WEIGHT = 9.0


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
    """The chance that one of the next player's cards matches the active card (0 for a teammate, who is welcome)."""
    held = _next_held(seen)
    unseen = 0
    covering = 0
    for card in range(len(seen.hand)):
        hidden = of_card(seen.rules, card, COPIES) - seen.hand[card] - seen.public[DISCARDED + card]
        unseen += hidden
        if covers(seen.rules, card, active):
            covering += hidden
    if unseen == 0:
        return 0.0
    return 1.0 - (1.0 - covering / unseen) ** held


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
