"""What the benchmarks measure: one function a table of the report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np
from child import WARM_GAMES

from nambarz_sim import Results, Rules, balance, find_plays, simulate, variant_grid
from nambarz_sim.analysis.estimates import ratio_estimate, share_estimate
from nambarz_sim.strategies.names import SCORES

CHILD = Path(__file__).with_name("child.py")
SEED = 1
PUPILS = "year-4"
PLANNER = ("planner:200", "greedy", "greedy", "greedy")
PLANNER_FIELDS = ("greedy", "thrifty", "master")
CLUSTER_CHUNKS = (5_000, 20_000, 50_000)
NAMES = ("greedy", *(name for name in SCORES if name != "greedy"))
Rows = dict[str, np.ndarray]
Reasons = dict[str, str]
Case = Callable[[], tuple[float, ...]]
Say = Callable[[str], None]


class NotMeasured(Exception):
    """Why a part cannot be measured here."""


@dataclass(frozen=True)
class Sizes:
    """How much is played."""

    repeats: int = 7
    games: int = 50_000
    thread_games: int = 200_000
    uncompiled_games: int = 500
    rlcard_games: int = 1_000
    starts: int = 11
    cold_starts: int = 3
    hands: int = 30
    calls: int = 20
    memory_games: int = 1_000_000
    memory_repeats: int = 3
    deals: int = 50_000
    grid_games: int = 10_000
    grid_repeats: int = 3
    cluster_games: int = 2_000_000
    cluster_repeats: int = 3
    planner_games: int = 200
    planner_deals: int = 2_500
    folder_games: int = 10_000_000
    folder_reads: int = 3
    folder_pair_games: int = 2_000_000
    folder_repeats: int = 3
    folder_kills: int = 3


QUICK = Sizes(
    repeats=3, games=2_000, thread_games=10_000, uncompiled_games=20, rlcard_games=50, starts=3, cold_starts=1, hands=4,
    calls=5, memory_games=20_000, memory_repeats=1, deals=1_000, grid_games=50, grid_repeats=1,
    cluster_games=20_000, cluster_repeats=1,
    planner_games=20, planner_deals=25,
    folder_games=20_000, folder_reads=1, folder_pair_games=20_000, folder_repeats=1, folder_kills=1,
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A bound for a figure's median."""

    bound: float
    at_most: bool = False

    def met_by(self, value: float) -> bool:
        """Whether the value keeps the bound."""
        return value <= self.bound if self.at_most else value >= self.bound


@dataclass(frozen=True)
class Figure:
    """Repeated measurements of one thing; without any, `why` says why there are none."""

    what: str
    values: list[float] = field(default_factory=list)
    unit: str = ""
    target: Target | None = None
    why: str = ""


@dataclass(frozen=True)
class Estimate:
    """A statistic of many rounds with its 95% interval, and what it should be more or less than."""

    what: str
    estimate: tuple[float, float, float]
    rounds: int
    unit: str
    bound: float | None = None
    more: bool = True

    def holds(self) -> bool:
        """Whether the whole interval lies on the right side of the bound."""
        assert self.bound is not None
        _, low, high = self.estimate
        return low > self.bound if self.more else high < self.bound


# --- speed of play ------------------------------------------------------------------------------------------------


def speed(sizes: Sizes, say: Say) -> dict[str, list[Figure]]:
    """The tables of everything that plays, every case once in each repeat, so that a busy moment hits all alike."""
    cases: dict[str, Case] = {name: partial(on_one_core, Rules(), name, sizes.games) for name in NAMES}
    cases[PUPILS] = partial(on_one_core, Rules(), PUPILS, sizes.games)
    cases["planner"] = partial(on_one_core, Rules(), PLANNER, sizes.planner_games)
    cases["one thread"] = partial(on_threads, 1, sizes.thread_games)
    cases["two threads"] = partial(on_threads, 2, sizes.thread_games)
    cases["uncompiled"] = partial(uncompiled, sizes.uncompiled_games)
    cases["two players"] = partial(on_one_core, Rules(players=2), "random", sizes.games)
    cases["rlcard"] = partial(rlcard, sizes.rlcard_games)
    samples, missing = interleaved(cases, sizes.repeats, say)
    return {
        "core": core_figures(samples),
        "threads": thread_figures(samples, missing),
        "uncompiled": uncompiled_figures(samples, missing),
        "rlcard": rlcard_figures(samples, missing),
    }


