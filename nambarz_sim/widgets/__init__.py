"""Widgets for notebooks: a hand, a calculation, a table to play at, a batch, a lesson, worksheets.

Each module holds one widget, with its ``.js`` and ``.css`` beside it; `nambarz_sim.widgets.panel` holds what they share.
The lesson planner and the worksheet maker are plain forms of ipywidgets and have none.
They ask the engine and know no rule.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "HandExplorer": "hand_explorer",
    "CalculationChecker": "calculation_checker",
    "Table": "table",
    "BatchExplorer": "batch_explorer",
    "LessonPlanner": "lesson_planner",
    "WorksheetMaker": "worksheet_maker",
}

if TYPE_CHECKING:
    from nambarz_sim.widgets.batch_explorer import BatchExplorer as BatchExplorer
    from nambarz_sim.widgets.calculation_checker import CalculationChecker as CalculationChecker
    from nambarz_sim.widgets.hand_explorer import HandExplorer as HandExplorer
    from nambarz_sim.widgets.lesson_planner import LessonPlanner as LessonPlanner
    from nambarz_sim.widgets.table import Table as Table
    from nambarz_sim.widgets.worksheet_maker import WorksheetMaker as WorksheetMaker

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nambarz_sim.widgets' has no attribute {name!r}")
    return getattr(import_module(f"nambarz_sim.widgets.{_HOMES[name]}"), name)
