"""The rules of a turn, a round and a game as compiled functions over the arrays of `nambarz_sim.engine.state`.

The loop around them is always the same: `start_game`; then `legal_plays`, a choice, `step` until
``state[GAME_OVER]``, with `next_round` whenever ``state[ENDED]`` tells that a round is over. A choice is the row of a
play, or -1 for "no play": draw, or after a draw keep the card, or after a play end the turn.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel, part
from nambarz_sim._rng import (
    PURPOSE_DEAL,
    PURPOSE_PUPIL,
    PURPOSE_RECYCLE,
    PURPOSE_SEAT,
    STREAM_SIZE,
    random_below,
    start_stream,
)
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.engine.state import (
    ACTIVE,
    ACTIVE_AT,
    ALLOWED,
    ANIMAL,
    AT_CARRIERS,
    AT_COVERS,
    AT_DECK,
    AT_DISCARDS,
    AT_FIRST_PAIR,
    AT_GROUPS,
    AT_GUARD,
    AT_HANDS,
    AT_INDEX,
    AT_INDEX_START,
    AT_KEY,
    AT_MATCHES,
    AT_NEED,
    AT_NUMBERS,
    AT_OPERATION_COUNTS,
    AT_ORDER,
    AT_PAIR_NUMBERS,
    AT_PILE,
    AT_RECYCLING,
    AT_SCRATCH,
    AT_SIZE,
    AT_STREAMS,
    AT_TALLY,
    AT_TARGET_SETS,
    AT_TEAM_HANDS,
    AT_WORDS,
    BANNED,
    BONUS,
    CALCULATION,
    CALCULATIONS,
    CALCULATIONS_BY_SIZE,
    CARD_SIZE,
    CARDS,
    CARDS_DRAWN,
    CARDS_LAID,
    CARDS_LEFT,
    CARRIERS_WIDTH,
    CHANGE,
    CHANGE_ANY,
    CHANGE_NUMBER,
    CHANGE_PICTURE,
    DEALT_IN,
    DISCARDED,
    DISCARDS,
    DIVIDED,
    DRAWN,
    DRAWS,
    DREW,
    ENDED,
    ENDED_CUT,
    ENDED_FINISHED,
    ENDED_NOT,
    ENDED_STALLED,
    ENDED_TEAM,
    EXTRA_ROUND,
    EXTRA_ROUNDS,
    FAULTS_MADE,
    FINISHED,
    FINISHED_SEATS,
    FIRST_WILDCARD,
    FULL_DECK,
    GAME_OVER,
    GAME_PLACES,
    GROUP,
    GROUPS,
    HAND_SIZE,
    HELD,
    IN_PLAY,
    IN_ROUND,
    KIND,
    LARGEST_CALCULATION,
    LAST_PLACES,
    LAST_POINTS,
    LAY_REPLAY,
    MATCH,
    MATCHES,
    MATCHES_WIDTH,
    MATCHING_USED,
    MINUS,
    NO_FAULT,
    NOT_FEWEST,
    NUMBER,
    NUMBER_INDEX,
    NUMBER_VALUE,
    NUMBERS,
    OPEN,
    OPEN_AT,
    OPERATIONS_USED,
    PARTIES,
    PARTY,
    PASSES,
    PENALTIES,
    PENALTY_CARDS,
    PHASE,
    PHASE_DRAWN,
    PHASE_FRESH,
    PHASE_PLAYED,
    PICTURE,
    PILE_AT,
    PILE_LEFT,
    PLACE,
    PLACE_POINTS,
    PLACES,
    PLAY_ACTIVE,
    PLAY_BONUS,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_NEXT,
    PLAY_OFF,
    PLAY_OFF_NONE,
    PLAY_OFF_WIN,
    PLAY_PAIR,
    PLAY_SIZE,
    PLAYERS,
    PLUS,
    POINTS,
    RECYCLE,
    RECYCLE_SHUFFLE,
    RECYCLES_DONE,
    REDEALS,
    REPLAY,
    ROUND,
    ROUNDS,
    SCRATCH_ROWS_OF_PLAYS,
    SCRATCH_WIDTH,
    SEAT,
    SEE_HANDS,
    SHIFT,
    SMALLEST_STROKE,
    STARTER,
    STEPS_CODE,
    STEPS_INTEGER,
    STEPS_RATIONAL,
    STROKES_BY_SIZE,
    TALLY_SIZE,
    TALLY_TURNS,
    TEAM_OF,
    TIED,
    TIMES,
    TOTALS,
    TRIED_ROW,
    TURN_LIMIT,
    TURN_START,
    TURNS,
    TYPES,
    TYPES_MIXED,
    UNFINISHED_BONUS,
    WILDCARD_MISUSED,
    WILDCARDS_LAID,
    WORD,
    WORDS,
    WRONG_RESULT,
)
from nambarz_sim.rules import MOST_EXTRA_ROUNDS, RANKED_PLAYERS

STROKE_POINTS = 7
THEN_CHOOSE, THEN_DRAW, THEN_END = range(3)
MOST_ON_THE_WAY = 2**52
"""Results on the way of an attempt are followed up to this size, so that they stay exact in 64 bits."""


@kernel(inline="small")
def of_card(pack, card, column):
    """A column of a card type: KIND, NUMBER_VALUE, NUMBER_INDEX, ANIMAL, COPIES, WORD, SHIFT, GROUP."""
    return pack[CARDS + card * CARD_SIZE + column]


@kernel(inline="small")
def carrier(pack, kind, number, place):
    """The card types of a kind that carry a number index: place 0 their count, then the types."""
    return pack[pack[AT_CARRIERS] + (kind * pack[NUMBERS] + number) * pack[CARRIERS_WIDTH] + place]


@kernel(inline="small")
def pupil_stream(pack, seat):
    """Where the stream of the errors of the pupil in a seat starts: behind the streams of all seats' strategies."""
    return pack[AT_STREAMS] + (pack[PLAYERS] + seat) * STREAM_SIZE


@kernel()
def clear(state, start, end):
    """Set slots to 0; compiled in a tenth of the time of an assignment to a slice."""
    for at in range(start, end):
        state[at] = 0


# --- cards between hand, pile and discards ---------------------------------------------------------------------------


