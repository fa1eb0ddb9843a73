"""Legal plays for people: the kernel's list as `Play` records with expressions to read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS
from nambarz_sim.cards import Card, Deck
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import (
    ACTIVE,
    AT_OPERATIONS,
    AT_SCRATCH,
    BANNED,
    CARD_SIZE,
    CARDS,
    DRAWN,
    NUMBER_INDEX,
    OPEN,
    PHASE,
    PHASE_DRAWN,
    PHASE_FRESH,
    PHASE_PLAYED,
    PLAY_BONUS,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_KINDS,
    PLAY_PAIR,
    PLAY_SIZE,
    SCRATCH_WIDTH,
    TRIED_ROW,
    Ints,
    new_plays,
    new_state,
    pack,
)
from nambarz_sim.rules import Rules


@dataclass(frozen=True, slots=True)
class Play:
    """One legal play.

    Attributes
    ----------
    kind
        ``"match"`` (one card, on an open wildcard too), ``"calculation"``, ``"change"`` (a change wildcard, alone or
        with the card that follows it) or ``"replay"``.
    cards
        The cards in the order laid; the last one becomes active, unless it is a wildcard (R3.7).
    expression
        The play as a pupil writes it, such as ``(10 - 4) ÷ 2``.
    bonus
        Points for a master stroke, 0 without one (R8.3).
    """

    kind: str
    cards: tuple[Card, ...]
    expression: str
    bonus: int = 0

    def __str__(self) -> str:
        return self.expression


def find_plays(
    hand: str | list[Card] | list[str],
    active: str | Card,
    rules: Rules | None = None,
    drawn: str | Card | None = None,
    played: bool = False,
    limit: int | None = None,
) -> list[Play]:
    """Every distinct legal play of a hand, the ones with most cards first.

    Two calculations are distinct if they use different cards, animals included, or lay another card last (R3.7).

    Parameters
    ----------
    hand
        The cards, such as ``"10 4 2 7fish change-any"``; with `drawn`, the drawn card is one of them.
    active
        The active card, such as ``"3bee"``, or a change wildcard that lies open, such as ``"change-number"`` (R4.3).
    rules
        The rules in force; `Rules()` without.
    drawn
        The card drawn in this turn: only plays that use it (R2.4).
    played
        Whether a play was made in this turn already: then only a replay may follow (R5.1).
    limit
        The most plays to return.

    Raises
    ------
    ValueError
        If a card is not in the deck, the hand has more copies than the deck, `active` is no card to play on, `drawn` is
        not in the hand, or `limit` is below 1.

    Examples
    --------
    >>> [str(play) for play in find_plays("10 4 2 7fish 4hen", active="3bee")]
    ['(10 - 4) ÷ 2', '(10 + 2) ÷ 4', '7fish - 4hen']
    """
    rules = rules or Rules()
    if limit is not None and limit < 1:
        raise ValueError(f"limit: {limit} is not allowed; give 1 or more, or none for all plays")
    packed, state = lay_table(rules, hand, active, drawn, played)
    return list_plays(packed, state, new_plays(packed), rules.the_deck)[:limit]


def lay_table(
    rules: Rules, hand: str | list[Card] | list[str], active: str | Card, drawn: str | Card | None, played: bool
) -> tuple[Ints, Ints]:
    """The packed rules and a state in which seat 0 is to move with this hand; arguments and errors as `find_plays` has."""
    deck = rules.the_deck
    cards = deck.hand(hand)
    packed = pack(rules)
    state = new_state(packed)
    put_hand(packed, state, deck, cards, rules)
    put_active(state, deck, active)
    if drawn is not None:
        card = deck.card(drawn)
        if card not in cards:
            raise ValueError(f"drawn: {card} is not in the hand; the hand must hold the drawn card, too")
        state[DRAWN] = deck.type_of(card)
    state[PHASE] = PHASE_PLAYED if played else PHASE_FRESH if drawn is None else PHASE_DRAWN
    return packed, state


def put_hand(packed: Ints, state: Ints, deck: Deck, cards: Iterable[Card], rules: Rules) -> None:
    """Give the seat to move a hand.

    Raises
    ------
    ValueError
        If the hand has more copies of a card than the deck in play.
    """
    counts = np.zeros(len(deck.cards), dtype=np.int64)
    for card in cards:
        counts[deck.type_of(card)] += 1
    for place, count in enumerate(counts):
        if count > rules.copies[place]:
            raise ValueError(
                f"hand: {count} x {deck.cards[place]}, but the deck has {rules.copies[place]}; take some out, or change "
                f"the rules (wildcards, decks)"
            )
        for _ in range(int(count)):
            engine.add_card(packed, state, 0, place)


def put_active(state: Ints, deck: Deck, active: str | Card) -> None:
    """Lay the active card, or an open change wildcard (R4.3).

    Raises
    ------
    ValueError
        If the card cannot be played on.
    """
    card = deck.card(active)
    if card.kind == "replay":
        known = "a number card, a picture card or an open change wildcard"
        raise ValueError(f"active: a replay wildcard never becomes the active card (R5.4); give {known}")
    state[OPEN] = -1
    state[BANNED] = 0
    state[DRAWN] = -1
    if card.is_wildcard:
        state[OPEN] = deck.type_of(card)
    else:
        state[ACTIVE] = deck.type_of(card)


def list_plays(packed: Ints, state: Ints, plays: Ints, deck: Deck) -> list[Play]:
    """The legal plays of the seat to move as records, most cards first; `plays` is scratch."""
    return [play for _, play in list_rows(packed, state, plays, deck)]


def list_rows(packed: Ints, state: Ints, plays: Ints, deck: Deck) -> list[tuple[int, Play]]:
    """The legal plays of the seat to move with their rows in `plays`, most cards first."""
    return rows_of(packed, plays, int(engine.legal_plays(packed, state, plays)), deck)


def rows_of(packed: Ints, plays: Ints, count: int, deck: Deck) -> list[tuple[int, Play]]:
    """The first rows of `plays` as records, most cards first."""
    order = np.argsort(-plays[:count, PLAY_SIZE], kind="stable").tolist()
    rows = plays[:count].tolist()
    texts = [str(card) for card in deck.cards]
    return [(row, _describe(packed, rows[row], deck, texts)) for row in order]


def describe(packed: Ints, play: Ints, deck: Deck) -> Play:
    """A row of the kernel's list as a record."""
    return _describe(packed, play.tolist(), deck, [str(card) for card in deck.cards])


