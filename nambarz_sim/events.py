"""What happens at a table, as records with a line to read.

The recorder looks at the table before and after an act of the engine; it decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
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
        # The cards drawn stand at the end of every text that tells them.
        hidden = self.text.removesuffix(listing(self.drawn)) + counted(len(self.drawn), "card")
        return replace(self, drawn=(), text=hidden)


def listing(cards: Sequence[Card]) -> str:
    """Cards with spaces between them."""
    return " ".join(str(card) for card in cards)


def counted(number: int, thing: str) -> str:
    """A number of things, as ``1 card`` or ``3 cards``."""
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def tell_play(play: Play, active: Card) -> str:
    """What a player does by a legal play on a card."""
    if play.kind == "change" and len(play.cards) == 1:
        return f"lays {play.expression}, which lies open"
    if play.kind == "change":
        return f"lays {play.cards[0]} and {play.cards[1]} on it"
    if play.kind != "calculation":
        return f"lays {play.expression}"
    stroke = f", a master stroke for {play.bonus} extra points" if play.bonus else ""
    return f"lays {play.expression} = {active.number}{stroke}"


def tell_draw(drawn: Sequence[Card]) -> str:
    """What a player does by drawing."""
    return f"draws {listing(drawn)}" if drawn else "finds nothing to draw"


def tell_fault(
    attempt: str, fault: str, laid: Sequence[Card], returned: Sequence[Card], drawn: Sequence[Card], penalty: int
) -> str:
    """What becomes of a faulty attempt (R6)."""
    parts = [f"tries {attempt}: {FAULTS_IN_WORDS[fault]} ({fault})"]
    if laid:
        parts.append(f"{listing(laid)} {'stays' if len(laid) == 1 else 'stay'}")
    if returned:
        parts.append(f"{listing(returned)} {'goes' if len(returned) == 1 else 'go'} back")
    if penalty:
        parts.append(f"as a penalty {tell_draw(drawn)}")
    return "; ".join(parts)


FAULTS_IN_WORDS = {
    "R6.1": "not the fewest cards",
    "R6.2": "a card that matches by itself",
    "R6.3": "number and picture cards mixed",
    "R6.4": "a wrong result",
    "R6.5": "a wildcard misused",
}
"""The faults by their clauses."""


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

    Attributes
    ----------
    log
        Every `Event` so far.
    """

    def __init__(self, rules: Rules, seats: tuple[str, ...], packed: Ints, state: Ints) -> None:
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

    def choice(self, play: Play | None, before: Before) -> Event:
        """Record a legal play, or with None a draw, a card kept or the end of a turn, and what came of it."""
        laid = play.cards if play else ()
        drawn = self._drawn_since(before, laid)
        if play:
            event = self._record(
                before, play.kind, tell_play(play, before.active),
                cards=laid, expression=play.expression, bonus=play.bonus,
            )  # fmt: skip
        elif before.phase == PHASE_FRESH:
            event = self._record_draw(before, drawn)
        elif before.phase == PHASE_DRAWN:
            event = self._record(before, "keep", "keeps the card")
        else:
            event = self._record(before, "end turn", "ends the turn")
        if play and play.kind == "replay" and before.phase != PHASE_PLAYED:
            self._record_draw(before, drawn)  # obliged to (R5.2)
        self._finish(before)
        return event

    def _record_draw(self, before: Before, drawn: tuple[Card, ...]) -> Event:
        self._record_recycle(before, drawn)
        return self._record(before, "draw", tell_draw(drawn), drawn=drawn)

    def fault(self, before: Before, fault: str, tried: Attempt, laid: tuple[Card, ...]) -> Event:
        """Record a faulty attempt and what became of its cards (R6)."""
        back = Counter(tried.cards)
        back.subtract(laid)
        returned = (*back.elements(), *([Card("replay")] if tried.announces_replay else []))
        drawn = self._drawn_since(before, laid)
        attempt = tried.written or listing(tried.cards)
        self._record_recycle(before, drawn)
        event = self._record(
            before, "fault", tell_fault(attempt, fault, laid, returned, drawn, self.rules.penalty_cards),
            cards=laid, expression=attempt, fault=fault, returned=returned, drawn=drawn,
        )  # fmt: skip
        self._finish(before)
        return event

    def _record_recycle(self, before: Before, drawn: Sequence[Card]) -> None:
        if self._state[RECYCLES_DONE] > before.recycles:
            pile = int(self._state[PILE_LEFT]) + len(drawn) - before.pile
            does = "shuffled" if self.rules.recycle == "shuffle" else "turned over"
            text = f"the discards are {does} into a new draw pile of {counted(pile, 'card')}"
            self._append(before, "recycle", -1, text)

    def _finish(self, before: Before) -> None:
        """Record a hand that is finished (R5.5)."""
        if self._state[FINISHED_SEATS] > before.finished:
            place = int(self._state[PLACES + before.seat])
            self._record(before, "finish", f"has no card left: place {place}", places=(place,))

    def round(self, before: Before) -> None:
        """Record a round that has been scored."""
        state, players = self._state, self.rules.players
        places = tuple(state[PLACES : PLACES + players].tolist())
        points = tuple(view(self._packed, state).tally[:, POINTS].tolist())
        order = sorted((place, seat) for seat, place in enumerate(places) if place)
        lines = [f"place {place} seat {seat} with {points[seat]} points" for place, seat in order]
        ending = ENDINGS[state[ENDED]]
        text = f"round {before.round} is over after {counted(before.turn, 'turn')} ({ending}): {', '.join(lines)}"
        self._append(before, "round", -1, text, places=places, points=points)

    def game(self, before: Before) -> None:
        """Record the end of the game."""
        state, parties = self._state, int(self._packed[PARTIES])
        places = tuple(state[GAME_PLACES : GAME_PLACES + parties].tolist())
        points = tuple(state[TOTALS : TOTALS + parties].tolist())
        party = "team" if self.rules.team_sizes else "seat"
        winners = " and ".join(f"{party} {which}" for which, place in enumerate(places) if place == 1)
        totals = ", ".join(f"{party} {which} {total}" for which, total in enumerate(points))
        won = f"{winners} tie for the first place" if state[TIED] else f"{winners} wins"
        self._append(before, "game", -1, f"the game is over, {won}; points: {totals}", places=places, points=points)

    def deal(self) -> None:
        """Record a deal and every hand."""
        state, before = self._state, self.before()
        name = "an extra round" if state[EXTRA_ROUND] else f"round {before.round}"
        self._append(before, "deal", -1, f"{name}: {before.active} is turned up, seat {before.seat} starts")
        for seat in range(self.rules.players):
            if state[IN_ROUND + seat]:
                hand = hand_of(self._packed, state, self._deck, seat)
                self._append(before, "hand", seat, f"seat {seat} ({self.seats[seat]}) has {listing(hand)}", drawn=hand)

    def _record(self, before: Before, act: str, does: str, **more: Any) -> Event:
        """Record an act of the seat that was to move."""
        return self._append(before, act, before.seat, f"seat {before.seat} ({self.seats[before.seat]}) {does}", **more)

    def _append(self, before: Before, act: str, seat: int, text: str, **more: Any) -> Event:
        held = int(self._state[HELD + seat]) if seat >= 0 else 0
        event = Event(
            act, before.round, before.turn, seat, text, active=active_card(self._state, self._deck), held=held,
            pile=int(self._state[PILE_LEFT]), **more,
        )  # fmt: skip
        self.log.append(event)
        return event
