"""A widget to play at a table with computer players: a card laid is laid, hints on request, points and a score sheet."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from nambarz_sim._errors import whole_number
from nambarz_sim.arithmetic.shown import signs
from nambarz_sim.card_pictures import card_back_svg
from nambarz_sim.cards import Card
from nambarz_sim.engine.plays import Play
from nambarz_sim.events import Event, listing
from nambarz_sim.languages import _, in_language
from nambarz_sim.rules import Rules
from nambarz_sim.session import YOU, Session
from nambarz_sim.strategies import Strategy
from nambarz_sim.verdict import Verdict
from nambarz_sim.widgets.panel import (
    Panel,
    SetUp,
    front_end,
    picture_address,
    pictures,
    pressed_card,
    shown_card,
    shown_verdict,
    whole,
)
from nambarz_sim.widgets.table_words import (
    team_name,
    tell_pile,
    tell_play,
    tell_plays,
    title,
    told_row,
    told_seat,
    whose_turn,
)

SEAT = 0
"""Where the person sits."""
FACE_DOWN = "face down"
"""The name of the picture of a card's back."""


class Table(Panel):
    """A game against 1 to 11 computer players; the person has seat 0, and the others' turns follow by themselves.

    Every act of the front end is a method here, so that a script can do the same. The front end is given what the person
    may see, and nothing of the others' hands or the draw pile but their numbers of cards.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    strategies
        How the computer players play: one strategy for all, or one for each, see `nambarz_sim.strategies`.
    seed
        Which deals, a whole number from 0; drawn by lot without.
    lang
        The language, such as ``"de"``; None for the usual one, see `nambarz_sim.languages.choose_language`.

    Attributes
    ----------
    session
        The game, with all that is hidden in it.
    set_up
        The rules and strategies of the next new game.

    Raises
    ------
    ValueError
        If an argument is not allowed. An act that is not allowed raises it in a script and is shown beside its field in
        the front end; everything then stays as it was.

    Examples
    --------
    >>> table = Table(Rules(players=3), strategies=["greedy", "random"], seed=1)
    >>> print(table.hint())
    You have 10 legal plays: 4 calculations, 1 single card and 5 change wildcards; the longest has 3 cards. Ask
    again to see one.
    >>> print(table.lay("6dragonfly 4duck 3hippopotamus", operations="*/"))
    seat 0 (you) lays 6dragonfly × 4duck ÷ 3hippopotamus = 8
    >>> table.session.seat  # the others have played
    0
    """

    acts = (
        "choose", "new_game", "next_round", "lay", "draw", "keep", "end_turn", "lay_replay", "hint", "preview",
        "show_previews",
    )  # fmt: skip
    front = "table"
    _esm = front_end(front, "js")
    _css = front_end(front, "css")

    def __init__(
        self,
        rules: Rules | None = None,
        strategies: Strategy | Sequence[Strategy] = "greedy",
        seed: int | None = None,
        lang: str | None = None,
    ) -> None:
        self.set_up = SetUp.of(rules, strategies, people=1)
        self._seed = _read_seed(secrets.randbelow(1_000_000) if seed is None else seed)
        self._game = -1
        self._previews = False
        deck = self.set_up.rules.the_deck
        with in_language(lang) as self.lang:
            self._deal_game()
            super().__init__(pictures=pictures(deck) | {FACE_DOWN: picture_address(card_back_svg())})
            self._go_on()

    # --- the set-up, games and rounds ---------------------------------------------------------------------------------

    def choose(
        self,
        players: int | str | None = None,
        wildcards: Any = None,
        operations: str | None = None,
        strategies: str | Sequence[str] | None = None,
        seed: int | str | None = None,
    ) -> None:
        """Choose the rules, the computer players by their names, or the seed of the next new game."""
        set_up = self.set_up.change(players, wildcards, operations, strategies)
        if seed is not None:
            self._seed, self._game = _read_seed(whole(seed)), -1
        self.set_up = set_up
        self._show()

    def new_game(self) -> None:
        """Deal a new game by the set-up, whatever stands on the table; the next game of the seed."""
        self._deal_game()
        self._go_on()

    def next_round(self) -> None:
        """Go on after the score sheet: with the next round, or with a new game."""
        if not self.round_over:
            raise ValueError("next_round: the round is not over; play on, or deal a new game (new_game)")
        if self.session.over:
            self._deal_game()
        else:
            self._open_round()
        self._go_on()

    def _deal_game(self) -> None:
        seats = [YOU, *self.set_up.chosen]
        self.session = Session(self.set_up.rules, seed=self._seed, seats=seats, game=self._game + 1)
        self._game += 1
        self._open_round()

    def _open_round(self) -> None:
        deals = [place for place, event in enumerate(self.session.log) if event.act == "deal"]
        self._dealt_at = deals[-1]
        self._extra = self.session.observation.extra_round
        self._forget()

    def _forget(self) -> None:
        """What was told of an earlier turn is no longer told."""
        self._status: dict[str, str] = {}
        self._hints = 0
        self._hint = ""
        self._verdict: Verdict | None = None

    # --- a turn -------------------------------------------------------------------------------------------------------

    def lay(self, attempt: str | Sequence[Card], operations: str | None = None) -> Event:
        """Lay cards, rightly or not; arguments and faults as `Session.attempt` has them. A card laid is laid."""
        self._verify_round()
        verdict = self.session.judge(attempt, operations)
        event = self.session.attempt(attempt, operations)
        told = str(verdict)
        if event.fault and event.drawn:
            told = _("{verdict} Drawn: {cards}.").format(verdict=told, cards=listing(event.drawn))
        self._after("legal" if verdict.legal else "fault", told)
        return event

    def draw(self) -> Event:
        """Draw a card (R2.4)."""
        self._verify_round()
        event = self.session.draw()
        self._after("", "" if event.drawn else event.text)  # the hand shows what was drawn
        return event

    def keep(self) -> Event:
        """Keep the drawn card; the turn is over (R2.4)."""
        self._verify_round()
        event = self.session.keep()
        self._after("", event.text)
        return event

    def end_turn(self) -> Event:
        """End the turn without a replay (R5.1)."""
        self._verify_round()
        event = self.session.end_turn()
        self._after("", event.text)
        return event

    def lay_replay(self) -> Event:
        """Lay a replay wildcard (R5.1, R5.2)."""
        self._verify_round()
        event = self.session.lay_replay()
        self._after("", event.text)
        return event

    def _verify_round(self) -> None:
        if self.round_over:
            raise ValueError("the round is over; look at the score sheet and go on (next_round)")

    def _after(self, state: str, told: str) -> None:
        self._forget()
        self._status = {"state": state, "text": told}
        self._go_on()

    def _go_on(self) -> None:
        """Let the computer players play until it is the person's turn or the round is over."""
        try:
            while not self.round_over and self.session.seat != SEAT:
                self.session.step()
        finally:
            self._show()

    # --- hints --------------------------------------------------------------------------------------------------------

    def hint(self) -> str:
        """How many plays there are and of what kind; asked again in the same turn, one of them after the other."""
        self._verify_round()
        plays = self.session.plays
        self._hint = tell_play(plays[(self._hints - 1) % len(plays)]) if plays and self._hints else self._tell(plays)
        self._hints += 1
        self._show()
        return self._hint

    def _tell(self, plays: list[Play]) -> str:
        if plays:
            return tell_plays(plays)
        if self.session.can_draw():
            return _("You have no legal play: draw.")
        if self.session.can_keep():
            return _("You have no legal play: keep the card.")
        return _("You have no legal play: end the turn.")

    def preview(self, attempt: str | Sequence[Card], operations: str | None = None) -> Verdict | None:
        """The verdict on what would be laid, shown as a hint; nothing is laid. None without any card."""
        self._verify_round()
        self._verdict = self.session.judge(attempt, operations) if attempt else None
        self._show()
        return self._verdict

    def show_previews(self, shown: bool) -> None:
        """Whether the front end asks for a `preview` while cards are pressed; off at first."""
        self._previews = bool(shown)
        self._verdict = None
        self._show()

    # --- what is seen -------------------------------------------------------------------------------------------------

    @property
    def round_over(self) -> bool:
        """Whether the round on the table is over, and its score sheet shown."""
        return any(event.act == "round" for event in self._round())

    @property
    def events(self) -> list[Event]:
        """All that has happened in this game, as the person sees it: others' cards stay hidden."""
        with in_language(self.lang):
            return [event.seen_by(SEAT) for event in self.session.log]

    def _round(self) -> list[Event]:
        """What has happened in the round on the table, as the person sees it."""
        log = self.session.log[self._dealt_at :]
        return [event.seen_by(SEAT) for event in log[:1] + list(takewhile(lambda event: event.act != "deal", log[1:]))]

    @property
    def sheet(self) -> list[dict[str, Any]]:
        """The score sheet of a round that is over, by place: one row for each seat dealt in; empty before."""
        end = next((event for event in self._round() if event.act == "round"), None)
        if end is None:
            return []
        rows = [
            {name: seat[name] for name in ("seat", "player", "strokes", "bonus", "cards")}
            | {"place": place, "points": points, "total": seat["points"]}
            for seat, place, points in zip(self._seats(), end.places, end.points, strict=True)
            if place
        ]
        return sorted(rows, key=lambda row: int(row["place"]))

    def _seats(self) -> list[dict[str, Any]]:
        """What everyone may know of each seat."""
        events, scores = self._round(), self.session.observation.scores
        rules = self.session.rules
        return [
            _shown_seat(seat, name, [event for event in events if event.seat == seat])
            | {"points": scores[seat], "team": team_name(rules, seat)}
            for seat, name in enumerate(self.session.seats)
        ]

    def _show(self) -> None:
        session, over = self.session, self.round_over
        drawn = None if over else session.drawn
        log = self._round()
        ways, rounds = ("draw", "keep", "end_turn", "lay_replay"), session.rules.rounds
        again = session.over and rounds > 1
        self.view = {
            "set_up": self.set_up.shown(),
            "seed": str(self._seed),
            "title": title(log[0].round, rounds, self._extra),
            "deal": _("game {game} of seed {seed}").format(game=self._game, seed=self._seed),
            "you": SEAT,
            "seats": [seat | told_seat(seat) for seat in self._seats()],
            "active": shown_card(log[-1].active or session.active),
            "covered": _covered(session, over),
            "pile": log[-1].pile,
            "pile_held": tell_pile(log[-1].pile),
            "hand": [] if over else _shown_hand(session.hands[SEAT], drawn),
            "signs": [[operation, signs()[operation]] for operation in session.rules.operations],
            "can": {} if over else {way: getattr(session, f"can_{way}")() for way in ways},
            "turn": "" if over else whose_turn(session),
            "status": self._status,
            "hint": self._hint,
            "previews": self._previews,
            "verdict": shown_verdict(self._verdict) if self._verdict else None,
            "log": [
                {"text": event.text, "own": event.seat == SEAT}
                for event in log
                if event.act != "hand" or event.seat == SEAT
            ],
            "sheet": self.sheet,
            "sheet_rows": [told_row(row) for row in self.sheet],
            "next": _("New game") if again else _("Next round"),
            "moves": f"{self._seed}-{self._game}-{len(session.log)}",
            "round": f"{self._seed}-{self._game}-{self._dealt_at}",
        }


