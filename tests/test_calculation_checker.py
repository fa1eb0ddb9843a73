"""The calculation checker: verdicts with their steps, the last ones, and errors beside their field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nambarz_sim.engine.plays import find_plays
from nambarz_sim.rules import Rules
from nambarz_sim.verdict import judge

widgets = pytest.importorskip("nambarz_sim.widgets.calculation_checker", reason="needs the extra `notebooks`")
CalculationChecker = widgets.CalculationChecker

HAND = "10 4 2 7fish 4hen 8 change-any replay"


@pytest.fixture
def checker() -> Any:
    return CalculationChecker()


@pytest.fixture
def with_hand() -> Any:
    return CalculationChecker(active="3bee", hand=HAND)


def act(widget: Any, name: str, /, field: str = "", **values: Any) -> None:
    """Do an act as the front end asks for it; one that raises fails the test."""
    widget.receive({"act": name, "field": field, "values": values})
    assert widget.error == {}


def refused(widget: Any, name: str, /, field: str = "", **values: Any) -> str:
    """The sentence that an act is refused with; all else must stay as it was."""
    before = (widget.view, widget._now, widget.verdict, widget.recent)
    widget.receive({"act": name, "field": field, "values": values})
    assert (widget.view, widget._now, widget.verdict, widget.recent) == before
    assert widget.error["field"] == field
    return str(widget.error["message"])


# --- verdicts ----------------------------------------------------------------------------------------------------------


def test_at_first_there_is_no_verdict(checker: Any) -> None:
    assert checker.verdict is None
    assert checker.text == ""
    assert checker.recent == ()
    assert checker.hand is None
    assert checker.rules == Rules()
    assert checker.view["verdict"] is None


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("(10-4)/2", "10 4 2"),
        ("10 4 2", "10 4 2"),
        ("6+5+2-10", "6 5 2 10"),
        ("7fish - 4", "7fish 4"),
        ("3hippopotamus", "3hippopotamus"),
        ("change-number 5", "change-number 5"),
        ("(10-4)/2 replay", "10 4 2 replay"),
        ("replay", "replay"),
        ("10 - 4 ) / 2", ""),
        ("11 - 8", ""),
    ],
)
def test_without_a_hand_the_cards_named_are_the_hand(checker: Any, text: str, hand: str) -> None:
    expected = judge(text, hand, "3bee")
    assert checker.check(text) == expected
    act(checker, "check", "calculation", text=text)
    assert checker.verdict == expected
    assert checker.view["verdict"]["explanation"] == expected.explanation
    assert checker.view["position"] == expected.position
    assert checker.view["text"] == text


def test_with_a_hand_only_its_cards_may_be_used(with_hand: Any) -> None:
    assert with_hand.check("(10-4)/2").legal
    assert with_hand.check("9 - 6").refused
    assert with_hand.view["verdict"]["state"] == "refused"


def test_the_place_where_a_text_stops_making_sense(checker: Any) -> None:
    checker.check("(10 - 4) & 2")
    text, position = checker.view["text"], checker.view["position"]
    assert text[position:] == "& 2"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("(10-4)/2", "10 - 4 = 6, 6 ÷ 2 = 3"),
        ("10 4 2", "10 - 4 = 6, 6 ÷ 2 = 3"),
        ("2+6*1", "6 × 1 = 6, 6 + 2 = 8"),
        ("7 - 5", "7 - 5 = 2"),
        ("5 7", ""),
        ("10 - (4 + 3)", ""),
        ("3hippopotamus", ""),
        ("7 -", ""),
        ("change-number 5", ""),
    ],
)
def test_steps_are_shown_where_there_are_some(checker: Any, text: str, steps: str) -> None:
    checker.check(text)
    assert checker.view["steps"] == steps


def test_a_division_by_zero_is_told(tmp_path: Path) -> None:
    file = tmp_path / "deck.csv"
    file.write_text("kind,number,animal,copies\nnumber,0,,9\nnumber,6,,9\nnumber,3,,9\nnumber,2,,9\n", encoding="utf-8")
    checker = CalculationChecker(active="3", rules=Rules(deck=str(file), players=2, wildcards=0))
    assert checker.check("6 / 0").fault == "R6.4"
    assert "0" in checker.view["steps"]
    assert [group["title"] for group in checker.view["cards"]] == ["Number cards", "Wildcards"]


def test_the_verdict_tells_the_clause_and_what_it_costs(checker: Any) -> None:
    checker.check("6+5+2-10")
    verdict = checker.view["verdict"]
    assert (verdict["state"], verdict["clause"], verdict["penalty"]) == ("fault", "R6.1", "draw 3 cards")
    assert [card["name"] for card in verdict["laid"]] == ["number card 6", "number card 2"]


# --- what is compared --------------------------------------------------------------------------------------------------


def test_the_last_five_verdicts_stay_newest_first(checker: Any) -> None:
    texts = ["1+2", "7-4", "8-5", "9-6", "10-7", "6/2"]
    for text in texts:
        act(checker, "check", text=text)
    assert [one.text for one in checker.recent] == texts[:0:-1]
    assert [one["text"] for one in checker.view["recent"]] == texts[:0:-1]
    assert all(one["verdict"]["state"] == "legal" for one in checker.view["recent"])


def test_a_calculation_is_judged_anew_when_the_situation_changes(checker: Any) -> None:
    checker.check("2+7-6")
    assert checker.verdict.fault == "R6.1"
    act(checker, "set_operations", text="+-")
    assert checker.verdict.legal
    act(checker, "set_active", text="4")
    assert checker.verdict.fault == "R6.4"
    assert str(checker.active) == "4"
    assert len(checker.recent) == 1
    assert checker.recent[0].verdict.fault == "R6.1"


def test_clearing_keeps_the_last_verdicts(checker: Any) -> None:
    checker.check("1+2")
    act(checker, "clear")
    assert (checker.text, checker.verdict, len(checker.recent)) == ("", None, 1)


def test_a_hand_is_typed_and_taken_away(checker: Any) -> None:
    assert [group["title"] for group in checker.view["cards"]] == ["Number cards", "Picture cards", "Wildcards"]
    act(checker, "set_hand", text=HAND)
    assert [str(card) for card in checker.hand] == HAND.split()
    assert [card["text"] for card in checker.view["cards"][0]["cards"]] == HAND.split()
    assert checker.view["hand_text"] == HAND
    act(checker, "set_hand", text="")
    assert checker.hand is None
    assert len(checker.view["cards"]) == 3


def test_an_empty_hand_of_a_script_is_a_hand() -> None:
    checker = CalculationChecker(hand="")
    assert checker.hand == ()
    assert checker.check("1+2").refused


def test_the_view_is_plain_data(checker: Any) -> None:
    checker.check("(10-4)/2")
    assert json.loads(json.dumps(checker.view)) == checker.view


def test_every_card_has_a_picture_and_a_name(with_hand: Any) -> None:
    for card in [*with_hand.view["cards"][0]["cards"], *with_hand.view["actives"], with_hand.view["active"]]:
        assert with_hand.pictures[card["text"]].startswith("data:image/svg+xml;base64,")
        assert card["name"]


# --- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "__import__('os').system('x')", "1" * 400, "((((", "="]
)
def test_any_text_has_a_verdict_and_stays_a_text(checker: Any, text: str) -> None:
    act(checker, "check", "calculation", text=text)
    assert checker.verdict.refused
    assert checker.view["text"] == text
    assert checker.recent[0].text == text


def test_a_calculation_is_asked_for(checker: Any) -> None:
    assert "(10-4)/2" in refused(checker, "check", "calculation", text="  ")


def test_a_hand_that_the_deck_does_not_have_is_refused(checker: Any) -> None:
    with pytest.raises(ValueError, match="the deck has 4") as library:
        find_plays("10 10 10 10 10", "3bee")
    assert refused(checker, "check", "calculation", text="10+10+10+10+10") == str(library.value)
    assert refused(checker, "set_hand", "hand", text="10 10 10 10 10") == str(library.value)


@pytest.mark.parametrize(
    ("name", "values", "part"),
    [
        ("set_hand", {"text": "3 zebra"}, "'zebra' is not known"),
        ("set_active", {"text": "replay"}, "active: a replay wildcard never becomes the active card"),
        ("set_active", {"text": "11"}, "11"),
        ("set_operations", {"text": ""}, "operations: '' is not allowed"),
        ("set_operations", {"text": "^"}, "'^' is no operation"),
        ("open", {}, "act: 'open' is not known"),
    ],
)
def test_what_is_not_possible_is_refused(checker: Any, name: str, values: dict[str, Any], part: str) -> None:
    checker.check("1+2")
    assert part in refused(checker, name, "somewhere", **values)


@pytest.mark.parametrize("named", [{"active": "replay"}, {"hand": "zebra"}, {"hand": "10 10 10 10 10"}])
def test_impossible_arguments_raise(named: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"known|active|hand"):
        CalculationChecker(**named)


def test_fifty_updates_in_a_row_are_one_output(checker: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(50):
        act(checker, "check", text=f"{number % 10 + 1} + 1")
    assert len(checker.recent) == widgets.VERDICTS_KEPT
    assert capsys.readouterr() == ("", "")


# --- the front end -----------------------------------------------------------------------------------------------------


def test_the_front_end_takes_texts_as_texts_and_knows_no_rule() -> None:
    source = CalculationChecker._esm
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "new Function", "document.write"):
        assert forbidden not in source
    assert "http" not in source


def test_the_front_end_asks_only_for_acts_that_there_are() -> None:
    own = (Path(widgets.__file__).with_suffix(".js")).read_text(encoding="utf-8")
    asked = {part.split('"')[0] for mark in ('send("', 'act: "') for part in own.split(mark)[1:]}
    assert asked <= set(CalculationChecker.acts)
    assert all(callable(getattr(CalculationChecker, name)) for name in CalculationChecker.acts)