@kernel(inline="small")
def add_card(pack, state, seat, card):
    """Put a card of a type into a seat's hand."""
    state[pack[AT_HANDS] + seat * pack[TYPES] + card] += 1
    state[HELD + seat] += 1
    kind = of_card(pack, card, KIND)
    if kind <= PICTURE:
        row = 2 * seat + kind
        groups = pack[AT_GROUPS] + row * (pack[GROUPS] + 1)
        group = of_card(pack, card, GROUP)
        state[pack[AT_WORDS] + row * pack[WORDS] + of_card(pack, card, WORD)] += 1 << of_card(pack, card, SHIFT)
        state[groups + group] += 1
        state[groups + pack[GROUPS]] |= 1 << group


@kernel(inline="small")
def remove_card(pack, state, seat, card):
    """Take a card of a type out of a seat's hand."""
    state[pack[AT_HANDS] + seat * pack[TYPES] + card] -= 1
    state[HELD + seat] -= 1
    kind = of_card(pack, card, KIND)
    if kind <= PICTURE:
        row = 2 * seat + kind
        groups = pack[AT_GROUPS] + row * (pack[GROUPS] + 1)
        group = of_card(pack, card, GROUP)
        state[pack[AT_WORDS] + row * pack[WORDS] + of_card(pack, card, WORD)] -= 1 << of_card(pack, card, SHIFT)
        state[groups + group] -= 1
        if state[groups + group] == 0:
            state[groups + pack[GROUPS]] &= ~(1 << group)


@kernel(inline="small")
def _lay_card(pack, state, seat, card):
    """Move a card from a hand to the top of the discards (R3.7)."""
    remove_card(pack, state, seat, card)
    state[pack[AT_DISCARDS] + state[DISCARDS]] = card
    state[DISCARDS] += 1
    state[DISCARDED + card] += 1
    state[pack[AT_TALLY] + seat * TALLY_SIZE + CARDS_LAID] += 1


@kernel()
def _recycle(pack, state):
    """Make a new pile of the discards but for the active card, an open wildcard and the turn's cards (R2.5)."""
    discards, pile_at = pack[AT_DISCARDS], pack[AT_PILE]
    recycling = part(state, pack[AT_RECYCLING], STREAM_SIZE)
    kept = 0
    pile = 0
    turn_start = state[TURN_START]
    new_turn_start = -1
    for at in range(state[DISCARDS]):
        card = state[discards + at]
        if at == turn_start:
            new_turn_start = kept
        if at >= turn_start or at == state[ACTIVE_AT] or (state[OPEN] >= 0 and at == state[OPEN_AT]):
            if at == state[ACTIVE_AT]:
                state[ACTIVE_AT] = kept
            elif at == state[OPEN_AT]:
                state[OPEN_AT] = kept
            state[discards + kept] = card
            kept += 1
        else:
            state[pile_at + pile] = card
            pile += 1
            state[DISCARDED + card] -= 1
    if pile == 0:
        return
    state[TURN_START] = new_turn_start if new_turn_start >= 0 else kept
    state[DISCARDS] = kept
    state[PILE_AT] = 0
    state[PILE_LEFT] = pile
    state[RECYCLES_DONE] += 1
    if pack[RECYCLE] == RECYCLE_SHUFFLE:
        for at in range(pile - 1, 0, -1):
            other = random_below(recycling, at + 1)
            card = state[pile_at + at]
            state[pile_at + at] = state[pile_at + other]
            state[pile_at + other] = card


@kernel(inline="part")
def draw_card(pack, state, seat):
    """The type of the card that a seat draws, or -1 where there is nothing to draw (R2.4, R2.5)."""
    if state[PILE_LEFT] == 0:
        _recycle(pack, state)
        if state[PILE_LEFT] == 0:
            return -1
    card = state[pack[AT_PILE] + state[PILE_AT]]
    state[PILE_AT] += 1
    state[PILE_LEFT] -= 1
    state[DREW] = 1
    add_card(pack, state, seat, card)
    state[pack[AT_TALLY] + seat * TALLY_SIZE + CARDS_DRAWN] += 1
    return card


# --- what may be played ----------------------------------------------------------------------------------------------


@kernel(inline="small")
def covers(pack, card, active):
    """Whether a card covers an active card by itself (R3.1)."""
    return pack[pack[AT_COVERS] + active * pack[TYPES] + card] != 0


@kernel(inline="small")
def changes(pack, wildcard, card):
    """Whether a card is of a change wildcard's type: may be covered by it (R4.1) or follow on it (R4.2, R4.3)."""
    kind = of_card(pack, card, KIND)
    change = of_card(pack, wildcard, KIND)
    if kind == NUMBER:
        return change == CHANGE_NUMBER or change == CHANGE_ANY
    return kind == PICTURE and (change == CHANGE_PICTURE or change == CHANGE_ANY)


@kernel(inline="small")
def stroke_bonus(size):
    """Points for a master stroke: 7 for four cards and 7 more for each further card (R8.3)."""
    return STROKE_POINTS * (size - SMALLEST_STROKE + 1) if size >= SMALLEST_STROKE else 0


@kernel(inline="small")
def _add_single(plays, count, kind, card, active):
    """Write a play of one card; the new number of plays."""
    if count < len(plays) - SCRATCH_ROWS_OF_PLAYS:
        plays[count, PLAY_KIND] = kind
        plays[count, PLAY_SIZE] = 1
        plays[count, PLAY_BONUS] = 0
        plays[count, PLAY_PAIR] = -1
        plays[count, PLAY_ACTIVE] = active
        plays[count, PLAY_NEXT] = 0
        plays[count, PLAY_CARDS] = card
        count += 1
    return count


@kernel(inline="part")
def _list_open(pack, state, plays, count, drawn):
    """Plays on an open wildcard: any one card of its type (R4.3)."""
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    for card in range(pack[FIRST_WILDCARD]):
        if state[hand + card] == 0 or (drawn >= 0 and card != drawn) or not changes(pack, state[OPEN], card):
            continue
        if state[BANNED] and covers(pack, card, state[ACTIVE]):
            continue
        count = _add_single(plays, count, MATCH, card, card)
    return count


