"""What happens at a table, as records with a line to read, in the language that its session speaks.

The recorder looks at the table before and after an act of the engine; it decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from nambarz_sim.arithmetic.expression import Attempt
from nambarz_sim.cards import Card
from nambarz_sim.engine.observe import active_card, hand_of
from nambarz_sim.engine.plays import Play
from nambarz_sim.engine.state import (
    ENDED,
    ENDINGS,
    EXTRA_ROUND,
    FINISHED_SEATS,
    GAME_PLACES,
    HELD,
    IN_ROUND,
    PARTIES,
    PHASE,
    PHASE_DRAWN,
    PHASE_FRESH,
    PHASE_PLAYED,
    PILE_LEFT,
    PLACES,
    POINTS,
    RECYCLES_DONE,
    ROUND,
    SEAT,
    TIED,
    TOTALS,
    TURNS,
    Ints,
    view,
)
from nambarz_sim.event_words import FAULTS_IN_WORDS as FAULTS_IN_WORDS
from nambarz_sim.event_words import (
    count_cards,
    spoken,
    tell_deal,
    tell_draw,
    tell_fault,
    tell_game,
    tell_hand,
    tell_play,
    tell_recycling,
    tell_round,
    tell_seat,
)
from nambarz_sim.event_words import listing as listing
from nambarz_sim.languages import _, choose_language, in_language
from nambarz_sim.rules import Rules


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    Attributes
    ----------
    act
        ``"deal"``, ``"hand"`` (a hand dealt), a kind of play (``"match"``, ``"calculation"``, ``"change"``, ``"replay"``),
        ``"draw"``, ``"keep"``, ``"end turn"``, ``"fault"``, ``"recycle"``, ``"finish"``, ``"round"`` or ``"game"``.
    round, turn, seat
        When, and whose act; rounds and turns count from 1, and the seat is -1 where the act is nobody's.
    text
        What happened, in a line.
    cards
        The cards laid, in their order.
    expression
        The play or the attempt as a pupil writes it.
    bonus
        Points for a master stroke (R8.3).
    fault
        The clause of the fault, such as ``"R6.1"``; empty without one.
    returned, drawn
        Cards that went back to the hand after a fault, and cards drawn from the pile, penalties too.
    active
        The card to cover afterwards; an open change wildcard if one lies there (R4.3).
    held, pile
        Cards then left in the seat's hand and in the draw pile.
    places, points
        After a round one entry a seat (place 0: not dealt in), after the game one entry a seat or team.
    lang
        The language of `text`.
    """

    act: str
    round: int
    turn: int
    seat: int
    text: str
    cards: tuple[Card, ...] = ()
    expression: str = ""
    bonus: int = 0
    fault: str = ""
    returned: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()
    active: Card | None = None
    held: int = 0
    pile: int = 0
    places: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    lang: str = field(default="en", repr=False)

    def __str__(self) -> str:
        return self.text

    def seen_by(self, seat: int) -> Event:
        """The event as a seat sees it: others' drawn cards stay hidden.

        Examples
        --------
        >>> event = Event("draw", 1, 4, 0, "seat 0 (you) draws 3bee", drawn=(Card.parse("3bee"),))
        >>> print(event.seen_by(0)), print(event.seen_by(1))
        seat 0 (you) draws 3bee
        seat 0 (you) draws 1 card
        (None, None)
        """
        if not self.drawn or seat == self.seat:
            return self
        with in_language(self.lang):
            # The cards drawn stand at the end of every text that tells them.
            hidden = self.text.removesuffix(listing(self.drawn)) + count_cards(len(self.drawn))
        return replace(self, drawn=(), text=hidden)


