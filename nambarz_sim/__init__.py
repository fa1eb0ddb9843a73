"""NAMBARZ, a card game of mental arithmetic, to explore, to play and to simulate.

``import nambarz_sim`` alone is quick: each name below is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nambarz_sim._version import __version__ as __version__

_HOMES = {
    "Card": "cards",
    "Deck": "cards",
    "draw_cards": "card_pictures",
    "Rules": "rules",
    "Play": "engine.plays",
    "find_plays": "engine.plays",
    "Observation": "engine.observe",
    "Session": "session",
    "stroke_chances": "analysis.strokes",
    "minimal_calculations": "analysis.calculations",
    "simulate": "simulation.batch",
    "tournament": "analysis.tournament",
    "Results": "simulation.results",
    "resume": "simulation.runs",
    "compare": "analysis.compare",
    "Variant": "analysis.compare",
    "Comparison": "analysis.compare",
    "simulate_until": "analysis.precision",
    "balance": "analysis.balance",
    "variant_grid": "analysis.balance",
    "Balance": "analysis.balance",
    "judge": "verdict",
    "Verdict": "verdict",
    "Pupil": "strategies.pupil",
    "plan_lesson": "analysis.lesson",
    "worksheet": "classroom.worksheets",
    "class_set": "classroom.worksheets",
    "Timings": "analysis.minutes",
    "score_sheet": "classroom.score_print",
    "ScoreSheet": "classroom.score_sheets",
    "read_scores": "classroom.score_check",
    "compare_scores": "classroom.score_compare",
    "kernel": "_numba",
}

if TYPE_CHECKING:
    from nambarz_sim._numba import kernel as kernel
    from nambarz_sim.analysis.balance import Balance as Balance
    from nambarz_sim.analysis.balance import balance as balance
    from nambarz_sim.analysis.balance import variant_grid as variant_grid
    from nambarz_sim.analysis.calculations import minimal_calculations as minimal_calculations
    from nambarz_sim.analysis.compare import Comparison as Comparison
    from nambarz_sim.analysis.compare import Variant as Variant
    from nambarz_sim.analysis.compare import compare as compare
    from nambarz_sim.analysis.lesson import plan_lesson as plan_lesson
    from nambarz_sim.analysis.minutes import Timings as Timings
    from nambarz_sim.analysis.precision import simulate_until as simulate_until
    from nambarz_sim.analysis.strokes import stroke_chances as stroke_chances
    from nambarz_sim.analysis.tournament import tournament as tournament
    from nambarz_sim.card_pictures import draw_cards as draw_cards
    from nambarz_sim.cards import Card as Card
    from nambarz_sim.cards import Deck as Deck
    from nambarz_sim.classroom.score_check import read_scores as read_scores
    from nambarz_sim.classroom.score_compare import compare_scores as compare_scores
    from nambarz_sim.classroom.score_print import score_sheet as score_sheet
    from nambarz_sim.classroom.score_sheets import ScoreSheet as ScoreSheet
    from nambarz_sim.classroom.worksheets import class_set as class_set
    from nambarz_sim.classroom.worksheets import worksheet as worksheet
    from nambarz_sim.engine.observe import Observation as Observation
    from nambarz_sim.engine.plays import Play as Play
    from nambarz_sim.engine.plays import find_plays as find_plays
    from nambarz_sim.rules import Rules as Rules
    from nambarz_sim.session import Session as Session
    from nambarz_sim.simulation.batch import simulate as simulate
    from nambarz_sim.simulation.results import Results as Results
    from nambarz_sim.simulation.runs import resume as resume
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