def _read_seed(seed: object) -> int:
    return whole_number("seed", seed, 0, 2**63 - 1)


def _shown_seat(seat: int, name: str, events: list[Event]) -> dict[str, Any]:
    """A seat from what it did in the round; without a hand it was not dealt in (R9.2)."""
    strokes = [event.bonus for event in events if event.bonus]
    done = [event for event in events if event.act not in ("hand", "finish")]
    finished = [event.places[0] for event in events if event.act == "finish"]
    told = done[-1].text if done else ""
    last = told.partition(f"({name}) ")[2] or told  # the tile itself says who
    return {
        "seat": seat,
        "player": name,
        "cards": events[-1].held if events else 0,
        "dealt": bool(events),
        "place": finished[0] if finished else 0,
        "strokes": len(strokes),
        "bonus": sum(strokes),
        "last": last,
    }


def _covered(session: Session, over: bool) -> dict[str, str] | None:
    """The card under an open change wildcard (R4.3)."""
    seen = session.observation
    return shown_card(seen.active) if seen.open_wildcard is not None and not over else None


def _shown_hand(hand: Sequence[Card], drawn: Card | None) -> list[dict[str, Any]]:
    place = hand.index(drawn) if drawn is not None else -1
    return [
        pressed_card(card) | {"drawn": each == place, "wildcard": card.is_wildcard} for each, card in enumerate(hand)
    ]
