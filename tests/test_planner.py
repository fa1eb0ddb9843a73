"""The planner: what it makes of what it sees, that it sees no hidden card, where it may sit, and what it wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pandas as pd
import pytest
from test_strategies import SETUPS, Decision, decisions, hide_differently, own_matcher, position, python_greedy

from nambarz_sim import Play, Pupil, Results, Rules, Session, simulate
from nambarz_sim._numba import COMPILED, compiled
from nambarz_sim._rng import new_stream, start_stream
from nambarz_sim.analysis.estimates import share_estimate
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import (
    ACTIVE,
    ACTIVE_AT,
    AT_STREAMS,
    CHANGE,
    DISCARDS,
    DRAWN,
    HELD,
    OPEN,
    OPEN_AT,
    PHASE,
    PHASE_DRAWN,
    PHASE_PLAYED,
    PILE_AT,
    PILE_LEFT,
    PLAY_KIND,
    SEAT,
    TURN_START,
    Ints,
    Seen,
    View,
    new_state,
    view,
)
from nambarz_sim.strategies import planner, seat_strategies
from nambarz_sim.strategies.kernel import own_stream, see
from nambarz_sim.strategies.names import PLAYOUTS
from nambarz_sim.strategies.planner import MOST_CANDIDATES, planning_at
from nambarz_sim.widgets.table import Table

FEW = "planner:6"
sample = compiled(planner.sample)
plan = compiled(planner.plan)
DEALT_ANEW = (PILE_AT, DISCARDS, ACTIVE_AT, OPEN_AT, TURN_START)
"""Slots of what everyone sees that say where in the arrays cards lie."""


def some_decisions(setup: str, most: int, games: int = 6, every: int = 4) -> Iterator[Decision]:
    """Decisions of every kind from games of `random`, which lets open wildcards and replays come up."""
    yield from islice(decisions(SETUPS[setup], "random", games), 0, most * every, every)


def sampled(decision: Decision, stream: Ints | None = None) -> tuple[Seen, Ints, View]:
    """What the seat to move sees, and the state that its planner deals from that."""
    seen = see(decision.packed, decision.state)
    state = new_state(decision.packed)
    sample(seen, own_stream(decision.packed, decision.state) if stream is None else stream, state)
    return seen, state, view(decision.packed, state)


def same_games(one: Results, other: Results) -> None:
    """Equal but for the strategies' names."""
    for table in ("games", "rounds", "players"):
        left, right = (getattr(results, table).drop(columns="strategy", errors="ignore") for results in (one, other))
        pd.testing.assert_frame_equal(left, right)


def play(strategies: object, games: int = 2, rules: Rules | None = None, **more: object) -> Results:
    return simulate(rules or Rules(), games, 5, strategies, progress=False, **more)  # type: ignore[arg-type]


# --- the deals that it samples ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", SETUPS)
def test_a_sample_has_every_card_once_and_all_that_is_seen(setup: str) -> None:
    for decision in some_decisions(setup, 40):
        seen, state, parts = sampled(decision)
        pile = parts.pile[state[PILE_AT] : state[PILE_AT] + state[PILE_LEFT]].tolist()
        discards = parts.discards[: state[DISCARDS]].tolist()
        cards = Counter(dict(enumerate(parts.hands.sum(axis=0).tolist())))
        cards.update(pile + discards)
        assert [cards[card] for card in range(len(decision.rules.copies))] == list(decision.rules.copies)
        told = np.setdiff1d(np.arange(len(seen.public)), DEALT_ANEW)
        assert np.array_equal(parts.public[told], seen.public[told])
        assert parts.hands.sum(axis=1).tolist() == seen.public[HELD : HELD + decision.rules.players].tolist()
        assert parts.hands[seen.public[SEAT]].tolist() == seen.hand.tolist()
        for other, hand in enumerate(seen.team_hands.reshape(parts.hands.shape)):
            assert hand.min() < 0 or hand.tolist() == parts.hands[other].tolist()
        assert discards[state[ACTIVE_AT]] == state[ACTIVE]
        assert state[OPEN] < 0 or discards[state[OPEN_AT]] == state[OPEN]
        assert 0 <= state[TURN_START] <= state[DISCARDS]


def test_a_sampled_hand_is_packed_as_the_engine_packs_it() -> None:
    for decision in some_decisions("many wildcards", 20):
        parts = sampled(decision)[2]
        again = new_state(decision.packed)
        for seat, hand in enumerate(parts.hands):
            for card in np.repeat(np.arange(len(hand)), hand):
                engine.add_card(decision.packed, again, seat, card)
        packed_again = view(decision.packed, again)
        assert np.array_equal(packed_again.words, parts.words)
        assert np.array_equal(packed_again.groups, parts.groups)