@kernel(inline="part")
def _list_matches(pack, state, plays, count, drawn):
    """Single cards that cover the active card (R3.1)."""
    if drawn >= 0:
        if covers(pack, drawn, state[ACTIVE]):
            count = _add_single(plays, count, MATCH, drawn, drawn)
        return count
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    row = pack[AT_MATCHES] + state[ACTIVE] * pack[MATCHES_WIDTH]
    for place in range(row + 1, row + pack[row] + 1):
        card = pack[place]
        if state[hand + card] > 0:
            count = _add_single(plays, count, MATCH, card, card)
    return count


@kernel(inline="part")
def _list_changes(pack, state, plays, count, drawn):
    """Change wildcards on the active card, alone or with a follow-up (R4.1, R4.2, R4.5)."""
    active = state[ACTIVE]
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    first = pack[FIRST_WILDCARD]
    if state[hand + first] + state[hand + first + 1] + state[hand + first + 2] == 0:
        return count
    for wildcard in range(first, first + 3):
        if state[hand + wildcard] == 0 or not changes(pack, wildcard, active):
            continue
        if drawn < 0 or wildcard == drawn:
            count = _add_single(plays, count, CHANGE, wildcard, -1)
        follow_up, end = 0, first
        if drawn >= 0 and wildcard != drawn:  # only the drawn card may follow
            follow_up, end = drawn, drawn + 1
        for card in range(follow_up, end):
            if state[hand + card] == 0:
                continue
            if changes(pack, wildcard, card) and not covers(pack, card, active):
                before = count
                count = _add_single(plays, count, CHANGE, wildcard, card)
                if count > before:
                    plays[before, PLAY_SIZE] = 2
                    plays[before, PLAY_CARDS + 1] = card
    return count


@kernel(inline="part")
def _emit_calculation(pack, plays, count, row, drawn):
    """Write the plays of one set whose cards are chosen: one for each pair and each card that may come last (R3.7).

    The cards chosen stand in the last row of `plays`, by rising number.
    """
    chosen = len(plays) - 1
    size = pack[pack[AT_SIZE] + row]
    if drawn >= 0:
        uses_drawn = False
        for slot in range(size):
            uses_drawn = uses_drawn or plays[chosen, PLAY_CARDS + slot] == drawn
        if not uses_drawn:
            return count
    for pair in range(pack[pack[AT_FIRST_PAIR] + row], pack[pack[AT_FIRST_PAIR] + row + 1]):
        order = pack[AT_ORDER] + pair * LARGEST
        end = pack[order + size - 1]  # the slot of the card that is last in the witness order
        number = of_card(pack, plays[chosen, PLAY_CARDS + end], NUMBER_INDEX)
        for last in range(end, size):
            card = plays[chosen, PLAY_CARDS + last]
            if of_card(pack, card, NUMBER_INDEX) != number:
                break
            if last > end and plays[chosen, PLAY_CARDS + last - 1] == card:
                continue
            if count >= len(plays) - SCRATCH_ROWS_OF_PLAYS:
                return count
            plays[count, PLAY_KIND] = CALCULATION
            plays[count, PLAY_SIZE] = size
            plays[count, PLAY_BONUS] = stroke_bonus(size)
            plays[count, PLAY_PAIR] = pair
            plays[count, PLAY_ACTIVE] = card
            plays[count, PLAY_NEXT] = 0
            for place in range(size):
                slot = pack[order + place]
                if slot == last:  # changes places with the card that comes last
                    slot = end
                plays[count, PLAY_CARDS + place] = plays[chosen, PLAY_CARDS + slot]
            plays[count, PLAY_CARDS + size - 1] = card
            count += 1
    return count


@kernel()
def _choose_cards(pack, state, plays, count, row, kind, banned_animal, drawn):
    """All ways to take a set's cards from the hand: for each number, which of its animals (R3.4, R3.6, R3.7)."""
    chosen, option = len(plays) - 1, len(plays) - 2
    hand = pack[AT_HANDS] + state[SEAT] * pack[TYPES]
    size = pack[pack[AT_SIZE] + row]
    numbers = pack[AT_NUMBERS] + row * LARGEST
    place = 0
    plays[option, 0] = 0
    while place >= 0:
        if kind == NUMBER:  # one card type a number: the hand holds them, and there is nothing to choose
            for slot in range(size):
                plays[chosen, PLAY_CARDS + slot] = carrier(pack, NUMBER, pack[numbers + slot], 1)
            place = -1
        else:
            number = pack[numbers + place]
            plays[option, place] += 1
            if plays[option, place] > carrier(pack, PICTURE, number, 0):
                place -= 1
                continue
            card = carrier(pack, PICTURE, number, plays[option, place])
            if of_card(pack, card, ANIMAL) == banned_animal:
                continue
            used = 0
            while used < place and plays[chosen, PLAY_CARDS + place - 1 - used] == card:
                used += 1
            if used >= state[hand + card]:
                continue
            plays[chosen, PLAY_CARDS + place] = card
            if place < size - 1:
                place += 1
                # Cards of one number are taken in rising order, so that no choice comes twice.
                plays[option, place] = plays[option, place - 1] - 1 if pack[numbers + place] == number else 0
                continue
        count = _emit_calculation(pack, plays, count, row, drawn)
    return count


@kernel()
def _holds_more(pack, state, hand_row, row):
    """Whether the further words of a packed hand, too, hold a set's need."""
    words = pack[WORDS]
    for word in range(1, words):
        guard = pack[pack[AT_GUARD] + word]
        hand = state[pack[AT_WORDS] + hand_row * words + word] | guard
        if (hand - pack[pack[AT_NEED] + row * words + word]) & guard != guard:
            return False
    return True


