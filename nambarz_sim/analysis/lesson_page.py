"""A plan of a lesson as a page of text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from nambarz_sim.analysis.lesson_search import level_of
from nambarz_sim.analysis.minutes import READINGS, RULEBOOK_MINUTES
from nambarz_sim.analysis.seating import tell_seating
from nambarz_sim.analysis.wording import interval, rounds, shown, shown_seating, shown_signs
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.languages import _, in_language, localised, plural

if TYPE_CHECKING:
    from nambarz_sim.analysis.lesson import LessonPlan

_MOST_ROWS = 6
_WIDTH = 10
"""Of what stands before each line of the proposal, at least."""


def tell_plan(plan: LessonPlan, lang: str | None = None) -> str:
    """The page that a teacher reads: what to do, how long it takes, what the pupils calculate, and what else was tried.

    ``lang`` is the language, as `nambarz_sim.languages.choose_language` takes it.
    """
    with in_language(lang):
        parts = [_proposal(plan), _minutes(plan), _arithmetic(plan), _others(plan), _readings(plan), _source(plan)]
        return "\n\n".join("\n".join(part) for part in parts if part)


def _proposal(plan: LessonPlan) -> list[str]:
    minutes = plural("{count} minute", "{count} minutes", plan.minutes).format(count=plan.minutes)
    pupils = plural("{count} pupil", "{count} pupils", plan.pupils).format(count=plan.pupils)
    decks = plural("{count} deck", "{count} decks", len(plan.seating)).format(count=len(plan.seating))
    cards = _("{count} each, {level} wildcards ({wildcards} in a deck)").format(
        count=plan.hand_size, level=shown(level_of(plan.wildcards)), wildcards=sum(plan.wildcards)
    )
    told = {
        _("Tables"): f"{shown_seating(tell_seating(plan.seating))} ({decks})",
        _("Cards"): cards,
        _("Signs"): ", ".join(shown_signs(SIGNS[sign]) for sign in plan.operations),
        _("Rounds"): _("{count}; a tie stands").format(count=plan.rounds),
        _("Time"): _("{reserve} minutes to explain and tidy up, {time} to play").format(
            reserve=plan.reserve, time=plan.time
        ),
        _("In time"): _("all tables are done in {lessons}").format(lessons=_hundred(plan)),
    }
    width = max(_WIDTH, *(len(name) + 2 for name in told))
    head = _("A lesson of {minutes} with {pupils}").format(minutes=minutes, pupils=pupils)
    return [head, "", *(f"{name:<{width}}{text}" for name, text in told.items())]


def _minutes(plan: LessonPlan) -> list[str]:
    who = {each: shown(each) for each in [*(f"a table of {size}" for size in plan.batches), "all tables"]}
    titles = [_("Minutes of play"), _("mean (95% interval)"), _("9 of 10 within"), _("done in time")]
    widths = _widths(titles, [18, 24, 18, 16], who.values())
    lines = [_line(titles, widths)]
    for each, name in who.items():
        mean, low, high, done = (plan.estimate(measure, each) for measure in ("mean", "P5", "P95", "done in time"))
        within = interval(f"{low[0]:.0f}", f"{high[0]:.0f}") if low and high else ""
        share = localised(f"{100 * done[0]:.1f}%") if done else ""
        lines.append(_line([name, _with_interval(mean) if mean else "", within, share], widths))
    return lines


def _arithmetic(plan: LessonPlan) -> list[str]:
    titles = [_("A pupil gets through"), _("mean (95% interval)")]
    columns = (plan.arithmetic[column] for column in ("value", "low", "high"))
    seen = {
        measure: (value, low, high)
        for measure, value, low, high in zip(plan.arithmetic.index, *columns, strict=True)
        if value > 0
    }
    names = {measure: f"{'' if measure == 'calculations' else '  '}{shown(str(measure))}" for measure in seen}
    widths = _widths(titles, [34, 22], names.values())
    return [
        _line(titles, widths),
        *(_line([name, _with_interval(seen[measure])], widths) for measure, name in names.items()),
    ]


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
    name, count, cards, wildcards, done, gain = (
        _("Other ways"), _("rounds"), _("cards"), _("wildcards"), _("all done in time"), _("calculations a pupil"),
    )  # fmt: skip
    width = max(len(shown_seating(row["seating"])) for row in rows)
    level = max(11, len(wildcards) + 2)
    time = max(18, len(done) + 2)
    lines = [f"{name:<{width}}  {count}  {cards}  {wildcards:<{level}}{done:>{time}}   {gain}"]
    for row in rows:
        chance, calculations = row["chance"], localised(f"{row['calculations']:.1f}")
        ends = interval(f"{100 * row['low']:.0f}", f"{100 * row['high']:.0f}")
        in_time = f"{localised(f'{100 * chance:.0f}%')} ({ends})"
        lines.append(
            f"{shown_seating(row['seating']):<{width}}  {row['rounds']:>{len(count)}}  {row['hand_size']:>{len(cards)}}  "
            f"{shown(row['wildcards']):<{level}}{in_time:>{time}}   "
            f"{calculations:>{len(gain)}}"
        )
    return lines


def _readings(plan: LessonPlan) -> list[str]:
    """Where the minutes come from, and what the other reading says of the plan."""
    low, high = RULEBOOK_MINUTES
    first, *others = plan.timings
    if first not in READINGS:
        return [_("The minutes are by your own timings.")]
    fitted = _("The minutes are fitted to a round of {low} to {high} minutes with {reading}, as one rulebook has it.")
    lines = [fitted.format(low=low, high=high, reading=shown(first))]
    for other in others:
        slower = plan.timings[other].match / plan.timings[first].match
        said = _(
            "The other one says so of {reading}: all then takes {times} times as long, and all tables are done in\n"
            "{lessons}."
        )
        said = said.format(reading=shown(other), times=localised(f"{slower:.1f}"), lessons=_hundred(plan, other))
        lines.append(f"{said} {_advice(plan, other)}")
    return [*lines, _("Stop the time in your own class, and give it as timings, such as match=10 draw=8.")]


def _advice(plan: LessonPlan, reading: str) -> str:
    """What a plan by that reading would be, of all that was tried."""
    fits = plan.table[plan.table[f"chance, {reading}"] >= plan.chance]
    if fits.empty:
        return _("Nothing that was tried fits then.")
    best = fits.sort_values("calculations").iloc[-1]
    if best["chosen"]:
        return _("The plan fits then, too.")
    return _("What fits then: {tables}, {rounds}, {count} cards each, {level} wildcards.").format(
        tables=shown_seating(best["seating"]),
        rounds=rounds(int(best["rounds"])),
        count=best["hand_size"],
        level=shown(best["wildcards"]),
    )


def _source(plan: LessonPlan) -> list[str]:
    return [
        _(
            "Behind every figure: {games} simulated games at a table of each size; players {strategy}, seed {seed}."
        ).format(games=localised(f"{plan.games:,}"), strategy=plan.strategy, seed=plan.seed)
    ]


def _hundred(plan: LessonPlan, reading: str | None = None) -> str:
    value, low, high = plan.estimate("done in time", reading=reading) or (np.nan,) * 3
    return _("{count} of 100 lessons (95% interval {low} to {high})").format(
        count=f"{100 * value:.0f}", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}"
    )


def _with_interval(estimate: tuple[float, float, float]) -> str:
    value, low, high = estimate
    digits = 1 if value >= 1 else 2
    written = [localised(f"{each:.{digits}f}") for each in (value, low, high)]
    return f"{written[0]} ({interval(*written[1:])})"


def _widths(titles: list[str], least: list[int], names: Iterable[str]) -> list[int]:
    """The widths of columns: as wide as English ones, or as what the language writes into them needs."""
    first = max(least[0], len(titles[0]) + 1, *(len(name) + 1 for name in names))
    return [first, *(max(width, len(title) + 2) for title, width in zip(titles[1:], least[1:], strict=True))]


def _line(cells: list[str], widths: list[int]) -> str:
    """A line of a table: the first column to the left, the others to the right."""
    return f"{cells[0]:<{widths[0]}}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells[1:], widths[1:], strict=True)
    )
