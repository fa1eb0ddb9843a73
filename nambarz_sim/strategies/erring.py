"""What a pupil sees of the legal plays, and where it does something wrong; `nambarz_sim.strategies.pupil` says how often.

An error is an attempt: cards and operations that `nambarz_sim.engine.kernel.judge_attempt` finds to be of the fault in
question. What becomes of it the engine decides (R6).

An ``int(…)`` around a constant keeps Numba from compiling a function once more for that constant.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

from nambarz_sim._numba import kernel
from nambarz_sim._rng import STREAM_SIZE, random_below, random_bits
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.engine.kernel import covers, judge_attempt, legal_plays, of_card, pupil_stream, work
from nambarz_sim.engine.state import (
    ACTIVE,
    AT_HANDS,
    AT_OPERATIONS,
    AT_PAIR_NUMBERS,
    CALCULATION,
    DIVIDED,
    DRAWN,
    FIRST_WILDCARD,
    KIND,
    LARGEST_CALCULATION,
    LAY_REPLAY,
    MATCHING_USED,
    NOT_FEWEST,
    NUMBER,
    NUMBER_INDEX,
    NUMBER_VALUE,
    OPEN,
    PHASE,
    PHASE_DRAWN,
    PHASE_FRESH,
    PHASE_PLAYED,
    PICTURE,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_NEXT,
    PLAY_PAIR,
    PLAY_SIZE,
    SEAT,
    TYPES,
    WILDCARD_MISUSED,
    WRONG_RESULT,
    Ints,
)

TRIES = 20
"""How many random orders of its cards of one type a pupil tries for a calculation that breaks a rule."""
WHOLE = 1
"""What a whole number is divided by as a fraction."""

# columns of a seat: the most cards it considers; a bit for each operation code it has mastered; where in the packed
# rules its table of mastered pairs starts (0: it works all); whether it errs; and its chances in 2**32
MOST_CARDS, MASTERED, AT_MASTERED, ERRS, OVERLOOK, MISUSE_WILDCARD, FORGET_MATCHING, FORGET_FEWEST, SLIP = range(9)
ABLE_WIDTH = 9
# rows of scratch: an attempt's cards and operations, what is laid of it, the play that it becomes, and cards of the hand
TRIED, SIGNS, LAID, PLAY, POOL = range(5)
SCRATCH_ROWS = 5


class Pupils(NamedTuple):
    """The pupils of all seats: ``able (players, ABLE_WIDTH)`` and ``scratch (SCRATCH_ROWS, …)``."""

    able: Ints
    scratch: Ints


# --- what a pupil sees -----------------------------------------------------------------------------------------------


@kernel()
def _list_plays(pack, state, plays):
    """`legal_plays` as a call: it is long, and is needed twice below."""
    return legal_plays(pack, state, plays)


@kernel()
def see_plays(pack, state, plays, pupils):
    """Fill `plays` with the legal plays that the seat to move sees; how many there are."""
    able = pupils.able[state[SEAT]]
    limited = able[AT_MASTERED] > 0 or able[MOST_CARDS] < pack[LARGEST_CALCULATION]
    most = _most_cards_next(pack, state, plays, able) if limited and state[PHASE] == PHASE_PLAYED else -1
    count = _list_plays(pack, state, plays)
    if most >= 0 and count > 0:
        plays[0, PLAY_NEXT] = most
    if not limited and able[OVERLOOK] == 0:
        return count
    stream = state[pupil_stream(pack, state[SEAT]) : pupil_stream(pack, state[SEAT]) + STREAM_SIZE]
    seen = 0
    for row in range(count):
        if not _can_work(pack, plays, row, able):
            continue
        if able[OVERLOOK] > 0 and random_bits(stream) < able[OVERLOOK]:
            continue
        if seen < row:
            for column in range(PLAY_CARDS + plays[row, PLAY_SIZE]):
                plays[seen, column] = plays[row, column]
        seen += 1
    return seen


@kernel()
def _most_cards_next(pack, state, plays, able):
    """The most cards of a play that the pupil can work out on the card it has just laid, for an extra turn (R5.1)."""
    state[PHASE] = PHASE_FRESH
    most = 0
    for row in range(_list_plays(pack, state, plays)):
        if plays[row, PLAY_KIND] != LAY_REPLAY and _can_work(pack, plays, row, able):
            most = max(most, plays[row, PLAY_SIZE])
    state[PHASE] = PHASE_PLAYED
    return most


@kernel()
def _can_work(pack, plays, row, able):
    """Whether a pupil can work out a play; a calculation is put into the order in which it does."""
    if plays[row, PLAY_KIND] != CALCULATION:
        return True
    size = plays[row, PLAY_SIZE]
    if size > able[MOST_CARDS]:
        return False
    if able[AT_MASTERED] == 0:
        return True
    pair = pack[able[AT_MASTERED] + plays[row, PLAY_PAIR]]
    if pair < 0:
        return False
    if pair != plays[row, PLAY_PAIR]:
        plays[row, PLAY_PAIR] = pair
        for place in range(size - 1):  # the last card stays (R3.7)
            number = pack[pack[AT_PAIR_NUMBERS] + pair * LARGEST + place]
            other = place
            while of_card(pack, plays[row, PLAY_CARDS + other], NUMBER_INDEX) != number:
                other += 1
            card = plays[row, PLAY_CARDS + other]
            plays[row, PLAY_CARDS + other] = plays[row, PLAY_CARDS + place]
            plays[row, PLAY_CARDS + place] = card
    return True


# --- what a pupil does wrong -----------------------------------------------------------------------------------------


@kernel()
def err(pack, state, plays, choice, pupils):
    """How many cards the seat to move lays wrongly instead of the play in row `choice` (-1: none); 0 for no error.

    The attempt's cards and operations stand in the rows TRIED and SIGNS of ``pupils.scratch``.
    """
    able = pupils.able[state[SEAT]]
    if able[ERRS] == 0 or state[PHASE] == PHASE_PLAYED:
        return 0
    stream = state[pupil_stream(pack, state[SEAT]) : pupil_stream(pack, state[SEAT]) + STREAM_SIZE]
    drawn = state[DRAWN] if state[PHASE] == PHASE_DRAWN else -1
    count = 0
    if _happens(stream, able[MISUSE_WILDCARD]):
        count = _misuse_wildcard(pack, state, pupils.scratch, stream, drawn)
    if state[OPEN] >= 0 or count > 0:
        return count
    if _happens(stream, able[FORGET_MATCHING]):
        count = _break_rule(pack, state, pupils.scratch, stream, drawn, able, int(MATCHING_USED))
    if count == 0 and _happens(stream, able[FORGET_FEWEST]):
        count = _break_rule(pack, state, pupils.scratch, stream, drawn, able, int(NOT_FEWEST))
    if count == 0 and choice >= 0 and plays[choice, PLAY_KIND] == CALCULATION and _happens(stream, able[SLIP]):
        count = _slip(pack, state, pupils.scratch, stream, drawn, able, plays[choice])
    return count


@kernel(inline="small")
def _happens(stream, chance):
    """Whether something of a chance in 2**32 happens."""
    return chance > 0 and random_bits(stream) < chance


@kernel()
def _fault(pack, state, scratch, count):
    """The fault of the attempt in scratch."""
    return judge_attempt(pack, state, scratch[TRIED], scratch[SIGNS], count, scratch[LAID])[0]


@kernel()
def _misuse_wildcard(pack, state, scratch, stream, drawn):
    """One of the ways to misuse a change wildcard, each equally likely: alone, or with a follow-up where alone is right."""
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    first = pack[FIRST_WILDCARD]
    tried = scratch[TRIED]
    ways, count, chosen_wildcard, chosen_card = 0, 0, 0, 0
    for wildcard in range(first, first + 3):
        if state[hand + wildcard] == 0:
            continue
        tried[0] = wildcard
        for card in range(-1, first):  # -1: none
            # After a draw the drawn card must be among the cards (R2.4).
            if (card >= 0 and state[hand + card] == 0) or (drawn >= 0 and drawn != wildcard and drawn != card):
                continue
            tried[1] = card
            size = 1 + (card >= 0)
            if _fault(pack, state, scratch, size) != WILDCARD_MISUSED:
                continue
            ways += 1
            if random_below(stream, ways) == 0:
                chosen_wildcard, chosen_card, count = wildcard, card, size
            if card < 0:
                break
    tried[0], tried[1] = chosen_wildcard, chosen_card
    scratch[SIGNS, :2] = 0
    return count


@kernel()
def _break_rule(pack, state, scratch, stream, drawn, able, fault):
    """A calculation with the right result and a fault: a matching card in it, or more cards than needed; 0 without one.

    Looked for in up to TRIES random orders of the hand's number cards and as many of its picture cards.
    """
    least = 2 if fault == MATCHING_USED else 3
    most = min(able[MOST_CARDS], pack[LARGEST_CALCULATION])
    coin = random_below(stream, 2)
    for side in range(2):
        kind = PICTURE if side == coin else NUMBER
        if drawn >= 0 and of_card(pack, drawn, KIND) != kind:
            continue
        cards = _gather(pack, state, scratch, kind, fault)
        for _ in range(TRIES if least <= min(cards, most) else 0):
            count = _try_order(pack, state, scratch, stream, drawn, able, fault, cards, least)
            if count > 0:
                return count
    return 0


@kernel()
def _gather(pack, state, scratch, kind, fault):
    """Put the hand's cards of a type that may be used for the fault into the row POOL; how many there are."""
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    cards = 0
    matching = False
    for card in range(pack[FIRST_WILDCARD]):
        if state[hand + card] == 0 or of_card(pack, card, KIND) != kind:
            continue
        if covers(pack, card, state[ACTIVE]):
            matching = True
            if fault != MATCHING_USED:  # it would be the fault that is found first (R6.6)
                continue
        for _ in range(state[hand + card]):
            scratch[POOL, cards] = card
            cards += 1
    return cards if matching or fault != MATCHING_USED else 0


