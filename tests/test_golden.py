"""Short games move by move: transcripts as they were read against the rules, with their scores worked out by hand.

A file of `golden` has a head and, below a line of dashes, the game: a line ``> play 10 4 2`` is a person's act, ``! play
7`` an act that must be refused, and every other line is an event. The head has comment lines, the rules, and a seed to
deal or the cards as they lie: ``hand 0``, ``active``, ``pile`` (the card to be drawn first in front; ``...`` stands for
the rest of the deck in its order) and ``discards``. The figures of the comment lines are worked out from the cards and
the rules, never taken from the program, and compared with what the program says.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from nambarz_sim.engine import kernel
from nambarz_sim.engine import state as slots
from nambarz_sim.rules import RANKED_PLAYERS, Rules
from nambarz_sim.session import Session

GOLDEN = Path(__file__).parent / "golden"
SEAT_LINE = re.compile(r"# round (\d+), seat (\d+): place (\d+) = (\d+), strokes (\d+), points (\d+)\b.*")
GAME_LINE = re.compile(r"# game, (?:seat|team) (\d+): ([\d +]+) = (\d+), place (\d+)\b.*")


@dataclass(frozen=True)
class Golden:
    """A file of `golden`: its comment lines, settings by name, and the lines of the game."""

    comments: list[str]
    settings: dict[str, str]
    game: list[str]

    @property
    def rules(self) -> Rules:
        options = tomllib.loads(f"options = {{ {self.settings['rules']} }}")["options"]
        if "deck" in options:
            options["deck"] = str(GOLDEN / options["deck"])
        return Rules(**options)


def read(name: str) -> Golden:
    head, game = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").split("\n---\n")
    lines = [line for line in head.splitlines() if line]
    settings = dict(line.split(": ", 1) for line in lines if not line.startswith("#"))
    return Golden([line for line in lines if line.startswith("#")], settings, game.splitlines())


# --- a game laid out and played ---------------------------------------------------------------------------------------


def open_table(golden: Golden) -> Session:
    """A session with the cards dealt by the seed, or as the file lays them."""
    seats = golden.settings.get("seats", "you").split()
    session = Session(golden.rules, int(golden.settings.get("seed", 1)), seats if len(seats) > 1 else seats[0])
    if "active" in golden.settings:
        lay_out(session, golden.settings)
    return session


def lay_out(session: Session, settings: dict[str, str]) -> None:
    """Put every card where the file says, and open the log anew."""
    packed, state, deck = session._packed, session._state, session._deck
    parts = slots.view(packed, state)
    hands = [types_of(session, settings[f"hand {seat}"]) for seat in range(session.rules.players)]
    discards = types_of(session, f"{settings.get('discards', '')} {settings['active']}")
    pile = types_of(session, settings.get("pile", "").removesuffix("..."))
    left = Counter(dict(enumerate(session.rules.copies)))
    left.subtract([*(card for hand in hands for card in hand), *discards, *pile])
    assert min(left.values()) >= 0, "more copies of a card than the deck has"
    pile += sorted(left.elements())
    assert sum(left.values()) == 0 or settings.get("pile", "").endswith("..."), "cards of the deck lie nowhere"
    state[packed[slots.AT_HANDS] : packed[slots.AT_PILE]] = 0
    state[slots.HELD : slots.HELD + session.rules.players] = 0
    for seat, hand in enumerate(hands):
        for card in hand:
            kernel.add_card(packed, state, seat, card)
    parts.pile[: len(pile)] = pile
    parts.discards[: len(discards)] = discards
    state[slots.PILE_AT], state[slots.PILE_LEFT] = 0, len(pile)
    state[slots.DISCARDED : slots.DISCARDED + len(deck.cards)] = [
        discards.count(card) for card in range(len(deck.cards))
    ]
    state[slots.DISCARDS] = state[slots.TURN_START] = len(discards)
    state[slots.ACTIVE], state[slots.ACTIVE_AT] = discards[-1], len(discards) - 1
    session.log.clear()
    session._recorder.deal()


def types_of(session: Session, cards: str) -> list[int]:
    return [session._deck.type_of(card) for card in session._deck.hand(cards)]


def act(session: Session, words: str) -> None:
    """One act of a person, as the file writes it."""
    name, _, cards = words.partition(" ")
    if name == "play":
        session.play(cards)
    elif name == "attempt":
        laid, _, operations = cards.partition(" | ")
        session.attempt(laid, operations or None)
    else:
        {
            "draw": session.draw, "keep": session.keep, "end": session.end_turn,
            "replay": session.lay_replay, "advance": session.advance,
        }[name]()  # fmt: skip


def transcript(golden: Golden) -> tuple[list[str], Session]:
    """The file's acts, refused acts and the events that the session tells, line by line."""
    session = open_table(golden)
    lines = [str(event) for event in session.log]
    for line in golden.game:
        told = len(session.log)
        if line.startswith("! "):
            with pytest.raises(ValueError, match=r"\w"):
                act(session, line[2:])
        elif line.startswith("> "):
            act(session, line[2:])
        else:
            continue
        lines += [line, *(str(event) for event in session.log[told:])]
    return lines, session