@kernel(inline="part")
def _list_calculations(pack, state, plays, count, drawn):
    """Calculations that the hand holds, the largest of each type first (R3.2 to R3.7)."""
    active = state[ACTIVE]
    target = of_card(pack, active, NUMBER_INDEX)
    groups, words = pack[GROUPS], pack[WORDS]
    index, need, guard = pack[AT_INDEX], pack[AT_NEED], pack[pack[AT_GUARD]]
    for kind in range(NUMBER, PICTURE + 1):
        if drawn >= 0 and of_card(pack, drawn, KIND) != kind:
            continue
        hand_row = 2 * state[SEAT] + kind
        start = (target << groups) + state[pack[AT_GROUPS] + hand_row * (groups + 1) + groups]
        first, end = pack[pack[AT_INDEX_START] + start], pack[pack[AT_INDEX_START] + start + 1]
        if first == end:
            continue
        banned_animal = -1
        if kind == PICTURE and of_card(pack, active, KIND) == PICTURE:
            banned_animal = of_card(pack, active, ANIMAL)
        hand = state[pack[AT_WORDS] + hand_row * words] | guard
        for at in range(first, end):
            row = pack[index + at]
            # The hand holds the set if no field borrows from its guard bit; most sets fail here.
            if (hand - pack[need + row * words]) & guard != guard:
                continue
            if words == 1 or _holds_more(pack, state, hand_row, row):
                count = _choose_cards(pack, state, plays, count, row, kind, banned_animal, drawn)
    return count


@kernel(inline="small")
def legal_plays(pack, state, plays):
    """Fill `plays` (capacity, PLAY_WIDTH) with all legal plays of the seat to move; how many there are (R2.3, R2.4).

    The last rows of `plays` are scratch. A replay after a play tells in PLAY_NEXT the most cards that a play of
    the extra turn could lay.
    """
    replay = pack[FIRST_WILDCARD] + 3
    has_replay = state[pack[AT_HANDS] + state[SEAT] * pack[TYPES] + replay] > 0
    played = state[PHASE] == PHASE_PLAYED
    if played and (not has_replay or state[HELD + state[SEAT]] == 0):
        return 0
    drawn = state[DRAWN] if state[PHASE] == PHASE_DRAWN else -1
    first = 1 if played else 0  # row 0 is for the replay that would give the extra turn
    count = first
    if drawn == replay:
        pass
    elif state[OPEN] >= 0:
        count = _list_open(pack, state, plays, count, drawn)
    else:
        count = _list_matches(pack, state, plays, count, drawn)
        count = _list_calculations(pack, state, plays, count, drawn)
        count = _list_changes(pack, state, plays, count, drawn)
    most = 0
    if played:
        for row in range(first, count):
            if plays[row, PLAY_SIZE] > most:
                most = plays[row, PLAY_SIZE]
        count = 0
    if has_replay and (drawn < 0 or drawn == replay):
        count = _add_single(plays, count, LAY_REPLAY, replay, state[ACTIVE])
        plays[count - 1, PLAY_NEXT] = most
    return count


# --- what becomes of a choice ----------------------------------------------------------------------------------------


@kernel(inline="small")
def _round_is_over(pack, state):
    """Whether enough players have finished, or only one team still plays (R7.1, R7.2); the code of the ending."""
    dealt = state[DEALT_IN]
    enough = dealt - 1 if dealt <= RANKED_PLAYERS else RANKED_PLAYERS
    if state[FINISHED_SEATS] >= enough:
        return ENDED_FINISHED
    party = -1
    for seat in range(pack[PLAYERS]):
        if state[IN_ROUND + seat] and state[PLACES + seat] == 0:
            if party >= 0 and state[PARTY + seat] != party:
                return ENDED_NOT
            party = state[PARTY + seat]
    return ENDED_TEAM


@kernel(inline="small")
def _finish_seat(pack, state, seat):
    """Give a seat with an empty hand its place, and see whether the round is over."""
    state[FINISHED_SEATS] += 1
    state[PLACES + seat] = state[FINISHED_SEATS]
    state[ENDED] = _round_is_over(pack, state)


@kernel(inline="small")
def next_seat(pack, seat):
    """The seat after a seat (R2.2)."""
    return seat + 1 if seat + 1 < pack[PLAYERS] else 0


@kernel(inline="small")
def _begin_turn(pack, state, seat):
    state[SEAT] = seat
    state[PHASE] = PHASE_FRESH
    state[DRAWN] = -1
    state[BANNED] = 0
    state[DREW] = 0
    state[TURN_START] = state[DISCARDS]
    state[TURNS] += 1
    state[pack[AT_TALLY] + seat * TALLY_SIZE + TALLY_TURNS] += 1


@kernel(inline="part")
def end_turn(pack, state):
    """Close the turn: an empty hand has finished, the round may be stalled or cut, the next seat begins (R2.5, R7)."""
    seat = state[SEAT]
    passed = state[DISCARDS] == state[TURN_START] and not state[DREW]
    state[PASSES] = state[PASSES] + 1 if passed else 0
    if state[HELD + seat] == 0:
        _finish_seat(pack, state, seat)
    if state[ENDED] != ENDED_NOT:
        return
    if state[PASSES] >= state[DEALT_IN] - state[FINISHED_SEATS]:
        state[ENDED] = ENDED_STALLED
        return
    if state[TURNS] >= pack[TURN_LIMIT]:
        state[ENDED] = ENDED_CUT
        return
    following = next_seat(pack, seat)
    while not state[IN_ROUND + following] or state[PLACES + following] > 0:
        following = next_seat(pack, following)
    _begin_turn(pack, state, following)


@kernel(inline="part")
def _draw_to_play(pack, state):
    """Draw one card for a play; what follows: without one the turn is over (R2.4, R5.2, R5.3)."""
    state[pack[AT_TALLY] + state[SEAT] * TALLY_SIZE + DRAWS] += 1
    card = draw_card(pack, state, state[SEAT])
    if card < 0:
        return THEN_END
    state[PHASE] = PHASE_DRAWN
    state[DRAWN] = card
    return THEN_CHOOSE


@kernel(inline="small")
def _cover(pack, state, active):
    """The card laid last becomes active (R3.7); a change wildcard laid alone lies open (R4.3)."""
    if active >= 0:
        state[ACTIVE] = active
        state[ACTIVE_AT] = state[DISCARDS] - 1
        state[OPEN] = -1
    else:
        state[OPEN] = state[pack[AT_DISCARDS] + state[DISCARDS] - 1]
        state[OPEN_AT] = state[DISCARDS] - 1
        state[BANNED] = 1


@kernel(inline="small")
def _count_calculation(pack, state, tally, pair, size):
    state[tally + CALCULATIONS] += 1
    state[tally + CALCULATIONS_BY_SIZE + size - 2] += 1
    for operation in range(4):
        state[tally + OPERATIONS_USED + operation] += pack[pack[AT_OPERATION_COUNTS] + 4 * pair + operation]


