"""What a seat may see, for strategies and people: never a hidden card."""

from __future__ import annotations

from dataclasses import dataclass

from nambarz_sim.cards import Card, Deck
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import (
    ACTIVE,
    BANNED,
    DISCARDED,
    DRAWN,
    EXTRA_ROUND,
    HELD,
    IN_ROUND,
    OPEN,
    PARTY,
    PHASE,
    PHASE_DRAWN,
    PHASE_PLAYED,
    PILE_LEFT,
    PLACES,
    PLAYERS,
    ROUND,
    SEAT,
    STARTER,
    TOTALS,
    TURNS,
    Ints,
    view,
)


@dataclass(frozen=True, slots=True)
class Observation:
    """The table as the seat to move sees it.

    Attributes
    ----------
    seat
        The seat to move, counted from 0.
    hand
        Its cards.
    active
        The active card; under an open wildcard the covered card, which no longer counts (R4.3).
    open_wildcard
        The change wildcard that lies open, or None.
    match_banned
        Whether the open wildcard was laid in this turn, so that a card matching the covered one may not follow (R4.3).
    drawn
        The card drawn in this turn that a play must use, or None (R2.4).
    played
        Whether a play was made and only a replay may follow (R5.1).
    card_counts, places, teams, scores
        One entry a seat: cards held; place in this round, 0 while playing; team; the team's points of the rounds before.
    in_round
        Whether each seat was dealt in; in an extra round only the tied are (R9.2).
    discards
        The cards that lie face up: how many of each.
    pile_size, round, turns, starter, extra_round
        Cards in the draw pile, rounds played before, turns begun in this round, who started it, and whether it is an
        extra round.
    team_hands
        The hands of teammates by seat, where the rules show them (`Rules.teammates_see_hands`); else empty.
    """

    seat: int
    hand: tuple[Card, ...]
    active: Card
    open_wildcard: Card | None
    match_banned: bool
    drawn: Card | None
    played: bool
    card_counts: tuple[int, ...]
    places: tuple[int, ...]
    teams: tuple[int, ...]
    scores: tuple[int, ...]
    in_round: tuple[bool, ...]
    discards: dict[Card, int]
    pile_size: int
    round: int
    turns: int
    starter: int
    extra_round: bool
    team_hands: dict[int, tuple[Card, ...]]


def observe(packed: Ints, state: Ints, deck: Deck) -> Observation:
    """The observation of the seat to move."""
    engine.look(packed, state)
    players, seat = int(packed[PLAYERS]), int(state[SEAT])
    parts = view(packed, state)
    drawn = int(state[DRAWN])

    def by_seat(slot: int) -> tuple[int, ...]:
        return tuple(state[slot : slot + players].tolist())

    teams = by_seat(PARTY)
    lying = state[DISCARDED : DISCARDED + len(deck.cards)].tolist()
    return Observation(
        seat=seat,
        hand=hand_of(packed, state, deck, seat),
        active=deck.cards[state[ACTIVE]],
        open_wildcard=deck.cards[state[OPEN]] if state[OPEN] >= 0 else None,
        match_banned=bool(state[OPEN] >= 0 and state[BANNED]),
        drawn=deck.cards[drawn] if state[PHASE] == PHASE_DRAWN else None,
        played=bool(state[PHASE] == PHASE_PLAYED),
        card_counts=by_seat(HELD),
        places=by_seat(PLACES),
        teams=teams,
        scores=tuple(int(state[TOTALS + team]) for team in teams),
        in_round=tuple(bool(dealt) for dealt in by_seat(IN_ROUND)),
        discards={card: count for card, count in zip(deck.cards, lying, strict=True) if count},
        pile_size=int(state[PILE_LEFT]),
        round=int(state[ROUND]),
        turns=int(state[TURNS]),
        starter=int(state[STARTER]),
        extra_round=bool(state[EXTRA_ROUND]),
        team_hands={
            other: cards_of(deck, parts.team_hands[other].tolist())
            for other in range(players)
            if parts.team_hands[other].min() >= 0
        },
    )


def cards_of(deck: Deck, counts: list[int]) -> tuple[Card, ...]:
    """The cards of a hand given as copies of each card type."""
    return tuple(card for card, count in zip(deck.cards, counts, strict=True) for _ in range(count))


def active_card(state: Ints, deck: Deck) -> Card:
    """The card to cover: the active card, or the change wildcard that lies open (R4.3)."""
    return deck.cards[int(state[OPEN] if state[OPEN] >= 0 else state[ACTIVE])]


def hand_of(packed: Ints, state: Ints, deck: Deck, seat: int) -> tuple[Card, ...]:
    """The cards of a seat."""
    return cards_of(deck, view(packed, state).hands[seat].tolist())