# --- the figures worked out by hand -----------------------------------------------------------------------------------


def compare_rounds(golden: Golden, session: Session) -> None:
    """Places, strokes and points of each seat and round."""
    found = [SEAT_LINE.fullmatch(line) for line in golden.comments]
    figures = {(int(line[1]), int(line[2])): [int(line[part]) for part in (3, 4, 5, 6)] for line in found if line}
    rounds = [event for event in session.log if event.act == "round"]
    dealt = {(event.round, seat) for event in rounds for seat, place in enumerate(event.places) if place}
    assert figures.keys() == dealt
    for event in rounds:
        in_round = sum(place > 0 for place in event.places)
        for seat, place in enumerate(event.places):
            if not place:
                continue
            own_place, place_points, strokes, points = figures[event.round, seat]
            assert place_points + strokes == points
            assert (place, event.points[seat]) == (own_place, points)
            if in_round <= RANKED_PLAYERS or place <= RANKED_PLAYERS:
                assert strokes == sum(
                    told.bonus for told in session.log if (told.round, told.seat) == (event.round, seat)
                )


def compare_game(golden: Golden, session: Session) -> None:
    """Totals and places of each seat or team."""
    found = [line for line in map(GAME_LINE.fullmatch, golden.comments) if line]
    assert session.over
    event = session.log[-1]
    assert event.act == "game"
    assert [int(line[1]) for line in found] == list(range(len(event.points)))
    for line in found:
        party = int(line[1])
        assert sum(map(int, line[2].split("+"))) == int(line[3])
        assert (event.points[party], event.places[party]) == (int(line[3]), int(line[4]))


def check(name: str) -> None:
    golden = read(name)
    lines, session = transcript(golden)
    assert lines == golden.game
    compare_rounds(golden, session)
    compare_game(golden, session)


# --- the games --------------------------------------------------------------------------------------------------------


def test_every_file_is_compared():
    source = Path(__file__).read_text(encoding="utf-8")
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(
        re.findall(r'^    check\("(\w+)"\)', source, re.MULTILINE)
    )


@pytest.mark.clause("R2.4", "R4.1", "R4.2", "R4.3", "R4.4", "R4.5")
def test_change_number():
    check("change_number")


@pytest.mark.clause("R4.1", "R4.2", "R4.3", "R4.5")
def test_change_picture():
    check("change_picture")


@pytest.mark.clause("R2.4", "R4.1", "R4.2", "R4.3", "R4.4", "R4.5")
def test_change_any():
    check("change_any")


@pytest.mark.clause("R3.1", "R5.1", "R5.2", "R5.4")
def test_replay():
    check("replay")


@pytest.mark.clause("R2.5", "R5.3", "R5.5")
def test_replay_as_the_last_card():
    check("replay_as_last_card")


@pytest.mark.clause("R4.3", "R4.4", "R5.1")
def test_replay_on_an_open_wildcard():
    check("replay_on_open_wildcard")


@pytest.mark.clause("R6.1", "R6.7", "R6.8")
def test_not_the_fewest_cards():
    check("not_the_fewest")


@pytest.mark.clause("R6.1", "R6.7")
def test_a_faulty_master_stroke_earns_nothing():
    check("not_the_fewest_stroke")


@pytest.mark.clause("R3.6", "R6.2")
def test_a_matching_card_used():
    check("matching_card_used")


@pytest.mark.clause("R3.4", "R6.3", "R6.6")
def test_types_mixed():
    check("types_mixed")


@pytest.mark.clause("R6.4", "R6.10")
def test_a_wrong_result():
    check("wrong_result")


@pytest.mark.clause("R3.3", "R3.5", "R3.8", "R6.4", "R6.8", "R6.10")
def test_steps_and_operations_that_are_not_allowed():
    check("steps_and_operations")


@pytest.mark.clause("R6.5", "R6.9")
def test_a_wildcard_misused():
    check("wildcard_misused")


@pytest.mark.clause("R2.5")
def test_discards_turned_over():
    check("recycled_by_turning_over")


@pytest.mark.clause("R2.5", "R2.6", "R4.3")
def test_discards_shuffled():
    check("recycled_by_shuffling")


@pytest.mark.clause("R2.5", "R2.6")
def test_a_stalled_round():
    check("stalled")


@pytest.mark.clause("R2.5", "R2.6", "R8.2", "R8.3")
def test_a_cut_round():
    check("cut")


@pytest.mark.clause("R7.2", "R9.3")
def test_a_round_that_a_team_ends():
    check("team_ending")


@pytest.mark.clause("R8.3")
def test_master_strokes_are_counted_one_by_one():
    check("master_strokes")


@pytest.mark.clause("R7.1", "R8.1", "R8.2", "R8.3")
def test_six_players():
    check("six_players")


@pytest.mark.clause("R7.1", "R8.4", "R9.1", "R9.2")
def test_a_play_off():
    check("play_off")


@pytest.mark.clause("R2.1", "R2.2", "R2.3", "R3.2", "R8.1")
def test_a_game_dealt_by_a_seed():
    check("dealt_by_seed")
