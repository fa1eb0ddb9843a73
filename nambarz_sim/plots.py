"""Tables to figures; each function returns the figure, for notebooks and for files."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from nambarz_sim.simulation.results import Results

# From the palette of Okabe and Ito, which colour-blind readers can tell apart; the hatch is the second cue.
_BAR, _TAIL = "#0072B2", "#E69F00"


class NotebookFigure(Figure):
    """A figure that a notebook shows as a picture, and that pyplot does not keep open."""

    def _repr_png_(self) -> bytes:
        picture = BytesIO()
        self.savefig(picture, format="png")
        return picture.getvalue()


def plot_game_length(results: Results) -> Figure:
    """How long rounds take: the share of rounds by their number of turns, the middle nine tenths set off.

    Parameters
    ----------
    results
        A batch; extra rounds (R9.2) are left out.

    Returns
    -------
    matplotlib.figure.Figure
        The title states the finding; the table behind it is ``results.rounds``.

    Examples
    --------
    >>> from nambarz_sim import simulate
    >>> figure = plot_game_length(simulate(games=200, progress=False))
    >>> figure.axes[0].get_xlabel()
    'turns in a round'
    """
    rounds = results.rounds
    turns = rounds.loc[~rounds["extra_round"], "turns"].to_numpy()
    low, middle, high = np.quantile(turns, [0.05, 0.5, 0.95], method="inverted_cdf")
    shown = int(np.quantile(turns, 0.995))
    counts = np.bincount(turns[turns <= shown], minlength=shown + 1)
    figure = NotebookFigure(figsize=(7, 3.4), dpi=100, layout="constrained")
    axes = figure.subplots()
    places = np.arange(shown + 1)
    inside = (places >= low) & (places <= high)
    share = 100 * counts / len(turns)
    axes.bar(places[inside], share[inside], width=0.9, color=_BAR, label="9 of 10 rounds")
    axes.bar(places[~inside], share[~inside], width=0.9, color=_TAIL, hatch="///", edgecolor="white", label="1 of 10")
    axes.axvline(middle, color="black", linestyle="--", linewidth=1.2, label=f"median {middle:.0f}")
    axes.set_xlabel("turns in a round")
    axes.set_ylabel("share of rounds (%)")
    axes.set_title(f"9 of 10 rounds take {low:.0f} to {high:.0f} turns ({len(turns):,} rounds)", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure
