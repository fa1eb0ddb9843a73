"""A game played move by move on the kernels of the batches: for people, for replays, for faulty attempts (R6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nambarz_sim._errors import whole_number
from nambarz_sim.arithmetic.expression import Attempt
from nambarz_sim.card_names import card_text
from nambarz_sim.cards import Card
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.observe import Observation, active_card, hand_of, observe
from nambarz_sim.engine.plays import Play, describe, describe_attempt, list_rows
from nambarz_sim.engine.state import (
    DRAWN,
    ENDED,
    FAULTS,
    GAME_OVER,
    PHASE,
    PHASE_DRAWN,
    PHASE_FRESH,
    PHASE_PLAYED,
    PLAY_WIDTH,
    SEAT,
    TURNS,
    new_plays,
    new_state,
)
from nambarz_sim.event_words import YOU as YOU
from nambarz_sim.event_words import listing, spoken
from nambarz_sim.events import Before, Event, Recorder
from nambarz_sim.languages import N_, _, choose_language
from nambarz_sim.rules import Rules
from nambarz_sim.strategies import Strategy, seat_strategies
from nambarz_sim.strategies.own import choose_row, mistake
from nambarz_sim.strategies.planner import planning_at
from nambarz_sim.strategies.pupil import pupils_at
from nambarz_sim.verdict import Verdict, attempt_codes, judge_at, read_at, with_signs


class Session:
    """A game at a table where people and computer players sit.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    seed, game
        Which deal: game `game` of seed `seed` is the batch's game of these numbers, move by move.
    seats
        For each seat ``"you"`` (a person), a strategy or a `Pupil`; one alone stands for all seats. Without, a person in
        seat 0 and ``greedy`` elsewhere.
    lang
        The language of every text, or what `nambarz_sim.languages.choose_language` says.

    Attributes
    ----------
    rules, seats, log, lang
        What is played, the name of each seat's player, every `Event` so far, and the language of what is told.

    Raises
    ------
    ValueError
        If an argument is not allowed.

    Examples
    --------
    >>> game = Session(Rules(players=3), seed=1)
    >>> print(game.play(game.plays[0]))
    seat 0 (you) lays 6dragonfly × 4duck ÷ 3hippopotamus = 8
    >>> events = game.advance()  # the others play, until it is a person's turn again
    """

    def __init__(
        self,
        rules: Rules | None = None,
        seed: int = 1,
        seats: Strategy | Sequence[Strategy] | None = None,
        game: int = 0,
        lang: str | None = None,
    ) -> None:
        self.lang = choose_language(lang)
        self.rules = rules or Rules()
        seed, game = (whole_number(name, value, 0, 2**63 - 1) for name, value in (("seed", seed), ("game", game)))
        if seats is None:
            seats = [YOU, *["greedy"] * (self.rules.players - 1)]
        given: list[Any] = list(seats) if isinstance(seats, list | tuple) else [seats]
        # A person's seat needs some strategy in the table of strategies; it is never asked.
        self._players = seat_strategies(["greedy" if seat == YOU else seat for seat in given], self.rules.players)
        given = given * self.rules.players if len(given) == 1 else given
        self.seats = tuple(seat if seat == YOU else name for seat, name in zip(given, self._players.names, strict=True))
        self._deck = self.rules.the_deck
        self._packed, self._pupils = pupils_at(self.rules, self._players.pupils)
        self._planning = planning_at(self._packed, self._players.playouts)
        self._state = new_state(self._packed)
        self._scratch = new_plays(self._packed)
        self._recorder = Recorder(self.rules, self.seats, self._packed, self._state, self.lang)
        self.log = self._recorder.log
        engine.start_game(self._packed, self._state, seed, game)
        self._recorder.deal()

    # --- what can be seen -------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state[GAME_OVER])

    @property
    def seat(self) -> int:
        """The seat to move."""
        return int(self._state[SEAT])

    @property
    def active(self) -> Card:
        """The card to cover: the active card, or the change wildcard that lies open (R4.3)."""
        return active_card(self._state, self._deck)

    @property
    def drawn(self) -> Card | None:
        """The card drawn in this turn, which a play must now use (R2.4)."""
        return self._deck.cards[self._state[DRAWN]] if self._state[PHASE] == PHASE_DRAWN else None

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of every seat."""
        return tuple(hand_of(self._packed, self._state, self._deck, seat) for seat in range(self.rules.players))

    @property
    def observation(self) -> Observation:
        """The table as the seat to move sees it."""
        return observe(self._packed, self._state, self._deck)

    @property
    def plays(self) -> list[Play]:
        """The legal plays of the seat to move, most cards first; none when the game is over."""
        return [] if self.over else [play for _row, play in self._rows()]

    def _rows(self) -> list[tuple[int, Play]]:
        return list_rows(self._packed, self._state, self._scratch, self._deck)

    # --- a person's acts --------------------------------------------------------------------------------------------

    def verify_play(self, play: Play | str) -> None:
        """Raise where `can_play` answers no.

        Parameters
        ----------
        play
            One of `plays`, or its cards as a text, the last one last: ``"10 4 2"``.

        Raises
        ------
        ValueError
            If it is not a person's turn, or the play is not legal now.
        """
        self._verify_person()
        self._row_of(play)

    def can_play(self, play: Play | str) -> bool:
        """Whether a person may make this play now."""
        return _answers(self.verify_play, play)

    def play(self, play: Play | str) -> Event:
        """Make a legal play; see `verify_play`. Faulty ones go through `attempt`."""
        self._verify_person()
        return self._act(self._row_of(play))

    @spoken
    def _row_of(self, play: Play | str) -> int:
        rows = self._rows()
        wanted = play.cards if isinstance(play, Play) else tuple(self._deck.hand(play))
        for row, legal in rows:
            if sorted(legal.cards) == sorted(wanted) and legal.cards[-1:] == wanted[-1:]:
                return row
        told = _(
            "play: {cards} is not legal on {active} now; take one of the {count} in plays (attempt takes faulty ones)"
        )
        if not rows:
            told = _(
                "play: {cards} is not legal on {active} now; there is none, so draw, keep the card or end the turn "
                "(attempt takes faulty ones)"
            )
        raise ValueError(told.format(cards=listing(wanted), active=card_text(self.active), count=len(rows)))

    def verify_draw(self) -> None:
        """Raise where `can_draw` answers no (R2.4)."""
        self._verify_person()
        self._verify_phase(PHASE_FRESH, N_("draw: only at the start of a turn"))

    def can_draw(self) -> bool:
        """Whether a person may draw a card now."""
        return _answers(self.verify_draw)

    def draw(self) -> Event:
        """Draw a card (R2.4); then play it, alone or with others, or `keep` it."""
        self.verify_draw()
        return self._act(-1)

    def verify_keep(self) -> None:
        """Raise where `can_keep` answers no (R2.4)."""
        self._verify_person()
        self._verify_phase(PHASE_DRAWN, N_("keep: only after drawing a card"))

    def can_keep(self) -> bool:
        """Whether a person may keep the drawn card now."""
        return _answers(self.verify_keep)

    def keep(self) -> Event:
        """Keep the drawn card; the turn is over (R2.4)."""
        self.verify_keep()
        return self._act(-1)

    def verify_end_turn(self) -> None:
        """Raise where `can_end_turn` answers no (R5.1)."""
        self._verify_person()
        self._verify_phase(PHASE_PLAYED, N_("end_turn: only after a play, when a replay could follow"))

    def can_end_turn(self) -> bool:
        """Whether a person may end the turn without a replay now; without a replay in hand a play ends it."""
        return _answers(self.verify_end_turn)

    def end_turn(self) -> Event:
        """End the turn without laying a replay (R5.1)."""
        self.verify_end_turn()
        return self._act(-1)

    def verify_lay_replay(self) -> None:
        """Raise where `can_lay_replay` answers no (R5.1, R5.2)."""
        self.verify_play("replay")

    def can_lay_replay(self) -> bool:
        """Whether a person may lay a replay wildcard now."""
        return _answers(self.verify_lay_replay)

    def lay_replay(self) -> Event:
        """Lay a replay: an extra turn after a play (R5.1), else a draw at once (R5.2)."""
        return self.play("replay")

    # --- attempts, faults and all (R6) ------------------------------------------------------------------------------

    @spoken
    def judge(self, attempt: str | Sequence[Card], operations: str | None = None) -> Verdict:
        """The verdict on what the seat to move would lay; nothing changes. Arguments as `attempt` has."""
        self._verify_going()
        return judge_at(self.rules, self._packed, self._state, attempt, operations)

    @spoken
    def verify_attempt(self, attempt: str | Sequence[Card], operations: str | None = None) -> Attempt:
        """What is laid; raise where an attempt would be refused: it costs nothing and changes nothing (R6.10).

        Raises
        ------
        ValueError
            If it is not a person's turn, the text makes no sense, a card is not in the hand, the drawn card is not used, a
            play was made already, or the operations do not fit the cards.
        """
        self._verify_person()
        read = read_at(self.rules, self._packed, self._state, attempt, operations)
        if isinstance(read, Verdict):
            raise ValueError(_("attempt: {why}").format(why=read.explanation))
        return read

    def can_attempt(self, attempt: str | Sequence[Card], operations: str | None = None) -> bool:
        """Whether an attempt would be taken, right or wrong."""
        return _answers(self.verify_attempt, attempt, operations)

    def attempt(self, attempt: str | Sequence[Card], operations: str | None = None) -> Event:
        """Lay cards, rightly or not: what is wrong is put right and costs a penalty by R6.

        Parameters
        ----------
        attempt
            A calculation such as ``"6+5+2-10"``, or cards in the order laid, such as ``"6 5 2 10"``; a replay behind it
            is announced with it (R6.7).
        operations
            The operations between the cards where they are given apart, such as ``"++-"``; cards without any may be
            worked with any that work.

        Returns
        -------
        Event
            With `Event.fault`, `Event.cards` laid, `Event.returned` and `Event.drawn`.

        Raises
        ------
        ValueError
            If it is no attempt, see `verify_attempt`.

        Examples
        --------
        >>> game = Session(seed=1, seats="you")
        >>> print(game.attempt(game.hands[0][:2]).fault)
        R6.3
        """
        return self._try(self.verify_attempt(attempt, operations))

    def _try(self, read: Attempt) -> Event:
        """Let the seat to move lay cards, rightly or not, and record what came of it."""
        types, codes = attempt_codes(self.rules, read)
        laid, play = np.zeros(len(types), dtype=np.int64), np.zeros(PLAY_WIDTH, dtype=np.int64)
        before = self._recorder.before()
        fault, count = engine.apply_attempt(self._packed, self._state, types, codes, len(types), laid, play)
        if fault:
            kept = describe(self._packed, play, self._deck).cards if count else ()
            event = self._recorder.fault(before, FAULTS[fault], read, kept)
        else:
            shown = describe_attempt(self._packed, self._state, play, self._deck, codes, before.active)
            event = self._recorder.choice(shown, before)
        same_turn = not self._state[ENDED] and self._state[TURNS] == before.turn
        self._go_on(before)
        if read.announces_replay and not fault and same_turn and self.can_lay_replay():
            self.lay_replay()
        return event

    # --- the computer players ---------------------------------------------------------------------------------------

    @spoken
    def step(self) -> Event:
        """Let the computer player whose turn it is make one choice; a pupil's may be a fault.

        Raises
        ------
        ValueError
            If it is a person's turn, or the game is over.
        """
        self._verify_going()
        if self.seats[self.seat] == YOU:
            told = _("step: it is the turn of seat {seat}, a person's; play, draw, keep or end_turn")
            raise ValueError(told.format(seat=self.seat))
        table = (self._packed, self._state, self._scratch)
        row = choose_row(self.rules, *table, self._players, self._pupils, self._planning)
        wrong = mistake(*table, row, self._pupils)
        if wrong is None:
            return self._act(row)
        tried = Attempt(tuple(self._deck.cards[card] for card in wrong[0]))
        return self._try(with_signs(tried, wrong[1]) if wrong[1] else tried)

    def advance(self) -> list[Event]:
        """Let the computer players play until it is a person's turn or the game is over; what happened."""
        start = len(self.log)
        while not self.over and self.seats[self.seat] != YOU:
            self.step()
        return self.log[start:]

    @spoken
    def _verify_going(self) -> None:
        if self.over:
            raise ValueError(_("the game is over; start another Session"))

    @spoken
    def _verify_person(self) -> None:
        self._verify_going()
        if self.seats[self.seat] != YOU:
            told = _("it is the turn of seat {seat}, played by {player}; call advance() first")
            raise ValueError(told.format(seat=self.seat, player=self.seats[self.seat]))

    @spoken
    def _verify_phase(self, phase: int, refused: str) -> None:
        """Raise with the message and what may be done now, unless the turn is at this point."""
        now = int(self._state[PHASE])
        if now == phase:
            return
        may = _("now play, draw, or lay a replay") if now == PHASE_FRESH else _("now lay a replay or end the turn")
        if self.drawn is not None:
            may = _("now play {card} or keep it").format(card=card_text(self.drawn))
        raise ValueError(_("; ").join((_(refused), may)))

    def _act(self, row: int) -> Event:
        """Make the choice of a row of the scratch, -1 for none, and record it."""
        before = self._recorder.before()
        play = describe(self._packed, self._scratch[row], self._deck) if row >= 0 else None
        engine.step(self._packed, self._state, self._scratch, row)
        event = self._recorder.choice(play, before)
        self._go_on(before)
        return event

    def _go_on(self, before: Before) -> None:
        """Where a round is over, score it and deal the next, or end the game (R7 to R9)."""
        if not self._state[ENDED]:
            return
        engine.score_round(self._packed, self._state)
        self._recorder.round(before)
        engine.next_round(self._packed, self._state)
        if self.over:
            self._recorder.game(before)
        else:
            self._recorder.deal()


def _answers(verify: Callable[..., object], *arguments: object) -> bool:
    """Whether a verification raises nothing."""
    try:
        verify(*arguments)
    except ValueError:
        return False
    return True
