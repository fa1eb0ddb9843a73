"""The command `compare`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nambarz_sim._errors import shown, unknown_name
from nambarz_sim.cli.options import (
    WHOLE_NUMBERS,
    YES_OR_NO,
    AsJson,
    Seed,
    Strategies,
    app,
    read_rules,
    read_strategies,
    read_whole,
    with_rules,
)
from nambarz_sim.cli.output import FORMATS, PICTURES, as_text, check_place, say, write
from nambarz_sim.languages import _
from nambarz_sim.rules import OPTIONS, Rules

if TYPE_CHECKING:
    from nambarz_sim.analysis.compare import Variant

ANSWERS = {"yes": True, "true": True, "no": False, "false": False}


@app.command(
    epilog='Example: nambarz compare beginner "short: preset=beginner hand_size=5" "plus and minus: operations=+-" '
    "--games 50000 --plot found.png"
)
@with_rules
def compare(
    rules: Rules,
    variants: Annotated[
        list[str],
        typer.Argument(
            help="Two or more: 'name: option=value option=value' with options of the rules and strategies=…, or the "
            "name of a preset, a strategy or a pupil.",
            show_default=False,
        ),
    ],
    games: Annotated[int, typer.Option(help="How many games of each.")] = 10_000,
    seed: Seed = 1,
    strategies: Strategies = "greedy",
    measure: Annotated[
        list[str] | None,
        typer.Option(help="Compare only this measure of the summary; may be given again.", show_default=False),
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores without.", show_default=False)] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the table to this file, .csv or .json, instead.", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw a forest plot, to a .png, .svg or .pdf file.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play variants with the same deals and print what differs, and how surely.

    The options of the rules hold for every variant that does not say otherwise.
    """
    if output is not None:
        check_place("output", output, tuple(FORMATS))
    if plot is not None:
        check_place("plot", plot, PICTURES)
    named: dict[str, Variant] = {}
    for text in variants:
        name, variant = read_variant(text, rules, strategies)
        if name in named:
            raise ValueError(f"variants: {name!r} is given twice; give every variant a name of its own")
        named[name] = variant
    from nambarz_sim.analysis.compare import compare as compare_variants

    found = compare_variants(named, games, seed, measures=measure or None, workers=workers, progress=None)
    if plot is not None:
        from nambarz_sim.plots import plot_comparison

        plot_comparison(found).savefig(plot)
        print(_("{file} written").format(file=plot), file=sys.stderr)
    if output is not None:
        write(as_text(found.table, FORMATS[output.suffix.lower()]), output)
    elif as_json:
        write(as_text(found.table, "json"), None)
    else:
        say(found)


def read_variant(text: str, rules: Rules, strategies: str) -> tuple[str, Variant]:
    """A variant and its name, from the words of the command line."""
    from nambarz_sim.analysis.compare import Variant
    from nambarz_sim.strategies.names import STRATEGIES, code_of
    from nambarz_sim.strategies.pupil import Pupil, is_pupil

    if "=" not in text:
        if text in Rules.presets():
            return text, Variant(Rules.preset(text), read_strategies(strategies))
        if code_of(text) is not None or is_pupil(text):
            return text, Variant(rules, text)
        known = [*Rules.presets(), *STRATEGIES, *Pupil.presets(), "'name: option=value'"]
        raise ValueError(unknown_name("variants", text, known))
    name, colon, options = text.partition(":")
    changes: dict[str, Any] = {}
    try:
        words = shlex.split(options if colon else text)
    except ValueError:
        raise ValueError(f"variants: {shown(text)} has a quotation mark that is never closed; close it") from None
    for word in words:
        option, _, value = word.partition("=")
        changes[option.replace("-", "_")] = value
    chosen = read_strategies(changes.pop("strategies", strategies))
    preset = changes.pop("preset", None)
    start = Rules.preset(preset) if preset else rules
    read = {option: _read_option(option, value) for option, value in changes.items()}
    return name.strip(), Variant(start.replace(**read_rules(read)), chosen)


def _read_option(option: str, value: str) -> object:
    """The value of an option of the rules, from its text."""
    if option not in OPTIONS:
        raise ValueError(unknown_name("variants, option", option, [*OPTIONS, "strategies", "preset"]))
    if option in YES_OR_NO:
        if value not in ANSWERS:
            raise ValueError(unknown_name(option, value, ANSWERS))
        return ANSWERS[value]
    return read_whole(option, value) if option in WHOLE_NUMBERS else value
