"""Figures of a planned lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nambarz_sim.analysis.minutes import READINGS
from nambarz_sim.analysis.wording import games as games_in_words
from nambarz_sim.analysis.wording import shown
from nambarz_sim.languages import _, in_language, localised, plural
from nambarz_sim.plots.figure import BLUE, ORANGE, NotebookFigure, in_words, new_figure, put_title

if TYPE_CHECKING:
    from nambarz_sim.analysis.lesson import LessonPlan

_MARKS = {"marker": "o", "linestyle": "-", "color": BLUE}, {"marker": "s", "linestyle": "--", "color": ORANGE}
_BARS = 40


def plot_lesson_time(plan: LessonPlan, lang: str | None = None) -> NotebookFigure:
    """When the last table is done, against the time at hand.

    Parameters
    ----------
    plan
        A plan of `nambarz_sim.plan_lesson`.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

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
    with in_language(lang):
        return _draw_time(plan)


def _draw_time(plan: LessonPlan) -> NotebookFigure:
    last = plan.together()
    longest = max(last.quantile(0.99)[0], plan.time) * 1.05
    # Some edge is the time at hand, so that no bar is half in time and half not.
    step = plan.time / max(1, round(_BARS * plan.time / longest))
    edges = np.arange(0, longest + step, step)
    shares = 100 * last.shares(edges)
    places, early = edges[:-1] + step / 2, edges[1:] <= plan.time + step / 2
    value, *interval = (100 * each for each in last.chance(plan.time))
    figure, axes = new_figure()
    axes.bar(places[early], shares[early], 0.9 * step, color=BLUE, label=_("in time"))
    late = {"color": ORANGE, "hatch": "///", "ec": "white", "lw": 0, "label": _("too late")}
    axes.bar(places[~early], shares[~early], 0.9 * step, **late)
    limit = _("{minutes} minutes to play").format(minutes=plan.time)
    axes.axvline(plan.time, color="black", linestyle="--", linewidth=1.2, label=limit)
    axes.set_xlim(0, edges[-1])
    axes.set_xlabel(_("minutes of play until the last table is done"))
    axes.set_ylabel(_("share of lessons (%)"))
    axes.legend(frameon=False)
    finding = _("All tables are done in time in {count} of 100 lessons").format(count=f"{value:.0f}") + in_words(
        interval
    )
    put_title(axes, "\n".join([finding, _("({games} a table)").format(games=games_in_words(last.games))]))
    low, high = last.quantile(0.05)[0], last.quantile(0.95)[0]
    figure.description = plural(
        "Bars: the share of lessons by the minutes until the last of {tables} table is done, against {time} minutes to "
        "play. {finding}; in 9 of 10 lessons the last table takes {low} to {high} minutes.",
        "Bars: the share of lessons by the minutes until the last of {tables} tables is done, against {time} minutes to "
        "play. {finding}; in 9 of 10 lessons the last table takes {low} to {high} minutes.",
        len(plan.seating),
    ).format(tables=len(plan.seating), time=plan.time, finding=finding, low=f"{low:.0f}", high=f"{high:.0f}")
    return figure


def plot_lesson_rounds(plan: LessonPlan, lang: str | None = None) -> NotebookFigure:
    """The chance that all tables finish in time, by the number of rounds and by each reading of the rulebooks.

    Parameters
    ----------
    plan
        A plan of `nambarz_sim.plan_lesson`.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

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
    with in_language(lang):
        return _draw_rounds(plan)


def _draw_rounds(plan: LessonPlan) -> NotebookFigure:
    most = next(iter(next(iter(plan.batches.values())).minutes.values())).shape[1]
    chances = {
        reading: 100 * np.array([plan.together(reading, rounds).chance(plan.time) for rounds in range(1, most + 1)])
        for reading in plan.timings
    }
    last = 1 + max(int(np.sum(each[:, 0] >= 1)) for each in chances.values())  # up to the first that hopes for nothing
    rounds = np.arange(1, min(most, max(last, plan.rounds + 1)) + 1)
    figure, axes = new_figure()
    told = []
    for place, ((reading, found), marks) in enumerate(zip(chances.items(), _MARKS, strict=False)):
        value, low, high = found[: len(rounds)].T
        beside = rounds + 0.04 * place  # so that both intervals are seen
        whiskers = np.maximum(0, [value - low, high - value])
        label = shown(reading)
        if reading in READINGS:
            label = _("15 to 30 minutes a round with {reading}").format(reading=label)
        axes.errorbar(beside, value, whiskers, capsize=4, label=label, **marks)
        told.append(
            f"{shown(reading)}: "
            + ", ".join(f"{each} {localised(f'{share:.0f}%')}" for each, share in zip(rounds, value, strict=True))
        )
    wanted = _("{share} wanted").format(share=localised(f"{100 * plan.chance:g}%"))
    axes.axhline(100 * plan.chance, color="black", linestyle=":", linewidth=1.2, label=wanted)
    axes.set_xticks(rounds)
    axes.set_ylim(-3, 103)
    axes.set_xlim(0.7, len(rounds) + 0.34)
    axes.set_xlabel(_("rounds"))
    axes.set_ylabel(_("all tables done in time (%)"))
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    finding = plural(
        "{count} round fits into {time} minutes of play", "{count} rounds fit into {time} minutes of play", plan.rounds
    ).format(count=plan.rounds, time=plan.time)
    put_title(axes, " ".join([finding, _("({games} a table)").format(games=games_in_words(plan.games))]))
    figure.description = _(
        "Points with 95% intervals: the chance that all tables are done within {time} minutes, by rounds. {finding}. "
        "{details}."
    ).format(time=plan.time, finding=finding, details="; ".join(told))
    return figure
