"""The tables of a batch, how they hang together, and the figures and intervals of its summary."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nambarz_sim import Results, Rules, simulate
from nambarz_sim.analysis.estimates import quantile_estimate, rate_estimate, ratio_estimate, share_estimate

SIZES = range(2, 13)
POINTS = [40, 32, 25, 19, 14]
WILDCARDS = ["change_number_laid", "change_picture_laid", "change_any_laid", "replay_laid"]
OPERATIONS = ["additions", "subtractions", "multiplications", "divisions"]
ROUND_COLUMNS = [
    "game", "round", "extra_round", "dealt_in", "starter", "turns", "ended", "winner_seat", "redeals", "recycles",
]  # fmt: skip
PLAYER_COLUMNS = [
    "game", "round", "seat", "team", "strategy", "place", "points", "bonus", "turns", "cards_laid", "cards_drawn",
    "draws", "matches", "calculations", *(f"calculations_{size}" for size in SIZES), *OPERATIONS, *WILDCARDS,
    *(f"strokes_{size}" for size in SIZES if size >= 4), "penalties",
    "faults_not_fewest", "faults_matching_used", "faults_types_mixed", "faults_wrong_result", "faults_wildcard_misused",
    "cards_left", "finished",
]  # fmt: skip

CASES = {
    "usual": (Rules(), "greedy"),
    "two, all places": (Rules(players=2, rounds=2, play_off="all"), "random"),
    "three, all places": (Rules(players=3, rounds=3, play_off="all"), ["greedy", "random", "matcher"]),
    "win": (Rules(players=2, rounds=2, wildcards=0), "master"),
    "none": (Rules(players=2, rounds=2, play_off="none"), "thrifty"),
    "teams": (Rules(players=4, team_sizes=(2, 2), rounds=2), "greedy"),
    "uneven teams": (Rules(players=7, team_sizes=(2, 5), rounds=2, teammates_see_hands=True), "thrifty"),
    "six": (Rules(players=6, rounds=2, play_off="all"), "master"),
    "six with bonus": (Rules(players=6, unfinished_bonus=True), "master"),
    "twelve": (Rules(players=12), "random"),
    "small hands": (Rules(players=3, hand_size=2, operations="+-", wildcards=40), "random"),
    "cut": (Rules(players=4, turn_limit=9), "greedy"),
}
GAMES = 24


@pytest.fixture(scope="module")
def batches() -> dict[str, Results]:
    return {
        name: simulate(rules, games=GAMES, seed=11, strategies=strategies, progress=False)
        for name, (rules, strategies) in CASES.items()
    }


@pytest.fixture(params=list(CASES))
def batch(request: pytest.FixtureRequest, batches: dict[str, Results]) -> Results:
    return batches[request.param]


def sum_of_sizes(players: pd.DataFrame, name: str, weight: Callable[[int], int], least: int = 2) -> pd.Series:
    """Over the columns by number of cards, the count times a weight of the size."""
    return sum(weight(size) * players[f"{name}_{size}"].astype(int) for size in SIZES if size >= least)


# --- columns ---------------------------------------------------------------------------------------------------------


def test_columns_are_as_documented(batch: Results) -> None:
    parties = max(batch.rules.teams) + 1
    parts = [f"{kind}_{party}" for kind in ("total", "place") for party in range(parties)]
    assert list(batch.games.columns) == ["game", "rounds", "extra_rounds", "tied", "winner", *parts]
    assert list(batch.rounds.columns) == ROUND_COLUMNS
    assert list(batch.players.columns) == PLAYER_COLUMNS


def test_columns_have_the_right_types(batch: Results) -> None:
    yes_or_no = {"tied", "extra_round", "finished"}
    for table in (batch.games, batch.rounds, batch.players):
        assert table.index.equals(pd.RangeIndex(len(table)))
        assert not table.isna().any().any()
        for name, column in table.items():
            if name in yes_or_no:
                assert column.dtype == bool
            elif name in ("ended", "strategy"):
                assert isinstance(column.dtype, pd.CategoricalDtype)
            else:
                assert np.issubdtype(column.dtype, np.integer)
                assert (column >= 0).all(), name
    assert list(batch.rounds["ended"].cat.categories) == ["finished", "team", "stalled", "cut"]


def test_tables_are_made_once_and_in_any_order() -> None:
    one, other = (simulate(Rules(rounds=2), games=5, progress=False) for _ in range(2))
    players, rounds, games = one.players, one.rounds, one.games
    assert (one.players is players, one.rounds is rounds, one.games is games) == (True, True, True)
    pd.testing.assert_frame_equal(games, other.games)
    pd.testing.assert_frame_equal(rounds, other.rounds)
    pd.testing.assert_frame_equal(players, other.players)


def test_results_say_how_they_were_made(batch: Results, request: pytest.FixtureRequest) -> None:
    rules, strategies = CASES[request.node.callspec.params["batch"]]
    names = (strategies,) * rules.players if isinstance(strategies, str) else tuple(strategies)
    assert (batch.rules, batch.strategies, batch.seed) == (rules, names, 11)


# --- how the tables hang together ------------------------------------------------------------------------------------


def test_tables_join(batch: Results) -> None:
    games, rounds, players = batch.games, batch.rounds, batch.players
    assert games["game"].tolist() == list(range(GAMES))
    assert not rounds.duplicated(["game", "round"]).any()
    assert not players.duplicated(["game", "round", "seat"]).any()
    order = ["game", "round", "seat"]
    assert players[order].equals(players.sort_values(order)[order])
    per_game = rounds.groupby("game")
    assert (per_game["round"].max() + 1).tolist() == per_game.size().tolist()
    assert per_game.size().tolist() == (games["rounds"] + games["extra_rounds"]).tolist()
    assert per_game["extra_round"].sum().tolist() == games["extra_rounds"].tolist()
    assert (games["rounds"] == batch.rules.rounds).all()
    assert (rounds["extra_round"] == (rounds["round"] >= batch.rules.rounds)).all()
    seats = players.groupby(["game", "round"]).size()
    assert seats.tolist() == rounds["dealt_in"].tolist()
    assert (rounds.loc[~rounds["extra_round"], "dealt_in"] == batch.rules.players).all()


@pytest.mark.clause("R9.3")
def test_teams_and_strategies_belong_to_seats(batch: Results) -> None:
    players = batch.players
    assert players["team"].tolist() == [batch.rules.teams[seat] for seat in players["seat"]]
    assert players["strategy"].tolist() == [batch.strategies[seat] for seat in players["seat"]]


@pytest.mark.clause("R2.4")
@pytest.mark.clause("R3.7")
def test_cards_add_up(batch: Results) -> None:
    players = batch.players
    left = batch.rules.hand_size + players["cards_drawn"] - players["cards_laid"]
    assert left.tolist() == players["cards_left"].tolist()
    wildcards = players[WILDCARDS].sum(axis=1)
    in_calculations = sum_of_sizes(players, "calculations", lambda size: size)
    followers = players["cards_laid"] - players["matches"] - in_calculations - wildcards
    assert (followers >= 0).all()  # the cards laid on a change wildcard in the same turn (R4.2)
    assert (followers <= wildcards - players["replay_laid"]).all()
    assert (players["cards_drawn"] <= players["draws"]).all()
    assert (players["penalties"] == 0).all()


@pytest.mark.clause("R3.2")
def test_calculations_add_up(batch: Results) -> None:
    players = batch.players
    assert players["calculations"].tolist() == sum_of_sizes(players, "calculations", lambda size: 1).tolist()
    steps = sum_of_sizes(players, "calculations", lambda size: size - 1)
    assert players[OPERATIONS].sum(axis=1).tolist() == steps.tolist()
    for name, sign in zip(OPERATIONS, "+-*/", strict=True):
        assert sign in batch.rules.operations or not players[name].any()


@pytest.mark.clause("R8.3")
def test_master_strokes_are_the_calculations_of_four_cards_and_more(batch: Results) -> None:
    for size in SIZES[2:]:
        assert batch.players[f"strokes_{size}"].equals(batch.players[f"calculations_{size}"].rename(f"strokes_{size}"))


@pytest.mark.clause("R8.1")
@pytest.mark.clause("R8.2")
@pytest.mark.clause("R8.3")
def test_points_are_place_points_and_bonus(batch: Results) -> None:
    players = batch.players
    dealt_in = players.groupby(["game", "round"])["seat"].transform("size")
    scores = (dealt_in <= 5) | players["finished"]
    by_place = pd.Series([0, *POINTS, *[0] * 7])
    place_points = players["place"].map(by_place).where(scores, 0)
    assert players["points"].tolist() == (place_points + players["bonus"]).tolist()
    strokes = sum_of_sizes(players, "strokes", lambda size: 7 * (size - 3), least=4)
    assert players["bonus"].tolist() == strokes.where(scores | batch.rules.unfinished_bonus, 0).tolist()


@pytest.mark.clause("R8.3")
@pytest.mark.parametrize("kept", [False, True])
def test_the_unfinished_keep_their_bonus_only_by_the_option(kept: bool) -> None:
    rules = Rules(players=9, unfinished_bonus=kept, play_off="none")
    players = simulate(rules, games=60, seed=1, strategies="master", progress=False).players
    stroke = sum_of_sizes(players, "strokes", lambda size: 1, least=4) > 0
    unfinished = players[~players["finished"] & stroke]
    assert len(unfinished) > 0
    assert ((unfinished["bonus"] > 0) == kept).all()
    assert (players.loc[players["finished"] & stroke, "bonus"] > 0).all()


@pytest.mark.clause("R2.6")
@pytest.mark.clause("R7.1")
@pytest.mark.clause("R8.2")
def test_places_follow_the_finish_and_then_the_cards_left(batch: Results) -> None:
    starters = batch.rounds.set_index(["game", "round"])["starter"]
    for key, seats in batch.players.groupby(["game", "round"]):
        ranked = seats.sort_values("place")
        assert ranked["place"].tolist() == list(range(1, len(seats) + 1))
        assert ranked["finished"].tolist() == sorted(ranked["finished"], reverse=True)
        assert ((ranked["cards_left"] == 0) == ranked["finished"]).all()
        rest = ranked[~ranked["finished"]]
        distance = (rest["seat"] - starters[key]) % batch.rules.players
        assert list(zip(rest["cards_left"], distance, strict=True)) == sorted(
            zip(rest["cards_left"], distance, strict=True)
        )


@pytest.mark.clause("R7.1")
@pytest.mark.clause("R7.2")
@pytest.mark.clause("R2.5")
def test_rounds_end_as_they_say(batch: Results) -> None:
    seats = batch.players.groupby(["game", "round"])
    finished = seats["finished"].sum().to_numpy()
    teams = batch.players[~batch.players["finished"]].groupby(["game", "round"])["team"].nunique().to_numpy()
    rounds = batch.rounds
    enough = np.where(rounds["dealt_in"] <= 5, rounds["dealt_in"] - 1, 5)
    assert ((rounds["ended"] == "finished") == (finished == enough)).all()
    assert ((rounds["ended"] == "team") == ((finished < enough) & (teams == 1))).all()
    if batch.rules.team_sizes is None:
        assert not (rounds["ended"] == "team").any()
    assert seats["turns"].sum().tolist() == rounds["turns"].tolist()
    assert (rounds["turns"] <= batch.rules.turn_limit).all()
    assert (rounds.loc[rounds["ended"] == "cut", "turns"] == batch.rules.turn_limit).all()


def test_every_way_to_end_is_seen(batches: dict[str, Results]) -> None:
    seen = {ending for results in batches.values() for ending in results.rounds["ended"].unique()}
    assert {"finished", "team", "cut"} <= seen
    idle = simulate(Rules(players=2), games=2, strategies=lambda observation, plays: None, progress=False)
    assert set(idle.rounds["ended"]) == {"stalled"}
    assert idle.players["cards_laid"].sum() == 0
    assert (idle.players.groupby("game")["cards_left"].sum() == 91).all()


@pytest.mark.clause("R2.2")
@pytest.mark.clause("R8.4")
@pytest.mark.clause("R9.2")
def test_winners_and_starters(batch: Results) -> None:
    players, rounds = batch.players, batch.rounds
    assert players.loc[players["place"] == 1, "seat"].tolist() == rounds["winner_seat"].tolist()
    assert (rounds.loc[rounds["round"] == 0, "starter"] == 0).all()
    ranked = players.sort_values(["points", "place"], ascending=[False, True])
    best = ranked.groupby(["game", "round"])["seat"].first()
    for _, row in rounds[(rounds["round"] > 0) & ~rounds["extra_round"]].iterrows():
        assert row["starter"] == best[row["game"], row["round"] - 1]


# --- games and play-offs ---------------------------------------------------------------------------------------------


def rank(totals: dict[int, int]) -> dict[int, int]:
    """Places by points; equal points share a place."""
    return {party: 1 + sum(other > points for other in totals.values()) for party, points in totals.items()}


def places_by_hand(players: pd.DataFrame, rules: Rules) -> tuple[dict[int, int], dict[int, int]]:
    """A game's totals and final places from its rows of the table of players (R9.1, R9.2)."""
    proper = players[players["round"] < rules.rounds]
    totals = {int(team): int(points) for team, points in proper.groupby("team")["points"].sum().items()}
    places = rank(totals)
    extra_rounds = dict.fromkeys(totals, 0)
    last = {"win": 1, "all": len(totals), "none": 0}[rules.play_off]

    def contested() -> int | None:
        for place in range(1, last + 1):
            sharing = [party for party in places if places[party] == place]
            if len(sharing) > 1 and max(extra_rounds[party] for party in sharing) < 10:
                return place
        return None

    for _, extra in players[players["round"] >= rules.rounds].groupby("round"):
        place = contested()
        assert place is not None, "an extra round although no place was contested"
        points = {int(team): int(score) for team, score in extra.groupby("team")["points"].sum().items()}
        assert set(points) == {party for party in places if places[party] == place}, "the tied alone play"
        for party, among in rank(points).items():
            places[party] = place + among - 1
            extra_rounds[party] += 1
    assert contested() is None, "a place that should have been played off"
    return totals, places


