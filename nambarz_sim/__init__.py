"""NAMBARZ, a card game of mental arithmetic, to explore, to play and to simulate.

``import nambarz_sim`` alone is quick: each name below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Card": "cards",
    "Deck": "cards",
    "draw_cards": "card_pictures",
    "Rules": "rules",
    "Play": "engine.plays",
    "find_plays": "engine.plays",
    "Observation": "engine.observe",
    "Session": "session",
    "simulate": "simulation.batch",
    "Results": "simulation.results",
    "judge": "verdict",
    "Verdict": "verdict",
    "Pupil": "strategies.pupil",
    "kernel": "_numba",
}

if TYPE_CHECKING:
    from nambarz_sim._numba import kernel as kernel
    from nambarz_sim.card_pictures import draw_cards as draw_cards
    from nambarz_sim.cards import Card as Card
    from nambarz_sim.cards import Deck as Deck
    from nambarz_sim.engine.observe import Observation as Observation
    from nambarz_sim.engine.plays import Play as Play
    from nambarz_sim.engine.plays import find_plays as find_plays
    from nambarz_sim.rules import Rules as Rules
    from nambarz_sim.session import Session as Session
    from nambarz_sim.simulation.batch import simulate as simulate
    from nambarz_sim.simulation.results import Results as Results
    from nambarz_sim.strategies.pupil import Pupil as Pupil
    from nambarz_sim.verdict import Verdict as Verdict
    from nambarz_sim.verdict import judge as judge

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nambarz_sim' has no attribute {name!r}")
    value = getattr(import_module(f"nambarz_sim.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