@kernel(inline="part")
def apply_play(pack, state, play):
    """Lay the cards of a legal play; what follows: the next choice, an obliged draw or the end of the turn.

    R3.7, R4, R5 and R8.3.
    """
    seat = state[SEAT]
    tally = pack[AT_TALLY] + seat * TALLY_SIZE
    kind = play[PLAY_KIND]
    size = play[PLAY_SIZE]
    for place in range(size):
        card = play[PLAY_CARDS + place]
        _lay_card(pack, state, seat, card)
        if card >= pack[FIRST_WILDCARD]:
            state[tally + WILDCARDS_LAID + card - pack[FIRST_WILDCARD]] += 1
    if kind == LAY_REPLAY:
        if state[PHASE] == PHASE_PLAYED:
            state[PHASE] = PHASE_FRESH  # an extra turn on the same card (R5.1)
            return THEN_CHOOSE
        return THEN_DRAW  # laid for lack of a card (R5.2)
    if kind == MATCH:
        state[tally + MATCHES] += 1
    elif kind == CALCULATION:
        _count_calculation(pack, state, tally, play[PLAY_PAIR], size)
        state[tally + BONUS] += play[PLAY_BONUS]
        if size >= SMALLEST_STROKE:
            state[tally + STROKES_BY_SIZE + size - SMALLEST_STROKE] += 1
    _cover(pack, state, play[PLAY_ACTIVE])
    state[PHASE] = PHASE_PLAYED
    state[DRAWN] = -1
    # The turn is over unless a replay can follow (R5.1); none follows on an empty hand (R5.5).
    return THEN_CHOOSE if state[pack[AT_HANDS] + seat * pack[TYPES] + pack[FIRST_WILDCARD] + 3] > 0 else THEN_END


@kernel(inline="small")
def step(pack, state, plays, choice):
    """Do what the seat to move has chosen: the play in row `choice`, or with -1 draw, keep, or end the turn."""
    if choice >= 0:
        follows = apply_play(pack, state, plays[choice])
    else:
        follows = THEN_DRAW if state[PHASE] == PHASE_FRESH else THEN_END
    _follow(pack, state, follows)


@kernel(inline="part")
def _follow(pack, state, follows):
    """Draw, or end the turn, as the rules oblige."""
    if follows == THEN_DRAW:
        follows = _draw_to_play(pack, state)
    if follows == THEN_END:
        end_turn(pack, state)


# --- attempts and their faults (R6) ----------------------------------------------------------------------------------


@kernel(inline="small")
def _card_with(pack, index):
    """A card type with the number that a number index stands for."""
    kind = NUMBER if carrier(pack, NUMBER, index, 0) > 0 else PICTURE
    return carrier(pack, kind, index, 1)


@kernel(inline="small")
def _number_of(pack, index):
    """The number that a number index stands for."""
    return of_card(pack, _card_with(pack, index), NUMBER_VALUE)


@kernel()
def _find_pair(pack, numbers, count, target, last):
    """The table's pair for these number indices, target and last number; any last with -1; -1 if not minimal."""
    first = 0  # the first word of these numbers' need tells most sets apart at once
    for place in range(count):
        card = _card_with(pack, numbers[place])
        if of_card(pack, card, WORD) == 0:
            first += 1 << of_card(pack, card, SHIFT)
    for row in range(pack[pack[AT_TARGET_SETS] + target], pack[pack[AT_TARGET_SETS] + target + 1]):
        if pack[pack[AT_NEED] + row * pack[WORDS]] != first or pack[pack[AT_SIZE] + row] != count:
            continue
        same = True
        for place in range(count):
            mine = 0
            theirs = 0
            for other in range(count):
                mine += numbers[other] == numbers[place]
                theirs += pack[pack[AT_NUMBERS] + row * LARGEST + other] == numbers[place]
            same = same and mine == theirs
        if same:
            for each in range(pack[pack[AT_FIRST_PAIR] + row], pack[pack[AT_FIRST_PAIR] + row + 1]):
                slot = pack[pack[AT_ORDER] + each * LARGEST + count - 1]
                if last < 0 or pack[pack[AT_NUMBERS] + row * LARGEST + slot] == last:
                    return each
            return -1
    return -1


@kernel(inline="small")
def work(pack, top, bottom, operation, number):
    """One step of a calculation (R3.2, R3.3): the fraction ``top / bottom`` that it makes; bottom 0 where it is none."""
    steps = pack[STEPS_CODE]
    if operation == PLUS:
        top += number * bottom
    elif operation == MINUS:
        top -= number * bottom
    elif operation == TIMES:
        top *= number
    elif number == 0:
        return 0, 0
    else:
        bottom *= number
    if steps != STEPS_RATIONAL:
        if top < 0 and steps != STEPS_INTEGER:
            return 0, 0
        if bottom != 1:
            if top % bottom != 0:
                return 0, 0
            top //= bottom
            bottom = 1
    elif top == 0:
        bottom = 1
    else:
        one, other = abs(top), bottom
        while other:
            one, other = other, one % other
        top //= one
        bottom //= one
    if abs(top) > MOST_ON_THE_WAY or bottom > MOST_ON_THE_WAY:
        return 0, 0
    return top, bottom


@kernel()
def chain_makes(pack, state, numbers, operations, count, target):
    """Whether number indices worked in this order make the target (R3.2, R3.3); operation 0 means any allowed one.

    The values on the way are kept as fractions; a depth-first search tries the operations of each step, and leaves those
    that work in the scratch row TRIED_ROW, from place 1 on.
    """
    wanted = _number_of(pack, target)
    tops = state[pack[AT_SCRATCH] :]
    bottoms = state[pack[AT_SCRATCH] + 1 * SCRATCH_WIDTH :]
    tried = state[pack[AT_SCRATCH] + TRIED_ROW * SCRATCH_WIDTH :]
    tried[:SCRATCH_WIDTH] = 0
    bottoms[0] = 1
    tops[0] = int(_number_of(pack, numbers[0]))
    place = 1
    while place > 0:
        if place == count:
            if tops[place - 1] == wanted * bottoms[place - 1]:
                return True
            place -= 1
            continue
        tried[place] += 1
        if tried[place] > DIVIDED:
            tried[place] = 0
            place -= 1
            continue
        operation = tried[place]
        given = operations[place - 1]
        if pack[ALLOWED + operation] == 0 or (given > 0 and given != operation):
            continue
        top, bottom = work(pack, tops[place - 1], bottoms[place - 1], operation, int(_number_of(pack, numbers[place])))
        if bottom == 0:
            continue
        tops[place] = top
        bottoms[place] = bottom
        place += 1
    return False


