"""Figures of a tournament."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import Normalize

from nambarz_sim.analysis.standings import ABOVE, BELOW
from nambarz_sim.analysis.wording import interval as interval_in_words
from nambarz_sim.analysis.wording import rounds as rounds_in_words
from nambarz_sim.languages import _, in_language, joined, plural
from nambarz_sim.plots.figure import BLUE, NotebookFigure, fitted, in_words, new_figure, put_title

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.analysis.standings import Tournament

_COLOURS = "PuOr_r"
"""Purple below, orange above, white between: told apart by colour-blind readers, and dark at both ends."""
_BEHIND = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}
_MARKS = {ABOVE: "▲", BELOW: "▼"}


def plot_payoffs(tournament: Tournament, lang: str | None = None) -> NotebookFigure:
    """How often one player of each strategy finishes first among players of each other, with 95% intervals.

    Parameters
    ----------
    tournament
        A tournament with at least one deal finished.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        A cell for each two strategies, the higher rated first; its colour and a triangle tell what is surely above or below
        par. The title states the finding; the table behind it is ``tournament.table``.

    Raises
    ------
    ValueError
        If no deal was finished.

    Examples
    --------
    >>> from nambarz_sim import tournament
    >>> figure = plot_payoffs(tournament(["greedy", "random"], games=20, progress=False))
    >>> figure.axes[0].get_ylabel()
    'one player of'
    """
    with in_language(lang):
        return _draw_payoffs(tournament)


def _draw_payoffs(tournament: Tournament) -> NotebookFigure:
    ranked = list(tournament.ratings.index)
    shares = 100 * tournament.payoff.loc[ranked, ranked].to_numpy(dtype=np.float64)
    par, count = 100 * tournament.par, len(ranked)
    widest = max(1.0, float(np.nanmax(np.abs(shares - par))))
    figure, axes = new_figure(size=(max(7.0, 2.6 + 1.05 * count), 2.1 + 0.66 * count))
    picture = axes.imshow(shares, cmap=_COLOURS, norm=Normalize(par - widest, par + widest), aspect="auto")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_xticks(range(count), [name.replace(" ", "\n").replace(":", ":\n") for name in ranked])
    axes.set_yticks(range(count), ranked)
    axes.set_xlabel(_("among players of"))
    axes.set_ylabel(_("one player of"))
    told = []
    for row in tournament.table.itertuples(index=False):
        place = ranked.index(row.strategy), ranked.index(row.against)
        text = _cell(row)
        far = abs(shares[place] - par) > 0.6 * widest
        axes.text(place[1], place[0], text, ha="center", va="center", fontsize=9, color="white" if far else "black")
        sentence = _("{strategy} among {other} {figure}")
        told.append(sentence.format(strategy=row.strategy, other=row.against, figure=" ".join(text.split())))
    for same in range(count):
        axes.text(same, same, "–", ha="center", va="center", color="grey")
    bar = figure.colorbar(picture, ax=axes, label=fitted(_("first places in 100 rounds"), 2.6, 10))
    bar.ax.axhline(par, color="black", linewidth=1.2)
    finding = _dominance(tournament)
    rounds = rounds_in_words(int(tournament.table["rounds"].iloc[0]))
    played = _("({rounds} a cell; par is {par}, ▲ surely above, ▼ surely below)").format(
        rounds=rounds, par=f"{par:.0f}"
    )
    put_title(axes, f"{finding}\n{played}", 10.5)
    figure.description = _(
        "Matrix: first places in 100 rounds of one player of a strategy among players of another, with 95% intervals. "
        "{finding}; par is {par}. {details}."
    ).format(finding=finding, par=f"{par:.0f}", details="; ".join(told))
    return figure


def plot_ratings(tournament: Tournament, lang: str | None = None) -> NotebookFigure:
    """The ratings of a tournament with 95% intervals, the highest on top.

    Parameters
    ----------
    tournament
        A tournament with at least one deal finished.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        The title states the finding; neighbours that are not told apart are joined by a dotted line. The tables behind it
        are ``tournament.ratings`` and ``tournament.differences``.

    Raises
    ------
    ValueError
        If no deal was finished.

    Examples
    --------
    >>> from nambarz_sim import tournament
    >>> figure = plot_ratings(tournament(["greedy", "random"], games=20, progress=False))
    >>> figure.axes[0].get_xlabel()
    "rating (Elo's scale, mean 1500)"
    """
    with in_language(lang):
        return _draw_ratings(tournament)


def _draw_ratings(tournament: Tournament) -> NotebookFigure:
    ratings = tournament.ratings
    figure, axes = new_figure(size=(7, 1.5 + 0.45 * len(ratings)))
    told = []
    for place, (name, row) in enumerate(ratings.iterrows()):
        value, low, high = (float(row[column]) for column in ("rating", "low", "high"))
        if np.isfinite(low):  # with one deal there is no interval
            axes.errorbar(value, place, xerr=[[value - low], [high - value]], color="black", capsize=5, zorder=2)
        axes.plot(value, place, "o", color=BLUE, markersize=8, zorder=3)
        axes.annotate(
            f"{value:.0f}", (value, place), (0, 9), textcoords="offset points", ha="center", fontsize=9, bbox=_BEHIND
        )
        told.append(f"{name} {value:.0f}{in_words((low, high))}")
    together = _not_told_apart(tournament)
    for place in together:
        axes.plot(
            ratings["rating"].iloc[place : place + 2], [place, place + 1], ":", color="grey", linewidth=2, zorder=1
        )
    axes.set_yticks(range(len(ratings)), list(ratings.index))
    axes.set_ylim(len(ratings) - 0.5, -0.7)
    axes.margins(x=0.08)
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel(_("rating (Elo's scale, mean 1500)"))
    finding = _leader(ratings, together)
    put_title(axes, _("{finding} ({rounds} each)").format(finding=finding, rounds=rounds_in_words(tournament.rounds)))
    figure.description = _("Dots with 95% intervals: the rating of each strategy. {finding}. {details}.").format(
        finding=finding, details="; ".join(told)
    )
    return figure


def _cell(row: object) -> str:
    value, low, high = (100 * float(getattr(row, name)) for name in ("first", "first_low", "first_high"))
    mark = _MARKS.get(str(getattr(row, "standing")), "")  # noqa: B009 - a row of a table has no type of its own
    interval = "\n" + interval_in_words(f"{low:.0f}", f"{high:.0f}") if np.isfinite(low) else ""
    return f"{value:.0f} {mark}".strip() + interval


def _dominance(tournament: Tournament) -> str:
    standings = tournament.matrix("standing").loc[list(tournament.ratings.index)]
    above = [name for name, row in standings.iterrows() if set(row.dropna()) == {ABOVE}]
    if above:
        sentence = plural(
            "{strategies} finishes first more often than par against every other",
            "{strategies} finishes first more often than par against every other",
            len(above),
        )
        return sentence.format(strategies=joined(list(map(str, above))))
    unbeaten = [name for name, row in standings.iterrows() if BELOW not in set(row)]
    if unbeaten:
        sentence = _("No strategy beats all others; never surely below par: {strategies}")
        return sentence.format(strategies=joined(list(map(str, unbeaten))))
    return _("No strategy beats all others, and each is beaten by some")


def _not_told_apart(tournament: Tournament) -> list[int]:
    """The places in the ranking whose next place is not told apart from them."""
    ranked = list(tournament.ratings.index)
    told = tournament.differences.set_index(["strategy", "against"])["told_apart"]
    return [place for place, pair in enumerate(pairwise(ranked)) if not told[pair]]


def _leader(ratings: pd.DataFrame, together: list[int]) -> str:
    leaders = 1
    while leaders - 1 in together:
        leaders += 1
    names = joined(list(map(str, ratings.index[:leaders])))
    if leaders == 1:
        return _("{strategy} is rated highest").format(strategy=names)
    return _("{strategies} lead, not told apart").format(strategies=names)