@pytest.mark.clause("R9.1")
@pytest.mark.clause("R9.2")
@pytest.mark.clause("R9.3")
def test_totals_and_places_of_games(batch: Results) -> None:
    by_game = dict(list(batch.players.groupby("game")))
    for row in batch.games.to_dict("records"):
        totals, places = places_by_hand(by_game[row["game"]], batch.rules)
        assert totals == {party: row[f"total_{party}"] for party in totals}
        assert places == {party: row[f"place_{party}"] for party in totals}
        winners = [party for party in places if places[party] == 1]
        assert row["winner"] == winners[0]
        assert row["tied"] == (len(winners) > 1)


@pytest.mark.clause("R9.2")
def test_play_offs_happen_and_settle(batches: dict[str, Results]) -> None:
    for name in ("two, all places", "win"):
        assert batches[name].games["extra_rounds"].sum() > 0, name
        assert not batches[name].games["tied"].any(), name
    assert batches["none"].games["extra_rounds"].sum() == 0
    assert batches["none"].games["tied"].sum() > 0


@pytest.mark.clause("R9.2")
def test_the_tied_player_with_most_points_in_the_last_round_starts() -> None:
    results = simulate(Rules(players=3, rounds=2, play_off="win"), games=60, strategies="random", progress=False)
    rounds = results.rounds[results.rounds["extra_round"]]
    assert len(rounds) > 5
    points = results.players.set_index(["game", "round", "seat"])[["points", "place"]]
    for _, row in rounds.iterrows():
        game, number = row["game"], row["round"]
        tied = points.loc[game, number].index
        before = points.loc[game, number - 1].loc[tied]
        best = before.sort_values(["points", "place"], ascending=[False, True]).index[0]
        assert row["starter"] == best


