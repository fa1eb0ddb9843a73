"""Variant balance: planted effects are found, absent ones are not, and the figures are what their tables say."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from nambarz_sim import Rules, balance, simulate, variant_grid
from nambarz_sim.analysis import balance_measures as measures
from nambarz_sim.analysis.balance import COLUMNS, Balance
from nambarz_sim.analysis.balance_findings import SURE, findings
from nambarz_sim.analysis.balance_measures import MEASURES, Rounds, difference_estimate, seat_test
from nambarz_sim.analysis.estimates import share_estimate
from nambarz_sim.simulation.watch import watch

GAMES = 120


@pytest.fixture(scope="module")
def found() -> Balance:
    grid = variant_grid((2, 3), ("none", "beginner"), ("+-", "+-*/"))
    return balance(grid, games=GAMES, extra_games=40, progress=False)


def figures(found: Balance, variant: str, measure: str) -> pd.DataFrame:
    table = found.table
    return table[(table["variant"] == variant) & (table["measure"] == measure)].set_index("detail")


# --- the advantage of a seat ---------------------------------------------------------------------------------------------


def made_wins(
    random: np.random.Generator, chances: list[float], games: int, rounds: int = 1, alike: float = 0.0
) -> np.ndarray:
    """Made games: each round is won by a seat at these chances, or with `alike` by the winner of the game's first round."""
    winners = random.choice(len(chances), size=(games, rounds), p=chances)
    winners = np.where(random.random((games, rounds)) < alike, winners[:, :1], winners)
    return np.eye(len(chances))[winners].sum(axis=1)


@pytest.mark.parametrize(
    ("seats", "rounds", "alike"), [(2, 1, 0.0), (4, 1, 0.0), (6, 1, 0.0), (4, 3, 0.6), (3, 5, 0.9)]
)
def test_without_an_advantage_false_alarms_come_as_often_as_they_should(seats: int, rounds: int, alike: float) -> None:
    """2,000 sets of games without any: about 5% alarms, within four standard errors, games of like rounds included."""
    random = np.random.default_rng(seats * rounds)
    alarms = [seat_test(made_wins(random, [1 / seats] * seats, 200, rounds, alike)) < 0.05 for _ in range(2_000)]
    assert abs(np.mean(alarms) - 0.05) < 4 * (0.05 * 0.95 / 2_000) ** 0.5


def test_games_of_like_rounds_taken_for_many_games_would_raise_false_alarms() -> None:
    random = np.random.default_rng(1)
    rounds = np.arange(3)
    alarms = []
    for _ in range(300):
        winners = made_wins(random, [1 / 3] * 3, 100, 3, 0.9).argmax(axis=1)
        alarms.append(seat_test(np.eye(3)[np.repeat(winners, len(rounds))]) < 0.05)
    assert np.mean(alarms) > 0.2  # so the test above would notice


@pytest.mark.parametrize(("seats", "rounds", "alike"), [(2, 1, 0.0), (4, 1, 0.0), (4, 3, 0.6)])
def test_a_planted_advantage_is_found(seats: int, rounds: int, alike: float) -> None:
    random = np.random.default_rng(7)
    others = (1 - 1.25 / seats) / (seats - 1)
    chances = [1.25 / seats, *[others] * (seats - 1)]
    hits = [seat_test(made_wins(random, chances, 2_000, rounds, alike)) < 0.001 for _ in range(100)]
    assert np.mean(hits) > 0.95


def test_the_interval_of_a_share_covers_the_truth() -> None:
    """The winner's share of games of three like rounds lies in its interval about 95 times in 100."""
    random = np.random.default_rng(3)
    covered = []
    for _ in range(1_000):
        wins = made_wins(random, [0.3, 0.3, 0.4], 150, 3, 0.6)
        _, low, high = share_estimate(wins[:, 0], wins.sum(axis=1))
        covered.append(low <= 0.3 <= high)
    assert 0.925 < np.mean(covered) < 0.975


