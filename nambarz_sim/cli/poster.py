"""The command `poster`: calculations, the rules or a deck on paper."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from nambarz_sim._errors import unknown_name
from nambarz_sim.cli.options import app, read_whole, with_rules
from nambarz_sim.languages import LANGUAGES, _, in_language
from nambarz_sim.rules import Rules

KINDS = ("calculations", "rules", "deck")


@app.command(epilog="Example: nambarz poster calculations --target 3 --operations +- --output poster.pdf")
@with_rules
def poster(
    rules: Rules,
    kind: Annotated[str, typer.Argument(help="calculations, rules or deck.", show_default=False)],
    output: Annotated[Path, typer.Option(help="The PDF file; a text file of the same content stands beside it.")],
    size: Annotated[str, typer.Option(help="The paper: A4, Letter or A3.")] = "A4",
    target: Annotated[
        str | None,
        typer.Option(help="For calculations: a number, or several with commas; all without.", show_default=False),
    ] = None,
    landscape: Annotated[
        bool, typer.Option("--landscape", help="For calculations and rules: long side below.")
    ] = False,
    backs: Annotated[bool, typer.Option("--backs/--no-backs", help="For a deck: the cards' backs, too.")] = True,
    lang: Annotated[str | None, typer.Option(help=f"The language: {', '.join(LANGUAGES)}.", show_default=False)] = None,
) -> None:
    """Print posters: all calculations with the fewest cards, the rules on one page, or a deck to cut."""
    if kind not in KINDS:
        raise ValueError(unknown_name("poster", kind, KINDS))
    if target is not None and kind != "calculations":
        raise ValueError(f"target: {target!r} is given for {kind}; it is for calculations only, so leave it out")
    if kind == "deck" and landscape:
        raise ValueError("landscape: it is given for a deck, which has a fixed layout; leave it out")
    if kind != "deck" and not backs:
        raise ValueError(f"backs: --no-backs is given for {kind}; it is for a deck only, so leave it out")
    from nambarz_sim.classroom.paper import output_files, paper_size
    from nambarz_sim.classroom.posters import calculations_poster, printed_deck, rules_poster

    output_files(output)
    with in_language(lang):
        paper_size(size)
        if kind == "calculations":
            targets = None if target is None else [read_whole("target", word) for word in target.split(",")]
            paper = calculations_poster(rules, targets, size, landscape=landscape)
        elif kind == "rules":
            paper = rules_poster(rules, size, landscape=landscape)
        else:
            paper = printed_deck(rules, size, backs=backs)
        file, beside = paper.save(output)
        print(_("{file} and {beside} written").format(file=file, beside=beside), file=sys.stderr)
