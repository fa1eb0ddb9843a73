"""The rules as the engine's kernels play them: properties of whole games, and single rules on tables laid out by hand."""

from __future__ import annotations

import random
from collections import Counter
from copy import copy
from dataclasses import dataclass, field

import naive
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nambarz_sim._numba import COMPILED, compiled
from nambarz_sim.cards import WILDCARDS
from nambarz_sim.engine import kernel as turns
from nambarz_sim.engine import state as slots
from nambarz_sim.engine.observe import observe
from nambarz_sim.rules import Rules
from nambarz_sim.strategies import kernel as choices
from nambarz_sim.strategies.names import SCORES

kernel, choose = compiled(turns), compiled(choices).choose

NO_PLAY = -1
GAMES = settings(
    deadline=None, max_examples=40 if COMPILED else 20, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
PLACE_POINTS = [40, 32, 25, 19, 14]
# Operations, steps and the most cards of a calculation; the tables of all of them are quick to make.
ARITHMETIC = [
    ("+-*/", "whole", None),
    ("+-*/", "integer", 5),
    ("+-*/", "rational", 4),
    ("+-", "whole", None),
    ("+", "whole", None),
    ("*/", "whole", 3),
    ("-/", "rational", 4),
]


# --- tables: games laid out, moved and read by the cards' texts --------------------------------------------------------


class Table:
    """A game in play."""

    def __init__(self, rules: Rules, seed: int = 1, game: int = 0) -> None:
        self.rules, self.deck = rules, rules.the_deck
        self.packed = slots.pack(rules)
        self.state = slots.new_state(self.packed)
        self.plays = slots.new_plays(self.packed)
        self.parts = slots.view(self.packed, self.state)
        kernel.start_game(self.packed, self.state, seed, game)

    def types(self, cards: str) -> list[int]:
        return [self.deck.type_of(card) for card in self.deck.hand(cards)]

    def text(self, types) -> str:
        return " ".join(str(self.deck.cards[int(card)]) for card in types)

    def __getitem__(self, slot: int) -> int:
        return int(self.state[slot])

    def by_seat(self, slot: int) -> list[int]:
        return self.state[slot : slot + self.rules.players].tolist()

    # what lies where

    def hand(self, seat: int) -> str:
        return self.text(np.repeat(np.arange(len(self.deck.cards)), self.parts.hands[seat]))

    @property
    def pile_types(self) -> list[int]:
        """The draw pile, the card to be drawn first in front."""
        start = self[slots.PILE_AT]
        return self.parts.pile[start : start + self[slots.PILE_LEFT]].tolist()

    @property
    def discard_types(self) -> list[int]:
        """The discards, the oldest in front."""
        return self.parts.discards[: self[slots.DISCARDS]].tolist()

    @property
    def pile(self) -> str:
        return self.text(self.pile_types)

    @property
    def discards(self) -> str:
        return self.text(self.discard_types)

    @property
    def active(self) -> str:
        return str(self.deck.cards[self[slots.ACTIVE]])

    @property
    def open_wildcard(self) -> str | None:
        return str(self.deck.cards[self[slots.OPEN]]) if self[slots.OPEN] >= 0 else None

    def tally(self, column: int) -> list[int]:
        return self.parts.tally[:, column].tolist()

    # moves

    def list_plays(self) -> np.ndarray:
        return self.plays[: kernel.legal_plays(self.packed, self.state, self.plays)]

    def options(self) -> set[str]:
        """Every legal play as its cards, sorted as texts, but for the card laid last, which comes last."""
        return {self.text(self._last_last(self.laid_by(row))) for row in range(len(self.list_plays()))}

    def laid_by(self, row: int) -> list[int]:
        """The cards of a play in the order laid."""
        return self.plays[row, slots.PLAY_CARDS : slots.PLAY_CARDS + self.plays[row, slots.PLAY_SIZE]].tolist()

    def _last_last(self, cards: list[int]) -> list[int]:
        return [*sorted(cards[:-1], key=lambda card: str(self.deck.cards[card])), cards[-1]]

    def step(self, row: int) -> None:
        kernel.step(self.packed, self.state, self.plays, row)

    def play(self, cards: str) -> None:
        """Lay these cards, the last of them last."""
        wanted = self._last_last(self.types(cards))
        count = len(self.list_plays())
        rows = [row for row in range(count) if self._last_last(self.laid_by(row)) == wanted]
        assert len(rows) == 1, f"{cards!r} is not one of {self.options()}"
        self.step(rows[0])

    def no_play(self) -> None:
        """Draw; after a draw keep the card; after a play end the turn."""
        self.list_plays()
        self.step(NO_PLAY)

    def pass_turn(self) -> None:
        """Draw, if there is something to draw, and keep the card."""
        turn = self[slots.TURNS]
        self.no_play()
        if self[slots.TURNS] == turn and not self[slots.ENDED]:
            self.no_play()

    def play_and_end(self, cards: str) -> None:
        """Lay these cards and end the turn if the hand leaves a choice."""
        turn = self[slots.TURNS]
        self.play(cards)
        if self[slots.TURNS] == turn and not self[slots.ENDED]:
            self.no_play()

    def score(self) -> None:
        kernel.score_round(self.packed, self.state)

    def next_round(self) -> None:
        kernel.next_round(self.packed, self.state)


def lay_out(
    hands: list[str],
    active: str = "3",
    open_wildcard: str = "",
    pile: str = "",
    under: str = "",
    seat: int = 0,
    seed: int = 1,
    **options,
) -> Table:
    """A table with these hands before the turn of `seat`; `under` are the discards below the active card."""
    rules = Rules(players=len(hands), **options)
    table = Table(rules, seed)
    for other in range(rules.players):
        for card, copies in enumerate(table.parts.hands[other].tolist()):
            for _ in range(copies):
                kernel.remove_card(table.packed, table.state, other, card)
        for card in table.types(hands[other]):
            kernel.add_card(table.packed, table.state, other, card)
    put_pile(table, table.types(pile))
    put_discards(table, under, active, open_wildcard)
    table.state[slots.SEAT] = table.state[slots.STARTER] = seat
    return table


def put_pile(table: Table, cards: list[int]) -> None:
    table.parts.pile[: len(cards)] = cards
    table.state[slots.PILE_AT] = 0
    table.state[slots.PILE_LEFT] = len(cards)


def put_discards(table: Table, under: str, active: str, open_wildcard: str) -> None:
    cards = table.types(f"{under} {active} {open_wildcard}")
    table.parts.discards[: len(cards)] = cards
    table.state[slots.DISCARDED : slots.DISCARDED + len(table.deck.cards)] = np.bincount(
        cards, minlength=len(table.deck.cards)
    )
    table.state[slots.DISCARDS] = table.state[slots.TURN_START] = len(cards)
    table.state[slots.ACTIVE] = table.types(active)[0]
    table.state[slots.ACTIVE_AT] = len(table.types(under))
    if open_wildcard:
        table.state[slots.OPEN] = cards[-1]
        table.state[slots.OPEN_AT] = len(cards) - 1


# --- random rules and random games -------------------------------------------------------------------------------------


@st.composite
def any_rules(draw, **fixed) -> Rules:
    """Rules of every kind; hands stay small enough for the uncompiled run."""
    players = fixed.pop("players", None) or draw(st.integers(2, 12))
    levels = st.sampled_from(["beginner", "experienced", "top-level"])
    kinds = st.fixed_dictionaries({kind: st.integers(0, 4) for kind in WILDCARDS})
    wildcards = fixed.pop("wildcards", None) or draw(levels | kinds)
    operations, steps, max_cards = draw(st.sampled_from(ARITHMETIC))
    decks = draw(st.sampled_from([1, 1, 1, 2]))
    cards = sum(Rules(players=2, wildcards=wildcards, decks=decks).copies)
    options = {
        "team_sizes": draw(team_sizes(players)),
        "rounds": draw(st.integers(1, 3)),
        "hand_size": draw(st.integers(1, min(12, (cards - 1) // players))),
        "max_cards": max_cards or (5 if decks > 1 else None),
        "penalty_cards": draw(st.integers(0, 4)),
        "turn_limit": draw(st.sampled_from([1, 3, 20, 300])),
        "recycle": draw(st.sampled_from(["shuffle", "flip"])),
        "unfinished_bonus": draw(st.booleans()),
        "play_off": draw(st.sampled_from(["win", "all", "none"])),
        "teammates_see_hands": draw(st.booleans()),
    }
    return Rules(
        players=players, wildcards=wildcards, operations=operations, steps=steps, decks=decks, **(options | fixed)
    )


@st.composite
def team_sizes(draw, players: int) -> tuple[int, ...] | None:
    """None, or at least two teams of at least two (R9.3)."""
    if players < 4 or draw(st.booleans()):
        return None
    sizes = [draw(st.integers(2, players - 2))]
    while players - sum(sizes) >= 4 and draw(st.booleans()):
        sizes.append(draw(st.integers(2, players - sum(sizes) - 2)))
    return (*sizes, players - sum(sizes))


@dataclass
class Player:
    """Chooses plays: at random (``any``: also no play; ``eager``: a play where there is one), or as a strategy does."""

    style: str
    seed: int
    stream: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.stream = random.Random(self.seed)

    def choose(self, table: Table) -> int:
        count = len(table.list_plays())
        if self.style in SCORES:
            return int(choose(table.packed, table.state, table.plays, count, SCORES[self.style]))
        if count == 0 or (self.style == "any" and self.stream.random() < 0.25):
            return NO_PLAY
        return self.stream.randrange(count)


SEEDS = st.integers(0, 2**40)
PLAYERS = st.builds(Player, st.sampled_from(["any", "eager", *SCORES]), SEEDS)


@dataclass
class Account:
    """A round as the rules page tells it, worked out from the cards laid, the hands and the discards alone."""

    table: Table
    phase: str = "fresh"
    turns: int = 1
    passes: int = 0
    finished: list[int] = field(default_factory=list)
    endings: set[int] = field(default_factory=lambda: {slots.ENDED_NOT})
    laid_in_turn: int = 0
    drawn_in_turn: int = 0
    active_is_new: bool = False
    open_is_new: bool = False
    counts: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.seat = self.table[slots.STARTER]
        self.dealt = [seat for seat, dealt in enumerate(self.table.by_seat(slots.IN_ROUND)) if dealt]
        self.counts["turns", self.seat] = 1

    @property
    def playing(self) -> list[int]:
        return [seat for seat in self.dealt if seat not in self.finished]

    def held(self) -> int:
        return int(self.table.parts.hands[self.seat].sum())

    def move(self, row: int) -> None:
        """Take the step and follow what the turn came to."""
        seat, held, laid = self.seat, self.held(), [] if row < 0 else self.table.laid_by(row)
        self.table.step(row)
        drawn = self.held() - held + len(laid)
        kind = "" if not laid else str(self.table.deck.cards[laid[0]].kind)
        obliged = (self.phase == "fresh" and not laid) or (kind == "replay" and self.phase != "played")
        self._count(kind, len(laid), drawn)
        self._check_draw(obliged, drawn)
        if obliged:
            self.phase = "drawn" if drawn else "over"
        elif kind == "replay":
            self.phase = "fresh"
        else:
            self.phase = "played" if laid and "replay" in self.table.hand(seat) else "over"
        if self.phase == "over":
            self._end_turn()

    def _count(self, kind: str, laid: int, drawn: int) -> None:
        self.laid_in_turn += laid
        self.drawn_in_turn += drawn
        self.counts["laid", self.seat] += laid
        self.counts["drawn", self.seat] += drawn
        if kind.startswith("change") and laid == 1:
            self.open_is_new = True
        elif kind not in ("", "replay"):
            self.active_is_new = True
        if kind in ("number", "picture"):
            self.counts["match" if laid == 1 else "calculation", self.seat] += 1
            self.counts["bonus", self.seat] += 7 * max(0, laid - 3)

    def _check_draw(self, obliged: bool, drawn: int) -> None:
        """A draw is one card; none only if the pile is out and all discards stay out of a new one (R2.5)."""
        assert drawn in ((0, 1) if obliged else (0,))
        if obliged and not drawn:
            old_open = self.table.open_wildcard is not None and not self.open_is_new
            assert self.table.pile_types == []
            assert len(self.table.discard_types) == self.laid_in_turn + (not self.active_is_new) + old_open

    def _end_turn(self) -> None:
        passed = self.laid_in_turn == 0 and self.drawn_in_turn == 0
        self.passes = self.passes + 1 if passed else 0
        self.endings = set()
        if self.held() == 0:
            self.finished.append(self.seat)
            self._see_who_is_left()
        if not self.endings and self.passes >= len(self.playing):
            self.endings.add(slots.ENDED_STALLED)
        if self.turns >= self.table.rules.turn_limit and not self.endings & {slots.ENDED_FINISHED, slots.ENDED_TEAM}:
            self.endings.add(slots.ENDED_CUT)
        if not self.endings:
            self._begin_turn()

    def _begin_turn(self) -> None:
        self.endings = {slots.ENDED_NOT}
        self.seat = min(self.playing, key=lambda seat: (seat - self.seat - 1) % self.table.rules.players)
        self.phase, self.laid_in_turn, self.drawn_in_turn = "fresh", 0, 0
        self.active_is_new = self.open_is_new = False
        self.turns += 1
        self.counts["turns", self.seat] += 1

    def _see_who_is_left(self) -> None:
        enough = len(self.dealt) - 1 if len(self.dealt) <= 5 else 5
        teams = {self.table.rules.teams[seat] for seat in self.playing}
        if len(self.finished) == enough:
            self.endings.add(slots.ENDED_FINISHED)
        elif len(teams) == 1:
            self.endings.add(slots.ENDED_TEAM)

    def places(self) -> dict[int, int]:
        """Finishing order, then fewest cards, then seat order from the starter (R2.6, R8.2)."""
        held = self.table.parts.hands.sum(axis=1).tolist()
        starter, players = self.table[slots.STARTER], self.table.rules.players
        rest = sorted(self.playing, key=lambda seat: (held[seat], (seat - starter) % players))
        return {seat: place for place, seat in enumerate([*self.finished, *rest], start=1)}

    def bonus(self) -> dict[int, int]:
        """Master strokes (R8.3); with 6 players or more the unfinished keep theirs only by `unfinished_bonus`."""
        kept = self.dealt if len(self.dealt) <= 5 or self.table.rules.unfinished_bonus else self.finished
        return {seat: self.counts["bonus", seat] if seat in kept else 0 for seat in self.dealt}

    def points(self) -> dict[int, int]:
        """Points by place (R8.1, R8.2) and bonus."""
        bonus, scoring = self.bonus(), self.dealt if len(self.dealt) <= 5 else self.finished
        return {
            seat: bonus[seat] + (PLACE_POINTS[place - 1] if seat in scoring else 0)
            for seat, place in self.places().items()
        }


def account_of_a_round(table: Table, player: Player) -> Account:
    """Play a round and check after each step that the engine and the account agree on the turn and the ending."""
    account = Account(table)
    phases = {"fresh": slots.PHASE_FRESH, "drawn": slots.PHASE_DRAWN, "played": slots.PHASE_PLAYED}
    while not table[slots.ENDED]:
        row = player.choose(table)
        account.move(row)
        assert table[slots.ENDED] in account.endings
        assert table[slots.SEAT] == account.seat
        if not table[slots.ENDED]:
            assert table[slots.PHASE] == phases[account.phase]
            assert table[slots.TURNS] == account.turns
    return account


# --- what holds in every game ------------------------------------------------------------------------------------------


def check_every_card_is_somewhere(table: Table) -> None:
    types = len(table.deck.cards)
    lying = np.bincount(table.discard_types, minlength=types)
    there = table.parts.hands.sum(axis=0) + np.bincount(table.pile_types, minlength=types) + lying
    assert there.tolist() == list(table.rules.copies)
    assert table.state[slots.DISCARDED : slots.DISCARDED + types].tolist() == lying.tolist()
    assert table.by_seat(slots.HELD) == table.parts.hands.sum(axis=1).tolist()


def check_hands_are_packed_right(table: Table) -> None:
    """The words and groups of each hand, worked out from its counts."""
    size = slots.CARD_SIZE * len(table.deck.cards)
    columns = table.packed[slots.CARDS : slots.CARDS + size].reshape(-1, slots.CARD_SIZE)
    words, groups = np.zeros_like(table.parts.words), np.zeros_like(table.parts.groups)
    for seat, hand in enumerate(table.parts.hands.tolist()):
        for card, copies in zip(columns.tolist(), hand, strict=True):
            if copies and card[slots.KIND] <= slots.PICTURE:
                words[seat, card[slots.KIND], card[slots.WORD]] += copies << card[slots.SHIFT]
                groups[seat, card[slots.KIND], card[slots.GROUP]] += copies
                groups[seat, card[slots.KIND], -1] |= 1 << card[slots.GROUP]
    assert np.array_equal(table.parts.words, words)
    assert np.array_equal(table.parts.groups, groups)


@pytest.mark.clause("R2.1", "R2.5")
@GAMES
@given(any_rules(play_off="none"), SEEDS, PLAYERS)
def test_cards_are_conserved_after_every_step(rules, seed, player):
    table = Table(rules, seed)
    assert table.parts.hands.sum(axis=1).tolist() == [rules.hand_size] * rules.players
    while not table[slots.GAME_OVER]:
        assert table.active not in WILDCARDS
        while not table[slots.ENDED]:
            table.step(player.choose(table))
            check_every_card_is_somewhere(table)
            check_hands_are_packed_right(table)
        table.score()
        table.next_round()
        if not table[slots.GAME_OVER]:
            check_every_card_is_somewhere(table)


@GAMES
@given(any_rules(rounds=1), SEEDS, PLAYERS)
def test_the_cards_of_a_play_are_laid_in_order_and_the_last_one_becomes_active(rules, seed, player):
    table = Table(rules, seed)
    while not table[slots.ENDED]:
        row = player.choose(table)
        laid = [] if row < 0 else table.laid_by(row)
        active, open_wildcard, kind = table.active, table.open_wildcard, str(table.deck.cards[laid[0]]) if laid else ""
        table.step(row)
        assert not laid or table.discard_types[-len(laid) :] == laid
        if laid and kind != "replay":
            alone = kind in WILDCARDS and len(laid) == 1
            active, open_wildcard = (active, kind) if alone else (table.text(laid[-1:]), None)
        assert (table.active, table.open_wildcard) == (active, open_wildcard)


def check_the_list(table: Table, played: bool, drawn: str) -> None:
    """What no list of plays may hold, seen from the cards alone."""
    hand = Counter(table.hand(table[slots.SEAT]).split())
    plays = [table.text(table.laid_by(row)).split() for row in range(len(table.list_plays()))]
    assert len({(tuple(sorted(cards)), cards[-1]) for cards in plays}) == len(plays)
    for cards in plays:
        assert not Counter(cards) - hand
        assert not played or cards == ["replay"]
        assert not drawn or drawn in cards
        if cards != ["replay"]:
            check_it_may_lie_there(cards, table.active, table.open_wildcard)


def check_it_may_lie_there(cards: list[str], active: str, open_wildcard: str | None) -> None:
    if open_wildcard is not None:
        assert len(cards) == 1
        assert naive.type_of(cards[0]) in naive.CHANGE_TYPES[open_wildcard]
    elif cards[0] in WILDCARDS:
        assert len(cards) <= 2
        assert naive.type_of(active) in naive.CHANGE_TYPES[cards[0]]
        for follower in cards[1:]:
            assert naive.type_of(follower) in naive.CHANGE_TYPES[cards[0]]
            assert not naive.matches(follower, active)
    else:
        assert not set(cards) & set(WILDCARDS)
        assert len(cards) > 1 or naive.matches(cards[0], active)


@pytest.mark.clause("R2.3", "R2.4", "R4.1", "R4.2", "R4.3", "R4.4", "R5.1", "R5.4")
@GAMES
@given(any_rules(rounds=1), SEEDS, PLAYERS)
def test_plays_keep_to_the_phase_of_the_turn_and_to_the_wildcards_rules(rules, seed, player):
    table = Table(rules, seed)
    turn, played, drawn = 1, False, ""
    while not table[slots.ENDED]:
        check_the_list(table, played, drawn)
        hands, seat, row = table.parts.hands.copy(), table[slots.SEAT], player.choose(table)
        laid = [] if row < 0 else table.laid_by(row)
        table.step(row)
        gained = table.parts.hands[seat] - hands[seat] + np.bincount(laid, minlength=len(table.deck.cards))
        same_turn, turn = table[slots.TURNS] == turn, table[slots.TURNS]
        drawn = table.text(np.flatnonzero(gained)) if same_turn else ""
        played = same_turn and bool(laid) and table.text(laid) != "replay"


@pytest.mark.clause("R2.2", "R2.4", "R2.5", "R2.6", "R5.2", "R5.3", "R5.5", "R7.1", "R7.2", "R8.1", "R8.2", "R8.3")
@GAMES
@given(any_rules(rounds=1), SEEDS, PLAYERS)
def test_turns_the_ending_and_the_score_follow_from_the_cards(rules, seed, player):
    table = Table(rules, seed)
    assert table[slots.SEAT] == 0
    account = account_of_a_round(table, player)
    assert table[slots.TURNS] == account.turns <= rules.turn_limit
    for column, name in (
        (slots.TALLY_TURNS, "turns"),
        (slots.CARDS_LAID, "laid"),
        (slots.CARDS_DRAWN, "drawn"),
        (slots.MATCHES, "match"),
        (slots.CALCULATIONS, "calculation"),
    ):
        assert table.tally(column) == [account.counts[name, seat] for seat in range(rules.players)]
    table.score()
    check_the_score(table, account)


def check_the_score(table: Table, account: Account) -> None:
    places, points, bonus = account.places(), account.points(), account.bonus()
    assert sorted(places.values()) == list(range(1, len(account.dealt) + 1))
    for seat in account.dealt:
        tally = table.parts.tally[seat]
        assert tally[slots.PLACE] == table.by_seat(slots.PLACES)[seat] == places[seat]
        assert tally[slots.POINTS] == points[seat]
        assert tally[slots.BONUS] == bonus[seat]
        assert tally[slots.CARDS_LEFT] == table.parts.hands[seat].sum()
        assert tally[slots.FINISHED] == (seat in account.finished)


@dataclass
class Standings:
    """The game's order: parties from first to last in groups that share a place (R9.1, R9.2)."""

    rules: Rules

    def __post_init__(self) -> None:
        self.totals = dict.fromkeys(self.rules.teams, 0)
        self.groups: list[list[int]] = []
        self.extra_rounds: Counter = Counter()

    def add(self, points: dict[int, int]) -> None:
        """A regular round."""
        for party in self.totals:
            self.totals[party] += points[party]
        self.groups = self._in_order(list(self.totals), self.totals)

    def add_extra(self, points: dict[int, int]) -> None:
        """An extra round of the group at `contested`."""
        at = self.groups.index(self.contested())
        self.extra_rounds.update(self.groups[at])
        self.groups[at : at + 1] = self._in_order(self.groups[at], points)

    def contested(self) -> list[int]:
        """The parties to play an extra round, none if the game is over."""
        groups = {"win": self.groups[:1], "all": self.groups, "none": []}[self.rules.play_off]
        return next((group for group in groups if len(group) > 1 and self.extra_rounds[group[0]] < 10), [])

    def places(self) -> dict[int, int]:
        return {
            party: 1 + sum(len(better) for better in self.groups[:at])
            for at, group in enumerate(self.groups)
            for party in group
        }

    @staticmethod
    def _in_order(parties: list[int], points: dict[int, int]) -> list[list[int]]:
        levels = sorted({points[party] for party in parties}, reverse=True)
        return [[party for party in parties if points[party] == level] for level in levels]


def party_points(rules: Rules, points: dict[int, int]) -> dict[int, int]:
    """A team's score is the sum (R9.3)."""
    sums = dict.fromkeys((rules.teams[seat] for seat in points), 0)
    for seat, scored in points.items():
        sums[rules.teams[seat]] += scored
    return sums


def check_who_starts(table: Table, last_rounds: dict[int, tuple[int, int]]) -> None:
    """Most points in the last round, then the better place (R8.4, R9.2), of those dealt in."""
    dealt = [seat for seat, dealt in enumerate(table.by_seat(slots.IN_ROUND)) if dealt]
    best = max(dealt, key=lambda seat: last_rounds[seat])
    assert table[slots.STARTER] == table[slots.SEAT] == best


@pytest.mark.clause("R2.2", "R8.4", "R9.2", "R9.3")
@GAMES
@given(any_rules(turn_limit=6) | any_rules(turn_limit=60), SEEDS, PLAYERS)
def test_games_add_up_and_ties_are_played_off_by_the_tied_alone(rules, seed, player):
    table, standings, last_rounds, rounds = Table(rules, seed), Standings(rules), {}, 0
    while not table[slots.GAME_OVER]:
        account = account_of_a_round(table, player)
        table.score()
        check_the_score(table, account)
        points = account.points()
        last_rounds |= {seat: (points[seat], -place) for seat, place in account.places().items()}
        extra, rounds = rounds >= rules.rounds, rounds + 1
        (standings.add_extra if extra else standings.add)(party_points(rules, points))
        table.next_round()
        if not table[slots.GAME_OVER]:
            playing = standings.contested() if rounds >= rules.rounds else list(standings.totals)
            assert table.by_seat(slots.IN_ROUND) == [team in playing for team in rules.teams]
            assert table[slots.DEALT_IN] == sum(table.by_seat(slots.IN_ROUND))
            assert table[slots.EXTRA_ROUND] == (rounds >= rules.rounds)
            check_who_starts(table, last_rounds)
    assert rounds >= rules.rounds
    assert standings.contested() == []
    assert table[slots.TIED] == (len(standings.groups[0]) > 1)
    assert table.by_seat(slots.TOTALS)[: len(standings.totals)] == list(standings.totals.values())
    places = standings.places()
    assert table.by_seat(slots.GAME_PLACES)[: len(places)] == [places[party] for party in sorted(places)]


@pytest.mark.clause("R2.5", "R4.3")
@GAMES
@given(any_rules(rounds=1, hand_size=6), SEEDS, PLAYERS)
def test_a_new_pile_leaves_out_the_active_card_an_open_wildcard_and_the_turns_cards(rules, seed, player):
    table = Table(rules, seed)
    put_pile(table, table.pile_types[:3])  # the rest is out of this round, so that the pile runs out soon
    turn, laid_in_turn = 1, 0
    while not table[slots.ENDED]:
        row, seat, recycles, hands = (
            player.choose(table),
            table[slots.SEAT],
            table[slots.RECYCLES_DONE],
            table.parts.hands.copy(),
        )
        laid = [] if row < 0 else table.laid_by(row)
        lying = table.discard_types + laid
        laid_in_turn += len(laid)
        table.step(row)
        if table[slots.RECYCLES_DONE] > recycles:
            stay = stays_out(table, lying, laid_in_turn)
            drawn = table.parts.hands[seat] - hands[seat] + np.bincount(laid, minlength=len(table.deck.cards))
            pile = np.flatnonzero(drawn).tolist() + table.pile_types
            fresh = [card for place, card in enumerate(lying) if place not in stay]
            assert table.discard_types == [lying[place] for place in sorted(stay)]
            assert pile == fresh if rules.recycle == "flip" else sorted(pile) == sorted(fresh)
        if table[slots.TURNS] > turn:
            turn, laid_in_turn = table[slots.TURNS], 0


def stays_out(table: Table, lying: list[int], laid_in_turn: int) -> set[int]:
    """The places of the discards that stay: above the active card, or an open wildcard, no other of its kind lies."""
    stay = set(range(len(lying) - laid_in_turn, len(lying)))
    for card in (table[slots.ACTIVE], table[slots.OPEN]):
        if card >= 0:
            stay.add(max(place for place, other in enumerate(lying) if other == card))
    return stay


def with_hidden_cards_swapped(table: Table, stream: random.Random) -> Table:
    """The same table to the seat to move: other hands and the pile hold other cards of those it cannot see."""
    other = copy(table)
    other.state = table.state.copy()
    other.parts, other.plays = slots.view(other.packed, other.state), slots.new_plays(other.packed)
    seat, teams = table[slots.SEAT], table.rules.teams
    hidden = [
        each
        for each in range(table.rules.players)
        if each != seat and not (table.rules.teammates_see_hands and teams[each] == teams[seat])
    ]
    hands = {each: table.types(table.hand(each)) for each in hidden}
    unseen = [card for hand in hands.values() for card in hand] + table.pile_types
    stream.shuffle(unseen)
    for each, hand in hands.items():
        for card in hand:
            kernel.remove_card(other.packed, other.state, each, card)
            kernel.add_card(other.packed, other.state, each, unseen.pop())
    put_pile_in_place(other, unseen)
    return other


def put_pile_in_place(table: Table, cards: list[int]) -> None:
    start = table[slots.PILE_AT]
    table.parts.pile[start : start + len(cards)] = cards


@pytest.mark.clause("R9.3")
@GAMES
@given(any_rules(rounds=1, turn_limit=40), SEEDS, PLAYERS)
def test_neither_what_a_seat_sees_nor_what_it_chooses_depends_on_hidden_cards(rules, seed, player):
    table, stream = Table(rules, seed), random.Random(seed)
    while not table[slots.ENDED]:
        if stream.random() < 0.3:
            other = with_hidden_cards_swapped(table, stream)
            check_every_card_is_somewhere(other)
            assert other.options() == table.options()
            assert observe(other.packed, other.state, other.deck) == observe(table.packed, table.state, table.deck)
            for code in SCORES.values():
                assert choice_of(other, code) == choice_of(table, code)
        table.step(player.choose(table))


def choice_of(table: Table, code: int) -> str:
    """The cards that a strategy would lay, with the same random numbers."""
    state, count = table.state.copy(), len(table.list_plays())
    row = int(choose(table.packed, state, table.plays, count, code))
    return "" if row < 0 else table.text(table.laid_by(row))


@pytest.mark.clause("R9.3")
@pytest.mark.parametrize("see", [False, True])
def test_a_seat_sees_its_teammates_hands_only_where_the_rules_show_them(see):
    table = lay_out(["5 9", "4", "6 6", "7"], team_sizes=(2, 2), teammates_see_hands=see, seat=1)
    seen = observe(table.packed, table.state, table.deck)
    assert {seat: " ".join(map(str, hand)) for seat, hand in seen.team_hands.items()} == ({0: "5 9"} if see else {})


@GAMES
@given(any_rules(rounds=1), SEEDS, SEEDS, PLAYERS)
def test_a_game_is_the_same_in_memory_that_another_game_has_used(rules, seed, other_seed, player):
    fresh, used = Table(rules, seed), Table(rules, other_seed)
    account_of_a_round(used, player)
    used.score()
    kernel.start_game(used.packed, used.state, seed, 0)
    for table in (fresh, used):
        for _ in range(20):
            if not table[slots.ENDED]:
                table.step(Player("random", 0).choose(table))
    assert np.array_equal(fresh.parts.public, used.parts.public)
    assert np.array_equal(fresh.parts.hands, used.parts.hands)
    assert np.array_equal(fresh.parts.tally, used.parts.tally)
    assert (fresh.pile, fresh.discards) == (used.pile, used.discards)


# --- the deal (R2.1, R2.2) ---------------------------------------------------------------------------------------------


def cards_in_the_order_of_the_deal(seed: int, wildcards: object) -> list[int]:
    """The shuffled deck, as far as a deal of one card to each of two players shows it: from the third card on."""
    table = Table(Rules(players=2, hand_size=1, wildcards=wildcards), seed)
    return [table[slots.ACTIVE], *table.pile_types]


@pytest.mark.clause("R2.1")
def test_wildcards_turned_up_go_under_the_pile_and_the_next_card_is_turned():
    mostly_wild = {"change-number": 60, "change-any": 60}
    most_turned = 0
    for seed in range(100):
        order = cards_in_the_order_of_the_deal(seed, mostly_wild)
        table = Table(Rules(players=2, hand_size=7, wildcards=mostly_wild), seed)
        if table.text(order[-1:]) in WILDCARDS:
            continue  # perhaps the deal that is to show the order had wildcards put under its pile, too
        dealt, rest = order[:12], order[12:]
        turned = next(place for place, card in enumerate(rest) if table.text([card]) not in WILDCARDS)
        most_turned = max(most_turned, turned)
        assert table[slots.ACTIVE] == rest[turned]
        assert table.pile_types == rest[turned + 1 :] + rest[:turned]
        assert not Counter(dealt) - Counter(table.types(table.hand(0)) + table.types(table.hand(1)))
        assert table[slots.REDEALS] == 0
    assert most_turned >= 2


@pytest.mark.clause("R2.1")
def test_with_only_wildcards_left_everything_is_shuffled_and_dealt_again():
    rules = Rules(players=2, hand_size=45, wildcards={"change-any": 6, "replay": 5})  # 91 cards: one is left to turn
    redeals = []
    for seed in range(400):
        table = Table(rules, seed)
        assert table.active not in WILDCARDS
        assert table.pile_types == []
        check_every_card_is_somewhere(table)
        redeals.append(table[slots.REDEALS])
    # One card in 91 / 11 is a wildcard, so that 400 deals need 55 deals more on average, give or take 8.
    assert 25 <= sum(redeals) <= 85
    assert max(redeals) >= 2


@pytest.mark.clause("R2.1")
def test_every_card_is_turned_up_first_about_equally_often():
    rules = Rules(players=2, hand_size=1, wildcards={})
    turned = Counter(Table(rules, 7, game).active for game in range(4000))
    assert set(turned) == {str(card) for card in rules.the_deck.cards if not card.is_wildcard}
    for card, copies in zip(rules.the_deck.cards, rules.copies, strict=True):
        assert abs(turned[str(card)] - 50 * copies) < 36 * copies**0.5 or copies == 0  # five standard deviations


@pytest.mark.clause("R2.2")
def test_seat_0_starts_and_seats_play_in_order():
    table = Table(Rules(players=5))
    seats = []
    for _ in range(11):
        seats.append(table[slots.SEAT])
        table.pass_turn()
    assert seats == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0]


# --- the turn (R2.3 to R2.6) -------------------------------------------------------------------------------------------


@pytest.mark.clause("R2.3")
def test_a_turn_is_a_match_a_calculation_a_change_a_replay_or_a_draw():
    table = lay_out(["3 1 2 9hen change-number change-picture change-any replay", "5"], active="3bee", pile="10")
    assert table.options() == {
        *("3", "1 2", "2 1", "change-picture", "change-picture 9hen"),
        *("change-any", "change-any 1", "change-any 2", "change-any 9hen", "replay"),
    }
    table.no_play()
    assert table.hand(0).split()[:4] == ["1", "2", "3", "10"]


@pytest.mark.clause("R2.4", "R4.2")
def test_after_a_draw_only_plays_with_the_drawn_card_are_allowed():
    table = lay_out(["3 5 1 change-number change-any replay", "9"], pile="2 10")
    table.no_play()
    assert table.options() == {"5 2", "1 2", "2 1", "change-number 2", "change-any 2"}
    table.no_play()
    assert (table[slots.SEAT], table.hand(0)) == (1, "1 2 3 5 change-number change-any replay")


@pytest.mark.clause("R2.4")
def test_drawing_is_allowed_with_a_play_in_hand_and_passes_the_turn_if_the_card_is_kept():
    table = lay_out(["3 3", "9"], pile="10")
    table.no_play()
    assert (table[slots.SEAT], table.hand(0), table.options()) == (0, "3 3 10", set())
    table.no_play()
    assert (table[slots.SEAT], table.hand(0)) == (1, "3 3 10")


@pytest.mark.clause("R2.4", "R5.2")
def test_a_drawn_wildcard_may_be_laid_like_any_other():
    table = lay_out(["3 5", "9"], pile="change-number 9")
    table.no_play()
    assert table.options() == {"change-number", "change-number 5"}
    table = lay_out(["3 5", "9"], pile="replay 9")
    table.no_play()
    assert table.options() == {"replay"}


@pytest.mark.clause("R2.4", "R5.1")
def test_after_drawing_and_playing_a_replay_may_follow():
    table = lay_out(["5 8 10 replay", "9"], pile="2")
    table.no_play()
    table.play("5 2")
    assert table.options() == {"replay"}
    table.play("replay")
    assert table.options() == {"10 8"}


@pytest.mark.clause("R2.5")
def test_discards_turned_over_are_drawn_in_the_order_in_which_they_were_laid():
    table = lay_out(["10", "10"], under="7 8bee 9 change-any", recycle="flip")
    for drawn in ("7", "8bee", "9", "change-any"):
        seat = table[slots.SEAT]
        hand = Counter(table.hand(seat).split())
        table.no_play()
        assert Counter(table.hand(seat).split()) - hand == Counter([drawn])
        table.no_play()
    assert (table.pile, table.discards, table[slots.RECYCLES_DONE]) == ("", "3", 1)


@pytest.mark.clause("R2.5")
def test_shuffled_discards_come_in_any_order():
    orders = set()
    for seed in range(60):
        table = lay_out(["10", "10"], under="7 8 9", seed=seed)
        table.no_play()
        drawn = table.text([table[slots.DRAWN]])
        orders.add(f"{drawn} {table.pile}")
    assert len(orders) == 6


@pytest.mark.clause("R2.5", "R4.3")
@pytest.mark.parametrize("recycle", ["shuffle", "flip"])
def test_the_active_card_and_the_open_wildcard_on_it_stay_out_of_a_new_pile(recycle):
    table = lay_out(["10bear", "10"], under="7 replay", open_wildcard="change-number", recycle=recycle)
    table.pass_turn()
    assert table.discards == "3 change-number"
    assert sorted([*table.pile.split(), *table.hand(0).split()]) == ["10bear", "7", "replay"]
    assert (table.active, table.open_wildcard) == ("3", "change-number")
    assert observe(table.packed, table.state, table.deck).discards == dict.fromkeys(
        table.deck.hand("3 change-number"), 1
    )


@pytest.mark.clause("R2.5")
def test_the_cards_laid_in_the_turn_stay_out_of_a_new_pile_and_the_card_covered_in_it_does_not():
    table = lay_out(["3bee replay 9", "10"], under="7", active="3", recycle="flip")
    table.play("3bee")
    table.play("replay")
    table.no_play()
    assert (table.hand(0), table.pile, table.discards) == ("7 9", "3", "3bee replay")


@pytest.mark.clause("R2.5", "R5.4")
def test_the_cards_of_a_turn_stay_out_of_its_second_new_pile_too():
    table = lay_out(["8bee replay replay 9", "10"], active="3bee")
    table.play("8bee")
    table.play("replay")
    table.no_play()
    table.play("3bee")  # the card that lay there before, drawn from a new pile
    table.play("replay")
    table.no_play()  # all that lies there was laid in this turn
    assert (table[slots.SEAT], table.hand(0)) == (1, "9")
    assert table.discards == "8bee replay 3bee replay"


@pytest.mark.clause("R2.5")
def test_with_nothing_to_draw_a_draw_gives_nothing_and_the_turn_is_over():
    table = lay_out(["10", "9"])
    table.no_play()
    assert (table[slots.SEAT], table.hand(0), table[slots.PILE_LEFT]) == (1, "10", 0)


@pytest.mark.clause("R2.5")
def test_a_round_stalls_when_all_have_passed_in_a_row_with_nothing_to_draw():
    table = lay_out(["10", "3 10", "10"])
    table.no_play()
    table.play("3")
    table.pass_turn()  # draws the covered card, so this is no pass
    assert table.hand(2) == "3 10"
    for _ in range(3):
        assert table[slots.ENDED] == slots.ENDED_NOT
        table.no_play()
    assert (table[slots.ENDED], table[slots.TURNS]) == (slots.ENDED_STALLED, 6)


@pytest.mark.clause("R2.5")
def test_only_those_who_still_play_count_for_a_stalled_round():
    table = lay_out(["10", "10", "3", "10"])
    table.no_play()
    table.no_play()
    table.play("3")
    table.pass_turn()  # draws the covered card
    assert table.hand(3) == "3 10"
    table.no_play()
    table.no_play()
    assert (table[slots.ENDED], table[slots.SEAT]) == (slots.ENDED_NOT, 3)
    table.no_play()
    assert table[slots.ENDED] == slots.ENDED_STALLED


@pytest.mark.clause("R2.5")
@pytest.mark.parametrize("limit", [1, 5])
def test_a_round_is_cut_after_the_turn_limit(limit):
    table = Table(Rules(players=3, turn_limit=limit))
    for turn in range(limit):
        assert (table[slots.ENDED], table[slots.TURNS]) == (slots.ENDED_NOT, turn + 1)
        table.pass_turn()
    assert (table[slots.ENDED], table[slots.TURNS]) == (slots.ENDED_CUT, limit)


@pytest.mark.clause("R2.5", "R7.1")
def test_a_round_that_is_finished_in_its_last_turn_is_not_cut():
    table = lay_out(["3", "5"], turn_limit=1)
    table.play("3")
    assert table[slots.ENDED] == slots.ENDED_FINISHED


@pytest.mark.clause("R2.6", "R8.2")
def test_unfinished_players_are_placed_by_fewest_cards_then_by_seat_from_the_starter():
    table = lay_out(["9 9", "9", "9 9", "9", "9 9 9", "9 9"], seat=2, turn_limit=1)
    table.no_play()
    table.score()
    assert table.by_seat(slots.PLACES) == [5, 2, 3, 1, 6, 4]
    assert table.tally(slots.POINTS) == [0, 0, 0, 0, 0, 0]


# --- change wildcards (R4) ---------------------------------------------------------------------------------------------


@pytest.mark.clause("R4.1")
@pytest.mark.parametrize(
    ("wildcard", "active", "covers"),
    [
        ("change-number", "3", True),
        ("change-number", "3bee", False),
        ("change-picture", "3", False),
        ("change-picture", "3bee", True),
        ("change-any", "3", True),
        ("change-any", "3bee", True),
    ],
)
def test_a_change_wildcard_covers_cards_of_its_type(wildcard, active, covers):
    assert lay_out([wildcard, "5"], active=active).options() == ({wildcard} if covers else set())


@pytest.mark.clause("R4.2")
def test_a_card_of_the_wildcards_type_may_follow_that_does_not_match_the_covered_card():
    pictures = lay_out(["change-picture 3 8bee 4hen 9duck 5", "5"], active="3bee")
    assert pictures.options() == {"3", "8bee", "change-picture", "change-picture 4hen", "change-picture 9duck"}
    numbers = lay_out(["change-number 3bee 4hen 9", "5"], active="3")
    assert numbers.options() == {"3bee", "change-number", "change-number 9"}
    both = lay_out(["change-any 3bee 4hen 9", "5"], active="3")
    assert both.options() == {"3bee", "change-any", "change-any 4hen", "change-any 9"}


@pytest.mark.clause("R4.2")
def test_the_card_that_follows_becomes_active_and_the_turn_is_over():
    table = lay_out(["change-any 4hen 9", "9duck"], active="3")
    table.play("change-any 4hen")
    assert (table.active, table.open_wildcard, table.discards) == ("4hen", None, "3 change-any 4hen")
    assert (table[slots.SEAT], table.hand(0)) == (1, "9")
    assert table.options() == set()  # no duck lies there


@pytest.mark.clause("R4.3")
@pytest.mark.parametrize(
    ("wildcard", "active", "allowed"),
    [
        ("change-number", "3", {"1", "2", "3", "replay"}),
        ("change-picture", "3bee", {"3bee", "8bee", "4hen", "replay"}),
        ("change-any", "3", {"1", "2", "3", "3bee", "8bee", "4hen", "replay"}),
    ],
)
def test_on_an_open_wildcard_any_single_card_of_its_type_is_laid_and_nothing_else(wildcard, active, allowed):
    table = lay_out([f"{wildcard} 9", "1 2 3 3bee 8bee 4hen change-number change-any replay"], active=active)
    table.play(wildcard)
    assert (table.open_wildcard, table.active) == (wildcard, active)
    assert table[slots.SEAT] == 1
    assert table.options() == allowed


@pytest.mark.clause("R4.3")
def test_a_card_on_an_open_wildcard_becomes_active_and_counts_as_any_other():
    table = lay_out(["7 9", "5 2 2"], open_wildcard="change-number")
    table.play("7")
    assert (table.active, table.open_wildcard, table.discards) == ("7", None, "3 change-number 7")
    assert table.options() == {"2 5", "5 2"}


@pytest.mark.clause("R4.3", "R2.5")
def test_a_wildcard_stays_open_over_passes_and_a_new_pile_until_it_is_covered():
    table = lay_out(["9duck", "9duck", "8"], pile="4hen", under="5cat", open_wildcard="change-number")
    table.pass_turn()
    table.pass_turn()
    assert table.hand(1) == "5cat 9duck"
    assert (table.open_wildcard, table[slots.RECYCLES_DONE], table.options()) == ("change-number", 1, {"8"})
    table.play("8")
    assert (table.active, table.open_wildcard) == ("8", None)


@pytest.mark.clause("R4.3", "R5.1")
def test_after_a_replay_the_player_may_cover_the_own_open_wildcard_but_not_with_a_matching_card():
    table = lay_out(["change-any replay 3 3bee 5 8bee", "3bee 9"], active="3bee")
    table.play("change-any")
    table.play("replay")
    assert table.options() == {"5"}
    table.pass_turn()
    assert (table[slots.SEAT], table.options()) == (1, {"3bee", "9"})  # the ban is over with the turn


@pytest.mark.clause("R4.3", "R5.2")
def test_a_replay_may_be_laid_on_an_open_wildcard_and_the_drawn_card_on_it_then():
    table = lay_out(["replay 9 9", "9"], pile="3 8", open_wildcard="change-number")
    table.play("replay")
    assert table.options() == {"3"}
    table.play("3")
    assert (table.active, table.open_wildcard, table.discards) == ("3", None, "3 change-number replay 3")


@pytest.mark.clause("R4.4")
def test_two_change_wildcards_never_follow_one_another_not_even_after_a_replay():
    table = lay_out(["change-number change-any replay 9", "change-any change-number 9hen"])
    table.play("change-number")
    assert table.options() == {"replay"}
    table.play("replay")
    assert table.options() == {"9"}
    table.no_play()  # nothing to draw
    assert (table[slots.SEAT], table.options()) == (1, set())


@pytest.mark.clause("R4.4")
def test_with_a_card_between_them_another_change_wildcard_may_be_laid():
    table = lay_out(["change-number 9 replay change-any 5", "change-any 7"], active="3")
    table.play("change-number 9")
    table.play("replay")
    assert table.options() == {"change-any", "change-any 5"}


@pytest.mark.clause("R4.5", "R7.1")
def test_a_change_wildcard_may_be_the_last_card_of_a_hand():
    table = lay_out(["change-any", "5", "6"])
    table.play("change-any")
    assert table.by_seat(slots.PLACES) == [1, 0, 0]
    assert (table[slots.SEAT], table.open_wildcard, table.options()) == (1, "change-any", {"5"})


# --- replay wildcards (R5) ---------------------------------------------------------------------------------------------


@pytest.mark.clause("R5.1", "R5.4")
def test_replays_give_turns_on_the_card_laid_last_before_them():
    table = lay_out(["3bee 8 9 1 replay replay", "5"], active="3")
    table.play("3bee")
    assert table.options() == {"replay"}
    table.play("replay")
    assert (table.active, table[slots.TURNS]) == ("3bee", 1)
    assert table.options() == {"replay"}  # 8, 9 and 1 do not make 3, and 8 is no bee
    table = lay_out(["3bee 8bee 8 10 2 replay replay", "5"], active="3")
    for cards, active in (("3bee", "3bee"), ("replay", "3bee"), ("8bee", "8bee"), ("replay", "8bee"), ("10 2", "2")):
        table.play(cards)
        assert table.active == active
    assert (table[slots.SEAT], table[slots.TURNS], table.hand(0)) == (1, 2, "8")
    assert table.discards == "3 3bee replay 8bee replay 10 2"


@pytest.mark.clause("R5.1")
def test_a_turn_without_a_replay_in_hand_is_over_with_the_play_and_with_one_by_choice():
    table = lay_out(["3 9", "3 9 replay", "9"])
    table.play("3")
    assert table[slots.SEAT] == 1
    table.play("3")
    assert table[slots.SEAT] == 1
    table.no_play()
    assert (table[slots.SEAT], table.hand(1)) == (2, "9 replay")


@pytest.mark.clause("R5.2")
def test_who_after_a_replay_will_not_play_draws_one_card_and_plays_it_or_keeps_it():
    table = lay_out(["3 3bee 5 replay", "9"], pile="2 2")
    table.play("3")
    table.play("replay")
    assert "3bee" in table.options()
    table.no_play()
    assert table.options() == {"5 2"}
    table.no_play()
    assert (table[slots.SEAT], table.hand(0)) == (1, "2 5 3bee")


@pytest.mark.clause("R5.2")
def test_a_replay_laid_without_a_play_obliges_to_draw_at_once():
    table = lay_out(["3 5 replay", "9"], pile="2 10")
    table.play("replay")
    assert (table.hand(0), table.active) == ("2 3 5", "3")
    assert table.options() == {"5 2"}  # not the 3 of the hand
    table.play("5 2")
    assert (table[slots.SEAT], table.hand(0)) == (1, "3")


@pytest.mark.clause("R5.2", "R5.4")
def test_a_drawn_replay_so_laid_obliges_to_draw_again():
    table = lay_out(["9 replay", "9"], pile="replay replay 3 10")
    table.play("replay")
    table.play("replay")
    table.play("replay")
    assert (table.hand(0), table.options(), table.pile) == ("3 9", {"3"}, "10")
    assert table.active == "3"


@pytest.mark.clause("R5.2", "R5.4")
def test_a_second_replay_after_a_play_obliges_to_draw():
    table = lay_out(["3 3bee 9 replay replay", "9"], pile="10 8")
    for cards in ("3", "replay", "replay"):
        table.play(cards)
    assert (table.hand(0), table.options(), table.active) == ("9 10 3bee", set(), "3")


@pytest.mark.clause("R5.3")
def test_a_replay_as_the_only_card_obliges_to_draw_and_does_not_end_the_hand():
    table = lay_out(["replay", "9", "9"], pile="10 8")
    table.play("replay")
    assert (table.hand(0), table[slots.SEAT], table[slots.FINISHED_SEATS]) == ("10", 0, 0)
    table.no_play()
    assert (table[slots.SEAT], table.by_seat(slots.PLACES)) == (1, [0, 0, 0])


@pytest.mark.clause("R5.3")
def test_a_replay_laid_last_after_a_play_obliges_to_draw_too():
    table = lay_out(["3 replay", "9", "9"], pile="3bee 8")
    table.play("3")
    table.play("replay")
    assert (table.hand(0), table.options(), table[slots.SEAT]) == ("", set(), 0)
    table.no_play()
    assert table.options() == {"3bee"}
    table.play("3bee")
    assert table.by_seat(slots.PLACES) == [1, 0, 0]


@pytest.mark.clause("R5.3", "R2.5")
def test_with_nothing_to_draw_a_hand_that_ends_with_a_replay_is_finished():
    table = lay_out(["replay", "9", "9"])
    table.play("replay")
    assert (table.by_seat(slots.PLACES), table[slots.SEAT]) == ([1, 0, 0], 1)
    table = lay_out(["3 replay", "9", "9"])
    table.play("3")
    table.play("replay")
    table.no_play()  # draws the covered 3, which the turn did not lay
    assert (table.hand(0), table.by_seat(slots.PLACES)) == ("3", [0, 0, 0])


@pytest.mark.clause("R5.3")
def test_after_a_draw_that_gives_a_replay_and_nothing_more_to_draw_the_hand_is_finished():
    table = lay_out(["replay", "9", "9"], pile="replay")
    table.play("replay")
    assert (table.hand(0), table.options()) == ("replay", {"replay"})
    table.play("replay")
    assert (table.by_seat(slots.PLACES), table[slots.SEAT]) == ([1, 0, 0], 1)


@pytest.mark.clause("R5.5", "R7.1")
def test_a_hand_that_is_empty_after_a_play_has_finished():
    table = lay_out(["5 2", "9", "9"], pile="replay")
    table.play("5 2")
    assert (table.by_seat(slots.PLACES), table[slots.SEAT], table[slots.PILE_LEFT]) == ([1, 0, 0], 1, 1)


# --- the end of a round (R7) -------------------------------------------------------------------------------------------


@pytest.mark.clause("R7.1", "R8.1", "R8.2")
@pytest.mark.parametrize("players", range(2, 13))
def test_a_round_ends_when_all_but_one_or_with_six_and_more_five_have_finished(players):
    table = lay_out(["3"] * players)
    enough = players - 1 if players <= 5 else 5
    for finished in range(enough):
        assert (table[slots.ENDED], table[slots.FINISHED_SEATS]) == (slots.ENDED_NOT, finished)
        table.play("3")
    assert table[slots.ENDED] == slots.ENDED_FINISHED
    table.score()
    assert table.by_seat(slots.PLACES) == list(range(1, players + 1))
    assert table.tally(slots.POINTS) == (PLACE_POINTS + [0] * 7)[:players]
    assert table.tally(slots.FINISHED) == [True] * enough + [False] * (players - enough)


@pytest.mark.clause("R7.1")
def test_a_round_ends_in_mid_turn():
    table = lay_out(["3 replay 3bee", "9"], pile="8")
    for cards in ("3", "replay", "3bee"):
        assert table[slots.ENDED] == slots.ENDED_NOT
        table.play(cards)
    assert (table[slots.ENDED], table[slots.TURNS], table.hand(1)) == (slots.ENDED_FINISHED, 1, "9")


@pytest.mark.clause("R7.2", "R8.2")
def test_a_round_ends_when_all_who_hold_cards_are_of_one_team():
    table = lay_out(["3", "3", "9", "9"], team_sizes=(2, 2))
    table.play("3")
    assert table[slots.ENDED] == slots.ENDED_NOT
    table.play("3")
    assert table[slots.ENDED] == slots.ENDED_TEAM
    table.score()
    assert table.tally(slots.POINTS) == [40, 32, 25, 19]


@pytest.mark.clause("R7.2")
def test_a_round_goes_on_while_two_teams_hold_cards():
    table = lay_out(["3", "9", "3", "9"], team_sizes=(2, 2), pile="10")
    table.play("3")
    table.pass_turn()
    table.play("3")
    assert (table[slots.ENDED], table[slots.SEAT]) == (slots.ENDED_NOT, 3)


@pytest.mark.clause("R7.2", "R8.2")
def test_with_six_players_in_teams_only_those_who_finished_score():
    table = lay_out(["9", "9 9", "9", "3", "3", "3"], team_sizes=(3, 3), seat=3)
    for _ in range(3):
        table.play("3")
    table.score()
    assert table[slots.ENDED] == slots.ENDED_TEAM
    assert table.by_seat(slots.PLACES) == [4, 6, 5, 1, 2, 3]
    assert table.tally(slots.POINTS) == [0, 0, 0, 40, 32, 25]


# --- points (R8) -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("R8.3", "R3.2")
@pytest.mark.parametrize(
    ("cards", "active", "bonus"),
    [
        ("10 4 2", "3", 0),  # (10 - 4) / 2
        ("8 9 7 7", "3", 7),  # 8 + 9 - 7 - 7
        ("8 8 1 1 9", "5", 14),  # 8 + 8 - 1 - 1 - 9
        ("7 7 7 6 6 6", "3", 21),  # 7 + 7 + 7 - 6 - 6 - 6
        ("9 9 9 9 1 10 10 10", "5", 35),  # 9 + 9 + 9 + 9 - 1 - 10 - 10 - 10
    ],
)
def test_a_master_stroke_earns_seven_points_and_seven_more_for_each_card_above_four(cards, active, bonus):
    table = lay_out([cards, "9"], active=active)
    table.play(cards)
    table.score()
    assert table.tally(slots.BONUS) == [bonus, 0]
    assert table.tally(slots.POINTS) == [40 + bonus, 32]


@pytest.mark.clause("R8.3")
def test_calculations_before_and_after_a_replay_are_not_added_up():
    table = lay_out(["5 2 replay 10 8", "9"])
    for cards in ("5 2", "replay", "10 8"):
        table.play(cards)
    table.score()
    assert table.tally(slots.CALCULATIONS) == [2, 0]
    assert table.tally(slots.POINTS) == [40, 32]


@pytest.mark.clause("R8.3")
def test_strokes_of_one_round_add_up():
    table = lay_out(["8 9 7 7 replay 9 9 1 10", "9"])
    for cards in ("8 9 7 7", "replay", "9 9 1 10"):  # 8 + 9 - 7 - 7 = 3, 9 + 9 - 1 - 10 = 7
        table.play(cards)
    table.score()
    assert table.tally(slots.POINTS) == [40 + 7 + 7, 32]


@pytest.mark.clause("R8.2", "R8.3")
@pytest.mark.parametrize(("players", "keeps", "points"), [(5, False, 14 + 7), (6, False, 0), (6, True, 7)])
def test_with_six_players_the_unfinished_keep_their_strokes_only_by_the_option(players, keeps, points):
    hands = ["8 9 7 7 10 10 10 10", *["9"] * (players - 1)]
    table = lay_out(hands, unfinished_bonus=keeps, turn_limit=1)
    table.play("8 9 7 7")
    table.score()
    assert table.by_seat(slots.PLACES)[0] == players
    assert table.tally(slots.POINTS)[0] == points


@pytest.mark.clause("R8.4")
@pytest.mark.parametrize(
    ("bonus", "starter"),
    [
        ([0, 0, 0, 0, 0], 0),
        ([0, 14, 0, 0, 0], 1),  # 40, 46
        ([0, 0, 0, 21, 0], 0),  # 40, 32, 25, 40: a tie goes to the earlier finisher
        ([0, 14, 21, 0, 0], 1),  # 40, 46, 46
        ([0, 0, 0, 0, 35], 4),  # 40, 32, 25, 19, 49
    ],
)
def test_the_player_with_most_points_in_a_round_starts_the_next(bonus, starter):
    table = finished_round(bonus, rounds=2)
    table.next_round()
    assert (table[slots.ROUND], table[slots.STARTER], table[slots.SEAT]) == (1, starter, starter)
    assert not table[slots.EXTRA_ROUND]


@pytest.mark.clause("R8.4", "R9.3")
def test_the_player_with_most_points_starts_in_team_games_too():
    table = finished_round([0, 0, 0, 28, 0], rounds=2, team_sizes=(3, 2))  # the first team has 97, seat 3 has 47
    table.next_round()
    assert table[slots.SEAT] == 3
    assert table.by_seat(slots.TOTALS)[:2] == [97, 61]


def finished_round(bonus: list[int], before: tuple[int, ...] = (), **options) -> Table:
    """A scored round in which the seats finished in their order, with these master strokes and totals `before` it."""
    table = lay_out(["3"] * len(bonus), **options)
    table.state[slots.TOTALS : slots.TOTALS + len(before)] = before
    finish_in_order(table, dict(enumerate(bonus)))
    return table


def finish_in_order(table: Table, bonus: dict[int, int]) -> None:
    """Let every seat that is dealt in finish in turn, from the starter on, and score; some have master strokes."""
    dealt_in = table.by_seat(slots.IN_ROUND)
    for seat, hand in enumerate(table.parts.hands.tolist()):
        for card, copies in enumerate(hand):
            for _ in range(copies):
                kernel.remove_card(table.packed, table.state, seat, card)
        if dealt_in[seat]:
            kernel.add_card(table.packed, table.state, seat, table.types("3")[0])
    put_discards(table, "", "3", "")
    while not table[slots.ENDED]:
        table.play("3")
    for seat, points in bonus.items():
        table.parts.tally[seat, slots.BONUS] = points
    table.score()


# --- play-offs and teams (R9.2, R9.3) ----------------------------------------------------------------------------------


@pytest.mark.clause("R9.2")
def test_a_tie_for_the_first_place_is_played_off_by_the_tied_alone():
    table = finished_round([0, 0, 0, 21], before=(0, 9, 0, 0))  # 40, 41, 25, 40
    table.next_round()
    assert table[slots.GAME_OVER]
    assert (table[slots.TIED], table.by_seat(slots.GAME_PLACES)) == (0, [2, 1, 4, 2])

    table = finished_round([0, 0, 0, 21])  # 40, 32, 25, 40
    table.next_round()
    assert (table[slots.EXTRA_ROUND], table[slots.DEALT_IN], table[slots.GAME_OVER]) == (1, 2, 0)
    assert table.by_seat(slots.IN_ROUND) == [1, 0, 0, 1]
    assert table.by_seat(slots.HELD) == [7, 0, 0, 7]
    assert table[slots.SEAT] == 0  # both had 40 in the last round: the earlier finisher
    check_every_card_is_somewhere(table)
    table.pass_turn()
    assert table[slots.SEAT] == 3
    table.pass_turn()
    finish_in_order(table, {})
    table.next_round()
    assert (table[slots.GAME_OVER], table[slots.TIED], table[slots.ROUND]) == (1, 0, 2)
    assert table.by_seat(slots.GAME_PLACES) == [1, 3, 4, 2]
    assert table.by_seat(slots.TOTALS) == [40, 32, 25, 40]


@pytest.mark.clause("R9.2")
def test_the_tied_player_with_most_points_in_the_last_round_starts_the_extra_round():
    table = finished_round([0, 0, 0, 0], before=(0, 8, 15, 0))  # 40, 40, 40, 19
    table.next_round()
    assert (table.by_seat(slots.IN_ROUND), table[slots.SEAT]) == ([1, 1, 1, 0], 0)
    table = finished_round([0, 0, 14, 0], before=(2, 10, 3, 0))  # 42, 42, 42: in the last round 40, 32, 39
    table.next_round()
    assert (table.by_seat(slots.IN_ROUND), table[slots.SEAT]) == ([1, 1, 1, 0], 0)
    table = finished_round([0, 0, 21, 0], before=(6, 14, 0, 0))  # 46, 46, 46: in the last round 40, 32, 46
    table.next_round()
    assert (table.by_seat(slots.IN_ROUND), table[slots.SEAT]) == ([1, 1, 1, 0], 2)


@pytest.mark.clause("R9.2")
def test_those_still_tied_play_another_extra_round():
    table = finished_round([0, 0, 0], before=(0, 8, 15))  # all have 40
    table.next_round()
    finish_in_order(table, {1: 14, 2: 21})  # 40, 46, 46
    table.next_round()
    assert not table[slots.GAME_OVER]
    assert (table.by_seat(slots.IN_ROUND), table[slots.SEAT]) == ([0, 1, 1], 1)
    finish_in_order(table, {2: 14})  # 40, 46
    table.next_round()
    assert (table[slots.GAME_OVER], table[slots.TIED], table[slots.ROUND]) == (1, 0, 3)
    assert table.by_seat(slots.GAME_PLACES) == [3, 2, 1]
    assert table.by_seat(slots.TOTALS) == [40, 40, 40]


@pytest.mark.clause("R9.2")
@pytest.mark.parametrize(("play_off", "over"), [("win", True), ("none", True), ("all", False)])
def test_places_after_the_first_are_played_off_only_where_all_are(play_off, over):
    table = finished_round([0, 0, 7, 0], play_off=play_off)  # 40, 32, 32, 19
    table.next_round()
    assert bool(table[slots.GAME_OVER]) == over
    if over:
        assert (table[slots.TIED], table.by_seat(slots.GAME_PLACES)) == (0, [1, 2, 2, 4])
        return
    assert table.by_seat(slots.IN_ROUND) == [0, 1, 1, 0]
    finish_in_order(table, {2: 14})  # 40, 46
    table.next_round()
    assert (table[slots.GAME_OVER], table.by_seat(slots.GAME_PLACES)) == (1, [1, 3, 2, 4])


@pytest.mark.clause("R9.2")
def test_without_play_offs_a_tie_stands_and_is_marked():
    table = finished_round([0, 0, 0, 21], play_off="none")
    table.next_round()
    assert (table[slots.GAME_OVER], table[slots.TIED], table[slots.ROUND]) == (1, 1, 1)
    assert table.by_seat(slots.GAME_PLACES) == [1, 3, 4, 1]


@pytest.mark.clause("R9.2")
def test_after_ten_extra_rounds_a_tie_stands_and_is_marked():
    table = Table(Rules(players=6, turn_limit=1))  # nobody finishes, so nobody scores
    rounds = []
    while not table[slots.GAME_OVER]:
        table.pass_turn()
        table.score()
        rounds.append((table[slots.EXTRA_ROUND], table[slots.DEALT_IN]))
        table.next_round()
    assert rounds == [(0, 6), *[(1, 6)] * 10]
    assert (table[slots.TIED], table.by_seat(slots.GAME_PLACES)) == (1, [1] * 6)


@pytest.mark.clause("R9.2", "R7.1", "R8.2")
def test_an_extra_round_ends_and_scores_by_the_number_dealt_in():
    table = finished_round([0] * 7, before=(0, 8, 15, 21, 0, 0, 0))  # 40, 40, 40, 40, 14, 0, 0
    table.next_round()
    assert table[slots.DEALT_IN] == 4
    finish_in_order(table, {})
    assert table[slots.FINISHED_SEATS] == 3
    assert table.tally(slots.POINTS)[:4] == [40, 32, 25, 19]


@pytest.mark.clause("R9.2", "R9.3", "R7.2")
def test_teams_play_off_with_all_their_members():
    table = finished_round([0] * 6, before=(0, 28, 0), team_sizes=(2, 2, 2))
    assert table[slots.ENDED] == slots.ENDED_TEAM
    assert table.tally(slots.POINTS) == [40, 32, 25, 19, 0, 0]  # with 28 before: 72, 72 and 0
    table.next_round()
    assert (table[slots.DEALT_IN], table.by_seat(slots.IN_ROUND)) == (4, [1, 1, 1, 1, 0, 0])
    finish_in_order(table, {3: 28})  # 40 and 32 against 25 and 19 + 28
    assert table[slots.ENDED] == slots.ENDED_TEAM
    table.next_round()
    assert (table[slots.GAME_OVER], table[slots.SEAT]) == (0, 3)
    finish_in_order(table, {})  # from seat 3 on: 40, then 32 and 25 for the first team, and 19
    assert table[slots.ENDED] == slots.ENDED_FINISHED
    table.next_round()
    assert (table[slots.GAME_OVER], table[slots.TIED]) == (1, 0)
    assert table.by_seat(slots.GAME_PLACES)[:3] == [2, 1, 3]
    assert table.by_seat(slots.TOTALS)[:3] == [72, 72, 0]


@pytest.mark.clause("R9.3")
def test_members_of_a_team_sit_together_and_its_score_is_their_sum():
    table = finished_round([0, 0, 0, 0, 7], rounds=2, team_sizes=(2, 3))  # 40, 32 and 25, 19, 21
    table.next_round()
    assert table.by_seat(slots.PARTY) == [0, 0, 1, 1, 1]
    assert table.by_seat(slots.TOTALS)[:2] == [72, 65]
    assert table.by_seat(slots.GAME_PLACES)[:2] == [1, 2]
    assert observe(table.packed, table.state, table.deck).scores == (72, 72, 65, 65, 65)