def test_sentences_tell_a_planted_advantage_and_no_other() -> None:
    row = {"measure": measures.FIRST, "detail": "", "unit": "fair shares", "games": 500, "cases": 500}
    stall = {**row, "measure": measures.STALLED, "unit": "share of rounds", "value": 0.0, "low": 0.0, "high": 0.01}
    rows = [{**row, "variant": name, "value": value, "low": value - 0.1, "high": value + 0.1} for name, value in
            (("fair", 1.0), ("unfair", 1.5))]  # fmt: skip
    table = pd.DataFrame(rows + [{**stall, "variant": name} for name in ("fair", "unfair")])
    told = findings(table, {"fair": SURE / 1.9, "unfair": 1e-9}, "thrifty", "random")[0]
    assert "1 of 2 variants" in told
    assert "with unfair: who starts wins 1.50 (1.40 to 1.60)" in told
    assert "in none of 2 variants" in findings(table, {"fair": 0.9, "unfair": SURE / 1.9}, "thrifty", "random")[0]


def test_one_game_tells_nothing_of_seats() -> None:
    assert np.isnan(seat_test(np.array([[1.0, 0.0]])))


# --- figures against the tables ------------------------------------------------------------------------------------------


def test_figures_are_those_of_the_tables(found: Balance) -> None:
    name = "3 players, beginner, + - × ÷"
    results = simulate(found.variants[name], games=GAMES, seed=1, progress=False)
    rounds, players = results.rounds, results.players
    won = figures(found, name, measures.WON)
    assert won["value"].tolist() == [(rounds["winner_seat"] == seat).mean() for seat in range(3)]
    assert figures(found, name, measures.FIRST)["value"].item() == pytest.approx(3 * won["value"]["1st"])
    assert figures(found, name, measures.TURNS)["value"].item() == pytest.approx(rounds["turns"].mean())
    points = players.pivot(index="game", columns="seat", values="points")
    spread = (points.max(axis=1) - points.min(axis=1)).mean()
    assert figures(found, name, measures.SPREAD)["value"].item() == pytest.approx(spread)
    deviation = np.sqrt(points.var(axis=1, ddof=0).mean())
    assert figures(found, name, measures.DEVIATION)["value"].item() == pytest.approx(deviation)
    share = players["bonus"].sum() / players["points"].sum()
    assert figures(found, name, measures.BY_STROKES)["value"].item() == pytest.approx(share)
    by_order = figures(found, name, measures.POINTS)["value"]
    assert by_order.tolist() == pytest.approx(points.mean().tolist())


def test_wins_by_wildcards_are_those_of_the_hands(found: Balance) -> None:
    name = "3 players, beginner, + -"
    results, watched = watch(found.variants[name], GAMES, 1)
    hands = pd.DataFrame({"dealt": watched.players, "won": results.players["place"].to_numpy() == 1})
    hands["case"] = hands["dealt"].clip(upper=measures.MANY_WILDCARDS)
    shares = figures(found, name, measures.DEALT)
    assert shares["value"].tolist() == pytest.approx(hands.groupby("case")["won"].mean().tolist())
    assert shares["cases"].tolist() == hands.groupby("case").size().tolist()
    game = np.arange(len(hands)) // 3
    above = hands["dealt"] - hands["dealt"].groupby(game).transform("mean")
    slope = np.polyfit(above, hands["won"] - 1 / 3, 1)[0]  # least squares within rounds
    assert figures(found, name, measures.WORTH)["value"].item() == pytest.approx(3 * slope)


def test_without_wildcards_nothing_is_said_of_them(found: Balance) -> None:
    assert figures(found, "2 players, no wildcards, + -", measures.DEALT).empty
    assert figures(found, "2 players, no wildcards, + -", measures.WORTH).empty


def test_covered_turns_are_those_watched(found: Balance) -> None:
    name = "2 players, no wildcards, + -"
    _, watched = watch(found.variants[name], GAMES, 1)
    rows = figures(found, name, measures.COVERED)
    assert rows["cases"].tolist() == watched.turns_on.sum(axis=0).tolist()
    assert rows["value"].tolist() == pytest.approx(
        (watched.covered.sum(axis=0) / watched.turns_on.sum(axis=0)).tolist()
    )


def test_skill_is_counted_in_every_seat(found: Balance) -> None:
    name = "3 players, beginner, + -"
    wins = 0
    for seat in range(3):
        seats = ["thrifty" if place == seat else "random" for place in range(3)]
        rounds = simulate(found.variants[name], games=40, strategies=seats, progress=False).rounds
        wins += int((rounds["winner_seat"] == seat).sum())
    share = figures(found, name, measures.SKILLED).iloc[0]
    assert (share["value"], share["cases"], share["games"]) == (wins / 120, 120, 40)
    strength = figures(found, name, measures.STRENGTH).iloc[0]
    assert strength["value"] == pytest.approx(wins / ((120 - wins) / 2))  # as often as each of two others
    assert strength["low"] < strength["value"] < strength["high"]


