"""Worksheets on paper, as text, from the command line and from the form."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest

from nambarz_sim import class_set, worksheet
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.paper import SIZES, Paper
from nambarz_sim.classroom.worksheet_html import sheet_html
from nambarz_sim.classroom.worksheet_words import answer, instruction
from nambarz_sim.classroom.worksheets import ClassSet
from nambarz_sim.languages import in_language
from nambarz_sim.widgets import WorksheetMaker

SCALE = 2.0
EMPTY_BORDER = 11.5
"""In millimetres; the margin is 12."""
LARGE = Level(hand_size=10, most_cards=8, fewest_cards=5)


@pytest.fixture(scope="module")
def three() -> ClassSet:
    return class_set(3, 4, tasks=10, seed=7, lang="en")


def pages_of(paper: Paper) -> list[str]:
    """The text of each page of the PDF file."""
    document = pypdfium2.PdfDocument(paper.to_bytes())
    return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]


def numbers_in(text: str) -> list[int]:
    """The numbers before tasks or answers."""
    return [int(found) for found in re.findall(r"^(\d+)\. ", text, flags=re.MULTILINE)]


@pytest.mark.parametrize("size", ["A4", "Letter"])
@pytest.mark.parametrize("level", ["1", "3", "6", LARGE], ids=["1", "3", "6", "large"])
def test_no_task_is_split_and_nothing_leaves_the_margins(size: str, level: str | Level) -> None:
    kinds = "longest,find-all,complete,right-or-wrong" if level is LARGE else None
    paper = class_set(2, level, kinds, 14, seed=3, lang="de").paper(size)
    split, tasks = set(), 0
    # Things are put on pages task by task: whatever comes after a task's number and before the next one's is its own.
    current = None
    for placed in paper.placed:
        if placed.kind == "words" and re.fullmatch(r"\d+\.", placed.words):
            current = placed
            tasks += 1
        elif re.match("Name:|Blatt|Wie schwer", placed.words) or placed.words.startswith("„Zum"):
            current = None
        elif current and placed.page != current.page:
            split.add((current.words, current.page))
        assert placed.x >= 12 - 0.01
        assert placed.x + placed.width <= SIZES[size][0] - 12 + 0.01
        assert placed.y + placed.height <= SIZES[size][1] - 12 + 0.01
    assert split == set()
    assert tasks == 2 * 2 * 14  # on the sheets and among the answers
    document = pypdfium2.PdfDocument(paper.to_bytes())
    for page in document:
        picture = np.asarray(page.render(scale=SCALE).to_pil().convert("L"))
        border = int(EMPTY_BORDER / 25.4 * 72 * SCALE)
        inside = picture[border:-border, border:-border]
        assert (picture < 250).sum() == (inside < 250).sum()
        assert (inside < 128).any()


def test_each_task_stands_in_the_text_of_the_pages_once(three: ClassSet) -> None:
    paper = three.paper(answers=False)
    pages = pages_of(paper)
    for sheet in three.sheets:
        own = "\n".join(page for page in pages if f"sheet {sheet.number} of 3" in page)
        assert numbers_in(own) == list(range(1, 11))
        with in_language("en"):
            told = [instruction(task) for task in sheet.tasks]
        flat = " ".join(own.split())
        assert all(flat.count(" ".join(words.split())) == told.count(words) for words in told)
    assert len(pages) == 6, "ten tasks stand on two pages"


def test_cards_are_drawn_with_their_names(three: ClassSet) -> None:
    paper = three.paper(answers=False)
    drawn = [placed for placed in paper.placed if placed.kind == "card"]
    expected = 0
    for sheet in three.sheets:
        for task in sheet.tasks:
            # Of a calculation to complete a card is missing if it is a number that is missing.
            missing = task.kind == "complete" and not task.missing_sign
            expected += 1 + len(task.hand) - missing
    assert len(drawn) == expected
    assert all(placed.words for placed in drawn)


def test_a_box_stands_for_what_is_missing() -> None:
    made = worksheet(3, "complete", 8, seed=1, lang="en")
    paper = made.paper(answers=False)
    boxes = [placed for placed in paper.placed if placed.kind == "box"]
    assert len(boxes) == 8
    square = [abs(box.width - box.height) < 0.1 for box in boxes]
    assert square == [task.missing_sign for task in made.sheets[0].tasks]


def test_answers_stand_on_pages_of_their_own_or_are_left_out(three: ClassSet) -> None:
    with_answers, without = pages_of(three.paper()), pages_of(three.paper(answers=False))
    assert [page.split() for page in with_answers[: len(without)]] == [page.split() for page in without]
    teacher = with_answers[len(without) :]
    assert teacher
    assert all("Answers for the teacher" in page and "Name:" not in page for page in teacher)
    assert not any("Answers" in page for page in without)
    text = three.text()
    behind = text[text.index("Answers for the teacher") :]
    with in_language("en"):
        assert all(answer(task) in behind for sheet in three.sheets for task in sheet.tasks)
    assert numbers_in(behind) == list(range(1, 11)) * 3


def test_the_teacher_sees_that_the_sheets_are_equal(three: ClassSet) -> None:
    behind = three.text().partition("How difficult the sheets are")[2]
    rows = re.findall(r"^\d+ \| .*", behind, flags=re.MULTILINE)
    shown = [float(row.split(" | ")[-1]) for row in rows]
    assert shown == pytest.approx(three.difficulties["total"].tolist(), abs=0.005)
    assert "1: Find a calculation; 2: Find all plays" in behind


def test_many_tasks_get_a_table_in_parts() -> None:
    text = class_set(2, 3, "complete,find-play", 20, seed=1, lang="en").text()
    heads = re.findall(r"^Sheet \| .*", text, flags=re.MULTILINE)
    assert [head.split(" | ")[1:] for head in heads] == [
        [str(number) for number in range(1, 13)],
        [*(str(number) for number in range(13, 21)), "Sum"],
    ]


def test_the_text_says_what_is_drawn() -> None:
    made = worksheet(3, "find-play", 1, seed=1, lang="en")
    (task,) = made.sheets[0].tasks
    assert (
        f"Your hand: {', '.join(f'{card.number} {card.animal or str()}'.strip() for card in task.hand)}" in made.text()
    )
    assert "Active card: " in made.text()
    assert "Name: ____" in made.text()


def test_the_same_set_gives_the_same_bytes(three: ClassSet) -> None:
    again = class_set(3, 4, tasks=10, seed=7, lang="en")
    assert three.paper().to_bytes() == again.paper().to_bytes()
    assert three.text() == again.text()


def test_files_are_written_together_or_not_at_all(three: ClassSet, tmp_path: Path) -> None:
    files = three.save(tmp_path / "sheets.pdf", "letter", answers=False)
    assert files == [tmp_path / "sheets.pdf", tmp_path / "sheets.txt"]
    assert files[0].read_bytes().startswith(b"%PDF")
    page = pypdfium2.PdfDocument(files[0])[0]
    assert [length / 72 * 25.4 for length in page.get_size()] == pytest.approx(SIZES["Letter"], abs=0.1)
    for name, size, message in (
        ("a.pdf", "A3", "size: 'A3' is not known; known are A4, Letter"),
        ("a.doc", "A4", "does not end in .pdf"),
        ("none/a.pdf", "A4", "cannot be written there"),
    ):
        with pytest.raises(ValueError, match=message):
            three.save(tmp_path / name, size)
    assert {path.name for path in tmp_path.iterdir()} == {"sheets.pdf", "sheets.txt"}


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    made = class_set(2, 2, tasks=7, progress=lambda done, of: told.append((done, of)))
    assert told[0] == (0, 8)
    assert told[-1] == (1, 1)
    told.clear()
    made.paper(answers=False, progress=lambda done, of: told.append((done, of)))
    assert told == [(0, 2), (1, 2), (2, 2)]


# --- the command ------------------------------------------------------------------------------------------------------


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nambarz_sim", "worksheet", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300, check=False)


def test_the_command_prints_the_text(tmp_path: Path) -> None:
    done = run("--level", "2", "--tasks", "3", "--seed", "4", "--lang", "es", "--no-answers", cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout == worksheet(2, tasks=3, seed=4, lang="es").text(answers=False) + "\n"
    assert "Ficha NAMBARZ, nivel 2" in done.stdout


def test_the_command_writes_what_the_library_writes(tmp_path: Path) -> None:
    words = ["--level", "3", "--sheets", "2", "--kinds", "complete, longest", "--tasks", "4", "--hand-size", "5"]
    done = run(*words, "--lang", "en", "--size", "letter", "--output", "s.pdf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "s.pdf and s.txt written\n"
    made = class_set(2, Level.preset(3, hand_size=5), "complete,longest", 4, lang="en")
    assert (tmp_path / "s.pdf").read_bytes() == made.paper("Letter").to_bytes()
    assert (tmp_path / "s.txt").read_text(encoding="utf-8") == made.paper("Letter").text + "\n"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--level", "1", "--hand-size", "2", "--kinds", "replay"], "no task replay was found for level 1"),
        (["--lang", "xx", "--output", "sheets.pdf"], "lang: 'xx'"),
        (["--size", "A5"], "size: 'A5'"),
        (["--sheets", "0", "--output", "sheets.pdf"], "sheets: 0"),
    ],
)
def test_the_command_refuses_in_one_line_and_writes_nothing(words: list[str], part: str, tmp_path: Path) -> None:
    done = run(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("nambarz: ")
    assert part in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


# --- the form ---------------------------------------------------------------------------------------------------------


def test_the_form_shows_the_first_sheet_and_writes_all(tmp_path: Path) -> None:
    form = WorksheetMaker(level=4, sheets=2, tasks=7, seed=3, lang="es")
    assert form.preview_button.description == "Vista previa"
    form.preview_button.click()
    assert form.error == ""
    assert form.made == class_set(2, 4, tasks=7, seed=3, lang="es")
    assert form._page.value == sheet_html(form.made.sheets[0], form.made.level, "es")
    assert form._page.value.count("<details>") == 7
    assert 'alt="' in form._page.value
    form.file.value = str(tmp_path / "fichas.pdf")
    form.answers.value = False
    form.write_button.click()
    assert form.error == ""
    assert (tmp_path / "fichas.pdf").read_bytes() == form.made.paper(answers=False).to_bytes()
    assert (tmp_path / "fichas.txt").is_file()
    assert 'download="fichas.pdf"' in form._says.value


def test_the_form_says_what_is_wrong_and_keeps_the_last_sheet(tmp_path: Path) -> None:
    form = WorksheetMaker(level=2, sheets=1, tasks=2, lang="en")
    form.preview()
    last, page = form.made, form._page.value
    form.sheets.value = 0
    form.preview_button.click()
    assert form.error.startswith("sheets: 0")
    assert "sheets: 0" in form._says.value
    assert (form.made, form._page.value) == (last, page)
    form.sheets.value, form.file.value = 1, str(tmp_path / "sheets.doc")
    form.write_button.click()
    assert "does not end in .pdf" in form.error
    assert list(tmp_path.iterdir()) == []
    for box in form.kinds.values():
        box.value = False
    form.preview_button.click()
    assert form.error.startswith("kinds: none is given")
    assert not form.preview_button.disabled
    assert not form.write_button.disabled
