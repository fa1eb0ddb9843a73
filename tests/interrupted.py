"""A run for `test_interruptions.py` to kill, in a process of its own: ``python interrupted.py begin|resume FOLDER``."""

from __future__ import annotations

import sys
from typing import Any

from nambarz_sim import Rules, resume, simulate

RUN: dict[str, Any] = {
    "rules": Rules(players=2, hand_size=3), "games": 48, "seed": 8, "strategies": ["greedy", "random"], "chunk_size": 1,
    "progress": False,
}  # fmt: skip

if __name__ == "__main__":
    # Little is played, so that a kill finds it writing about as often as not.
    what, folder = sys.argv[1:]
    if what == "begin":
        simulate(**RUN, workers=2, out=folder)
    else:
        resume(folder, workers=2, progress=False)
