"""The notebooks are lessons: numbered, short, with a purpose, questions, a picture, and nothing stored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from nambarz_sim.app import NOT_FOR_PAGES

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_LINES = 8
FIRST_WITH_ANSWERS = 5
"""From this one on, counted from 0, lessons ask what was found: then there are answers."""
LARGEST_PICTURE = 150_000
ABOUT_FUNCTIONS = {"10-write-a-strategy"}
"""The lessons in which people write functions of their own."""

pytestmark = pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)


def cells(notebook: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return found


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def test_numbers_follow_one_another(notebook: Path) -> None:
    assert notebook.name.startswith(f"{NOTEBOOKS.index(notebook) + 1:02}-")


def test_it_opens_with_title_and_purpose(notebook: Path) -> None:
    first = text(cells(notebook)[0])
    assert re.fullmatch(r"# [^\n`*]+\n\n\*\*Purpose:\*\* to [^\n`*]+\.", first)


def test_it_ends_with_questions_and_folded_answers(notebook: Path) -> None:
    *_, before, last = map(text, cells(notebook))
    folded = last.startswith("<details>\n<summary>Answers</summary>\n\n") and last.endswith("\n</details>")
    questions = numbered((before if folded else last).partition("## Questions for the class\n\n")[2])
    assert len(questions) >= 3
    if NOTEBOOKS.index(notebook) >= FIRST_WITH_ANSWERS:
        assert folded
        assert numbered(last) == questions


def numbered(lines: str) -> list[str]:
    """The numbers of a numbered list."""
    return re.findall(r"^(\d)\. ", lines, flags=re.MULTILINE)


def test_a_picture_and_a_sentence_for_those_who_do_not_run_it(notebook: Path) -> None:
    second = cells(notebook)[1]
    assert second["metadata"]["tags"] == [NOT_FOR_PAGES]
    shown = re.search(r"!\[([^\]]{20,})\]\(([^)]+)\)\n\n\*[^*]{20,}\*", text(second))
    assert shown
    picture = notebook.parent / shown[2]
    assert 0 < picture.stat().st_size < LARGEST_PICTURE


def test_nothing_is_stored(notebook: Path) -> None:
    for cell in cells(notebook):
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert not cell.get("attachments")


def test_cells_are_short_with_prose_between(notebook: Path) -> None:
    kinds = [cell["cell_type"] for cell in cells(notebook)]
    assert not re.search("(code ){3}", " ".join(kinds) + " ")
    for cell in cells(notebook):
        if cell["cell_type"] == "code":
            assert len(cell["source"]) <= MOST_LINES
            if notebook.stem in ABOUT_FUNCTIONS:
                continue
            assert not re.search(r"^\s*(def|class) ", text(cell), flags=re.MULTILINE), "lessons hold no logic"
