"""Array layout of the rules in force and of a game in play: named slots, named codes, and `pack`.

Nothing is computed at play time that the rules alone decide: `pack` turns a `Rules` into one array that the
kernels read. A hand is held three ways at once: copies of each card type; for number cards and for picture cards one
or more 64-bit words with a field for each number, wide enough for all copies and one guard bit; and how many cards it
has of each number group, for the index of calculations.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nambarz_sim import _rng
from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS, STEPS
from nambarz_sim.cards import KINDS, Deck
from nambarz_sim.engine.calculations import list_calculations
from nambarz_sim.rules import MOST_PLAYERS, PLAY_OFFS, POINTS_BY_PLACE, RECYCLES, Rules

Ints = NDArray[np.int64]

# kinds of card, as in `nambarz_sim.cards.KINDS`
NUMBER, PICTURE, CHANGE_NUMBER, CHANGE_PICTURE, CHANGE_ANY, REPLAY = range(6)

# columns of a card type in the pack
KIND, NUMBER_VALUE, NUMBER_INDEX, ANIMAL, COPIES, WORD, SHIFT, GROUP = range(8)
CARD_SIZE = 8

# slots of a packed Rules; AT_… is where a table starts, in the pack or in the state
(PLAYERS, ROUNDS, HAND_SIZE, LARGEST_CALCULATION, PENALTY_CARDS, TURN_LIMIT, RECYCLE, UNFINISHED_BONUS, PLAY_OFF,
 SEE_HANDS, PARTIES, TYPES, FIRST_WILDCARD, NUMBERS, WORDS, GROUPS, STEPS_CODE, CAPACITY, FULL_DECK, IN_PLAY,
 MATCHES_WIDTH, CARRIERS_WIDTH,
 AT_DECK, AT_COVERS, AT_MATCHES, AT_CARRIERS, AT_GUARD, AT_NEED, AT_SIZE, AT_NUMBERS, AT_FIRST_PAIR, AT_TARGET_SETS,
 AT_ORDER, AT_PAIR_NUMBERS, AT_OPERATIONS, AT_OPERATION_COUNTS, AT_INDEX_START, AT_INDEX,
 AT_HANDS, AT_WORDS, AT_GROUPS, AT_PILE, AT_DISCARDS, AT_TALLY, AT_TEAM_HANDS, AT_KEY, AT_RECYCLING, AT_STREAMS,
 AT_SCRATCH, STATE_SIZE) = range(50)  # fmt: skip
ALLOWED = 50  # one slot an operation code
PLACE_POINTS = ALLOWED + 5
TEAM_OF = PLACE_POINTS + MOST_PLAYERS
CARDS = TEAM_OF + MOST_PLAYERS  # one row of CARD_SIZE a card type
SCRATCH_WIDTH = LARGEST + 4
_SCRATCH_ROWS, TRIED_ROW = 9, 2
RECYCLE_SHUFFLE = RECYCLES.index("shuffle")
PLAY_OFF_WIN, PLAY_OFF_NONE = PLAY_OFFS.index("win"), PLAY_OFFS.index("none")
STEPS_WHOLE, STEPS_INTEGER, STEPS_RATIONAL = range(len(STEPS))

# operations; in an attempt 0 stands for "any that works", and the last for a calculation that has no order to lay it in
ANY_OPERATION, PLUS, MINUS, TIMES, DIVIDED, NO_OPERATION = range(6)

# first slots of a state, known to everyone at the table
(SEAT, PHASE, ACTIVE, OPEN, BANNED, DRAWN, PILE_LEFT, ROUND, STARTER, TURNS, DEALT_IN, EXTRA_ROUND, ENDED,
 FINISHED_SEATS, GAME_OVER, TIED, REDEALS, RECYCLES_DONE, DISCARDS, ACTIVE_AT, OPEN_AT, TURN_START, PILE_AT, DREW,
 PASSES) = range(25)  # fmt: skip
# then one slot a seat: cards held, whether dealt in, place (0: still playing), party, rounds' total of its party, bonus
HELD = 25
IN_ROUND = HELD + MOST_PLAYERS
PLACES = IN_ROUND + MOST_PLAYERS
PARTY = PLACES + MOST_PLAYERS
TOTALS = PARTY + MOST_PLAYERS
# for the game: each party's place, its extra rounds, and each seat's points and place in its last round
GAME_PLACES = TOTALS + MOST_PLAYERS
EXTRA_ROUNDS = GAME_PLACES + MOST_PLAYERS
LAST_POINTS = EXTRA_ROUNDS + MOST_PLAYERS
LAST_PLACES = LAST_POINTS + MOST_PLAYERS
# then one slot a card type: how many lie face up among the discards
DISCARDED = LAST_PLACES + MOST_PLAYERS

# state[PHASE]
PHASE_FRESH, PHASE_DRAWN, PHASE_PLAYED = range(3)
# state[ENDED]
ENDED_NOT, ENDED_FINISHED, ENDED_TEAM, ENDED_STALLED, ENDED_CUT = range(5)
ENDINGS = ("", "finished", "team", "stalled", "cut")

# a seat's counts in a round; columns of the `players` table
PLACE, POINTS, BONUS, TALLY_TURNS, CARDS_LAID, CARDS_DRAWN, DRAWS, MATCHES, CALCULATIONS = range(9)
CALCULATIONS_BY_SIZE = 9  # of 2, 3, … LARGEST cards
OPERATIONS_USED = CALCULATIONS_BY_SIZE + LARGEST - 1  # + - * /
WILDCARDS_LAID = OPERATIONS_USED + len(OPERATIONS)  # change-number, change-picture, change-any, replay
STROKES_BY_SIZE = WILDCARDS_LAID + 4  # of 4, 5, … LARGEST cards
PENALTIES = STROKES_BY_SIZE + LARGEST - 3
FAULTS_MADE = PENALTIES + 1  # by kind of fault, in the order of FAULTS
CARDS_LEFT, FINISHED, TALLY_SIZE = range(FAULTS_MADE + 5, FAULTS_MADE + 8)
SMALLEST_STROKE = 4

# columns of a play
PLAY_KIND, PLAY_SIZE, PLAY_BONUS, PLAY_PAIR, PLAY_ACTIVE, PLAY_NEXT, PLAY_CARDS = range(7)
PLAY_WIDTH = PLAY_CARDS + LARGEST
# plays[…, PLAY_KIND]
MATCH, CALCULATION, CHANGE, LAY_REPLAY = range(4)
PLAY_KINDS = ("match", "calculation", "change", "replay")

# faults (R6); 0: none
NO_FAULT, NOT_FEWEST, MATCHING_USED, TYPES_MIXED, WRONG_RESULT, WILDCARD_MISUSED = range(6)
FAULTS = ("", "R6.1", "R6.2", "R6.3", "R6.4", "R6.5")

SCRATCH_ROWS_OF_PLAYS = 2
MOST_PLAYS = 100_000  # listed for one hand at the most, from matches and the largest calculations down


class Seen(NamedTuple):
    """What a strategy may see, and nothing else.

    The packed ``rules``, the ``public (DISCARDED + types,)`` slots, its own ``hand (types,)`` and the ``team_hands (players
    * types,)`` with -1 where a hand is hidden. `nambarz_sim.engine.kernel.of_card` tells about a card type.
    """

    rules: Ints
    public: Ints
    hand: Ints
    team_hands: Ints


class View(NamedTuple):
    """Named views of a state's parts, for Python code; they share the state's memory.

    ``public (DISCARDED + types,)``; ``hands (players, types)`` copies held; ``words (players, 2, words)`` and ``groups
    (players, 2, groups + 1)`` the same packed, for number and for picture cards; ``pile`` and ``discards`` card types in
    order; ``tally (players, TALLY_SIZE)`` the round's counts; ``team_hands (players, types)``; ``key (2,)`` seed, game.
    """

    public: Ints
    hands: Ints
    words: Ints
    groups: Ints
    pile: Ints
    discards: Ints
    tally: Ints
    team_hands: Ints
    key: Ints


def new_state(pack: Ints) -> Ints:
    """An empty game for packed rules; `nambarz_sim.engine.kernel.start_game` deals it."""
    state = np.zeros(int(pack[STATE_SIZE]), dtype=np.int64)
    state[int(pack[AT_TEAM_HANDS]) : int(pack[AT_KEY])] = -1  # hidden; `nambarz_sim.engine.kernel.look` shows them
    return state


def new_plays(pack: Ints) -> Ints:
    """Scratch for the plays of one decision, shape ``(capacity, PLAY_WIDTH)``."""
    return np.zeros((int(pack[CAPACITY]), PLAY_WIDTH), dtype=np.int64)


def view(pack: Ints, state: Ints) -> View:
    """The parts of a state by name."""
    players, types = int(pack[PLAYERS]), int(pack[TYPES])

    def part(start: int, end: int, *shape: int) -> Ints:
        return state[int(pack[start]) : int(pack[end])].reshape(*shape)

    return View(
        public=state[: DISCARDED + types],
        hands=part(AT_HANDS, AT_WORDS, players, types),
        words=part(AT_WORDS, AT_GROUPS, players, 2, -1),
        groups=part(AT_GROUPS, AT_PILE, players, 2, -1),
        pile=part(AT_PILE, AT_DISCARDS, -1),
        discards=part(AT_DISCARDS, AT_TALLY, -1),
        tally=part(AT_TALLY, AT_TEAM_HANDS, players, TALLY_SIZE),
        team_hands=part(AT_TEAM_HANDS, AT_KEY, players, types),
        key=part(AT_KEY, AT_RECYCLING, -1),
    )


@lru_cache(maxsize=32)
def pack(rules: Rules) -> Ints:
    """The rules as one array of whole numbers, worked out once for equal rules: slots first, then tables.

    For each set of a calculation: its need (a packed hand), size, numbers in rising order and pairs. For each pair of a
    set and a number that may come last: the order (as places in rising order, and as number indices) and the operations.
    For each target and each combination of number groups: the sets that such a hand may hold.

    Raises
    ------
    ValueError
        If the deck's numbers allow too many calculations to list; the message says how to bound them.
    """
    deck = rules.the_deck
    numbers = list(deck.numbers)
    held = most_held(deck, rules.decks)
    calculations = list_calculations(
        tuple(held.items()), _picture_types(deck), rules.operations, rules.steps, rules.largest_calculation
    )
    width = max(held.values()).bit_length() + 1
    fields_per_word = 62 // width
    words = -(-len(numbers) // fields_per_word)
    cards = _cards(rules, numbers, width, fields_per_word, calculations.groups)
    covering, carriers = _covers(cards), _carriers(cards, len(numbers))
    matches = _lists([np.flatnonzero(row).tolist() for row in covering])
    full = _full_deck(rules)
    guard = np.zeros(words, dtype=np.int64)
    for number in range(len(numbers)):
        guard[number // fields_per_word] |= 1 << (number % fields_per_word * width + width - 1)
    fields = [1 << (number % fields_per_word * width) for number in range(len(numbers))]
    tables = {
        AT_DECK: full, AT_COVERS: covering, AT_MATCHES: matches, AT_CARRIERS: carriers, AT_GUARD: guard,
        AT_NEED: _needs(calculations.copies, fields, fields_per_word, words), AT_SIZE: calculations.size,
        AT_NUMBERS: calculations.numbers, AT_FIRST_PAIR: calculations.first_pair,
        AT_TARGET_SETS: calculations.target_sets, AT_ORDER: calculations.order,
        AT_PAIR_NUMBERS: calculations.pair_numbers, AT_OPERATIONS: calculations.operations,
        AT_OPERATION_COUNTS: calculations.operation_counts, AT_INDEX_START: calculations.index_start,
        AT_INDEX: calculations.index_sets,
    }  # fmt: skip
    slots = np.zeros(CARDS, dtype=np.int64)
    slots[: CARRIERS_WIDTH + 1] = [
        rules.players, rules.rounds, rules.hand_size, rules.largest_calculation, rules.penalty_cards,
        rules.turn_limit, RECYCLES.index(rules.recycle), rules.unfinished_bonus, PLAY_OFFS.index(rules.play_off),
        rules.teammates_see_hands, max(rules.teams) + 1, len(deck.cards), len(deck.cards) - 4, len(numbers), words,
        calculations.groups, STEPS.index(rules.steps), _capacity(len(deck.cards), calculations.most), len(full),
        sum(rules.copies), matches.shape[1], carriers.shape[2],
    ]  # fmt: skip
    slots[ALLOWED + 1 : PLACE_POINTS] = [sign in rules.operations for sign in OPERATIONS]
    slots[PLACE_POINTS : PLACE_POINTS + len(POINTS_BY_PLACE)] = POINTS_BY_PLACE
    slots[TEAM_OF : TEAM_OF + rules.players] = rules.teams
    _lay_out_state(slots)
    start = CARDS + cards.size
    for slot, table_array in tables.items():
        slots[slot] = start
        start += table_array.size
    packed = np.concatenate([slots, cards.ravel(), *(array.ravel() for array in tables.values())])
    packed.flags.writeable = False
    return packed


def _lay_out_state(slots: Ints) -> None:
    """Say where each part of a state starts; `AT_WORDS` to `AT_PILE` are cleared together at a deal."""
    players, types, cards = int(slots[PLAYERS]), int(slots[TYPES]), int(slots[FULL_DECK])
    sizes = {
        AT_HANDS: players * types, AT_WORDS: 2 * players * int(slots[WORDS]),
        AT_GROUPS: 2 * players * (int(slots[GROUPS]) + 1), AT_PILE: 2 * cards, AT_DISCARDS: 2 * cards,
        AT_TALLY: players * TALLY_SIZE, AT_TEAM_HANDS: players * types, AT_KEY: 2, AT_RECYCLING: _rng.STREAM_SIZE,
        AT_STREAMS: 2 * players * _rng.STREAM_SIZE, AT_SCRATCH: _SCRATCH_ROWS * SCRATCH_WIDTH,
    }  # fmt: skip
    start = DISCARDED + types
    for slot, size in sizes.items():
        slots[slot] = start
        start += size
    slots[STATE_SIZE] = start


def most_held(deck: Deck, decks: int) -> dict[int, int]:
    """For each number the most cards of one type, number or picture, that the decks hold."""
    held: dict[int, int] = {}
    for number in deck.numbers:
        kinds = dict.fromkeys(KINDS[:2], 0)
        for card, copies in zip(deck.cards, deck.copies, strict=True):
            if card.number == number:
                kinds[card.kind] += copies * decks
        held[number] = max(kinds.values())
    return held


def _cards(rules: Rules, numbers: list[int], width: int, fields_per_word: int, groups: int) -> Ints:
    deck = rules.the_deck
    cards = np.full((len(deck.cards), CARD_SIZE), -1, dtype=np.int64)
    for place, card in enumerate(deck.cards):
        cards[place, KIND] = KINDS.index(card.kind)
        cards[place, COPIES] = rules.copies[place]
        if card.number is not None:
            index = numbers.index(card.number)
            cards[place, NUMBER_VALUE] = card.number
            cards[place, NUMBER_INDEX] = index
            cards[place, WORD] = index // fields_per_word
            cards[place, SHIFT] = index % fields_per_word * width
            cards[place, GROUP] = index % groups
        if card.animal is not None:
            cards[place, ANIMAL] = deck.animals.index(card.animal)
    return cards


def _lists(rows: list[list[int]]) -> Ints:
    """Lists of different lengths as rows: first the length, then the entries."""
    array = np.zeros((len(rows), 1 + max((len(row) for row in rows), default=0)), dtype=np.int64)
    for place, row in enumerate(rows):
        array[place, 0] = len(row)
        array[place, 1 : 1 + len(row)] = row
    return array


def _covers(cards: Ints) -> Ints:
    """1 where a card covers an active one: same number, or on a picture card same animal; ``(active, card)`` (R3.1)."""
    ordinary, pictures = cards[:, KIND] <= PICTURE, cards[:, KIND] == PICTURE
    same_number = np.equal.outer(cards[:, NUMBER_INDEX], cards[:, NUMBER_INDEX])
    same_animal = np.equal.outer(cards[:, ANIMAL], cards[:, ANIMAL]) & np.logical_and.outer(pictures, pictures)
    covers: Ints = (np.logical_and.outer(ordinary, ordinary) & (same_number | same_animal)).astype(np.int64)
    return covers


def _carriers(cards: Ints, numbers: int) -> Ints:
    rows = [
        [place for place in range(len(cards)) if cards[place, KIND] == kind and cards[place, NUMBER_INDEX] == index]
        for kind in (NUMBER, PICTURE)
        for index in range(numbers)
    ]
    return _lists(rows).reshape(2, numbers, -1)


def _full_deck(rules: Rules) -> Ints:
    """Every card of the deck file, `decks` times, -1 if left out; then those that a variant has above the file.

    The whole deck is shuffled whatever the variant, and the cards that it leaves out are skipped: variants compared
    under one seed share their deals.
    """
    types: list[int] = []
    for place, (copies, in_file) in enumerate(zip(rules.copies, rules.the_deck.copies, strict=True)):
        types.extend(place if copy < copies else -1 for copy in range(in_file * rules.decks))
    for place, (copies, in_file) in enumerate(zip(rules.copies, rules.the_deck.copies, strict=True)):
        types.extend([place] * (copies - in_file * rules.decks))
    return np.array(types, dtype=np.int64)


def _picture_types(deck: Deck) -> tuple[int, ...]:
    """For each number how many types of picture card carry it."""
    pictures = [card.number for card in deck.cards if card.kind == KINDS[PICTURE]]
    return tuple(pictures.count(number) for number in deck.numbers)


def _needs(copies: Ints, fields: list[int], fields_per_word: int, words: int) -> Ints:
    """Each set as a packed hand, from its copies of each number."""
    need = np.zeros((len(copies), words), dtype=np.int64)
    for number, field in enumerate(fields):
        need[:, number // fields_per_word] += copies[:, number] * field
    return need


def _capacity(types: int, most: int) -> int:
    """Room for the plays of any hand: all calculations of the target with most, and everything else."""
    return min(MOST_PLAYS, 5 * types + most) + 2 * types
