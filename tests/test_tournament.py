"""Tournaments: who sits where, payoffs against plain batches, ratings against known strengths, the command, the figures."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nambarz_sim import Observation, Play, Pupil, Rules, kernel, simulate, tournament
from nambarz_sim._numba import COMPILED
from nambarz_sim.analysis.estimates import share_estimate
from nambarz_sim.analysis.ratings import rate
from nambarz_sim.analysis.standings import ABOVE, BELOW, FIRST, UNSURE, Tournament
from nambarz_sim.cli import main
from nambarz_sim.engine.state import PLAY_SIZE
from nambarz_sim.plots import plot_payoffs, plot_ratings

NAMES = ["greedy", "thrifty", "random"]
RULES = Rules(players=3, rounds=2)
GAMES = 45 if COMPILED else 10
ELO = np.log(10) / 400
COMMAND = [sys.executable, "-m", "nambarz_sim", "tournament"]


def play(strategies: object = NAMES, rules: Rules = RULES, games: int = GAMES, **options: object) -> Tournament:
    return tournament(strategies, rules, games=games, progress=options.pop("progress", False), **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found() -> Tournament:
    return play()


def first_play(observation: Observation, plays: list[Play]) -> Play | None:
    return plays[0] if plays else None


@kernel()
def largest(seen, play, stream):  # type: ignore[no-untyped-def]
    return 1.0 * play[PLAY_SIZE]


# --- who sits where --------------------------------------------------------------------------------------------------


def test_every_strategy_sits_in_every_seat_equally_often(found: Tournament) -> None:
    seats = found.seats
    assert len(seats) == 3 * 2 * 3
    assert not seats.duplicated(["strategy", "against", "seat"]).any()
    assert (seats["rounds"] == GAMES * 2).all()
    assert (found.table["rounds"] == GAMES * 2 * 3).all()
    assert (found.ratings["rounds"] == GAMES * 2 * 3 * 2).all()


@pytest.mark.slow
def test_payoffs_are_those_of_plain_batches(found: Tournament) -> None:
    for one in NAMES:
        for other in NAMES:
            if one == other:
                assert np.isnan(found.payoff.loc[one, other])
                continue
            firsts, points, ahead = [], [], []
            for seat in range(3):
                line_up = [one if place == seat else other for place in range(3)]
                players = simulate(RULES, games=GAMES, seed=1, strategies=line_up, progress=False).players
                mine = players[(players["seat"] == seat) & (players["round"] < RULES.rounds)]
                firsts.append((mine["place"] == 1).mean())
                points.append(mine["points"].mean())
                ahead.append((3 - mine["place"]).mean() / 2)
                part = found.seats.query("strategy == @one and against == @other and seat == @seat")
                assert part["first"].item() == pytest.approx(firsts[-1])
            assert found.payoff.loc[one, other] == pytest.approx(np.mean(firsts))
            assert found.matrix("points").loc[one, other] == pytest.approx(np.mean(points))
            assert found.matrix("ahead").loc[one, other] == pytest.approx(np.mean(ahead))


@pytest.mark.slow
def test_two_players_meet_once_and_count_for_both() -> None:
    told: list[tuple[int, int]] = []
    duel = play(rules=Rules(players=2), games=30, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (30 * 3 * 2, 30 * 3 * 2)
    payoff = duel.payoff.fillna(0.5).to_numpy()
    assert payoff + payoff.T == pytest.approx(np.ones((3, 3)))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_workers_change_nothing(found: Tournament, workers: int) -> None:
    assert (play(workers=workers).sums == found.sums).all()


@pytest.mark.slow
def test_an_executor_of_ones_own_plays_the_same(found: Tournament) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert (play(executor=pool).sums == found.sums).all()


@pytest.mark.slow
def test_more_deals_begin_with_the_same_ones_and_a_seed_changes_them(found: Tournament) -> None:
    assert (play(games=60).sums[..., :GAMES] == found.sums).all()
    assert (play(seed=2).sums != found.sums).any()


@pytest.mark.slow
def test_pupils_and_names_of_ones_own_enter() -> None:
    strategies = {"Anna": Pupil.preset("year-1"), "Ben": "year-6:thrifty", "Carl": "greedy"}
    pupils = play(strategies, games=30)
    assert pupils.names == ("Anna", "Ben", "Carl")
    assert pupils.ratings.index[-1] == "Anna"
    given = play(list(strategies.values()), games=30)
    assert given.names == ("year-1:greedy", "year-6:thrifty", "greedy")
    assert (given.sums == pupils.sums).all()


# --- functions of one's own ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_both_kinds_of_functions_enter() -> None:
    rules = Rules(players=2)
    own = play([first_play, largest, "greedy"], rules, games=6)
    assert own.names == ("first_play", "largest", "greedy")
    for one, other in ((first_play, largest), (largest, "greedy")):
        results = simulate(rules, games=6, strategies=[one, other], progress=False)
        places = own.names.index(results.strategies[0]), own.names.index(results.strategies[1])
        wins = results.players.query("seat == 0 and round < 1")["place"] == 1
        assert own.sums[FIRST, places[0], places[1], 0].tolist() == wins.astype(int).tolist()
    assert play([largest, "greedy"], rules, games=6).payoff.loc["largest", "greedy"] == pytest.approx(
        own.payoff.loc["largest", "greedy"]
    )


def test_an_error_in_a_function_comes_through() -> None:
    def broken(observation: Observation, plays: list[Play]) -> Play:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        play(["greedy", broken], games=2)


# --- made data with known strengths ----------------------------------------------------------------------------------


def made(ratings: np.ndarray, deals: int, generator: np.random.Generator, rounds: int = 1) -> Tournament:
    """Made rounds in which the chance to finish before another is just that of the ratings.

    Each seat has its luck, which all line-ups share as they share the cards, so deals are the only independent units.
    """
    players, count = 4, len(ratings)
    strengths = np.exp(ELO * ratings)
    luck = generator.exponential(size=(players, rounds, deals))
    sums = np.zeros((3, count, count, players, deals), dtype=np.int32)
    for one in range(count):
        for other in range(count):
            for seat in range(players if one != other else 0):
                times = luck / strengths[other]
                times[seat] = luck[seat] / strengths[one]
                place = 1 + (times < times[seat]).sum(axis=0)
                counts = np.stack([place == 1, players - place, 40 - 7 * place])
                sums[:, one, other, seat] = counts.sum(axis=1)
    names = tuple("abcdef"[:count])
    return Tournament(names, Rules(players=players, rounds=rounds), 1, deals, sums)


STRENGTHS = np.array([1570.0, 1520.0, 1500.0, 1410.0])


def test_planted_strengths_are_found() -> None:
    ratings = made(STRENGTHS, 4_000, np.random.default_rng(1)).ratings
    assert list(ratings.index) == ["a", "b", "c", "d"]
    assert ratings["rating"].to_numpy() == pytest.approx(STRENGTHS, abs=6)
    assert ratings["rating"].mean() == pytest.approx(1500)
    assert (ratings["high"] - ratings["low"] < 12).all()


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Of 4 x 80 ratings and more differences and payoffs 95% are inside; the made tournaments vary together."""
    generator = np.random.default_rng(7)
    strengths = dict(zip("abcd", STRENGTHS, strict=True))
    inside: dict[str, list[bool]] = {"ratings": [], "differences": [], "first": [], "ahead": []}
    for _ in range(80):
        one_made = made(STRENGTHS, 25, generator, rounds=2)
        for name, row in one_made.ratings.iterrows():
            inside["ratings"].append(row["low"] <= strengths[name] <= row["high"])
        for row in one_made.differences.itertuples():
            true = strengths[row.strategy] - strengths[row.against]
            inside["differences"].append(row.low <= true <= row.high)
        for row in one_made.table.itertuples():
            one, other = (np.exp(ELO * strengths[name]) for name in (row.strategy, row.against))
            inside["first"].append(row.first_low <= one / (one + 3 * other) <= row.first_high)
            inside["ahead"].append(row.ahead_low <= one / (one + other) <= row.ahead_high)
    for measure, hits in inside.items():
        assert 0.92 <= np.mean(hits) <= 0.98, (measure, np.mean(hits))