@kernel()
def _wildcard_attempt(pack, state, cards, count):
    """Whether an attempt with a wildcard in it is right (R4.1, R4.2, R4.4, R6.9)."""
    if count == 1 and of_card(pack, cards[0], KIND) == REPLAY:
        return True
    if state[OPEN] >= 0 or count > 2 or of_card(pack, cards[0], KIND) <= PICTURE:
        return False
    if not changes(pack, cards[0], state[ACTIVE]):
        return False
    if count == 1:
        return True
    return changes(pack, cards[0], cards[1]) and not covers(pack, cards[1], state[ACTIVE])


@kernel()
def _lay_numbers(pack, state, cards, chosen, count, pair, target, laid):
    """Cards in the player's order if some operations work so, else in the pair's order (R6.8)."""
    numbers = state[pack[AT_SCRATCH] + 3 * SCRATCH_WIDTH :]
    free = state[pack[AT_SCRATCH] + 4 * SCRATCH_WIDTH :]  # no operation is given, and no card is laid yet
    free[:SCRATCH_WIDTH] = 0
    for place in range(count):
        numbers[place] = of_card(pack, cards[chosen[place]], NUMBER_INDEX)
    if chain_makes(pack, state, numbers, free, count, target):
        for place in range(count):
            laid[place] = cards[chosen[place]]
        return
    for place in range(count):
        for other in range(count):
            if free[other] == 0 and numbers[other] == pack[pack[AT_PAIR_NUMBERS] + pair * LARGEST + place]:
                free[other] = 1
                laid[place] = cards[chosen[other]]
                break


@kernel()
def _smallest_selection(pack, state, cards, count, target, laid):
    """Lay the smallest selection that makes the target, of several the one laid earliest (R6.1, R6.8); its size."""
    numbers = state[pack[AT_SCRATCH] + 5 * SCRATCH_WIDTH :]
    chosen = state[pack[AT_SCRATCH] + 6 * SCRATCH_WIDTH :]
    for size in range(2, count):
        for place in range(size):
            chosen[place] = place
        place = 0
        while place >= 0:
            for at in range(size):
                numbers[at] = of_card(pack, cards[chosen[at]], NUMBER_INDEX)
            pair = _find_pair(pack, numbers, size, target, -1)
            if pair >= 0:
                _lay_numbers(pack, state, cards, chosen, size, pair, target, laid)
                return size
            place = size - 1  # the next selection of this size in the order of the places
            while place >= 0 and chosen[place] == count - size + place:
                place -= 1
            if place >= 0:
                chosen[place] += 1
                for at in range(place + 1, size):
                    chosen[at] = chosen[at - 1] + 1
    return 0


@kernel()
def _calculation_attempt(pack, state, cards, operations, count, laid):
    """Fault and number of cards laid for an attempted calculation (R6.1 to R6.4, R6.8, R6.10)."""
    active = state[ACTIVE]
    target = of_card(pack, active, NUMBER_INDEX)
    for place in range(1, count):
        if of_card(pack, cards[place], KIND) != of_card(pack, cards[0], KIND):
            return TYPES_MIXED, 0
    for place in range(count):
        if covers(pack, cards[place], active):
            laid[0] = cards[place]
            return MATCHING_USED, 1
    if count > pack[LARGEST_CALCULATION]:
        return WRONG_RESULT, 0
    numbers = state[pack[AT_SCRATCH] + 7 * SCRATCH_WIDTH :]
    everything = state[pack[AT_SCRATCH] + 8 * SCRATCH_WIDTH :]
    for place in range(count):
        numbers[place] = of_card(pack, cards[place], NUMBER_INDEX)
        everything[place] = place
    pair = _find_pair(pack, numbers, count, target, -1)
    if not chain_makes(pack, state, numbers, operations, count, target):
        if pair < 0:
            return WRONG_RESULT, 0
        _lay_numbers(pack, state, cards, everything, count, pair, target, laid)
        return WRONG_RESULT, count
    if pair < 0:
        return NOT_FEWEST, _smallest_selection(pack, state, cards, count, target, laid)
    for place in range(count):
        laid[place] = cards[place]
    return NO_FAULT, count


@kernel()
def judge_attempt(pack, state, cards, operations, count, laid):
    """The verdict on cards laid in this order (R6): the fault or 0, and how many cards of `laid` are laid.

    ``cards (count,)`` card types, ``operations (count,)`` between them (0: any that works), ``laid (count,)`` filled.
    Faults are looked for in the order of R6.6. Nothing changes.
    """
    for place in range(count):
        if of_card(pack, cards[place], KIND) > PICTURE:
            if not _wildcard_attempt(pack, state, cards, count):
                return WILDCARD_MISUSED, 0
            for at in range(count):
                laid[at] = cards[at]
            return NO_FAULT, count
    if state[OPEN] >= 0:
        banned = state[BANNED] and covers(pack, cards[0], state[ACTIVE])
        if count > 1 or banned or not changes(pack, state[OPEN], cards[0]):
            return WILDCARD_MISUSED, 0
    elif count > 1:
        return _calculation_attempt(pack, state, cards, operations, count, laid)
    elif not covers(pack, cards[0], state[ACTIVE]):
        return WRONG_RESULT, 0
    laid[0] = cards[0]
    return NO_FAULT, 1


