"""A balance as one HTML file: it opens offline, on a phone and on paper, and holds no scripts and no outside addresses."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nambarz_sim._errors import printable
from nambarz_sim._version import __version__
from nambarz_sim.analysis.balance_findings import SURE, tell
from nambarz_sim.analysis.balance_measures import (
    BY_STROKES,
    COVERED,
    CUT,
    DEALT,
    DEVIATION,
    ENDLESS_WITHOUT,
    FIRST,
    LEAD,
    MEASURES,
    POINTS,
    SKILLED,
    SPREAD,
    STALLED,
    STRENGTH,
    STROKES,
    STROKES_WITHOUT,
    TURNS,
    TURNS_WITHOUT,
    WON,
    WORTH,
)
from nambarz_sim.analysis.wording import games as games_in_words
from nambarz_sim.analysis.wording import shown, shown_variant
from nambarz_sim.analysis.wording import variants as variants_in_words
from nambarz_sim.languages import N_, _, choose_language, in_language, localised
from nambarz_sim.plots.balance import plot_grid, plot_numbers, plot_operations, plot_turn_order, plot_wildcards_dealt
from nambarz_sim.rules import OPTIONS, Rules

if TYPE_CHECKING:
    from nambarz_sim.analysis.balance import Balance
    from nambarz_sim.plots.figure import NotebookFigure

_STYLE = """
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem }
body { color: #222; background: #fff }
h1, h2 { line-height: 1.2 } h2 { margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem }
li { margin: .4rem 0 } figure { margin: 1.5rem 0 } img { max-width: 100%; height: auto }
figcaption, .note { color: #555; font-size: .9rem } code { overflow-wrap: anywhere }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
caption { text-align: left; padding: .3rem 0; color: #555 }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left } summary { cursor: pointer; font-weight: 600; padding: .4rem 0 }
@media screen and (max-width: 44rem) { figure { overflow-x: auto } img { max-width: none; width: 44rem } }
@media print { details > * { display: block } .wide { overflow: visible } figure, tr { break-inside: avoid }
  table { font-size: .6rem } th, td { white-space: normal; padding: .1rem .3rem } body { max-width: none } }
"""

_PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (N_("Seats"), (FIRST, WON, POINTS)),
    (N_("Skill and luck"), (STRENGTH, SKILLED)),
    (N_("Points"), (SPREAD, DEVIATION, BY_STROKES)),
    (N_("The lead"), (LEAD,)),
    (N_("Wildcards"), (WORTH, DEALT)),
    (N_("Operations"), (TURNS_WITHOUT, STROKES_WITHOUT, ENDLESS_WITHOUT)),
    (N_("Numbers"), (COVERED,)),
    (N_("Length and endings"), (TURNS, STROKES, STALLED, CUT)),
)
"""The report's parts, and the measures whose tables each has."""

_Draw = Callable[["Balance"], "NotebookFigure"]


def write_balance_report(balance: Balance, path: str | Path, command: str = "", lang: str | None = None) -> None:
    """Write a balance to one HTML file, the whole of it or none.

    Parameters
    ----------
    balance
        What `nambarz_sim.balance` gave.
    path
        The file.
    command
        How to repeat it, if not by calling `nambarz_sim.balance`.
    lang
        The language, as `nambarz_sim.languages.choose_language` takes it.

    Raises
    ------
    ValueError
        If no variant was finished, or the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from nambarz_sim import balance, variant_grid
    >>> found = balance(variant_grid((2,), ("beginner",), ("+-",)), games=50, progress=False)
    >>> with TemporaryDirectory() as folder:
    ...     write_balance_report(found, Path(folder) / "balance.html")
    ...     (Path(folder) / "balance.html").read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    if balance.table.empty:
        raise ValueError("balance: no variant was finished, so there is nothing to report; let it play longer")
    path = Path(path)
    with in_language(lang):
        text = "\n".join(_page(balance, command)) + "\n"
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise ValueError(f"path: {str(path)!r} cannot be written: {error.strerror}; choose another place") from None


def _page(balance: Balance, command: str) -> Iterator[str]:
    yield "<!doctype html>"
    yield f'<html lang="{choose_language()}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    title = _text(_("Variant balance of NAMBARZ"))
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body><main>"
    yield f"<h1>{title}</h1>"
    yield _paragraph(
        _(
            "{variants}, {games} each with the same deals. In brackets stands the 95% interval of each figure; n is how "
            "many games are behind it."
        ).format(variants=variants_in_words(len(balance.variants)), games=games_in_words(balance.games))
    )
    yield _heading(_("What stands out")) + "<ul>"
    yield from (f"<li>{_text(sentence)}</li>" for sentence in balance.findings())
    yield "</ul>"
    for title, measures in _PARTS:
        yield from _part(balance, title, measures)
    yield from _how(balance, command)
    yield "</main></body></html>"


def _part(balance: Balance, title: str, measures: tuple[str, ...]) -> Iterator[str]:
    """A heading, what its measures mean, figures, and the tables folded up."""
    yield _heading(_(title)) + "<ul>"
    for name in measures:
        told = _("{measure}: {meaning}").format(
            measure=f"<b>{_text(shown(name))}</b>", meaning=_text(_(MEASURES[name]))
        )
        yield f"<li>{told}</li>"
    yield "</ul>"
    if title == "Seats":
        yield _paragraph(_seats(balance))
    for draw in _FIGURES[title]:
        with suppress(ValueError):  # no variant has it: no wildcards, or one operation only
            yield _figure(draw(balance))
    yield from (_table(balance, name) for name in measures)


def _grid(measure: str) -> _Draw:
    return lambda balance: plot_grid(balance, measure)


_FIGURES: dict[str, tuple[_Draw, ...]] = {
    "Seats": (_grid(FIRST), plot_turn_order),
    "Skill and luck": (_grid(STRENGTH),),
    "Points": (_grid(SPREAD), _grid(BY_STROKES)),
    "The lead": (_grid(LEAD),),
    "Wildcards": (_grid(WORTH), plot_wildcards_dealt),
    "Operations": (plot_operations,),
    "Numbers": (plot_numbers,),
    "Length and endings": (_grid(TURNS), _grid(STROKES)),
}


def _seats(balance: Balance) -> str:
    clear = sum(p_value < SURE / len(balance.seats) for p_value in balance.seats.values())
    return _(
        "Whether turn order decides who wins is tested for each variant by Pearson's chi-square; with the level {level} "
        "over all of them (Bonferroni) it does in {clear} of {count}."
    ).format(level=localised(f"{SURE:.0%}"), clear=clear, count=len(balance.seats))


def _figure(figure: NotebookFigure) -> str:
    data = b64encode(figure.picture("png", dpi=150)).decode("ascii")
    width, height = (int(100 * inches) for inches in figure.get_size_inches())
    text = _text(figure.description)
    size = f'width="{width}" height="{height}"'
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{text}" {size}><figcaption>{text}</figcaption></figure>'
    )


def _table(balance: Balance, measure: str) -> str:
    """A line a variant, a column a detail."""
    rows = balance.table[balance.table["measure"] == measure].to_dict("records")
    if not rows:
        return ""
    details = list(dict.fromkeys(row["detail"] for row in rows))
    cells = {(row["variant"], row["detail"]): row for row in rows}
    name, unit = shown(measure), shown(str(rows[0]["unit"]))
    head = "".join(f'<th scope="col">{_text(shown(str(detail)) or unit)}</th>' for detail in details)
    lines = []
    for variant in dict.fromkeys(row["variant"] for row in rows):
        known = [cells.get((variant, detail)) for detail in details]
        games = max(row["games"] for row in known if row)
        figures = "".join(f"<td>{_text(_cell(row, measure)) if row else ''}</td>" for row in known)
        title, count = _text(shown_variant(str(variant))), localised(f"{games:,}")
        lines.append(f'<tr><th scope="row">{title}</th>{figures}<td>{count}</td></tr>')
    summary = _("{measure}: the table").format(measure=name)
    caption = _("{measure}, {unit}, with 95% intervals").format(measure=name, unit=unit)
    first, last = (f'<th scope="col">{_text(title)}</th>' for title in (_("variant"), _("n (games)")))
    return (
        f'<details><summary>{_text(summary)}</summary><div class="wide"><table><caption>{_text(caption)}</caption>'
        f"<thead><tr>{first}{head}{last}</tr></thead><tbody>{''.join(lines)}</tbody></table></div></details>"
    )


def _cell(row: dict[Any, Any], measure: str) -> str:
    """A figure, and where the games do not tell them, the hands behind it."""
    if measure != DEALT:
        return tell(row)
    return _("{figure}, n = {count} hands").format(figure=tell(row), count=localised(f"{row['cases']:,}"))


def _how(balance: Balance, command: str) -> Iterator[str]:
    yield _heading(_("How it was played"))
    yield _paragraph(
        _(
            "All seats play {strategy}, {games} games a variant, seed {seed}, nambarz_sim {version}. Skill: one {skilled} "
            "player among {among} ones, {deals} deals, each played once with the skilled player in every seat. Operations "
            "left out: the first {deals} deals, played by {strategy}. Games are the independent units of all intervals; "
            "extra rounds after ties are left out."
        ).format(
            strategy=balance.strategy,
            games=localised(f"{balance.games:,}"),
            seed=balance.seed,
            version=__version__,
            skilled=balance.skilled,
            among=balance.among,
            deals=localised(f"{balance.extra_games:,}"),
        )
    )
    if balance.left_out:
        yield _paragraph(_("Left out:")) + "<ul>"
        for name, reason in balance.left_out.items():
            yield f"<li>{_text(shown_variant(name))}: {_text(_(reason))}</li>"
        yield "</ul>"
    yield _paragraph(_("Rules that all variants share:")) + "<ul>"
    for name, value in _shared(list(balance.variants.values())).items():
        yield f"<li>{_text(name)} = {_text(str(value))}: {_text(_(OPTIONS[name]))}</li>"
    yield "</ul>"
    again = command or (
        f"balance(variants, games={balance.games}, seed={balance.seed}, strategy={balance.strategy!r}, "
        f"skilled={balance.skilled!r}, among={balance.among!r}, extra_games={balance.extra_games})"
    )
    yield _paragraph(_("To repeat it:")) + f"<pre><code>{_text(again)}</code></pre>"


def _shared(variants: list[Rules]) -> dict[str, Any]:
    """The options that are the same in all variants."""
    options = [rules.to_dict() for rules in variants]
    return {name: value for name, value in options[0].items() if all(each[name] == value for each in options)}


def _text(text: str) -> str:
    """A text that may be anybody's: markup escaped, and what a browser would hide or obey shown as an escape."""
    return escape(printable(text))


def _heading(text: str) -> str:
    return f"<h2>{_text(text)}</h2>"


def _paragraph(text: str) -> str:
    return f"<p>{_text(text)}</p>"
