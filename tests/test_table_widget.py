"""The table: acts from a script and from the front end, what stays hidden, hints, faults, rounds and score sheets."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from test_golden import lay_out

from nambarz_sim import Rules, Session
from nambarz_sim._numba import COMPILED
from nambarz_sim.engine import state as slots
from nambarz_sim.strategies import STRATEGIES
from nambarz_sim.strategies.pupil import Pupil

module = pytest.importorskip("nambarz_sim.widgets.table", reason="needs the extra `notebooks`")
Table = module.Table
OTHERS = "1 1 1 1 7 7 7 7"
FRONT_ENDS = Path(module.__file__).parent


def ask(table: Any, act: str, field: str = "", /, **values: Any) -> str:
    """What the front end asks for; the sentence shown beside the field. Anything but a refusal fails the test."""
    table.receive({"act": act, "field": field, "values": values})
    assert "This did not work" not in table.error.get("message", ""), table.error
    assert not table.error or table.error["field"] == field
    return str(table.error.get("message", ""))


def refusal(call: Callable[..., object], *arguments: object, **named: object) -> str:
    """The library's own sentence."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(*arguments, **named)
    return str(caught.value)


def laid_out(*hands: str, active: str, pile: str = "...", **options: Any) -> Any:
    """A table with cards laid out by hand."""
    table = Table(Rules(players=len(hands), **options), strategies="random", seed=1)
    lay_out(
        table.session, {"active": active, "pile": pile, **{f"hand {seat}": hand for seat, hand in enumerate(hands)}}
    )
    table._show()
    return table


def play_round(table: Any, *, laying: bool = True) -> None:
    """The first legal play each time, or draws only, as the front end would."""
    for _ in range(2_000):
        if table.view["sheet"]:
            return
        can, plays = table.view["can"], table.session.plays
        if plays and laying:
            play = plays[0]
            assert ask(table, "lay", "lay", attempt=" ".join(map(str, play.cards))) == ""
        else:
            assert ask(table, next(act for act in ("draw", "keep", "end_turn") if can[act]), "lay") == ""
    pytest.fail("the round does not end")


def in_play(session: Session) -> list[int]:
    """The state without the kernels' scratch."""
    return list(session._state[: session._packed[slots.AT_SCRATCH]])


def text_of(table: Any) -> str:
    return json.dumps(table.view)


# --- starting and the set-up ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 6, 12])
def test_a_table_for_any_number_of_players(players: int) -> None:
    table = Table(Rules(players=players), seed=3)
    assert table.session.seats == ("you", *["greedy"] * (players - 1))
    assert len(table.view["seats"]) == players
    assert len(table.view["hand"]) == 7
    assert table.error == {}


def test_strategies_for_all_or_for_each() -> None:
    assert Table(Rules(players=3), "master").session.seats == ("you", "master", "master")
    assert Table(Rules(players=3), ["master", "random"]).session.seats == ("you", "master", "random")
    assert "strategies: 3 are given for 2 players" in refusal(Table, Rules(players=3), ["master"] * 3)
    assert "strategy: 'grædy' is not known" in refusal(Table, strategies="grædy")


def test_the_deal_is_the_sessions() -> None:
    table = Table(Rules(players=3), seed=11)
    assert table.session.hands == Session(Rules(players=3), seed=11).hands
    table.new_game()
    assert table.session.hands == Session(Rules(players=3), seed=11, game=1).hands
    assert refusal(Table, seed=-1) == refusal(Session, seed=-1)


def test_without_a_seed_the_deals_differ() -> None:
    assert len({Table(Rules(players=2)).session.hands for _ in range(4)}) > 1


def test_the_set_up_waits_for_a_new_game() -> None:
    table = Table(Rules(players=3), seed=1)
    before = table.session
    for name, value in (
        ("players", 5), ("wildcards", "top-level"), ("operations", "+-"), ("strategies", "random"), ("seed", "8"),
    ):  # fmt: skip
        assert ask(table, "choose", name, **{name: value}) == ""
    assert table.session is before
    assert ask(table, "new_game") == ""
    rules = table.session.rules
    assert (rules.players, sum(rules.wildcards), rules.operations) == (5, 4, "+-")
    assert table.session.seats == ("you", *["random"] * 4)
    assert table.session.hands == Session(rules, seed=8).hands
    assert ask(table, "choose", "strategies", strategies=["random", "master", "greedy", "thrifty"]) == ""
    assert ask(table, "choose", "players", players=6) == ""
    assert table.set_up.strategies == ("random", "master", "greedy", "thrifty", "thrifty")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", 13), ("players", "many"), ("wildcards", "<b>seven</b>"), ("wildcards", "7"), ("operations", ""),
        ("operations", "+%"),
    ],
)  # fmt: skip
def test_what_is_refused_in_the_set_up_has_the_librarys_sentence(name: str, value: object) -> None:
    table = Table(Rules(players=3), seed=1)
    before = table.view
    value_given = int(value) if value == "7" else value
    assert ask(table, "choose", name, **{name: value}) == refusal(Rules(players=3).replace, **{name: value_given})
    assert table.view == before
    assert ask(table, "choose", name, players=4) == ""