def test_equal_players_have_a_strength_of_one() -> None:
    same = balance({"same": Rules(players=4)}, games=100, skilled="random", progress=False)
    assert figures(same, "same", measures.STRENGTH)["value"].item() == pytest.approx(1.0)  # each deal in every seat


def test_an_operation_left_out_is_compared_on_the_same_deals(found: Balance) -> None:
    name = "2 players, beginner, + - × ÷"
    rules = found.variants[name]
    whole, less = (simulate(each, games=40, progress=False).rounds["turns"] for each in
                   (rules, rules.replace(operations="+-*")))  # fmt: skip
    row = figures(found, name, measures.TURNS_WITHOUT).loc["÷"]
    change = less.to_numpy() - whole.to_numpy()
    reach = 2.0227 * change.std(ddof=1) / 40**0.5  # Student's t with 39 degrees of freedom
    assert [row["value"], row["low"], row["high"]] == pytest.approx(
        [change.mean(), change.mean() - reach, change.mean() + reach], rel=1e-4
    )
    assert figures(found, name, measures.TURNS_WITHOUT).index.tolist() == ["+", "-", "×", "÷"]


def test_paired_intervals_cover_the_truth() -> None:
    """Ratios over games that share their deals: the interval of the difference covers it about 95 times in 100."""
    random = np.random.default_rng(5)
    covered, lengths = [], []
    for _ in range(1_000):
        rounds = random.integers(1, 4, 200).astype(float)
        deal = random.normal(30, 8, 200)
        one, other = rounds * (deal + random.normal(0, 2, 200)), rounds * (deal + 1 + random.normal(0, 2, 200))
        _, low, high = difference_estimate(one, rounds, other, rounds)
        covered.append(low <= 1 <= high)
        lengths.append(high - low)
    assert 0.925 < np.mean(covered) < 0.975
    assert np.mean(lengths) < 1.2  # without the pairs it would be about 3.5


def test_extra_rounds_are_left_out() -> None:
    rules = Rules(players=2, rounds=2, play_off="all")
    results, watched = watch(rules, 60, 1)
    assert results.rounds["extra_round"].any()
    rounds = Rounds(results)
    assert rounds.count == 120
    assert rounds.per_game.tolist() == [2.0] * 60
    proper = ~results.rounds["extra_round"].to_numpy()
    assert rounds.of_rounds(watched.lead_changes).tolist() == watched.lead_changes[proper].tolist()
    order = rounds.in_turn_order(rounds.won)
    starts = results.rounds["starter"] == results.rounds["winner_seat"]
    assert order[:, 0].tolist() == starts[proper].astype(float).tolist()


# --- the table and what is said of it ------------------------------------------------------------------------------------


def test_the_table_is_tidy_and_every_figure_has_an_interval(found: Balance) -> None:
    assert list(found.table.columns) == COLUMNS
    assert not found.table.duplicated(["variant", "measure", "detail"]).any()
    assert set(found.table["measure"]) == set(MEASURES)
    assert set(found.table["variant"]) == set(found.variants) == set(found.seats)
    assert found.table["games"].isin([GAMES, 40]).all()
    low, value, high = (found.table[name].to_numpy() for name in ("low", "value", "high"))
    assert (low <= value + 1e-12).all()
    assert (value <= high + 1e-12).all()


def test_every_finding_carries_an_interval_and_n(found: Balance) -> None:
    told = found.findings()
    assert len(told) >= 8
    for sentence in told:
        assert re.search(r"\(\d.* to .*\d\)|in none of|no round stalled", sentence), sentence
        assert "n = " in sentence or "in none of" in sentence


def test_the_text_has_a_line_for_each_variant(found: Balance) -> None:
    text = str(found)
    assert text.startswith(f"8 variants, {GAMES} games each")
    assert all(any(line.startswith(name) for line in text.splitlines()) for name in found.variants)


def test_figures_do_not_depend_on_workers_or_on_other_variants(found: Balance) -> None:
    name = "2 players, beginner, + -"
    alone = balance({name: found.variants[name]}, GAMES, extra_games=40, workers=3, progress=False)
    rows = found.table[found.table["variant"] == name].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone.table, rows)