def interleaved(cases: dict[str, Case], repeats: int, say: Say) -> tuple[Rows, Reasons]:
    """For each case its figures, one row a repeat; and for cases that cannot run, why."""
    rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in cases}
    missing: Reasons = {}
    for repeat in range(repeats):
        for name, case in cases.items():
            if name in missing:
                continue
            say(f"{name}: {repeat + 1} of {repeats}")
            try:
                rows[name].append(case())
            except NotMeasured as reason:
                missing[name] = str(reason)
    return {name: np.array(rows[name]) for name in cases if name not in missing}, missing


def on_one_core(rules: Rules, strategy: str | Sequence[str], games: int) -> tuple[float, float]:
    """Rounds and turns a second of CPU time."""
    simulate(rules, games=min(games, WARM_GAMES), seed=SEED, strategies=strategy, workers=1, progress=False)
    start = time.process_time()
    results = simulate(rules, games=games, seed=SEED, strategies=strategy, workers=1, progress=False)
    seconds = time.process_time() - start
    return len(results.rounds) / seconds, float(results.rounds["turns"].sum()) / seconds


def on_threads(workers: int, games: int) -> tuple[float]:
    """Rounds a second of wall time."""
    if (os.cpu_count() or 1) < workers:
        raise NotMeasured(f"this machine has {os.cpu_count()} core")
    start = time.perf_counter()
    results = simulate(games=games, seed=SEED, workers=workers, progress=False)
    seconds = time.perf_counter() - start
    return (len(results.rounds) / seconds,)


def uncompiled(games: int) -> tuple[float]:
    """Rounds a second of CPU time of the same code as plain Python."""
    found = in_child("play", games, NUMBA_DISABLE_JIT="1")
    if found["compiled"]:
        raise NotMeasured("compiling could not be switched off")
    return (found["rounds"] / found["seconds"],)


def rlcard(games: int) -> tuple[float, float]:
    """Games and turns a second of CPU time of RLCard's UNO."""
    try:
        from rlcard_uno import measure
    except ImportError as error:
        raise NotMeasured(f"{error.name} is not installed; it comes with the extra `benchmark`") from None
    found = measure(games, SEED)
    return found["games"] / found["seconds"], found["turns"] / found["seconds"]


def core_figures(samples: Rows) -> list[Figure]:
    figures = []
    for name in NAMES:
        target = Target(100_000) if name == "greedy" else None
        rounds, turns = samples[name].T.tolist()
        figures += [
            Figure(f"`{name}`, rounds", rounds, "a second", target),
            Figure(f"`{name}`, turns", turns, "a second"),
        ]
    rounds, turns = samples[PUPILS].T.tolist()
    ratio = (samples[PUPILS] / samples["greedy"]).T.tolist()
    return [
        *figures,
        Figure(f"four pupils `{PUPILS}`, rounds", rounds, "a second"),
        Figure(f"four pupils `{PUPILS}`, turns", turns, "a second"),
        Figure("their rounds to those of `greedy`", ratio[0], "times"),
        Figure("their turns to those of `greedy`", ratio[1], "times"),
        Figure(
            "one planner with 200 playouts a choice, three `greedy`: rounds",
            samples["planner"][:, 0].tolist(),
            "a second",
            Target(20),
        ),
    ]


def thread_figures(samples: Rows, missing: Reasons) -> list[Figure]:
    one = Figure("rounds, one thread", samples["one thread"][:, 0].tolist(), "a second")
    if "two threads" in missing:
        return [one, Figure("two threads", why=missing["two threads"])]
    ratio = samples["two threads"] / samples["one thread"]
    return [
        one,
        Figure("rounds, two threads", samples["two threads"][:, 0].tolist(), "a second"),
        Figure("two threads to one", ratio[:, 0].tolist(), "times", Target(1.8)),
    ]


def uncompiled_figures(samples: Rows, missing: Reasons) -> list[Figure]:
    if "uncompiled" in missing:
        return [Figure("uncompiled", why=missing["uncompiled"])]
    rounds, plain = samples["greedy"][:, 0], samples["uncompiled"][:, 0]
    return [
        Figure("rounds, compiled", rounds.tolist(), "a second"),
        Figure("rounds, uncompiled", plain.tolist(), "a second"),
        Figure("compiled to uncompiled", (rounds / plain).tolist(), "times"),
    ]