def test_a_game_that_cannot_be_dealt_is_refused_beside_the_players() -> None:
    table = Table(Rules(players=3, wildcards="top-level"), seed=1)
    assert "12 players with 7 cards each" in ask(table, "choose", "players", players=12)
    assert table.set_up.rules.players == 3


@pytest.mark.parametrize("seed", ["", "-1", "a"])
def test_a_bad_seed_is_refused(seed: str) -> None:
    table = Table(Rules(players=2), seed=4)
    assert ask(table, "choose", "seed", seed=seed).startswith(f"seed: {seed!r} is not allowed")
    assert table.view["seed"] == "4"


# --- what stays hidden ------------------------------------------------------------------------------------------------


def test_the_view_is_the_same_whatever_the_others_hold() -> None:
    one = laid_out("3 4 5bear", "1 2 6turtle", "7 8 9hen", active="5cat", pile="10 10 1 ...")
    other = laid_out("3 4 5bear", "10 10 1", "6dragonfly 9 change-any", active="5cat", pile="2 7 8 ...")
    assert text_of(one) == text_of(other)
    assert one.view["hand"][0]["text"] == "3"


def test_cards_that_others_draw_stay_hidden() -> None:
    table = Table(Rules(players=4), "random", seed=2)
    told = []
    for _ in range(3 if COMPILED else 1):
        play_round(table, laying=False)
        told += [event for event in table.events if event.seat > 0]
        hidden = {event.text for event in table.session.log if event.seat > 0 and event.drawn}
        assert not hidden & {line["text"] for line in table.view["log"]}
        table.next_round()
    assert all(event.drawn == () for event in told)
    assert any(event.text.endswith("draws 1 card") for event in told)
    assert all(event.text.endswith("has 7 cards") for event in told if event.act == "hand")


def test_the_front_end_is_sent_nothing_but_what_may_be_seen() -> None:
    assert set(Table(Rules(players=2), seed=1).get_state()) >= {"view", "error", "pictures"}
    synced = {
        name for name, trait in Table(Rules(players=2), seed=1).traits(sync=True).items() if not name.startswith("_")
    }
    assert synced - {"view", "error", "pictures", "layout", "tabbable", "tooltip", "comm", "keys"} == set()


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_a_script_plays_by_the_same_acts() -> None:
    table = laid_out("10 4 2 6 8", OTHERS, active="3bee")
    event = table.lay("(10-4)/2")
    assert event.expression == "(10 - 4) ÷ 2"
    assert table.view["status"]["state"] == "legal"
    assert table.session.log[-1].seat == 1
    assert table.view["seats"][0]["cards"] == 2
    assert [line["text"] for line in table.view["log"]] == [
        event.text for event in table.events if event.act != "hand" or event.seat == 0
    ]


def test_cards_with_signs_are_laid_from_left_to_right() -> None:
    table = laid_out("10 4 2 6 8", OTHERS, active="3bee")
    assert ask(table, "lay", "lay", attempt="10 4 2", operations="-/") == ""
    assert "seat 0 (you) lays (10 - 4) ÷ 2 = 3" in [event.text for event in table.events]


def test_a_fault_is_explained_and_costs_its_penalty() -> None:
    table = laid_out("6 5 2 10 8", OTHERS, active="3bee", pile="4 4 4 ...")
    explained = str(table.session.judge("6+5+2-10"))
    event = table.lay("6+5+2-10")
    assert event.fault == "R6.1"
    assert table.view["status"] == {"state": "fault", "text": f"{explained} Drawn: 4 4 4."}
    assert sorted(card["text"] for card in table.view["hand"]) == ["10", "4", "4", "4", "5", "8"]


def test_what_is_no_attempt_costs_nothing() -> None:
    table = laid_out("6 5 2 10 8", OTHERS, active="3bee")
    before = table.view
    for attempt in ("(6+", "<img src=x onerror=alert(1)>", "7+7", "__import__('os')", ""):
        assert ask(table, "lay", "lay", attempt=attempt) == refusal(table.session.attempt, attempt)
        assert table.view == before
    assert "operations" in ask(table, "lay", "lay", attempt="6 5 2", operations="+")
    assert table.view == before


