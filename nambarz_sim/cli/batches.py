"""The command `simulate`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nambarz_sim._errors import unknown_name
from nambarz_sim.cli.cluster import ADDRESS_HELP, players
from nambarz_sim.cli.options import AsJson, Seed, Strategies, app, read_strategies, with_rules
from nambarz_sim.cli.output import PICTURES, as_text, check_place, output_format, say, write
from nambarz_sim.languages import _
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    from nambarz_sim.simulation.results import Results

MEASURE = "turns a round, mean"
TABLES = ("summary", "games", "rounds", "players")

Workers = Annotated[int | None, typer.Option(help="Threads; all cores without.", show_default=False)]
Dask = Annotated[str | None, typer.Option(metavar="ADDRESS", help=ADDRESS_HELP, show_default=False)]
Table = Annotated[str, typer.Option(help="What to give: summary, games, rounds or players.")]
Output = Annotated[Path | None, typer.Option(help="Write to this file, .csv or .json, instead.", show_default=False)]
Plot = Annotated[
    Path | None, typer.Option(help="Draw how long rounds take, to a .png, .svg or .pdf file.", show_default=False)
]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]


@app.command(
    epilog="Example: nambarz simulate --players 6 --wildcards experienced --operations +- --games 20000 "
    "--strategies thrifty,greedy,greedy,greedy,greedy,greedy --table players --output players.csv"
)
@with_rules
def simulate(
    rules: Rules,
    games: Annotated[int, typer.Option(help="How many games to play, or with --half-width at the most.")] = 10_000,
    seed: Seed = 1,
    strategies: Strategies = "greedy",
    workers: Workers = None,
    dask: Dask = None,
    table: Table = "summary",
    output: Output = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Keep the games in this folder as they are played, more of them than memory holds, too; after Ctrl-C or a "
            "crash `nambarz resume` goes on.",
            show_default=False,
        ),
    ] = None,
    plot: Plot = None,
    half_width: Annotated[
        float | None,
        typer.Option(
            help="Play until the 95% interval of the measure reaches so far to each side, in its unit (0.01 is one "
            "percentage point of a share).",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[str, typer.Option(help="The measure of the summary that --half-width is about.")] = MEASURE,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
) -> None:
    """Play many games and print how long they take, how often master strokes come, and who wins."""
    form = _form(table, output, plot, as_csv, as_json)
    seats, closing = read_strategies(strategies), ""
    results: Results
    if half_width is not None and out is not None:
        raise ValueError("out: it goes with a number of games, and --half-width chooses its own; leave one of them out")
    with players(dask, workers) as (executor, workers):
        if half_width is None:
            from nambarz_sim.simulation.batch import simulate as play

            results = play(rules, games, seed, seats, workers, executor, progress=None, out=out)
        else:
            from nambarz_sim.analysis.precision import simulate_until

            found = simulate_until(rules, measure, half_width, seed, seats, games, workers, executor, progress=None)
            results, closing = found.results, str(found)
    _show(results, table, form, output, plot, closing)


@app.command(epilog="Example: nambarz resume runs/long")
def resume(
    folder: Annotated[Path, typer.Argument(help="The folder that `nambarz simulate --out` was given.")],
    workers: Workers = None,
    dask: Dask = None,
    table: Table = "summary",
    output: Output = None,
    plot: Plot = None,
    as_csv: AsCsv = False,
    as_json: AsJson = False,
) -> None:
    """Go on with a run in a folder after Ctrl-C or a crash, play damaged parts again, and print its statistics."""
    form = _form(table, output, plot, as_csv, as_json)
    from nambarz_sim.simulation.runs import resume as go_on

    with players(dask, workers) as (executor, workers):
        results = go_on(folder, workers, executor, progress=None)
    _show(results, table, form, output, plot)


def _form(table: str, output: Path | None, plot: Path | None, as_csv: bool, as_json: bool) -> str:
    """The format to write in; what cannot be given is refused before any game is played."""
    if table not in TABLES:
        raise ValueError(unknown_name("table", table, TABLES))
    if plot is not None:
        check_place("plot", plot, PICTURES)
    return output_format(output, as_csv, as_json, table)


def _show(results: Results, table: str, form: str, output: Path | None, plot: Path | None, closing: str = "") -> None:
    """Draw, print or write what was asked for."""
    if plot is not None:
        from nambarz_sim.plots import plot_game_length

        plot_game_length(results).savefig(plot)
        print(_("{file} written").format(file=plot), file=sys.stderr)
    if not form:
        from nambarz_sim.analysis.summary import tell

        say(tell(results))
        if closing:
            say(closing)
        return
    frame = results.summary().reset_index() if table == "summary" else getattr(results, table)
    write(as_text(frame, form), output)
