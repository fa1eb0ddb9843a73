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
from nambarz_sim.analysis.wording import capital, interval, shown, shown_variant
from nambarz_sim.languages import N_, _, localised

if TYPE_CHECKING:
    import pandas as pd

RARELY = 0.01
"""So few rounds without an end do not count."""
SURE = 0.05
"""Of all variants together, how often turn order may seem to matter where it does not (Bonferroni)."""


def findings(table: pd.DataFrame, seats: dict[str, float], skilled: str, among: str) -> list[str]:
    """Sentences on what stands out, each with its interval."""
    if table.empty:
        return [_("No variant was finished.")]
    skill = _("one {skilled} player among {among} ones wins {figure} times as often as each other one with {variant}")
    told = [
        _seats(table, seats),
        _extremes(table, STRENGTH, skill, skilled=skilled, among=among),
        _extremes(table, SPREAD, _("the best and the last of a round lie {figure} points apart with {variant}")),
        _extremes(table, LEAD, _("the lead changes {figure} times a round with {variant}")),
        _extremes(
            table,
            WORTH,
            _("each wildcard dealt adds to the share of rounds won {figure} fair shares with {variant}"),
        ),
        _extremes(table, TURNS, _("a round takes {figure} turns with {variant}")),
        _extremes(table, STROKES, _("master strokes come {figure} times a round with {variant}")),
        *_operations(table),
        _numbers(table),
        _stalls(table),
    ]
    return [sentence for sentence in told if sentence]


def overview(table: pd.DataFrame) -> list[str]:
    """The first figures of each variant as lines of text."""
    titles = {TURNS: _("turns"), FIRST: _("who starts"), STRENGTH: _("skill"), LEAD: _("lead changes")}
    variants = {name: shown_variant(name) for name in dict.fromkeys(table["variant"])}
    if not variants:
        return []
    width = max(map(len, variants.values()))
    lines = [_("variant").ljust(width) + "".join(f"  {name:>22}" for name in titles.values())]
    rows = {(row["variant"], row["measure"]): row for row in table[table["measure"].isin(titles)].to_dict("records")}
    for variant, name in variants.items():
        cells = [tell(rows[variant, measure]) for measure in titles]
        lines.append(f"{name:<{width}}" + "".join(f"  {cell:>22}" for cell in cells))
    return [
        *lines,
        "",
        _("In brackets: the 95% interval. Who starts: fair shares of the rounds won. Skill: times as often."),
    ]


def tell(row: dict[Any, Any]) -> str:
    """A figure with its interval, shares in per cent."""
    scale, sign = (100, "%") if str(row["unit"]).startswith("share") else (1, "")
    value, low, high = (scale * float(row[name]) for name in ("value", "low", "high"))
    digits = 1 if sign or abs(value) >= 10 else 2 if abs(value) >= 0.1 or value == 0 else 4
    figure = localised(f"{value:.{digits}f}{sign}")
    if not np.isfinite(low):
        return figure
    return f"{figure} ({interval(localised(f'{low:.{digits}f}'), localised(f'{high:.{digits}f}'))})"


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
    """The games behind a figure."""
    return localised(f"{row['games']:,}")


def _extremes(table: pd.DataFrame, measure: str, does: str, **who: str) -> str:
    """The highest and the lowest variant; ``does`` says what the measure does in a variant."""
    found = highest_and_lowest(table, measure)
    if found is None:
        return ""
    most, least = found
    statement = does.format(figure=tell(most), variant=shown_variant(most["variant"]), **who)
    known = {"measure": capital(shown(measure)), "statement": statement, "games": _n(most)}
    if most["variant"] == least["variant"]:
        return _("{measure}: {statement} (n = {games} games).").format(**known)
    known |= {"least": tell(least), "other": shown_variant(least["variant"])}
    if not apart(most, least):
        return _("{measure}: {statement}, {least} with {other}: no clear difference (n = {games} games each).").format(
            **known
        )
    return _("{measure}: {statement}, and only {least} with {other} (n = {games} games each).").format(**known)


