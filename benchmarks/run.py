"""Measure everything and write BENCHMARKS.md: ``python benchmarks/run.py``, or ``--quick`` to see whether it works."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterable
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

import folders
import measures
from measures import QUICK, Estimate, Figure, Sizes

from nambarz_sim._numba import COMPILED
from nambarz_sim.analysis.balance import EXTRA_GAMES

REPORT = Path(__file__).parents[1] / "BENCHMARKS.md"
FIGURE_HEAD = ("what", "measured: median (smallest to largest)", "target", "met")
ESTIMATE_HEAD = ("what", "measured", "95% interval", "rounds", "should be", "holds")
_START = time.perf_counter()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small numbers, printed; only to see whether it works")
    parser.add_argument("--out", type=Path, help="write to this file instead of BENCHMARKS.md")
    given = parser.parse_args()
    if not COMPILED:
        parser.error("compiled code is switched off or Numba is missing; install Numba and unset NUMBA_DISABLE_JIT")
    if given.out and (given.out.is_dir() or not given.out.parent.is_dir()):
        parser.error(f"--out {given.out}: it is a folder, or its folder does not exist; name a file")
    text = report(QUICK if given.quick else Sizes(), given.quick)
    target = given.out or (None if given.quick else REPORT)
    if target is None:
        print(text, end="")
    else:
        target.write_text(text, encoding="utf-8")
    say(f"done{'' if target is None else f', {target.name} written'}", last=True)


def say(step: str, last: bool = False) -> None:
    """Keep one line on a terminal up to date, or add lines to a log."""
    text = f"{time.perf_counter() - _START:5.0f} s  {step}"
    live = sys.stderr.isatty()
    print(f"\r{text}\x1b[K" if live else text, end="" if live and not last else "\n", file=sys.stderr, flush=True)


def report(sizes: Sizes, quick: bool) -> str:
    """The whole file."""
    load = machine_load()
    speed = measures.speed(sizes, say)
    clusters = measures.clusters(sizes, say)
    starts = measures.starts(sizes, say)
    hands = measures.hands_of_20(sizes, say)
    memory = measures.memory(sizes, say)
    runs = folders.folders(sizes, say)
    grids = measures.grids(sizes, say)
    claims = measures.claims(sizes, say)
    parts = [
        *opening(quick, load),
        section("One core", core_note(sizes), figure_table(speed["core"])),
        section("Two threads", thread_note(sizes), figure_table(speed["threads"])),
        section("A cluster", cluster_note(sizes), figure_table(clusters)),
        section("Compiled and not", uncompiled_note(sizes), figure_table(speed["uncompiled"])),
        section("Beside RLCard's UNO", rlcard_note(sizes), figure_table(speed["rlcard"])),
        section("Starts", start_note(sizes), figure_table(starts)),
        section("Plays of a hand of 20 cards", hand_note(sizes), figure_table(hands)),
        section("Memory", memory_note(sizes), figure_table(memory)),
        section("Runs in folders", folder_note(sizes), figure_table(runs)),
        section("Balance of a grid of variants", grid_note(sizes), figure_table(grids)),
        section("What the strategies claim", claim_note(sizes), estimate_table(claims)),
    ]
    return "\n\n".join(parts) + "\n"


# --- words --------------------------------------------------------------------------------------------------------


def opening(quick: bool, load: str) -> list[str]:
    command = f"python benchmarks/run.py{' --quick' if quick else ''}"
    warning = [
        "A quick run with small numbers: it shows that the benchmarks work, and no figure of it should be quoted."
    ]
    return [
        *(warning if quick else []),
        "# Benchmarks",
        f"Speed, starts and memory of nambarz_sim {version('nambarz_sim')}, and what its strategies claim, measured on "
        f"{date.today().isoformat()} with `{command}` (`make bench` installs what it needs and runs it), which writes "
        "this whole file.",
        machine_facts(load),
        "A figure is the median of repeats that are interleaved within one run, with the smallest and the largest of "
        "them. Where it says CPU time it is the time of one core; threads, starts and memory go by the clock. A target "
        "is met if the median meets it.",
    ]


def core_note(sizes: Sizes) -> str:
    return (
        f"4 players, the beginner deck, one strategy in all seats, CPU time; {sizes.repeats} repeats of "
        f"{sizes.games:,} games of one round, with recording, after a warm call; of the planner "
        f"{sizes.planner_games:,} games."
    )


def thread_note(sizes: Sizes) -> str:
    return (
        f"`simulate(workers=1)` and `simulate(workers=2)` by the clock, `greedy` in 4 seats; {sizes.repeats} repeats "
        f"of {sizes.thread_games:,} games. The ratio is taken within each repeat."
    )


def cluster_note(sizes: Sizes) -> str:
    return (
        "`simulate` on two threads, and on a Dask `LocalCluster` of two processes on the same cores, which also run its "
        "scheduler and give their games to the client directly, by the clock, warm, `greedy` in 4 seats; "
        f"{sizes.cluster_repeats} {'repeat' if sizes.cluster_repeats == 1 else 'repeats'} of {sizes.cluster_games:,} "
        "games. What is added is taken within each repeat."
    )


def uncompiled_note(sizes: Sizes) -> str:
    return (
        f"The same code as plain Python (`NUMBA_DISABLE_JIT=1`), `greedy` in 4 seats, CPU time; {sizes.repeats} "
        f"repeats of {sizes.games:,} games compiled and {sizes.uncompiled_games:,} uncompiled."
    )


def rlcard_note(sizes: Sizes) -> str:
    return (
        "Two random agents play UNO of RLCard, which always seats two, and two `random` seats play NAMBARZ, CPU time; "
        f"{sizes.repeats} repeats of {sizes.rlcard_games:,} games of UNO and {sizes.games:,} of NAMBARZ. A turn of UNO "
        "is one decision; a turn of NAMBARZ is a player's whole turn, one decision or more. The games differ, so the "
        "ratio compares tools of study, not the same work."
    )


def start_note(sizes: Sizes) -> str:
    return (
        f"Fresh processes by the clock. Nothing compiled: an empty folder for machine code each time, "
        f"`simulate(games=1)`, {sizes.cold_starts} {'repeat' if sizes.cold_starts == 1 else 'repeats'}. The others "
        f"with machine code kept on disk, {sizes.starts} repeats."
    )


def hand_note(sizes: Sizes) -> str:
    return (
        f"`find_plays` in CPU time: {sizes.hands} random hands without wildcards and {sizes.hands} with one or more, "
        f"drawn from the beginner deck with a fixed seed, {sizes.calls} warm calls each. The smallest and the largest "
        "are of all single calls; of the plays returned, over hands."
    )


def memory_note(sizes: Sizes) -> str:
    return (
        f"One `simulate` of {sizes.memory_games:,} games of one round, 4 players, all cores, in a fresh process that "
        "then makes the tables `games`, `rounds` and `players` and the summary; the peak is the largest resident size "
        f"of all that, the seconds go by the clock; {sizes.memory_repeats} "
        f"{'repeat' if sizes.memory_repeats == 1 else 'repeats'}."
    )


def folder_note(sizes: Sizes) -> str:
    return (
        f"`simulate(games={sizes.folder_games:,}, out=folder)`, 4 players, two threads, in a fresh process, once; then "
        f"`Results.open` and `summary()`, each time in a fresh process, {sizes.folder_reads} times. Beside it "
        f"{sizes.folder_pair_games:,} games on two threads in memory and into a folder, {sizes.folder_repeats} repeats by "
        f"the clock, the share taken within each repeat; and such a run killed (SIGKILL) and resumed, "
        f"{sizes.folder_kills} times."
    )


def grid_note(sizes: Sizes) -> str:
    extra = min(sizes.grid_games, EXTRA_GAMES)
    return (
        "`balance(workers=2)` of the usual grid (2, 3, 4 and 6 players, four levels of wildcards, three sets of "
        f"operations) by the clock, warm: {sizes.grid_games:,} games a variant, watched, and {extra:,} deals for skill in "
        "every seat and for each operation left out; "
        f"{sizes.grid_repeats} {'repeat' if sizes.grid_repeats == 1 else 'repeats'}."
    )


def claim_note(sizes: Sizes) -> str:
    return (
        f"4 players, the beginner deck, {sizes.deals:,} deals, for the planner {sizes.planner_deals:,}. With one "
        "player among three others every deal is played "
        "four times, the one in each seat once, and a fair share is 25%. Intervals count deals, not rounds, as "
        "independent. A claim holds if its whole interval lies on the right side. Extra rounds after ties are left out."
    )


# --- the machine --------------------------------------------------------------------------------------------------


def machine_facts(load: str) -> str:
    facts = [
        ("CPU", f"{cpu_model()}, {os.cpu_count()} logical cores{load}"),
        ("System", f"{platform.system()}, {platform.machine()}"),
        ("Python", f"{platform.python_version()} ({platform.python_implementation()})"),
        *((name, version_of(name.lower())) for name in ("NumPy", "Numba", "pandas", "RLCard")),
    ]
    return table(("machine", ""), facts)


def machine_load() -> str:
    return f", load {os.getloadavg()[0]:.1f} when the run began" if hasattr(os, "getloadavg") else ""


def cpu_model() -> str:
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine() or "unknown"


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


# --- tables -------------------------------------------------------------------------------------------------------


def section(title: str, note: str, body: str) -> str:
    return f"## {title}\n\n{note}\n\n{body}"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows))


def figure_table(figures: list[Figure]) -> str:
    return table(FIGURE_HEAD, [figure_row(figure) for figure in figures])


def figure_row(figure: Figure) -> tuple[str, str, str, str]:
    if not figure.values:
        return figure.what, f"not measured: {figure.why}", "", ""
    middle = median(figure.values)
    low, high = number(min(figure.values)), number(max(figure.values))
    measured = f"{number(middle)} {figure.unit} ({low} to {high})"
    if figure.target is None:
        return figure.what, measured, "", ""
    bound = f"{'at most' if figure.target.at_most else 'at least'} {figure.target.bound:,g} {figure.unit}"
    return figure.what, measured, bound, yes(figure.target.met_by(middle))


def estimate_table(estimates: list[Estimate]) -> str:
    return table(ESTIMATE_HEAD, [estimate_row(estimate) for estimate in estimates])


def estimate_row(row: Estimate) -> tuple[str, ...]:
    value, low, high = (statistic(figure, row.unit) for figure in row.estimate)
    measured = (row.what, value, f"{low} to {high}", f"{row.rounds:,}")
    if row.bound is None:
        return *measured, "", ""
    bound = f"{row.bound:.0%}" if row.unit == "share" else f"{row.bound:g}"
    return *measured, f"{'more' if row.more else 'less'} than {bound}", yes(row.holds())


def statistic(value: float, unit: str) -> str:
    return f"{100 * value:.2f}%" if unit == "share" else f"{value:.3f}"


def number(value: float) -> str:
    """A whole number as it is; else three digits that count, or all before the point."""
    if float(value).is_integer():
        return f"{value:,.0f}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def yes(met: bool) -> str:
    return "yes" if met else "no"


if __name__ == "__main__":
    main()
