"""Comparisons of variants under common deals: differences against scipy, false alarms, pairing, sentences, the figure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from nambarz_sim import Pupil, Rules, Variant, compare, simulate
from nambarz_sim.analysis.compare import Comparison, difference
from nambarz_sim.analysis.summary import ratio_measures
from nambarz_sim.analysis.sums import Products
from nambarz_sim.cli import main
from nambarz_sim.cli.compare import read_variant
from nambarz_sim.plots import plot_comparison

REPEATS = 1_000


Sums = tuple[np.ndarray, np.ndarray]


def made(values: np.ndarray, cases: np.ndarray | None = None) -> Sums:
    """What each game adds above and below the line of a measure."""
    return values.astype(np.float64), np.ones(len(values)) if cases is None else cases


def _difference(one: Sums, other: Sums) -> dict[str, Any]:
    products = Products.of(("top", "bottom", "other top", "other bottom"), np.column_stack([*one, *other]))
    return difference(products, ("top", "bottom"), ("other top", "other bottom"))


@pytest.fixture(scope="module")
def levels() -> Comparison:
    return compare({"beginner": Rules(), "top-level": Rules.preset("top-level")}, games=300, progress=False)


# --- one difference --------------------------------------------------------------------------------------------------


def test_a_difference_of_means_is_the_paired_t_test() -> None:
    generator = np.random.default_rng(1)
    common = generator.normal(30, 8, 60)
    one, other = common + generator.normal(0, 2, 60), common + generator.normal(1, 2, 60)
    found = _difference(made(one), made(other))
    expected = stats.ttest_rel(other, one)
    interval = expected.confidence_interval(0.95)
    assert found["p_value"] == pytest.approx(expected.pvalue)
    assert (found["low"], found["high"]) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert found["difference"] == pytest.approx(other.mean() - one.mean())
    deviation = np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
    assert found["effect_size"] == pytest.approx((other.mean() - one.mean()) / deviation)
    assert found["effect_low"] == pytest.approx(interval.low / deviation)


def test_the_games_saved_are_those_that_the_unpaired_interval_would_take() -> None:
    # By hand: games 0 to 3 have 1, 2, 3, 4 turns and 2, 3, 4, 6; variances 5/3 and 35/12, of the differences 1/4.
    found = _difference(made(np.array([1, 2, 3, 4])), made(np.array([2, 3, 4, 6])))
    assert found["difference"] == 1.25
    assert found["games_saved"] == round(4 * ((5 / 3 + 35 / 12) / (1 / 4) - 1)) == 69


def test_pairing_narrows_the_interval_where_deals_are_alike() -> None:
    generator = np.random.default_rng(2)
    common = generator.normal(30, 8, 400)
    one, other = (common + generator.normal(0, 2, 400) for _ in range(2))
    paired = _difference(made(one), made(other))
    apart = _difference(made(one), made(generator.permutation(other)))
    assert paired["high"] - paired["low"] < 0.5 * (apart["high"] - apart["low"])
    assert paired["games_saved"] > 10 * 400 > 400 > abs(apart["games_saved"])


def test_a_measure_without_cases_has_no_difference() -> None:
    found = _difference(made(np.zeros(5), np.zeros(5)), made(np.arange(5)))
    assert np.isnan([found["difference"], found["p_value"], found["low"]]).all()


def test_what_never_varies_and_never_differs_is_certain() -> None:
    found = _difference(made(np.zeros(5)), made(np.zeros(5)))
    assert (found["difference"], found["p_value"], found["effect_size"], found["games_saved"]) == (0, 1, 0, 0)
    assert _difference(made(np.zeros(5)), made(np.ones(5)))["p_value"] == 0


def ratios(generator: np.random.Generator, games: int, more: float) -> tuple[Sums, Sums]:
    """Two variants' strokes and turns, alike in each game but for ``more`` strokes a turn in the second."""
    skill = generator.gamma(4, 1, games)
    turns = [generator.poisson(20 + 3 * skill) + 1.0 for _ in range(2)]
    strokes = [
        generator.poisson(turns[variant] * (0.1 + 0.02 * skill + variant * more)).astype(float) for variant in range(2)
    ]
    return made(strokes[0], turns[0]), made(strokes[1], turns[1])


def test_intervals_hold_the_true_difference_of_ratios_as_often_as_they_say() -> None:
    generator = np.random.default_rng(3)
    big = ratios(generator, 1_000_000, 0.02)
    truth = _difference(*big)["difference"]
    found = [_difference(*ratios(generator, 200, 0.02)) for _ in range(REPEATS)]
    covered = sum(each["low"] <= truth <= each["high"] for each in found)
    assert stats.binomtest(covered, REPEATS, 0.95).pvalue > 0.001, covered


def test_false_alarms_come_as_often_as_they_may() -> None:
    generator = np.random.default_rng(4)
    alarms = sum(_difference(*ratios(generator, 200, 0.0))["p_value"] <= 0.05 for _ in range(REPEATS))
    assert stats.binomtest(alarms, REPEATS, 0.05).pvalue > 0.001, alarms


