"""The list of legal plays against the naive reference and the rulebooks' examples (R2.3, R2.4, R3, R4, R5.1)."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import naive
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim.arithmetic.table import STEPS
from nambarz_sim.cards import Card, Deck, data_folder
from nambarz_sim.engine.plays import Play, find_plays, write_chain
from nambarz_sim.rules import Rules

EXAMPLES = data_folder() / "examples"
STROKES = tomllib.loads((EXAMPLES / "figures.toml").read_text(encoding="utf-8"))["points"]["master-stroke"]
NAMBARZ = Deck.load("nambarz")
POOL = [str(card) for card, copies in zip(NAMBARZ.cards, NAMBARZ.copies, strict=True) for _ in range(copies)]
SUBSETS = ["".join(signs) for size in range(1, 5) for signs in combinations("+-*/", size)]
ARITHMETICS = [(operations, steps) for operations in SUBSETS for steps in STEPS]
QUICK_TABLES = {"+", "-", "*", "/", "+-", "+*", "+/", "-/", "+-*", "+-/", "+-*/"}
"""Operations whose table of calculations of any size is made in a moment, with whole steps."""


def repeatable(examples: int) -> settings:
    return settings(deadline=None, derandomize=True, database=None, max_examples=examples)


def read(name: str) -> list[dict[str, str]]:
    return pd.read_csv(EXAMPLES / name, comment="#", dtype=str, keep_default_na=False).to_dict("records")


def row_id(row: dict[str, str]) -> str:
    return " ".join(row.values())


# Reading an expression


def evaluate(expression: str) -> Fraction:
    """The value of an expression with brackets by school precedence; a card's animal is skipped."""
    tokens = re.findall(r"\d+|[-+×÷()]", expression)
    value = read_sum(tokens)
    assert not tokens, expression
    return value


def read_sum(tokens: list[str]) -> Fraction:
    value = read_product(tokens)
    while tokens and tokens[0] in "+-":
        sign, right = tokens.pop(0), read_product(tokens)
        value = value + right if sign == "+" else value - right
    return value


def read_product(tokens: list[str]) -> Fraction:
    value = read_operand(tokens)
    while tokens and tokens[0] in "×÷":
        sign, right = tokens.pop(0), read_operand(tokens)
        value = value * right if sign == "×" else value / right
    return value


def read_operand(tokens: list[str]) -> Fraction:
    token = tokens.pop(0)
    if token == "(":
        value = read_sum(tokens)
        assert tokens.pop(0) == ")"
        return value
    return Fraction(int(token))


def operations_of(play: Play) -> str:
    signs = re.findall(r" ([-+×÷]) ", play.expression)
    return "".join({"×": "*", "÷": "/"}.get(sign, sign) for sign in signs)


def left_to_right(play: Play, steps: str) -> Fraction | None:
    """The value of a calculation as it is laid, card by card; None if a step is not allowed."""
    numbers = [card.number for card in play.cards]
    value: Fraction | None = Fraction(numbers[0])
    for sign, number in zip(operations_of(play), numbers[1:], strict=True):
        value = None if value is None else naive.apply_step(value, sign, number, steps)
    return value


def words_of(play: Play) -> list[str]:
    return [str(card) for card in play.cards]


def key_of(play: Play) -> naive.Play:
    return play.kind, tuple(sorted(words_of(play))), str(play.cards[-1])


# Against the naive reference


def check_plays(hand: list[str], active: str, rules: Rules, drawn: str | None = None, played: bool = False) -> None:
    plays = find_plays(hand, active, rules, drawn=drawn, played=played)
    keys = [key_of(play) for play in plays]
    expected = naive.legal_plays(hand, active, rules.operations, rules.steps, rules.max_cards, drawn, played)
    assert set(keys) == expected
    assert len(keys) == len(expected), "a play stands in the list twice"
    assert [len(play.cards) for play in plays] == sorted((len(play.cards) for play in plays), reverse=True)
    for play in plays:
        check_play(play, hand, active, rules)


def check_play(play: Play, hand: list[str], active: str, rules: Rules) -> None:
    assert not Counter(words_of(play)) - Counter(hand)
    assert play.bonus == (STROKES[str(len(play.cards))] if play.kind == "calculation" else 0)
    assert str(play) == play.expression
    if play.kind != "calculation":
        assert play.expression == " ".join(words_of(play))
        return
    target = naive.number_of(active)
    assert re.findall(r"\w+", play.expression) == words_of(play)
    assert set(operations_of(play)) <= set(rules.operations)
    assert evaluate(play.expression) == target, play
    assert left_to_right(play, rules.steps) == target, play


