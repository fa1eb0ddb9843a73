"""Batches: the same games however they are cut and run, deals that variants share, progress, stops and bad arguments."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from tqdm.auto import tqdm

from nambarz_sim import Results, Rules, simulate
from nambarz_sim._numba import compiled
from nambarz_sim.engine import kernel as turns
from nambarz_sim.engine.state import (
    ACTIVE,
    ENDED,
    FIRST_WILDCARD,
    GAME_OVER,
    PILE_AT,
    PILE_LEFT,
    ROUND,
    SEAT,
    Ints,
    new_plays,
    new_state,
    pack,
    view,
)
from nambarz_sim.simulation import batch
from nambarz_sim.strategies import STRATEGIES
from nambarz_sim.strategies import kernel as choices

engine, choosing = compiled(turns), compiled(choices)
TABLES = ("games", "rounds", "players")
VARIED = Rules(players=4, rounds=2, play_off="all")
MIXED = ("greedy", "random", "master", "thrifty")


def play(games: int = 30, **arguments: object) -> Results:
    return simulate(**{"rules": VARIED, "games": games, "seed": 5, "strategies": MIXED, "progress": False} | arguments)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def reference() -> Results:
    return play(workers=1)


def assert_same(one: Results, other: Results) -> None:
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))
    assert (one.rules, one.strategies, one.seed) == (other.rules, other.strategies, other.seed)


def first_play(observation: object, plays: list[object]) -> object:
    """A strategy in plain Python that other processes can import."""
    return plays[0]


# --- the same games however they are run -----------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("chunk_size", [None, 1, 7, 1000])
def test_workers_and_chunks_change_nothing(reference: Results, workers: int, chunk_size: int | None) -> None:
    assert_same(reference, play(workers=workers, chunk_size=chunk_size))


def test_thread_pool_of_the_caller_changes_nothing(reference: Results) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert_same(reference, play(executor=pool, chunk_size=7))
        assert pool.submit(int, "3").result() == 3, "the caller's pool stays open"


def test_processes_change_nothing(reference: Results) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert_same(reference, play(executor=pool, chunk_size=8))
        own = {"rules": Rules(players=2), "games": 6, "strategies": first_play}
        assert_same(play(**own), play(executor=pool, chunk_size=4, **own))


def test_chunks_may_finish_in_any_order(reference: Results) -> None:
    class Backwards(Executor):
        """Runs what waits in reverse, as soon as there are a few."""

        def __init__(self) -> None:
            self.waiting: list[tuple[Future[object], object, tuple[object, ...]]] = []

        def submit(self, function, /, *arguments, **_):  # type: ignore[no-untyped-def]
            future: Future[object] = Future()
            self.waiting.append((future, function, arguments))
            if arguments[3] + arguments[4] >= 30 or len(self.waiting) == 4:
                while self.waiting:
                    done, work, given = self.waiting.pop()
                    done.set_result(work(*given))  # type: ignore[operator]
            return future

    assert_same(reference, play(executor=Backwards(), chunk_size=3, workers=1))


@pytest.mark.parametrize("first", [1, 11, 29])
def test_a_batch_is_the_beginning_of_a_larger_one(reference: Results, first: int) -> None:
    smaller = play(games=first, chunk_size=4)
    for name in TABLES:
        table = getattr(reference, name)
        beginning = table[table["game"] < first].reset_index(drop=True)
        pd.testing.assert_frame_equal(getattr(smaller, name), beginning)


def test_python_strategies_are_cut_the_same_way() -> None:
    own = {"rules": VARIED, "games": 9, "strategies": [first_play, "greedy", first_play, "random"]}
    whole = play(chunk_size=100, **own)
    assert_same(whole, play(chunk_size=2, **own))
    assert_same(whole, play(workers=2, chunk_size=5, **own))


def test_seeds_give_different_games() -> None:
    batches = [play(games=8, seed=seed).players for seed in (0, 1, 2**32, 2**63 - 1)]
    for place, one in enumerate(batches):
        for other in batches[:place]:
            assert not one.equals(other)
    assert_same(play(games=8, seed=0), play(games=8, seed=0))


def test_games_of_a_batch_differ() -> None:
    games = play(rules=Rules(), games=60).players.drop(columns="game")
    rows = [tuple(games.iloc[4 * game : 4 * game + 4].to_numpy().ravel()) for game in range(60)]
    assert len(set(rows)) == 60


# --- compiled and not ------------------------------------------------------------------------------------------------

PROBE = """
from hashlib import sha256
from nambarz_sim import Rules, simulate
from nambarz_sim._numba import COMPILED
from nambarz_sim.strategies.names import SCORES