@pytest.mark.clause("R9.2")
def test_ten_extra_rounds_and_the_tie_stands() -> None:
    """One turn a round: of six players nobody finishes, so nobody scores but for a master stroke."""
    results = simulate(Rules(players=6, team_sizes=(3, 3), turn_limit=1), games=30, progress=False)
    games = results.games
    stands = games[games["tied"]]
    assert len(stands) > 10
    assert (stands["extra_rounds"] == 10).all()
    assert (stands["place_0"] == 1).all()
    assert (stands["place_1"] == 1).all()
    assert (games["extra_rounds"] <= 10).all()
    settled = games[~games["tied"]]
    assert (settled["place_0"] != settled["place_1"]).all()
    by_game = dict(list(results.players.groupby("game")))
    for row in games.to_dict("records"):
        _, places = places_by_hand(by_game[row["game"]], results.rules)
        assert [places[0], places[1]] == [row["place_0"], row["place_1"]]


# --- the summary against plain pandas --------------------------------------------------------------------------------


def quantile(values: pd.Series, level: float) -> float:
    """The smallest value with at least that share of all values at or below it."""
    ranked = sorted(values)
    return float(next(value for place, value in enumerate(ranked, 1) if place >= level * len(ranked) - 1e-9))


def plain_figures(results: Results) -> dict[str, float]:
    """Every figure of the summary, worked out with plain pandas."""
    rounds = results.rounds[~results.rounds["extra_round"]]
    players = results.players[results.players["round"] < results.rules.rounds]
    turns, count = rounds["turns"], len(rounds)
    by_round = players.groupby(["game", "round"])
    strokes = {size: players[f"strokes_{size}"].sum() for size in SIZES[2:]}
    with_stroke = by_round[[f"strokes_{size}" for size in SIZES[2:]]].sum().sum(axis=1) > 0
    changes = int(players[WILDCARDS[:3]].sum().sum())
    kinds = {
        "matches": players["matches"].sum(), "calculations": players["calculations"].sum(),
        "change wildcards": changes, "replays": players["replay_laid"].sum(),
    }  # fmt: skip
    levels = {"median": 0.5, "P5": 0.05, "P25": 0.25, "P75": 0.75, "P95": 0.95}
    largest = max([6, *(size for size in strokes if strokes[size])])
    return {
        "turns a round, mean": turns.mean(),
        **{f"turns a round, {name}": quantile(turns, level) for name, level in levels.items()},
        **{f"rounds {ending}": (rounds["ended"] == ending).mean() for ending in ("stalled", "cut")},
        "reshuffles a round": rounds["recycles"].mean(),
        "redeals a round": rounds["redeals"].mean(),
        "master strokes a round": sum(strokes.values()) / count,
        "rounds with a master stroke": with_stroke.mean(),
        "master strokes a player's turn": sum(strokes.values()) / turns.sum(),
        **{f"master strokes of {size} cards a round": strokes[size] / count for size in range(4, largest + 1)},
        **{f"{name}, share of plays": kind / sum(kinds.values()) for name, kind in kinds.items()},
        "draws a turn": players["draws"].sum() / turns.sum(),
        "penalties a round": players["penalties"].sum() / count,
        **{f"points a round, seat {seat}": table["points"].mean() for seat, table in players.groupby("seat")},
        **{f"rounds won, seat {seat}": (table["place"] == 1).mean() for seat, table in players.groupby("seat")},
    }