def rlcard_figures(samples: Rows, missing: Reasons) -> list[Figure]:
    own = samples["two players"]
    figures = [
        Figure("NAMBARZ, rounds", own[:, 0].tolist(), "a second"),
        Figure("NAMBARZ, turns", own[:, 1].tolist(), "a second"),
    ]
    if "rlcard" in missing:
        return [*figures, Figure("RLCard's UNO", why=missing["rlcard"])]
    other = samples["rlcard"]
    return [
        *figures,
        Figure("RLCard's UNO, games", other[:, 0].tolist(), "a second"),
        Figure("RLCard's UNO, turns", other[:, 1].tolist(), "a second"),
        Figure("NAMBARZ rounds to UNO games", (own / other)[:, 0].tolist(), "times"),
        Figure("NAMBARZ turns to UNO turns", (own / other)[:, 1].tolist(), "times"),
    ]


# --- a cluster ----------------------------------------------------------------------------------------------------


def clusters(sizes: Sizes, say: Say) -> list[Figure]:
    """How much longer a batch takes on two processes of a cluster on this machine than on two threads."""
    if (os.cpu_count() or 1) < 2:
        return [Figure("a cluster", why="this machine has one core")]
    try:
        from distributed import Client, LocalCluster
    except ImportError as error:
        return [Figure("a cluster", why=f"{error.name} is not installed; it comes with the extra `benchmark`")]
    local = LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0")
    with local, Client(local, set_as_default=False, direct_to_workers=True) as client:
        cluster = client.get_executor()
        for executor in (None, cluster):  # loads the machine code
            timed_batch(sizes.cluster_games // 10, None, executor)
        cases: dict[str, Case] = {"threads": partial(timed_batch, sizes.cluster_games, None)}
        for size in CLUSTER_CHUNKS:
            cases[f"chunks of {size:,} games"] = partial(timed_batch, sizes.cluster_games, size, cluster)
        samples, _ = interleaved(cases, sizes.cluster_repeats, say)
    threads = samples.pop("threads")
    figures = [Figure("rounds, two threads", (sizes.cluster_games / threads)[:, 0].tolist(), "a second")]
    for name, seconds in samples.items():
        added = 100 * (seconds / threads - 1)
        figures.append(Figure(f"{name}: time added", added[:, 0].tolist(), "%", Target(15.0, at_most=True)))
    return figures


def timed_batch(games: int, chunk_size: int | None, executor: Executor | None = None) -> tuple[float]:
    """Wall seconds of a batch of two workers."""
    start = time.perf_counter()
    simulate(games=games, seed=SEED, workers=2, executor=executor, chunk_size=chunk_size, progress=False)
    return (time.perf_counter() - start,)


# --- starts -------------------------------------------------------------------------------------------------------


def starts(sizes: Sizes, say: Say) -> list[Figure]:
    """Wall seconds of fresh processes, with and without kept machine code."""
    python = [sys.executable]
    script = Path(sys.executable).with_name("nambarz")
    command = [str(script)] if script.exists() else [*python, "-m", "nambarz_sim"]
    cases: dict[str, Case] = {
        "command": partial(wall, [*command, "simulate", "--games", "1000"]),
        "import": partial(wall, [*python, "-c", "import nambarz_sim"]),
        "bare": partial(wall, [*python, "-c", "pass"]),
    }
    samples, missing = interleaved(cases, 1 + sizes.starts, say)
    if not {"import", "bare"} & {*missing}:
        samples["added"] = samples["import"] - samples["bare"]
    figures = cold_figures(sizes, say)
    for name, what, bound in (
        ("command", "`nambarz simulate --games 1000`", 2.0),
        ("import", "`import nambarz_sim`, with Python's own start", 0.2),
        ("added", "`import nambarz_sim`, without it", 0.2),
    ):
        # The first of all, which may find nothing compiled, does not count.
        values = samples[name][1:, 0].tolist() if name in samples else []
        why = missing.get(name, "there is nothing to subtract")
        figures.append(Figure(what, values, "s", Target(bound, at_most=True), why))
    return figures


def cold_figures(sizes: Sizes, say: Say) -> list[Figure]:
    """The first call of all, with nothing compiled yet: a batch that needs no compiler, and one that does."""
    figures = []
    for games, bound in ((1_000, Target(15.0, at_most=True)), (10_000, None)):
        name = f"first `simulate(games={games})`, nothing compiled"
        samples, missing = interleaved({name: partial(cold_start, games)}, sizes.cold_starts, say)
        if missing:
            figures.append(Figure(name, why=missing[name]))
            continue
        call, whole = samples[name].T.tolist()
        figures += [Figure(f"{name}: the call", call, "s", bound), Figure(f"{name}: the process", whole, "s", bound)]
    return figures


def cold_start(games: int) -> tuple[float, float]:
    """Wall seconds of the first call, and of its process, with an empty folder for machine code."""
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        found = in_child("first", games, NUMBA_CACHE_DIR=folder)
        whole = time.perf_counter() - start
        if games > 2_000 and not any(Path(folder).rglob("*.nbc")):
            raise NotMeasured("no machine code appeared in the empty folder, so it was not a cold start")
    return found["seconds"], whole


def wall(command: list[str]) -> tuple[float]:
    """Wall seconds of a process, its output thrown away."""
    start = time.perf_counter()
    run(command)
    return (time.perf_counter() - start,)


def in_child(part: str, games: int, **environment: str) -> dict[str, float]:
    """The figures of a part of `child`."""
    return dict(json.loads(run([sys.executable, str(CHILD), part, str(games)], **environment)))


def run(command: list[str], **environment: str) -> str:
    """What a process printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ | environment, check=False)
    if done.returncode:
        raise NotMeasured(f"its process ended with status {done.returncode}")
    return done.stdout


# --- plays of a hand ----------------------------------------------------------------------------------------------


def hands_of_20(sizes: Sizes, say: Say) -> list[Figure]:
    """CPU milliseconds of `find_plays` on large hands."""
    figures = []
    for wildcards, name in ((False, "no wildcards"), (True, "with wildcards")):
        for limit, added in ((None, ""), (20, ", `limit=20`")):
            say(f"find_plays: {name}{added}")
            figures += hand_figures(f"{name}{added}", wildcards, limit, sizes)
    return figures


def hand_figures(name: str, wildcards: bool, limit: int | None, sizes: Sizes) -> list[Figure]:
    times, counts = [], []
    for hand, active in draw_hands(sizes.hands, wildcards):
        counts.append(float(len(find_plays(hand, active, limit=limit))))
        times.append([timed_plays(hand, active, limit) for _ in range(sizes.calls)])
    target = Target(5.0, at_most=True)
    return [
        Figure(f"{name}: all calls", [one for calls in times for one in calls], "ms", target),
        Figure(f"{name}: calls of the slowest hand", max(times, key=median), "ms", target),
        Figure(f"{name}: plays returned", counts, "plays"),
    ]


def draw_hands(count: int, wildcards: bool) -> Iterator[tuple[list[str], str]]:
    """Hands of 20 cards of the shuffled deck and the next ordinary card as the active one; the same in every run."""
    rng = np.random.default_rng(SEED)
    deck, copies = Rules().the_deck, Rules().copies
    cards = [card for card, number in zip(deck.cards, copies, strict=True) for _ in range(number)]
    while count:
        order = [cards[place] for place in rng.permutation(len(cards))]
        if not wildcards:
            order = [card for card in order if not card.is_wildcard]
        hand = order[:20]
        if wildcards == any(card.is_wildcard for card in hand):
            yield [str(card) for card in hand], str(next(card for card in order[20:] if not card.is_wildcard))
            count -= 1


def timed_plays(hand: list[str], active: str, limit: int | None) -> float:
    start = time.process_time()
    find_plays(hand, active, limit=limit)
    return 1000 * (time.process_time() - start)


# --- memory -------------------------------------------------------------------------------------------------------


def memory(sizes: Sizes, say: Say) -> list[Figure]:
    """Peak memory and wall seconds of one large call in a fresh process, with its tables and its summary."""
    found = []
    for repeat in range(sizes.memory_repeats):
        say(f"memory: {repeat + 1} of {sizes.memory_repeats}")
        try:
            found.append(in_child("memory", sizes.memory_games))
        except NotMeasured as reason:
            return [Figure("peak memory", why=str(reason))]
    peaks = [one["peak"] / 1e9 for one in found]
    parts = (("play", "`simulate`"), ("tables", "its three tables"), ("summary", "`summary()`"))
    return [
        Figure("peak memory of the process", peaks, "GB", Target(2.0, at_most=True)),
        *(Figure(text, [one[name] for one in found], "s") for name, text in parts),
    ]


# --- the balance of variants --------------------------------------------------------------------------------------


def grids(sizes: Sizes, say: Say) -> list[Figure]:
    """Wall seconds of a whole balance grid on two threads, with what it plays besides and its table."""
    if (os.cpu_count() or 1) < 2:
        return [Figure("`balance` of the usual grid", why="this machine has one core")]
    balance(variant_grid((2,), ("beginner",), ("+-",)), games=10, workers=2, progress=False)
    seconds = []
    for repeat in range(sizes.grid_repeats):
        say(f"balance: {repeat + 1} of {sizes.grid_repeats}")
        start = time.perf_counter()
        found = balance(games=sizes.grid_games, seed=SEED, workers=2, progress=False)
        seconds.append(time.perf_counter() - start)
        assert len(found.variants) == 48
    return [
        Figure("`balance` of 48 variants, with skill and operations left out", seconds, "s", Target(60.0, at_most=True))
    ]


# --- what the strategies claim ------------------------------------------------------------------------------------


def claims(sizes: Sizes, say: Say) -> list[Estimate]:
    """Statistics that the strategies' descriptions promise."""
    estimates = bonus_estimates(sizes.deals, say)
    estimates.append(one_among("thrifty", "greedy", True, sizes.deals, say))
    others = [name for name in SCORES if name != "random"]
    estimates += [one_among("random", name, False, sizes.deals, say) for name in others]
    return estimates + [
        one_among(planner, name, True, sizes.planner_deals, say, bound)
        for planner, bound in (("planner", 0.30), ("planner:200", 0.25))
        for name in PLANNER_FIELDS
    ]


def bonus_estimates(deals: int, say: Say) -> list[Estimate]:
    """Bonus points of a seat and round when all are `master`, and when all are `greedy`, on the same deals."""
    say("bonus points of master and greedy")
    master, seats = bonus_by_game(simulate(games=deals, seed=SEED, strategies="master", progress=False))
    greedy, _ = bonus_by_game(simulate(games=deals, seed=SEED, strategies="greedy", progress=False))
    what = "bonus points a player and round"
    return [
        Estimate(f"{what}, all `master`", ratio_estimate(master, seats), deals, "points"),
        Estimate(f"{what}, all `greedy`", ratio_estimate(greedy, seats), deals, "points"),
        Estimate("the first less the second, same deals", ratio_estimate(master - greedy, seats), deals, "points", 0.0),
    ]


def bonus_by_game(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """For each game the bonus points of its rounds proper, and how many seats made them."""
    players = results.players
    proper = (players["round"] <= results.rules.rounds).to_numpy()
    games = players["game"].to_numpy()[proper]
    bonus = players["bonus"].to_numpy(dtype=float)[proper]
    count = len(results.games)
    return np.bincount(games, weights=bonus, minlength=count), np.bincount(games, minlength=count).astype(float)


def one_among(one: str, others: str, more: bool, deals: int, say: Say, bound: float = 0.25) -> Estimate:
    """The share of rounds that one wins among three others; every deal is played four times, the one in every seat."""
    say(f"one {one} among three {others}")
    hits = np.zeros(deals)
    rounds = np.zeros(deals)
    for seat in range(4):
        seats = [one if place == seat else others for place in range(4)]
        results = simulate(games=deals, seed=SEED, strategies=seats, progress=False)
        proper = results.rounds[~results.rounds["extra_round"]]
        games = proper["game"].to_numpy()
        rounds += np.bincount(games, minlength=deals)
        hits += np.bincount(games, weights=proper["winner_seat"].to_numpy() == seat, minlength=deals)
    what = f"rounds won by one `{one}` among three `{others}`"
    return Estimate(what, share_estimate(hits, rounds), int(rounds.sum()), "share", bound, more)