rule_sets = [
    Rules(), Rules(players=2, wildcards=40), Rules(players=12, wildcards="experienced", operations="+-"),
    Rules(players=6, team_sizes=(2, 4), teammates_see_hands=True, unfinished_bonus=True),
    Rules(players=2, rounds=2, play_off="all", recycle="flip"), Rules(players=3, decks=2, steps="rational"),
    Rules(players=5, steps="integer", max_cards=4, turn_limit=30),
]
print(COMPILED)
for rules in rule_sets:
    for strategies in [*SCORES, "planner:2", [list(SCORES)[seat % 5] for seat in range(rules.players)]]:
        results = simulate(rules, games=2, seed=8, strategies=strategies, workers=1, progress=False)
        text = "".join(table.to_csv() for table in (results.games, results.rounds, results.players))
        print(sha256(text.encode()).hexdigest())
"""


def probe(uncompiled: bool) -> list[str]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1" if uncompiled else "0"}
    command = [sys.executable, "-c", PROBE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_compiling_changes_nothing() -> None:
    machine, plain = probe(uncompiled=False), probe(uncompiled=True)
    assert (machine[0], plain[0]) == ("True", "False")
    assert len(plain) == 1 + 7 * 7
    assert machine[1:] == plain[1:]


# --- random state, threads, progress, stops --------------------------------------------------------------------------


def test_global_random_state_is_neither_changed_nor_read(reference: Results) -> None:
    random.seed(99)
    np.random.seed(99)  # noqa: NPY002
    before = random.getstate(), np.random.get_state(legacy=True)  # noqa: NPY002
    assert_same(reference, play(workers=2, chunk_size=7))
    assert_same(play(games=3, strategies=first_play), play(games=3, strategies=first_play))
    after = random.getstate(), np.random.get_state(legacy=True)  # noqa: NPY002
    assert before[0] == after[0]
    assert before[1][0] == after[1][0]
    assert np.array_equal(before[1][1], after[1][1])
    assert before[1][2:] == after[1][2:]


def test_a_batch_leaves_no_thread_behind() -> None:
    script = """
        import threading
        from nambarz_sim import Rules, simulate
        before = set(threading.enumerate())
        simulate(Rules(players=2), games=8, workers=2, chunk_size=2, progress=False)
        print(sorted(thread.name for thread in set(threading.enumerate()) - before))
    """
    done = run_script(script)
    assert done.stdout.split() == ["[]"], done.stdout + done.stderr


def test_progress_is_shown_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    play(games=12, chunk_size=3, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "100%" in shown.err
    assert "12.0/12.0" in shown.err
    assert "game" in shown.err


@pytest.mark.parametrize("progress", [False, None])
def test_no_progress_otherwise(capsys: pytest.CaptureFixture[str], progress: bool | None) -> None:
    play(games=12, chunk_size=3, progress=progress)
    assert capsys.readouterr() == ("", "")


def test_progress_counts_the_games_of_an_executor_too(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        play(games=5, chunk_size=2, progress=True, executor=pool)
    assert "5.00/5.00" in capsys.readouterr().err


ENDLESS = "Rules(players=2), games=10_000_000, workers=2, chunk_size=20, progress=False"
STOPPED = f"""
    import threading, time
    from nambarz_sim import Rules, simulate
    simulate(Rules(players=2), games=1, progress=False)
    def workers():
        return sum(thread.name.startswith("nambarz") for thread in threading.enumerate())
    def tell():
        while workers() < 2:
            time.sleep(0.01)
        time.sleep(0.5)  # both threads have been started and the first chunks are done
        print("playing", flush=True)
    threading.Thread(target=tell, daemon=True).start()
    try:
        simulate({ENDLESS})
    except KeyboardInterrupt:
        print("stopped", workers(), flush=True)
        raise
"""


def run_script(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(script)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_stops_a_batch() -> None:
    command = [sys.executable, "-c", textwrap.dedent(STOPPED)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "playing\n"
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=120)  # ten million games take far longer
    finally:
        process.kill()
        process.wait()
    assert out == "stopped 0\n"
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert process.returncode in (-signal.SIGINT, 130)


def own_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("nambarz")]


def test_an_interrupt_between_chunks_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may come at any moment, also while the progress bar moves."""

    class Interrupted(tqdm):  # type: ignore[type-arg]
        def update(self, n: float | None = 1) -> bool | None:
            raise KeyboardInterrupt

    monkeypatch.setattr(batch, "tqdm", Interrupted)
    try:
        simulate(games=1000, chunk_size=1, workers=2, progress=True)
    except KeyboardInterrupt:
        left = own_threads()
    assert left == []


