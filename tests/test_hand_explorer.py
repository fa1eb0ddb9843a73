"""The hand explorer: what a script can do with it, what its front end is shown, and errors beside their field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nambarz_sim.cards import Card
from nambarz_sim.engine.plays import find_plays
from nambarz_sim.rules import Rules
from nambarz_sim.verdict import judge

widgets = pytest.importorskip("nambarz_sim.widgets.hand_explorer", reason="needs the extra `notebooks`")
HandExplorer = widgets.HandExplorer

HAND = "10 4 2 7fish 4hen 8 change-any"


@pytest.fixture
def explorer() -> Any:
    return HandExplorer(hand=HAND, active="3bee")


def act(widget: Any, name: str, /, field: str = "", **values: Any) -> None:
    """Do an act as the front end asks for it; one that raises fails the test."""
    widget.receive({"act": name, "field": field, "values": values})
    assert widget.error == {}


def refused(widget: Any, name: str, /, field: str = "", **values: Any) -> str:
    """The sentence that an act is refused with; all else must stay as it was."""
    view, situation = widget.view, widget._now
    widget.receive({"act": name, "field": field, "values": values})
    assert widget.view == view
    assert widget._now == situation
    assert widget.error["field"] == field
    return str(widget.error["message"])


def texts(cards: Any) -> str:
    return " ".join(str(card) for card in cards)


def sentence(call: Any, *arguments: Any, **named: Any) -> str:
    """What a call of the library is refused with."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is what is asked for
        call(*arguments, **named)
    return str(caught.value)


def shown_plays(widget: Any) -> list[str]:
    return [play["text"] for group in widget.view["groups"] for play in group["plays"]]


# --- what is shown -----------------------------------------------------------------------------------------------------


def test_a_script_reads_what_the_front_end_shows(explorer: Any) -> None:
    assert texts(explorer.hand) == HAND
    assert str(explorer.active) == "3bee"
    assert explorer.rules == Rules()
    assert explorer.plays == find_plays(HAND, "3bee")
    assert explorer.selection == ()
    assert explorer.verdict is None
    assert explorer.drawn is None
    assert sorted(shown_plays(explorer)) == sorted(str(play) for play in explorer.plays)
    assert explorer.view["verdict"] is None


def test_the_view_is_plain_data(explorer: Any) -> None:
    explorer.select("10 4 2")
    assert json.loads(json.dumps(explorer.view)) == explorer.view


def test_every_card_has_a_picture_and_a_name(explorer: Any) -> None:
    cards = [*explorer.view["hand"], explorer.view["active"], *explorer.view["actives"], *explorer.view["deck"]]
    for card in cards:
        assert explorer.pictures[card["text"]].startswith("data:image/svg+xml;base64,")
        assert card["name"]
    assert explorer.view["hand"][3]["name"] == "7 fish"


def test_plays_are_grouped_by_kind_and_number_of_cards(explorer: Any) -> None:
    found = {group["key"]: group["count"] for group in explorer.view["groups"]}
    kinds = [(play.kind, len(play.cards)) for play in explorer.plays]
    assert found == {f"{kind}-{size}": kinds.count((kind, size)) for kind, size in kinds}
    assert [group["title"] for group in explorer.view["groups"]] == [
        "Calculations with 3 cards",
        "Calculations with 2 cards",
        "Change wildcard and a card on it, 2 cards",
        "Change wildcard left open, 1 card",
    ]


def test_master_strokes_are_marked_in_words() -> None:
    explorer = HandExplorer(hand="10bear 1dragonfly 1turtle 9duck 3", active="3bee")
    first = explorer.view["groups"][0]
    assert first["title"] == "Calculations with 4 cards"
    assert first["stroke"] == "master stroke, 7 extra points"
    assert explorer.view["count"] == f"{len(explorer.plays)} legal plays, {first['count']} master strokes"
    assert explorer.view["groups"][-1]["stroke"] == ""


