"""The forest plot of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nambarz_sim.analysis.compare import FALSE_DISCOVERIES
from nambarz_sim.analysis.wording import games as games_in_words
from nambarz_sim.analysis.wording import shown
from nambarz_sim.languages import _, in_language, localised, plural
from nambarz_sim.plots.figure import BLUE, NotebookFigure, fitted, write_ticks

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.analysis.compare import Comparison

MOST_PAIRS = 6
_PANEL = 3.2
"""Inches of a panel."""


def plot_comparison(comparison: Comparison, lang: str | None = None) -> NotebookFigure:
    """Every difference with its 95% interval, in standard deviations between games, so that all stand on one axis.

    Parameters
    ----------
    comparison
        What `compare` gave; one panel for each pair of variants.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        A filled dot is a difference that stands after the correction for many measures, an open diamond one that may be
        chance. The table behind it is ``comparison.table``.

    Raises
    ------
    ValueError
        If there are more than 6 pairs of variants.

    Examples
    --------
    >>> from nambarz_sim import Rules, compare
    >>> found = compare({"3 players": Rules(players=3), "4 players": Rules()}, games=200, progress=False)
    >>> plot_comparison(found).axes[0].get_xlabel()
    'difference in standard deviations between games'
    """
    with in_language(lang):
        return _draw(comparison)


def _draw(comparison: Comparison) -> NotebookFigure:
    pairs = list(comparison.table.groupby(["first", "second"], sort=False))
    if len(pairs) > MOST_PAIRS:
        raise ValueError(
            f"comparison: {len(pairs)} pairs of variants are more than the {MOST_PAIRS} that a figure shows; "
            f"compare 4 variants or fewer"
        )
    measures = list(dict.fromkeys(comparison.table["measure"]))
    size = (4.4 + _PANEL * len(pairs), 1.6 + 0.26 * len(measures))
    figure = NotebookFigure(figsize=size, dpi=100, layout="constrained")
    panels = figure.subplots(1, len(pairs), sharex=True, sharey=True, squeeze=False)[0]
    for axes, ((first, second), rows) in zip(panels, pairs, strict=True):
        write_ticks(axes)
        _draw_pair(axes, rows)
        axes.set_title(_("{second} less {first}").format(second=second, first=first), fontsize=10)
        axes.set_xlabel(fitted(_("difference in standard deviations between games"), _PANEL, 9), fontsize=9)
    panels[0].set_yticks(range(len(measures)), [shown(measure) for measure in measures], fontsize=9)
    panels[0].set_ylim(len(measures) - 0.5, -0.5)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    stands = int((comparison.table["adjusted_p"] <= FALSE_DISCOVERIES).sum())
    games = int(comparison.table["games"].min())
    finding = plural(
        "{stand} of {count} difference stand after the correction",
        "{stand} of {count} differences stand after the correction",
        len(comparison.table),
    ).format(stand=stands, count=localised(f"{len(comparison.table):,}"))
    title = _("{finding} ({games} of each)").format(finding=finding, games=games_in_words(games))
    figure.suptitle(fitted(title, size[0] - 0.4, 11), fontsize=11)
    figure.description = _("Forest plot. {finding}. {findings}").format(
        finding=finding, findings=" ".join(comparison.findings())
    )
    return figure


def _draw_pair(axes: Any, rows: pd.DataFrame) -> None:
    stands = (rows["adjusted_p"] <= FALSE_DISCOVERIES).to_numpy()
    values, low, high = (rows[column].to_numpy() for column in ("effect_size", "effect_low", "effect_high"))
    places = list(range(len(rows)))
    axes.axvline(0, color="0.4", linewidth=1)
    axes.hlines(places, low, high, color="0.3", linewidth=1.4)
    for which, marker, face, label in (
        (stands, "o", BLUE, _("stands after the correction")),
        (~stands, "D", "white", _("may be chance")),
    ):
        chosen = [place for place in places if which[place]]
        axes.plot(values[which], chosen, marker, color=BLUE, markerfacecolor=face, markersize=5, label=label)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="both", color="0.92")
    axes.set_axisbelow(True)
