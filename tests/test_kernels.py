"""Compiled and plain kernels do the same; an index below 0 counts from the end only in plain Python."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from nambarz_sim._numba import COMPILED, plain
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import PLAY_WIDTH, Ints, new_plays, new_state, pack
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import Records, new_records
from nambarz_sim.strategies import STRATEGIES
from nambarz_sim.strategies.erring import Pupils
from nambarz_sim.strategies.pupil import Pupil, pupils_at


class FromTheFront(np.ndarray[Any, Any]):
    """An array that takes no index below 0."""

    def __getitem__(self, index: Any) -> Any:
        _verify(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _verify(index)
        super().__setitem__(index, value)


def _verify(index: Any) -> None:
    for each in index if isinstance(index, tuple) else (index,):
        parts = (each.start, each.stop) if isinstance(each, slice) else (each,)
        assert all(part is None or part >= 0 for part in parts), f"index {index} is below 0"


def strict(array: Ints) -> Any:
    return array.view(FromTheFront)


RULES = [
    Rules(players=5, rounds=2),
    Rules(players=4, team_sizes=(2, 2), teammates_see_hands=True, play_off="all", recycle="flip"),
    Rules(players=7, wildcards=0, steps="rational", max_cards=4, decks=2),
    Rules(players=2, hand_size=2, turn_limit=30, play_off="all"),
]


@pytest.mark.skipif(COMPILED, reason="compiled code takes no arrays of another class")
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_no_index_is_below_0_in_games(rules: Rules) -> None:
    packed, games = pack(rules), 8
    records = Records(*map(strict, new_records(packed, games)))
    codes = np.resize(list(STRATEGIES.values()), rules.players)
    at = np.array([0, 0, 1])
    done = loop.play_games(
        strict(packed), strict(new_state(packed)), strict(new_plays(packed)), codes, 1, 0, games, records, at
    )
    assert done == games


@pytest.mark.skipif(COMPILED, reason="compiled code takes no arrays of another class")
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_no_index_is_below_0_in_attempts(rules: Rules) -> None:
    """Random cards of the hand, laid as attempts: most are faulty."""
    packed, random = strict(pack(rules)), np.random.default_rng(1)
    state = strict(new_state(packed))
    for game in range(20):
        engine.start_game(packed, state, 1, game)
        for _ in range(20):
            if state[engine.GAME_OVER] or state[engine.ENDED]:
                break
            hand = packed[engine.AT_HANDS] + state[engine.SEAT] * packed[engine.TYPES]
            held = np.repeat(np.arange(packed[engine.TYPES]), state[hand : hand + packed[engine.TYPES]])
            cards = strict(random.permutation(held)[: random.integers(1, min(6, len(held)) + 1)])
            laid, play = strict(np.zeros(len(cards), np.int64)), strict(np.zeros(PLAY_WIDTH, np.int64))
            engine.apply_attempt(packed, state, cards, np.zeros(len(cards), np.int64), len(cards), laid, play)


@pytest.mark.skipif(COMPILED, reason="compiled code takes no arrays of another class")
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_no_index_is_below_0_where_pupils_err(rules: Rules) -> None:
    able = Pupil(
        operations="+-",
        most_cards=3,
        overlook=0.2,
        misuse_wildcard=0.5,
        forget_matching=0.3,
        forget_fewest=0.3,
        slip=0.3,
    )
    packed, pupils = pupils_at(rules, [able] * rules.players)
    assert pupils is not None
    games = 4
    records = Records(*map(strict, new_records(packed, games)))
    strict_pupils = Pupils(*map(strict, pupils))
    codes = np.full(rules.players, STRATEGIES["greedy"])
    done = loop.play_games_of_pupils(
        strict(packed), strict(new_state(packed)), strict(new_plays(packed)), codes, strict_pupils, 1, 0, games, records,
        np.array([0, 0, 1]),
    )  # fmt: skip
    assert done == games


SINGLE_DECISIONS = """
from nambarz_sim import Pupil, Rules, Session, find_plays, judge
from nambarz_sim._numba import COMPILED, plain
from nambarz_sim import _rng
from nambarz_sim.engine import kernel as engine
from nambarz_sim.strategies import erring, greedy, kernel as choosing, thrifty

assert find_plays("10 4 2 7fish change-any", active="3bee")
assert judge("6+5+2-10", hand="6 5 2 10", active="3bee").fault == "R6.1"
game = Session(Rules(players=4), seed=1, seats=["you", "thrifty", Pupil.preset("year-2"), "random"])
game.attempt(game.hands[0][:3])
game.advance()
assert len(game.log) > 8
kernels = [value for module in (_rng, engine, choosing, erring, greedy, thrifty) for value in vars(module).values()]
compiled = [value.__name__ for value in kernels if getattr(value, "signatures", None)]
print(COMPILED, compiled)
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled in this run anyway")
def test_single_decisions_compile_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", SINGLE_DECISIONS], capture_output=True, text=True, timeout=300)
    assert done.stdout == "True []\n", done.stderr


@pytest.mark.skipif(not COMPILED, reason="there is one form of a kernel in this run")
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_plain_kernels_do_what_the_compiled_ones_do(rules: Rules) -> None:
    packed, states, plays = pack(rules), (new_state(pack(rules)), new_state(pack(rules))), new_plays(pack(rules))
    forms = (engine, plain(engine))
    for form, state in zip(forms, states, strict=True):
        form.start_game(packed, state, 5, 3)
    random = np.random.default_rng(2)
    for _ in range(200):
        counts = [form.legal_plays(packed, state, plays) for form, state in zip(forms, states, strict=True)]
        assert counts[0] == counts[1]
        choice = int(random.integers(-1, counts[0]))
        for form, state in zip(forms, states, strict=True):
            form.step(packed, state, plays, choice)
            if state[engine.ENDED]:
                form.score_round(packed, state)
                form.next_round(packed, state)
        np.testing.assert_array_equal(*states)
        if states[0][engine.GAME_OVER]:
            break
