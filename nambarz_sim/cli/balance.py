"""The command `balance`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from nambarz_sim._errors import unknown_name
from nambarz_sim.cli.options import AsJson, Seed, app, read_rules, read_whole
from nambarz_sim.cli.output import as_text, check_place, output_format, say, write
from nambarz_sim.languages import _
from nambarz_sim.rules import Rules


@app.command(
    epilog='Example: nambarz balance --players 2,4 --wildcards none,beginner --operations "+-,+-*/" --games 1000 '
    "--report balance.html"
)
def balance(
    players: Annotated[str, typer.Option(help="Numbers of players, with commas.")] = "2,3,4,6",
    wildcards: Annotated[
        str, typer.Option(help="Levels or totals, with commas: none, beginner, experienced, top-level, 20.")
    ] = "none,beginner,experienced,top-level",
    operations: Annotated[str, typer.Option(help="Sets of operations, with commas.")] = "+-,+-*,+-*/",
    rules_file: Annotated[
        Path | None,
        typer.Option(
            help="What else all variants share: a TOML file, as `nambarz rules --toml` prints it. Without, the defaults, "
            "and rounds are cut after 1,000 turns.",
            show_default=False,
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each variant.")] = 10_000,
    extra_games: Annotated[
        int | None,
        typer.Option(
            help="Deals for skill and for operations left out; 2,000 at the most without.", show_default=False
        ),
    ] = None,
    seed: Seed = 1,
    strategy: Annotated[str, typer.Option(help="Who plays in all seats.")] = "greedy",
    skilled: Annotated[str, typer.Option(help="Whose share of wins tells how much skill counts.")] = "thrifty",
    among: Annotated[str, typer.Option(help="Who plays in the other seats then.")] = "random",
    measure: Annotated[
        str | None, typer.Option(help="Give the rows of this measure only, as CSV or JSON.", show_default=False)
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores without.", show_default=False)] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a report to this .html file, which opens offline.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write the table to this file, .csv or .json, instead.", show_default=False)
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play a grid of variants with the same deals: what seats, skill, wildcards and operations count for in each."""
    form = output_format(output, as_csv, as_json, "summary")
    if report is not None:
        check_place("report", report, (".html", ".htm"))
    from nambarz_sim.analysis.balance import balance as play
    from nambarz_sim.analysis.balance import variant_grid
    from nambarz_sim.analysis.balance_measures import MEASURES

    if measure is not None:
        if measure not in MEASURES:
            raise ValueError(unknown_name("measure", measure, MEASURES))
        form = form or "csv"
    grid = variant_grid(
        [read_whole("players", number) for number in players.split(",")],
        [_level(word.strip()) for word in wildcards.split(",")],
        operations.split(","),
        Rules.load(rules_file) if rules_file is not None else None,
    )
    found = play(grid, games, seed, strategy, skilled, among, extra_games, workers, progress=None)
    if report is not None:
        from nambarz_sim.reports.balance import write_balance_report

        write_balance_report(found, report, shlex.join(["nambarz", *sys.argv[1:]]))
        print(_("{file} written").format(file=report), file=sys.stderr)
    if form:
        table = found.table if measure is None else found.table[found.table["measure"] == measure]
        write(as_text(table, form), output)
    else:
        say(found)


def _level(word: str) -> Any:
    return word if word == "none" else read_rules({"wildcards": word})["wildcards"]