def test_a_card_laid_is_laid() -> None:
    assert not [act for act in Table.acts if "undo" in act or "take" in act or "back" in act]


@pytest.mark.parametrize("act", ["keep", "end_turn", "lay_replay"])
def test_what_cannot_be_done_now_says_why(act: str) -> None:
    table = laid_out("6 5 2 10 8", OTHERS, active="3bee")
    assert table.view["can"][act] is False
    assert ask(table, act, "lay") == refusal(getattr(table.session, act))


def test_draw_then_keep() -> None:
    table = laid_out("6 5", OTHERS, active="3bee", pile="9 ...")
    assert ask(table, "draw") == ""
    assert table.view["can"] == {"draw": False, "keep": True, "end_turn": False, "lay_replay": False}
    assert [card["text"] for card in table.view["hand"] if card["drawn"]] == ["9"]
    assert "you have drawn 9" in table.view["turn"]
    assert ask(table, "keep") == ""
    assert table.view["turn"] == "Your turn."
    assert table.view["status"]["text"] == "seat 0 (you) keeps the card"


def test_a_replay_by_its_button_and_the_end_of_a_turn() -> None:
    table = laid_out("3 8 9 replay replay", OTHERS, active="3bee")
    assert ask(table, "lay", "lay", attempt="3") == ""
    assert table.view["can"] == {"draw": False, "keep": False, "end_turn": True, "lay_replay": True}
    assert ask(table, "lay_replay", "lay") == ""
    assert table.view["can"]["draw"]
    table = laid_out("3 8 9 replay", OTHERS, active="3bee")
    table.lay("3")
    assert ask(table, "end_turn") == ""
    assert table.view["turn"] == "Your turn."


def test_an_open_wildcard_is_shown_on_the_covered_card() -> None:
    table = laid_out("3 8 change-any", OTHERS, active="3bee")
    table.session._state[slots.OPEN] = table.session._deck.type_of(table.session.hands[0][-1])
    table._show()
    assert table.view["covered"] == {"text": "3bee", "name": "3 bee"}


# --- hints ------------------------------------------------------------------------------------------------------------


def test_hints_come_on_request_only_and_tell_more_when_asked_again() -> None:
    table = laid_out("10 4 2 6 8 3 replay", OTHERS, active="3bee")
    assert (table.view["hint"], table.view["verdict"], table.view["previews"]) == ("", None, False)
    before = in_play(table.session)
    plays = table.session.plays
    assert ask(table, "hint", "hint") == ""
    assert table.view["hint"].startswith(f"You have {len(plays)} legal plays: ")
    assert "1 single card and 1 replay" in table.view["hint"]
    told = [table.hint() for _ in range(len(plays) + 1)]
    assert told[0] == told[-1] == f"One of them: {plays[0].expression}."
    assert len(set(told)) == len(plays)
    assert in_play(table.session) == before
    table.lay("3")
    assert table.view["hint"] == ""


def test_without_a_play_the_hint_says_what_is_left() -> None:
    table = laid_out("9 9", OTHERS, active="3bee", pile="9 9 ...")
    assert table.hint() == "You have no legal play: draw."
    table.draw()
    assert table.hint() == "You have no legal play: keep the card."


def test_a_preview_changes_nothing() -> None:
    table = laid_out("6 5 2 10 8", OTHERS, active="3bee")
    hands, events = table.session.hands, len(table.session.log)
    assert ask(table, "show_previews", "hint", shown=True) == ""
    assert ask(table, "preview", "preview", attempt="6 5 2 10", operations="++-") == ""
    assert table.view["verdict"]["clause"] == "R6.1"
    assert ask(table, "preview", "preview", attempt="(6+") == ""
    assert table.view["verdict"]["state"] == "refused"
    assert ask(table, "preview", "preview", attempt="", operations=None) == ""
    assert table.view["verdict"] is None
    assert (table.session.hands, len(table.session.log)) == (hands, events)


