"""A game against the computer in a terminal: what is asked, told and kept hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from nambarz_sim.rules import Rules
from nambarz_sim.session import Session
from nambarz_sim.terminal import play_game, score_sheet


def lines(*words: str) -> Callable[[str], str]:
    """A person who writes these lines and then stops."""
    left: Iterator[str] = iter(words)

    def ask(prompt: str) -> str:
        word = next(left, None)
        if word is None:
            raise EOFError
        return word

    return ask


def table(seed: int = 7, **options: object) -> Session:
    return Session(Rules(players=3, **options), seed=seed, seats=["you", "greedy", "thrifty"])


def told(session: Session, *words: str) -> list[str]:
    """What the terminal shows to a person who writes these lines and stops."""
    shown: list[str] = []
    with pytest.raises(EOFError):
        play_game(session, lines(*words), shown.append)
    return shown


@pytest.mark.parametrize("seed", range(3))
def test_a_round_to_its_end_with_its_score_sheet(seed: int) -> None:
    session = table(seed)
    shown: list[str] = []

    def ask(prompt: str) -> str:
        assert prompt == "seat 0> "
        if session.plays:
            return session.plays[0].expression
        return "draw" if session.can_draw() else "keep" if session.can_keep() else "end"

    play_game(session, ask, shown.append)
    assert session.over
    sheet = shown[-1]
    assert sheet == score_sheet(session)
    points = next(event.points for event in session.log if event.act == "round")
    for seat, player in enumerate(session.seats):
        row = next(line for line in sheet.splitlines() if line.startswith(f"seat {seat} ({player})"))
        assert f" {points[seat]} (place " in row


def test_the_others_cards_stay_hidden() -> None:
    session = table(1)
    shown: list[str] = []

    def ask(prompt: str) -> str:
        return "draw" if session.can_draw() else "keep" if session.can_keep() else "end"

    play_game(session, ask, shown.append)
    draws = [line for line in shown if re.match(r"seat [12] .* draws ", line)]
    assert draws
    assert all(re.search(r"draws \d+ cards?$", line) for line in draws)
    assert not [line for line in shown if re.match(r"seat [12] \(\w+\) has \d", line)]


def test_a_wrong_calculation_is_explained_and_costs_its_penalty() -> None:
    session = table()
    shown = told(session, "4 - 1")
    explained = next(line for line in shown if "makes 3, not 10" in line)
    assert "All cards go back to your hand. You draw 3 cards as a penalty" in explained
    assert len(session.hands[0]) == 10


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("4 +", "attempt: This makes no sense from character 4 on: it stops too early"),
        ("9", "attempt: 9 is not in your hand. Use cards of your hand: "),
        ("keep", "keep: only after drawing a card; now play, draw, or lay a replay"),
        ("end", "end_turn: only after a play"),
        ("help", "  (10-4)/2          lay a calculation; right or wrong, a card laid is laid"),
        ("", "  (10-4)/2          lay a calculation"),
    ],
)
def test_what_changes_nothing_is_answered(line: str, answer: str) -> None:
    session = table()
    events = len(session.log)
    shown = told(session, line)
    assert any(text.startswith(answer) for text in shown)
    assert len(session.log) == events


def test_hints_tell_how_many_and_then_which() -> None:
    session = table()
    shown = told(session, "hint", "hint")
    assert "There are 5 plays: calculation, change." in shown
    assert "For example 6turtle + 4duck." in shown
    without = next(game for game in (table(seed, hand_size=1) for seed in range(20)) if not game.plays)
    assert "There is no play: draw a card, or keep it, or end the turn." in told(without, "hint")


def test_the_drawn_card_is_told_to_its_player_only() -> None:
    session = table()
    shown = told(session, "draw")
    drawn = session.drawn
    assert drawn is not None
    assert f"seat 0 (you) draws {drawn}" in shown
    assert any(f"You have drawn {drawn}" in text for text in shown)


def test_the_log_tells_it_again_and_quit_stops() -> None:
    shown = told(table(), "log", "quit", "draw")
    assert shown.count("round 1: 10 is turned up, seat 0 starts") == 2
    assert not any("draws" in line for line in shown)


def test_an_open_wildcard_and_a_replay_are_shown() -> None:
    session = table()
    shown: list[str] = []

    def ask(prompt: str) -> str:
        plays = sorted(session.plays, key=lambda play: (play.kind == "replay", play.kind))
        if plays and plays[0].kind != "replay":
            return plays[0].expression
        return "draw" if session.can_draw() else "keep" if session.can_keep() else "end"

    for seed in range(20):
        session = table(seed, hand_size=4)
        play_game(session, ask, shown.append)
    assert any("To cover: change-" in text and ", open" in text for text in shown)
    assert any("You may lay your replay, or end the turn." in text for text in shown)