def test_ratings_are_those_of_maximum_likelihood_by_hand() -> None:
    """30 wins for each 10 losses: odds of 3, with half a win and half a loss added."""
    wins = np.zeros((40, 2, 2))
    wins[:30, 0, 1] = wins[30:, 1, 0] = 1
    ratings = rate(wins)
    assert ratings.values[0] - ratings.values[1] == pytest.approx(400 * np.log10(30.5 / 10.5), abs=1e-3)
    # Independent comparisons: the error of log odds is sqrt(1/wins + 1/losses), about.
    _, low, high = ratings.difference(0, 1)
    assert high - low == pytest.approx(2 * 2.02 / ELO * np.sqrt(1 / 30 + 1 / 10), rel=0.06)


def test_who_always_wins_has_a_finite_rating_and_a_wide_interval() -> None:
    wins = np.zeros((20, 2, 2))
    wins[:, 0, 1] = 1
    value, low, high = rate(wins).difference(0, 1)
    assert value == pytest.approx(400 * np.log10(20.5 / 0.5), abs=1e-2)
    assert high - low > 400


def test_equal_strategies_are_not_told_apart() -> None:
    one_made = made(np.array([1500.0, 1500.0, 1500.0]), 200, np.random.default_rng(3))
    assert not one_made.differences["told_apart"].any()
    twins = play({"one": "greedy", "other": "greedy", "random": "random"}, games=GAMES)
    pair = twins.differences.set_index(["strategy", "against"])["told_apart"]
    assert not pair[("one", "other")]
    assert "one and other are not told apart" in str(twins)
    # The same cards from each seat: one of three in turn is first, whatever the luck.
    assert twins.payoff.loc["one", "other"] == pytest.approx(1 / 3)


