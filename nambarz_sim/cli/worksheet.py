"""The command `worksheet`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from nambarz_sim.cli.options import app
from nambarz_sim.languages import _, in_language

_WITHOUT = {"show_default": False}


@app.command(
    epilog="Example: nambarz worksheet --level 3 --sheets 30 --tasks 10 --seed 7 --output sheets.pdf --size A4"
)
def worksheet(
    level: Annotated[str, typer.Option(help="1 to 6, roughly the years of primary school.")] = "3",
    sheets: Annotated[int, typer.Option(help="How many sheets, all different and equally difficult.")] = 1,
    tasks: Annotated[int, typer.Option(help="How many tasks a sheet has.")] = 10,
    kinds: Annotated[
        str | None,
        typer.Option(
            help="Only these kinds of task, with commas between: find-play, find-all, longest, exactly, complete, "
            "right-or-wrong, replay.",
            **_WITHOUT,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Which tasks: the same seed gives the same sheets.")] = 1,
    operations: Annotated[
        str | None, typer.Option(help="Other operations than the level's, some of +-*/.", **_WITHOUT)
    ] = None,
    steps: Annotated[
        str | None, typer.Option(help="Other results on the way: whole, integer or rational.", **_WITHOUT)
    ] = None,
    fewest_cards: Annotated[
        int | None, typer.Option(help="Fewest cards of the calculations in a hand.", **_WITHOUT)
    ] = None,
    most_cards: Annotated[
        int | None, typer.Option(help="Most cards of the calculations in a hand.", **_WITHOUT)
    ] = None,
    hand_size: Annotated[int | None, typer.Option(help="Cards of a hand.", **_WITHOUT)] = None,
    pictures: Annotated[
        bool | None, typer.Option("--pictures/--no-pictures", help="With picture cards, or none.", **_WITHOUT)
    ] = None,
    deck: Annotated[str | None, typer.Option(help="Name or CSV file of the deck.", **_WITHOUT)] = None,
    answers: Annotated[bool, typer.Option("--answers/--no-answers", help="Answers behind the sheets.")] = True,
    size: Annotated[str, typer.Option(help="A4 or Letter.")] = "A4",
    lang: Annotated[str | None, typer.Option(help="The sheets' language: en, es, fr or de.", **_WITHOUT)] = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Write a .pdf file and the text beside it; without, the text is printed.", **_WITHOUT),
    ] = None,
) -> None:
    """Make worksheets with answers: a sheet, or a set that gives each pupil another one of equal difficulty."""
    from nambarz_sim.classroom.levels import Level
    from nambarz_sim.classroom.paper import output_files, paper_size
    from nambarz_sim.classroom.worksheet_pages import PAPERS
    from nambarz_sim.classroom.worksheets import class_set
    from nambarz_sim.rules import Rules

    paper_size(size, PAPERS)
    if output is not None:
        output_files(output)
    own: dict[str, Any] = {
        "operations": operations, "steps": steps, "fewest_cards": fewest_cards, "most_cards": most_cards,
        "hand_size": hand_size, "pictures": pictures,
    }  # fmt: skip
    asked = Level.preset(level, **{name: value for name, value in own.items() if value is not None})
    rules = Rules() if deck is None else Rules(deck=deck)
    with in_language(lang):
        made = class_set(sheets, asked, kinds, tasks, seed, rules, lang, progress=_told(_("making the tasks")))
        if output is None:
            sys.stdout.write(f"{made.text(answers)}\n")
            return
        file, beside = made.save(output, size, answers, progress=_told(_("laying out the sheets")))
        print(_("{file} and {beside} written").format(file=file, beside=beside), file=sys.stderr)


def _told(what: str) -> Any:
    """A bar that shows how far the work is, in a terminal only."""
    from tqdm import tqdm

    bar = tqdm(desc=what, disable=None, leave=False)

    def told(done: int, of: int) -> None:
        bar.total = of
        bar.update(done - bar.n)
        if done == of:
            bar.close()

    return told