def test_summary_values_are_those_of_plain_pandas(batch: Results) -> None:
    summary, plain = batch.summary(), plain_figures(batch)
    assert list(summary.index) == list(plain)
    assert list(summary.columns) == ["value", "low", "high", "unit", "rounds"]
    assert summary["value"].to_numpy() == pytest.approx(np.array(list(plain.values()), dtype=float), rel=1e-12)
    assert (summary["rounds"] == GAMES * batch.rules.rounds).all()
    rounding = 1e-12
    assert (summary["low"] <= summary["value"] + rounding).all()
    assert (summary["value"] <= summary["high"] + rounding).all()
    shares = summary[summary["unit"].str.startswith("share")]
    assert ((shares["low"] >= 0) & (shares["high"] <= 1)).all()
    assert set(summary["unit"]) >= {"turns", "share of rounds", "times", "strokes", "share of plays", "points"}


def test_summary_changes_no_table(batches: dict[str, Results]) -> None:
    results = batches["two, all places"]
    before = [table.copy() for table in (results.games, results.rounds, results.players)]
    pd.testing.assert_frame_equal(results.summary(), results.summary())
    for table, copy in zip((results.games, results.rounds, results.players), before, strict=True):
        pd.testing.assert_frame_equal(table, copy)


@pytest.fixture(scope="module")
def single_rounds() -> Results:
    return simulate(Rules(players=3, turn_limit=40), games=400, seed=2, strategies="random", progress=False)


