"""The widgets in a real browser, behind both doors, by mouse and by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from doors import PATIENCE, Door, settled, started
from playwright.sync_api import Locator, Page, expect
from report import Report

from nambarz_sim import Deck

TWELVE = "10 4 2 6 7fish 4hen change-any 1 9 8hippopotamus 5cat 3"
CHANGES = 50
RULINGS = {"(10-4)/2": "Legal", "6+5+2-10": "R6.1", "9/3": "R6.2", "7fish-4": "R6.3", "10-4/2": "R6.4"}
"""What the checker says of a calculation for the 3 bee."""


def button(widget: Locator, key: str) -> Locator:
    """A part of a widget, by the name that it keeps over every change of the view."""
    return widget.locator(f'[data-key="{key}"]')


def refusal(hand: str) -> str:
    """The library's own sentence for a hand that is none."""
    with pytest.raises(ValueError, match="card") as refused:
        Deck.load("nambarz").hand(hand)
    return str(refused.value)


def type_hand(widget: Locator, hand: str) -> None:
    if not button(widget, "type-hand").is_visible():
        widget.get_by_text("Change the hand").click()
    button(widget, "type-hand").fill(hand)
    button(widget, "type-hand").press("Enter")


@pytest.fixture
def explorer(door: Door, page: Page) -> Locator:
    door.open(page, "02-explore-a-hand")
    return page.locator(".nambarz").first


def test_cards_that_are_pressed_get_a_verdict(explorer: Locator) -> None:
    for place in (0, 1, 2):
        button(explorer, f"hand-{place}").click()
    verdict = explorer.locator(".nambarz-verdict")
    expect(verdict).to_contain_text("Legal")
    expect(verdict).to_contain_text("6 ÷ 2 = 3")
    button(explorer, "hand-3").click()
    expect(verdict).to_contain_text("Not legal")
    expect(verdict).to_contain_text("R6")
    button(explorer, "none").click()
    expect(button(explorer, "hand-0")).to_have_attribute("aria-pressed", "false")