def test_payoffs_say_what_is_surely_above_or_below_par(found: Tournament) -> None:
    table = found.table
    par = 1 / 3
    assert ((table["standing"] == ABOVE) == (table["first_low"] > par)).all()
    assert ((table["standing"] == BELOW) == (table["first_high"] < par)).all()
    assert set(table["standing"]) <= {ABOVE, BELOW, UNSURE}
    clear = made(np.array([1700.0, 1500.0, 1300.0]), 100, np.random.default_rng(1)).matrix("standing")
    assert list(clear.loc["a"].dropna()) == [ABOVE] * 2
    assert list(clear.loc["c"].dropna()) == [BELOW] * 2
    pd.testing.assert_frame_equal(found.payoff_low, found.matrix("first_low"))
    assert (table["first_high"] >= table["first"]).all()


def test_cases_that_balance_one_another_have_narrower_intervals() -> None:
    top, cases = np.array([1.0, 1.0, 1.0, 2.0] * 25), np.full(100, 4.0)
    widths = [high - low for _, low, high in (share_estimate(top, cases, least) for least in (1.0, 0.25))]
    assert widths[1] < 0.75 * widths[0]


# --- what is told ----------------------------------------------------------------------------------------------------


def test_the_ranking_in_words(found: Tournament) -> None:
    text = str(found)
    assert text.startswith(f"3 strategies, 3 players, {GAMES} deals for each pair and seat; seed 1\n")
    ranked = [line.split()[1] for line in text.splitlines()[3:6]]
    assert ranked == list(found.ratings.index)
    assert found.findings()[0].startswith(f"{ranked[0]} is rated highest")
    lowest = found.table.loc[found.table["first"].idxmin()]
    assert found.findings()[-1] == (
        f"One {lowest['strategy']} among {lowest['against']} finishes first in {100 * lowest['first']:.0f} of 100 rounds; "
        f"par is 33."
    )