def test_every_play_has_its_steps(explorer: Any) -> None:
    steps = {play["text"]: play["steps"] for group in explorer.view["groups"] for play in group["plays"]}
    assert steps["(10 - 4) ÷ 2"] == "10 - 4 = 6, 6 ÷ 2 = 3"
    assert steps["change-any 8"] == "Change-any covers 3 bee, and 8 is the new active card."
    assert all(steps.values())


def test_a_match_and_a_replay_have_their_steps() -> None:
    explorer = HandExplorer(hand="8bee replay", active="3bee")
    steps = {play["text"]: play["steps"] for group in explorer.view["groups"] for play in group["plays"]}
    assert steps["8bee"] == "8 bee matches 3 bee: the same animal, bee."
    assert steps["replay"].startswith("A replay")


def test_a_hand_without_a_play_says_so() -> None:
    assert HandExplorer(hand="7", active="3").view["count"] == "No legal play: draw a card"


def test_long_groups_are_shown_on_request(explorer: Any) -> None:
    deck = explorer.rules.the_deck
    whole = [card for card, copies in zip(deck.cards, explorer.rules.copies, strict=True) for _ in range(copies)]
    explorer.set_hand(" ".join(map(str, whole)))
    key, count = max(((group["key"], group["count"]) for group in explorer.view["groups"]), key=lambda pair: pair[1])

    def shown() -> int:
        return len(next(group for group in explorer.view["groups"] if group["key"] == key)["plays"])

    assert count > widgets.PLAYS_SHOWN == shown()
    act(explorer, "show_all", group=key)
    assert shown() == count
    explorer.set_active("4")
    assert shown() == widgets.PLAYS_SHOWN


# --- the hand ----------------------------------------------------------------------------------------------------------


def test_without_a_hand_one_is_dealt_the_same_each_time() -> None:
    assert HandExplorer().hand == HandExplorer().hand
    assert len(HandExplorer(rules=Rules(hand_size=12)).hand) == 12


def test_a_deal_is_found_again_by_its_number(explorer: Any) -> None:
    act(explorer, "deal")
    hand, active, seed = explorer.hand, explorer.active, explorer.view["seed"]
    assert len(hand) == 7
    act(explorer, "deal")
    act(explorer, "deal", seed=seed)
    assert (explorer.hand, explorer.active) == (hand, active)
    explorer.remove_card(0)
    assert explorer.view["seed"] == ""


def test_a_deal_leaves_no_trace_of_the_last_selection(explorer: Any) -> None:
    explorer.select("10 4")
    explorer.deal(3)
    assert explorer.selection == ()
    assert explorer.verdict is None


def test_a_hand_is_clicked_together(explorer: Any) -> None:
    act(explorer, "clear")
    assert explorer.hand == ()
    assert explorer.view["count"].startswith("No legal play")
    for text in ("10", "4", "2", "7fish"):
        act(explorer, "add_card", text=text)
    act(explorer, "remove_card", place=3)
    assert texts(explorer.hand) == "10 4 2"
    assert [str(play) for play in explorer.plays] == ["(10 - 4) ÷ 2", "(10 + 2) ÷ 4"]


def test_the_deck_tells_how_many_are_left(explorer: Any) -> None:
    left = {card["text"]: card["left"] for card in explorer.view["deck"]}
    assert (left["10"], left["7fish"], left["change-any"]) == (3, 1, 2)


def test_a_hand_is_typed(explorer: Any) -> None:
    act(explorer, "set_hand", text="8, 5 2fish")
    assert texts(explorer.hand) == "8 5 2fish"
    assert explorer.view["hand_text"] == "8 5 2fish"


def test_taking_a_card_out_keeps_the_rest_selected(explorer: Any) -> None:
    explorer.select("10 4 2")
    act(explorer, "remove_card", place=1)
    assert texts(explorer.selection) == "10 2"
    act(explorer, "remove_card", place=2)
    assert texts(explorer.selection) == "10 2"