def test_the_keyboard_is_enough(explorer: Locator) -> None:
    page = explorer.page
    button(explorer, "hand-0").focus()
    page.keyboard.press("Space")
    expect(button(explorer, "hand-0")).to_have_attribute("aria-pressed", "true")
    expect(button(explorer, "hand-0")).to_be_focused()
    for _ in range(3):  # there may be something to press between two cards
        page.keyboard.press("Tab")
        if button(explorer, "hand-1").evaluate("node => node === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(button(explorer, "hand-1")).to_have_attribute("aria-pressed", "true")
    cards = explorer.get_by_role("region", name="Hand").locator("img")
    before = [card.get_attribute("src") for card in cards.all()]
    button(explorer, "deal").focus()
    page.keyboard.press("Enter")
    expect(button(explorer, "hand-0")).to_have_attribute("aria-pressed", "false")
    assert [card.get_attribute("src") for card in cards.all()] != before


def test_what_is_typed_is_taken_or_refused_with_the_librarys_sentence(explorer: Locator) -> None:
    type_hand(explorer, TWELVE)
    expect(explorer.get_by_role("heading", name="Hand: 12 cards")).to_be_visible()
    for bad in ("3 3bex", "<img src=x onerror=alert(1)>"):
        type_hand(explorer, bad)
        expect(explorer.get_by_role("alert")).to_contain_text(refusal(bad))
        expect(button(explorer, "type-hand")).to_have_attribute("aria-invalid", "true")
        expect(explorer.get_by_role("heading", name="Hand: 12 cards")).to_be_visible()
    assert explorer.locator("img[src=x]").count() == 0
    type_hand(explorer, "10 4 2")
    expect(explorer.get_by_role("alert")).to_have_count(0)


def test_fifty_changes_leave_one_output(door: Door, explorer: Locator, report: Report) -> None:
    page = explorer.page
    type_hand(explorer, TWELVE)
    outputs = page.locator(".jp-OutputArea-output").count()
    times = []
    for change in range(CHANGES):
        explorer.evaluate("node => delete node.dataset.milliseconds")
        button(explorer, f"hand-{change % 12}").click()
        page.wait_for_function("node => node.dataset.milliseconds", arg=explorer.element_handle(), timeout=PATIENCE)
        times.append(float(explorer.get_attribute("data-milliseconds") or "nan") / 1000)
    report.add(f"a change in the hand explorer, 12 cards, {door.name}", *times)
    assert page.locator(".nambarz-explorer").count() == 1
    assert page.locator(".jp-OutputArea-output").count() == outputs


def test_a_calculation_is_checked(door: Door, page: Page) -> None:
    door.open(page, "03-check-a-calculation")
    checker = page.locator(".nambarz").first
    typed = checker.get_by_label("Calculation, or cards in the order laid")
    verdict = checker.locator(".nambarz-verdict").first
    for text, ruling in RULINGS.items():
        typed.fill(text)
        typed.press("Enter")
        expect(verdict).to_contain_text(ruling)
    typed.fill("(10-4")
    typed.press("Enter")
    expect(verdict).to_contain_text("No attempt")
    button(checker, "clear").click()
    checker.get_by_role("button", name="number card 9").click()
    checker.get_by_role("button", name="minus").click()
    checker.get_by_role("button", name="number card 6").click()
    checker.get_by_role("button", name="Check", exact=True).click()
    expect(verdict).to_contain_text("9 - 6 = 3")


def test_a_turn_is_played(door: Door, page: Page) -> None:
    door.open(page, "04-play-against-the-computer")
    table = page.locator(".nambarz-table")
    log = table.get_by_role("log")
    button(table, "hint").click()
    expect(table.locator(".nambarz-hints")).to_contain_text("play")
    expect(table).to_contain_text("Your turn")
    table.get_by_role("button", name="9 hen").click()
    button(table, "lay").click()
    expect(log).to_contain_text("9hen")
    expect(table.get_by_role("heading", name="Your turn")).to_be_visible(timeout=PATIENCE)
    expect(log).to_contain_text("seat 3")
    button(table, "draw").click()
    expect(log).to_contain_text(re.compile(r"you\) draws"))


def test_a_wrong_calculation_costs_three_cards(door: Door, page: Page) -> None:
    door.open(page, "04-play-against-the-computer")
    table = page.locator(".nambarz-table")
    cards = table.locator(".nambarz-held-card")
    assert cards.count() == 7
    button(table, "typed").fill("3hippopotamus + 8hippopotamus")
    button(table, "lay").click()
    expect(table.locator(".nambarz-status")).to_contain_text("penalty")
    expect(cards).to_have_count(10)


def test_a_batch_is_run_compared_and_stopped(door: Door, page: Page) -> None:
    door.open(page, "05-simulate-a-batch")
    batch = page.locator(".nambarz-batch")
    status = batch.get_by_role("region", name="Run").get_by_role("status")
    pictures = batch.get_by_role("region", name="Results").get_by_role("img")
    run = batch.get_by_role("button", name="Run", exact=True)
    run.click()
    expect(status).to_contain_text("✓", timeout=PATIENCE)
    expect(pictures).to_have_count(2)
    for shown in pictures.all():
        assert "round" in (shown.get_attribute("alt") or "")
    button(batch, "operation-*").uncheck()
    run.click()
    expect(pictures).to_have_count(4, timeout=PATIENCE)
    for games in ("3000000", "1000000"):
        button(batch, "games").fill(games)
        button(batch, "games").press("Enter")
        expect(batch.get_by_role("alert")).to_have_count(1 if games == "3000000" else 0)
    run.click()
    progress = batch.get_by_role("progressbar")
    expect(progress).to_have_attribute("aria-valuemax", "1000000", timeout=PATIENCE)
    batch.get_by_role("button", name="Stop").click()
    expect(status).to_contain_text("■", timeout=PATIENCE)
    assert int(progress.get_attribute("aria-valuenow") or 0) < 1_000_000


# --- languages --------------------------------------------------------------------------------------------------------

MADE = """
from nambarz_sim import Rules
from nambarz_sim.widgets import BatchExplorer, CalculationChecker, HandExplorer, LessonPlanner, Table
explorer = HandExplorer(hand="10 4 2 6 5 7fish change-any", active="3bee", lang=LANG)
explorer.set_drawn("5")
explorer.select("6 5 2 10")
checker = CalculationChecker(lang=LANG)
checker.check("(10-4)/2")
checker.check("7 - + 4")
table = Table(Rules(players=4), seed=2, lang=LANG)
table.hint()
batch = BatchExplorer(Rules(players=2), games=4, lang=LANG)
batch.run()
assert batch.wait()
"""
PARTS = ("explorer", "checker", "table", "batch", "LessonPlanner(lang=LANG)")
SPOKEN = {
    "en": [
        ("nambarz-explorer", "Hand: 7 cards", "Legal plays"), ("nambarz-checker", "Last verdicts", "Signs and brackets"),
        ("nambarz-table", "What happened", "Your hand"), ("nambarz-batch", "Game length", "Games played"),
        ("widget-vbox", "School year", ""),
    ],
    "es": [
        ("nambarz-explorer", "Mano: 7 cartas", "Jugadas permitidas"),
        ("nambarz-checker", "Últimos veredictos", "Signos y paréntesis"),
        ("nambarz-table", "Lo que ha pasado", "Tu mano"),
        ("nambarz-batch", "Duración de las partidas", "Partidas jugadas"), ("widget-vbox", "Curso escolar", ""),
    ],
    "fr": [
        ("nambarz-explorer", "Main : 7 cartes", "Coups permis"),
        ("nambarz-checker", "Derniers verdicts", "Signes et parenthèses"),
        ("nambarz-table", "Ce qui s’est passé", "Ta main"), ("nambarz-batch", "Durée des parties", "Parties jouées"),
        ("widget-vbox", "Année scolaire", ""),
    ],
    "de": [
        ("nambarz-explorer", "Hand: 7 Karten", "Erlaubte Spielzüge"),
        ("nambarz-checker", "Letzte Urteile", "Zeichen und Klammern"),
        ("nambarz-table", "Was passiert ist", "Deine Hand"), ("nambarz-batch", "Länge der Spiele", "Gespielte Spiele"),
        ("widget-vbox", "Klassenstufe", ""),
    ],
}  # fmt: skip
"""A heading and a label for screen readers of each widget; the planner, a plain form, has its field's label."""
FRAME = {"en": "All lessons", "es": "Todas las lecciones", "fr": "Toutes les leçons", "de": "Alle Lektionen"}


@pytest.fixture(scope="module")
def made_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A page in each language with all the widgets on it."""
    folder = tmp_path_factory.mktemp("languages")
    (folder / "lessons").mkdir()
    for lang in SPOKEN:
        code = [
            {
                "cell_type": "code",
                "id": f"c{place}",
                "metadata": {},
                "source": cell,
                "outputs": [],
                "execution_count": None,
            }
            for place, cell in enumerate([f'LANG = "{lang}"', MADE, *PARTS])
        ]
        title = {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# All widgets"}
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        notebook = {"cells": [title, *code], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        (folder / "lessons" / f"{lang}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with started("made pages", folder / "lessons", folder / "server") as door:
        yield door


@pytest.mark.parametrize("lang", SPOKEN)
def test_every_widget_speaks_its_language(
    made_pages: Door, lang: str, page: Page, picture: Callable[[Page, str], None]
) -> None:
    page.set_extra_http_headers({"Accept-Language": f"{lang}-XX, en;q=0.5"})
    made_pages.open(page, lang)
    settled(page)
    expect(page.get_by_role("link", name=FRAME[lang])).to_be_visible()
    for part, heading, label in SPOKEN[lang]:
        widget = page.locator(f".{part}").first
        expect(widget.get_by_text(heading, exact=True).first).to_be_visible(timeout=PATIENCE)
        if label:
            expect(widget.locator(f'[aria-label="{label}"]')).to_have_count(1)
            assert widget.evaluate("node => node.closest('[lang]').lang") == lang
    for widget in page.locator(".nambarz").all():
        assert widget.evaluate("node => node.scrollWidth <= node.clientWidth"), "the widget is wider than its place"
        assert not re.search(r"\{\w+\}|undefined", widget.inner_text())
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
    picture(page, f"language-{lang}")