@kernel()
def write_play(pack, state, cards, count, play):
    """Describe legal cards, laid in this order, as a play."""
    first = of_card(pack, cards[0], KIND)
    play[PLAY_SIZE] = count
    play[PLAY_BONUS] = 0
    play[PLAY_PAIR] = -1
    play[PLAY_NEXT] = 0
    play[PLAY_ACTIVE] = cards[count - 1]
    if first == REPLAY:
        play[PLAY_KIND] = LAY_REPLAY
    elif first > PICTURE:
        play[PLAY_KIND] = CHANGE
        if count == 1:
            play[PLAY_ACTIVE] = -1
    elif count == 1:
        play[PLAY_KIND] = MATCH
    else:
        play[PLAY_KIND] = CALCULATION
        play[PLAY_BONUS] = stroke_bonus(count)
        numbers = state[pack[AT_SCRATCH] + 7 * SCRATCH_WIDTH :]
        for place in range(count):
            numbers[place] = of_card(pack, cards[place], NUMBER_INDEX)
        target = of_card(pack, state[ACTIVE], NUMBER_INDEX)
        play[PLAY_PAIR] = _find_pair(pack, numbers, count, target, numbers[count - 1])
    for place in range(count):
        play[PLAY_CARDS + place] = cards[place]


@kernel()
def apply_attempt(pack, state, cards, operations, count, laid, play):
    """Apply an attempt, right or wrong (R6); the fault or 0, and how many cards of `laid` were laid.

    ``play (PLAY_WIDTH,)`` is scratch. After a fault the cards are laid or go back, the penalty is drawn, and the turn is
    over (R6.6, R6.7).
    """
    fault, number_laid = judge_attempt(pack, state, cards, operations, count, laid)
    if number_laid > 0:
        write_play(pack, state, laid, number_laid, play)
    if fault == NO_FAULT:
        _follow(pack, state, apply_play(pack, state, play))
        return fault, number_laid
    seat = state[SEAT]
    tally = pack[AT_TALLY] + seat * TALLY_SIZE
    state[tally + PENALTIES] += 1
    state[tally + FAULTS_MADE + fault - 1] += 1
    for place in range(number_laid):
        _lay_card(pack, state, seat, laid[place])
    if number_laid > 0:
        if play[PLAY_KIND] == CALCULATION:
            _count_calculation(pack, state, tally, play[PLAY_PAIR], number_laid)
        else:
            state[tally + MATCHES] += 1
        _cover(pack, state, play[PLAY_ACTIVE])
    for _ in range(pack[PENALTY_CARDS]):
        draw_card(pack, state, seat)
    end_turn(pack, state)
    return fault, number_laid


# --- rounds and games ------------------------------------------------------------------------------------------------


@kernel()
def _shuffle_and_deal(pack, state, stream):
    """Shuffle the whole deck, skip what the variant leaves out, deal and turn up; False if only wildcards are left."""
    pile_at = pack[AT_PILE]
    for at in range(pack[FULL_DECK]):
        other = random_below(stream, at + 1)
        card = pack[pack[AT_DECK] + at]
        state[pile_at + at] = state[pile_at + other]
        state[pile_at + other] = card
    cards = 0 if pack[IN_PLAY] < pack[FULL_DECK] else pack[FULL_DECK]
    if cards == 0:
        for at in range(pack[FULL_DECK]):
            card = state[pile_at + at]
            if card >= 0:
                state[pile_at + cards] = card
                cards += 1
    at = 0
    clear(state, pack[AT_HANDS], pack[AT_PILE])  # hands, words and groups
    for seat in range(pack[PLAYERS]):
        state[HELD + seat] = 0
        if state[IN_ROUND + seat]:
            for _ in range(pack[HAND_SIZE]):
                add_card(pack, state, seat, state[pile_at + at])
                at += 1
    turned = at
    while turned < cards and state[pile_at + turned] >= pack[FIRST_WILDCARD]:
        turned += 1
    if turned == cards:
        return False
    for wildcard in range(at, turned):  # wildcards turned up go under the pile (R2.1)
        state[pile_at + cards + wildcard - at] = state[pile_at + wildcard]
    state[ACTIVE] = state[pile_at + turned]
    state[PILE_AT] = turned + 1
    state[PILE_LEFT] = cards - at - 1
    return True


@kernel()
def start_round(pack, state):
    """Deal the round that ``public`` names to the seats dealt in, and begin its first turn (R2.1, R2.2)."""
    seed, game, number = state[pack[AT_KEY]], state[pack[AT_KEY] + 1], state[ROUND]
    stream = part(state, pack[AT_RECYCLING], STREAM_SIZE)
    start_stream(stream, seed, game, number, PURPOSE_DEAL)
    clear(state, pack[AT_TALLY], pack[AT_TALLY] + pack[PLAYERS] * TALLY_SIZE)
    state[REDEALS] = 0
    while not _shuffle_and_deal(pack, state, stream):
        state[REDEALS] += 1
    start_stream(stream, seed, game, number, PURPOSE_RECYCLE)
    for seat in range(pack[PLAYERS]):
        own = part(state, pack[AT_STREAMS] + seat * STREAM_SIZE, STREAM_SIZE)
        start_stream(own, seed, game, number, PURPOSE_SEAT + seat)
        own = part(state, pupil_stream(pack, seat), STREAM_SIZE)
        start_stream(own, seed, game, number, PURPOSE_PUPIL + seat)
        state[PLACES + seat] = 0
    clear(state, DISCARDED, DISCARDED + pack[TYPES])
    state[pack[AT_DISCARDS]] = state[ACTIVE]
    state[DISCARDED + state[ACTIVE]] = 1
    state[DISCARDS] = 1
    state[ACTIVE_AT] = 0
    state[OPEN] = -1
    state[OPEN_AT] = -1
    state[TURNS] = 0
    state[ENDED] = ENDED_NOT
    state[FINISHED_SEATS] = 0
    state[RECYCLES_DONE] = 0
    state[PASSES] = 0
    _begin_turn(pack, state, state[STARTER])


@kernel()
def _place_unfinished(pack, state):
    """Give places to those still holding cards: fewest cards, then seat order from the starter (R2.6)."""
    players = pack[PLAYERS]
    for place in range(state[FINISHED_SEATS] + 1, state[DEALT_IN] + 1):
        best = -1
        for distance in range(players):
            seat = (state[STARTER] + distance) % players
            if state[IN_ROUND + seat] and state[PLACES + seat] == 0:
                if best < 0 or state[HELD + seat] < state[HELD + best]:
                    best = seat
        state[PLACES + best] = place