@kernel()
def _try_order(pack, state, scratch, stream, drawn, able, fault, cards, least):
    """Work cards of the pool in a random order, until one more makes the number; the size of the attempt, or 0."""
    top, bottom = int(of_card(pack, _take(scratch, stream, 0, cards), NUMBER_VALUE)), int(WHOLE)
    for place in range(1, min(able[MOST_CARDS], pack[LARGEST_CALCULATION], cards)):
        if place + 1 >= least and _finish(pack, state, scratch, drawn, able, fault, cards, place, top, bottom):
            return place + 1
        number = int(of_card(pack, _take(scratch, stream, place, cards), NUMBER_VALUE))
        turn = random_below(stream, DIVIDED)
        over = 0
        for each in range(DIVIDED):
            sign = 1 + (turn + each) % DIVIDED
            if (able[MASTERED] >> sign) & 1:
                made, over = work(pack, top, bottom, sign, number)
                if over > 0:
                    scratch[SIGNS, place - 1] = sign
                    break
        if over == 0:
            return 0
        top, bottom = made, over
    return 0


@kernel(inline="small")
def _take(scratch, stream, place, cards):
    """Put one of the pool's cards not yet taken at a place of the attempt, each equally likely."""
    other = place + random_below(stream, cards - place)
    card = scratch[POOL, other]
    scratch[POOL, other] = scratch[POOL, place]
    scratch[POOL, place] = card
    scratch[TRIED, place] = card
    return card


