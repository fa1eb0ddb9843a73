"""The command `nambarz`: parse, call, print."""

from __future__ import annotations

import functools
import inspect
import json
import os
import secrets
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nambarz_sim._errors import unknown_name, whole_number
from nambarz_sim.rules import OPTIONS, Rules
from nambarz_sim.rules import __doc__ as rules_in_prose

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.engine.plays import Play
    from nambarz_sim.events import Event

app = typer.Typer(
    help="NAMBARZ, a card game of mental arithmetic: play it by the million, look into hands, follow a game.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# The class of "no such option" and the like: Click's or, in later versions of typer, typer's own copy of it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

TABLES = ("summary", "games", "rounds", "players")
FORMATS = {".csv": "csv", ".json": "json"}
PICTURES = (".png", ".svg", ".pdf")
WHOLE_NUMBERS = ("players", "rounds", "hand_size", "decks", "max_cards", "penalty_cards", "turn_limit")
YES_OR_NO = ("unfinished_bonus", "teammates_see_hands")

Seed = Annotated[int, typer.Option(help="Which deals: a whole number from 0.")]
Hand = Annotated[str, typer.Option(help="The cards of the hand, with spaces or commas between them.")]
Active = Annotated[str, typer.Option(help="The active card, or an open wildcard such as change-number.")]
Played = Annotated[bool, typer.Option("--played", help="A play was made: only a replay may follow.")]
Strategies = Annotated[
    str,
    typer.Option(
        help="random, matcher, greedy, master or thrifty, or pupils who err, such as year-3, year-3:thrifty or "
        "'year-3:greedy slip=0.2': one for all seats, or one a seat with commas."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


def _with_rules(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Rules`, and the rules that they make as its argument `rules`."""
    names = {"preset": "start from a preset: " + ", ".join(Rules.presets())}
    names |= {"rules_file": "start from a TOML file, as `nambarz rules --toml` prints it"} | OPTIONS
    added = []
    for name, text in names.items():
        kind: Any = int if name in WHOLE_NUMBERS else bool if name in YES_OR_NO else str
        flag = f"--{name.replace('_', '-')}"
        flags = f"{flag}/--no-{flag[2:]}" if kind is bool else flag
        option = typer.Option(flags, help=f"{text[0].upper()}{text[1:]}.", show_default=False)
        added.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
            )
        )
    own = [value for value in inspect.signature(command, eval_str=True).parameters.values() if value.name != "rules"]

    @functools.wraps(command)
    def wrapped(**given: Any) -> None:
        chosen = {name: given.pop(name) for name in names}
        command(rules=_read_rules(chosen), **given)

    wrapped.__signature__ = inspect.Signature([*own, *added])  # type: ignore[attr-defined]
    wrapped.__annotations__ = {value.name: value.annotation for value in [*own, *added]}
    return wrapped


def _read_rules(chosen: dict[str, Any]) -> Rules:
    preset, file = chosen.pop("preset"), chosen.pop("rules_file")
    changes = {name: value for name, value in chosen.items() if value is not None}
    if preset and file:
        raise ValueError(f"preset: {preset!r} and rules_file: {file!r} are both given; give one of them")
    if "wildcards" in changes:
        changes["wildcards"] = _read_wildcards(changes["wildcards"])
    if "team_sizes" in changes:
        changes["team_sizes"] = tuple(_read_whole("team_sizes", size) for size in changes["team_sizes"].split(","))
    if preset:
        return Rules.preset(preset, **changes)
    return Rules.load(file).replace(**changes) if file else Rules(**changes)


def _read_wildcards(text: str) -> object:
    if "=" in text:
        pairs = [part.partition("=") for part in text.split(",")]
        return {kind.strip(): _read_whole(f"wildcards, {kind.strip()}", count) for kind, _, count in pairs}
    return int(text) if text.strip().isdecimal() else text


def _read_whole(name: str, text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError(f"{name}: {text!r} is not a whole number; give one, such as 2")
    return int(text)


def _read_strategies(text: str) -> str | list[str]:
    names = [name.strip() for name in text.split(",")]
    return names[0] if len(names) == 1 else names


@app.command(
    epilog="Example: nambarz simulate --players 6 --wildcards experienced --operations +- --games 20000 "
    "--strategies thrifty,greedy,greedy,greedy,greedy,greedy --table players --output players.csv"
)
@_with_rules
def simulate(
    rules: Rules,
    games: Annotated[int, typer.Option(help="How many games to play.")] = 10_000,
    seed: Seed = 1,
    strategies: Strategies = "greedy",
    workers: Annotated[int | None, typer.Option(help="Threads; all cores without.", show_default=False)] = None,
    table: Annotated[str, typer.Option(help="What to give: summary, games, rounds or players.")] = "summary",
    output: Annotated[
        Path | None, typer.Option(help="Write to this file, .csv or .json, instead.", show_default=False)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw how long rounds take, to a .png, .svg or .pdf file.", show_default=False)
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    as_json: AsJson = False,
) -> None:
    """Play many games and print how long they take, how often master strokes come, and who wins."""
    if table not in TABLES:
        raise ValueError(unknown_name("table", table, TABLES))
    form = _output_format(output, as_csv, as_json, table)
    if plot is not None:
        _check_place("plot", plot, PICTURES)
    from nambarz_sim.simulation.batch import simulate as play

    results = play(rules, games, seed, _read_strategies(strategies), workers=workers, progress=None)
    if plot is not None:
        from nambarz_sim.plots import plot_game_length

        plot_game_length(results).savefig(plot)
        print(f"{plot} written", file=sys.stderr)
    if not form:
        from nambarz_sim.analysis.summary import tell

        print(tell(results))
        return
    frame = results.summary().reset_index() if table == "summary" else getattr(results, table)
    _write(_as_text(frame, form), output)


def _output_format(output: Path | None, as_csv: bool, as_json: bool, table: str) -> str:
    """The format to write in; "" for a table to read. Everything is refused here, before any game is played."""
    if as_csv and as_json:
        raise ValueError("csv and json are both asked for; give one of them")
    asked = "csv" if as_csv else "json" if as_json else ""
    if output is None:
        return asked or ("" if table == "summary" else "csv")
    _check_place("output", output, () if asked else tuple(FORMATS))
    return asked or FORMATS[output.suffix.lower()]


def _check_place(option: str, file: Path, endings: tuple[str, ...]) -> None:
    """Refuse a file that cannot be written, before the work is done."""
    if endings and file.suffix.lower() not in endings:
        raise ValueError(f"{option}: {str(file)!r} does not end in {', '.join(endings)}; name it so")
    if file.is_dir() or not os.access(file.parent, os.W_OK):
        raise ValueError(
            f"{option}: {str(file)!r} cannot be written there; choose a file in a folder that you may write to"
        )


def _as_text(frame: pd.DataFrame, form: str) -> str:
    if form == "csv":
        return str(frame.to_csv(index=False, lineterminator="\n"))
    return str(frame.to_json(orient="records", indent=1)) + "\n"


def _write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(output)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise ValueError(f"output: {str(output)!r} cannot be written: {error.strerror}; choose another place") from None
    print(f"{output} written", file=sys.stderr)


@app.command(epilog='Example: nambarz plays --active 3bee --hand "10 4 2 7fish 4hen change-any"')
@_with_rules
def plays(
    rules: Rules,
    hand: Hand,
    active: Active,
    drawn: Annotated[
        str | None, typer.Option(help="The card drawn in this turn (one of the hand): only plays with it.")
    ] = None,
    played: Played = False,
    limit: Annotated[int | None, typer.Option(help="Print so many at the most.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """List every legal play of a hand, most cards first.

    A card is written 3 or 3bee, a wildcard change-number, change-picture, change-any or replay.
    """
    from nambarz_sim.engine.plays import find_plays

    found = find_plays(hand, active, rules, drawn=drawn, played=played, limit=limit)
    if as_json:
        print(json.dumps([_play_record(play) for play in found], indent=1))
        return
    if not found:
        print(f"No play on {active}: draw a card.")
    for play in found:
        stroke = f"   master stroke, {play.bonus} points" if play.bonus else ""
        cards = "1 card " if len(play.cards) == 1 else f"{len(play.cards)} cards"
        print(f"{cards:>8}  {play.kind:<11}  {play.expression}{stroke}")


def _play_record(play: Play) -> dict[str, Any]:
    cards = [str(card) for card in play.cards]
    return {"kind": play.kind, "cards": cards, "expression": play.expression, "bonus": play.bonus}


@app.command(epilog='Example: nambarz judge "6+5+2-10" --active 3bee --hand "6 5 2 10 8"')
@_with_rules
def judge(
    rules: Rules,
    attempt: Annotated[str, typer.Argument(help="A calculation, or cards in the order laid.", show_default=False)],
    hand: Hand,
    active: Active,
    drawn: Annotated[str | None, typer.Option(help="The card drawn in this turn (one of the hand).")] = None,
    played: Played = False,
    as_json: AsJson = False,
) -> None:
    """Say whether an attempt is legal, or which fault it is, what it costs, and why."""
    from nambarz_sim.verdict import judge as judge_attempt

    verdict = judge_attempt(attempt, hand, active, rules, drawn=drawn, played=played)
    better = verdict.better
    if as_json:
        record = {
            "legal": verdict.legal, "fault": verdict.fault, "mistake": verdict.mistake, "penalty": verdict.penalty,
            "laid": [str(card) for card in verdict.laid], "returned": [str(card) for card in verdict.returned],
            "bonus": verdict.bonus, "explanation": verdict.explanation, "better": better and _play_record(better),
            "position": verdict.position,
        }  # fmt: skip
        print(json.dumps(record, indent=1))
        return
    print(f"{'Legal' if verdict.legal else f'Fault ({verdict.fault})' if verdict.fault else 'No attempt'}.")
    if verdict.position is not None:
        print(f"  {attempt}\n  {' ' * verdict.position}^")
    print(verdict.explanation)
    if better:
        print(f"Better: {better} ({'1 card' if len(better.cards) == 1 else f'{len(better.cards)} cards'}).")


@app.command(epilog="Example: nambarz play --players 3 --strategies greedy,thrifty --seed 7")
@_with_rules
def play(
    rules: Rules,
    strategies: Annotated[
        str, typer.Option(help="The other players' strategies: one for all, or one for each of them with commas.")
    ] = "greedy",
    seed: Annotated[int | None, typer.Option(help="Which deal; any without.", show_default=False)] = None,
) -> None:
    """Play against the computer in the terminal; you have seat 0. Write help while you play."""
    from nambarz_sim.session import YOU, Session
    from nambarz_sim.terminal import play_game

    others = _read_strategies(strategies)
    others = [others] * (rules.players - 1) if isinstance(others, str) else others
    if len(others) != rules.players - 1:
        raise ValueError(
            f"strategies: {len(others)} are given for {rules.players - 1} other players; give one for all, or one for each"
        )
    seed = secrets.randbelow(2**31) if seed is None else seed
    session = Session(rules, seed=seed, seats=[YOU, *others])
    print(f"This is the deal of --seed {seed}.")
    try:
        play_game(session, input, print)
    except EOFError:
        print("The game is stopped.")


@app.command(epilog="Example: nambarz replay --seed 1 --game 17 --players 3 --strategies master,greedy,greedy")
@_with_rules
def replay(
    rules: Rules,
    game: Annotated[int, typer.Option(help="Which game of the batch, counted from 0.")] = 0,
    seed: Seed = 1,
    strategies: Strategies = "greedy",
    as_json: AsJson = False,
) -> None:
    """Tell one game of a batch move by move: the same seed, rules and strategies give the same game."""
    from nambarz_sim.session import Session

    session = Session(rules, seed=seed, game=game, seats=_read_strategies(strategies))
    session.advance()
    if as_json:
        print(json.dumps([_event_record(event) for event in session.log], indent=1))
        return
    turn = 0
    for event in session.log:
        marks_turn = event.seat >= 0 and event.act != "hand" and event.turn != turn
        turn = event.turn if marks_turn or event.act == "deal" else turn
        if event.act == "deal":
            turn = 0
            print()
        number = f"{event.turn:>4}." if marks_turn else "     "
        print(f"{number} {event.text}".rstrip())


def _event_record(event: Event) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name in event.__slots__:
        value = getattr(event, name)
        if isinstance(value, tuple):
            value = [item if isinstance(item, int) else str(item) for item in value]
        record[name] = value if isinstance(value, int | str | list) else str(value)
    return record


@app.command(epilog="Example: nambarz rules --preset experienced --players 6 --toml > my.toml")
@_with_rules
def rules(
    rules: Rules,
    toml: Annotated[bool, typer.Option("--toml", help="Print a rules file.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the rules in force: every option with its value, and every clause in words."""
    if toml:
        print(rules.to_toml(), end="")
    elif as_json:
        print(json.dumps(rules.to_dict(), indent=1))
    else:
        print("Options in force\n")
        for name, text in OPTIONS.items():
            value = getattr(rules, name)
            print(f"  {name} = {'none' if value is None else value}\n      {text}")
        print(f"\n{rules_in_prose}")


@app.command("app", epilog="Example: nambarz app --port 9000 --no-browser")
def show_lessons(
    port: Annotated[int, typer.Option(help="Where on this computer; a port near it if that is taken.")] = 8866,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the start page in the browser.")] = True,
) -> None:
    """Show the lessons as web pages without code, until Ctrl + C; only this computer can see them."""
    whole_number("port", port, 1, 65_535)
    needed = [name for name in ("voila", "anywidget", "ipywidgets") if find_spec(name) is None]
    if needed:
        raise ValueError(
            f"app: {needed[0]!r} is not installed; install it with: python -m pip install {' '.join(needed)}"
        )
    from nambarz_sim.app import serve

    serve(port, browser)


def main() -> None:
    """Run the command; bad input ends it with status 2 and one line, an interruption with 130."""
    try:
        status = app(standalone_mode=False)
    except _UsageError as error:
        _fail(error.format_message())  # type: ignore[attr-defined]
    except (ValueError, OverflowError) as error:
        _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        print("nambarz: stopped", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader of a pipe has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str) -> None:
    print(f"nambarz: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
