"""Figures of a planned lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nambarz_sim.analysis.minutes import READINGS
from nambarz_sim.events import counted
from nambarz_sim.plots.figure import BLUE, ORANGE, NotebookFigure, in_words, new_figure

if TYPE_CHECKING:
    from nambarz_sim.analysis.lesson import LessonPlan

_MARKS = {"marker": "o", "linestyle": "-", "color": BLUE}, {"marker": "s", "linestyle": "--", "color": ORANGE}
_BARS = 40


def plot_lesson_time(plan: LessonPlan) -> NotebookFigure:
    """When the last table is done, against the time at hand.

    Parameters
    ----------
    plan
        A plan of `nambarz_sim.plan_lesson`.

    Returns
    -------
    NotebookFigure
        Bars: the share of lessons by the minutes until all tables are done, by the timings that the plan goes by; the
        table behind it is ``plan.times``.

    Examples
    --------
    >>> from nambarz_sim import plan_lesson
    >>> plot_lesson_time(plan_lesson(60, 8, wildcards=12, games=100)).axes[0].get_xlabel()
    'minutes of play until the last table is done'
    """
    last = plan.together()
    longest = max(last.quantile(0.99)[0], plan.time) * 1.05
    # Some edge is the time at hand, so that no bar is half in time and half not.
    step = plan.time / max(1, round(_BARS * plan.time / longest))
    edges = np.arange(0, longest + step, step)
    shares = 100 * last.shares(edges)
    places, early = edges[:-1] + step / 2, edges[1:] <= plan.time + step / 2
    value, *interval = (100 * each for each in last.chance(plan.time))
    figure, axes = new_figure()
    axes.bar(places[early], shares[early], 0.9 * step, color=BLUE, label="in time")
    axes.bar(places[~early], shares[~early], 0.9 * step, color=ORANGE, hatch="///", ec="white", lw=0, label="too late")
    axes.axvline(plan.time, color="black", linestyle="--", linewidth=1.2, label=f"{plan.time} minutes to play")
    axes.set_xlim(0, edges[-1])
    axes.set_xlabel("minutes of play until the last table is done")
    axes.set_ylabel("share of lessons (%)")
    axes.legend(frameon=False)
    finding = f"All tables are done in time in {value:.0f} of 100 lessons"
    axes.set_title(f"{finding}{in_words(interval)}\n({counted(last.games, 'game')} a table)", fontsize=11)
    low, high = last.quantile(0.05)[0], last.quantile(0.95)[0]
    figure.description = (
        f"Bars: the share of lessons by the minutes until the last of {counted(len(plan.seating), 'table')} is done, "
        f"against {plan.time} minutes to play. {finding}{in_words(interval)}; in 9 of 10 lessons the last table takes "
        f"{low:.0f} to {high:.0f} minutes."
    )
    return figure


def plot_lesson_rounds(plan: LessonPlan) -> NotebookFigure:
    """The chance that all tables finish in time, by the number of rounds and by each reading of the rulebooks.

    Parameters
    ----------
    plan
        A plan of `nambarz_sim.plan_lesson`.

    Returns
    -------
    NotebookFigure
        Points with 95% intervals; the table behind it is ``plan.table``.

    Examples
    --------
    >>> from nambarz_sim import plan_lesson
    >>> plot_lesson_rounds(plan_lesson(60, 8, wildcards=12, games=100)).axes[0].get_xlabel()
    'rounds'
    """
    most = next(iter(next(iter(plan.batches.values())).minutes.values())).shape[1]
    chances = {
        reading: 100 * np.array([plan.together(reading, rounds).chance(plan.time) for rounds in range(1, most + 1)])
        for reading in plan.timings
    }
    shown = 1 + max(int(np.sum(each[:, 0] >= 1)) for each in chances.values())  # up to the first that hopes for nothing
    rounds = np.arange(1, min(most, max(shown, plan.rounds + 1)) + 1)
    figure, axes = new_figure()
    told = []
    for place, ((reading, found), marks) in enumerate(zip(chances.items(), _MARKS, strict=False)):
        value, low, high = found[: len(rounds)].T
        beside = rounds + 0.04 * place  # so that both intervals are seen
        whiskers = np.maximum(0, [value - low, high - value])
        label = f"15 to 30 minutes a round with {reading}" if reading in READINGS else reading
        axes.errorbar(beside, value, whiskers, capsize=4, label=label, **marks)
        told.append(
            f"{reading}: " + ", ".join(f"{each} {share:.0f}%" for each, share in zip(rounds, value, strict=True))
        )
    axes.axhline(100 * plan.chance, color="black", linestyle=":", linewidth=1.2, label=f"{100 * plan.chance:g}% wanted")
    axes.set_xticks(rounds)
    axes.set_ylim(-3, 103)
    axes.set_xlim(0.7, len(rounds) + 0.34)
    axes.set_xlabel("rounds")
    axes.set_ylabel("all tables done in time (%)")
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    finding = f"{counted(plan.rounds, 'round')} fit{'s' if plan.rounds == 1 else ''} into {plan.time} minutes of play"
    axes.set_title(f"{finding} ({counted(plan.games, 'game')} a table)", fontsize=11)
    figure.description = (
        f"Points with 95% intervals: the chance that all tables are done within {plan.time} minutes, by rounds. {finding}. "
        f"{'; '.join(told)}."
    )
    return figure
