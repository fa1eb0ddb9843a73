"""The command `strokes`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nambarz_sim.cli.options import AsJson, Seed, app, with_rules
from nambarz_sim.cli.output import PICTURES, as_text, check_place, output_format, write
from nambarz_sim.languages import _, localised
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd


@app.command(epilog="Example: nambarz strokes --active 5 --hand-size 10 --simulate 100000")
@with_rules
def strokes(
    rules: Rules,
    active: Annotated[str, typer.Option(help="The active card, or any for a random one that is no wildcard.")] = "any",
    simulate: Annotated[int, typer.Option(help="Deal so many random hands, too, to compare.")] = 0,
    seed: Seed = 1,
    calculations: Annotated[
        bool, typer.Option("--calculations", help="Give the list of all minimal calculations instead, as CSV.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file, .csv or .json, instead.", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw it, to a .png, .svg or .pdf file.", show_default=False)
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print how likely a dealt hand holds a master stroke, exactly, or list all minimal calculations.

    The active card is taken out of the deck, and a hand of --hand-size cards is dealt from the rest.
    """
    form = output_format(output, as_csv, as_json, "calculations" if calculations else "summary")
    if plot is not None:
        check_place("plot", plot, PICTURES)
    if calculations:
        frame = _calculations(rules, plot)
    else:
        frame = _chances(rules, None if active.strip().lower() == "any" else active, simulate, seed, plot)
    write(as_text(frame, form) if form else _tell(frame), output)


def _calculations(rules: Rules, plot: Path | None) -> pd.DataFrame:
    from nambarz_sim.analysis.calculations import minimal_calculations

    frame = minimal_calculations(rules)
    if plot is not None:
        from nambarz_sim.plots import plot_calculations

        plot_calculations(frame).savefig(plot)
        print(_("{file} written").format(file=plot), file=sys.stderr)
    return frame


def _chances(rules: Rules, active: str | None, simulate: int, seed: int, plot: Path | None) -> pd.DataFrame:
    """The exact chances, with those of random hands beside them if they are asked for."""
    from nambarz_sim._errors import whole_number
    from nambarz_sim.analysis.strokes import simulated_stroke_chances, stroke_chances

    whole_number("simulate", simulate, 0, 2**40)
    exact = stroke_chances(rules, active)
    simulated = simulated_stroke_chances(rules, active, hands=simulate, seed=seed) if simulate else None
    if plot is not None:
        from nambarz_sim.plots import plot_stroke_chances

        plot_stroke_chances(exact, simulated).savefig(plot)
        print(_("{file} written").format(file=plot), file=sys.stderr)
    if simulated is None:
        return exact
    found = simulated[["hits", "hands", "chance", "low", "high"]].add_prefix("simulated_")
    return exact.join(found)


def _tell(frame: pd.DataFrame) -> str:
    """The chances as a page of text."""
    rows = frame.to_dict("records")
    first = rows[0]
    on = _("a random card") if first["active"] == "any" else first["active"]
    head = _("Hands of {size} cards on {card}: the chance of a master stroke (four cards or more).")
    lines = [head.format(size=first["hand_size"], card=on), ""]
    cards, chance, hands = _("cards"), _("chance"), _("1 hand of")
    line = f"{cards:>5}  {chance:>12}  {hands:>16}"
    compared = "simulated_chance" in first
    if compared:
        beside = _("in {hands} random hands, 95% interval").format(hands=localised(f"{first['simulated_hands']:,}"))
        line += f"  {beside:>46}"
    lines.append(line)
    for row in rows:
        often = localised(f"{1 / row['chance']:,.1f}") if row["chance"] else _("none")
        size = _("any") if row["cards"] == "any" else row["cards"]
        line = f"{size:>{max(5, len(cards))}}  {_percent(row['chance']):>{max(12, len(chance))}}  {often:>16}"
        if compared:
            share, low, high = (_percent(row[f"simulated_{name}"]) for name in ("chance", "low", "high"))
            beside = _("{value} ({low} to {high})").format(value=share, low=low, high=high)
            line += f"  {beside:>46}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def _percent(share: float) -> str:
    """A share in per cent with the digits that small chances need."""
    if share == 0:
        return localised("0%")
    return localised(f"{100 * share:.2f}%" if share >= 0.001 else f"{100 * share:.2g}%")
