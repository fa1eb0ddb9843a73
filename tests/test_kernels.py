"""Compiled and plain kernels do the same; an index below 0 counts from the end only in plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nambarz_sim._numba import COMPILED, compiled
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import PLAY_WIDTH, Ints, new_plays, new_state, pack
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import Records, new_records
from nambarz_sim.strategies.erring import Pupils
from nambarz_sim.strategies.names import SCORES
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


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_no_index_is_below_0_in_games(rules: Rules) -> None:
    packed, games = pack(rules), 8
    records = Records(*map(strict, new_records(packed, games)))
    codes = np.resize(list(SCORES.values()), rules.players)
    at = np.array([0, 0, 1])
    done = loop.play_games(
        strict(packed), strict(new_state(packed)), strict(new_plays(packed)), codes, 1, 0, games, records, at
    )
    assert done == games


@pytest.mark.slow
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


@pytest.mark.slow
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
    games = 1
    records = Records(*map(strict, new_records(packed, games)))
    strict_pupils = Pupils(*map(strict, pupils))
    codes = np.full(rules.players, SCORES["greedy"])
    done = loop.play_games_of_pupils(
        strict(packed), strict(new_state(packed)), strict(new_plays(packed)), codes, strict_pupils, 1, 0, games, records,
        np.array([0, 0, 1]),
    )  # fmt: skip
    assert done == games


SINGLE_DECISIONS = """
import sys
from nambarz_sim import Pupil, Rules, Session, find_plays, judge
from nambarz_sim._numba import COMPILED

assert find_plays("10 4 2 7fish change-any", active="3bee")
assert judge("6+5+2-10", hand="6 5 2 10", active="3bee").fault == "R6.1"
game = Session(Rules(players=4), seed=1, seats=["you", "thrifty", Pupil.preset("year-2"), "random"])
game.attempt(game.hands[0][:3])
game.advance()
assert len(game.log) > 8
print(COMPILED, "numba" in sys.modules)
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled in this run anyway")
def test_single_decisions_do_not_even_load_the_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", SINGLE_DECISIONS], capture_output=True, text=True, timeout=300)
    assert done.stdout == "True False\n", done.stderr


BATCH = """
from nambarz_sim import simulate
from nambarz_sim.simulation import batch

batch.PLAIN_SEATS = 0  # or it would not look for Numba
print(len(simulate(games=2, workers=1, progress=False).games))
"""


@pytest.mark.skipif(not COMPILED, reason="Numba is not asked for in this run")
def test_a_batch_is_played_where_numba_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('needs another NumPy')", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", BATCH], capture_output=True, text=True, timeout=300, env=environment, check=False
    )
    assert done.stdout == "2\n", done.stderr
    assert done.stderr.count("Numba does not load, so batches run slowly as plain Python: needs another NumPy") == 1


@pytest.mark.skipif(not COMPILED, reason="there is one form of a kernel in this run")
@pytest.mark.parametrize("rules", RULES, ids=range(len(RULES)))
def test_plain_kernels_do_what_the_compiled_ones_do(rules: Rules) -> None:
    packed, states, plays = pack(rules), (new_state(pack(rules)), new_state(pack(rules))), new_plays(pack(rules))
    forms = (compiled(engine), engine)
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
