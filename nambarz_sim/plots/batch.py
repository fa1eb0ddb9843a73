"""Figures of a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nambarz_sim.analysis.estimates import quantile
from nambarz_sim.analysis.sums import length_ratios, turns_counts
from nambarz_sim.analysis.wording import interval as interval_in_words
from nambarz_sim.analysis.wording import rounds as rounds_in_words
from nambarz_sim.languages import _, in_language, localised
from nambarz_sim.plots.figure import BLUE, ORANGE, NotebookFigure, in_words, new_figure, set_title

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.simulation.results import Results


def plot_game_length(results: Results, beside: Results | None = None, lang: str | None = None) -> NotebookFigure:
    """How long rounds take: the share of rounds by their number of turns, the middle nine tenths set off.

    Parameters
    ----------
    results
        A batch; extra rounds (R9.2) are left out.
    beside
        Another batch, whose figure will stand beside this one: both then have the same axes.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        The title states the finding; the line in each bar and the band around the median are 95% intervals; the table
        behind it is ``results.rounds``.

    Raises
    ------
    ValueError
        If a batch has no games.

    Examples
    --------
    >>> from nambarz_sim import simulate
    >>> figure = plot_game_length(simulate(games=200, progress=False))
    >>> figure.axes[0].get_xlabel()
    'turns in a round'
    """
    with in_language(lang):
        return _draw_length(results, beside)


def _draw_length(results: Results, beside: Results | None) -> NotebookFigure:
    rounds, low, high, (middle, *interval) = _length(results)
    batches = [results] if beside is None else [results, beside]
    shown = [_share_by_length(batch) for batch in batches]
    share, least, most = shown[0]
    figure, axes = new_figure(beside is not None)
    places = np.arange(len(share))
    inside = (places >= low) & (places <= high)
    axes.bar(places[inside], share[inside], width=0.9, color=BLUE, label=_("9 of 10 rounds"))
    axes.bar(
        places[~inside], share[~inside], width=0.9, color=ORANGE, hatch="///", ec="white", lw=0, label=_("1 of 10")
    )
    known = in_words(interval)
    axes.axvline(
        middle,
        color="black",
        linestyle="--",
        linewidth=1.2,
        label=_("median {turns}").format(turns=f"{middle:.0f}{known}"),
    )
    if known:
        axes.axvspan(interval[0] - 0.5, interval[1] + 0.5, color="black", alpha=0.15, linewidth=0)
    if np.isfinite(least).all():  # with one game there is no interval
        axes.vlines(places, least, most, color="0.25", linewidth=0.8, label=_("95% interval of a bar"))
    axes.set_xlim(-1, max(each.shape[1] for each in shown))
    axes.set_ylim(0, 1.08 * max(float(np.nanmax(each)) for each in shown))
    axes.set_xlabel(_("turns in a round"))
    axes.set_ylabel(_("share of rounds (%)"))
    axes.legend(frameon=False)
    finding = _("9 of 10 rounds take {low} to {high} turns").format(low=f"{low:.0f}", high=f"{high:.0f}")
    set_title(axes, finding, rounds, beside is not None)
    figure.description = _(
        "Bars: the share of {rounds} by their number of turns. {finding}; the median is {turns} turns{interval}."
    ).format(rounds=rounds_in_words(rounds), finding=finding, turns=f"{middle:.0f}", interval=known)
    return figure


def plot_master_strokes(results: Results, beside: Results | None = None, lang: str | None = None) -> NotebookFigure:
    """How often master strokes of each size come, in 100 rounds, with 95% intervals (R8.3).

    Parameters
    ----------
    results
        A batch; extra rounds (R9.2) are left out.
    beside
        Another batch, whose figure will stand beside this one: both then have the same axes.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        The title states the finding; the table behind it is ``results.summary()``.

    Raises
    ------
    ValueError
        If a batch has no games.

    Examples
    --------
    >>> from nambarz_sim import simulate
    >>> figure = plot_master_strokes(simulate(games=200, progress=False))
    >>> figure.axes[0].get_ylabel()
    'master strokes in 100 rounds'
    """
    with in_language(lang):
        return _draw_strokes(results, beside)


def _draw_strokes(results: Results, beside: Results | None) -> NotebookFigure:
    summary = results.summary()
    rates = _stroke_rates(summary)
    shown = [rates] if beside is None else [rates, _stroke_rates(beside.summary())]
    tallest = max(float(np.nanmax(each.to_numpy())) for each in shown) or 1.0
    smallest, largest = int(rates.index.min()), max(int(each.index.max()) for each in shown)
    figure, axes = new_figure(beside is not None)
    by_size = []
    for size, (value, low, high) in zip(rates.index, rates.to_numpy(), strict=True):
        axes.bar(size, value, width=0.6, color=BLUE)
        if np.isfinite(low):  # with one game there is no interval
            whiskers = [[value - low], [high - value]]
            axes.errorbar(size, value, whiskers, ecolor="black", elinewidth=1.6, capsize=6, capthick=1.6)
        ends = interval_in_words(localised(f"{low:.2g}"), localised(f"{high:.2g}"))
        interval = f"({ends})" if np.isfinite(low) else ""
        often = localised(f"{value:.2g}")
        top = float(np.nanmax([value, high])) + 0.02 * tallest
        axes.annotate(f"{often}\n{interval}".strip(), (size, top), ha="center", va="bottom", fontsize=9)
        by_size.append(_("{count} cards: {often}").format(count=size, often=f"{often} {interval}".strip()))
    axes.set_xlim(smallest - 0.6, largest + 0.6)
    axes.set_ylim(0, 1.25 * tallest)
    axes.set_xticks(range(smallest, largest + 1))
    axes.set_xlabel(_("cards in the master stroke"))
    axes.set_ylabel(_("master strokes in 100 rounds"))
    finding = _how_often(summary)
    set_title(axes, finding, int(summary["rounds"].iloc[0]), beside is not None)
    figure.description = _(
        "Bars with 95% intervals: master strokes in 100 rounds by number of cards. {finding}. {details}."
    ).format(finding=finding, details="; ".join(by_size))
    return figure


def _length(results: Results) -> tuple[int, float, float, tuple[float, float, float]]:
    """The number of rounds, the 5% and 95% quantiles of their turns, and the median with its interval."""
    summary = results.summary()
    low, high = (float(summary["value"][f"turns a round, {name}"]) for name in ("P5", "P95"))
    middle, start, end = (float(summary[column]["turns a round, median"]) for column in ("value", "low", "high"))
    return int(summary["rounds"].iloc[0]), low, high, (middle, start, end)


def _share_by_length(results: Results) -> np.ndarray:
    """The share of rounds in per cent for each number of turns, up to the longest but 1 of 200 rounds, with its interval.

    Shape ``(3, turns)``: the shares, and the lower and upper ends.
    """
    counts = turns_counts(results)
    longest = int(quantile(np.arange(len(counts)), counts, 0.995))
    return 100 * np.array([ratio.share_interval() for ratio in length_ratios(results, longest)]).T


def _stroke_rates(summary: pd.DataFrame) -> pd.DataFrame:
    """Master strokes in 100 rounds by their number of cards: value, low and high."""
    sizes = summary.index.str.extract(r"^master strokes of (\d+) cards a round$", expand=False)
    rates = 100 * summary.loc[sizes.notna(), ["value", "low", "high"]]
    return rates.set_axis(sizes.dropna().astype(int), axis=0)


def _how_often(summary: pd.DataFrame) -> str:
    value, low, high = 100 * summary.loc["rounds with a master stroke", ["value", "low", "high"]].to_numpy(dtype=float)
    if value == 0:
        return _("No round had a master stroke")
    often = _("{count} of 100 rounds have a master stroke").format(count=f"{value:.0f}")
    return f"{often}{in_words([float(low), float(high)])}"