def test_samples_of_one_position_differ_and_every_hidden_card_may_be_anywhere() -> None:
    decision = next(decisions(Rules(players=2), "random", games=1))
    hidden = np.array(decision.rules.copies) - decision.hand
    hidden[decision.state[ACTIVE]] -= 1
    held = np.zeros(len(hidden))
    for _ in range(600):
        held += sampled(decision)[2].hands[1]
    assert held.sum() == 600 * 7
    # Hypergeometric: 7 of the hidden cards, so 600 times 7/hidden of each; six standard errors.
    expected = 600 * 7 * hidden / hidden.sum()
    assert (np.abs(held - expected) < 6 * np.sqrt(np.maximum(expected, 1))).all()
    assert (held[hidden == 0] == 0).all()


# --- honest ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", ["two", "twelve", "teams that see", "many wildcards"])
def test_swapping_hidden_cards_changes_neither_samples_nor_choice(setup: str) -> None:
    generator, asked, swapped = np.random.default_rng(2), 0, 0
    for decision in some_decisions(setup, 25):
        engine.look(decision.packed, decision.state)
        mixed = hide_differently(decision, generator)
        swapped += not np.array_equal(decision.state, mixed.state)
        streams = []
        for _ in range(2):
            streams.append(new_stream())
            start_stream(streams[-1], 7, 0, 0, 9)
        seen, one, _ = sampled(decision, streams[0])
        seen_mixed, other, _ = sampled(mixed, streams[1])
        assert all(np.array_equal(left, right) for left, right in zip(seen, seen_mixed, strict=True))
        assert np.array_equal(one, other)
        fresh = Decision(decision.rules, decision.packed, decision.state.copy(), decision.plays)
        assert fresh.choice(FEW) == mixed.choice(FEW)
        asked += decision.count > 1
    assert asked > 5
    assert swapped > 20


def test_planning_touches_nothing_but_its_own_random_numbers() -> None:
    for decision in some_decisions("four", 30):
        before = decision.state.copy()
        decision.choice(FEW)
        changed = np.flatnonzero(before != decision.state)
        start = int(decision.packed[AT_STREAMS]) + int(decision.state[SEAT]) * len(new_stream())
        assert all(start <= slot < start + len(new_stream()) for slot in changed)


# --- choices ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "active"), [("3", "3bee"), ("10 4 2", "3bee"), ("change-any 5", "3bee"), ("5", "change-any")]
)
def test_it_takes_a_win(hand: str, active: str) -> None:
    decision = position(hand, active)
    row = decision.choice("planner:60")
    assert row >= 0
    assert decision.play(row).cards
    assert len(decision.play(row).cards) == len(hand.split())


def test_it_lays_the_replay_that_wins_and_ends_the_turn_without_a_card_to_play() -> None:
    assert position("replay 3", "3bee", phase=PHASE_PLAYED).chosen("planner:60") == "replay"
    assert position("5", "3bee", phase=PHASE_PLAYED).chosen("planner:60") == ""


def test_after_a_draw_it_plays_the_drawn_card_or_keeps_it() -> None:
    made, kept, replays = 0, 0, 0
    for decision in decisions(SETUPS["many wildcards"], FEW, games=3):
        state, row = decision.state, decision.made
        if state[PHASE] == PHASE_DRAWN and decision.count:
            deck = decision.rules.the_deck
            made += row >= 0
            kept += row < 0
            assert row < 0 or deck.cards[state[DRAWN]] in decision.play(row).cards
        replays += bool(state[PHASE] == PHASE_PLAYED and row >= 0)
    assert made > 0
    assert kept > 0
    assert replays > 0


def candidates(decision: Decision, playouts: int) -> list[int]:
    """The rows that a planner plays out."""
    planning = planning_at(decision.packed, [playouts] * decision.rules.players)
    assert planning is not None
    planning.rows[:] = -2
    plan(see(decision.packed, decision.state), decision.plays, decision.count, new_stream(), planning)
    return planning.rows[planning.rows > -2].tolist()


def test_every_play_is_a_candidate_and_beside_wildcards_no_play() -> None:
    decision = position("10 4 2 9 6 3", "3bee")
    assert sorted(candidates(decision, 60)) == list(range(decision.count))
    wildcards = position("change-any change-picture 5", "3bee")
    assert sorted(candidates(wildcards, 60)) == [-1, *range(wildcards.count)]
    assert sorted(candidates(position("replay 3", "3bee", phase=PHASE_PLAYED), 60)) == [-1, 0]


def test_no_two_plays_lay_the_same_cards_and_leave_the_same_one() -> None:
    """So no candidate is another one in disguise."""
    for decision in some_decisions("many wildcards", 40):
        keys = {
            (play.cards[-1], play.cards[0], *sorted(play.cards)) for play in map(decision.play, range(decision.count))
        }
        assert len(keys) == decision.count


def test_of_many_candidates_those_that_greedy_likes_are_played_out() -> None:
    decision = position("change-any change-number change-picture 1 2 4 5 6 7 8 9 10 1dragonfly 2fish 4hen 5cat", "3bee")
    assert decision.count > 2 * MOST_CANDIDATES
    rows = candidates(decision, 100)[:MOST_CANDIDATES]
    assert len(set(rows) - {-1}) == MOST_CANDIDATES
    assert decision.choice("greedy") in rows
    assert not {int(decision.plays[row, PLAY_KIND]) for row in rows} & {CHANGE}


