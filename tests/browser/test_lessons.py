"""Every lesson, behind every door: it runs, it fits, and nothing complains."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from doors import PATIENCE, WIDGETS, Door, settled
from playwright.sync_api import Page, expect
from report import Report

from nambarz_sim.app import read_lessons

NOTEBOOKS = sorted(path.stem for path in Path(__file__).parents[2].glob("notebooks/*.ipynb"))
COMPLAINTS = "[data-mime-type='application/vnd.jupyter.error'], [data-mime-type='application/vnd.jupyter.stderr']"
Picture = Callable[[Page, str], None]


def test_the_start_page_leads_to_every_lesson(
    door_named: Callable[[str], Door], lessons: Path, page: Page, picture: Picture
) -> None:
    page.goto(door_named("pages").address)
    links = page.get_by_role("listitem").get_by_role("link")
    assert links.count() == len(NOTEBOOKS)
    for lesson, link in zip(read_lessons(lessons / "notebooks"), links.all(), strict=True):
        expect(link).to_contain_text(lesson.title)
        expect(link).to_contain_text(lesson.purpose)
    picture(page, "start")
    links.first.click()
    expect(page.get_by_role("heading", level=1).last).to_contain_text(
        read_lessons(lessons / "notebooks")[0].title, timeout=PATIENCE
    )
    page.get_by_role("link", name="All lessons").click(timeout=PATIENCE)
    expect(links).to_have_count(len(NOTEBOOKS))


IN_LAB = [*WIDGETS, "06-how-long-is-a-game", "09-plan-a-lesson"]
"""One lesson of each sort that JupyterLab draws otherwise: our widgets, figures and tables, a form. All are pages, and the
run with nbval has their cells run by the kernel that JupyterLab uses."""
DOORS = [("pages", lesson) for lesson in NOTEBOOKS] + [("lab", lesson) for lesson in NOTEBOOKS if lesson in IN_LAB]


@pytest.mark.parametrize(("door", "lesson"), DOORS, ids=map("-".join, DOORS), indirect=["door"])
def test_a_lesson_runs_and_fits(door: Door, lesson: str, page: Page, report: Report, picture: Picture) -> None:
    seconds = door.open(page, lesson)
    settled(page)
    if lesson in WIDGETS:
        report.add(f"first widget, {door.name}, {lesson}", seconds)
    expect(page.locator(COMPLAINTS)).to_have_count(0)
    expect(page.get_by_role("heading", name="Questions for the class")).to_be_attached()
    if door.name == "pages":
        assert page.locator(".jp-InputArea-editor").count() == 0, "a page shows code"
        assert "Shift + Enter" not in page.locator("#rendered_cells").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "wider than the screen"
    for widget in page.locator(".nambarz").all():
        assert widget.evaluate("node => node.scrollWidth <= node.clientWidth"), "the widget is wider than its place"
    picture(page, f"{door.name}-{lesson}")


@pytest.mark.parametrize("lesson", WIDGETS)
def test_widgets_show_in_notebook_7(
    door_named: Callable[[str], Door], lesson: str, page: Page, picture: Picture
) -> None:
    door_named("notebook").open(page, lesson)
    settled(page)
    picture(page, f"notebook-{lesson}")


def test_a_first_widget_with_nothing_compiled(door_named: Callable[[str], Door], page: Page, report: Report) -> None:
    lesson = "02-explore-a-hand"
    report.add("first widget, pages, nothing compiled", door_named("cold pages").open(page, lesson))
    expect(page.locator(WIDGETS[lesson])).to_contain_text("legal plays", timeout=PATIENCE)
