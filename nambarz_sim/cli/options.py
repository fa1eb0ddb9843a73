"""What the commands share: the options of the rules, and how their words are read."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from nambarz_sim._errors import as_number, cut, shown
from nambarz_sim.languages import LANGUAGES, in_language
from nambarz_sim.rules import OPTIONS, Rules


class Stopped(Exception):
    """Ctrl-C, with the notes on how far the work came, which typer would not hand on."""


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            raise Stopped("; ".join(["stopped", *getattr(stop, "__notes__", ())])) from None


def _speaking(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option `--lang`, and let it speak that language; one that has the option keeps its own."""
    parameters = inspect.signature(command, eval_str=True).parameters
    if "lang" in parameters:
        return command

    @functools.wraps(command)
    def spoken(*, lang: str | None, **given: Any) -> None:
        with in_language(lang):
            command(**given)

    added = inspect.Parameter("lang", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Lang)
    _sign(spoken, [*parameters.values(), added])
    return spoken


def _sign(function: Any, parameters: list[inspect.Parameter]) -> None:
    """Let typer see these parameters of a function that takes whatever it is given."""
    function.__signature__ = inspect.Signature(parameters)
    function.__annotations__ = {value.name: value.annotation for value in parameters}


class _App(typer.Typer):
    """The app: every command of it takes `--lang`."""

    def command(self, *args: Any, **options: Any) -> Callable[[Any], Any]:
        add = super().command(*args, **options)

        def added(command: Callable[..., None]) -> Callable[..., None]:
            add(_speaking(command))
            return command

        return added


app = _App(
    cls=_Commands,
    help="NAMBARZ, a card game of mental arithmetic: play it by the million, look into hands, follow a game.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def speak(ctx: typer.Context, lang: Lang = None) -> None:
    """Speak the language asked for before the command's name; the command's own `--lang` goes before it."""
    if lang is not None:
        ctx.with_resource(in_language(lang))


WHOLE_NUMBERS = ("players", "rounds", "hand_size", "decks", "max_cards", "penalty_cards", "turn_limit")
YES_OR_NO = ("unfinished_bonus", "teammates_see_hands")

Seed = Annotated[int, typer.Option(help="Which deals: a whole number from 0.")]
Hand = Annotated[str, typer.Option(help="The cards of the hand, with spaces or commas between them.")]
Active = Annotated[str, typer.Option(help="The active card, or an open wildcard such as change-number.")]
Played = Annotated[bool, typer.Option("--played", help="A play was made: only a replay may follow.")]
Strategies = Annotated[
    str,
    typer.Option(
        help="random, matcher, greedy, master, thrifty or planner (slow; planner:200 thinks less), or pupils who err, "
        "such as year-3, year-3:thrifty or 'year-3:greedy slip=0.2': one for all seats, or one a seat with commas."
    ),
]
Lang = Annotated[
    str | None,
    typer.Option(
        help=f"The language of what is told: {', '.join(LANGUAGES)}; else NAMBARZ_LANG, or the system's.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]


def with_rules(command: Callable[..., None]) -> Callable[..., None]:
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
        command(rules=_rules_chosen(chosen), **given)

    _sign(wrapped, [*own, *added])
    return wrapped


def _rules_chosen(chosen: dict[str, Any]) -> Rules:
    preset, file = chosen.pop("preset"), chosen.pop("rules_file")
    changes = read_rules({name: value for name, value in chosen.items() if value is not None})
    if preset and file:
        raise ValueError(f"preset: {preset!r} and rules_file: {file!r} are both given; give one of them")
    if preset:
        return Rules.preset(preset, **changes)
    return Rules.load(file).replace(**changes) if file else Rules(**changes)


def read_rules(changes: dict[str, Any]) -> dict[str, Any]:
    """Options of the rules whose values are written as words, as `Rules` takes them."""
    read = dict(changes)
    if "wildcards" in read:
        read["wildcards"] = _read_wildcards(read["wildcards"])
    if "team_sizes" in read:
        read["team_sizes"] = tuple(read_whole("team_sizes", size) for size in read["team_sizes"].split(","))
    return read


def _read_wildcards(text: str) -> object:
    if "=" in text:
        pairs = [part.partition("=") for part in text.split(",")]
        return {kind.strip(): read_whole(f"wildcards, {cut(kind.strip())}", count) for kind, _, count in pairs}
    return as_number(text)


def read_whole(name: str, text: str) -> int:
    """A whole number from its digits."""
    number = as_number(text)
    if isinstance(number, str):
        raise ValueError(f"{name}: {shown(text)} is not a whole number; give one, such as 2")
    return number


def read_strategies(text: str) -> str | list[str]:
    """One strategy for all seats, or one for each."""
    names = [name.strip() for name in text.split(",")]
    return names[0] if len(names) == 1 else names
