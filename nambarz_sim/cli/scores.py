"""The commands `scores print`, `scores template` and `scores check`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nambarz_sim._errors import whole_number
from nambarz_sim.cli.options import Seed, Strategies, app, read_strategies, with_rules
from nambarz_sim.cli.output import check_place, say
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    from nambarz_sim.classroom.score_sheets import ScoreSheet

scores = typer.Typer(
    help="Score sheets of a class: to print, to fill in a spreadsheet, and to check.",
    epilog="Example: nambarz scores print --output sheet.pdf --names Ana,Ben,Chloé --rounds 3",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(scores, name="scores")

Names = Annotated[str | None, typer.Option(help="The players, with commas between them.", show_default=False)]
Teams = Annotated[str | None, typer.Option(help="The names of the teams, with commas.", show_default=False)]
Lang = Annotated[
    str | None, typer.Option(help="en, es, fr or de; NAMBARZ_LANG or the system's without.", show_default=False)
]
_FILE = {"show_default": False}


@scores.command(
    "print", epilog='Example: nambarz scores print --output sheet.pdf --names "Ana,Ben,Chloé" --rounds 3 --size letter'
)
@with_rules
def print_sheet(
    rules: Rules,
    context: typer.Context,
    output: Annotated[
        Path, typer.Option(help="The file, .pdf; a .txt with the same content stands beside it.", **_FILE)
    ],
    names: Names = None,
    teams: Teams = None,
    size: Annotated[str, typer.Option(help="A4 or Letter.")] = "A4",
    lang: Lang = None,
) -> None:
    """Make an empty score sheet to print.

    Without --players there are as many as names.
    """
    from nambarz_sim.classroom.score_print import score_sheet

    rules, players = _rules_for(rules, context, names)
    paper = score_sheet(rules, players, lang, _listed(teams), size)
    for file in paper.save(output):
        print(f"{file} written", file=sys.stderr)


@scores.command(
    epilog='Example: nambarz scores template --output class.csv --names "Ana,Ben,Chloé" --rounds 3 --lang fr'
)
@with_rules
def template(
    rules: Rules,
    context: typer.Context,
    output: Annotated[Path, typer.Option(help="The file, .csv.", **_FILE)],
    names: Names = None,
    teams: Teams = None,
    lang: Lang = None,
) -> None:
    """Make an empty score sheet to fill in a spreadsheet.

    Only names, places and master strokes must be filled in.
    """
    from nambarz_sim.classroom.score_sheets import ScoreSheet

    rules, players = _rules_for(rules, context, names)
    file = ScoreSheet.template(rules, players, _listed(teams), lang).to_csv(output, lang)
    print(f"{file} written", file=sys.stderr)


@scores.command(
    epilog="Example: nambarz scores check class.csv --operations +- --simulate 2000",
)
@with_rules
def check(
    rules: Rules,
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A filled score sheet, as a spreadsheet saves it.", **_FILE)],
    names: Names = None,
    simulate: Annotated[int, typer.Option(help="Lay it beside so many simulated games by the same rules.")] = 0,
    strategies: Strategies = "greedy",
    seed: Seed = 1,
    output: Annotated[
        Path | None, typer.Option(help="Write the sheet with all points and totals to this file, .csv.", **_FILE)
    ] = None,
    lang: Lang = None,
) -> None:
    """Check a filled score sheet, and print who stands where; or all that is wrong, with exit status 2.

    Without options of the rules, there are as many players, teams and rounds as in the file.
    """
    whole_number("simulate", simulate, 0, 2**40)
    if output is not None:
        check_place("output", output, (".csv",))
    from nambarz_sim.classroom.score_check import read_scores
    from nambarz_sim.classroom.score_grid import ScoreProblems

    try:
        sheet = read_scores(file, rules, _listed(names), lang, _given(context))
    except ScoreProblems as problems:
        print(f"nambarz: {problems}", file=sys.stderr)
        raise typer.Exit(2) from None
    told = [sheet.standings(lang).to_string(index=False), "", sheet.state(lang)]
    if simulate:
        told += ["", _beside(sheet, simulate, strategies, seed, lang)]
    if output is not None:
        print(f"{sheet.to_csv(output, lang)} written", file=sys.stderr)
    say("\n".join(told))


def _rules_for(rules: Rules, context: typer.Context, names: str | None) -> tuple[Rules, list[str] | None]:
    """The rules, for as many players as there are names where their number is not given; and the names."""
    players = _listed(names)
    if players is not None and "players" not in _given(context):
        rules = rules.replace(players=len(players))
    return rules, players


def _given(context: typer.Context) -> list[str]:
    """Which counts of the rules are given, by options or a file."""
    from nambarz_sim.classroom.score_check import COUNTS

    given = [name for name in COUNTS if context.params.get(name) is not None]
    whole = context.params.get("rules_file") is not None
    return list(COUNTS) if whole else [*given, "players"] if "team_sizes" in given else given


def _listed(names: str | None) -> list[str] | None:
    return None if names is None else [name.strip() for name in names.split(",") if name.strip()]


def _beside(sheet: ScoreSheet, games: int, strategies: str, seed: int, lang: str | None) -> str:
    from nambarz_sim.classroom.score_compare import compare_scores
    from nambarz_sim.simulation.batch import simulate

    results = simulate(
        sheet.played_rules, games=games, seed=seed, strategies=read_strategies(strategies), progress=None
    )
    return str(compare_scores(sheet, results, lang))