@pytest.mark.slow
def test_a_stop_leaves_the_deals_that_all_have_finished() -> None:
    whole = play(games=40)
    for stop in (1, 36, 37, 500):
        part = play(games=40, progress=lambda done, total, stop=stop: done < stop)
        assert part.games == (stop - 1) // 36 * 2 + 2 * (stop % 36 == 0)
        assert (part.sums == whole.sums[..., : part.games]).all()
    assert "stopped after 26 of 40 deals" in str(part)


def test_ctrl_c_leaves_the_deals_that_all_have_finished() -> None:
    def interrupt(done: int, total: int) -> None:
        if done > 100:
            raise KeyboardInterrupt

    assert play(games=40, progress=interrupt).games == 4
    with pytest.raises(KeyboardInterrupt):
        play(games=20, progress=lambda done, _: interrupt(done * 1000, 0))


def test_nothing_finished_says_so() -> None:
    nothing = play(progress=lambda done, total: False)
    assert nothing.games == 0
    assert "No deal was finished" in str(nothing)
    for table in ("table", "ratings", "differences", "seats", "payoff"):
        with pytest.raises(ValueError, match="0 deals are finished"):
            getattr(nothing, table)


def test_a_single_deal_has_no_intervals() -> None:
    single = play(games=1)
    assert single.ratings[["low", "high"]].isna().all(axis=None)
    assert not single.differences["told_apart"].any()
    assert "unknown" in str(single)
    assert "interval" not in plot_ratings(single).description.partition(":")[2]
    plot_payoffs(single)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strategies": ["greedy"]}, "strategies: only 'greedy' is given; give two or more"),
        ({"strategies": "greedy"}, "strategies: only 'greedy' is given"),
        ({"strategies": []}, "strategies: none is given"),
        ({"strategies": {}}, "strategies: none is given"),
        ({"strategies": ["greedy", "random", "greedy"]}, "strategies: 'greedy' is there 2 times; .* a mapping"),
        ({"strategies": ["greedy", "gredy"]}, "'gredy' is not known; known are .*Did you mean 'greedy'"),
        ({"strategies": ["greedy", 3]}, "strategy: 3 is not known"),
        ({"games": 0}, "games: 0 is not allowed; give a whole number from 1"),
        ({"games": 2.5}, "games: 2.5 is not allowed"),
        ({"seed": -1}, "seed: -1"),
        ({"workers": 0}, "workers: 0"),
        ({"rules": Rules(players=4, team_sizes=(2, 2))}, r"team_sizes: \(2, 2\) is not allowed in a tournament"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(given: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        play(**given)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_an_unknown_column_is_refused(found: Tournament) -> None:
    with pytest.raises(ValueError, match="column: 'place' is not known; known are first, "):
        found.matrix("place")


# --- figures ---------------------------------------------------------------------------------------------------------


def test_the_payoff_matrix_shows_the_table(found: Tournament) -> None:
    figure = plot_payoffs(found)
    axes = figure.axes[0]
    ranked = list(found.ratings.index)
    assert [label.get_text() for label in axes.get_yticklabels()] == ranked
    shown = np.asarray(axes.images[0].get_array(), dtype=float)
    assert np.nan_to_num(shown) == pytest.approx(np.nan_to_num(100 * found.payoff.loc[ranked, ranked].to_numpy()))
    low, high = axes.images[0].get_clim()
    assert (low + high) / 2 == pytest.approx(100 / 3)
    marks = "".join(text.get_text() for text in axes.texts)
    assert marks.count("▲") == (found.table["standing"] == ABOVE).sum()
    assert marks.count("▼") == (found.table["standing"] == BELOW).sum()
    assert "par is 33" in axes.get_title()
    assert f"{6 * GAMES} rounds a cell" in axes.get_title()
    assert "random among greedy" in figure.description


def test_the_title_of_the_matrix_tells_who_beats_all() -> None:
    clear = made(np.array([1700.0, 1500.0, 1300.0]), 100, np.random.default_rng(1))
    assert "a finishes first more often than par against every other" in plot_payoffs(clear).axes[0].get_title()
    equal = made(np.array([1500.0, 1500.0]), 100, np.random.default_rng(1))
    assert "No strategy beats all others; never surely below par: " in plot_payoffs(equal).axes[0].get_title()


def test_the_ratings_show_their_table(found: Tournament) -> None:
    figure = plot_ratings(found)
    axes = figure.axes[0]
    dots = sorted(line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o")
    assert dots == pytest.approx(sorted(found.ratings["rating"]))
    ends = sorted(segment[:, 0].tolist() for bars in axes.collections for segment in bars.get_segments())
    assert np.array(ends) == pytest.approx(found.ratings[["low", "high"]].sort_values("low").to_numpy())
    assert axes.get_title().endswith(f"({12 * GAMES} rounds each)")
    assert figure.description.startswith("Dots with 95% intervals")


def test_neighbours_not_told_apart_are_joined() -> None:
    twins = made(np.array([1500.0, 1500.0, 1300.0]), 100, np.random.default_rng(1))
    axes = plot_ratings(twins).axes[0]
    assert len([line for line in axes.lines if line.get_linestyle() == ":"]) == 1
    assert "lead, not told apart" in axes.get_title()


# --- the command -----------------------------------------------------------------------------------------------------


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, cwd=cwd, timeout=300)


@pytest.mark.slow
def test_the_command_ranks_like_the_library(found: Tournament) -> None:
    words = [*NAMES, "--players", "3", "--rounds", "2", "--games", str(GAMES)]
    assert run(*words).stdout == f"{found}\n"
    pairs = list(csv.DictReader(io.StringIO(run(*words, "--table", "pairs").stdout)))
    assert [float(row["first"]) for row in pairs] == pytest.approx(found.table["first"].tolist())


OWN = """
def first(observation, plays):
    return plays[0] if plays else None


def broken(observation, plays):
    return plays[0].colour
"""


@pytest.mark.slow
def test_a_function_of_ones_own_enters_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    words = ["--own", "mine.py:first", "--games", "2", "--players", "2", "--plot", "p.svg", "--json"]
    done = run("greedy", *words, cwd=tmp_path)
    rows = json.loads(done.stdout)
    assert {row["strategy"] for row in rows} == {"first", "greedy"}
    assert rows[0]["rating"] >= 1500 >= rows[1]["rating"]
    assert "<svg" in (tmp_path / "p.svg").read_text()


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--own", "none.py:first"], ["own: 'none.py' does not exist"]),
        (["--own", "mine.py"], ["'mine.py' is not file.py:function"]),
        (["--own", "mine.py:frist"], ["'frist' is not known", "known are first, broken", "Did you mean 'first'"]),
        (["--own", "mine.py:broken"], ["AttributeError", "no attribute 'colour'", "in line 7"]),
        (["--own", "wrong.py:first"], ["'wrong.py' cannot be run: SyntaxError", "in line 1"]),
        (["--own", "raises.py:first"], ["'raises.py' cannot be run: ZeroDivisionError", "in line 2"]),
        ([], ["only 'greedy' is given"]),
        (["gredy"], ["Did you mean 'greedy'"]),
        (["random", "--table", "pair"], ["'pair'", "Did you mean 'pairs'"]),
        (["random", "--plot", "x.bmp"], ["x.bmp", ".png"]),
        (["random", "--team-sizes", "2,2"], ["team_sizes"]),
    ],
)
def test_the_command_refuses_bad_input_in_a_line(
    words: list[str],
    parts: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "mine.py").write_text(OWN)
    (tmp_path / "wrong.py").write_text("def first(observation, plays)\n")
    (tmp_path / "raises.py").write_text("nothing = 0\n1 / nothing\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["nambarz", "tournament", "greedy", *words, "--games", "2"])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert told.out == ""
    assert told.err.startswith("nambarz: ")
    assert told.err.count("\n") == 1
    for part in parts:
        assert part in told.err