# --- whole comparisons -----------------------------------------------------------------------------------------------


def test_the_table_holds_every_measure_and_pair(levels: Comparison) -> None:
    table = levels.table
    assert set(table["first"]) == {"beginner"}
    assert set(table["second"]) == {"top-level"}
    row = table.set_index("measure").loc["turns a round, mean"]
    one, other = (each.rounds["turns"].to_numpy(dtype=float) for each in levels.results.values())
    assert row["difference"] == pytest.approx(other.mean() - one.mean())
    assert row["p_value"] == pytest.approx(stats.ttest_rel(other, one).pvalue)
    assert (row["games"], row["rounds"], row["unit"]) == (300, 300, "turns")
    summaries = [each.summary() for each in levels.results.values()]
    for column, summary in zip(("first_value", "second_value"), summaries, strict=True):
        ratios_only = table.set_index("measure")[column]
        known = ratios_only.index.intersection(summary.index)
        assert len(known) > 15
        np.testing.assert_allclose(ratios_only[known], summary["value"][known])


def test_p_values_are_corrected_over_the_whole_table(levels: Comparison) -> None:
    # Benjamini and Hochberg 1995 in their own words: p times the number of them, divided by its rank, least from behind.
    p_values = np.sort(levels.table["p_value"].to_numpy())
    adjusted = np.minimum.accumulate((p_values * len(p_values) / np.arange(1, len(p_values) + 1))[::-1])[::-1]
    np.testing.assert_allclose(np.sort(levels.table["adjusted_p"].to_numpy()), np.minimum(adjusted, 1))


def test_common_deals_save_games(levels: Comparison) -> None:
    saved = levels.table.set_index("measure")["games_saved"]
    assert saved["change wildcards, share of plays"] > 50
    assert "300 games each, with the same deals" in str(levels)


def test_the_findings_are_sentences_clearest_first(levels: Comparison) -> None:
    first, *_ = found = levels.findings()
    assert first.startswith("change wildcards, share of plays: ")
    assert "percentage points less with top-level than with beginner (" in first
    stands = levels.table[levels.table["adjusted_p"] <= 0.05]
    assert len(found) == len(stands) >= 5
    assert all(sentence in str(levels) for sentence in found)


def test_variants_may_be_strategies_pupils_or_both() -> None:
    rules = Rules(players=3)
    mixed = ["thrifty", "greedy", "greedy"]
    found = compare(
        {
            "greedy": "greedy",
            "pupils": Pupil.preset("year-3"),
            "one thrifty": mixed,
            "four": Variant(Rules(), "master"),
        },
        games=20,
        rules=rules,
        progress=False,
    )
    assert [each.rules.players for each in found.results.values()] == [3, 3, 3, 4]
    assert found.results["one thrifty"].strategies == tuple(mixed)
    assert len(found.table.groupby(["first", "second"])) == 6
    penalties = found.table[found.table["measure"] == "penalties a round"].set_index(["first", "second"])
    assert penalties.loc[("greedy", "pupils"), "second_value"] > 0  # a measure that only some of them know, too
    assert "rounds won, seat 3" not in set(found.table["measure"])


def test_a_variant_against_itself_gives_no_finding() -> None:
    found = compare({"one": Rules(), "other": Rules()}, games=50, progress=False)
    assert found.findings() == []
    assert (found.table["difference"] == 0).all()
    assert "No difference stands" in str(found)


def test_measures_can_be_chosen() -> None:
    measures = ["turns a round, mean", "penalties a player's turn"]
    found = compare({"one": "greedy", "other": "year-4"}, games=30, measures=measures, progress=False)
    assert found.table["measure"].tolist() == measures


def test_every_ratio_of_the_summary_is_compared() -> None:
    results = simulate(games=30, strategies="year-3", progress=False)
    ratios_only = {name for name in results.summary().index if "median" not in name and ", P" not in name}
    assert ratios_only <= set(ratio_measures(results))


def test_progress_is_told_over_all_variants_and_can_stop() -> None:
    told: list[tuple[int, int]] = []
    compare({"a": "greedy", "b": "thrifty"}, 40, progress=lambda done, total: told.append((done, total)))
    assert told[0] == (0, 80)
    assert told[-1] == (80, 80)
    assert told == sorted(told)
    with pytest.raises(ValueError, match=r"compare: it was stopped before 2 games of 'b' were over"):
        compare({"a": "greedy", "b": "thrifty"}, 40, progress=lambda done, _: done < 40)


def test_after_a_stop_the_games_that_all_have_are_compared() -> None:
    def enough(done: int, _total: int) -> bool:
        return done < 20_005

    found = compare({"a": Rules(players=2), "b": Rules(players=3)}, 20_000, progress=enough, workers=1)
    games = {name: len(each.games) for name, each in found.results.items()}
    assert games["a"] == 20_000 > games["b"] > 1
    assert set(found.table["games"]) == {games["b"]}


