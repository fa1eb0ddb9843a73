"""Minutes from events: closed forms on made records, the fit to the rulebooks, intervals, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from nambarz_sim import Results, Rules, Timings, simulate
from nambarz_sim.analysis.minutes import (
    ASSUMED,
    FITTED,
    PEOPLE,
    READINGS,
    RULEBOOK_MINUTES,
    fit_timings,
    readings,
    round_minutes,
    summarise_minutes,
)
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import PLAYER_COLUMNS, ROUND_COLUMNS, Records

NOTHING = dict.fromkeys(ASSUMED, 0.0)
GAMES = 400


def made(rounds: list[list[dict[str, int]]], extra: tuple[int, ...] = ()) -> Results:
    """A batch with one game a round in which the players did what is said; the rounds of ``extra`` are a game's extra."""
    round_rows, player_rows, game_rows = [], [], []
    for place, players in enumerate(rounds):
        line = dict.fromkeys(ROUND_COLUMNS, 0) | {"dealt_in": len(players), "extra_round": int(place in extra)}
        round_rows.append(list(line.values()))
        player_rows += [list((dict.fromkeys(PLAYER_COLUMNS, 0) | did).values()) for did in players]
        if place in extra:
            game_rows[-1][loop.GAME_EXTRA] += 1
        else:
            game_rows.append([1, 0, 0, *[0] * 4])
    arrays = (np.array(rows, dtype=np.int16) for rows in (game_rows, round_rows, player_rows))
    return Results(Rules(players=2), ["made"] * 2, 1, [Records(*arrays)])


@pytest.fixture(scope="module")
def batch() -> Results:
    return simulate(Rules(players=3, rounds=2), games=60, seed=2, strategies="year-3", progress=False)


def test_every_event_has_its_seconds() -> None:
    did = {
        "matches": 1, "calculations": 3, "calculations_2": 2, "calculations_5": 1, "draws": 4, "penalties": 2,
        "faults_not_fewest": 2, "change_any_laid": 1, "replay_laid": 2, "additions": 9, "turns": 30,
    }  # fmt: skip
    timings = Timings(match=1, calculation=10, further_card=100, draw=1_000, wildcard=30, penalty=7, deal=2, score=3)
    seconds = 1 * 1 + 3 * 10 + 3 * 100 + 4 * 1_000 + 3 * 30 + 2 * 7 + 2 * (2 + 3)
    assert round_minutes(made([[did, {}]]), timings).tolist() == pytest.approx([seconds / 60])


def test_extra_rounds_are_left_out() -> None:
    results = made([[{"matches": 2}, {}], [{"matches": 500}, {}], [{"matches": 6}, {"matches": 6}]], extra=(1,))
    assert round_minutes(results, Timings(**NOTHING | {"match": 30})).tolist() == [1.0, 6.0]


def test_minutes_add_up_in_real_rounds(batch: Results) -> None:
    players, timings = batch.players, Timings(**NOTHING | {"calculation": 60, "further_card": 30, "deal": 60})
    more = sum((size - 2) * players[f"calculations_{size}"].astype(int) for size in range(3, 13))
    expected = (players["calculations"] + more / 2).groupby([players["game"], players["round"]]).sum()
    proper = ~batch.rounds["extra_round"].to_numpy()
    assert round_minutes(batch, timings) == pytest.approx(expected.to_numpy()[proper] + 3)


def test_minutes_are_in_proportion(batch: Results) -> None:
    twice = Timings(**{event: 2 * seconds for event, seconds in Timings().to_dict().items()})
    assert round_minutes(batch, twice) == pytest.approx(2 * round_minutes(batch))


# --- the fit ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("reading", FITTED)
def test_defaults_are_what_the_fit_gives(reading: str) -> None:
    assert fit_timings(READINGS[reading]) == Timings.preset(reading)


@pytest.mark.parametrize("reading", FITTED)
def test_a_small_fit_is_near_the_defaults(reading: str) -> None:
    fitted = fit_timings(READINGS[reading], games=GAMES, seed=5)
    assert fitted.match == pytest.approx(FITTED[reading], rel=0.1)
    assert all(seconds == pytest.approx(ASSUMED[event] * fitted.match) for event, seconds in fitted.to_dict().items())


@pytest.mark.parametrize("reading", FITTED)
def test_the_middle_half_takes_what_the_rulebook_says(reading: str) -> None:
    results = simulate(Rules(players=READINGS[reading]), GAMES, 9, PEOPLE, progress=False)
    table = summarise_minutes(results, Timings.preset(reading)).loc[reading]
    low, high = RULEBOOK_MINUTES
    assert table.loc["P25", "value"] == pytest.approx(low, rel=0.2)
    assert table.loc["P75", "value"] == pytest.approx(high, rel=0.2)
    assert table.loc["rounds of 15 to 30 minutes", "value"] > 0.5


def test_the_fit_goes_by_the_assumptions_given() -> None:
    only = fit_timings(4, games=50, assumed=NOTHING | {"draw": 1.0})
    assert only.match == only.penalty == 0
    assert only.draw > Timings.preset("four players").draw


# --- figures ---------------------------------------------------------------------------------------------------------


def test_summary_has_both_readings_with_intervals(batch: Results) -> None:
    table = summarise_minutes(batch)
    assert list(dict.fromkeys(table.index.get_level_values(0))) == ["six players", "four players"]
    assert (table["rounds"] == 120).all()
    assert (table["low"] <= table["value"]).all()
    assert (table["value"] <= table["high"]).all()
    minutes = round_minutes(batch)
    assert table.loc[("six players", "mean"), "value"] == pytest.approx(minutes.mean())
    games = minutes.reshape(60, 2).mean(axis=1)
    reach = 2.0010 * games.std(ddof=1) / np.sqrt(60)  # Student's t with 59 degrees of freedom
    assert table.loc[("six players", "mean"), "high"] == pytest.approx(minutes.mean() + reach, rel=1e-4)


def test_a_batch_without_games_has_no_minutes() -> None:
    stopped = simulate(games=10, progress=lambda done, total: False)
    with pytest.raises(ValueError, match="results: 0 games"):
        round_minutes(stopped)


# --- timings ---------------------------------------------------------------------------------------------------------


def test_the_english_rulebook_is_followed() -> None:
    assert Timings() == Timings.preset("six players")
    assert list(readings()) == Timings.presets() == ["six players", "four players"]
    assert list(readings(Timings.preset("four players"))) == ["four players", "six players"]
    assert readings(Timings(match=1)) == {"own timings": Timings(match=1)}


def test_own_timings_can_be_entered() -> None:
    assert Timings.parse("match=6, draw=5.5") == Timings(match=6, draw=5.5)
    assert Timings.parse("four players penalty=90") == Timings.preset("four players").replace(penalty=90)
    assert Timings.parse("") == Timings()


@pytest.mark.parametrize("seconds", [-1, 3601, float("nan"), float("inf"), "6", None, True])
def test_seconds_that_are_none_are_refused(seconds: object) -> None:
    with pytest.raises(ValueError, match=r"draw: .* is not allowed; give seconds from 0 to 3600"):
        Timings(draw=seconds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("five players", "known are six players, four players"),
        ("mach=6", "Did you mean 'match'"),
        ("match=fast", "'fast' is no number of seconds"),
        ("match=-6", "match: -6.0"),
        ("match=", "match: '' is no number"),
    ],
)
def test_timings_that_cannot_be_read_are_refused(text: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        Timings.parse(text)


def test_a_round_takes_some_time() -> None:
    with pytest.raises(ValueError, match="all seconds are 0"):
        Timings(**NOTHING)
