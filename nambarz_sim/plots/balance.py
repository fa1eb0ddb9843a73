"""Figures of a balance: small multiples over the grid, and what decides rounds in each variant."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from nambarz_sim._errors import unknown_name
from nambarz_sim.analysis.balance_findings import RARELY, apart, highest_and_lowest, row_with, tell
from nambarz_sim.analysis.balance_measures import COVERED, DEALT, ENDLESS_WITHOUT, MEASURES, TURNS_WITHOUT, WON
from nambarz_sim.analysis.wording import capital, interval, shown, shown_measure, shown_signs, shown_variant
from nambarz_sim.analysis.wording import games as games_in_words
from nambarz_sim.analysis.wording import variants as variants_in_words
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.languages import _, in_language, localised, plural
from nambarz_sim.plots.figure import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    NotebookFigure,
    fitted,
    write_ticks,
)

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
_LONGEST_LABEL = 2.9
"""Inches beside a panel."""
_APART = 0.12
"""How far series stand beside each other, so that their intervals do not hide one another."""


def plot_grid(balance: Balance, measure: str, detail: str = "", lang: str | None = None) -> NotebookFigure:
    """One measure over the grid: a panel for each number of players, wildcards across, operations by colour and marker.

    Parameters
    ----------
    balance
        What `nambarz_sim.balance` gave.
    measure, detail
        Which figure of each variant, as in ``balance.table``.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

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
    with in_language(lang):
        return _draw_grid(balance, measure, detail)