@kernel()
def _finish(pack, state, scratch, drawn, able, fault, cards, place, top, bottom):
    """Put a card of the pool not yet taken at the last place, so that the attempt has the fault; whether there is one."""
    target = of_card(pack, state[ACTIVE], NUMBER_VALUE)
    for other in range(place, cards):
        card = scratch[POOL, other]
        number = int(of_card(pack, card, NUMBER_VALUE))
        for sign in range(1, DIVIDED + 1):
            if (able[MASTERED] >> sign) & 1:
                made, over = work(pack, top, bottom, sign, number)
                if over > 0 and made == target * over:
                    scratch[TRIED, place] = card
                    scratch[SIGNS, place - 1] = sign
                    if _breaks(pack, state, scratch, place + 1, drawn, fault):
                        return True
    return False


@kernel()
def _breaks(pack, state, scratch, count, drawn, fault):
    """Whether the attempt in scratch uses the drawn card, if any, and has the fault."""
    uses_drawn = drawn < 0
    matching = False
    for place in range(count):
        uses_drawn = uses_drawn or scratch[TRIED, place] == drawn
        matching = matching or covers(pack, scratch[TRIED, place], state[ACTIVE])
    # Asked before the verdict, which takes longer: a matching card is the fault that is found first (R6.6).
    return uses_drawn and matching == (fault == MATCHING_USED) and _fault(pack, state, scratch, count) == fault


@kernel()
def _slip(pack, state, scratch, stream, drawn, able, play):
    """The calculation of a play with an operation or a card wrong, which of them by the toss of a coin; 0 if none is."""
    size = play[PLAY_SIZE]
    operations = pack[AT_OPERATIONS] + play[PLAY_PAIR] * LARGEST
    for place in range(size):
        scratch[TRIED, place] = play[PLAY_CARDS + place]
        scratch[SIGNS, place] = pack[operations + place]
    coin = random_below(stream, 2)
    for side in range(2):
        if side == coin:
            slipped = _wrong_operation(pack, state, scratch, stream, able, size)
        else:
            slipped = _wrong_card(pack, state, scratch, stream, drawn, size)
        if slipped:
            return size
    return 0


@kernel()
def _wrong_operation(pack, state, scratch, stream, able, size):
    """Exchange one operation for another that is mastered, so that the result is wrong; whether there is one."""
    ways = (size - 1) * DIVIDED
    start = random_below(stream, ways)
    for way in range(start, start + ways):
        place, operation = way % ways // DIVIDED, 1 + way % DIVIDED
        right = scratch[SIGNS, place]
        if operation != right and (able[MASTERED] >> operation) & 1:
            scratch[SIGNS, place] = operation
            if _fault(pack, state, scratch, size) == WRONG_RESULT:
                return True
            scratch[SIGNS, place] = right
    return False


@kernel()
def _wrong_card(pack, state, scratch, stream, drawn, size):
    """Exchange one card for another of its type in the hand, so that the result is wrong; whether there is one."""
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    first = pack[FIRST_WILDCARD]
    start = random_below(stream, size * first)
    for way in range(start, start + size * first):
        place, card = way % (size * first) // first, way % first
        right = scratch[TRIED, place]
        left = state[hand + card]
        if left == 0 or card == right or right == drawn or of_card(pack, card, KIND) != of_card(pack, right, KIND):
            continue
        for other in range(size):
            left -= scratch[TRIED, other] == card
        if left > 0:
            scratch[TRIED, place] = card
            if _fault(pack, state, scratch, size) == WRONG_RESULT:
                return True
            scratch[TRIED, place] = right
    return False
