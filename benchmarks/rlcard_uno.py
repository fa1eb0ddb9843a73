"""Speed of RLCard's UNO with two random agents, the yardstick for two-player NAMBARZ with `random`.

RLCard is a library of card games for learning agents. Two players, because its UNO ignores the number of players
asked for and always seats two. A turn is one decision of an agent: one action passed to ``env.step``. Measured is CPU
time from the first deal to the end of the last game, without imports and set-up.
"""

from __future__ import annotations

import argparse
import json
import runpy
import time
from pathlib import Path

import numpy as np
import rlcard

# The agent's file alone: importing rlcard.agents starts other programs and brings in torch wherever it is installed.
AGENT_FILE = Path(rlcard.__file__).parent / "agents" / "random_agent.py"
RandomAgent = runpy.run_path(str(AGENT_FILE))["RandomAgent"]


def measure(games: int, seed: int) -> dict[str, float]:
    """Play games; the counts and the CPU seconds."""
    if games < 1:
        raise ValueError(f"games: {games} is not allowed; give 1 or more")
    np.random.seed(seed)  # noqa: NPY002 - the agents draw from NumPy's global generator
    env = rlcard.make("uno", config={"seed": seed})  # the deck has a generator of its own
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])
    start = time.process_time()
    for _ in range(games):
        env.run(is_training=True)  # agents only act; False would add the probabilities of their actions
    seconds = time.process_time() - start
    # env.step adds one to timestep, which is never set back.
    return {"players": env.num_players, "games": games, "turns": env.timestep, "seconds": seconds}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    print(json.dumps(measure(**vars(parser.parse_args())), indent=2))
