"""Master strokes: the list of calculations, exact chances against brute force and simulation, frequency (R8.3)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from io import StringIO
from itertools import combinations
from math import comb
from pathlib import Path

import naive
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nambarz_sim import Rules, find_plays, minimal_calculations, simulate
from nambarz_sim._numba import compiled
from nambarz_sim._rng import PURPOSE_HANDS, new_stream, start_stream
from nambarz_sim.analysis import kernel as hands_kernel
from nambarz_sim.analysis import strokes as strokes_module
from nambarz_sim.analysis.calculations import describe_calculations
from nambarz_sim.analysis.frequency import stroke_frequency
from nambarz_sim.analysis.strokes import simulated_stroke_chances, stroke_chances
from nambarz_sim.engine.plays import put_active
from nambarz_sim.engine.state import new_plays, new_state, pack
from nambarz_sim.plots import plot_calculations, plot_stroke_chances, plot_stroke_frequency

NO_FALSE_ALARM = 0.001


def deck_rules(folder: Path, cards: str, **options: object) -> Rules:
    """Rules with a deck of texts such as ``"3 x4, 8bee x2"`` and no wildcards unless they are asked for."""
    lines = ["kind,number,animal,copies"]
    for entry in cards.split(","):
        card, copies = entry.split()
        number, animal = naive.parse(card)
        lines.append(f"{'picture' if animal else 'number'},{number},{animal},{copies[1:]}")
    file = folder / "deck.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return Rules(**{"players": 2, "hand_size": 1, "wildcards": 0, "deck": str(file), **options})  # type: ignore[arg-type]


def chances(table: pd.DataFrame) -> dict[str, Fraction]:
    return {row.cards: Fraction(row.hands, row.all_hands) for row in table.itertuples()}


def stroke_sizes(hand: list[str], active: str, rules: Rules) -> set[int]:
    return {len(play.cards) for play in find_plays(hand, active, rules) if play.bonus}


def full_deck(rules: Rules) -> list[str]:
    cards = zip(rules.the_deck.cards, rules.copies, strict=True)
    return [str(card) for card, copies in cards for _ in range(copies)]


# --- the list of minimal calculations --------------------------------------------------------------------------------


@pytest.mark.clause("R3.5", "R8.3")
def test_the_list_has_the_figures_of_the_rules() -> None:
    table = minimal_calculations()
    assert table["cards"].value_counts().sort_index().to_dict() == {2: 84, 3: 396, 4: 394, 5: 126, 6: 37, 7: 17, 8: 2}
    assert table["last"].str.split().str.len().sum() == 1661
    assert not table.duplicated(["target", "numbers"]).any()
    assert table["number_cards"].all()
    assert table["picture_cards"].all()
    largest = table[table["cards"] == 8]
    assert largest["numbers"].tolist() == ["1 9 9 9 9 10 10 10", "9 9 9 9 10 10 10 10"]
    assert largest[["target", "points"]].to_numpy().tolist() == [[5, 35], [5, 35]]


@pytest.mark.parametrize("options", [{}, {"operations": "+-", "max_cards": 5}, {"steps": "rational", "max_cards": 4}])
def test_every_row_is_what_the_engine_lists_for_these_cards(options: dict[str, object]) -> None:
    rules = Rules(**options)  # type: ignore[arg-type]
    for row in minimal_calculations(rules).sample(250, random_state=1).to_dict("records"):
        plays = [
            play for play in find_plays(row["numbers"], str(row["target"]), rules) if len(play.cards) == row["cards"]
        ]
        assert sorted({str(play.cards[-1]) for play in plays}, key=int) == row["last"].split()
        assert row["expression"] in {play.expression for play in plays}
        assert {play.bonus for play in plays} == {row["points"]}
        signs = {"+": "+", "-": "-", "*": "×", "/": "÷"}
        assert {sign for sign, shown in signs.items() if f" {shown} " in row["expression"]} == set(row["operations"])


@pytest.mark.clause("R3.4")
def test_the_list_tells_which_type_has_the_cards(tmp_path: Path) -> None:
    # 1 + 1 + 1 = 3: three number cards, but two picture cards with the number 1; 2 + 2 = 4 has one card of each type.
    rules = deck_rules(tmp_path, "1 x3,1bee x1,1hen x1,2 x1,2bee x1,3 x1,4 x1,9bee x1", operations="+")
    table = minimal_calculations(rules).set_index(["target", "numbers"])[["number_cards", "picture_cards"]]
    assert table.loc[(2, "1 1")].tolist() == [True, True]
    assert table.loc[(3, "1 1 1")].tolist() == [True, False]
    assert table.loc[(3, "1 2")].tolist() == [True, True]
    assert (4, "2 2") not in table.index


@pytest.mark.clause("R3.4")
def test_what_no_type_has_the_cards_for_is_left_out(tmp_path: Path) -> None:
    table = minimal_calculations(deck_rules(tmp_path, "1 x1,2bee x1,3 x2,6 x1", operations="+"))
    assert table[["target", "numbers"]].to_numpy().tolist() == [[6, "3 3"]]


def test_the_list_can_be_empty_and_says_so(tmp_path: Path) -> None:
    table = minimal_calculations(deck_rules(tmp_path, "7 x3"))
    assert table.empty
    assert list(table.columns) == list(minimal_calculations().columns)
    assert describe_calculations(table) == "0 minimal calculations: these rules allow none."


def test_the_list_in_words() -> None:
    text = describe_calculations(minimal_calculations())
    assert text.startswith(
        "1,056 minimal calculations, 576 of them master strokes. The 2 largest have 8 cards (35 points): "
        "1 9 9 9 9 10 10 10 for 5; 9 9 9 9 10 10 10 10 for 5.\n"
    )
    assert text.splitlines()[-10].split() == ["1", "17", "25", "0", "0", "0", "0", "0", "42"]
    few = describe_calculations(minimal_calculations(Rules(max_cards=3)))
    assert "480 minimal calculations, 0 of them master strokes. The 396 largest have 3 cards: 2 4 6 for 1;" in few
    assert "and 393 more." in few


# --- exact chances, worked by hand -----------------------------------------------------------------------------------


@pytest.mark.clause("R8.3")
@pytest.mark.parametrize(("hand_size", "expected"), [(3, (0, 35)), (4, (5, 35)), (5, (11, 21)), (6, (5 + 1 + 1, 7))])
def test_one_stroke_of_one_type(tmp_path: Path, hand_size: int, expected: tuple[int, int]) -> None:
    """With + alone only 1 + 1 + 1 + 1 makes 4: at least four of the five ones among the seven cards that are left.

    Four of the five ones: 5 ways, with 0, 1 or both of the nines; all five with the rest. So 5 of 35 hands of 4 cards;
    5 x 2 + 1 of 21 hands of 5 cards; 5 x 1 + 1 x 2 of 7 hands of 6 cards.
    """
    rules = deck_rules(tmp_path, "1 x5,4 x1,9 x2", operations="+")
    found = chances(stroke_chances(rules, "4", hand_size))
    assert found["4"] == found["any"] == Fraction(*expected)


@pytest.mark.clause("R3.4", "R3.6")
def test_two_types_and_a_matching_animal(tmp_path: Path) -> None:
    rules = deck_rules(tmp_path, "1 x4,4 x1,1bee x2,1hen x2,4bee x1,4cat x1,9 x1", operations="+")
    # On 4, of the 11 cards left: four ones of either type, and any cards; both types need 8 of 8 ones.
    for hand_size in (4, 6, 9):
        both = comb(3, hand_size - 8) if hand_size >= 8 else 0
        expected = Fraction(2 * comb(7, hand_size - 4) - both, comb(11, hand_size))
        assert chances(stroke_chances(rules, "4", hand_size))["any"] == expected
    # On 4bee the two 1bee match, and two ones are too few: number cards alone. On 4cat nothing on a 1 matches.
    assert chances(stroke_chances(rules, "4bee", 6))["any"] == Fraction(comb(7, 2), comb(11, 6))
    assert chances(stroke_chances(rules, "4cat", 6))["any"] == Fraction(2 * comb(7, 2), comb(11, 6))


def test_wildcards_are_dealt_too_but_make_no_stroke(tmp_path: Path) -> None:
    rules = deck_rules(tmp_path, "1 x4,4 x1", operations="+", wildcards=4)
    assert chances(stroke_chances(rules, "4", 5))["any"] == Fraction(4, comb(8, 5))


def test_several_decks_have_more_copies(tmp_path: Path) -> None:
    rules = deck_rules(tmp_path, "1 x2,4 x1", operations="+", decks=2)
    assert chances(stroke_chances(rules, "4", 4))["any"] == Fraction(1, comb(5, 4))


def test_without_long_calculations_there_are_no_strokes() -> None:
    table = stroke_chances(Rules(max_cards=3), "5")
    assert table[["cards", "hands", "chance"]].to_numpy().tolist() == [["any", 0, 0.0]]


def test_the_figures_of_the_whole_deck() -> None:
    table = stroke_chances(active="3")
    assert table["cards"].tolist() == ["4", "5", "6", "7", "8", "any"]
    assert set(table["all_hands"]) == {comb(91, 7)}
    # No calculation of seven or eight cards makes 3.
    assert table["hands"].tolist() == [424512822, 4638436, 10688, 0, 0, 427950246]
    assert table["chance"].tolist() == [hands / comb(91, 7) for hands in table["hands"]]


@pytest.mark.clause("R3.5")
def test_eight_cards_for_five_by_hand() -> None:
    """Of one type: 1 9 9 9 9 10 10 10 in 4 x 1 x 4 ways, 9 9 9 9 10 10 10 10 in one; two types."""
    table = stroke_chances(active="5", hand_size=8)
    assert chances(table)["8"] == Fraction(2 * (4 * 4 + 1), comb(91, 8))


# --- exact chances against brute force -------------------------------------------------------------------------------

SMALL = "1 x3,2 x1,3 x1,5 x2,8 x2,1bee x1,5bee x1,1hen x2,3hen x1,8cat x1"


def by_brute_force(deck: list[str], active: str, hand_size: int, sizes_of: object) -> tuple[Counter[str], int]:
    """For each size in how many hands a stroke is, and how many hands there are, by looking into each."""
    left = list(deck)
    left.remove(active)
    hits: Counter[str] = Counter()
    hands = Counter(combinations(sorted(left), hand_size))
    for hand, ways in hands.items():
        sizes = sizes_of(list(hand), active)  # type: ignore[operator]
        hits.update(dict.fromkeys(map(str, sizes), ways))
        hits["any"] += ways * bool(sizes)
    return hits, hands.total()


@pytest.mark.clause("R3.4", "R3.5", "R3.6", "R8.3")
@pytest.mark.parametrize("active", ["3", "5", "3hen", "5bee", "8cat"])
def test_all_hands_of_a_small_deck_by_the_naive_reference(tmp_path: Path, active: str) -> None:
    def sizes_of(hand: list[str], on: str) -> set[int]:
        plays = naive.legal_plays(hand, on)
        return {len(cards) for kind, cards, _ in plays if kind == "calculation" and len(cards) >= 4}

    rules = deck_rules(tmp_path, SMALL)
    hits, hands = by_brute_force(full_deck(rules), active, 6, sizes_of)
    table = stroke_chances(rules, active, 6)
    assert hits["any"] > 0
    assert dict(zip(table["cards"], table["hands"], strict=True)) == {size: hits[size] for size in table["cards"]}
    assert set(table["all_hands"]) == {hands}
    assert set(hits) <= set(table["cards"])


@pytest.mark.clause("R3.6", "R8.3")
@pytest.mark.parametrize("seed", range(12))
def test_all_hands_of_random_decks_by_what_the_engine_lists(tmp_path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    kinds = [str(number) for number in random.choice(12, 4, replace=False)]
    kinds += [f"{number}{animal}" for number in random.choice(12, 2, replace=False) for animal in ("bee", "hen")]
    cards = ",".join(f"{card} x{random.integers(1, 4)}" for card in kinds)
    rules = deck_rules(
        tmp_path, cards, operations=["+-*/", "+-", "+"][seed % 3], steps=["whole", "rational"][seed % 2], wildcards=4
    )
    active = str(random.choice(kinds))
    hits, hands = by_brute_force(full_deck(rules), active, 5, lambda hand, on: stroke_sizes(hand, on, rules))
    table = stroke_chances(rules, active, 5)
    assert dict(zip(table["cards"], table["hands"], strict=True)) == {size: hits[size] for size in table["cards"]}
    assert set(table["all_hands"]) == {hands}
    assert set(hits) <= set(table["cards"])


@pytest.mark.clause("R3.6")
@pytest.mark.parametrize("active", ["5", "4hen", "8bee"])
def test_the_list_tells_what_the_engine_lists_for_random_hands(active: str) -> None:
    rules, random = Rules(), np.random.default_rng(4)
    deck = full_deck(rules)
    deck.remove(active)
    table = minimal_calculations(rules)
    needs = [
        (len(numbers), Counter(numbers))
        for numbers in table.loc[table["target"] == naive.number_of(active), "numbers"].str.split()
        if len(numbers) >= 4
    ]
    strokes = 0
    for _ in range(300):
        hand = [str(card) for card in random.choice(deck, 12, replace=False)]
        usable = [card for card in hand if card not in naive.WILDCARDS and not naive.matches(card, active)]
        held = [
            Counter(str(naive.number_of(card)) for card in usable if naive.type_of(card) == kind)
            for kind in ("number", "picture")
        ]
        expected = {size for size, needed in needs if any(needed <= numbers for numbers in held)}
        assert stroke_sizes(hand, active, rules) == expected
        strokes += bool(expected)
    assert strokes > 50


def test_a_random_active_card_is_the_mean_over_all() -> None:
    rules = Rules(operations="+-", hand_size=5)
    cards = [(card, n) for card, n in zip(rules.the_deck.cards, rules.copies, strict=True) if not card.is_wildcard]
    single = [(n, chances(stroke_chances(rules, card))) for card, n in cards]
    mean = chances(stroke_chances(rules, None))
    for size in mean:
        assert mean[size] == sum(n * chance[size] for n, chance in single) / 80


def test_wide_numbers_and_narrow_ones_count_alike() -> None:
    """Taking cards of several numbers is taking them from one heap (Vandermonde), in 64 bits and beyond."""
    for copies, most, wide in (((4,) * 9, 6, False), ((40, 50, 60), 100, True)):
        _, totals, ways = strokes_module._all_counts(copies, most)
        assert (ways.dtype == object) == wide
        for total in (0, 1, most // 2, most):
            assert sum(map(int, ways[totals == total])) == comb(sum(copies), total)


# --- exact chances against simulation --------------------------------------------------------------------------------


def assert_agree(rules: Rules, active: str | None, hand_size: int, hands: int) -> None:
    exact, found = stroke_chances(rules, active, hand_size), simulated_stroke_chances(rules, active, hand_size, hands)
    assert found["cards"].tolist() == exact["cards"].tolist()
    for row, chance in zip(found.itertuples(), exact["chance"], strict=True):
        assert stats.binomtest(row.hits, row.hands, chance).pvalue > NO_FALSE_ALARM, row
        assert row.low <= row.chance <= row.high
    total = found.iloc[-1]
    assert total["low"] <= exact["chance"].iloc[-1] <= total["high"]


@pytest.mark.clause("R3.6", "R8.3")
@pytest.mark.parametrize("active", ["3", "4hen", None])
def test_random_hands_agree(active: str | None) -> None:
    assert_agree(Rules(), active, 10, 2_000)


@pytest.mark.slow
@pytest.mark.clause("R3.6", "R8.3")
@pytest.mark.parametrize("hand_size", [7, 10])
@pytest.mark.parametrize("active", ["5", "8bee", None])
def test_many_random_hands_agree(active: str | None, hand_size: int) -> None:
    assert_agree(Rules(), active, hand_size, 100_000)


def test_random_hands_of_many_decks_agree() -> None:
    assert_agree(Rules(decks=10, wildcards=0), "4", 10, 1_000)


@pytest.mark.parametrize("active", ["3bee", None])
def test_plain_and_compiled_hands_are_the_same(active: str | None) -> None:
    rules = Rules()
    packed = pack(rules)
    types = np.repeat(np.arange(len(rules.copies)), rules.copies)
    found = []
    for form in (hands_kernel.count_strokes, compiled(hands_kernel.count_strokes)):
        state, stream, hits = new_state(packed), new_stream(), np.zeros(13, dtype=np.int64)
        put_active(state, rules.the_deck, "3bee")
        start_stream(stream, 7, 0, 0, PURPOSE_HANDS)
        cards = np.sort(types)
        place = int(np.flatnonzero(cards == rules.the_deck.type_of(rules.the_deck.card("3bee")))[0])
        cards[[place, -1]] = cards[[-1, place]]
        form(packed, state, new_plays(packed), stream, cards, active is None, 10, 300, hits)
        assert np.sort(cards).tolist() == types.tolist()
        found.append(hits.tolist())
    assert found[0] == found[1]
    assert found[0][0] > 0


def test_the_seed_makes_the_hands() -> None:
    one, same, other = (
        simulated_stroke_chances(hand_size=12, hands=300, seed=seed)["hits"].tolist() for seed in (1, 1, 2)
    )
    assert one == same != other


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [stroke_chances, simulated_stroke_chances])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"active": "change-any"}, "active: change-any is a wildcard, .* give a number or picture card"),
        ({"active": "replay"}, "active: replay is a wildcard"),
        ({"active": "11"}, "'11' is not known"),
        ({"active": "3fish"}, "'3fish' is not known; known are 3, 3bee, 3hippopotamus"),
        ({"hand_size": 0}, "hand_size: 0 is not allowed; give a whole number from 1 to 91"),
        ({"hand_size": 92}, "hand_size: 92 is not allowed"),
        ({"hand_size": 7.5}, "hand_size: 7.5 is not allowed"),
    ],
)
def test_bad_input_is_refused(function: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        function(**options)  # type: ignore[operator]


def test_no_hands_and_no_seed_are_refused() -> None:
    with pytest.raises(ValueError, match="hands: 0 is not allowed"):
        simulated_stroke_chances(hands=0)
    with pytest.raises(ValueError, match="seed: -1 is not allowed"):
        simulated_stroke_chances(seed=-1)


def test_too_many_hands_to_list_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strokes_module, "MOST_COUNTS", 1_000)
    with pytest.raises(ValueError, match=r"hands of 9 cards .*more than 1,000 .* smaller hand_size, or use simulated"):
        stroke_chances(Rules(decks=3), "6", 9)


# --- frequency in play -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def frequency() -> pd.DataFrame:
    return stroke_frequency(
        players=(2, 3), operations=("+", "−+"), strategies=("random",), hand_sizes=4, games=60, seed=3, progress=False
    )


def test_one_thing_varies_at_a_time(frequency: pd.DataFrame) -> None:
    every = frequency[frequency["cards"] == "any"]
    assert every[["varied", "setting"]].to_numpy().tolist() == [
        ["players", "2"], ["players", "3"], ["operations", "+"], ["operations", "+-"], ["strategy", "random"],
        ["hand_size", "4"],
    ]  # fmt: skip
    assert set(frequency["rounds"]) == {60}
    assert set(frequency["cards"]) >= {"4", "5", "6", "any"}


def test_the_frequency_is_that_of_the_batch(frequency: pd.DataFrame) -> None:
    summary = simulate(Rules(operations="+-"), 60, 3, progress=False).summary()
    rows = frequency[frequency["setting"] == "+-"].set_index("cards")
    for cards, measure in (("any", "master strokes a round"), ("4", "master strokes of 4 cards a round")):
        assert (
            rows.loc[cards, ["value", "low", "high"]].tolist()
            == summary.loc[measure, ["value", "low", "high"]].tolist()
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": (2, 13)}, "players: 13 is not allowed"),
        ({"operations": "%"}, "operations: '%' is not allowed"),
        ({"strategies": ("greedy", "clever")}, "'clever' is not known"),
        ({"hand_sizes": (7, 40)}, "players: 4 players with 40 cards each"),
        ({"games": 0}, "games: 0 is not allowed"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        stroke_frequency(progress=False, **options)  # type: ignore[arg-type]


# --- figures ---------------------------------------------------------------------------------------------------------


def test_chances_are_drawn_exact_beside_simulated() -> None:
    exact = pd.concat([stroke_chances(active="5", hand_size=size) for size in (7, 10)])
    found = pd.concat([simulated_stroke_chances(active="5", hand_size=size, hands=400) for size in (7, 10)])
    figure = plot_stroke_chances(exact, found)
    (axes,) = figure.axes
    assert axes.get_yscale() == "log"
    lines = [line for line in axes.get_lines() if line.get_label().endswith("exact")]
    assert [line.get_ydata().tolist() for line in lines] == [
        table.loc[(table["cards"] != "any") & (table["chance"] > 0), "chance"].tolist()
        for _, table in exact.groupby("hand_size")
    ]
    assert len({(line.get_marker(), line.get_linestyle(), line.get_color()) for line in lines}) == 2
    assert len({line.get_marker() for line in lines}) == 2
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "400 random hands of 10" in labels
    assert axes.get_title().splitlines()[1] == "On 5, 25 of 100 hands of 10 cards hold a master stroke"
    assert "hands of 7 on 5: 4 cards" in figure.description


def test_calculations_are_drawn_as_a_grid_of_their_numbers() -> None:
    table = minimal_calculations()
    figure = plot_calculations(table)
    shown = [int(text.get_text().replace(",", "")) for text in figure.axes[0].texts if text.get_text().isdigit()]
    assert sum(shown) == len(table)
    assert "394 of 4 cards" in figure.description


def test_frequency_is_drawn_to_one_scale(frequency: pd.DataFrame) -> None:
    figure = plot_stroke_frequency(frequency)
    assert [axes.get_xlabel() for axes in figure.axes] == ["players", "operations", "strategy", "cards in a hand"]
    assert len({axes.get_ylim() for axes in figure.axes}) == 1
    assert "by players: 2 " in figure.description
    assert "(60 rounds a bar)" in figure.get_suptitle()
    assert figure.picture("png").startswith(b"\x89PNG")


def test_nothing_to_draw_is_refused(frequency: pd.DataFrame) -> None:
    with pytest.raises(ValueError, match="calculations: the table is empty"):
        plot_calculations(minimal_calculations().iloc[:0])
    with pytest.raises(ValueError, match="frequency: the table is empty"):
        plot_stroke_frequency(frequency.iloc[:0])
    with pytest.raises(ValueError, match="chances: no hand holds a master stroke"):
        plot_stroke_chances(stroke_chances(Rules(max_cards=3)))
    with pytest.raises(ValueError, match="chances: 0 tables"):
        plot_stroke_chances(stroke_chances().iloc[:0])


# --- the command -----------------------------------------------------------------------------------------------------


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nambarz_sim", "strokes", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_the_command_tells_the_chances_beside_those_of_random_hands(tmp_path: Path) -> None:
    picture = tmp_path / "strokes.svg"
    done = run("--active", "3", "--simulate", "500", "--plot", str(picture))
    assert done.stdout.startswith("Hands of 7 cards on 3: the chance of a master stroke")
    assert "in 500 random hands, 95% interval" in done.stdout
    last = done.stdout.splitlines()[-1].split()
    assert last[:3] == ["any", "5.29%", "18.9"]
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_the_command_gives_exact_numbers_to_programs() -> None:
    rows = json.loads(run("--hand-size", "10", "--active", "5", "--json").stdout)
    expected = stroke_chances(active="5", hand_size=10)
    assert [row["hands"] for row in rows] == expected["hands"].tolist()
    assert rows[4]["chance"] == pytest.approx(expected["chance"][4], rel=1e-6)


def test_the_command_gives_the_list_of_calculations(tmp_path: Path) -> None:
    printed = pd.read_csv(StringIO(run("--calculations", "--operations", "+").stdout), dtype={"last": str})
    assert printed["numbers"].tolist() == minimal_calculations(Rules(operations="+"))["numbers"].tolist()
    file = tmp_path / "calculations.json"
    assert run("--calculations", "--output", str(file)).stdout == ""
    assert len(json.loads(file.read_text(encoding="utf-8"))) == 1056


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--active", "replay"), "active: replay is a wildcard"),
        (("--simulate", "-1"), "simulate: -1 is not allowed"),
        (("--csv", "--json"), "csv and json are both asked for"),
        (("--plot", "strokes.doc"), "plot: 'strokes.doc' does not end in .png, .svg, .pdf"),
    ],
)
def test_the_command_refuses_in_one_line(words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"nambarz: {message}")
    assert done.stderr.count("\n") == 1