def test_shares_of_single_rounds_have_wilsons_interval(single_rounds: Results) -> None:
    """With one round a game the design effect is n / (n - 1), so the intervals agree up to 1/n of their width."""
    summary, rounds = single_rounds.summary(), single_rounds.rounds
    hits = {
        "rounds cut": rounds["ended"] == "cut",
        "rounds stalled": rounds["ended"] == "stalled",
        **{f"rounds won, seat {seat}": rounds["winner_seat"] == seat for seat in range(3)},
    }
    assert 0 < hits["rounds cut"].sum() < 400
    for measure, hit in hits.items():
        exact = stats.binomtest(int(hit.sum()), 400).proportion_ci(method="wilson")
        row = summary.loc[measure]
        within = (exact.high - exact.low) / 400
        assert (row["low"], row["high"]) == pytest.approx((exact.low, exact.high), abs=within)
        assert row["high"] - row["low"] >= exact.high - exact.low - 1e-12


def test_a_share_that_never_occurs_has_wilsons_upper_end() -> None:
    exact = stats.binomtest(0, 50).proportion_ci(method="wilson")
    assert share_estimate(np.zeros(50), np.ones(50)) == pytest.approx((0, exact.low, exact.high))
    exact = stats.binomtest(50, 50).proportion_ci(method="wilson")
    assert share_estimate(np.ones(50), np.ones(50)) == pytest.approx((1, exact.low, exact.high))


