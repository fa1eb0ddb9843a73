"""What `measures` runs in a fresh process; prints its figures as JSON.

Usage: ``python benchmarks/child.py play|memory|first|store|read GAMES``; `store` and `read` with the folder in the variable
``NAMBARZ_FOLDER``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

WARM_GAMES = 2_500
"""A first batch that loads or makes the machine code: smaller ones may be played as plain Python."""


def play(games: int) -> dict[str, float]:
    """Compiled or not, whichever the environment asks for: rounds and CPU seconds of one core, after a first game."""
    from nambarz_sim import simulate
    from nambarz_sim._numba import COMPILED

    simulate(games=WARM_GAMES if COMPILED else 1, workers=1, progress=False)
    start = time.process_time()
    results = simulate(games=games, workers=1, progress=False)
    seconds = time.process_time() - start
    return {"compiled": COMPILED, "rounds": len(results.rounds), "seconds": seconds}


def first(games: int) -> dict[str, float]:
    """Wall seconds of the first `simulate` of a process, without the imports."""
    from nambarz_sim import simulate

    start = time.perf_counter()
    simulate(games=games, progress=False)
    return {"seconds": time.perf_counter() - start}


def memory(games: int) -> dict[str, float]:
    """Wall seconds of one `simulate`, of its tables and of its summary, and the process's peak memory in bytes."""
    from nambarz_sim import simulate

    simulate(games=WARM_GAMES, workers=1, progress=False)
    times = [time.perf_counter()]
    results = simulate(games=games, progress=False)
    times.append(time.perf_counter())
    rounds = len(results.rounds)
    assert len(results.games) == games
    assert len(results.players) > rounds
    times.append(time.perf_counter())
    results.summary()
    times.append(time.perf_counter())
    seconds = {name: times[step + 1] - times[step] for step, name in enumerate(("play", "tables", "summary"))}
    return {"rounds": rounds, "peak": peak_bytes(), **seconds}


def store(games: int) -> dict[str, float]:
    """Wall seconds of a run into a folder on two threads, and the process's peak memory in bytes."""
    from nambarz_sim import simulate

    simulate(games=WARM_GAMES, workers=1, progress=False)
    start = time.perf_counter()
    results = simulate(games=games, workers=2, progress=False, out=os.environ["NAMBARZ_FOLDER"])
    seconds = time.perf_counter() - start
    assert results.complete
    return {"rounds": sum(len(part.round_columns(("turns",))[0]) for part in results.parts()),
            "seconds": seconds, "peak": peak_bytes()}  # fmt: skip


def read(games: int) -> dict[str, float]:
    """Wall seconds of opening a run's folder and of its summary, and the process's peak memory in bytes."""
    from nambarz_sim import Results

    times = [time.perf_counter()]
    results = Results.open(os.environ["NAMBARZ_FOLDER"])
    times.append(time.perf_counter())
    results.summary()
    times.append(time.perf_counter())
    assert results.game_count == games
    return {"open": times[1] - times[0], "summary": times[2] - times[1], "peak": peak_bytes()}


def peak_bytes() -> int:
    """The largest resident size that this process ever had.

    Linux's ``ru_maxrss`` starts at the size of the process that started this one, so its own mark is read where
    there is one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        marks = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        if marks:
            return int(marks[0]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


if __name__ == "__main__":
    parts = {"play": play, "first": first, "memory": memory, "store": store, "read": read}
    print(json.dumps(parts[sys.argv[1]](int(sys.argv[2]))))
