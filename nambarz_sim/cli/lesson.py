"""The command `lesson`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from nambarz_sim.cli.options import AsJson, Seed, app, read_rules
from nambarz_sim.cli.output import PICTURES, check_place, say
from nambarz_sim.languages import _

_WITHOUT = {"show_default": False}


@app.command(epilog="Example: nambarz lesson --minutes 60 --pupils 27 --operations +- --school-year 4 --most-tables 8")
def lesson(
    minutes: Annotated[int, typer.Option(help="The length of the lesson.")] = 45,
    pupils: Annotated[int, typer.Option(help="How many pupils there are.")] = 27,
    operations: Annotated[str, typer.Option(help="The operations to practise, some of +-*/.")] = "+-*/",
    wildcards: Annotated[
        str | None,
        typer.Option(help="beginner, experienced, top-level, a total or counts; every level without.", **_WITHOUT),
    ] = None,
    school_year: Annotated[
        int | None,
        typer.Option(help="The simulated pupils play and err like year 1 to 6; practised without.", **_WITHOUT),
    ] = None,
    strategy: Annotated[
        str | None, typer.Option(help="Or how they play: greedy, thrifty, 'year-3 slip=0.2' and so on.", **_WITHOUT)
    ] = None,
    timings: Annotated[
        str | None,
        typer.Option(
            help="Seconds of your own, such as 'match=6 calculation=15', or a reading of the rulebooks: six players, "
            "four players.",
            **_WITHOUT,
        ),
    ] = None,
    most_tables: Annotated[int | None, typer.Option(help="As many tables as you have decks.", **_WITHOUT)] = None,
    reserve: Annotated[int, typer.Option(help="Minutes for explaining and tidying up.")] = 10,
    chance: Annotated[float, typer.Option(help="How likely all tables are to finish in time.")] = 0.9,
    games: Annotated[int, typer.Option(help="Games played for each size of table and variant.")] = 1_000,
    seed: Seed = 1,
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw when the last table is done, to a .png, .svg or .pdf file.", **_WITHOUT),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Plan a lesson: tables, variant and rounds that end in time, and the arithmetic that a pupil gets through."""
    if plot is not None:
        check_place("plot", plot, PICTURES)
    from nambarz_sim.analysis.lesson import plan_lesson

    plan = plan_lesson(
        minutes=minutes,
        pupils=pupils,
        operations=operations,
        wildcards=None if wildcards is None else read_rules({"wildcards": wildcards})["wildcards"],
        school_year=school_year,
        strategies=strategy,
        timings=timings,
        most_tables=most_tables,
        reserve=reserve,
        chance=chance,
        games=games,
        seed=seed,
    )
    if plot is not None:
        from nambarz_sim.plots import plot_lesson_time

        plot_lesson_time(plan).savefig(plot)
        print(_("{file} written").format(file=plot), file=sys.stderr)
    say(json.dumps(plan.to_dict(), indent=1, default=float) if as_json else plan)
