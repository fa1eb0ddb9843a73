"""Names and texts of others where they are shown: in pages, pictures, tables, widgets and terminals they stay text."""

from __future__ import annotations

import base64
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import nambarz_sim
from nambarz_sim import Deck, Rules, balance, cli, compare, simulate, tournament
from nambarz_sim.analysis.minutes import Timings
from nambarz_sim.card_pictures import card_svg, draw_cards
from nambarz_sim.cards import Card
from nambarz_sim.cli.output import say
from nambarz_sim.plots import NotebookFigure, plot_comparison, plot_payoffs, plot_ratings
from nambarz_sim.plots.balance import plot_grid
from nambarz_sim.plots.figure import new_figure
from nambarz_sim.reports.balance import write_balance_report
from nambarz_sim.widgets.lesson_planner import LessonPlanner

NASTY = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "$\\frac{", "$x$ and $y$", "\x1b[31mred",
    "\u202eright to left", "\x9b2J", "&amp;", "'; --", "]]>",
]  # fmt: skip
FIRST, SECOND = f"{NASTY[0]} $\\frac{{", "\x1b[31m \u202eright to left &amp;"
WIDGETS = Path(nambarz_sim.__file__).parent / "widgets"


class Elements(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_is_harmless(page: str) -> Elements:
    """No script, no listener, and no letter that a browser obeys or hides."""
    elements = Elements(page)
    assert "script" not in [tag for tag, _ in elements.found]
    assert not [name for _, attributes in elements.found for name in attributes if name.startswith("on")]
    assert all(str(attributes["src"]).startswith("data:image/") for tag, attributes in elements.found if tag == "img")
    assert all(line.isprintable() for line in page.split("\n"))
    return elements


# Pages


@pytest.fixture(scope="module")
def balanced() -> Any:
    rules = Rules(players=2, operations="+-", turn_limit=200)
    return balance({FIRST: rules, SECOND: rules.replace(wildcards=0)}, games=20, progress=False)


def test_the_balance_report_shows_names_as_text(balanced: Any, tmp_path: Path) -> None:
    found = replace(balanced, left_out={NASTY[0]: NASTY[1]}, strategy=NASTY[0], among=NASTY[4])
    write_balance_report(found, tmp_path / "report.html", command=FIRST)
    elements = assert_is_harmless((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert NASTY[0] in elements.text
    assert r"\x1b[31mred" in elements.text
    assert r"\u202eright to left" in elements.text


def test_tables_in_a_notebook_show_names_as_text(balanced: Any) -> None:
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in balanced.table._repr_html_()
    results = simulate(Rules(players=2), games=5, strategies="greedy", progress=False)
    players = results.players.assign(strategy=NASTY[0])
    assert "<script>" not in players._repr_html_()


def test_cards_are_drawn_with_their_names_as_text() -> None:
    for nasty in (*NASTY, "\0"):
        card = Card("picture", 3, nasty)
        picture = ElementTree.fromstring(card_svg(card))
        assert "script" not in {element.tag.rpartition("}")[2] for element in picture.iter()}
        page = draw_cards([card])._repr_html_()
        elements = Elements(page)
        assert [tag for tag, _ in elements.found] == ["div", "img"]
        assert set(elements.found[1][1]) == {"alt", "width", "style", "src"}
        ElementTree.fromstring(base64.b64decode(str(elements.found[1][1]["src"]).partition(",")[2]))


def test_the_lesson_planner_shows_errors_as_text() -> None:
    planner = LessonPlanner()
    planner._say(FIRST)
    elements = assert_is_harmless(planner._says.value)
    assert elements.found == [("span", {"role": "status", "lang": "en"})]


@pytest.mark.parametrize("file", sorted(path.name for path in WIDGETS.glob("*.js")))
def test_front_ends_never_make_markup_of_text(file: str) -> None:
    source = (WIDGETS / file).read_text(encoding="utf-8")
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML"
    assert not re.findall(rf"{markup}|\beval\b|new Function", source)
    assert "element(" in source


# Figures


def assert_is_drawn(figure: NotebookFigure) -> None:
    assert figure.picture("png").startswith(b"\x89PNG")
    ElementTree.fromstring(figure.picture("svg"))
    assert all(text.get_text().replace("\n", "").isprintable() for text in figure.findobj(match=is_text))


def is_text(artist: Any) -> bool:
    return hasattr(artist, "get_parse_math")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("nasty", NASTY)
def test_any_text_of_a_figure_is_drawn_as_it_is_written(nasty: str) -> None:
    figure, axes = new_figure()
    axes.plot([0, 1], [0, 1], label=nasty)
    axes.set_xticks([0, 1], [nasty, "$"])
    axes.set_xlabel(nasty)
    axes.annotate(nasty, (0, 0))
    axes.set_title(nasty)
    axes.legend(title=nasty)
    figure.suptitle(nasty)
    assert_is_drawn(figure)
    assert not axes.title.get_parse_math()


def test_powers_of_ten_on_an_axis_are_still_drawn_as_such() -> None:
    figure, axes = new_figure()
    axes.plot([1, 2], [1e-6, 1])
    axes.set_yscale("log")
    figure.picture("png")
    assert {label.get_parse_math() for label in axes.get_yticklabels()} == {True}
    assert not axes.title.get_parse_math()


def test_figures_of_variants_and_strategies_with_any_names_are_drawn(balanced: Any) -> None:
    assert_is_drawn(plot_grid(balanced, "turns a round"))
    rules = Rules(players=2)
    found = compare({FIRST: rules, SECOND: rules.replace(hand_size=5)}, games=20, progress=False)
    assert_is_drawn(plot_comparison(found))
    played = tournament({FIRST: "greedy", SECOND: "random"}, Rules(players=2), games=5, progress=False)
    assert_is_drawn(plot_payoffs(played))
    assert_is_drawn(plot_ratings(played))


# Terminals


@pytest.mark.parametrize("nasty", NASTY)
def test_what_is_said_in_a_terminal_holds_nothing_that_it_obeys(nasty: str, capsys: pytest.CaptureFixture[str]) -> None:
    say(f"{nasty}\nsecond line")
    first, second, _ = capsys.readouterr().out.split("\n")
    assert first.isprintable()
    assert second == "second line"


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "\x1b[31m\u202e"],
        ["simulate", "--strategies", "\x1b[31m\u202e"],
        ["simulate", "--deck", "\x9b2J"],
        ["simulate", "--rules-file", "\x1b[31m.toml"],
        ["plays", "--hand", "3 \x1b[31m", "--active", "3"],
        ["judge", "3\x1b[31m", "--hand", "3", "--active", "3"],
        ["tournament", "greedy", "\x1b[31m\u202e"],
        ["lesson", "--timings", "\x1b=\u202e"],
        ["\x1b[31m"],
    ],
)
def test_errors_of_the_command_line_hold_nothing_that_a_terminal_obeys(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["nambarz", *words])
    with pytest.raises(SystemExit):
        cli.main()
    written = capsys.readouterr()
    said = written.out + written.err
    assert said
    assert all(line.isprintable() for line in said.split("\n"))


@pytest.mark.parametrize("form", [[], ["--toml"], ["--json"]])
def test_the_rules_in_force_with_a_deck_of_any_name_are_printed(
    form: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = tmp_path / "\x1b[31m\u202e$\\frac{.csv"
    deck.write_text(Deck.load("nambarz").to_csv(), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["nambarz", "rules", "--deck", str(deck), *form])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr().out
    assert ended.value.code == 0
    assert all(line.isprintable() for line in said.split("\n"))
    if form == ["--toml"]:
        (tmp_path / "rules.toml").write_text(said, encoding="utf-8")
        assert Rules.load(tmp_path / "rules.toml").deck == str(deck)


def test_timings_of_any_name_are_refused_in_a_printable_line() -> None:
    with pytest.raises(ValueError, match=r"timings: .*is not known") as caught:
        Timings.parse(SECOND)
    assert str(caught.value).isprintable()