@pytest.mark.parametrize("events", [0, 1, 7, 40])
def test_rates_of_independent_events_have_garwoods_interval(events: int) -> None:
    """As many events as a Poisson count has, one a game at most: the design effect stays 1."""
    happened = np.zeros(1000)
    happened[:events] = 1
    low = stats.chi2.ppf(0.025, 2 * events) / 2 if events else 0
    high = stats.chi2.ppf(0.975, 2 * events + 2) / 2
    wanted = (events / 1000, low / 1000, high / 1000)
    assert rate_estimate(happened, np.ones(1000)) == pytest.approx(wanted, rel=2e-3)


def test_means_of_single_rounds_have_students_interval(single_rounds: Results) -> None:
    summary, players = single_rounds.summary(), single_rounds.players
    columns = {
        "turns a round, mean": single_rounds.rounds["turns"],
        "points a round, seat 1": players.loc[players["seat"] == 1, "points"],
    }
    for measure, values in columns.items():
        interval = stats.ttest_1samp(values.to_numpy(dtype=float), 0).confidence_interval(0.95)
        row = summary.loc[measure]
        assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), rel=1e-10)


def test_means_of_games_of_several_rounds_judge_by_games(batches: dict[str, Results]) -> None:
    results = batches["three, all places"]
    turns = results.rounds[~results.rounds["extra_round"]].groupby("game")["turns"].mean()
    interval = stats.ttest_1samp(turns, 0).confidence_interval(0.95)
    row = results.summary().loc["turns a round, mean"]
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), rel=1e-10)


