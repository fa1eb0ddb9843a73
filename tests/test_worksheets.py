"""Worksheets: every task has an answer that is clear, sheets of a set are equal, pages are whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import naive
import numpy as np
import pytest

from nambarz_sim import Rules, class_set, worksheet
from nambarz_sim.classroom.difficulty import difficulty, mean_effort, simulated_failures
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.sheets import NARROW, TOLERANCE, equal_sheets
from nambarz_sim.classroom.task_kinds import FEWEST_TO_FIND, MOST_TO_FIND, draw_tasks
from nambarz_sim.classroom.tasks import GAP, KINDS, Task, read_kinds
from nambarz_sim.classroom.worksheet_words import answer, instruction
from nambarz_sim.classroom.worksheets import ClassSet
from nambarz_sim.languages import LANGUAGES, in_language

SIGNS = {"+": "+", "-": "-", "×": "*", "÷": "/"}


# --- every task solved again by the naive reference -------------------------------------------------------------------


def texts(cards: object) -> list[str]:
    return [str(card) for card in cards]  # type: ignore[attr-defined]


def naive_plays(hand: list[str], active: str, task: Task, played: bool = False) -> set[naive.Play]:
    return naive.legal_plays(hand, active, task.rules.operations, task.rules.steps, played=played)


def given(task: Task) -> set[naive.Play]:
    return {(play.kind, tuple(sorted(texts(play.cards))), str(play.cards[-1])) for (play,) in task.answers}


def card_sets(plays: set[naive.Play]) -> set[tuple[str, ...]]:
    return {cards for _, cards, _ in plays}


def solve_find_play(task: Task) -> None:
    plays = naive_plays(texts(task.hand), str(task.active), task)
    assert plays == given(task)
    assert {kind for kind, _, _ in plays} == {"calculation"}


def solve_find_all(task: Task) -> None:
    plays = naive_plays(texts(task.hand), str(task.active), task)
    assert plays == given(task)
    assert task.count == len(card_sets(plays)) == len(task.ways)
    assert FEWEST_TO_FIND <= task.count <= MOST_TO_FIND


def solve_longest(task: Task) -> None:
    plays = naive_plays(texts(task.hand), str(task.active), task)
    most = max(len(cards) for _, cards, _ in plays)
    longest = {play for play in plays if len(play[1]) == most}
    assert longest == given(task)
    assert len(card_sets(longest)) == 1
    assert longest != plays


def solve_exactly(task: Task) -> None:
    plays = naive_plays(texts(task.hand), str(task.active), task)
    right = {play for play in plays if len(play[1]) == task.count}
    assert right == given(task)
    assert right
    assert task.count >= 2


def chain(written: str) -> tuple[list[str], str]:
    """The cards and signs of a calculation from left to right, whatever its brackets."""
    words = written.replace("(", "").replace(")", "").split()
    return words[::2], "".join(SIGNS.get(sign, sign) for sign in words[1::2])


def school_value(written: str) -> Fraction | None:
    """What a calculation makes by the precedence that schools teach."""
    text = re.sub(r"(\d+)[a-z]*", r"Fraction(\1)", written.replace("×", "*").replace("÷", "/"))
    return eval(text, {"Fraction": Fraction})  # type: ignore[no-any-return]


def chain_value(numbers: list[str], signs: str) -> Fraction | None:
    value: Fraction | None = Fraction(naive.number_of(numbers[0]))
    for sign, number in zip(signs, numbers[1:], strict=True):
        value = None if value is None else naive.apply_step(value, sign, naive.number_of(number), "rational")
    return value


def solve_complete(task: Task) -> None:
    known = task.rules.operations if task.missing_sign else [str(number) for number in range(1, 11)]
    target = task.active.number
    right = []
    for each in known:
        numbers, signs = chain(task.written.replace(GAP, each))
        value = chain_value(numbers, signs)
        if value is not None:
            assert value == school_value(task.written.replace(GAP, each))
        if value == target:
            right.append(each)
    assert right == [task.solution]
    numbers, signs = chain(task.written.replace(GAP, task.solution))
    assert numbers == texts(task.hand)
    assert naive.fault(numbers, signs, str(task.active), task.rules.operations, task.rules.steps)[0] is None


def solve_right_or_wrong(task: Task) -> None:
    cards, active = texts(task.hand), str(task.active)
    wildcard = cards[0] in naive.WILDCARDS
    signs = None if wildcard else chain(task.written)[1]
    found = fault_of(task, cards, signs, active)
    assert (found or "right") == task.solution
    if not wildcard:
        assert chain(task.written)[0] == cards
    if found:
        assert ONLY_FAULT[found](task, cards, signs or "", active)


def fault_of(task: Task, cards: list[str], signs: str | None, active: str) -> str | None:
    return naive.fault(cards, signs, active, task.rules.operations, task.rules.steps)[0]


def plain(cards: list[str]) -> list[str]:
    return [str(naive.number_of(card)) for card in cards]


def only_too_many(task: Task, cards: list[str], signs: str, active: str) -> bool:
    one_type = len({naive.type_of(card) for card in cards}) == 1
    return one_type and not any(naive.matches(card, active) for card in cards) and school_value(
        task.written
    ) == naive.number_of(active)  # fmt: skip


def only_matching(task: Task, cards: list[str], signs: str, active: str) -> bool:
    numbers_right = fault_of(task, plain(cards), signs, plain([active])[0]) is None
    return numbers_right and sum(naive.matches(card, active) for card in cards) == 1


def only_mixed(task: Task, cards: list[str], signs: str, active: str) -> bool:
    numbers_right = fault_of(task, plain(cards), signs, plain([active])[0]) is None
    return numbers_right and not any(naive.matches(card, active) for card in cards)


def only_result(task: Task, cards: list[str], signs: str, active: str) -> bool:
    """In another way the same cards are right, and no result on the way is forbidden."""
    value: Fraction | None = Fraction(naive.number_of(cards[0]))
    for sign, card in zip(signs, cards[1:], strict=True):
        value = None if value is None else naive.apply_step(value, sign, naive.number_of(card), task.rules.steps)
    one_type = len({naive.type_of(card) for card in cards}) == 1
    numbers = [naive.number_of(card) for card in cards]
    minimal = naive.is_minimal(numbers, naive.number_of(active), task.rules.operations, task.rules.steps)
    return value is not None and one_type and minimal and not any(naive.matches(card, active) for card in cards)


def only_wildcard(task: Task, cards: list[str], signs: str, active: str) -> bool:
    return None in (fault_of(task, cards[:1], None, active), fault_of(task, ["change-any", *cards[1:]], None, active))


ONLY_FAULT: dict[str, Callable[[Task, list[str], str, str], bool]] = {
    "R6.1": only_too_many,
    "R6.2": only_matching,
    "R6.3": only_mixed,
    "R6.4": only_result,
    "R6.5": only_wildcard,
}


def solve_replay(task: Task) -> None:
    """All turns of two plays, by the cards of both and the card between."""
    turns = set()
    for kind, cards, last in naive_plays(texts(task.hand), str(task.active), task):
        if kind == "replay":
            continue
        left = list((Counter(texts(task.hand)) - Counter(cards)).elements())
        assert naive_plays(left, last, task, played=True) == {("replay", ("replay",), "replay")}
        left.remove("replay")
        for then, others, _ in naive_plays(left, last, task):
            assert (kind, then) != ("match", "match")
            turns.add((cards, others))
    assert turns
    assert turns == {tuple(tuple(sorted(texts(play.cards))) for play in plays) for plays in task.answers}
    for first, second in task.answers:
        left = list((Counter(texts(task.hand)) - Counter(texts(first.cards))).elements())
        left.remove("replay")
        play = (second.kind, tuple(sorted(texts(second.cards))), str(second.cards[-1]))
        assert play in naive_plays(left, str(first.cards[-1]), task)


SOLVE = {
    "find-play": solve_find_play,
    "find-all": solve_find_all,
    "longest": solve_longest,
    "exactly": solve_exactly,
    "complete": solve_complete,
    "right-or-wrong": solve_right_or_wrong,
    "replay": solve_replay,
}
SHEETS_OF_A_SET, SEEDS = 24, range(7)
"""Sheets of every level: 6 levels x 7 seeds x 24 sheets are 1,008 sheets. To be quick they are made without their pages,
with one task of every second kind each; the next seed takes the other kinds."""


@pytest.mark.parametrize("level", Level.names())
def test_a_thousand_sheets_without_a_duplicate_or_an_unanswerable_task(level: str) -> None:
    for seed in SEEDS:
        kinds = KINDS[seed % 2 :: 2]
        sheets = class_set(SHEETS_OF_A_SET, level, kinds, len(kinds), seed).sheets
        tasks = [task for sheet in sheets for task in sheet.tasks]
        assert [len(sheet.tasks) for sheet in sheets] == [len(kinds)] * SHEETS_OF_A_SET
        assert len({task.key for task in tasks}) == len(tasks)
        for task in tasks:
            assert bool(task.answers) != bool(task.solution)
            SOLVE[task.kind](task)


@pytest.mark.parametrize(
    "level",
    [
        Level(steps="integer", most_cards=4, hand_size=6),
        Level(steps="rational", most_cards=4, hand_size=6),
        Level(operations="-/", most_cards=3, hand_size=8),
        Level(operations="*+", fewest_cards=3, most_cards=3, pictures=False),
        Level(fewest_cards=5, most_cards=8, hand_size=10),
    ],
    ids=["integer", "rational", "minus and divided", "no pictures", "large"],
)
def test_levels_of_ones_own_have_clear_tasks_too(level: Level) -> None:
    for kind in KINDS:
        for task in draw_tasks(kind, level, None, 8, seed=2):
            SOLVE[kind](task)
            assert level.pictures or not any(card.animal for card in (*task.hand, task.active))
            assert task.rules.operations == level.operations
            if kind not in ("complete", "right-or-wrong"):
                assert len(task.hand) == level.hand_size


def test_every_fault_of_the_rule_book_comes_up() -> None:
    tasks = draw_tasks("right-or-wrong", Level.preset(4), None, 120, seed=1)
    counts = Counter(task.solution for task in tasks)
    assert set(counts) == {"right", "R6.1", "R6.2", "R6.3", "R6.4", "R6.5"}
    assert 0.1 < counts["right"] / 120 < 0.6
    rightly = [task for task in tasks if task.solution == "right" and task.hand[0].is_wildcard]
    assert rightly, "a wildcard would give the answer away"


def test_numbers_and_signs_are_missing() -> None:
    tasks = draw_tasks("complete", Level.preset(5), None, 40, seed=1)
    assert 5 < sum(task.missing_sign for task in tasks) < 35


# --- sheets of equal difficulty ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def of_thirty() -> ClassSet:
    return class_set(30, 3, tasks=10, seed=7, lang="en")


def test_a_set_is_equal_in_kinds_and_difficulty(of_thirty: ClassSet) -> None:
    shape = [[task.kind for task in sheet.tasks] for sheet in of_thirty.sheets]
    assert shape == [shape[0]] * 30
    assert {shape[0].count(kind) for kind in KINDS} == {1, 2}
    totals = of_thirty.difficulties["total"]
    assert totals.max() - totals.min() <= TOLERANCE
    assert totals.min() > 0.5


def test_the_table_of_difficulties_says_what_the_tasks_are(of_thirty: ClassSet) -> None:
    table = of_thirty.difficulties
    assert table.shape == (30, 11)
    for sheet in of_thirty.sheets:
        rated = [difficulty(task, of_thirty.level) for task in sheet.tasks]
        assert table.loc[sheet.number].tolist() == pytest.approx([*rated, sum(rated)])


def test_places_of_a_set_are_about_equal_too(of_thirty: ClassSet) -> None:
    table = of_thirty.difficulties.drop(columns="total")
    spread = table.max() - table.min()
    assert spread.max() <= 4 * NARROW
    assert spread.mean() < np.ptp(table.to_numpy()) / 5


def test_the_same_seed_makes_the_same_sheets(of_thirty: ClassSet) -> None:
    assert class_set(30, 3, tasks=10, seed=7, lang="en") == of_thirty
    other = class_set(30, 3, tasks=10, seed=8, lang="en")
    ours, others = ({task.key for sheet in each.sheets for task in sheet.tasks} for each in (of_thirty, other))
    assert len(ours & others) < len(ours) / 4


def test_sheets_that_cannot_be_equal_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nambarz_sim.classroom.sheets.TOLERANCE", 1e-12)
    with pytest.raises(ValueError, match="sheets: 5 sheets of 2 tasks each cannot be made equally difficult"):
        equal_sheets(5, Level.preset(4), ("find-all",), 2, seed=1)


# --- difficulty -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 3, 6])
def test_difficulty_is_what_simulated_pupils_fail(number: int) -> None:
    """Over many tasks; of a single task less is claimed."""
    level = Level.preset(number)
    tasks = draw_tasks("find-play", level, None, 25, seed=1)
    failed = np.mean([simulated_failures(task, level, 60) for task in tasks])
    assert np.mean([difficulty(task, level) for task in tasks]) == pytest.approx(failed, abs=0.05)


def test_pupils_of_later_years_fail_less() -> None:
    rated = []
    for year in range(1, 7):
        level = Level(school_year=year, most_cards=3, hand_size=6)
        rated.append(np.mean([difficulty(task, level) for task in draw_tasks("find-all", Level(), None, 20, seed=1)]))
    assert rated == sorted(rated, reverse=True)


def test_more_effort_is_more_difficult_and_more_ways_are_less() -> None:
    level = Level.preset(5)
    longest = draw_tasks("longest", level, None, 60, seed=1)
    by_size: dict[int, list[float]] = {2: [], 3: [], 4: []}
    for task in longest:
        by_size.get(len(task.answers[0][0].cards), []).append(difficulty(task, level))
    means = [np.mean(found) for found in by_size.values()]
    assert means == sorted(means)
    found = draw_tasks("find-play", level, None, 60, seed=1)
    few, many = (
        [difficulty(task, level) for task in found if low <= len(task.ways) < high] for low, high in ((1, 2), (5, 99))
    )
    assert np.mean(few) > 2 * np.mean(many)


def test_a_calculation_of_mean_effort_is_overlooked_as_often_as_the_preset_says() -> None:
    level = Level.preset(1)  # all its calculations have two small numbers, so all are the mean
    assert mean_effort(level, level.rules()) == 1
    task = next(task for task in draw_tasks("longest", level, None, 20, seed=1) if len(task.answers) == 1)
    assert difficulty(task, level) == pytest.approx(1 - (1 - 0.25) * (1 - 0.08))


# --- levels and bad input ---------------------------------------------------------------------------------------------


def test_levels_rise() -> None:
    levels = [Level.preset(name) for name in Level.names()]
    assert [level.name for level in levels] == ["1", "2", "3", "4", "5", "6"]
    for option in ("school_year", "most_cards", "hand_size"):
        values = [getattr(level, option) for level in levels]
        assert values == sorted(values)
    assert all(set(before.operations) <= set(after.operations) for before, after in pairwise(levels))


def test_a_changed_limit_takes_the_others_with_it() -> None:
    assert Level.preset(5, hand_size=3).most_cards == 3
    assert Level.preset(1, fewest_cards=6).hand_size == 6
    assert Level.preset(6, most_cards=2).fewest_cards == 2


def test_the_rules_of_a_game_are_kept_but_for_what_a_level_has() -> None:
    rules = Rules(wildcards=0, penalty_cards=1, steps="integer")
    (task,) = draw_tasks("find-play", Level.preset(2), rules, 1, seed=1)
    assert task.rules == rules.replace(operations="+-", steps="whole")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": 7}, "level: '7' is not known; known are 1, 2, 3, 4, 5, 6"),
        ({"level": "x"}, "level: 'x'"),
        ({"kinds": "find-al"}, "kinds: 'find-al' is not known; .*Did you mean 'find-all'"),
        ({"kinds": []}, "kinds: none is given"),
        ({"tasks": 0}, "tasks: 0 is not allowed; give a whole number from 1 to 40"),
        ({"sheets": 201}, "sheets: 201"),
        ({"seed": -1}, "seed: -1"),
        ({"lang": "it"}, "lang: 'it' is not known"),
        ({"kinds": "replay", "rules": Rules(wildcards=0)}, "kinds: no task replay was found for level 3 with"),
        (
            {"level": 1, "kinds": "complete", "tasks": 40},
            r"kinds: only \d+ different tasks of the kind complete were found",
        ),
        ({"level": Level(operations="*", fewest_cards=4)}, "level: with × no calculation of 4 to 4 cards"),
    ],
)
def test_bad_input_gets_one_clear_sentence(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        class_set(**({"sheets": 2} | arguments))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"most_cards": 8}, "most_cards: 8 is not allowed; give a whole number from 2 .* to 7"),
        ({"fewest_cards": 5}, "most_cards: 4 is not allowed"),
        ({"hand_size": 11}, "hand_size: 11 .* from 2 to 10"),
        ({"operations": "+%"}, "operations: '\\+%'"),
        ({"steps": "half"}, "steps: 'half'"),
        ({"school_year": 7}, "school_year: 7"),
        ({"pictures": 1}, "pictures: 1"),
    ],
)
def test_levels_that_cannot_be_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Level(**options)
    with pytest.raises(ValueError, match="option of a level: 'colour'"):
        Level.preset(3, colour=1)


def test_kinds_are_read_from_a_text_or_a_list() -> None:
    assert read_kinds(["replay", "longest", "longest"]) == read_kinds(" replay,longest ") == ("longest", "replay")
    assert read_kinds(None) == KINDS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_task_is_worded_in_every_language(lang: str) -> None:
    level = Level.preset(5)
    with in_language(lang):
        for kind in KINDS:
            for task in draw_tasks(kind, level, None, 6, seed=3):
                told = [instruction(task), answer(task)]
                assert all(told)
                assert not re.search(r"[{}]|None", " ".join(told))
    assert worksheet(5, seed=1, lang=lang).lang == lang
