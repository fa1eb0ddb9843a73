"""The table of minimal calculations against the naive reference and the figures of the rules (R3.2 to R3.8)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path

import naive
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim.arithmetic import table as table_module
from nambarz_sim.arithmetic.table import LARGEST, STEPS, Calculation, MinimalTable, TableTooLarge, minimal_table
from nambarz_sim.cards import data_folder

REPEATABLE = settings(deadline=None, derandomize=True, database=None, max_examples=150)
SUBSETS = ["".join(signs) for size in range(1, 5) for signs in combinations("+-*/", size)]
ARITHMETICS = [(operations, steps) for operations in SUBSETS for steps in STEPS]
FOUR_CARDS = [(o, s) for o, s in ARITHMETICS if (s == "whole" and "+" not in o) or len(o) == 4 or o == "-*/"]
FULL = dict.fromkeys(range(1, 11), 4)
SMALL_DECKS = {
    "the deck's numbers": {1: 2, 2: 1, 3: 1, 4: 1, 6: 2, 10: 1},
    "with zero": {0: 2, 1: 1, 2: 2, 5: 1, 9: 1},
    "two digits": {2: 2, 7: 1, 12: 2, 36: 1, 99: 1},
}
FIGURES = pd.read_csv(
    data_folder() / "examples" / "minimal_calculations.csv", comment="#", dtype=str, keep_default_na=False
)
CASES = FIGURES.to_dict("records")

Triples = set[tuple[int, tuple[int, ...], int]]


def table_of(deck: dict[int, int], operations: str, steps: str, largest: int = LARGEST) -> MinimalTable:
    return minimal_table(tuple(deck.items()), operations, steps, largest)


def triples(table: MinimalTable) -> Triples:
    """Target, set of numbers and number laid last of every entry."""
    return {(entry.target, entry.numbers, entry.last) for entry in table.calculations}


def naive_triples(deck: dict[int, int], operations: str, steps: str, largest: int) -> Triples:
    found: Triples = set()
    for size in range(2, largest + 1):
        for target, numbers in naive.minimal_sets(deck, deck, operations, steps, size):
            lasts = naive.last_numbers(numbers, target, operations, steps)
            found |= {(target, numbers, last) for last in lasts}
    return found


def worked_out(entry: Calculation, steps: str) -> Fraction | None:
    """The value of an entry worked left to right, None if a step is not allowed."""
    value: Fraction | None = Fraction(entry.order[0])
    for sign, number in zip(entry.operations, entry.order[1:], strict=True):
        value = None if value is None else naive.apply_step(value, sign, number, steps)
    return value


# Against the naive reference


@pytest.mark.clause("R3.2", "R3.3", "R3.5", "R3.6", "R3.7", "R3.8")
@pytest.mark.parametrize("deck", SMALL_DECKS)
@pytest.mark.parametrize(("operations", "steps"), ARITHMETICS)
def test_a_small_decks_table_is_complete_up_to_all_its_cards(operations: str, steps: str, deck: str) -> None:
    copies = SMALL_DECKS[deck]
    expected = naive_triples(copies, operations, steps, sum(copies.values()))
    assert triples(table_of(copies, operations, steps)) == expected


@pytest.mark.clause("R3.2", "R3.3", "R3.5", "R3.6", "R3.7", "R3.8")
@pytest.mark.parametrize(("operations", "steps"), ARITHMETICS)
def test_the_whole_decks_table_up_to_three_cards(operations: str, steps: str) -> None:
    assert triples(table_of(FULL, operations, steps, 3)) == naive_triples(FULL, operations, steps, 3)


@pytest.mark.clause("R3.2", "R3.3", "R3.5", "R3.6", "R3.7", "R3.8")
@pytest.mark.parametrize(("operations", "steps"), FOUR_CARDS)
def test_the_whole_decks_table_up_to_four_cards(operations: str, steps: str) -> None:
    assert triples(table_of(FULL, operations, steps, 4)) == naive_triples(FULL, operations, steps, 4)


@pytest.mark.clause("R3.5")
@pytest.mark.parametrize(("operations", "steps"), [("+-*/", "whole"), ("+-", "integer")])
def test_the_whole_decks_table_of_five_cards(operations: str, steps: str) -> None:
    five = {triple for triple in triples(table_of(FULL, operations, steps)) if len(triple[1]) == 5}
    sets = naive.minimal_sets(FULL, FULL, operations, steps, 5)
    assert {(target, numbers) for target, numbers, _ in five} == sets
    for target, numbers in sets:
        lasts = {last for other, same, last in five if (other, same) == (target, numbers)}
        assert lasts == naive.last_numbers(numbers, target, operations, steps)


@pytest.mark.clause("R3.5")
@pytest.mark.parametrize(("operations", "steps"), [("+-*/", "whole"), ("+-", "integer"), ("+/", "whole")])
def test_the_largest_calculations_of_the_whole_deck_are_minimal(operations: str, steps: str) -> None:
    entries = table_of(FULL, operations, steps).calculations
    most = max(len(entry.order) for entry in entries)
    for target, numbers in {(entry.target, entry.numbers) for entry in entries if len(entry.order) >= most - 1}:
        assert naive.is_minimal(numbers, target, operations, steps), (target, numbers)


@st.composite
def small_decks(draw: st.DrawFn) -> dict[int, int]:
    numbers = draw(st.lists(st.integers(0, 30) | st.integers(0, 99), min_size=1, max_size=4, unique=True))
    return {number: draw(st.integers(1, 7 // len(numbers))) for number in numbers}


@pytest.mark.clause("R1.3", "R3.5")
@REPEATABLE
@given(small_decks(), st.sampled_from(ARITHMETICS), st.integers(2, 7))
def test_any_small_decks_table(deck: dict[int, int], arithmetic: tuple[str, str], largest: int) -> None:
    assert triples(table_of(deck, *arithmetic, largest)) == naive_triples(deck, *arithmetic, largest)


def test_division_by_zero_is_not_available() -> None:
    deck = {0: 1, 2: 1, 3: 1, 6: 1}
    for steps in STEPS:
        assert triples(table_of(deck, "/", steps)) == {(2, (3, 6), 3), (3, (2, 6), 2)}


@pytest.mark.clause("R3.3")
def test_results_far_from_the_targets_can_come_back() -> None:
    # (12 - 20) * 35 is -280; by 28 and with 39 more it is 29 after all.
    deck = dict.fromkeys((12, 20, 28, 29, 35, 39), 1)
    table = table_of(deck, "+-*/", "integer", 5)
    assert triples(table) == naive_triples(deck, "+-*/", "integer", 5)
    assert (29, (12, 20, 28, 35, 39), 39) in triples(table)


# The figures of the rules


@pytest.mark.clause("R3.2", "R3.3", "R3.5")
@pytest.mark.parametrize("figures", CASES, ids=lambda row: f"{row['operations']} {row['steps']}")
def test_the_table_has_the_figures_of_the_rules(figures: dict[str, str]) -> None:
    table = table_of(FULL, figures["operations"], figures["steps"])
    sizes = table.sets_by_size()
    assert sum(sizes.values()) == int(figures["sets"])
    assert max(sizes) == int(figures["largest"])
    assert list(sizes) == list(range(2, max(sizes) + 1))
    if figures["sets_by_size"]:
        assert list(sizes.values()) == [int(count) for count in figures["sets_by_size"].split()]
    if figures["pairs"]:
        assert len(table.calculations) == int(figures["pairs"])


@pytest.mark.clause("R3.5", "R8.3")
def test_the_largest_master_strokes_are_two_of_eight_cards_both_for_five() -> None:
    entries = table_of(FULL, "+-*/", "whole").calculations
    assert {(entry.target, entry.numbers) for entry in entries if len(entry.order) == 8} == {
        (5, (1, 9, 9, 9, 9, 10, 10, 10)),
        (5, (9, 9, 9, 9, 10, 10, 10, 10)),
    }


@pytest.mark.clause("R3.3", "R3.5")
def test_allowing_negative_results_can_forbid_a_calculation() -> None:
    kept = (9, (4, 6, 10, 10, 10))
    for steps, there in (("whole", True), ("integer", False), ("rational", False)):
        entries = table_of(FULL, "+-*/", steps).calculations
        assert (kept in {(entry.target, entry.numbers) for entry in entries}) == there


# The witnesses


def check_entries(entries: tuple[Calculation, ...], deck: dict[int, int], operations: str, steps: str) -> None:
    for entry in entries:
        assert worked_out(entry, steps) == entry.target, entry
        assert set(entry.operations) <= set(operations), entry
        assert entry.target not in entry.order, entry
        assert all(entry.order.count(number) <= deck[number] for number in entry.order), entry
        assert (entry.numbers, entry.last) == (tuple(sorted(entry.order)), entry.order[-1])


@pytest.mark.clause("R3.2", "R3.3", "R3.6", "R3.8")
@pytest.mark.parametrize(("operations", "steps"), ARITHMETICS)
def test_every_order_makes_its_target_with_allowed_steps(operations: str, steps: str) -> None:
    check_entries(table_of(FULL, operations, steps, 5).calculations, FULL, operations, steps)


@pytest.mark.clause("R3.2", "R3.3", "R3.6", "R3.8")
@pytest.mark.parametrize("figures", CASES, ids=lambda row: f"{row['operations']} {row['steps']}")
def test_every_order_of_any_size_makes_its_target(figures: dict[str, str]) -> None:
    operations, steps = figures["operations"], figures["steps"]
    check_entries(table_of(FULL, operations, steps).calculations, FULL, operations, steps)


@pytest.mark.parametrize("steps", STEPS)
def test_entries_stand_once_by_target_and_most_cards_first(steps: str) -> None:
    table = table_of(FULL, "+-*/", steps)
    keys = [(entry.target, -len(entry.order), entry.numbers, entry.last) for entry in table.calculations]
    assert keys == sorted(set(keys))


@pytest.mark.clause("R3.2")
def test_what_the_rulebooks_lay_out_stands_in_the_table() -> None:
    laid = triples(table_of(FULL, "+-*/", "whole"))
    assert (3, (2, 4, 10), 2) in laid  # (10 - 4) / 2
    assert (3, (1, 1, 9, 10), 9) in laid  # 10 + 1 + 1 - 9
    assert (5, (1, 1, 8, 8, 9), 9) in laid  # 8 + 8 - 1 - 1 - 9
    assert (1, (3, 6, 9), 3) in laid  # (9 - 6) / 3
    sets = {(target, numbers) for target, numbers, _ in laid}
    assert (3, (2, 5, 6, 10)) not in sets
    assert (3, (2, 6, 7)) not in sets
    assert (5, (1, 1, 8, 9)) not in sets


@pytest.mark.clause("R3.8")
def test_fewest_cards_is_judged_with_the_allowed_operations() -> None:
    sets = {(entry.target, entry.numbers) for entry in table_of(FULL, "+-", "whole").calculations}
    assert (3, (2, 6, 7)) in sets


# Limits


@pytest.mark.clause("R3.8")
@pytest.mark.parametrize(
    ("operations", "steps"), [("+-*/", "whole"), ("+-*/", "rational"), ("+-", "integer"), ("-*", "whole")]
)
def test_fewer_cards_leave_out_the_larger_sets_and_nothing_else(operations: str, steps: str) -> None:
    whole = table_of(FULL, operations, steps)
    for largest in (2, 3, 5, 8):
        table = table_of(FULL, operations, steps, largest)
        assert triples(table) == {triple for triple in triples(whole) if len(triple[1]) <= largest}
        assert table.largest == largest


def test_no_more_cards_than_the_documented_most() -> None:
    assert LARGEST == 12
    assert table_of(FULL, "+-*/", "whole", 40) == table_of(FULL, "+-*/", "whole")
    assert table_of(FULL, "+-*/", "whole").largest == 12


def test_twelve_cards_are_listed_and_thirteen_are_not() -> None:
    # With + alone twelve ones make 12, and nothing less does.
    assert (12, (1,) * 12) in {(e.target, e.numbers) for e in table_of({1: 13, 12: 1}, "+", "whole").calculations}
    assert table_of({1: 13, 13: 1}, "+", "whole").calculations == ()


def test_copies_of_the_deck_bound_the_sets() -> None:
    for copies in range(1, 6):
        deck = {1: copies, 5: 1}
        made = {entry.numbers for entry in table_of(deck, "+", "whole").calculations}
        assert made == ({(1,) * 5} if copies == 5 else set())


def test_a_deck_of_too_many_calculations_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "MOST_SELECTIONS", 500)
    deck = dict.fromkeys(range(1, 41), 2)
    with pytest.raises(TableTooLarge) as caught:
        table_of(deck, "+-*/", "whole", 7)
    message = str(caught.value)
    assert "40 numbers (up to 40)" in message
    assert "up to 7 cards" in message
    assert "more than 500 sets" in message
    assert "set max_cards to a smaller number than 7, or allow fewer operations" in message
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(("operations", "steps"), [("+-*/", "whole"), ("-", "integer"), ("+-*/", "rational")])
def test_a_deck_of_far_too_many_calculations_is_refused_before_the_search(
    monkeypatch: pytest.MonkeyPatch, operations: str, steps: str
) -> None:
    run = table_module._Search.run
    searched = []
    monkeypatch.setattr(table_module._Search, "run", lambda self: searched.append(len(self.copies)) or run(self))
    with pytest.raises(TableTooLarge, match=r"100 numbers \(up to 99\) allow too many calculations"):
        table_of(dict.fromkeys(range(100), 4), operations, steps)
    assert max(searched) <= table_module._LARGEST_SAMPLED


@pytest.mark.parametrize("operations", ["+-*/", "+", "+-"])
def test_a_sample_foresees_how_many_sets_are_followed(operations: str) -> None:
    search = table_module._Search(dict.fromkeys(range(16), 2), operations, "whole", 4)
    search.run()
    for size in (3, 4):
        followed = sum(len(selection) == size for selection in search.ways)
        share = sum(map(search._would_follow, search._sample(size))) / table_module._SAMPLE
        assert followed / comb(16 + size - 1, size) == pytest.approx(share, abs=0.12)


def test_a_sample_follows_what_the_search_follows() -> None:
    search = table_module._Search(dict.fromkeys(range(16), 2), "+-*/", "whole", 4)
    search.run()
    for selection in search._sample(4):
        assert search._would_follow(selection) == (selection in search.ways)


@pytest.mark.clause("R3.8")
def test_the_way_out_of_a_table_too_large_works() -> None:
    deck = dict.fromkeys(range(1, 41), 2)
    expected = {(target, numbers) for target, numbers in pairs_by_hand(deck)}
    table = table_of(deck, "+-*/", "whole", 2)
    assert {(entry.target, entry.numbers) for entry in table.calculations} == expected


def pairs_by_hand(deck: dict[int, int]) -> set[tuple[int, tuple[int, int]]]:
    """All calculations of two cards: sum, difference, product and exact quotient that are another number of the deck."""
    found = set()
    for low, high in combinations_with_replacement(sorted(deck), 2):
        if low != high or deck[low] > 1:
            results = {low + high, high - low, low * high} | ({high // low} if high % low == 0 else set())
            found |= {(target, (low, high)) for target in results - {low, high} if target in deck}
    return found


def test_a_table_is_kept_for_the_next_process_and_a_damaged_one_is_worked_out_anew() -> None:
    arguments = (((1, 2), (2, 2), (3, 1)), "+-", "whole", 4)
    table = minimal_table.__wrapped__(*arguments)
    kept = max(
        (Path(table_module.__file__).parent / "__pycache__").glob("minimal-*.json"), key=lambda f: f.stat().st_mtime
    )
    assert minimal_table.__wrapped__(*arguments) == table
    for damage in ("", "[[1, 2", "[[1]]", "[3]"):
        kept.write_text(damage)
        assert minimal_table.__wrapped__(*arguments) == table