@kernel()
def score_round(pack, state):
    """Places, points and bonus of the round that has ended, into ``tally`` and ``public`` (R8.1 to R8.3)."""
    finished = state[FINISHED_SEATS]
    _place_unfinished(pack, state)
    everyone_scores = state[DEALT_IN] <= RANKED_PLAYERS
    for seat in range(pack[PLAYERS]):
        if not state[IN_ROUND + seat]:
            continue
        tally = pack[AT_TALLY] + seat * TALLY_SIZE
        place = state[PLACES + seat]
        state[tally + PLACE] = place
        state[tally + CARDS_LEFT] = state[HELD + seat]
        state[tally + FINISHED] = place <= finished
        if not everyone_scores and place > finished and not pack[UNFINISHED_BONUS]:
            state[tally + BONUS] = 0
        state[tally + POINTS] = state[tally + BONUS]
        if everyone_scores or place <= finished:
            state[tally + POINTS] += pack[PLACE_POINTS + place - 1]
        state[LAST_POINTS + seat] = state[tally + POINTS]
        state[LAST_PLACES + seat] = place


@kernel()
def _starter_of_next(pack, state):
    """Of the seats dealt in the one with most points in its last round, then the better place (R8.4, R9.2)."""
    best = -1
    for seat in range(pack[PLAYERS]):
        if not state[IN_ROUND + seat]:
            continue
        ahead = 1 if best < 0 else state[LAST_POINTS + seat] - state[LAST_POINTS + best]
        if ahead > 0 or (ahead == 0 and state[LAST_PLACES + seat] < state[LAST_PLACES + best]):
            best = seat
    return best


@kernel()
def _party_points(pack, state, party):
    """Points of a seat or team in the round just scored (R9.3)."""
    points = 0
    for seat in range(pack[PLAYERS]):
        if state[PARTY + seat] == party and state[IN_ROUND + seat]:
            points += state[pack[AT_TALLY] + seat * TALLY_SIZE + POINTS]
    return points


@kernel()
def _rank_by_totals(pack, state):
    """The game's places by totals; equal totals share a place (R9.1)."""
    for party in range(pack[PARTIES]):
        place = 1
        for other in range(pack[PARTIES]):
            place += state[TOTALS + other] > state[TOTALS + party]
        state[GAME_PLACES + party] = place


@kernel()
def _order_tied(pack, state):
    """Order the parties that were dealt in by the extra round's points; they shared one place (R9.2)."""
    parties = pack[PARTIES]
    for party in range(parties):
        state[EXTRA_ROUNDS + party] += _plays_in_round(pack, state, party)
    shared = 0
    for party in range(parties):
        if _plays_in_round(pack, state, party):
            shared = state[GAME_PLACES + party]
    for party in range(parties):
        if not _plays_in_round(pack, state, party):
            continue
        better = 0
        for other in range(parties):
            if _plays_in_round(pack, state, other):
                better += _party_points(pack, state, other) > _party_points(pack, state, party)
        state[GAME_PLACES + party] = shared + better


@kernel()
def _plays_in_round(pack, state, party):
    """Whether a party's seats were dealt in."""
    for seat in range(pack[PLAYERS]):
        if state[PARTY + seat] == party:
            return state[IN_ROUND + seat]
    return 0


@kernel()
def _contested_place(pack, state):
    """The best place that is shared and still to be played off; 0 if there is none (R9.2)."""
    parties = pack[PARTIES]
    if pack[PLAY_OFF] == PLAY_OFF_NONE:
        return 0
    last = 1 if pack[PLAY_OFF] == PLAY_OFF_WIN else parties
    for place in range(1, last + 1):
        sharing = 0
        played = 0
        for party in range(parties):
            if state[GAME_PLACES + party] == place:
                sharing += 1
                if state[EXTRA_ROUNDS + party] > played:
                    played = state[EXTRA_ROUNDS + party]
        if sharing > 1 and played < MOST_EXTRA_ROUNDS:
            return place
    return 0


@kernel()
def _winners(pack, state):
    """How many parties share the first place."""
    sharing = 0
    for party in range(pack[PARTIES]):
        sharing += state[GAME_PLACES + party] == 1
    return sharing


@kernel()
def next_round(pack, state):
    """After `score_round`: add up, then deal the next round or an extra one, or end the game (R8.4, R9.1, R9.2)."""
    players = pack[PLAYERS]
    state[ROUND] += 1
    if state[EXTRA_ROUND]:
        _order_tied(pack, state)
    else:
        for party in range(pack[PARTIES]):
            state[TOTALS + party] += _party_points(pack, state, party)
        _rank_by_totals(pack, state)
        if state[ROUND] < pack[ROUNDS]:
            state[STARTER] = _starter_of_next(pack, state)
            start_round(pack, state)
            return
    place = _contested_place(pack, state)
    if place == 0:
        state[TIED] = _winners(pack, state) > 1
        state[GAME_OVER] = 1
        return
    state[EXTRA_ROUND] = 1
    state[DEALT_IN] = 0
    for seat in range(players):
        state[IN_ROUND + seat] = state[GAME_PLACES + state[PARTY + seat]] == place
        state[DEALT_IN] += state[IN_ROUND + seat]
    state[STARTER] = _starter_of_next(pack, state)
    start_round(pack, state)


@kernel()
def start_game(pack, state, seed, game):
    """Deal the first round of game `game` of seed `seed`."""
    clear(state, 0, DISCARDED)  # `start_round` sets the rest
    state[pack[AT_KEY]] = seed
    state[pack[AT_KEY] + 1] = game
    for seat in range(pack[PLAYERS]):
        state[IN_ROUND + seat] = 1
        state[PARTY + seat] = pack[TEAM_OF + seat]
    state[DEALT_IN] = pack[PLAYERS]
    start_round(pack, state)


@kernel()
def look(pack, state):
    """Refresh the hands that the seat to move may see of its teammates (R9.3)."""
    if not pack[SEE_HANDS]:
        return
    seat = state[SEAT]
    for other in range(pack[PLAYERS]):
        shown = other != seat and state[PARTY + other] == state[PARTY + seat]
        for card in range(pack[TYPES]):
            place = other * pack[TYPES] + card
            state[pack[AT_TEAM_HANDS] + place] = state[pack[AT_HANDS] + place] if shown else -1