# --- rounds and score sheets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4, 7] if COMPILED else [2])
def test_the_score_sheet_is_what_the_engine_says(players: int) -> None:
    table = Table(Rules(players=players), seed=5)
    play_round(table)
    end = next(event for event in table.session.log if event.act == "round")
    rows = {row["seat"]: row for row in table.sheet}
    assert [row["place"] for row in table.sheet] == sorted(end.places)
    assert tuple(rows[seat]["points"] for seat in range(players)) == end.points
    assert tuple(rows[seat]["cards"] for seat in range(players)) == tuple(len(hand) for hand in table.session.hands)
    for seat in range(players):
        bonus = [event.bonus for event in table.session.log if event.seat == seat and event.bonus]
        assert (rows[seat]["strokes"], rows[seat]["bonus"]) == (len(bonus), sum(bonus))
        assert rows[seat]["total"] == end.points[seat]
    assert table.view["sheet"] == table.sheet
    assert (table.view["hand"], table.view["can"], table.view["turn"]) == ([], {}, "")
    assert "the round is over" in ask(table, "draw", "lay")
    assert "the round is over" in ask(table, "hint", "hint")


def test_the_next_round_belongs_to_the_game_until_it_is_over() -> None:
    table = Table(Rules(players=2, rounds=2, play_off="none"), seed=5)
    assert "the round is not over" in ask(table, "next_round", "next_round")
    play_round(table)
    first = {row["seat"]: row["total"] for row in table.sheet}
    game = table.session
    assert table.view["next"] == "Next round"
    assert ask(table, "next_round") == ""
    assert table.session is game
    assert table.view["title"] == "Round 2 of 2"
    assert [seat["points"] for seat in table.view["seats"]] == [first[0], first[1]]
    play_round(table)
    assert all(row["total"] == first[row["seat"]] + row["points"] for row in table.sheet)
    assert table.view["next"] == "New game"
    assert "the game is over" in table.view["log"][-1]["text"]
    assert ask(table, "next_round") == ""
    assert table.session is not game
    assert table.sheet == []


def test_who_never_lays_loses_and_the_log_tells_the_round_in_order() -> None:
    table = Table(Rules(players=3), seed=9)
    play_round(table, laying=False)
    assert table.sheet[-1]["seat"] == 0
    turns = [event.turn for event in table.events]
    assert all(before <= after for before, after in pairwise(turns))


def test_teams_are_named() -> None:
    table = Table(Rules(players=4, team_sizes=(2, 2)), seed=1)
    assert [seat["team"] for seat in table.view["seats"]] == ["team 0", "team 0", "team 1", "team 1"]
    play_round(table)
    assert len(table.sheet) == 4


# --- errors, and the front end ----------------------------------------------------------------------------------------


def test_a_function_may_play_and_what_it_raises_is_shown() -> None:
    def first(observation: Any, plays: list[Any]) -> Any:
        if observation.turns > 4:
            raise RuntimeError("out of ideas")
        return plays[0] if plays else None

    table = Table(Rules(players=2), first, seed=1)
    assert table.set_up.shown()["known"] == [*STRATEGIES, *Pupil.presets(), "first"]
    for _ in range(12):
        if table.error:
            break
        table.receive({"act": "draw" if table.view["can"]["draw"] else "keep", "field": "lay", "values": {}})
    assert table.error == {"field": "lay", "message": "This did not work (RuntimeError: out of ideas). Try again."}
    assert "turn of seat 1" in table.view["turn"]


def test_pupils_may_sit_at_the_table() -> None:
    year = Pupil.preset("year-2")
    table = Table(Rules(players=3), [year, "year-1"], seed=4)
    assert table.set_up.strategies == (year.name, "year-1:greedy")
    while not table.round_over:
        can = table.view["can"]
        table.draw() if can["draw"] else table.keep() if can["keep"] else table.end_turn()
    assert any(event.fault for event in table.events)
    table.choose(strategies=["year-6", "greedy"])
    assert table.set_up.strategies == ("year-6", "greedy")


def test_an_unknown_act_is_refused() -> None:
    table = Table(Rules(players=2), seed=1)
    assert "act: '_deal_game' is not known" in ask(table, "_deal_game")


def test_many_acts_leave_one_widget() -> None:
    table = Table(Rules(players=2), seed=1)
    model = table.model_id
    for change in range(50):
        assert ask(table, "choose", "players", players=2 + change % 11) == ""
        assert ask(table, "new_game") == ""
    assert table.model_id == model
    assert table.session.rules.players == 2 + 49 % 11


@pytest.mark.parametrize("name", ["panel.js", "table.js"])
def test_the_front_end_writes_no_markup_and_runs_no_text(name: str) -> None:
    source = (FRONT_ENDS / name).read_text(encoding="utf-8")
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in source


def test_the_log_is_a_live_region_that_stays() -> None:
    source = (FRONT_ENDS / "table.js").read_text(encoding="utf-8")
    assert 'role: "log", "aria-live": "polite"' in source
