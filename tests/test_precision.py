"""`simulate_until`: as narrow as asked, the games of the batch, how many that took, and where it gives up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from test_cli import fails, run

from nambarz_sim import Results, Rules, simulate, simulate_until
from nambarz_sim.analysis.precision import FIRST_GAMES

REPEATS = 60


@pytest.mark.parametrize(
    ("measure", "half_width"),
    [
        ("turns a round, mean", 0.8),
        ("turns a round, median", 1.0),
        ("rounds with a master stroke", 0.02),
        ("master strokes of 12 cards a round", 0.003),
        ("points a round, seat 1", 0.5),
    ],
)
def test_the_interval_is_as_narrow_as_asked(measure: str, half_width: float) -> None:
    found = simulate_until(Rules(), measure, half_width, progress=False)
    assert found.reached
    assert found.half_width <= half_width
    assert found.estimate.low <= found.estimate.value <= found.estimate.high
    assert found.estimate.rounds == found.games == len(found.results.games)
    assert f"took {found.games:,} games" in str(found)


def test_it_plays_the_games_of_the_batch_and_not_many_more_than_needed() -> None:
    found = simulate_until(Rules(players=2), "turns a round, mean", 0.4, seed=5, progress=False)
    batch = simulate(Rules(players=2), found.games, seed=5, progress=False)
    for mine, other in zip(found.results.records, batch.records, strict=True):
        np.testing.assert_array_equal(mine, other)
    row = batch.summary().loc["turns a round, mean"]
    assert tuple(found.estimate[:3]) == (row["value"], row["low"], row["high"])
    deviation = batch.rounds["turns"].std()
    needed = (1.96 * deviation / 0.4) ** 2
    assert needed > FIRST_GAMES
    assert 0.95 * needed < found.games < 1.5 * needed


def test_rounds_of_one_game_count_as_the_cluster_they_are() -> None:
    found = simulate_until(Rules(players=3, rounds=4), "turns a round, mean", 1.0, progress=False)
    assert found.estimate.rounds == 4 * found.games
    row = found.results.summary().loc["turns a round, mean"]
    assert found.half_width == pytest.approx((row["high"] - row["low"]) / 2)


def test_it_gives_up_at_the_most_games_and_says_so() -> None:
    found = simulate_until(Rules(), "turns a round, mean", 0.01, most_games=1_200, progress=False)
    assert (found.games, found.reached) == (1_200, False)
    assert "still wider than asked; that took 1,200 games" in str(found)


def test_it_can_be_stopped_and_tells_its_progress() -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        told.append((done, total))
        return done < FIRST_GAMES

    found = simulate_until(Rules(), "turns a round, mean", 0.1, progress=stop)
    assert told[0] == (0, FIRST_GAMES)
    assert found.games == FIRST_GAMES
    assert not found.reached
    with pytest.raises(ValueError, match="simulate_until: it was stopped before 2 games were over; let it play longer"):
        simulate_until(Rules(), "turns a round, mean", 0.1, progress=lambda _done, _total: False)


@pytest.mark.slow
def test_intervals_that_end_the_sampling_hold_the_truth_nearly_as_often_as_they_say() -> None:
    """Looking in between costs a little coverage; with two or three looks it must not be much."""
    measure, rules = "rounds won, seat 0", Rules(players=2)
    truth = float(simulate(rules, 200_000, seed=1, progress=False).summary().loc[measure, "value"])
    found = [simulate_until(rules, measure, 0.02, seed, progress=False) for seed in range(2, REPEATS + 2)]
    covered = sum(each.estimate.low <= truth <= each.estimate.high for each in found)
    assert stats.binomtest(covered, REPEATS, 0.95).pvalue > 0.001, covered


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"half_width": 0}, r"^half_width: 0 is not allowed; give a number above 0, in the measure's unit$"),
        ({"half_width": -1.0}, "half_width: -1.0 is not allowed"),
        ({"half_width": math.nan}, "half_width: nan is not allowed"),
        ({"half_width": True}, "half_width: True is not allowed"),
        ({"half_width": "0.5"}, "half_width: '0.5' is not allowed"),
        ({"measure": "turns"}, "measure: 'turns' is not known; known are turns a round, mean;"),
        ({"most_games": 1}, "most_games: 1 is not allowed; give a whole number from 2 to"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"strategies": "gredy"}, "Did you mean 'greedy'"),
    ],
)
def test_bad_input_is_refused(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        simulate_until(**{"progress": False} | options)


def test_a_batch_without_games_has_no_estimate() -> None:
    results = simulate(games=5, progress=lambda _done, _total: False)
    assert isinstance(results, Results)
    with pytest.raises(ValueError, match="results: 0 games have no summary"):
        results.summary()


def test_the_command_line_plays_until() -> None:
    told = run("simulate", "--half-width", "0.05", "--measure", "rounds with a master stroke", "--players", "3").stdout
    assert told.splitlines()[-1].startswith("rounds with a master stroke: ")
    assert "took" in told.splitlines()[-1]
    assert "half_width: 0.0 is not allowed" in fails("simulate", "--half-width", "0")