def deals(pool: list[str], most: int) -> st.SearchStrategy[list[str]]:
    """Hands that a deck can deal."""
    places = st.lists(st.integers(0, len(pool) - 1), min_size=1, max_size=most, unique=True)
    return places.map(lambda chosen: [pool[place] for place in chosen])


NUMBER_CARDS = [card for card in POOL if card.isdigit()]
PICTURE_CARDS = [card for card in POOL if card[0].isdigit() and not card.isdigit()]
HANDS = st.one_of(deals(POOL, 12), deals(NUMBER_CARDS, 8), deals(PICTURE_CARDS, 7), deals(PICTURE_CARDS + POOL, 9))
HANDS = HANDS.filter(lambda hand: not Counter(hand) - Counter(POOL))
ACTIVES = st.sampled_from([card for card in dict.fromkeys(POOL) if card != "replay"])
ORDINARY_ACTIVES = st.sampled_from(list(dict.fromkeys(NUMBER_CARDS + PICTURE_CARDS)))


@pytest.mark.clause(
    "R2.3", "R3.1", "R3.2", "R3.4", "R3.5", "R3.6", "R3.7", "R4.1", "R4.2", "R4.3", "R4.4", "R4.5", "R8.3"
)
@repeatable(200)
@given(HANDS, ACTIVES)
def test_the_plays_of_any_hand_on_any_card_or_open_wildcard(hand: list[str], active: str) -> None:
    check_plays(hand, active, Rules())


@pytest.mark.clause("R2.4", "R5.1")
@repeatable(150)
@given(HANDS, ACTIVES, st.booleans(), st.data())
def test_the_plays_after_a_draw_or_a_play(hand: list[str], active: str, played: bool, data: st.DataObject) -> None:
    drawn = data.draw(st.sampled_from([*hand, None]), label="drawn")
    check_plays(hand, active, Rules(), drawn, played)


@pytest.mark.clause("R3.3", "R3.5", "R3.8")
@pytest.mark.parametrize(("operations", "steps"), ARITHMETICS)
def test_the_plays_with_each_selection_of_operations_and_steps(operations: str, steps: str) -> None:
    quick = steps == "whole" and operations in QUICK_TABLES
    rules = Rules(operations=operations, steps=steps, max_cards=None if quick else 5)

    @repeatable(10)
    @given(HANDS, ORDINARY_ACTIVES)
    def run(hand: list[str], active: str) -> None:
        check_plays(hand, active, rules)

    run()


@pytest.mark.clause("R3.8")
@pytest.mark.parametrize("most", [2, 3, 4, 12])
def test_max_cards_limits_what_may_be_laid_and_not_what_counts_as_fewest(most: int) -> None:
    rules = Rules(max_cards=most)

    @repeatable(40)
    @given(HANDS, ORDINARY_ACTIVES)
    def run(hand: list[str], active: str) -> None:
        check_plays(hand, active, rules)
        without = [play for play in find_plays(hand, active) if len(play.cards) <= most or play.kind != "calculation"]
        assert find_plays(hand, active, rules) == without

    run()


@repeatable(60)
@given(deals(POOL * 2, 11), ACTIVES)
def test_the_plays_with_two_decks(hand: list[str], active: str) -> None:
    check_plays(hand, active, Rules(decks=2))


MAX_CARDS = {"many numbers": 3, "very many numbers": 2}
ODD_DECKS = {
    "zero and two digits": ["0,,3", "1,,2", "2,,2", "12,,2", "36,,1", "0,ant,1", "6,ant,2", "12,bee,2", "72,bee,1"],
    "three animals": [f"{number},{animal},1" for number in range(1, 7) for animal in ("ant", "bee", "cat")],
    "numbers or pictures": ["1,,4", "2,,4", "5,,4", "7,ant,3", "8,ant,3", "15,bee,3"],
    "many numbers": [f"{number},{animal},1" for number in range(24) for animal in ("", "ant", "bee")],
    "very many numbers": [f"{number},{animal},1" for number in range(60) for animal in ("", "ant", "bee")],
}


