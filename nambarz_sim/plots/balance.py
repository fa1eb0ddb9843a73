"""Figures of a balance: small multiples over the grid, and what decides rounds in each variant."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from nambarz_sim._errors import unknown_name
from nambarz_sim.analysis.balance_findings import RARELY, apart, highest_and_lowest, row_with, tell
from nambarz_sim.analysis.balance_measures import COVERED, DEALT, ENDLESS_WITHOUT, MEASURES, TURNS_WITHOUT, WON
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.events import counted
from nambarz_sim.plots.figure import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, NotebookFigure

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.analysis.balance import Balance

_LOOKS = list(
    zip((BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY), "os^Dvp", ("-", "--", "-.", ":", "-", "--"), strict=True)
)
"""Colour, marker and line of one series; the next series has the next ones."""
_WIDTH, _HEIGHT, _LOW, _MOST_IN_A_ROW = 2.2, 2.6, 2.0, 4
_FEW = 100
"""Shares of fewer cases are not drawn: their intervals would hide the others."""
_APART = 0.12
"""How far series stand beside each other, so that their intervals do not hide one another."""


def plot_grid(balance: Balance, measure: str, detail: str = "") -> NotebookFigure:
    """One measure over the grid: a panel for each number of players, wildcards across, operations by colour and marker.

    Parameters
    ----------
    balance
        What `nambarz_sim.balance` gave.
    measure, detail
        Which figure of each variant, as in ``balance.table``.

    Returns
    -------
    NotebookFigure
        With 95% intervals; the title states the finding, and the table behind it is ``balance.table``.

    Raises
    ------
    ValueError
        If no variant has that measure.

    Examples
    --------
    >>> from nambarz_sim import balance, variant_grid
    >>> found = balance(variant_grid((2, 3), ("none", "beginner"), ("+-",)), games=50, progress=False)
    >>> len(plot_grid(found, "lead changes a round").axes)
    2
    """
    rows = _rows(balance, measure, detail)
    players = sorted(set(rows["players"]))
    columns = min(len(players), _MOST_IN_A_ROW)
    figure, panels = _panels(-(-len(players) // columns), columns)
    levels = list(dict.fromkeys(rows["level"]))
    operations = _in_order(rows["operations"])
    for panel, number in zip(panels.ravel(), players, strict=False):
        for place, signs in enumerate(operations):
            these = rows[(rows["players"] == number) & (rows["operations"] == signs)]
            _draw(panel, _places(these["level"], levels, place, len(operations)), these, place, _signs(signs))
        panel.set_title(f"{number} players", fontsize=10)
        panel.set_xticks(range(len(levels)), levels, rotation=40, ha="right", fontsize=8)
        panel.set_xlim(-0.5, len(levels) - 0.5)
    _finish(figure, panels, _axis(measure, detail, rows), "operations")
    named = f"{measure} {detail}".strip()
    _say(figure, _contrast(rows, named), rows, f"{named[0].upper()}{named[1:]} by players, wildcards and operations")
    return figure


def plot_turn_order(balance: Balance) -> NotebookFigure:
    """Who wins by the order of turns: for each number of players the share of rounds that each place wins, all variants."""
    rows = _rows(balance, WON)
    rows["value"], rows["low"], rows["high"] = (rows[name] * rows["players"] for name in ("value", "low", "high"))
    rows["unit"] = "fair shares"
    figure = _by_detail(balance, rows, "place in the order of turns", "rounds won\n(fair shares)", 1.0)
    first, last = rows[rows["detail"] == "1st"], rows.groupby("variant").tail(1)
    more = sum(low > 1 for low in first["low"])
    finding = f"Who starts wins more than a fair share in {more} of {counted(len(first), 'variant')}"
    _say(figure, finding, rows, f"Who starts: {_range(first)} fair shares; who is last: {_range(last)}")
    return figure


def plot_wildcards_dealt(balance: Balance) -> NotebookFigure:
    """How decisive wildcards are: the share of rounds won by the wildcards in the hand dealt, in fair shares."""
    rows = _rows(balance, DEALT)
    rows["value"], rows["low"], rows["high"] = (rows[name] * rows["players"] for name in ("value", "low", "high"))
    rows["unit"] = "fair shares"
    rows = rows[rows["cases"] >= _FEW] if (rows["cases"] >= _FEW).any() else rows
    figure = _by_detail(balance, rows, "wildcards dealt", "rounds won\n(fair shares)", 1.0)
    none, two = rows[rows["detail"] == "0"], rows[rows["detail"] == "2"]
    finding = f"Without a wildcard a hand wins {_range(none)} fair shares"
    finding += f", with two {_range(two)}" if len(two) else ""
    _say(figure, finding, rows, f"Rounds won by wildcards dealt ({_FEW} hands or more)")
    return figure


def plot_numbers(balance: Balance) -> NotebookFigure:
    """Which active numbers are hard to cover: of the turns begun on each, the share that covers it without a draw."""
    rows = _rows(balance, COVERED)
    figure = _by_detail(balance, rows, "active number", "covered without\na draw (%)")
    hardest = rows.loc[rows["value"].to_numpy() == rows.groupby("variant")["value"].transform("min"), "detail"]
    number, often = hardest.mode()[0], int(hardest.value_counts().max())
    finding = f"The {number} is the hardest to cover in {often} of {counted(rows['variant'].nunique(), 'variant')}"
    here = rows[rows["detail"] == number]
    about = (
        f"From {here['value'].min():.0%} to {here['value'].max():.0%} of the turns on {number} cover it without a draw"
    )
    _say(figure, finding, rows, about)
    return figure


def plot_operations(balance: Balance) -> NotebookFigure:
    """What each operation contributes: turns a round more, on the same deals, where it is left out.

    Variants whose rounds then often have no end (stalled or cut) are left out, since their length says nothing.

    Raises
    ------
    ValueError
        If no variant has two operations or more, or none of them goes on to have an end without one.
    """
    rows, endless = _rows(balance, TURNS_WITHOUT), _rows(balance, ENDLESS_WITHOUT)
    rows = rows[endless["value"].to_numpy() < RARELY]
    if rows.empty:
        raise ValueError(
            "variants: without any one operation their rounds have no end; give variants with more operations"
        )
    figure = _by_detail(balance, rows, "operation left out", "turns more a round", 0.0)
    most = row_with(rows, "most")
    finding = f"Most turns come where {most['detail']} is left out: {tell(most)} more a round with {most['variant']}"
    if apart({"low": 0, "high": 0}, most) and most["value"] < 0:
        finding = "No operation left out makes rounds longer"
    without_end = counted(len(endless) - len(rows), "case")
    _say(figure, finding, rows, f"Turns more a round without an operation; {without_end} without an end left out")
    return figure


def _rows(balance: Balance, measure: str, detail: str | None = None) -> pd.DataFrame:
    """The rows of a measure with the players, wildcards and operations of their variants."""
    if measure not in MEASURES:
        raise ValueError(unknown_name("measure", measure, MEASURES))
    table = balance.table
    rows = table[table["measure"] == measure]
    if detail is not None:
        known = list(dict.fromkeys(rows["detail"]))
        rows = rows[rows["detail"] == detail]
        if known and rows.empty:
            raise ValueError(unknown_name(f"detail of {measure}", detail, known))
    if rows.empty:
        raise ValueError(f"measure: {measure!r} was measured in no variant; choose another, or other variants")
    rules = [balance.variants[name] for name in rows["variant"]]
    names = {each: _level(each.wildcards) for each in rules}
    told = rows.assign(
        players=[each.players for each in rules],
        level=[names[each] for each in rules],
        cards=[sum(each.wildcards) for each in rules],
        operations=[each.operations for each in rules],
    )
    return told.sort_values("cards", kind="stable")


def _level(wildcards: Any) -> str:
    """Wildcards on an axis."""
    level, _, counts = str(wildcards).partition(" (")
    alike = len(set(wildcards)) == 1
    return (
        "none" if not any(wildcards) else level if counts else f"{sum(wildcards)}" if alike else str(tuple(wildcards))
    )


def _panels(lines: int, columns: int) -> tuple[NotebookFigure, Any]:
    """A figure with panels that share their scale, shape ``(lines, columns)``; those without data go at the end."""
    size = (max(4.6, 0.9 + _WIDTH * columns), 1.3 + (_HEIGHT if lines == 1 else _LOW) * lines)
    figure = NotebookFigure(figsize=size, dpi=100, layout="constrained")
    panels = figure.subplots(lines, columns, sharey=True, squeeze=False)
    for panel in panels.ravel():
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(axis="y", color="0.9", linewidth=0.8)
        panel.set_axisbelow(True)
    return figure, panels


def _draw(panel: Any, places: np.ndarray, rows: pd.DataFrame, series: int, label: str) -> None:
    """A series with its intervals."""
    value, low, high = (_scale(rows) * rows[name].to_numpy(dtype=float) for name in ("value", "low", "high"))
    colour, marker, line = _LOOKS[series % len(_LOOKS)]
    reach = np.nan_to_num([value - low, high - value])  # without an interval nothing is drawn
    panel.errorbar(
        places, value, np.maximum(reach, 0), color=colour, marker=marker, markersize=4.5, linestyle=line, linewidth=1.1,
        elinewidth=1.3, capsize=2.5, label=label,
    )  # fmt: skip


def _by_detail(balance: Balance, rows: pd.DataFrame, across: str, up: str, fair: float | None = None) -> NotebookFigure:
    """A panel for each number of players and set of operations, the details across, a series for each level."""
    players, operations = sorted(set(rows["players"])), _in_order(rows["operations"])
    figure, panels = _panels(len(operations), len(players))
    counts = sorted({rules.wildcards for rules in balance.variants.values()}, key=sum)
    levels = list(dict.fromkeys(map(_level, counts)))  # of all variants, so that a level looks alike in every figure
    for line, signs in enumerate(operations):
        for column, number in enumerate(players):
            panel = panels[line, column]
            here = rows[(rows["players"] == number) & (rows["operations"] == signs)]
            details = list(dict.fromkeys(rows.loc[rows["players"] == number, "detail"]))
            for series, level in enumerate(levels):
                these = here[here["level"] == level]
                if these.empty:
                    continue
                _draw(panel, _places(these["detail"], details, series, len(levels)), these, series, level)
            if fair is not None:
                panel.axhline(fair, color="black", linestyle=":", linewidth=1)
            panel.set_title(f"{number} players, {_signs(signs)}", fontsize=9)
            panel.set_xticks(range(len(details)), [detail.replace(" or more", "+") for detail in details], fontsize=8)
            if line == len(operations) - 1:
                panel.set_xlabel(across, fontsize=9)
    _finish(figure, panels, up, "wildcards")
    return figure


def _places(values: Any, known: list[str], series: int, count: int) -> np.ndarray:
    """Where the points of one of several series stand."""
    beside = _APART * (series - (count - 1) / 2)
    return np.array([known.index(value) for value in values], dtype=float) + beside


def _in_order(operations: Any) -> list[str]:
    """Sets of operations, small ones first."""
    return sorted(set(operations), key=lambda signs: (len(signs), signs))


def _signs(operations: str) -> str:
    return " ".join(SIGNS[sign] for sign in operations)


def _finish(figure: NotebookFigure, panels: Any, up: str, series: str) -> None:
    """Labels of the scale, and one legend for all panels."""
    for panel in panels[:, 0]:
        panel.set_ylabel(up, fontsize=9)
    looks: dict[str, Any] = {}
    for panel in panels.ravel():
        panel.set_visible(bool(panel.containers))
        handles, labels = panel.get_legend_handles_labels()
        looks |= dict(zip(labels, handles, strict=True))
    figure.legend(
        looks.values(), looks.keys(), title=series, loc="outside lower center", ncols=6, frameon=False, fontsize=9
    )


def _say(figure: NotebookFigure, finding: str, rows: pd.DataFrame, about: str) -> None:
    """The title with the number of games, and the figure in words."""
    games = int(rows["games"].max())
    width = int(13 * figure.get_size_inches()[0])
    lines = textwrap.wrap(f"{finding} ({counted(games, 'game')} a variant, bars: 95% intervals)", width)
    figure.suptitle("\n".join(lines), fontsize=11)
    variants = counted(rows["variant"].nunique(), "variant")
    figure.description = f"{about}, {variants} with 95% intervals from {counted(games, 'game')} each. {finding}."


def _contrast(rows: pd.DataFrame, named: str) -> str:
    """The highest and the lowest variant in a line."""
    found = highest_and_lowest(rows, str(rows["measure"].iloc[0]))
    assert found is not None
    most, least = found
    if not apart(most, least):
        return f"{named[0].upper()}{named[1:]}: no clear difference between variants"
    unit = "" if str(most["unit"]).startswith("share") else f" {most['unit']}"
    lowest, highest = (f"{tell(row)}{unit} ({row['variant']})" for row in found[::-1])
    return f"{named[0].upper()}{named[1:]}: {lowest} to {highest}"


def _axis(measure: str, detail: str, rows: pd.DataFrame) -> str:
    unit = str(rows["unit"].iloc[0])
    return f"{f'{measure} {detail}'.strip()}\n({'%' if unit.startswith('share') else unit})"


def _scale(rows: pd.DataFrame) -> float:
    return 100 if str(rows["unit"].iloc[0]).startswith("share") else 1


def _range(rows: pd.DataFrame) -> str:
    """From the lowest to the highest value."""
    low, high = f"{rows['value'].min():.2f}", f"{rows['value'].max():.2f}"
    return low if low == high else f"{low} to {high}"
