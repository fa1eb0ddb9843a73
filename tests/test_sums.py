"""Sums that are exact whatever the parts they come in: by hand, by a naive reference, in memory and from a folder."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from nambarz_sim import Pupil, Results, Rules, compare, simulate
from nambarz_sim.analysis import sums
from nambarz_sim.analysis.estimates import quantile, ratio
from nambarz_sim.analysis.sums import Products, each_part, length_ratios, turns_counts
from nambarz_sim.plots import plot_game_length, plot_master_strokes
from nambarz_sim.simulation import results as batches

GAMES = 12
CASES: dict[str, tuple[Rules, Any]] = {
    "usual": (Rules(), "greedy"),
    "played off": (Rules(players=2, rounds=2, play_off="all"), "random"),
    "teams": (Rules(players=4, team_sizes=(2, 2), rounds=3), ["greedy", "random", "master", "thrifty"]),
    "twelve": (Rules(players=12), "random"),
    "cut": (Rules(players=3, turn_limit=9), "greedy"),
    "pupils": (Rules(players=2, rounds=2), ["greedy", Pupil.preset("year-2", slip=0.5)]),
}
SIZES = [(name, 5) for name in CASES] + [("played off", 1), ("played off", GAMES)]
"""The cases, and into chunks of how many games each is cut."""
FEW = pytest.mark.parametrize("pair", [("played off", 5), ("played off", 1), ("teams", 5)], ids=str, indirect=True)
Pair = tuple[Results, Results]


@pytest.fixture(scope="module")
def batch() -> Results:
    return simulate(CASES["played off"][0], GAMES, 3, "random", progress=False)


@pytest.fixture(scope="module", params=SIZES, ids=str)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A batch in memory, and the same one in a folder, opened anew."""
    name, size = request.param
    rules, strategies = CASES[name]
    folder = tmp_path_factory.mktemp("run")
    simulate(rules, GAMES, 3, strategies, chunk_size=size, progress=False, out=folder)
    return simulate(rules, GAMES, 3, strategies, progress=False), Results.open(folder)


# --- a folder's figures are those of memory ---------------------------------------------------------------------------


def test_summary_is_the_same_from_a_folder(pair: Pair) -> None:
    batch, stored = pair
    pd.testing.assert_frame_equal(stored.summary(), batch.summary(), check_exact=True)


def test_tables_are_the_same_from_a_folder(pair: Pair) -> None:
    batch, stored = pair
    for name in ("games", "rounds", "players"):
        pd.testing.assert_frame_equal(getattr(stored, name), getattr(batch, name), check_exact=True)


@FEW
def test_questions_have_the_same_answers_from_a_folder(pair: Pair) -> None:
    batch, stored = pair
    for name in ("games", "rounds", "players"):
        asked = f"select * from {name}"
        found = stored.query(asked)
        pd.testing.assert_frame_equal(found, batch.query(asked), check_exact=True)
        pd.testing.assert_frame_equal(found, _as_words(getattr(batch, name)), check_exact=True, check_dtype=False)
    asked = "select ended, avg(turns), max(turns * turns * 40000) from rounds group by ended order by ended"
    pd.testing.assert_frame_equal(stored.query(asked), batch.query(asked), check_exact=True)