@pytest.mark.clause("R1.3", "R3.7")
@pytest.mark.parametrize("name", ODD_DECKS)
def test_the_plays_with_other_decks(tmp_path: Path, name: str) -> None:
    rows = [f"{'number' if ',,' in row else 'picture'},{row}" for row in ODD_DECKS[name]]
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(["kind,number,animal,copies", *rows]), encoding="utf-8")
    rules = Rules(deck=str(path), players=2, hand_size=3, max_cards=MAX_CARDS.get(name))
    deck = rules.the_deck
    pool = [str(card) for card, copies in zip(deck.cards, rules.copies, strict=True) for _ in range(copies)]
    actives = st.sampled_from([card for card in pool if card != "replay"])

    @repeatable(60)
    @given(deals(pool, 10), actives)
    def run(hand: list[str], active: str) -> None:
        check_plays(hand, active, rules)

    run()


# The rulebooks' examples


@pytest.mark.clause("R3.2", "R3.3", "R3.4", "R3.5", "R3.6", "R3.8")
@pytest.mark.parametrize("row", [row for row in read("calculations.csv") if row["legal"] == "yes"], ids=row_id)
def test_a_right_calculation_is_listed(row: dict[str, str]) -> None:
    cards, rules = row["cards"].split(), Rules(operations=row["allowed"], steps=row["steps"])
    same = [play for play in find_plays(cards, row["active"], rules) if sorted(words_of(play)) == sorted(cards)]
    assert {play.kind for play in same} == {"calculation"}
    if row["operations"] != "any":
        assert cards[-1] in {str(play.cards[-1]) for play in same}
        assert evaluate(write_chain(cards, row["operations"])) == naive.number_of(row["active"])


@pytest.mark.clause("R3.2", "R3.3", "R3.4", "R3.5", "R3.6", "R3.8")
@pytest.mark.parametrize("row", [row for row in read("calculations.csv") if row["legal"] == "no"], ids=row_id)
def test_a_wrong_calculation_is_not_listed_and_what_is_laid_instead_is(row: dict[str, str]) -> None:
    cards, rules = row["cards"].split(), Rules(operations=row["allowed"], steps=row["steps"])
    plays = find_plays(cards, row["active"], rules)
    assert (cards, row["operations"]) not in [(words_of(play), operations_of(play)) for play in plays]
    laid = sorted(row["laid"].split())
    listed = [sorted(words_of(play)) for play in plays]
    assert not laid or laid in listed
    assert sorted(cards) not in listed or laid == sorted(cards)


@pytest.mark.clause("R3.1")
@pytest.mark.parametrize("row", read("matches.csv"), ids=row_id)
def test_a_single_card_covers_by_number_or_animal(row: dict[str, str]) -> None:
    expected = [("match", row["card"])] if row["covers"] == "yes" else []
    assert [(play.kind, str(play)) for play in find_plays(row["card"], row["active"])] == expected


@pytest.mark.clause("R4.1", "R4.2", "R4.3", "R4.4", "R4.5")
@pytest.mark.parametrize("row", read("wildcards.csv"), ids=row_id)
def test_right_and_wrong_uses_of_change_wildcards(row: dict[str, str]) -> None:
    plays = find_plays(row["cards"], row["active"])
    assert (row["cards"] in [" ".join(words_of(play)) for play in plays]) == (row["legal"] == "yes")


@pytest.mark.clause("R3.5", "R3.6")
def test_a_matching_card_in_the_hand_does_not_forbid_a_calculation() -> None:
    texts = [str(play) for play in find_plays("10 4 2 3 8bee", "3bee")]
    assert "(10 - 4) ÷ 2" in texts
    assert {"3", "8bee"} <= set(texts)


@pytest.mark.clause("R5.1")
def test_the_rulebooks_turn_with_a_replay() -> None:
    hand = "9hen 6dragonfly 3hippopotamus replay 10 6 1"
    first = [play for play in find_plays(hand, "1") if "9hen" in str(play) and len(play.cards) == 3]
    assert "(9hen - 6dragonfly) ÷ 3hippopotamus" in [str(play) for play in first]
    assert [str(play) for play in find_plays("replay 10 6 1", "3hippopotamus", played=True)] == ["replay"]
    assert {"6", "1"} == {str(play.cards[-1]) for play in find_plays("10 6 1", "3hippopotamus") if len(play.cards) == 3}
    assert ["1", "10", "6"] in [sorted(words_of(play)) for play in find_plays("10 6 1", "3hippopotamus")]


# Choice of animals (R3.7)


@pytest.mark.clause("R3.7")
def test_which_of_two_animals_is_used_is_offered() -> None:
    assert {str(play) for play in find_plays("7fish 7rabbit 4hen 4duck", "3bee")} == {
        f"{seven} - {four}" for seven in ("7fish", "7rabbit") for four in ("4hen", "4duck")
    }