def test_an_interrupt_leaves_the_callers_pool_open() -> None:
    played = []

    class Stops(ThreadPoolExecutor):
        def submit(self, function, /, *arguments, **_):  # type: ignore[no-untyped-def]
            played.append(arguments)
            if len(played) == 3:
                raise KeyboardInterrupt
            return super().submit(function, *arguments)

    with Stops(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            play(games=1000, chunk_size=1, executor=pool)
        assert len(played) == 3
        assert pool.submit(int, "3").result() == 3


def test_a_fault_in_a_strategy_stops_the_batch() -> None:
    def fails(observation: object, plays: list[object]) -> object:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        play(games=1000, chunk_size=1, strategies=fails)
    assert own_threads() == []


# --- deals -----------------------------------------------------------------------------------------------------------


def deal(rules: Rules, game: int, seed: int = 3, round_number: int = 0) -> tuple[Ints, Ints]:
    """A game's deal: the packed rules and the state before the first turn."""
    packed = pack(rules)
    state = new_state(packed)
    engine.start_game(packed, state, seed, game)
    if round_number:
        state[ROUND] = round_number
        engine.start_round(packed, state)
    return packed, state


def cards_in_order(packed: Ints, state: Ints) -> list[int]:
    """The card types of a fresh deal of one card each: hands by seat, the active card, the pile from its top."""
    parts = view(packed, state)
    hands = [int(card) for hand in parts.hands for card in np.repeat(np.arange(len(hand)), hand)]
    pile = parts.pile[state[PILE_AT] : state[PILE_AT] + state[PILE_LEFT]].tolist()
    return [*hands, int(state[ACTIVE]), *pile]


def ordinary(rules: Rules, game: int) -> list[int]:
    packed, state = deal(rules, game)
    return [card for card in cards_in_order(packed, state) if card < packed[FIRST_WILDCARD]]


FEWER = ["experienced", "top-level", 0, {"replay": 3}, {"change-any": 2, "change-number": 1}]


@pytest.mark.clause("R1.4")
@pytest.mark.parametrize("wildcards", FEWER, ids=str)
@pytest.mark.parametrize("decks", [1, 2])
def test_variants_share_the_order_of_the_ordinary_cards(wildcards: object, decks: int) -> None:
    usual = Rules(players=4, hand_size=1, decks=decks)
    for game in range(20):
        cards = ordinary(usual, game)
        assert len(cards) == 80 * decks
        assert cards == ordinary(usual.replace(wildcards=wildcards), game)


def longest_common(one: list[int], other: list[int]) -> int:
    """The length of the longest sequence that both contain in the same order."""
    row = [0] * (len(other) + 1)
    for card in one:
        before = row[:]
        for place, theirs in enumerate(other):
            row[place + 1] = before[place] + 1 if card == theirs else max(before[place + 1], row[place])
    return row[-1]


@pytest.mark.clause("R1.4")
@pytest.mark.parametrize(("wildcards", "added"), [(16, 4), ({"change-any": 5, "replay": 3}, 2)], ids=str)
def test_a_card_added_to_the_deck_moves_one_card_at_most(wildcards: object, added: int) -> None:
    usual = Rules(players=4, hand_size=1)
    for game in range(10):
        shared = longest_common(ordinary(usual, game), ordinary(usual.replace(wildcards=wildcards), game))
        assert shared >= 80 - added


@pytest.mark.clause("R2.1")
@pytest.mark.parametrize(
    "changes",
    [
        {"operations": "+-", "steps": "integer"},
        {"rounds": 5, "play_off": "all"},
        {"team_sizes": (2, 2), "teammates_see_hands": True},
        {"max_cards": 3, "recycle": "flip", "turn_limit": 9, "penalty_cards": 0, "unfinished_bonus": True},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_other_options_change_no_deal(changes: dict[str, object]) -> None:
    for game in range(10):
        (usual_pack, usual), (packed, state) = deal(Rules(), game), deal(Rules(**changes), game)  # type: ignore[arg-type]
        assert np.array_equal(view(usual_pack, usual).hands, view(packed, state).hands)
        assert cards_in_order(usual_pack, usual) == cards_in_order(packed, state)


def later_deals(strategies: list[str], rounds: int, seed: int = 3, game: int = 0) -> list[list[int]]:
    """The deal of every round of a game, as cards in order."""
    rules = Rules(players=3, hand_size=1, rounds=rounds, play_off="none")
    packed, state = deal(rules, game, seed)
    plays = new_plays(packed)
    deals = [cards_in_order(packed, state)]
    while not state[GAME_OVER]:
        count = engine.legal_plays(packed, state, plays)
        code = STRATEGIES[strategies[int(state[SEAT])]]
        engine.step(packed, state, plays, choosing.choose(packed, state, plays, count, code))
        if state[ENDED]:
            engine.score_round(packed, state)
            engine.next_round(packed, state)
            if not state[GAME_OVER]:
                deals.append(cards_in_order(packed, state))
    return deals


@pytest.mark.clause("R2.1")
@pytest.mark.clause("R9.1")
def test_strategies_and_earlier_rounds_change_no_deal() -> None:
    for game in range(5):
        deals = later_deals(["greedy"] * 3, rounds=3, game=game)
        assert len({tuple(cards) for cards in deals}) == 3, "each round has a deal of its own"
        for strategies in (["random"] * 3, ["master", "matcher", "thrifty"]):
            assert later_deals(strategies, rounds=3, game=game) == deals
        fresh = [cards_in_order(*deal(Rules(players=3, hand_size=1), game, round_number=number)) for number in range(3)]
        assert fresh == deals


@pytest.mark.clause("R2.1")
def test_a_wildcard_is_never_turned_up_and_no_card_is_lost() -> None:
    for wildcards in ("beginner", 40, 200):
        rules = Rules(players=6, wildcards=wildcards)
        for game in range(40):
            packed, state = deal(rules, game)
            assert state[ACTIVE] < packed[FIRST_WILDCARD]
            counts = np.bincount(cards_in_order(packed, state), minlength=len(rules.copies))
            assert tuple(counts) == rules.copies
            assert view(packed, state).hands.sum(axis=1).tolist() == [7] * 6


DEALS = 6000


@pytest.fixture(scope="module")
def first_cards() -> np.ndarray:
    """For each game the card types of the first hand, the second, the active card and the top of the pile."""
    rules = Rules(players=2, hand_size=1)
    return np.array([cards_in_order(*deal(rules, game, seed=17))[:4] for game in range(DEALS)])


@pytest.mark.slow
@pytest.mark.clause("R2.1")
def test_deals_look_uniform(first_cards: np.ndarray) -> None:
    rules = Rules()
    copies = np.array(rules.copies, dtype=float)
    turned_up = copies.copy()
    turned_up[-4:] = 0  # wildcards go under the pile
    for place, chances in enumerate((copies, copies, turned_up, copies)):
        seen = np.bincount(first_cards[:, place], minlength=len(copies))
        held = chances > 0
        assert not seen[~held].any()
        expected = DEALS * chances[held] / chances[held].sum()
        assert stats.chisquare(seen[held], expected).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.clause("R2.1")
def test_pairs_of_cards_look_independent(first_cards: np.ndarray) -> None:
    rules = Rules()
    numbers = np.array([-1 if card.number is None else card.number for card in rules.the_deck.cards])
    cards = numbers[first_cards]
    wild = np.array([12, *[8] * 10], dtype=float)
    expected = (np.outer(wild, wild) - np.diag(wild)) / (92 * 91)
    values = [-1, *range(1, 11)]
    pairs = pd.crosstab(cards[:, 0], cards[:, 1]).reindex(index=values, columns=values, fill_value=0).to_numpy()
    assert stats.chisquare(pairs.ravel(), DEALS * expected.ravel()).pvalue > 0.001


@pytest.mark.slow
@pytest.mark.clause("R9.1")
def test_rounds_and_neighbouring_seeds_deal_independently() -> None:
    rules = Rules(players=2, hand_size=1)
    kinds = [card.number or 0 for card in rules.the_deck.cards]
    first = [kinds[cards_in_order(*deal(rules, game))[0]] for game in range(3000)]
    for other in ({"round_number": 1}, {"seed": 4}):
        second = [kinds[cards_in_order(*deal(rules, game, **other))[0]] for game in range(3000)]
        assert stats.chi2_contingency(pd.crosstab(np.array(first), np.array(second))).pvalue > 0.001


# --- bad arguments ---------------------------------------------------------------------------------------------------

WRONG = [
    *(("games", value, r"whole number from 1 to") for value in (0, -1, 1.5, True, "10", None, 2**40 + 1)),
    *(("seed", value, r"whole number from 0 to") for value in (-1, 0.5, False, "1", None, 2**63)),
    *(("workers", value, r"whole number from 1 to") for value in (0, -2, 1.0, True, "2")),
    *(("chunk_size", value, r"whole number from 1 to") for value in (0, -2, 1.0, True, "2")),
]


@pytest.mark.parametrize(("name", "value", "allowed"), WRONG, ids=lambda value: str(value)[:12])
def test_numbers_that_are_not_allowed(name: str, value: object, allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed) as caught:
        play(**{name: value})
    text = str(caught.value)
    assert text.startswith(f"{name}: ")
    assert repr(value) in text
    assert "\n" not in text


@pytest.mark.parametrize("name", ["games", "seed", "workers", "chunk_size"])
def test_numpy_integers_are_whole_numbers(name: str, reference: Results) -> None:
    value = {"games": 30, "seed": 5, "workers": 1, "chunk_size": 10}[name]
    assert_same(reference, play(**{name: np.int64(value)}))


@pytest.mark.parametrize(("given", "nearest"), [("gredy", "greedy"), ("Master", "master"), ("trifty", "thrifty")])
def test_an_unknown_strategy_suggests_the_nearest(given: str, nearest: str) -> None:
    for strategies in (given, ["greedy", "greedy", given, "greedy"]):
        with pytest.raises(ValueError, match=f"Did you mean '{nearest}'") as caught:
            play(strategies=strategies)
        text = str(caught.value)
        assert repr(given) in text
        assert all(name in text for name in STRATEGIES)


@pytest.mark.parametrize("count", [0, 2, 3, 5])
def test_the_number_of_strategies_must_fit(count: int) -> None:
    with pytest.raises(ValueError, match="one for each seat") as caught:
        play(strategies=["greedy"] * count)
    text = str(caught.value)
    assert text.startswith("strategies: ")
    assert f"{count} are given" in text
    assert "4 players" in text


@pytest.mark.parametrize("strategies", [5, None, [5, 5, 5, 5], [["greedy"], "greedy", "greedy", "greedy"]], ids=str)
def test_strategies_must_be_names_or_functions(strategies: object) -> None:
    with pytest.raises(ValueError, match="strateg"):
        play(strategies=strategies)


# --- before anything is compiled -------------------------------------------------------------------------------------

FIRST_CALL = """
    import sys
    from nambarz_sim import Rules, simulate
    results = simulate(Rules(players=3), games=30, seed=4, strategies={strategies!r}, progress=False)
    print("numba" in sys.modules, results.players["points"].tolist())
"""


@pytest.mark.slow
@pytest.mark.parametrize("strategies", ["thrifty", "year-3"])
def test_a_first_small_batch_waits_for_no_compiler(tmp_path: Path, strategies: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(FIRST_CALL).format(strategies=strategies)],
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        check=True,
    )
    expected = simulate(Rules(players=3), games=30, seed=4, strategies=strategies, progress=False)
    assert done.stdout == f"False {expected.players['points'].tolist()}\n"
    assert not list(tmp_path.iterdir())


@pytest.fixture
def forms(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each chunk is played as plain Python, in a process that has nothing compiled."""
    played: list[bool] = []

    def play_chunk(*arguments: object) -> object:
        played.append(bool(arguments[5]))
        return whole(*arguments)  # type: ignore[arg-type]

    whole = batch.play_chunk
    monkeypatch.setattr(batch, "play_chunk", play_chunk)
    monkeypatch.setattr(batch, "is_ready", lambda _kernel: False)
    monkeypatch.setattr(batch, "_PLAIN_TIMES", [])
    monkeypatch.setattr(batch, "PLAIN_SEATS", 100)
    return played


def test_small_batches_are_plain_until_the_compiler_is_worth_its_time(
    forms: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = Rules(players=2, rounds=5)
    simulate(rules, games=10, chunk_size=5, progress=False)
    assert forms == [True, True]
    monkeypatch.setattr(batch, "PLAIN_SECONDS", 0.0)
    simulate(rules, games=10, chunk_size=5, progress=False)
    assert forms[2:] == [False, False]


def test_a_batch_of_more_games_is_compiled_at_once(forms: list[bool]) -> None:
    simulate(Rules(players=2, rounds=5), games=11, chunk_size=11, progress=False)
    assert forms == [False]


def test_an_executors_workers_play_as_they_always_do(forms: list[bool]) -> None:
    with ThreadPoolExecutor(1) as pool:
        simulate(Rules(players=2), games=3, executor=pool, chunk_size=3, progress=False)
    assert forms == [False]


def test_what_is_compiled_is_used(forms: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "is_ready", lambda _kernel: True)
    simulate(Rules(players=2), games=3, chunk_size=3, progress=False)
    assert forms == [False]
