"""Random hands by the hundred thousand, each looked into with the engine's own list of legal plays."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim._rng import random_below
from nambarz_sim.engine.kernel import add_card, legal_plays, remove_card
from nambarz_sim.engine.state import ACTIVE, FIRST_WILDCARD, PLAY_BONUS, PLAY_SIZE


@kernel()
def count_strokes(pack, state, plays, stream, cards, any_active, hand_size, hands, hits):
    """Deal hands to seat 0 and count those that hold a master stroke of each size, and of any (R8.3).

    ``cards (deck,)`` card types, the active card last; with ``any_active`` a random card that is no wildcard is put there
    for each hand. ``hits (LARGEST + 1,)`` takes the counts by number of cards, and of any size at 0.
    """
    last = len(cards) - 1
    for _ in range(hands):
        if any_active:
            place = random_below(stream, last + 1)
            while cards[place] >= pack[FIRST_WILDCARD]:
                place = random_below(stream, last + 1)
            active = cards[place]
            cards[place] = cards[last]
            cards[last] = active
        state[ACTIVE] = cards[last]
        for dealt in range(hand_size):
            place = dealt + random_below(stream, last - dealt)
            card = cards[place]
            cards[place] = cards[dealt]
            cards[dealt] = card
            add_card(pack, state, 0, card)
        sizes = 0  # one bit a size
        for row in range(legal_plays(pack, state, plays)):
            if plays[row, PLAY_BONUS] > 0:
                sizes |= 1 << plays[row, PLAY_SIZE]
        for size in range(1, len(hits)):
            hits[size] += (sizes >> size) & 1
        hits[0] += sizes > 0
        for dealt in range(hand_size):
            remove_card(pack, state, 0, cards[dealt])