@pytest.mark.parametrize(
    ("variants", "options", "message"),
    [
        (
            {"only": Rules()},
            {},
            r"^variants: two or more are compared, and given is 'only'; give each a name",
        ),
        ({}, {}, "and given is none"),
        ({"a": Rules(), "b": "greedy"}, {"games": 1}, "games: 1 is not allowed; give a whole number from 2"),
        ({"a": "greedy", "b": "thrifty"}, {"measures": ["turns"]}, "measure: 'turns' is not known; known are turns a"),
        ({"a": "greedy", "b": "thrift"}, {}, "strategy: 'thrift' is not known.*Did you mean 'thrifty'"),
    ],
)
def test_bad_input_is_refused_before_many_games(variants: dict, options: dict, message: str) -> None:
    told: list[int] = []
    with pytest.raises(ValueError, match=message):
        compare(variants, **{"games": 10**9, "progress": lambda done, _: told.append(done)} | options)
    assert told == []


# --- figure and command line -----------------------------------------------------------------------------------------


def test_the_forest_plot_shows_each_difference(levels: Comparison) -> None:
    figure = plot_comparison(levels)
    (axes,) = figure.axes
    filled, hollow = axes.lines[1:]
    stands = (levels.table["adjusted_p"] <= 0.05).to_numpy()
    np.testing.assert_allclose(filled.get_xdata(), levels.table["effect_size"][stands])
    np.testing.assert_allclose(hollow.get_xdata(), levels.table["effect_size"][~stands])
    assert filled.get_marker() != hollow.get_marker()
    assert [label.get_text() for label in axes.get_yticklabels()] == levels.table["measure"].tolist()
    assert f"{stands.sum()} of {len(stands)} differences stand" in figure.get_suptitle()
    assert "change wildcards" in figure.description


def test_a_figure_of_too_many_pairs_is_refused() -> None:
    found = compare({str(players): Rules(players=players) for players in range(2, 7)}, games=10, progress=False)
    with pytest.raises(ValueError, match="10 pairs of variants are more than the 6 that a figure shows"):
        plot_comparison(found)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("top-level", "top-level", Variant(Rules.preset("top-level"), "greedy")),
        ("thrifty", "thrifty", Variant(Rules(), "thrifty")),
        ("year-3:thrifty", "year-3:thrifty", Variant(Rules(), "year-3:thrifty")),
        ("plus: operations=+", "plus", Variant(Rules(operations="+"), "greedy")),
        ("hand-size=5", "hand-size=5", Variant(Rules(hand_size=5), "greedy")),
        (
            "few: wildcards=replay=0,change-any=2 teammates_see_hands=yes strategies=master",
            "few",
            Variant(
                Rules(wildcards={"replay": 0, "change-any": 2}, teammates_see_hands=True), "master"
            ),
        ),
        ("six: preset=experienced players=6", "six", Variant(Rules.preset("experienced", players=6), "greedy")),
        ("a: team_sizes=2,2 strategies='year-3 slip=0.2'", "a", Variant(Rules(team_sizes=(2, 2)), "year-3 slip=0.2")),
    ],
)  # fmt: skip
def test_variants_are_read_from_words(text: str, name: str, expected: Variant) -> None:
    assert read_variant(text, Rules(), "greedy") == (name, expected)


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit status of the command in this process: a process for each would take seconds."""
    monkeypatch.setattr("sys.argv", ["nambarz", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(str(ended.value))


def test_compare_prints_findings_json_and_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compare", "beginner", "few: hand_size=4", "--games", "60", "--seed", "2"]
    expected = compare({"beginner": Rules(), "few": Rules(hand_size=4)}, 60, seed=2, progress=False)
    assert command(monkeypatch, *words) == 0
    assert capsys.readouterr().out == f"{expected}\n"
    assert command(monkeypatch, *words, "--json", "--measure", "turns a round, mean") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["difference"] for row in rows] == [pytest.approx(expected.table["difference"].iloc[0], rel=1e-9)]
    table, picture = tmp_path / "found.csv", tmp_path / "found.svg"
    assert command(monkeypatch, *words, "--output", str(table), "--plot", str(picture)) == 0
    assert capsys.readouterr().out == ""
    assert len(table.read_text(encoding="utf-8").splitlines()) == 1 + len(expected.table)
    assert "<svg" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["beginner"], "two or more are compared, and given is 'beginner'"),
        (["beginner", "beginer"], "Did you mean 'beginner'?"),
        (["greedy", "greedy"], "'greedy' is given twice"),
        (["greedy", "b: operatons=+"], "variants, option: 'operatons' is not known"),
        (["greedy", "b: players=many"], "players: 'many' is not a whole number"),
        (
            ["greedy", "b: unfinished_bonus=perhaps"],
            "unfinished_bonus: 'perhaps' is not known; known are yes, true, no",
        ),
        (["greedy", "thrifty", "--measure", "length"], "measure: 'length' is not known"),
        (["greedy", "thrifty", "--plot", "found.gif"], "plot: 'found.gif' does not end in .png, .svg, .pdf"),
    ],
)
def test_bad_words_get_one_line(
    words: list[str], part: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "compare", *words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert part in told.err
    assert told.err.count("\n") == 1
