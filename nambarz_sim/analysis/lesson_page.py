"""A plan of a lesson as a page of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from nambarz_sim.analysis.lesson_search import level_of
from nambarz_sim.analysis.minutes import READINGS, RULEBOOK_MINUTES
from nambarz_sim.analysis.seating import tell_seating
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.events import counted

if TYPE_CHECKING:
    from nambarz_sim.analysis.lesson import LessonPlan

_MOST_ROWS = 6


def tell_plan(plan: LessonPlan) -> str:
    """The page that a teacher reads: what to do, how long it takes, what the pupils calculate, and what else was tried."""
    parts = [_proposal(plan), _minutes(plan), _arithmetic(plan), _others(plan), _readings(plan), _source(plan)]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _proposal(plan: LessonPlan) -> list[str]:
    tables, decks = tell_seating(plan.seating), counted(len(plan.seating), "deck")
    signs = ", ".join(SIGNS[sign] for sign in plan.operations)
    return [
        f"A lesson of {counted(plan.minutes, 'minute')} with {counted(plan.pupils, 'pupil')}",
        "",
        f"Tables    {tables} ({decks})",
        f"Cards     {plan.hand_size} each, {level_of(plan.wildcards)} wildcards ({sum(plan.wildcards)} in a deck)",
        f"Signs     {signs}",
        f"Rounds    {plan.rounds}; a tie stands",
        f"Time      {plan.reserve} minutes to explain and tidy up, {plan.time} to play",
        f"In time   all tables are done in {_hundred(plan)}",
    ]


def _minutes(plan: LessonPlan) -> list[str]:
    lines = [f"{'Minutes of play':<18}{'mean (95% interval)':>24}{'9 of 10 within':>18}{'done in time':>16}"]
    for who in [*(f"a table of {size}" for size in plan.batches), "all tables"]:
        mean, low, high, done = (plan.estimate(measure, who) for measure in ("mean", "P5", "P95", "done in time"))
        within = f"{low[0]:.0f} to {high[0]:.0f}" if low and high else ""
        share = f"{100 * done[0]:.1f}%" if done else ""
        lines.append(f"{who:<18}{_with_interval(mean) if mean else '':>24}{within:>18}{share:>16}")
    return lines


def _arithmetic(plan: LessonPlan) -> list[str]:
    lines = [f"{'A pupil gets through':<34}{'mean (95% interval)':>22}"]
    for measure, value, low, high in zip(
        plan.arithmetic.index, *(plan.arithmetic[column] for column in ("value", "low", "high")), strict=True
    ):
        if value > 0:
            name = measure if measure == "calculations" else f"  {measure}"
            lines.append(f"{name:<34}{_with_interval((value, low, high)):>22}")
    return lines


def _others(plan: LessonPlan) -> list[str]:
    """One more round, and the best of every other seating: most calculations of what fits, else the likeliest."""
    tried = plan.table[~plan.table["chosen"]]
    here = plan.table[plan.table["chosen"]].iloc[0]
    same = ["seating", "wildcards", "hand_size"]
    longer = tried[(tried[same] == here[same]).all(axis=1) & (tried["rounds"] == plan.rounds + 1)]
    rank = tried["calculations"].where(tried["fits"], tried["chance"] - 1)
    best = tried.loc[rank.sort_values(ascending=False).index].groupby("seating", sort=False).head(1).head(_MOST_ROWS)
    rows = pd.concat([longer, best]).drop_duplicates().to_dict(orient="records")
    if not rows:
        return []
    width = max(len(row["seating"]) for row in rows)
    lines = [f"{'Other ways':<{width}}  rounds  cards  wildcards    all done in time   calculations a pupil"]
    for row in rows:
        in_time = f"{100 * row['chance']:.0f}% ({100 * row['low']:.0f} to {100 * row['high']:.0f})"
        lines.append(
            f"{row['seating']:<{width}}  {row['rounds']:>6}  {row['hand_size']:>5}  {row['wildcards']:<11}"
            f"{in_time:>18}   {row['calculations']:>20.1f}"
        )
    return lines


def _readings(plan: LessonPlan) -> list[str]:
    """Where the minutes come from, and what the other reading says of the plan."""
    low, high = RULEBOOK_MINUTES
    first, *others = plan.timings
    if first not in READINGS:
        return ["The minutes are by your own timings."]
    lines = [f"The minutes are fitted to a round of {low} to {high} minutes with {first}, as one rulebook has it."]
    for other in others:
        slower = plan.timings[other].match / plan.timings[first].match
        lines.append(
            f"The other one says so of {other}: all then takes {slower:.1f} times as long, and all tables are done in"
        )
        lines.append(f"{_hundred(plan, other)}. {_advice(plan, other)}")
    return [*lines, "Stop the time in your own class, and give it as timings, such as match=10 draw=8."]


def _advice(plan: LessonPlan, reading: str) -> str:
    """What a plan by that reading would be, of all that was tried."""
    fits = plan.table[plan.table[f"chance, {reading}"] >= plan.chance]
    if fits.empty:
        return "Nothing that was tried fits then."
    best = fits.sort_values("calculations").iloc[-1]
    if best["chosen"]:
        return "The plan fits then, too."
    return (
        f"What fits then: {best['seating']}, {counted(int(best['rounds']), 'round')}, {best['hand_size']} cards each, "
        f"{best['wildcards']} wildcards."
    )


def _source(plan: LessonPlan) -> list[str]:
    return [
        f"Behind every figure: {plan.games:,} simulated games at a table of each size; players {plan.strategy}, "
        f"seed {plan.seed}."
    ]


def _hundred(plan: LessonPlan, reading: str | None = None) -> str:
    value, low, high = plan.estimate("done in time", reading=reading) or (np.nan,) * 3
    return f"{100 * value:.0f} of 100 lessons (95% interval {100 * low:.0f} to {100 * high:.0f})"


def _with_interval(estimate: tuple[float, float, float]) -> str:
    value, low, high = estimate
    digits = 1 if value >= 1 else 2
    return f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"