def _seats(table: pd.DataFrame, seats: dict[str, float]) -> str:
    clear = [name for name, p_value in seats.items() if p_value < SURE / len(seats)]
    level = localised(f"{SURE:.0%}")
    if not clear:
        return _("Seats: in none of {count} variants turn order decides more than chance ({level} over all).").format(
            count=len(seats), level=level
        )
    rows = table[(table["measure"] == FIRST) & table["variant"].isin(clear)]
    most = dict(rows.iloc[int((rows["value"] - 1).abs().to_numpy().argmax())].to_dict())
    return _(
        "Seats: turn order decides more than chance in {clear} of {count} variants ({level} over all), most with "
        "{variant}: who starts wins {figure} fair shares of the rounds (n = {games} games)."
    ).format(
        clear=len(clear),
        count=len(seats),
        level=level,
        variant=shown_variant(most["variant"]),
        figure=tell(most),
        games=_n(most),
    )


def _operations(table: pd.DataFrame) -> list[str]:
    """What an operation contributes most to; lengths are compared only where rounds go on to have an end."""
    endless = table[table["measure"] == ENDLESS_WITHOUT]
    told = []
    if endless["low"].max() > RARELY:
        most = row_with(endless, "most")
        sentence = _(
            "Operations: without {sign}, {figure} of the rounds have no end (stalled or cut) with {variant} (n = {games} "
            "games)."
        )
        told.append(sentence.format(**_of_sign(most)))
    with_end = set(_keys(endless[endless["value"] < RARELY]))
    for measure, sentences in _WITHOUT.items():
        rows = table[(table["measure"] == measure) & ((table["low"] > 0) | (table["high"] < 0))]
        rows = rows[[key in with_end for key in _keys(rows)]]
        if rows.empty:
            continue
        most = row_with(rows, "largest")
        low, high = sorted((abs(most["low"]), abs(most["high"])))
        size = {**most, "value": abs(most["value"]), "low": low, "high": high}
        told.append(_(sentences[most["value"] > 0]).format(**_of_sign(size)))
    return told


_WITHOUT = {
    TURNS_WITHOUT: (
        N_("Operations: without {sign}, a round has {figure} turns fewer with {variant} (n = {games} games)."),
        N_("Operations: without {sign}, a round has {figure} turns more with {variant} (n = {games} games)."),
    ),
    STROKES_WITHOUT: (
        N_("Operations: without {sign}, a round has {figure} master strokes fewer with {variant} (n = {games} games)."),
        N_("Operations: without {sign}, a round has {figure} master strokes more with {variant} (n = {games} games)."),
    ),
}
"""What there is fewer of, or more, without an operation."""


def _of_sign(row: dict[Any, Any]) -> dict[str, str]:
    """What fills a sentence on an operation left out."""
    return {
        "sign": shown(row["detail"]), "figure": tell(row), "variant": shown_variant(row["variant"]), "games": _n(row),
    }  # fmt: skip


def _keys(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """The variant and the operation of each row."""
    return list(zip(rows["variant"], rows["detail"], strict=True))


def _numbers(table: pd.DataFrame) -> str:
    rows = table[table["measure"] == COVERED]
    if rows.empty:
        return ""
    hardest = rows.loc[rows.groupby("variant")["value"].idxmin()]
    often = hardest["detail"].value_counts()
    least = row_with(hardest, "least")
    return _(
        "Numbers: the {number} is the hardest to cover in {often} of {count} variants; hardest of all is the {hardest} "
        "with {variant}: {figure} of the turns on it cover it without a draw (n = {turns} turns)."
    ).format(
        number=often.index[0],
        often=int(often.iloc[0]),
        count=len(hardest),
        hardest=least["detail"],
        variant=shown_variant(least["variant"]),
        figure=tell(least),
        turns=localised(f"{least['cases']:,}"),
    )


def _stalls(table: pd.DataFrame) -> str:
    rows = table[table["measure"] == STALLED]
    most = row_with(rows, "most")
    if most["value"] == 0:
        return _(
            "Stalls: no round stalled, so fewer than {high} of each variant's rounds do (n = {games} games each)."
        ).format(high=localised(f"{100 * float(rows['high'].max()):.2g}%"), games=_n(most))
    return _("Stalls: rounds stall most with {variant}: {figure} of them (n = {games} games).").format(
        variant=shown_variant(most["variant"]), figure=tell(most), games=_n(most)
    )