@pytest.mark.clause("R3.7")
def test_which_of_two_animals_is_laid_last_and_which_is_kept_is_offered() -> None:
    plays = find_plays("10bear 1dragonfly 1turtle 9duck 9hen", "3bee")
    strokes = [play for play in plays if len(play.cards) == 4 and Card.parse("10bear") in play.cards]
    with_ones = {(nine, last) for nine in ("9duck", "9hen") for last in ("1dragonfly", "1turtle", nine)}
    offered = [
        (next(word for word in words_of(play) if word.startswith("9")), words_of(play)[-1])
        for play in strokes
        if {"1dragonfly", "1turtle"} < set(words_of(play))
    ]
    assert sorted(offered) == sorted(with_ones)


@pytest.mark.clause("R3.7")
def test_a_number_that_can_be_last_is_offered_last() -> None:
    # 1 + 2 and 2 + 1 leave different cards for the next player.
    assert sorted(str(play) for play in find_plays("1 2", "3")) == ["1 + 2", "2 + 1"]
    assert [str(play) for play in find_plays("7 4", "3")] == ["7 - 4"]


@pytest.mark.clause("R3.1", "R3.6", "R3.7")
def test_an_animal_matches_only_where_the_active_card_has_it() -> None:
    kinds = {
        active: {play.kind for play in find_plays("8bee 5cat", active)} for active in ("3bee", "3", "3hippopotamus")
    }
    assert kinds == {"3bee": {"match"}, "3": {"calculation"}, "3hippopotamus": {"calculation"}}


# Wildcards, draws, replays


@pytest.mark.clause("R4.5", "R4.3")
@pytest.mark.parametrize("active", ["3", "3bee"])
def test_a_change_wildcard_may_be_the_last_card_of_a_hand(active: str) -> None:
    plays = find_plays("change-any", active)
    assert [(play.kind, str(play)) for play in plays] == [("change", "change-any")]


@pytest.mark.clause("R4.3")
def test_on_an_open_wildcard_any_single_card_of_its_type_and_a_replay_lie() -> None:
    hand = "1 2 3 7fish 8bee change-any replay"
    texts = {active: {str(play) for play in find_plays(hand, active)} for active in
             ("change-number", "change-picture", "change-any")}  # fmt: skip
    assert texts["change-number"] == {"1", "2", "3", "replay"}
    assert texts["change-picture"] == {"7fish", "8bee", "replay"}
    assert texts["change-any"] == {"1", "2", "3", "7fish", "8bee", "replay"}


@pytest.mark.clause("R2.4")
@pytest.mark.parametrize(
    ("hand", "drawn", "plays"),
    [
        ("10 4 2 3", "3", {"3"}),
        ("7 4 5 2 3bee", "2", {"5 - 2"}),
        ("change-any 10 3", "10", {"change-any 10"}),
        ("change-any 10 3", "change-any", {"change-any", "change-any 10"}),
        ("3 replay", "replay", {"replay"}),
        ("3 9", "9", set()),
        ("3 3", "3", {"3"}),
    ],
)
def test_after_a_draw_only_plays_with_the_drawn_card(hand: str, drawn: str, plays: set[str]) -> None:
    assert {str(play) for play in find_plays(hand, "3", drawn=drawn)} == plays


@pytest.mark.clause("R5.1")
@pytest.mark.parametrize(("hand", "plays"), [("3 7 4 change-any", []), ("3 7 4 replay replay", ["replay"]), ("", [])])
def test_after_a_play_only_a_replay_may_follow(hand: str, plays: list[str]) -> None:
    assert [str(play) for play in find_plays(hand, "3", played=True)] == plays


@pytest.mark.clause("R2.3")
def test_the_four_kinds_of_play() -> None:
    plays = find_plays("3 7 4 change-number replay", "3bee", Rules())
    assert {play.kind for play in plays} == {"match", "calculation", "replay"}
    assert {play.kind for play in find_plays("3 7 4 change-number replay", "3")} == {
        "match",
        "calculation",
        "change",
        "replay",
    }


# Master strokes (R8.3)


@pytest.mark.clause("R8.3")
@pytest.mark.parametrize(
    ("hand", "active", "size"),
    [
        ("10 4 2", "3", 3),
        ("10 1 1 9", "3", 4),
        ("8 8 1 1 9", "5", 5),
        ("1 9 9 9 9 10 10 10", "5", 8),
        ("9 9 9 9 10 10 10 10", "5", 8),
    ],
)
def test_a_master_stroke_earns_seven_points_from_the_fourth_card_on(hand: str, active: str, size: int) -> None:
    first = find_plays(hand, active)[0]
    assert (len(first.cards), first.bonus) == (size, STROKES[str(size)])


