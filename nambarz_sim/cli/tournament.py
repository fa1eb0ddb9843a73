"""The command `tournament`, and how functions of one's own come into it from a file."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nambarz_sim._errors import unknown_name
from nambarz_sim.cli.options import AsJson, Seed, app, with_rules
from nambarz_sim.cli.output import PICTURES, as_text, check_place, output_format, say, write
from nambarz_sim.languages import _
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    from nambarz_sim.analysis.standings import Tournament
    from nambarz_sim.strategies import Strategy

TABLES = {"summary": "ratings", "ratings": "ratings", "differences": "differences", "pairs": "table", "seats": "seats"}
"""What the command can give, and where a `Tournament` has it."""


@app.command(
    epilog="Example: nambarz tournament greedy thrifty random --own my_strategies.py:careful --games 500 "
    "--plot payoffs.png"
)
@with_rules
def tournament(
    rules: Rules,
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            help="Names such as random, greedy, thrifty or planner:200, or pupils such as year-3:thrifty.",
            show_default=False,
        ),
    ] = None,
    own: Annotated[
        list[str] | None,
        typer.Option(
            help="A strategy of your own, file.py:function; the file is run. May be given again.", show_default=False
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="How many deals; each is played by all pairs in all seats.")] = 1_000,
    seed: Seed = 1,
    workers: Annotated[int | None, typer.Option(help="Threads; all cores without.", show_default=False)] = None,
    table: Annotated[
        str, typer.Option(help="What to give: summary, ratings, differences, pairs or seats.")
    ] = "summary",
    output: Annotated[
        Path | None, typer.Option(help="Write to this file, .csv or .json, instead.", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the payoff matrix, to a .png, .svg or .pdf file.", show_default=False)
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Let every strategy play against every other from every seat, and rank them."""
    if table not in TABLES:
        raise ValueError(unknown_name("table", table, TABLES))
    form = output_format(output, as_csv, as_json, table)
    if plot is not None:
        check_place("plot", plot, PICTURES)
    functions = [read_own(text) for text in own or []]
    found = _play([*(strategies or []), *functions], rules, games, seed, workers)
    if plot is not None and found.games:
        from nambarz_sim.plots import plot_payoffs

        plot_payoffs(found).savefig(plot)
        print(_("{file} written").format(file=plot), file=sys.stderr)
    if form:
        frame = getattr(found, TABLES[table])
        write(as_text(frame.reset_index() if frame.index.name else frame, form), output)
    else:
        say(found)


def read_own(text: str) -> Callable[..., Any]:
    """The function that ``file.py:function`` names; the file is run.

    Raises
    ------
    ValueError
        If the file or the function is not there, or the file cannot be run.
    """
    name, _, function = text.rpartition(":")
    file = Path(name)
    if not name or file.suffix != ".py" or not function:
        raise ValueError(f"own: {text!r} is not file.py:function; write it like my_strategies.py:careful")
    if not file.is_file():
        raise ValueError(f"own: {name!r} does not exist; give the path of your Python file")
    module = _run_file(file)
    found = getattr(module, function, None)
    if not callable(found):
        known = [each for each, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
        raise ValueError(unknown_name(f"own: function of {name}", function, known or ["none"]))
    return found  # type: ignore[no-any-return]


def _run_file(file: Path) -> Any:
    module_name = f"own_strategies_{file.stem}_{abs(hash(file.resolve())):x}"
    if module_name in sys.modules:  # two functions of one file
        return sys.modules[module_name]
    spec = spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"own: {str(file)!r} is no Python file; give one whose name ends in .py")
    module = module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[module_name]
        raise ValueError(f"own: {str(file)!r} cannot be run: {_told(error, {str(spec.origin)})}; correct it") from error
    return module


def _play(strategies: list[Strategy], rules: Rules, games: int, seed: int, workers: int | None) -> Tournament:
    """Play the tournament; an error in a function of one's own becomes one sentence."""
    from nambarz_sim.analysis.tournament import tournament as play

    files = {str(function.__code__.co_filename) for function in strategies if hasattr(function, "__code__")}
    try:
        return play(strategies, rules, games, seed, workers=workers, progress=None)
    except Exception as error:
        if _line_of(error, files) is None:
            raise
        raise ValueError(f"own: a strategy of yours does not work: {_told(error, files)}; correct it") from error


def _told(error: Exception, files: set[str]) -> str:
    """The error in a line, with the line of the files at which it came up."""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    # Numba opens with a line of its own for each function on the way to the error.
    lines = [line for line in said.splitlines() if line.strip() and not line.startswith("Failed in nopython mode")]
    line = _line_of(error, files)
    return f"{type(error).__name__}: {lines[0] if lines else 'no message'}" + (f", in line {line}" if line else "")


def _line_of(error: Exception, files: set[str]) -> int | None:
    """The line of the files that an error comes from; None where it comes from elsewhere."""
    if isinstance(error, SyntaxError):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename in files]
    for file in files:  # an error of the compiler names the line in its text
        lines += [int(line) for line in re.findall(rf'{re.escape(Path(file).name)}", line (\d+)', str(error))[:1]]
    return lines[-1] if lines else None
