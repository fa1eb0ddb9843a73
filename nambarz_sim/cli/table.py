"""The commands at a table: `plays`, `judge`, `play`, `replay`, `rules` and `app`."""

from __future__ import annotations

import json
import secrets
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nambarz_sim._errors import whole_number
from nambarz_sim.cli.options import (
    Active,
    AsJson,
    Hand,
    Lang,
    Played,
    Seed,
    Strategies,
    app,
    read_strategies,
    with_rules,
)
from nambarz_sim.cli.output import say
from nambarz_sim.languages import _, in_language, plural
from nambarz_sim.rules import OPTIONS, Rules
from nambarz_sim.rules import __doc__ as rules_in_prose

if TYPE_CHECKING:
    from nambarz_sim.engine.plays import Play
    from nambarz_sim.events import Event
    from nambarz_sim.verdict import Verdict


@app.command(epilog='Example: nambarz plays --active 3bee --hand "10 4 2 7fish 4hen change-any"')
@with_rules
def plays(
    rules: Rules,
    hand: Hand,
    active: Active,
    drawn: Annotated[
        str | None, typer.Option(help="The card drawn in this turn (one of the hand): only plays with it.")
    ] = None,
    played: Played = False,
    limit: Annotated[int | None, typer.Option(help="Print so many at the most.", show_default=False)] = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """List every legal play of a hand, most cards first.

    A card is written 3 or 3bee, a wildcard change-number, change-picture, change-any or replay, or by its name in Spanish,
    French or German.
    """
    from nambarz_sim.engine.plays import find_plays

    with in_language(lang):
        found = find_plays(hand, active, rules, drawn=drawn, played=played, limit=limit)
        if as_json:
            print(json.dumps([_play_record(play) for play in found], indent=1))
        elif found:
            _print_plays(found)
        else:
            say(_("No play on {active}: draw a card.").format(active=active))


def _print_plays(plays: list[Play]) -> None:
    """Each play in a line: how many cards, which kind, the calculation, its points."""
    from nambarz_sim.arithmetic.shown import shown
    from nambarz_sim.event_words import count_cards
    from nambarz_sim.terminal import kind_of_play

    # So that the words stand below each other: one letter more where there are several cards.
    words = [count_cards(len(play.cards)).ljust(len(count_cards(2))) for play in plays]
    kinds = [kind_of_play(play.kind) for play in plays]
    wide, wider = max(8, *map(len, words)), max(11, *map(len, kinds))
    for play, cards, kind in zip(plays, words, kinds, strict=True):
        stroke = ""
        if play.bonus:
            told = plural("master stroke, {count} point", "master stroke, {count} points", play.bonus)
            stroke = f"   {told.format(count=play.bonus)}"
        print(f"{cards:>{wide}}  {kind:<{wider}}  {shown(play.expression)}{stroke}")


def _play_record(play: Play) -> dict[str, Any]:
    cards = [str(card) for card in play.cards]
    return {"kind": play.kind, "cards": cards, "expression": play.expression, "bonus": play.bonus}


@app.command(epilog='Example: nambarz judge "6+5+2-10" --active 3bee --hand "6 5 2 10 8"')
@with_rules
def judge(
    rules: Rules,
    attempt: Annotated[str, typer.Argument(help="A calculation, or cards in the order laid.", show_default=False)],
    hand: Hand,
    active: Active,
    drawn: Annotated[str | None, typer.Option(help="The card drawn in this turn (one of the hand).")] = None,
    played: Played = False,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Say whether an attempt is legal, or which fault it is, what it costs, and why."""
    from nambarz_sim.verdict import judge as judge_attempt

    with in_language(lang):
        verdict = judge_attempt(attempt, hand, active, rules, drawn=drawn, played=played)
        if as_json:
            better = verdict.better
            record = {
                "legal": verdict.legal, "fault": verdict.fault, "mistake": verdict.mistake, "penalty": verdict.penalty,
                "laid": [str(card) for card in verdict.laid], "returned": [str(card) for card in verdict.returned],
                "bonus": verdict.bonus, "explanation": verdict.explanation, "better": better and _play_record(better),
                "position": verdict.position,
            }  # fmt: skip
            print(json.dumps(record, indent=1))
        else:
            _print_verdict(verdict, attempt)


def _print_verdict(verdict: Verdict, attempt: str) -> None:
    from nambarz_sim.arithmetic.shown import shown
    from nambarz_sim.event_words import count_cards

    if verdict.legal:
        print(_("Legal."))
    else:
        print(_("Fault ({clause}).").format(clause=verdict.fault) if verdict.fault else _("No attempt."))
    if verdict.position is not None:
        say(f"  {attempt}\n  {' ' * verdict.position}^")
    say(verdict.explanation)
    if better := verdict.better:
        told = _("Better: {play} ({cards}).")
        print(told.format(play=shown(better.expression), cards=count_cards(len(better.cards))))


@app.command(epilog="Example: nambarz play --players 3 --strategies greedy,thrifty --seed 7")
@with_rules
def play(
    rules: Rules,
    strategies: Annotated[
        str, typer.Option(help="The other players' strategies: one for all, or one for each of them with commas.")
    ] = "greedy",
    seed: Annotated[int | None, typer.Option(help="Which deal; any without.", show_default=False)] = None,
    lang: Lang = None,
) -> None:
    """Play against the computer in the terminal; you have seat 0. Write help while you play."""
    from nambarz_sim.session import YOU, Session
    from nambarz_sim.terminal import play_game

    others = read_strategies(strategies)
    others = [others] * (rules.players - 1) if isinstance(others, str) else others
    if len(others) != rules.players - 1:
        raise ValueError(
            f"strategies: {len(others)} are given for {rules.players - 1} other players; give one for all, or one for each"
        )
    seed = secrets.randbelow(2**31) if seed is None else seed
    with in_language(lang):
        session = Session(rules, seed=seed, seats=[YOU, *others])
        print(_("This is the deal of --seed {seed}.").format(seed=seed))
        try:
            play_game(session, input, say)
        except EOFError:
            print(_("The game is stopped."))


@app.command(epilog="Example: nambarz replay --seed 1 --game 17 --players 3 --strategies master,greedy,greedy")
@with_rules
def replay(
    rules: Rules,
    game: Annotated[int, typer.Option(help="Which game of the batch, counted from 0.")] = 0,
    seed: Seed = 1,
    strategies: Strategies = "greedy",
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Tell one game of a batch move by move: the same seed, rules and strategies give the same game."""
    from nambarz_sim.session import Session

    session = Session(rules, seed=seed, game=game, seats=read_strategies(strategies), lang=lang)
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
        say(f"{number} {event.text}".rstrip())


def _event_record(event: Event) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name in event.__slots__:
        if name == "lang":  # what the texts are in was asked for
            continue
        value = getattr(event, name)
        if isinstance(value, tuple):
            value = [item if isinstance(item, int) else str(item) for item in value]
        record[name] = value if isinstance(value, int | str | list) else str(value)
    return record


@app.command(epilog="Example: nambarz rules --preset experienced --players 6 --toml > my.toml")
@with_rules
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
            say(f"  {name} = {'none' if value is None else value}\n      {text}")
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