def test_a_ratio_agrees_with_the_jackknife() -> None:
    generator = np.random.default_rng(4)
    bottom = generator.integers(20, 60, size=300).astype(float)
    top = generator.binomial(bottom.astype(int), 0.2).astype(float)
    value, low, high = ratio_estimate(top, bottom)
    left_out = (top.sum() - top) / (bottom.sum() - bottom)
    error = np.sqrt(299 / 300 * ((left_out - left_out.mean()) ** 2).sum())
    assert value == pytest.approx(top.sum() / bottom.sum())
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 299) * error, rel=0.01)


# --- coverage of the 95% intervals -----------------------------------------------------------------------------------

REPEATS = 1000
CLUSTERS, ROUNDS = 150, 4
Made = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]


def assert_covers(covered: int) -> None:
    """As many intervals as 95% hold the truth, within what chance allows."""
    chance = stats.binomtest(covered, REPEATS, 0.95)
    assert chance.pvalue > 0.001, f"{covered / REPEATS:.3%} of the intervals hold the truth"


def holds(estimate: tuple[float, float, float], truth: float) -> bool:
    return estimate[1] <= truth <= estimate[2]


def clustered_sums(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Sums over the rounds of games that have a level of their own, and the number of rounds; the mean is 30."""
    level = generator.normal(30, 5, size=(CLUSTERS, 1))
    return (level + generator.normal(0, 5, size=(CLUSTERS, ROUNDS))).sum(axis=1), np.full(CLUSTERS, float(ROUNDS))


def events_a_turn(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Events and turns of games with rates and lengths of their own; 0.1 events a turn."""
    turns = generator.integers(60, 180, size=CLUSTERS)
    return generator.binomial(turns, generator.beta(2, 18, size=CLUSTERS)).astype(float), turns.astype(float)


def hits_of(mean: float, size: float) -> Made:
    """Hits among a game's rounds, with a chance of its own in every game."""

    def made(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        chance = generator.beta(mean * size, (1 - mean) * size, size=CLUSTERS)
        return generator.binomial(ROUNDS, chance).astype(float), np.full(CLUSTERS, float(ROUNDS))

    return made


def alike(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """All rounds of a game alike: a game counts as one case; 0.3 of them are hits."""
    return ROUNDS * generator.binomial(1, 0.3, size=CLUSTERS).astype(float), np.full(CLUSTERS, float(ROUNDS))


@pytest.mark.parametrize(("made", "truth"), [(clustered_sums, 30.0), (events_a_turn, 0.1)])
def test_ratios_are_covered(made: Made, truth: float) -> None:
    generator = np.random.default_rng(20)
    assert_covers(sum(holds(ratio_estimate(*made(generator)), truth) for _ in range(REPEATS)))


@pytest.mark.parametrize(
    ("made", "truth"),
    [(hits_of(0.4, 5), 0.4), (hits_of(0.25, 1e9), 0.25), (alike, 0.3), (hits_of(0.05, 4), 0.05), (events_a_turn, 0.1)],
    ids=["clustered", "independent", "alike", "rare", "a turn"],
)
def test_shares_are_covered(made: Made, truth: float) -> None:
    generator = np.random.default_rng(21)
    assert_covers(sum(holds(share_estimate(*made(generator)), truth) for _ in range(REPEATS)))


def events_of(rate: float, shape: float) -> Made:
    """Events of games with Poisson rates of their own, gamma distributed around a rate a round."""

    def made(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        rates = generator.gamma(shape, rate / shape, size=CLUSTERS) if np.isfinite(shape) else np.full(CLUSTERS, rate)
        return generator.poisson(ROUNDS * rates).astype(float), np.full(CLUSTERS, float(ROUNDS))

    return made


@pytest.mark.parametrize(
    ("rate", "shape"), [(3.0, np.inf), (3.0, 2), (0.2, 1), (0.01, np.inf)], ids=["even", "uneven", "bursts", "rare"]
)
def test_rates_are_covered(rate: float, shape: float) -> None:
    """Garwood's interval holds the truth at least that often; it is cautious where there are few events."""
    generator, made = np.random.default_rng(24), events_of(rate, shape)
    covered = sum(holds(rate_estimate(*made(generator)), rate) for _ in range(REPEATS))
    assert stats.binomtest(covered, REPEATS, 0.95, alternative="less").pvalue > 0.001
    assert stats.binomtest(covered, REPEATS, 0.98, alternative="greater").pvalue > 0.001 or rate < 0.1


@pytest.mark.parametrize("level", [0.05, 0.25, 0.5, 0.75, 0.95])
@pytest.mark.parametrize("spread", [0.0, 1.0], ids=["independent", "clustered"])
def test_quantiles_are_covered(level: float, spread: float) -> None:
    generator = np.random.default_rng(22)
    games = np.repeat(np.arange(CLUSTERS), ROUNDS)
    truth = float(stats.norm.ppf(level) * np.sqrt(1 + spread**2))
    covered = 0
    for _ in range(REPEATS):
        values = generator.normal(size=CLUSTERS * ROUNDS) + spread * generator.normal(size=CLUSTERS)[games]
        covered += holds(quantile_estimate(values, games, CLUSTERS, level), truth)
    assert_covers(covered)


def test_intervals_blind_to_games_would_cover_too_little() -> None:
    """The made data tell the difference: intervals of the same rounds taken as independent miss too often."""
    generator = np.random.default_rng(23)
    covered = 0
    for _ in range(200):
        top, bottom = alike(generator)
        interval = stats.binomtest(int(top.sum()), int(bottom.sum())).proportion_ci(method="wilson")
        covered += interval.low <= 0.3 <= interval.high
    assert covered < 0.8 * 200


# --- little to judge by ----------------------------------------------------------------------------------------------


def summary_of_one_game(rounds: int) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return simulate(Rules(rounds=rounds), games=1, seed=4, progress=False).summary()


@pytest.mark.parametrize("rounds", [1, 3])
def test_one_game_gives_no_interval_of_a_mean(rounds: int) -> None:
    summary = summary_of_one_game(rounds)
    assert summary["value"].notna().all()
    means = summary[summary.index.str.endswith("mean") | summary["unit"].isin(["points", "draws"])]
    assert len(means) == 1 + 4 + 1
    assert means[["low", "high"]].isna().all(axis=None)


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("measures", ["turns a round, ", "rounds won", "share of plays", "strokes of . cards"])
def test_one_game_gives_no_interval_of_anything_else(rounds: int, measures: str) -> None:
    """Games are the independent units: one alone has no spread to judge by, however many rounds it has."""
    summary = summary_of_one_game(rounds)
    some = summary[summary.index.str.contains(measures)]
    assert len(some) >= 3
    assert some[["low", "high"]].isna().all(axis=None)


def test_two_games_give_no_warnings() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = simulate(Rules(players=2, wildcards=0), games=2, seed=4, progress=False)
        assert results.summary()["low"].notna().all()


def test_nothing_below_the_line_gives_no_value() -> None:
    nothing = np.zeros(5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(ratio_estimate(nothing, nothing)).all()
        assert np.isnan(share_estimate(nothing, nothing)).all()


def test_batches_without_any_play_can_be_summed_up() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        idle = simulate(Rules(players=2), games=3, strategies=lambda observation, plays: None, progress=False)
        summary = idle.summary()
    assert np.isnan(summary.loc["matches, share of plays", "value"])
    assert summary.loc["rounds stalled", "value"] == 1
    assert summary.loc["draws a turn", "value"] > 0