def test_one_playout_is_none_and_the_choice_greedys() -> None:
    for decision in some_decisions("four", 40):
        if decision.count and decision.state[PHASE] != PHASE_PLAYED:
            before = decision.state.copy()
            assert decision.choice("planner:1") == decision.choice("greedy")
            assert np.array_equal(before, decision.state), "a single candidate is not played out"


# --- names -----------------------------------------------------------------------------------------------------------


def test_the_name_says_how_many_games_are_played_out() -> None:
    seats = seat_strategies(["planner", "planner:7", "greedy", "year-3:planner:9"], 4)
    assert seats.playouts == (PLAYOUTS, 7, 0, 9)
    assert seats.names == ("planner", "planner:7", "greedy", "year-3:planner:9")
    assert seats.codes[0] == seats.codes[1] == seats.codes[3]


@pytest.mark.parametrize(
    "name", ["planner:0", "planner:x", "planner:", "planner:-3", "planner:1.5", "planner:9999999", "planner:²"]
)
def test_a_wrong_number_of_playouts_is_refused(name: str) -> None:
    for strategy in (name, f"year-3:{name}"):
        with pytest.raises(
            ValueError, match=r"playouts of a planner: .* give a whole number from 1 to 1000000"
        ) as caught:
            simulate(games=1, strategies=strategy, progress=False)
        assert "\n" not in str(caught.value)


def test_a_name_near_it_is_told() -> None:
    with pytest.raises(ValueError, match="Did you mean 'planner'"):
        simulate(games=1, strategies="plannr", progress=False)


# --- where it sits ---------------------------------------------------------------------------------------------------

OTHERS = {
    "strategies": ["greedy", "thrifty", "random"],
    "own score": [own_matcher, "greedy", own_matcher],
    "own Python": [python_greedy, "greedy", "random"],
    "pupils": ["year-1", "year-4:thrifty", "greedy"],
    "a pupil who plans": [f"year-2:{FEW}", "greedy", "greedy"],
}


@pytest.mark.parametrize("others", OTHERS)
def test_games_are_the_same_whatever_the_workers_and_chunks(others: str) -> None:
    seats, rules = [FEW, *OTHERS[others]], Rules(rounds=2) if others == "strategies" else Rules()
    games = 6 if COMPILED else 2
    one = play(seats, games, rules, workers=1)
    same_games(one, play(seats, games, rules, workers=2, chunk_size=1))
    assert set(one.rounds["ended"]) == {"finished"}


@pytest.mark.parametrize("others", ["strategies", "pupils"])
def test_a_session_plays_the_games_of_the_batch(others: str) -> None:
    seats = [FEW, *OTHERS[others]]
    results = play(seats, 2, Rules())
    for game in range(2):
        session = Session(Rules(), seed=5, seats=seats, game=game)
        session.advance()
        total = next(event.points for event in session.log if event.act == "round")
        assert list(total) == results.players.query("game == @game and round == 0")["points"].tolist()


def test_it_changes_no_deal_and_no_random_number_of_others() -> None:
    one, other = (Session(seed=3, seats=["random", who, who, "greedy"]) for who in ("greedy", FEW))
    assert one.hands == other.hands
    assert str(one.step().cards) == str(other.step().cards)


@pytest.mark.parametrize("setup", ["teams", "teams that see", "plus and minus, rounds"])
def test_games_in_teams_and_of_several_rounds_end(setup: str) -> None:
    results = play("planner:3", 1, SETUPS[setup])
    assert set(results.rounds["ended"]) <= {"finished", "team"}


def test_it_plays_in_the_table_widget_and_against_a_person() -> None:
    table = Table(Rules(players=3), strategies=["planner:3", "greedy"], seed=1)
    assert "planner" in table.set_up.shown()["known"]
    table.lay("6dragonfly 4duck 3hippopotamus", operations="*/")
    assert 1 in {event.seat for event in table.session.log if event.act in ("match", "calculation", "change", "draw")}
    session = Session(Rules(players=2), seed=1, seats=["you", "planner:3"])
    plays: list[Play] = session.plays
    session.play(plays[0]) if plays else session.draw()
    while not session.over and session.seat == 0:
        session.keep() if session.can_keep() else session.end_turn()
    assert session.advance()


def test_a_pupil_who_plans_is_a_pupil() -> None:
    pupil = Pupil.preset("year-2", "planner:9")
    assert pupil.name == "year-2:planner:9"
    assert Pupil.parse(pupil.name) == pupil
    with pytest.raises(ValueError, match="playouts of a planner: 0"):
        Pupil("planner:0")


# --- what it wins ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_finishes_first_more_often_than_its_share_among_greedy() -> None:
    deals = 400
    first, rounds = np.zeros(deals), np.zeros(deals)
    for seat in range(4):
        results = play(["greedy"] * seat + ["planner:200"] + ["greedy"] * (3 - seat), deals)
        proper = results.rounds[~results.rounds["extra_round"]]
        rounds += np.bincount(proper["game"], minlength=deals)
        first += np.bincount(proper["game"], weights=proper["winner_seat"] == seat, minlength=deals)
    assert share_estimate(first, rounds)[1] > 0.25