# --- what it is played on, and the rules -------------------------------------------------------------------------------


def test_an_open_wildcard_takes_single_cards(explorer: Any) -> None:
    act(explorer, "set_active", text="change-number")
    assert explorer.view["active"]["open"]
    assert [group["title"] for group in explorer.view["groups"]] == ["Single cards on the open wildcard"]
    assert sorted(shown_plays(explorer)) == ["10", "2", "4", "8"]


def test_what_may_be_active_comes_from_the_engine(explorer: Any) -> None:
    known = [card["text"] for card in explorer.view["actives"]]
    assert known == [str(card) for card in explorer.rules.the_deck.cards if card.kind != "replay"]


def test_a_drawn_card_must_be_used(explorer: Any) -> None:
    act(explorer, "set_drawn", text="2")
    assert explorer.drawn == Card("number", 2)
    assert explorer.plays == find_plays(HAND, "3bee", drawn="2")
    explorer.select("7fish 4hen")
    assert explorer.verdict.refused
    act(explorer, "set_drawn", text="")
    assert explorer.verdict.legal


def test_a_drawn_card_taken_out_was_not_drawn(explorer: Any) -> None:
    explorer.set_drawn("2")
    explorer.remove_card(2)
    assert explorer.drawn is None


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"operations": "+-"}, Rules(operations="+-")),
        ({"wildcards": "experienced"}, Rules(wildcards="experienced")),
        ({"wildcards": "8"}, Rules(wildcards=8)),
        ({"players": 6}, Rules(players=6)),
        ({"hand_size": "12"}, Rules(hand_size=12)),
    ],
)
def test_rules_are_chosen(explorer: Any, options: dict[str, Any], rules: Rules) -> None:
    act(explorer, "choose", **options)
    assert explorer.rules == rules
    assert explorer.plays == find_plays(HAND, "3bee", rules)


def test_rules_are_chosen_by_name_in_a_script(explorer: Any) -> None:
    explorer.set_operations("+ −")
    explorer.set_wildcards({"change-any": 1})
    explorer.set_players(3)
    assert explorer.rules == Rules(operations="+-", wildcards={"change-any": 1}, players=3)
    explorer.deal()
    assert len(explorer.hand) == 7


