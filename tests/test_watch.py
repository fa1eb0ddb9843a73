"""Watched games: the same games as a batch, and the same counts as reading each game's log."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from nambarz_sim import Rules, Session, simulate
from nambarz_sim.engine.state import new_plays, new_state, pack
from nambarz_sim.events import Event
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import Records, new_records
from nambarz_sim.simulation.watch import Watched, watch
from nambarz_sim.strategies.names import SCORES

CASES = {
    "usual": (Rules(), "greedy"),
    "two, all places": (Rules(players=2, rounds=2, play_off="all"), "random"),
    "teams": (Rules(players=4, team_sizes=(2, 2), rounds=2), "master"),
    "six, few cards": (Rules(players=6, hand_size=3, wildcards="top-level"), "thrifty"),
    "no wildcards": (Rules(players=3, wildcards=0, operations="+-"), "matcher"),
    "many wildcards": (Rules(players=3, wildcards=40, hand_size=4), "random"),
    "cut": (Rules(players=4, turn_limit=7), "greedy"),
}
GAMES = 6
LAID = ("match", "calculation", "change")


@dataclass
class Round:
    """What the log of one round says."""

    dealt: dict[int, int] = field(default_factory=dict)
    on: Counter[int] = field(default_factory=Counter)
    covered: Counter[int] = field(default_factory=Counter)
    leaders: list[int] = field(default_factory=list)


def read_log(log: list[Event]) -> list[Round]:
    rounds: list[Round] = []
    held: dict[int, int] = {}
    active, turn = None, 0
    for event in log:
        if event.act == "deal":
            rounds.append(Round())
            held, turn = {}, 0
        elif event.act == "hand":
            rounds[-1].dealt[event.seat] = sum(card.is_wildcard for card in event.drawn)
            held[event.seat] = event.held
        elif event.act == "round":
            add_leader(rounds[-1], held)
        elif event.seat >= 0:
            if event.turn != turn and turn:
                add_leader(rounds[-1], held)
            if event.turn != turn and active is not None and not active.is_wildcard:
                rounds[-1].on[active.number] += 1
                rounds[-1].covered[active.number] += event.act in LAID
            turn, held[event.seat] = event.turn, event.held
        active = event.active
    return rounds


def add_leader(the_round: Round, held: dict[int, int]) -> None:
    fewest = [seat for seat, cards in held.items() if cards == min(held.values())]
    if len(fewest) == 1 and the_round.leaders[-1:] != fewest:
        the_round.leaders += fewest


@pytest.mark.parametrize("case", list(CASES))
def test_counts_are_those_of_the_logs(case: str) -> None:
    rules, strategy = CASES[case]
    results, watched = watch(rules, GAMES, 5, strategy)
    told: list[Round] = []
    for game in range(GAMES):
        session = Session(rules, seed=5, game=game, seats=strategy)
        session.advance()
        told += read_log(session.log)
    assert len(told) == len(results.rounds)
    numbers = rules.the_deck.numbers
    assert watched.turns_on.tolist() == [[each.on[number] for number in numbers] for each in told]
    assert watched.covered.tolist() == [[each.covered[number] for number in numbers] for each in told]
    assert watched.players.tolist() == [each.dealt[seat] for each in told for seat in sorted(each.dealt)]
    assert watched.lead_changes.tolist() == [max(0, len(each.leaders) - 1) for each in told]
    assert watched.leaders.tolist() == [each.leaders[-1] if each.leaders else -1 for each in told]


@pytest.mark.parametrize("case", list(CASES))
def test_watched_games_are_those_of_a_batch(case: str) -> None:
    rules, strategy = CASES[case]
    results, _ = watch(rules, 30, 2, strategy, workers=3)
    batch = simulate(rules, games=30, seed=2, strategies=strategy, progress=False)
    assert all(map(np.array_equal, results.records, batch.records))


@pytest.mark.parametrize("strategy", ["planner", "year-3"])
def test_who_has_a_loop_of_their_own_is_not_watched(strategy: str) -> None:
    with pytest.raises(ValueError, match=f"strategies: '{strategy}' is not known"):
        watch(Rules(players=2), 1, 1, ["greedy", strategy])


def test_who_finishes_first_has_led_last() -> None:
    results, watched = watch(Rules(), 60, 1, "random")
    assert watched.leaders.tolist() == results.rounds["winner_seat"].tolist()


def test_progress_may_stop_them() -> None:
    results, watched = watch(Rules(players=2), 40, 1, workers=1, progress=lambda done, total: done < 15)
    whole, _ = watch(Rules(players=2), 40, 1)
    count = len(results.games)
    assert count in (0, 10, 20)  # a chunk that was not over leaves no gap
    assert results.records.games.tolist() == whole.records.games[:count].tolist()
    assert len(watched.rounds) == len(results.rounds)


def test_full_records_are_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties played off fill the rows of a chunk before its games are done."""
    rules = Rules(players=2, play_off="all", turn_limit=1)
    whole, seen = watch(rules, 30, 1)
    monkeypatch.setattr("nambarz_sim.simulation.watch.GAMES_PER_CHUNK", 7)
    parts, seen_in_parts = watch(rules, 30, 1, workers=1)
    assert all(map(np.array_equal, whole.records, parts.records))
    assert all(map(np.array_equal, seen, seen_in_parts))


@pytest.mark.slow
def test_no_index_is_below_0() -> None:
    from test_kernels import RULES, strict

    for rules in RULES:
        packed, games = pack(rules), 4
        records = new_records(packed, games)
        width = loop.WATCHED_NUMBERS + 2 * len(rules.the_deck.numbers)
        watched = Watched(
            strict(np.zeros((len(records.rounds), width), np.int16)), strict(np.zeros(len(records.players), np.int16))
        )
        done = loop.play_games_watched(
            strict(packed), strict(new_state(packed)), strict(new_plays(packed)),
            np.resize(list(SCORES.values()), rules.players), 1, 0, games, Records(*map(strict, records)), watched,
            np.array([0, 0, 1]),
        )  # fmt: skip
        assert done == games
