"""What stands out in a table of balance, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nambarz_sim.analysis.balance_measures import (
    COVERED,
    ENDLESS_WITHOUT,
    FIRST,
    LEAD,
    SPREAD,
    STALLED,
    STRENGTH,
    STROKES,
    STROKES_WITHOUT,
    TURNS,
    TURNS_WITHOUT,
    WORTH,
)

if TYPE_CHECKING:
    import pandas as pd

RARELY = 0.01
"""So few rounds without an end do not count."""
SURE = 0.05
"""Of all variants together, how often turn order may seem to matter where it does not (Bonferroni)."""


def findings(table: pd.DataFrame, seats: dict[str, float], skilled: str, among: str) -> list[str]:
    """Sentences on what stands out, each with its interval."""
    if table.empty:
        return ["No variant was finished."]
    told = [
        _seats(table, seats),
        _extremes(table, STRENGTH, f"one {skilled} player among {among} ones wins", "times as often as each other one"),
        _extremes(table, SPREAD, "the best and the last of a round lie", "points apart"),
        _extremes(table, LEAD, "the lead changes", "times a round"),
        _extremes(table, WORTH, "each wildcard dealt adds to the share of rounds won", "fair shares"),
        _extremes(table, TURNS, "a round takes", "turns"),
        _extremes(table, STROKES, "master strokes come", "times a round"),
        *_operations(table),
        _numbers(table),
        _stalls(table),
    ]
    return [sentence for sentence in told if sentence]


def overview(table: pd.DataFrame) -> list[str]:
    """The first figures of each variant as lines of text."""
    shown = {TURNS: "turns", FIRST: "who starts", STRENGTH: "skill", LEAD: "lead changes"}
    variants = list(dict.fromkeys(table["variant"]))
    if not variants:
        return []
    width = max(map(len, variants))
    lines = [f"{'variant':<{width}}" + "".join(f"  {name:>22}" for name in shown.values())]
    rows = {(row["variant"], row["measure"]): row for row in table[table["measure"].isin(shown)].to_dict("records")}
    for variant in variants:
        cells = [tell(rows[variant, name]) for name in shown]
        lines.append(f"{variant:<{width}}" + "".join(f"  {cell:>22}" for cell in cells))
    return [
        *lines,
        "",
        "In brackets: the 95% interval. Who starts: fair shares of the rounds won. Skill: times as often.",
    ]


def tell(row: dict[Any, Any]) -> str:
    """A figure with its interval, shares in per cent."""
    scale, sign = (100, "%") if str(row["unit"]).startswith("share") else (1, "")
    value, low, high = (scale * float(row[name]) for name in ("value", "low", "high"))
    digits = 1 if sign or abs(value) >= 10 else 2 if abs(value) >= 0.1 or value == 0 else 4
    if not np.isfinite(low):
        return f"{value:.{digits}f}{sign}"
    return f"{value:.{digits}f}{sign} ({low:.{digits}f} to {high:.{digits}f})"


def apart(one: dict[Any, Any], other: dict[Any, Any]) -> bool:
    """Whether two intervals do not touch."""
    return bool(one["low"] > other["high"] or one["high"] < other["low"])


def row_with(rows: pd.DataFrame, which: str) -> dict[Any, Any]:
    """The row with the most, the least, or in size the ``"largest"`` value."""
    values = rows["value"].to_numpy(dtype=float)
    place = {"most": np.nanargmax(values), "least": np.nanargmin(values), "largest": np.nanargmax(abs(values))}[which]
    return dict(rows.iloc[int(place)].to_dict())


def highest_and_lowest(table: pd.DataFrame, measure: str) -> tuple[dict[Any, Any], dict[Any, Any]] | None:
    """The rows of the highest and the lowest value of a measure; None where it was not measured."""
    rows = table[(table["measure"] == measure) & table["value"].notna()]
    if rows.empty:
        return None
    return row_with(rows, "most"), row_with(rows, "least")


def _n(row: dict[Any, Any]) -> str:
    return f"n = {row['games']:,} games"


def _extremes(table: pd.DataFrame, measure: str, does: str, unit: str) -> str:
    found = highest_and_lowest(table, measure)
    if found is None:
        return ""
    most, least = found
    text = f"{measure[0].upper()}{measure[1:]}: {does} {tell(most)} {unit} with {most['variant']}"
    if most["variant"] == least["variant"]:
        return f"{text} ({_n(most)})."
    if not apart(most, least):
        return f"{text}, {tell(least)} with {least['variant']}: no clear difference ({_n(most)} each)."
    return f"{text}, and only {tell(least)} with {least['variant']} ({_n(most)} each)."


def _seats(table: pd.DataFrame, seats: dict[str, float]) -> str:
    clear = [name for name, p_value in seats.items() if p_value < SURE / len(seats)]
    if not clear:
        return f"Seats: in none of {len(seats)} variants turn order decides more than chance ({SURE:.0%} over all)."
    rows = table[(table["measure"] == FIRST) & table["variant"].isin(clear)]
    most = dict(rows.iloc[int((rows["value"] - 1).abs().to_numpy().argmax())].to_dict())
    return (
        f"Seats: turn order decides more than chance in {len(clear)} of {len(seats)} variants ({SURE:.0%} over all), most "
        f"with {most['variant']}: who starts wins {tell(most)} fair shares of the rounds ({_n(most)})."
    )


def _operations(table: pd.DataFrame) -> list[str]:
    """What an operation contributes most to; lengths are compared only where rounds go on to have an end."""
    endless = table[table["measure"] == ENDLESS_WITHOUT]
    told = []
    if endless["low"].max() > RARELY:
        most = row_with(endless, "most")
        told.append(
            f"Operations: without {most['detail']}, {tell(most)} of the rounds have no end (stalled or cut) with "
            f"{most['variant']} ({_n(most)})."
        )
    with_end = set(_keys(endless[endless["value"] < RARELY]))
    for measure, what in ((TURNS_WITHOUT, "turns"), (STROKES_WITHOUT, "master strokes")):
        rows = table[(table["measure"] == measure) & ((table["low"] > 0) | (table["high"] < 0))]
        rows = rows[[key in with_end for key in _keys(rows)]]
        if rows.empty:
            continue
        most = row_with(rows, "largest")
        low, high = sorted((abs(most["low"]), abs(most["high"])))
        figure = tell({**most, "value": abs(most["value"]), "low": low, "high": high})
        more = "more" if most["value"] > 0 else "fewer"
        told.append(
            f"Operations: without {most['detail']}, a round has {figure} {what} {more} with {most['variant']} ({_n(most)})."
        )
    return told


def _keys(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """The variant and the operation of each row."""
    return list(zip(rows["variant"], rows["detail"], strict=True))


def _numbers(table: pd.DataFrame) -> str:
    rows = table[table["measure"] == COVERED]
    if rows.empty:
        return ""
    hardest = rows.loc[rows.groupby("variant")["value"].idxmin()]
    often = hardest["detail"].value_counts()
    number, count = str(often.index[0]), int(often.iloc[0])
    least = row_with(hardest, "least")
    return (
        f"Numbers: the {number} is the hardest to cover in {count} of {len(hardest)} variants; hardest of all is the "
        f"{least['detail']} with {least['variant']}: {tell(least)} of the turns on it cover it without a draw "
        f"(n = {least['cases']:,} turns)."
    )


def _stalls(table: pd.DataFrame) -> str:
    rows = table[table["measure"] == STALLED]
    most = row_with(rows, "most")
    if most["value"] == 0:
        high = f"{100 * float(rows['high'].max()):.2g}%"
        return f"Stalls: no round stalled, so fewer than {high} of each variant's rounds do ({_n(most)} each)."
    return f"Stalls: rounds stall most with {most['variant']}: {tell(most)} of them ({_n(most)})."