def test_decks_of_other_numbers_and_animals(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    file.write_text(
        "kind,number,animal,copies\nnumber,0,,4\nnumber,12,,9\nnumber,50,,9\nnumber,99,,9\npicture,50,yak,9\n"
        "picture,62,emu,9\nchange-any,,,3\n",
        encoding="utf-8",
    )
    explorer = HandExplorer(hand="50 12 62emu change-any", active="62emu", rules=Rules(deck=str(file), players=2))
    assert "50 + 12" in shown_plays(explorer)
    explorer.select("50 12")
    assert explorer.verdict.explanation.startswith("50 + 12 = 62.")
    act(explorer, "deal")
    assert len(explorer.hand) == 7


# --- the selection -----------------------------------------------------------------------------------------------------


def test_cards_are_selected_in_the_order_pressed(explorer: Any) -> None:
    for place in (0, 2, 1):
        act(explorer, "toggle", place=place)
    assert texts(explorer.selection) == "10 2 4"
    assert [card["order"] for card in explorer.view["hand"]] == [1, 3, 2, 0, 0, 0, 0]
    assert explorer.verdict == judge("10 2 4", HAND, "3bee")
    assert explorer.view["selected"] == "10 2 4"
    act(explorer, "toggle", place=0)
    assert texts(explorer.selection) == "2 4"
    act(explorer, "clear_selection")
    assert explorer.verdict is None


def test_pressing_a_play_selects_its_cards(explorer: Any) -> None:
    for group in explorer.view["groups"]:
        for play in group["plays"]:
            act(explorer, "select", text=play["cards"])
            assert explorer.verdict.legal, play
            assert explorer.view["selected"] == play["cards"]
            assert explorer.view["verdict"]["state"] == "legal"


def test_the_verdict_tells_reason_cards_penalty_and_a_better_play() -> None:
    explorer = HandExplorer(hand="6 5 2 10 10bear 1dragonfly 1turtle 9duck", active="3bee")
    explorer.select("6 5 2 10")
    verdict, expected = explorer.view["verdict"], judge("6 5 2 10", texts(explorer.hand), "3bee")
    assert verdict["state"] == "fault"
    assert (verdict["clause"], verdict["mistake"]) == ("R6.1", "not the fewest cards")
    assert verdict["explanation"] == expected.explanation
    assert texts(card["text"] for card in verdict["laid"]) == "6 2"
    assert texts(card["text"] for card in verdict["returned"]) == "5 10"
    assert verdict["penalty"] == "draw 3 cards"
    assert verdict["better"]["text"] == str(expected.better)
    act(explorer, "select", text=verdict["better"]["cards"])
    assert explorer.view["verdict"]["bonus"] == "7 extra points"


def test_the_same_card_twice_is_two_places() -> None:
    explorer = HandExplorer(hand="8 8 1 1 9", active="5")
    explorer.select("8 8 1 1 9")
    assert [card["order"] for card in explorer.view["hand"]] == [1, 2, 3, 4, 5]
    assert explorer.verdict.bonus == 14


def test_signs_are_any_that_work_or_chosen(explorer: Any) -> None:
    explorer.select("10 4 2")
    assert explorer.view["signs"] == {"places": 2, "chosen": "", "found": "-/", "start": "-/"}
    act(explorer, "choose_signs", text="-/")
    assert explorer.verdict.legal
    act(explorer, "choose_signs", text="− +")
    assert explorer.view["signs"]["chosen"] == "-+"
    assert explorer.verdict.fault == "R6.4"
    assert explorer.verdict.explanation.startswith("10 - 4 + 2 makes 8, not 3.")
    act(explorer, "choose_signs", text="")
    assert explorer.verdict.legal


def test_chosen_signs_follow_the_selection(explorer: Any) -> None:
    explorer.select("10 4")
    explorer.choose_signs("-")
    explorer.toggle(2)
    assert explorer.view["signs"]["chosen"] == "-+"
    explorer.choose_signs("-/")
    explorer.toggle(0)
    assert texts(explorer.selection) == "4 2"
    assert explorer.view["signs"]["chosen"] == "/"
    explorer.toggle(6)
    assert explorer.view["signs"] == {"places": 0, "chosen": "", "found": "", "start": ""}
    assert explorer.verdict.fault == "R6.5"
    explorer.toggle(0)
    explorer.toggle(6)
    assert explorer.view["signs"] == {"places": 2, "chosen": "/+", "found": "", "start": "++"}
    explorer.clear_selection()
    explorer.select("10 4")
    assert explorer.view["signs"]["chosen"] == ""


def test_a_replay_may_be_announced_behind_chosen_signs() -> None:
    explorer = HandExplorer(hand="10 4 2 replay", active="3bee")
    explorer.select("10 4 2 replay")
    explorer.choose_signs("-/")
    assert explorer.verdict.legal
    assert explorer.view["signs"]["places"] == 2


# --- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3 zebra", "11", "10 10 10 10 10", "<b>3</b>", "__import__('os')", "3bee" * 200])
def test_a_malformed_hand_has_the_sentence_of_the_library(explorer: Any, text: str) -> None:
    expected = sentence(find_plays, text, "3bee")
    assert refused(explorer, "set_hand", "hand", text=text) == expected
    assert sentence(explorer.set_hand, text) == expected


def test_more_copies_than_the_deck_are_refused(explorer: Any) -> None:
    act(explorer, "set_hand", text="7fish 7fish")
    assert refused(explorer, "add_card", "hand", text="7fish").startswith("hand: 3 x 7fish, but the deck has 2;")


def test_an_impossible_active_card_is_refused(explorer: Any) -> None:
    assert refused(explorer, "set_active", "active", text="replay").startswith("active: a replay wildcard never")
    assert "11" in refused(explorer, "set_active", "active", text="11")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"operations": ""}, Rules),
        ({"operations": "%"}, Rules),
        ({"wildcards": "begginer"}, Rules),
        ({"wildcards": "<i>4</i>"}, Rules),
        ({"players": "two"}, Rules),
        ({"hand_size": "-1"}, Rules),
        ({"rulez": 3}, None),
    ],
)
def test_malformed_rules_have_the_sentence_of_the_library(explorer: Any, options: dict[str, Any], named: Any) -> None:
    message = refused(explorer, "choose", next(iter(options)), **options)
    assert named is None or message == sentence(named, **options)
    assert next(iter(options)) in message