# The list


@repeatable(60)
@given(HANDS, ACTIVES, st.integers(1, 20))
def test_a_limit_cuts_the_list(hand: list[str], active: str, limit: int) -> None:
    assert find_plays(hand, active, limit=limit) == find_plays(hand, active)[:limit]


@repeatable(60)
@given(HANDS, ACTIVES, st.randoms(use_true_random=False))
def test_the_order_of_the_hand_and_its_form_do_not_matter(hand: list[str], active: str, mixer: Any) -> None:
    plays, mixed = find_plays(hand, active), list(hand)
    mixer.shuffle(mixed)
    assert find_plays(mixed, active) == plays
    assert find_plays(", ".join(hand), Card.parse(active)) == plays
    assert find_plays([Card.parse(word) for word in hand], active) == plays


@pytest.mark.parametrize(
    ("words", "operations", "text"),
    [
        (["10", "4", "2"], "-/", "(10 - 4) ÷ 2"),
        (["10", "4", "2"], "/-", "10 ÷ 4 - 2"),
        (["6", "5", "10"], "*/", "6 × 5 ÷ 10"),
        (["1", "2", "3", "4", "5"], "+*-/", "((1 + 2) × 3 - 4) ÷ 5"),
        (["8", "8", "1", "1", "9"], "+---", "8 + 8 - 1 - 1 - 9"),
        (["3bee"], "", "3bee"),
    ],
)
def test_an_expression_has_the_brackets_it_needs_and_no_more(words: list[str], operations: str, text: str) -> None:
    assert write_chain(words, operations) == text


@repeatable(200)
@given(st.lists(st.integers(1, 10), min_size=1, max_size=8), st.data())
def test_an_expression_means_the_same_by_school_precedence_as_left_to_right(
    numbers: list[int], data: st.DataObject
) -> None:
    signs = data.draw(st.text(alphabet="+-*/", min_size=len(numbers) - 1, max_size=len(numbers) - 1))
    value = Fraction(numbers[0])
    for sign, number in zip(signs, numbers[1:], strict=True):
        value = naive.apply_step(value, sign, number, "rational")
    assert evaluate(write_chain([str(number) for number in numbers], signs)) == value


# Wrong input


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"hand": "3be 4"}, ["'3be' is not known", "Did you mean '3bee'?"]),
        ({"hand": "4 repaly"}, ["'repaly' is not known", "Did you mean 'replay'?"]),
        ({"hand": "4 11"}, ["'11' is not known", "known are 1, 2, 3"]),
        ({"hand": "4", "active": "3bees"}, ["'3bees' is not known", "Did you mean '3bee'?"]),
        ({"hand": "4", "active": "seven"}, ["'seven' is not known", "A number card is written 3"]),
        ({"hand": "4", "drawn": "4hens"}, ["'4hens' is not known", "Did you mean '4hen'?"]),
        ({"hand": "3 3 3 3 3"}, ["hand: 5 x 3, but the deck has 4", "take some out"]),
        ({"hand": "3bee 3bee 3bee"}, ["hand: 3 x 3bee, but the deck has 2"]),
        ({"hand": "replay replay", "rules": Rules(wildcards=4)}, ["2 x replay, but the deck has 1", "wildcards, decks"]),
        ({"hand": "replay", "rules": Rules(wildcards=0)}, ["1 x replay, but the deck has 0"]),
        ({"hand": "4", "drawn": "5"}, ["drawn: 5 is not in the hand", "must hold the drawn card"]),
        ({"hand": "4", "limit": 0}, ["limit: 0 is not allowed; give 1 or more"]),
        ({"hand": "4", "limit": -1}, ["limit: -1 is not allowed"]),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_with_the_way_out(options: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(ValueError, match=r"\S") as caught:
        find_plays(**({"active": "3"} | options))
    assert all(part in str(caught.value) for part in parts), str(caught.value)


@pytest.mark.clause("R5.4")
def test_a_replay_is_no_active_card() -> None:
    with pytest.raises(ValueError, match="active: a replay wildcard never becomes the active card") as caught:
        find_plays("3 4", "replay")
    assert "give a number card, a picture card or an open change wildcard" in str(caught.value)


def test_more_copies_are_allowed_with_more_decks() -> None:
    assert [str(play) for play in find_plays("3 3 3 3 3", "3", Rules(decks=2))] == ["3"]


def test_an_empty_hand_has_no_play() -> None:
    assert find_plays("", "3") == find_plays([], "change-any") == []