def _describe(packed: Ints, play: list[int], deck: Deck, texts: list[str]) -> Play:
    size, pair = play[PLAY_SIZE], play[PLAY_PAIR]
    types = play[PLAY_CARDS : PLAY_CARDS + size]
    words = [texts[place] for place in types]
    if pair >= 0:
        start = int(packed[AT_OPERATIONS]) + pair * LARGEST
        signs = [OPERATIONS[code - 1] for code in packed[start : start + size - 1].tolist()]
        expression = write_chain(words, signs)
    else:
        expression = " ".join(words)
    return Play(PLAY_KINDS[play[PLAY_KIND]], tuple(deck.cards[place] for place in types), expression, play[PLAY_BONUS])


def describe_attempt(packed: Ints, state: Ints, play: Ints, deck: Deck, operations: Ints, active: Card) -> Play:
    """A right attempt as a record: a calculation in the order laid, with operations that work (0: any)."""
    shown = describe(packed, play, deck)
    if shown.kind != "calculation":
        return shown
    index = {card: int(packed[CARDS + place * CARD_SIZE + NUMBER_INDEX]) for place, card in enumerate(deck.cards)}
    numbers = np.array([index[card] for card in shown.cards])
    engine.chain_makes(packed, state, numbers, operations, len(numbers), index[active])
    start = int(packed[AT_SCRATCH]) + TRIED_ROW * SCRATCH_WIDTH + 1
    signs = [OPERATIONS[code - 1] for code in state[start : start + len(numbers) - 1].tolist()]
    return replace(shown, expression=write_chain([str(card) for card in shown.cards], signs))


def write_chain(words: list[str], operations: Iterable[str]) -> str:
    """A calculation worked left to right as school writes it, with the brackets it needs.

    Examples
    --------
    >>> write_chain(["10", "4", "2"], "-/")
    '(10 - 4) ÷ 2'
    """
    text, weak = words[0], False
    for word, operation in zip(words[1:], operations, strict=True):
        if operation in "*/" and weak:
            text = f"({text})"
        text = f"{text} {SIGNS[operation]} {word}"
        weak = operation in "+-"
    return text