def _draw_grid(balance: Balance, measure: str, detail: str) -> NotebookFigure:
    rows = _rows(balance, measure, detail)
    players = sorted(set(rows["players"]))
    columns = min(len(players), _MOST_IN_A_ROW)
    figure, panels = _panels(-(-len(players) // columns), columns)
    levels = list(dict.fromkeys(rows["level"]))
    operations = _in_order(rows["operations"])
    for panel, number in zip(panels.ravel(), players, strict=False):
        for place, signs in enumerate(operations):
            these = rows[(rows["players"] == number) & (rows["operations"] == signs)]
            if not these.empty:  # variants of one's own need not be a whole grid
                _draw(panel, _places(these["level"], levels, place, len(operations)), these, place, _signs(signs))
        panel.set_title(_("{count} players").format(count=number), fontsize=10)
        panel.set_xticks(range(len(levels)), map(shown, levels), rotation=40, ha="right", fontsize=8)
        panel.set_xlim(-0.5, len(levels) - 0.5)
    named = shown_measure(measure, detail)
    _finish(figure, panels, _axis(named, rows), _("operations"))
    about = _("{measure} by players, wildcards and operations").format(measure=capital(named))
    _say(figure, _contrast(rows, named), rows, about)
    return figure


def plot_turn_order(balance: Balance, lang: str | None = None) -> NotebookFigure:
    """Who wins by the order of turns: for each number of players the share of rounds that each place wins, all variants."""
    with in_language(lang):
        rows = _fair_shares(_rows(balance, WON))
        figure = _by_detail(balance, rows, _("place in the order of turns"), _("rounds won\n(fair shares)"), 1.0)
        first, last = rows[rows["detail"] == "1st"], rows.groupby("variant").tail(1)
        finding = plural(
            "Who starts wins more than a fair share in {more} of {count} variant",
            "Who starts wins more than a fair share in {more} of {count} variants",
            len(first),
        ).format(more=sum(low > 1 for low in first["low"]), count=len(first))
        about = _("Who starts: {first} fair shares; who is last: {last}")
        _say(figure, finding, rows, about.format(first=_range(first), last=_range(last)))
        return figure


def plot_wildcards_dealt(balance: Balance, lang: str | None = None) -> NotebookFigure:
    """How decisive wildcards are: the share of rounds won by the wildcards in the hand dealt, in fair shares."""
    with in_language(lang):
        rows = _fair_shares(_rows(balance, DEALT))
        rows = rows[rows["cases"] >= _FEW] if (rows["cases"] >= _FEW).any() else rows
        figure = _by_detail(balance, rows, _("wildcards dealt"), _("rounds won\n(fair shares)"), 1.0)
        none, two = rows[rows["detail"] == "0"], rows[rows["detail"] == "2"]
        finding = _("Without a wildcard a hand wins {none} fair shares")
        if len(two):
            finding = _("Without a wildcard a hand wins {none} fair shares, with two {two}")
        finding = finding.format(none=_range(none), two=_range(two) if len(two) else "")
        about = _("Rounds won by wildcards dealt ({count} hands or more)").format(count=_FEW)
        _say(figure, finding, rows, about)
        return figure


def plot_numbers(balance: Balance, lang: str | None = None) -> NotebookFigure:
    """Which active numbers are hard to cover: of the turns begun on each, the share that covers it without a draw."""
    with in_language(lang):
        rows = _rows(balance, COVERED)
        figure = _by_detail(balance, rows, _("active number"), _("covered without\na draw (%)"))
        hardest = rows.loc[rows["value"].to_numpy() == rows.groupby("variant")["value"].transform("min"), "detail"]
        number, variants = hardest.mode()[0], rows["variant"].nunique()
        finding = plural(
            "The {number} is the hardest to cover in {often} of {count} variant",
            "The {number} is the hardest to cover in {often} of {count} variants",
            variants,
        ).format(number=number, often=int(hardest.value_counts().max()), count=variants)
        here = rows.loc[rows["detail"] == number, "value"]
        low, high = localised(f"{here.min():.0%}"), localised(f"{here.max():.0%}")
        about = _("From {low} to {high} of the turns on {number} cover it without a draw")
        _say(figure, finding, rows, about.format(low=low, high=high, number=number))
        return figure


def plot_operations(balance: Balance, lang: str | None = None) -> NotebookFigure:
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
    with in_language(lang):
        figure = _by_detail(balance, rows, _("operation left out"), _("turns more a round"), 0.0)
        most = row_with(rows, "most")
        finding = _("Most turns come where {sign} is left out: {figure} more a round with {variant}").format(
            sign=shown(most["detail"]), figure=tell(most), variant=shown_variant(most["variant"])
        )
        if apart({"low": 0, "high": 0}, most) and most["value"] < 0:
            finding = _("No operation left out makes rounds longer")
        without_end = len(endless) - len(rows)
        about = plural(
            "Turns more a round without an operation; {count} case without an end left out",
            "Turns more a round without an operation; {count} cases without an end left out",
            without_end,
        )
        _say(figure, finding, rows, about.format(count=without_end))
        return figure


def _fair_shares(rows: pd.DataFrame) -> pd.DataFrame:
    """Shares of rounds won as multiples of a fair share."""
    shares = {name: rows[name] * rows["players"] for name in ("value", "low", "high")}
    return rows.assign(**shares, unit="fair shares")


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
        write_ticks(panel)
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
                _draw(panel, _places(these["detail"], details, series, len(levels)), these, series, shown(level))
            if fair is not None:
                panel.axhline(fair, color="black", linestyle=":", linewidth=1)
            title = _("{count} players, {signs}").format(count=number, signs=_signs(signs))
            panel.set_title(title, fontsize=9)
            ticks = [shown(detail.replace(" or more", "+")) for detail in details]
            panel.set_xticks(range(len(details)), ticks, fontsize=8)
            if line == len(operations) - 1:
                panel.set_xlabel(across, fontsize=9)
    _finish(figure, panels, up, _("wildcards"))
    return figure


def _places(values: Any, known: list[str], series: int, count: int) -> np.ndarray:
    """Where the points of one of several series stand."""
    beside = _APART * (series - (count - 1) / 2)
    return np.array([known.index(value) for value in values], dtype=float) + beside


def _in_order(operations: Any) -> list[str]:
    """Sets of operations, small ones first."""
    return sorted(set(operations), key=lambda signs: (len(signs), signs))


def _signs(operations: str) -> str:
    return shown_signs(" ".join(SIGNS[sign] for sign in operations))


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
    title = plural(
        "{finding} ({count} game a variant, bars: 95% intervals)",
        "{finding} ({count} games a variant, bars: 95% intervals)",
        games,
    ).format(finding=finding, count=localised(f"{games:,}"))
    width = float(figure.get_size_inches()[0])
    lines = "\n".join(textwrap.wrap(title, int(13 * width)))
    figure.suptitle(lines if fitted(lines, width - 0.1, 11) == lines else fitted(title, width - 0.2, 11), fontsize=11)
    figure.description = _("{about}, {variants} with 95% intervals from {games} each. {finding}.").format(
        about=about,
        variants=variants_in_words(rows["variant"].nunique()),
        games=games_in_words(games),
        finding=finding,
    )


def _contrast(rows: pd.DataFrame, named: str) -> str:
    """The highest and the lowest variant in a line."""
    found = highest_and_lowest(rows, str(rows["measure"].iloc[0]))
    assert found is not None
    most, least = found
    if not apart(most, least):
        return _("{measure}: no clear difference between variants").format(measure=capital(named))
    unit = "" if str(most["unit"]).startswith("share") else f" {shown(str(most['unit']))}"
    lowest, highest = (f"{tell(row)}{unit} ({shown_variant(row['variant'])})" for row in found[::-1])
    return _("{measure}: {lowest} to {highest}").format(measure=capital(named), lowest=lowest, highest=highest)


def _axis(named: str, rows: pd.DataFrame) -> str:
    """What stands beside the scale of a measure."""
    unit = str(rows["unit"].iloc[0])
    return f"{fitted(named, _LONGEST_LABEL, 9)}\n({'%' if unit.startswith('share') else shown(unit)})"


def _scale(rows: pd.DataFrame) -> float:
    return 100 if str(rows["unit"].iloc[0]).startswith("share") else 1


def _range(rows: pd.DataFrame) -> str:
    """From the lowest to the highest value."""
    low, high = (localised(f"{value:.2f}") for value in (rows["value"].min(), rows["value"].max()))
    return low if low == high else interval(low, high)