def test_rules_that_cannot_be_dealt_are_refused(explorer: Any) -> None:
    explorer.set_wildcards("top-level")
    assert refused(explorer, "choose", "players", players=12) == sentence(Rules, players=12, wildcards="top-level")


def test_fewer_wildcards_than_in_the_hand_are_refused(explorer: Any) -> None:
    assert refused(explorer, "choose", "wildcards", wildcards="0").startswith("hand: 1 x change-any")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("toggle", {"place": 7}),
        ("toggle", {"place": -1}),
        ("toggle", {"place": "x"}),
        ("remove_card", {"place": 99}),
        ("select", {"text": "9 9"}),
        ("deal", {"seed": "next"}),
        ("set_drawn", {"text": "1"}),
        ("choose_signs", {"text": "+"}),
        ("close", {}),
        ("receive", {}),
    ],
)
def test_other_acts_that_are_not_possible(explorer: Any, name: str, values: dict[str, Any]) -> None:
    assert refused(explorer, name, "somewhere", **values)


def test_signs_that_do_not_fit_are_refused(explorer: Any) -> None:
    explorer.select("10 4 2")
    assert "give 2 signs" in refused(explorer, "choose_signs", text="+")
    assert "give 2 signs" in refused(explorer, "choose_signs", text="+%")
    with pytest.raises(ValueError, match="3 cards"):
        explorer.choose_signs("+++")


def test_an_error_goes_away_with_the_next_act(explorer: Any) -> None:
    refused(explorer, "set_hand", "hand", text="zebra")
    act(explorer, "toggle", place=0)


def test_an_unexpected_error_is_shown_too(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("out of paper")

    monkeypatch.setattr(widgets, "find_plays", fail)
    assert "out of paper" in refused(explorer, "toggle", "hand", place=0)


@pytest.mark.parametrize("named", [{"hand": "zebra"}, {"active": "replay"}, {"hand": "11"}])
def test_impossible_arguments_raise(named: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"known|active"):
        HandExplorer(**named)


def test_fifty_updates_in_a_row_are_one_output(explorer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sent: list[Any] = []
    explorer._send = lambda message, buffers=None: sent.append(message)
    for number in range(50):
        act(explorer, "toggle", place=number % 7)
    assert len([message for message in sent if "view" in message.get("state", {})]) == 50
    assert capsys.readouterr() == ("", "")
    assert explorer.view["count"] == "10 legal plays"


# --- the front end -----------------------------------------------------------------------------------------------------


def test_the_front_end_takes_texts_as_texts_and_knows_no_rule() -> None:
    source = HandExplorer._esm
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "document.write"):
        assert forbidden not in source
    assert "http" not in source


def test_the_front_end_asks_only_for_acts_that_there_are() -> None:
    own = (Path(widgets.__file__).with_suffix(".js")).read_text(encoding="utf-8")
    asked = {part.split('"')[0] for mark in ('send("', 'act: "') for part in own.split(mark)[1:]}
    assert asked <= set(HandExplorer.acts)
    assert all(callable(getattr(HandExplorer, name)) for name in HandExplorer.acts)
