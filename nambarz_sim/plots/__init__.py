"""Tables to figures; each function returns the figure, for notebooks and for files."""

from nambarz_sim.plots.balance import (
    plot_grid,
    plot_numbers,
    plot_operations,
    plot_turn_order,
    plot_wildcards_dealt,
)
from nambarz_sim.plots.batch import plot_game_length, plot_master_strokes
from nambarz_sim.plots.comparison import plot_comparison
from nambarz_sim.plots.figure import NotebookFigure
from nambarz_sim.plots.lesson import plot_lesson_rounds, plot_lesson_time
from nambarz_sim.plots.strokes import plot_calculations, plot_stroke_chances, plot_stroke_frequency
from nambarz_sim.plots.tournament import plot_payoffs, plot_ratings

__all__ = [
    "NotebookFigure",
    "plot_calculations",
    "plot_comparison",
    "plot_game_length",
    "plot_grid",
    "plot_lesson_rounds",
    "plot_lesson_time",
    "plot_master_strokes",
    "plot_numbers",
    "plot_operations",
    "plot_payoffs",
    "plot_ratings",
    "plot_stroke_chances",
    "plot_stroke_frequency",
    "plot_turn_order",
    "plot_wildcards_dealt",
]
