"""Figures of master strokes: their chances, the calculations there are, how often they are laid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nambarz_sim.engine.state import SMALLEST_STROKE
from nambarz_sim.languages import N_, _, in_language, localised
from nambarz_sim.plots.figure import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    VERMILION,
    NotebookFigure,
    fitted,
    new_figure,
    put_title,
    write_ticks,
)

if TYPE_CHECKING:
    import pandas as pd

_LINES = ((BLUE, "o", "-"), (VERMILION, "s", "--"), (GREEN, "^", ":"), (PURPLE, "D", "-."))
_THINGS = {
    "players": N_("players"), "operations": N_("operations"), "strategy": N_("strategy"),
    "hand_size": N_("cards in a hand"),
}  # fmt: skip
_MOST = {
    "players": N_("Most master strokes with {setting} players: {count} in 100 rounds"),
    "operations": N_("Most master strokes with operations {setting}: {count} in 100 rounds"),
    "strategy": N_("Most master strokes with the strategy {setting}: {count} in 100 rounds"),
    "hand_size": N_("Most master strokes with hands of {setting} cards: {count} in 100 rounds"),
}


def plot_stroke_chances(
    chances: pd.DataFrame, simulated: pd.DataFrame | None = None, lang: str | None = None
) -> NotebookFigure:
    """The chance that a hand holds a master stroke, by its number of cards, exact beside simulated.

    Parameters
    ----------
    chances
        A table of `nambarz_sim.analysis.strokes.stroke_chances`, or up to four of them below each other.
    simulated
        Tables of `nambarz_sim.analysis.strokes.simulated_stroke_chances` for the same active cards and hands.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        Solid markers are exact, hollow ones with 95% intervals simulated; the axis of chances goes up in powers of ten.

    Raises
    ------
    ValueError
        If there are no tables, more than four, or no stroke can be held at all.

    Examples
    --------
    >>> from nambarz_sim.analysis.strokes import stroke_chances
    >>> figure = plot_stroke_chances(stroke_chances(active="5"))
    >>> figure.axes[0].get_title()
    'On 5, 1 of 17 hands of 7 cards holds a master stroke'
    """
    with in_language(lang):
        return _draw_chances(chances, simulated)


def _draw_chances(chances: pd.DataFrame, simulated: pd.DataFrame | None) -> NotebookFigure:
    series = list(chances.groupby(["active", "hand_size"], sort=False))
    if not 1 <= len(series) <= len(_LINES):
        raise ValueError(f"chances: {len(series)} tables are not allowed; give one to {len(_LINES)}")
    sizes = chances[(chances["cards"] != "any") & (chances["chance"] > 0)]
    if sizes.empty:
        raise ValueError(
            "chances: no hand holds a master stroke, so there is nothing to draw; allow larger hands or more"
        )
    figure, axes = new_figure()
    told = []
    places = (np.arange(len(series)) - (len(series) - 1) / 2) * 0.16
    for (key, table), line, place in zip(series, _LINES, places, strict=False):
        _draw_exact(axes, table, line, place, _("{hands}, exact").format(hands=_hand(key)))
        if simulated is not None:
            same = (simulated["active"] == key[0]) & (simulated["hand_size"] == key[1])
            _draw_simulated(axes, simulated[same], line, place + 0.08)
        told.append(_in_words(key, table))
    axes.set_yscale("log")
    axes.set_xticks(sorted(sizes["cards"].astype(int).unique()))
    axes.set_xlabel(_("cards in the master stroke"))
    axes.set_ylabel(_("chance that a hand holds one"))
    axes.legend(frameon=False, loc="upper right", fontsize=9)
    put_title(axes, "\n".join(told))
    description = _(
        "Markers on an axis of powers of ten: the exact chance that a hand holds a master stroke. {findings}. {details}."
    )
    if simulated is not None:
        description = _(
            "Markers on an axis of powers of ten: the exact chance that a hand holds a master stroke; hollow markers with "
            "95% intervals: random hands. {findings}. {details}."
        )
    by_size = "; ".join(_by_size(key, table) for key, table in series)
    figure.description = description.format(findings="; ".join(told), details=by_size)
    return figure


def plot_calculations(calculations: pd.DataFrame, lang: str | None = None) -> NotebookFigure:
    """How many minimal calculations there are for each target, by number of cards.

    Parameters
    ----------
    calculations
        A table of `nambarz_sim.minimal_calculations`.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        A grid: the darker a square the more calculations; their number stands in it.

    Raises
    ------
    ValueError
        If there are none.

    Examples
    --------
    >>> from nambarz_sim import minimal_calculations
    >>> figure = plot_calculations(minimal_calculations())
    >>> figure.axes[0].get_title()
    'The most calculations make 5 (137 of 1,056); the largest have 8 cards'
    """
    with in_language(lang):
        return _draw_calculations(calculations)


def _draw_calculations(calculations: pd.DataFrame) -> NotebookFigure:
    import pandas as pd

    if calculations.empty:
        raise ValueError(
            "calculations: the table is empty, so there is nothing to draw; allow more operations or cards"
        )
    grid = pd.crosstab(calculations["cards"], calculations["target"])
    counts = grid.to_numpy()
    figure, axes = new_figure(size=(max(7.0, 0.55 * counts.shape[1] + 1.5), 0.42 * counts.shape[0] + 1.5))
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.imshow(np.where(counts > 0, np.log1p(counts), np.nan), cmap="Blues", aspect="auto", vmin=0)
    dark = np.log1p(counts) > 0.7 * np.log1p(counts.max())
    for row, column in zip(*np.nonzero(counts), strict=True):
        colour = "white" if dark[row, column] else "black"
        number = localised(f"{counts[row, column]:,}")
        axes.text(column, row, number, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(counts.shape[1]), grid.columns)
    axes.set_yticks(range(counts.shape[0]), grid.index)
    axes.tick_params(length=0)
    if SMALLEST_STROKE in grid.index:
        above = list(grid.index).index(SMALLEST_STROKE) - 0.5
        axes.axhline(above, color="black", linestyle="--", linewidth=1.2)
        note = _("master strokes\n(below the line)")
        axes.annotate(note, (1.01, above), xycoords=("axes fraction", "data"), va="top", fontsize=9)
    axes.set_xlabel(_("active card"))
    axes.set_ylabel(_("cards in the calculation"))
    by_target = grid.sum()
    finding = _("The most calculations make {target} ({most} of {count}); the largest have {size} cards").format(
        target=by_target.idxmax(),
        most=localised(f"{by_target.max():,}"),
        count=localised(f"{len(calculations):,}"),
        size=grid.index.max(),
    )
    put_title(axes, finding)
    by_size = _("{count} of {size} cards")
    totals = [by_size.format(count=localised(f"{total:,}"), size=size) for size, total in grid.sum(axis=1).items()]
    figure.description = _(
        "Grid of numbers: minimal calculations by active card and number of cards. {finding}. {details}."
    ).format(finding=finding, details=", ".join(totals))
    return figure


def plot_stroke_frequency(frequency: pd.DataFrame, lang: str | None = None) -> NotebookFigure:
    """How many master strokes come in 100 rounds, a plot for each thing that was varied, all to the same scale.

    Parameters
    ----------
    frequency
        A table of `nambarz_sim.analysis.frequency.stroke_frequency`.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Returns
    -------
    NotebookFigure
        Bars with 95% intervals; the part with five or more cards is hatched.

    Raises
    ------
    ValueError
        If the table is empty.

    Examples
    --------
    >>> from nambarz_sim.analysis.frequency import stroke_frequency
    >>> one = stroke_frequency(players=(), operations=(), strategies=(), hand_sizes=(5, 10), games=200)
    >>> plot_stroke_frequency(one).axes[0].get_xlabel()
    'cards in a hand'
    """
    with in_language(lang):
        return _draw_frequency(frequency)


def _draw_frequency(frequency: pd.DataFrame) -> NotebookFigure:
    if frequency.empty:
        raise ValueError("frequency: the table is empty, so there is nothing to draw; vary one thing at least")
    things = list(frequency.groupby("varied", sort=False))
    columns = min(2, len(things))
    rows = -(-len(things) // columns)
    figure = NotebookFigure(figsize=(3.5 * columns + 1, 2.4 * rows + 0.6), dpi=100, layout="constrained")
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False)
    for axes in grid.flat:
        write_ticks(axes)
    told = [_draw_thing(axes, str(thing), table) for axes, (thing, table) in zip(grid.flat, things, strict=False)]
    for axes in grid.flat[len(things) :]:
        axes.set_visible(False)
    for axes in grid[:, 0]:
        axes.set_ylabel(_("strokes in 100 rounds"))
    grid.flat[0].legend(frameon=False, fontsize=9)
    every = frequency[frequency["cards"] == "any"]
    most = every.iloc[int(every["value"].to_numpy().argmax())]
    finding = _(_MOST[str(most["varied"])]).format(setting=most["setting"], count=f"{100 * most['value']:.0f}")
    rounds = _("({count} rounds a bar)").format(count=localised(f"{int(every['rounds'].iloc[0]):,}"))
    figure.suptitle(fitted(f"{finding}\n{rounds}", figure.get_size_inches()[0] - 0.2, 11), fontsize=11)
    figure.description = _("Bars with 95% intervals: master strokes in 100 rounds. {finding}. {details}.").format(
        finding=finding, details="; ".join(told)
    )
    return figure


def _card(active: str) -> str:
    return _("a random card") if active == "any" else active


def _hand(key: Any) -> str:
    return _("hands of {size} on {card}").format(size=key[1], card=_card(key[0]))


def _in_words(key: Any, table: pd.DataFrame) -> str:
    """How often a hand holds a stroke of any size."""
    chance = float(table.loc[table["cards"] == "any", "chance"].iloc[0])
    if chance == 0:
        sentence = _("On {card}, no hand of {size} cards holds a master stroke")
    elif 1 / chance >= 10:
        sentence = _("On {card}, 1 of {hands} hands of {size} cards holds a master stroke")
    else:
        sentence = _("On {card}, {count} of 100 hands of {size} cards hold a master stroke")
    hands = f"{1 / chance:.0f}" if chance else ""
    return sentence.format(card=_card(key[0]), size=key[1], hands=hands, count=f"{100 * chance:.0f}")


def _by_size(key: Any, table: pd.DataFrame) -> str:
    """The chance of each size, in words."""
    known = [(row.cards, localised(f"{row.chance:.2g}")) for row in table.itertuples() if row.cards != "any"]
    each = ", ".join(_("{size} cards {chance}").format(size=size, chance=chance) for size, chance in known)
    return f"{_hand(key)}: {each}"


def _draw_exact(axes: Any, table: pd.DataFrame, line: tuple[str, str, str], place: float, label: str) -> None:
    shown = table[(table["cards"] != "any") & (table["chance"] > 0)]
    colour, marker, style = line
    axes.plot(
        shown["cards"].astype(int) + place, shown["chance"], color=colour, marker=marker, linestyle=style, label=label
    )


def _draw_simulated(axes: Any, table: pd.DataFrame, line: tuple[str, str, str], place: float) -> None:
    """Hollow markers with whiskers; sizes that no random hand had are left out."""
    shown = table[(table["cards"] != "any") & (table["hits"] > 0)]
    if shown.empty:
        return
    colour, marker, _style = line
    chance = shown["chance"]
    axes.errorbar(
        shown["cards"].astype(int) + place, chance, [chance - shown["low"], shown["high"] - chance], color=colour,
        marker=marker, markerfacecolor="white", linestyle="none", capsize=4,
        label=_("{hands} random hands of {size}").format(
            hands=localised(f"{shown['hands'].iloc[0]:,}"), size=shown["hand_size"].iloc[0]
        ),
    )  # fmt: skip


def _draw_thing(axes: Any, thing: str, table: pd.DataFrame) -> str:
    """One of the small plots; what it shows, in words."""
    axes.spines[["top", "right"]].set_visible(False)
    every = table[table["cards"] == "any"].set_index("setting")
    four = table[table["cards"] == str(SMALLEST_STROKE)].set_index("setting")["value"]
    places = np.arange(len(every))
    total, low, high = (100 * every[column].to_numpy() for column in ("value", "low", "high"))
    smallest = 100 * four.reindex(every.index).to_numpy()
    axes.bar(places, smallest, width=0.6, color=BLUE, label=_("{size} cards").format(size=SMALLEST_STROKE))
    axes.bar(
        places, total - smallest, width=0.6, bottom=smallest, color=ORANGE, hatch="////", ec="white", lw=0,
        label=_("{size} and more").format(size=SMALLEST_STROKE + 1),
    )  # fmt: skip
    axes.errorbar(places, total, [total - low, high - total], linestyle="none", ecolor="black", capsize=4)
    axes.set_xticks(places, every.index)
    axes.set_xlabel(_(_THINGS[thing]))
    values = ", ".join(f"{setting} {value:.0f}" for setting, value in zip(every.index, total, strict=True))
    return _("by {thing}: {values}").format(thing=_(_THINGS[thing]), values=values)