def _as_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table with words where it has categories."""
    words = table.select_dtypes("category").columns
    return table.astype(dict.fromkeys(words, str))


@FEW
def test_comparisons_are_the_same_from_a_folder(pair: Pair) -> None:
    other = simulate(pair[0].rules.replace(operations="+-"), GAMES, 3, "greedy", progress=False)
    ours, theirs = (compare({"one": each, "other": other}) for each in pair)
    pd.testing.assert_frame_equal(theirs.table, ours.table, check_exact=True)
    assert str(theirs) == str(ours)


def test_figures_are_the_same_from_a_folder(batch: Results, tmp_path: Path) -> None:
    stored = simulate(batch.rules, GAMES, 3, "random", chunk_size=5, progress=False, out=tmp_path)
    for plot in (plot_game_length, plot_master_strokes):
        ours, theirs = plot(batch), plot(stored)
        assert theirs.description == ours.description
        for one, other in zip(ours.axes[0].patches, theirs.axes[0].patches, strict=True):
            assert one.get_bbox().bounds == other.get_bbox().bounds
        for one, other in zip(ours.axes[0].collections, theirs.axes[0].collections, strict=True):
            assert [path.vertices.tolist() for path in one.get_paths()] == [
                path.vertices.tolist() for path in other.get_paths()
            ]


def test_the_size_of_the_parts_in_memory_changes_nothing(batch: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "PART_SEATS", 1)
    again = Results(batch.rules, batch.strategies, batch.seed, [batch.records])
    assert len(list(again.parts())) == GAMES
    pd.testing.assert_frame_equal(again.summary(), batch.summary(), check_exact=True)


# --- comparisons of batches that are there ----------------------------------------------------------------------------


def test_a_batch_is_compared_as_if_it_were_played_for_it(tmp_path: Path) -> None:
    rules = {"usual": Rules(players=3), "short": Rules(players=3, hand_size=5)}
    played = compare(rules, games=60, seed=4, progress=False)
    there = {name: simulate(each, 60, 4, progress=False, out=tmp_path / name) for name, each in rules.items()}
    for variants in (there, {"usual": there["usual"], "short": rules["short"]}):
        found = compare(variants, games=60, progress=False)
        pd.testing.assert_frame_equal(found.table, played.table, check_exact=True)
        assert found.table.attrs == played.table.attrs


def test_of_batches_of_different_sizes_the_games_that_both_have_are_compared() -> None:
    long, short = simulate(games=90, progress=False), simulate(Rules(hand_size=5), games=40, progress=False)
    found = compare({"long": long, "short": short})
    assert (found.table["games"] == 40).all()
    assert str(found).startswith("long, short: 40 games each")
    same = compare({"long": simulate(games=40, progress=False), "short": short})
    pd.testing.assert_frame_equal(found.table, same.table, check_exact=True)


@pytest.mark.parametrize("games", [0, 1])
def test_a_batch_of_less_than_two_games_is_not_compared(games: int) -> None:
    few = simulate(games=1, progress=lambda *_: games > 0)
    with pytest.raises(ValueError, match=f"variants: 'few' has {games} game"):
        compare({"few": few, "more": Rules()}, games=10, progress=False)


def test_batches_of_different_seeds_share_no_deals() -> None:
    one, other = (simulate(games=5, seed=seed, progress=False) for seed in (1, 2))
    with pytest.raises(ValueError, match="'other' was played with seed 2 and 'one' with 1"):
        compare({"one": one, "other": other})


# --- exact sums -------------------------------------------------------------------------------------------------------

games = some.lists(some.tuples(*[some.integers(0, 32_767)] * 3), min_size=2, max_size=12)
COLUMNS = ("top", "bottom", "other")


def products(rows: list[tuple[int, ...]]) -> Products:
    return Products.of(COLUMNS, np.array(rows, dtype=np.float64).reshape(-1, 3))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(games, some.integers(0, 12))
def test_products_are_those_of_whole_numbers_however_they_are_cut(rows: list[tuple[int, ...]], cut: int) -> None:
    whole = products(rows[:cut]) + products(rows[cut:])
    named = [dict(zip(("games", *COLUMNS), (1, *row), strict=True)) for row in rows]
    for one in ("games", *COLUMNS):
        assert whole.sum(one) == sum(row[one] for row in named)
        for other in ("games", *COLUMNS):
            assert whole.product(one, other) == sum(row[one] * row[other] for row in named)
    assert whole.games == len(rows)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(games)
def test_a_ratio_is_that_of_its_definition(rows: list[tuple[int, ...]]) -> None:
    top, bottom = (np.array([row[place] for row in rows], dtype=np.float64) for place in (0, 1))
    found, expected = products(rows).ratio("top", "bottom"), ratio(top, bottom)
    assert (found.cases, found.games) == (expected.cases, expected.games)
    np.testing.assert_allclose(found[:2], expected[:2], rtol=1e-9, atol=1e-9)
    if bottom.sum() > 0:
        share = Fraction(int(top.sum()), int(bottom.sum()))
        left = sum((row[0] - share * row[1]) ** 2 for row in rows)
        assert products(rows).residuals(("top", "bottom"), ("top", "bottom")) == left


def test_products_too_large_for_one_sum_of_floats_stay_exact() -> None:
    largest = 90_000_001  # its square is odd and near 2**53: two of them lose their last digit in a 64-bit float
    rows = [(largest, 1, 0)] * 3
    assert products(rows).product("top", "top") == 3 * largest**2
    assert float(3 * largest**2) != 3 * largest**2


def test_fractions_are_kept_exactly_too() -> None:
    halves = products([(0.5, 1, 0), (0.25, 1, 0)])  # type: ignore[list-item]
    assert halves.product("top", "top") == Fraction(5, 16)


def test_with_nothing_below_the_line_a_ratio_is_missing() -> None:
    found = products([(3, 0, 0), (1, 0, 0)]).ratio("top", "bottom")
    assert np.isnan(found.value)
    assert np.isnan(found.error)
    assert (found.cases, found.games) == (0, 2)


def test_with_one_game_an_error_is_missing() -> None:
    found = products([(3, 4, 0)]).ratio("top", "bottom")
    assert found.value == 0.75
    assert np.isnan(found.error)


# --- game lengths -----------------------------------------------------------------------------------------------------


def test_lengths_are_counted_as_the_table_has_them(batch: Results) -> None:
    proper = batch.rounds[~batch.rounds["extra_round"]]
    counts = turns_counts(batch)
    assert counts.tolist() == np.bincount(proper["turns"]).tolist()
    for length, found in enumerate(length_ratios(batch, len(counts) - 1)):
        hits = np.bincount(proper["game"], weights=proper["turns"] == length, minlength=GAMES)
        expected = ratio(hits, np.bincount(proper["game"], minlength=GAMES).astype(np.float64))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("level", [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.995, 1.0])
def test_a_quantile_is_the_least_turns_with_so_great_a_share(batch: Results, level: float) -> None:
    turns = np.sort(batch.rounds[~batch.rounds["extra_round"]]["turns"].to_numpy())
    counts = turns_counts(batch)
    least = next(value for value in turns if Fraction(int((turns <= value).sum()), len(turns)) >= Fraction(str(level)))
    assert quantile(np.arange(len(counts)), counts, level) >= least
    known = np.flatnonzero(counts)
    assert quantile(known, counts[known], level) == least


# --- memory -----------------------------------------------------------------------------------------------------------


def test_no_more_parts_are_worked_on_than_are_taken() -> None:
    """A run may be larger than memory, so parts that nobody has taken must not pile up."""
    given_out = 0

    def parts() -> Iterator[int]:
        nonlocal given_out
        for part in range(200):
            given_out += 1
            yield part

    def work(part: int) -> int:
        return part

    taken = each_part(SimpleNamespace(parts=parts), work)  # type: ignore[arg-type]
    workers = sums.os.cpu_count() or 1
    for place in range(50):
        assert next(taken) == place
        assert given_out <= place + 2 * workers + 2
    taken.close()  # type: ignore[attr-defined]
    assert given_out <= 50 + 2 * workers + 2
    assert list(each_part(SimpleNamespace(parts=lambda: iter(range(3))), work)) == [0, 1, 2]  # type: ignore[arg-type]