# --- grids ---------------------------------------------------------------------------------------------------------------


def test_the_usual_grid_has_48_variants() -> None:
    grid = variant_grid()
    assert len(grid) == len(set(grid.values())) == 48
    assert not grid.left_out
    assert grid["6 players, no wildcards, + -"] == Rules(players=6, wildcards=0, operations="+-", turn_limit=1_000)


def test_what_cannot_be_dealt_is_left_out_and_told() -> None:
    grid = variant_grid((4, 12), ("none", "beginner"), ("+-",))
    assert "12 players, no wildcards, + -" in grid.left_out
    told = balance(grid, games=10, progress=False)
    assert "12 players, no wildcards, + -" not in told.variants
    assert "left out: 12 players, no wildcards, + -: players: 12" in str(told)


def test_a_grid_shares_other_rules() -> None:
    grid = variant_grid((2,), ({"replay": 4}, 8), ("+",), Rules(rounds=3))
    assert list(grid) == ["2 players, 4 replay, +", "2 players, 8 wildcards, +"]
    assert {rules.rounds for rules in grid.values()} == {3}


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"players": (13,)}, ["players: 13", "2 to 12"]),
        ({"players": ()}, ["variants: no combination"]),
        ({"players": (12,), "wildcards": ("none",)}, ["variants: no combination", "85", "hand_size"]),
        ({"wildcards": ("beginer",)}, ["'beginer'", "'beginner'"]),
        ({"operations": ("+%",)}, ["'%' is no operation"]),
    ],
)
def test_impossible_grids_are_refused(arguments: dict[str, object], parts: list[str]) -> None:
    with pytest.raises(ValueError, match=parts[0]) as refused:
        variant_grid(**arguments)  # type: ignore[arg-type]
    assert all(part in str(refused.value) for part in parts)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"variants": {}}, ["variants", "variant_grid()"]),
        ({"games": 0}, ["games: 0", "from 2"]),
        ({"games": 10, "extra_games": 11}, ["extra_games: 11", "2 to 10"]),
        ({"seed": -1}, ["seed: -1"]),
        ({"workers": 0}, ["workers: 0"]),
        ({"skilled": "thrity"}, ["skilled: 'thrity'", "'thrifty'"]),
        ({"among": "nobody"}, ["among: 'nobody'", "random"]),
        ({"strategy": "planner"}, ["strategy: 'planner'", "known are random, matcher, greedy, master, thrifty"]),
        ({"strategy": "gredy"}, ["strategy: 'gredy'", "'greedy'"]),
    ],
)
def test_bad_arguments_are_refused_before_anything_is_played(arguments: dict[str, object], parts: list[str]) -> None:
    told: list[int] = []
    with pytest.raises(ValueError, match=parts[0]) as refused:
        balance(**{"progress": lambda done, total: told.append(done), **arguments})  # type: ignore[arg-type]
    assert all(part in str(refused.value) for part in parts)
    assert told == []


# --- progress ------------------------------------------------------------------------------------------------------------


def test_progress_runs_over_the_whole_grid() -> None:
    told: list[tuple[int, int]] = []
    balance(variant_grid((2,), ("none", 4), ("+-",)), games=20, progress=lambda *both: told.append(both))
    assert told[0] == (0, told[0][1])
    assert told[-1] == (told[0][1],) * 2 == (2 * (20 + 20 * (2 + 2)),) * 2
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_stop_gives_the_variants_that_are_finished() -> None:
    grid = variant_grid((2, 3), ("beginner",), ("+-",))
    first = 20 + 20 * (2 + 2)
    found = balance(grid, games=20, progress=lambda done, total: done <= first)
    assert list(found.variants) == ["2 players, beginner, + -"]
    assert found.left_out == {"3 players, beginner, + -": "stopped before it was finished"}
    assert set(found.table["variant"]) == set(found.variants)


def test_a_stop_at_once_gives_nothing() -> None:
    found = balance(variant_grid((2,), ("beginner",), ("+-",)), games=20, progress=lambda done, total: False)
    assert found.table.empty
    assert found.findings() == ["No variant was finished."]
    assert "stopped before it was finished" in str(found)


def test_an_interrupt_is_passed_on() -> None:
    def interrupt(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        balance(variant_grid((2,), ("beginner",), ("+-",)), games=20, progress=interrupt)