def counted(number: int, thing: str) -> str:
    """A number of things, as ``1 card`` or ``3 cards``."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


class Before(NamedTuple):
    """What an act starts from."""

    round: int
    turn: int
    seat: int
    phase: int
    hand: tuple[Card, ...]
    active: Card
    finished: int
    recycles: int
    pile: int


class Recorder:
    """Writes down what the engine has done.

    Parameters
    ----------
    rules, seats
        What is played, and the name of each seat's player.
    packed, state
        The arrays of the engine; they are read, and moved on only from one round to the next.
    lang
        The language of the texts; without, the one spoken when this is made.

    Attributes
    ----------
    log
        Every `Event` so far.
    """

    def __init__(
        self, rules: Rules, seats: tuple[str, ...], packed: Ints, state: Ints, lang: str | None = None
    ) -> None:
        self.lang = choose_language(lang)
        self.log: list[Event] = []
        self.rules = rules
        self.seats = seats
        self._deck = rules.the_deck
        self._packed = packed
        self._state = state

    def before(self) -> Before:
        """What the next act starts from."""
        state = self._state
        return Before(
            round=int(state[ROUND]) + 1,
            turn=int(state[TURNS]),
            seat=int(state[SEAT]),
            phase=int(state[PHASE]),
            hand=hand_of(self._packed, self._state, self._deck, int(state[SEAT])),
            active=active_card(self._state, self._deck),
            finished=int(state[FINISHED_SEATS]),
            recycles=int(state[RECYCLES_DONE]),
            pile=int(state[PILE_LEFT]),
        )

    def _drawn_since(self, before: Before, gone: Iterable[Card]) -> tuple[Card, ...]:
        """The cards that have come into the hand, given those that left it."""
        drawn = Counter(hand_of(self._packed, self._state, self._deck, before.seat))
        drawn.subtract(before.hand)
        drawn.update(gone)
        return tuple(drawn.elements())

    @spoken
    def choice(self, play: Play | None, before: Before) -> Event:
        """Record a legal play, or with None a draw, a card kept or the end of a turn, and what came of it."""
        laid = play.cards if play else ()
        drawn = self._drawn_since(before, laid)
        if play:
            event = self._record(
                before, play.kind, tell_play(self._who(before), play, before.active),
                cards=laid, expression=play.expression, bonus=play.bonus,
            )  # fmt: skip
        elif before.phase == PHASE_FRESH:
            event = self._record_draw(before, drawn)
        elif before.phase == PHASE_DRAWN:
            event = self._record(before, "keep", _("{who} keeps the card").format(who=self._who(before)))
        else:
            event = self._record(before, "end turn", _("{who} ends the turn").format(who=self._who(before)))
        if play and play.kind == "replay" and before.phase != PHASE_PLAYED:
            self._record_draw(before, drawn)  # obliged to (R5.2)
        self._finish(before)
        return event

    def _record_draw(self, before: Before, drawn: tuple[Card, ...]) -> Event:
        self._record_recycle(before, drawn)
        return self._record(before, "draw", tell_draw(self._who(before), drawn), drawn=drawn)

    @spoken
    def fault(self, before: Before, fault: str, tried: Attempt, laid: tuple[Card, ...]) -> Event:
        """Record a faulty attempt and what became of its cards (R6)."""
        back = Counter(tried.cards)
        back.subtract(laid)
        returned = (*back.elements(), *([Card("replay")] if tried.announces_replay else []))
        drawn = self._drawn_since(before, laid)
        attempt = tried.written or " ".join(str(card) for card in tried.cards)
        self._record_recycle(before, drawn)
        text = tell_fault(
            self._who(before), attempt, fault, laid, returned, drawn, self.rules.penalty_cards
        )  # fmt: skip
        event = self._record(
            before, "fault", text,
            cards=laid, expression=attempt, fault=fault, returned=returned, drawn=drawn,
        )  # fmt: skip
        self._finish(before)
        return event

    def _record_recycle(self, before: Before, drawn: Sequence[Card]) -> None:
        if self._state[RECYCLES_DONE] > before.recycles:
            pile = int(self._state[PILE_LEFT]) + len(drawn) - before.pile
            self._append(before, "recycle", -1, tell_recycling(self.rules.recycle == "shuffle", pile))

    def _finish(self, before: Before) -> None:
        """Record a hand that is finished (R5.5)."""
        if self._state[FINISHED_SEATS] > before.finished:
            place = int(self._state[PLACES + before.seat])
            text = _("{who} has no card left: place {place}").format(who=self._who(before), place=place)
            self._record(before, "finish", text, places=(place,))

    @spoken
    def round(self, before: Before) -> None:
        """Record a round that has been scored."""
        state, players = self._state, self.rules.players
        places = tuple(state[PLACES : PLACES + players].tolist())
        points = tuple(view(self._packed, state).tally[:, POINTS].tolist())
        order = sorted((place, seat) for seat, place in enumerate(places) if place)
        text = tell_round(
            before.round, before.turn, ENDINGS[state[ENDED]], [(place, seat, points[seat]) for place, seat in order]
        )
        self._append(before, "round", -1, text, places=places, points=points)

    @spoken
    def game(self, before: Before) -> None:
        """Record the end of the game."""
        state, parties = self._state, int(self._packed[PARTIES])
        places = tuple(state[GAME_PLACES : GAME_PLACES + parties].tolist())
        points = tuple(state[TOTALS : TOTALS + parties].tolist())
        text = tell_game(bool(self.rules.team_sizes), places, points, bool(state[TIED]))
        self._append(before, "game", -1, text, places=places, points=points)

    @spoken
    def deal(self) -> None:
        """Record a deal and every hand."""
        state, before = self._state, self.before()
        text = tell_deal(None if state[EXTRA_ROUND] else before.round, before.active, before.seat)
        self._append(before, "deal", -1, text)
        for seat in range(self.rules.players):
            if state[IN_ROUND + seat]:
                hand = hand_of(self._packed, state, self._deck, seat)
                self._append(before, "hand", seat, tell_hand(tell_seat(seat, self.seats[seat]), hand), drawn=hand)

    def _who(self, before: Before) -> str:
        """The seat that was to move."""
        return tell_seat(before.seat, self.seats[before.seat])

    def _record(self, before: Before, act: str, text: str, **more: Any) -> Event:
        """Record an act of the seat that was to move."""
        return self._append(before, act, before.seat, text, **more)

    def _append(self, before: Before, act: str, seat: int, text: str, **more: Any) -> Event:
        held = int(self._state[HELD + seat]) if seat >= 0 else 0
        event = Event(
            act, before.round, before.turn, seat, text, active=active_card(self._state, self._deck), held=held,
            pile=int(self._state[PILE_LEFT]), lang=self.lang, **more,
        )  # fmt: skip
        self.log.append(event)
        return event
