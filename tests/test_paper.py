"""The paper that everything printed stands on: nothing split or lost, the same bytes, the same words in both files."""

from __future__ import annotations

import hashlib
import logging
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from printed import contrast, lines_of, open_pdf, outside, overlapping, pages_in_grey

from nambarz_sim.card_pictures import card_title
from nambarz_sim.cards import Card, Deck
from nambarz_sim.classroom import saving
from nambarz_sim.classroom.paper import CARD_SHAPE, SIZES, Paper, line_height, paper_size

DECK = Deck.load("nambarz")
HAND = DECK.hand("3 3bee 10 change-any replay")


@cache
def small_paper(title: str = "A hand", lang: str = "en") -> Paper:
    paper = Paper(title, note="seed 7", lang=lang)
    paper.name_line()
    paper.heading("1. Find a play")
    paper.paragraph("Which of these cards make 3? " * 10)
    paper.cards(HAND)
    paper.table(["Player", "Points"], [["Zoë", "40"], ["Łukasz", "32"]], [60, 30])
    return paper


# Sizes, header and footer


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("landscape", [False, True])
def test_pages_have_their_size(size: str, landscape: bool) -> None:
    expected = sorted(SIZES[size], reverse=landscape)
    width, height = open_pdf(Paper("x", size.lower(), landscape=landscape, lang="en"))[0].get_size()
    assert (width * 25.4 / 72, height * 25.4 / 72) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("size", ["A6", "", "letters", None, 4])
def test_an_unknown_size_is_refused_in_one_sentence(size: object) -> None:
    with pytest.raises(ValueError, match=r"^size: .* is not known; known are A4, Letter, A3\."):
        paper_size(size)  # type: ignore[arg-type]


def test_every_page_has_its_title_note_and_number() -> None:
    paper = Paper("All", lang="en")
    for sheet in (1, 2):
        paper.part(f"Sheet {sheet}", f"seed {sheet}")
        for number in range(60):
            paper.paragraph(f"line {number}")
    pages = [page.get_textpage().get_text_range() for page in open_pdf(paper)]
    assert len(pages) == 4
    for place, text in enumerate(pages):
        sheet, page = divmod(place, 2)
        for words in (f"Sheet {sheet + 1}", f"seed {sheet + 1}", f"Page {page + 1} of 2"):
            assert text.count(words) == 1
    assert "Sheet 2\nPage 1 of 2. seed 2\n" in paper.text


def test_a_part_begun_on_an_empty_page_leaves_none_empty() -> None:
    paper = Paper("All", lang="en")
    paper.part("Sheet 1")
    paper.paragraph("words")
    assert len(open_pdf(paper)) == 1
    assert "All" not in paper.text


def test_the_file_says_its_title_author_and_language() -> None:
    paper = small_paper("Blatt für Zoë", "de")
    about = open_pdf(paper).get_metadata_dict()
    assert about["Title"] == "Blatt für Zoë"
    assert about["Author"].startswith("nambarz_sim ")
    for entry in (b"/Lang (de)", b"/DisplayDocTitle true", b"/Marked true"):
        assert entry in paper.to_bytes()


def test_bare_pages_have_neither_header_nor_footer() -> None:
    paper = Paper("All", note="seed 7", lang="en", bare=True)
    paper.paragraph("words")
    assert lines_of(paper) == ["words"]


# Nothing split, outside or on each other


blocks = st.one_of(
    st.tuples(st.just("paragraph"), st.integers(1, 1000)),
    st.tuples(st.just("heading"), st.integers(1, 12)),
    st.tuples(st.just("cards"), st.integers(1, 30)),
    st.tuples(st.just("table"), st.integers(1, 12)),
    st.tuples(st.just("name"), st.just(0)),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(blocks, min_size=1, max_size=8), st.sampled_from(list(SIZES)), st.booleans())
def test_whatever_is_written_stays_on_its_page(written: list[tuple[str, int]], size: str, landscape: bool) -> None:
    paper = Paper("Title", size, landscape=landscape, note="seed 7", lang="en")
    for kind, count in written:
        if kind == "paragraph":
            paper.paragraph(" ".join(f"word{number}" for number in range(count)))
        elif kind == "heading":
            paper.heading("heading " * count)
        elif kind == "cards":
            paper.cards((DECK.cards * 2)[:count])
        elif kind == "table":
            paper.table(["a", "a longer title"], [["x" * count, str(row)] for row in range(count)], [20, 30])
        else:
            paper.name_line()
    assert [placed for placed in paper.placed if placed.y + placed.height > paper.bottom + 0.1] == []
    paper.to_bytes()  # header and footer come last
    assert outside(paper) == []
    assert overlapping(paper) == []


def test_what_is_kept_together_begins_on_a_new_page_where_there_is_no_room() -> None:
    paper = Paper("Title", lang="en")
    paper.y = paper.bottom - 30
    paper.keep_together(30)
    assert paper.page == 1
    paper.keep_together(31)
    assert (paper.page, paper.y) == (2, paper.top)
    paper.keep_together(10_000)
    assert paper.page == 2


def test_cards_of_a_hand_stay_together_if_they_fit_a_page() -> None:
    paper = Paper("Title", lang="en")
    paper.y = paper.bottom - 40
    paper.cards(DECK.cards[:20])
    assert {placed.page for placed in paper.placed} == {2}
    assert paper.height_of_cards(20) == pytest.approx(3 * 20 * CARD_SHAPE + 2 * 3)


def test_a_head_is_repeated_and_no_row_split_over_pages() -> None:
    paper = Paper("Title", lang="en")
    paper.table(["Player"], [[f"player {row}"] for row in range(60)], [80])
    lines = lines_of(paper)
    assert lines.count("Player") == len(open_pdf(paper)) == 2
    assert [line for line in lines if line.startswith("player")] == [f"player {row}" for row in range(60)]
    assert paper.text.count("Player\n") == 1


def test_lines_are_no_wider_than_asked() -> None:
    paper = Paper("Title", lang="en")
    for line in paper.lines("some words " * 40, 12, False, 50):
        assert paper.width_of(line.rstrip(), 12) <= 50
    assert line_height(72 / 25.4) == pytest.approx(1.3)


# Words of both files


@pytest.mark.parametrize("lang", ["en", "es", "fr", "de"])
def test_the_pdf_and_the_text_have_the_same_words(lang: str) -> None:
    paper = small_paper(lang=lang)
    printed = " ".join(lines_of(paper))
    for row in ("Zoë", "Łukasz", "1. Find a play", "A hand"):
        assert row in printed
        assert row in paper.text
    assert paper.text.count("Which of these cards make 3?") == 10
    assert printed.count("Which") == 10


def test_cards_have_their_names_as_alternative_texts() -> None:
    paper = small_paper()
    alternatives = paper.to_bytes()
    for card in HAND:
        assert f"/Alt ({card_title(card)})".encode() in alternatives
        assert card_title(card) in paper.text


@pytest.mark.parametrize("words", ["a\ud800b", "\x00\x1b[31m", "line\nbreak", "(brackets\\)", "日本 🐝", "{nb} %s"])
def test_any_words_can_be_written(words: str, tmp_path: Path) -> None:
    paper = Paper(words, note=words, lang="en")
    paper.heading(words)
    paper.table([words], [[words]], [50])
    pdf, text = paper.save(tmp_path / "x.pdf")
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert "Page 1 of 1" in text.read_text(encoding="utf-8")


# Cards


def test_cards_are_drawn_where_they_are_placed_and_without_complaints(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        paper = Paper("Title", lang="en", bare=True)
        paper.pdf.set_draw_color("#FF0000")  # no card takes over what the page has set
        paper.card(Card.parse("3bee"), 40, 50, 60)
        paper.card(None, 120, 50, 60, 84)
        page = next(pages_in_grey(paper))
    assert caplog.records == []
    for placed in paper.placed:
        assert contrast(page, placed) > 12
    rows, columns = np.nonzero(page < 128)
    assert [columns.min() / 4, columns.max() / 4] == pytest.approx([40, 180], abs=0.5)
    assert [rows.min() / 4, rows.max() / 4] == pytest.approx([50, 134], abs=0.5)


def test_a_kind_of_card_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    draw = Paper._draw
    monkeypatch.setattr(Paper, "_draw", lambda self, picture: read.append(picture) or draw(self, picture))
    paper = Paper("Title", lang="en")
    for _sheet in range(20):
        paper.cards(DECK.cards, 15)
    assert len(read) == len(DECK.cards)
    assert len(paper.to_bytes()) < 500_000


# Files


def test_the_same_calls_give_the_same_bytes_in_any_process() -> None:
    script = (
        "import hashlib; from test_paper import small_paper; "
        "print(hashlib.sha256(small_paper().to_bytes()).hexdigest())"
    )
    own = hashlib.sha256(small_paper().to_bytes()).hexdigest()
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parent,
        timeout=120,
    )  # fmt: skip
    assert done.stdout.strip() == own
    assert hashlib.sha256(small_paper("Another hand").to_bytes()).hexdigest() != own


def test_saving_writes_the_pdf_and_its_text(tmp_path: Path) -> None:
    paper = small_paper()
    assert paper.save(tmp_path / "hand.pdf") == [tmp_path / "hand.pdf", tmp_path / "hand.txt"]
    assert (tmp_path / "hand.pdf").read_bytes() == paper.to_bytes()
    assert (tmp_path / "hand.txt").read_text(encoding="utf-8") == paper.text + "\n"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("place", ["hand.txt", "hand", "nowhere/hand.pdf", "folder.pdf", "taken.pdf"])
def test_a_bad_place_is_refused_and_nothing_written(place: str, tmp_path: Path) -> None:
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "taken.txt").mkdir()
    with pytest.raises(ValueError, match=r"^output: '.*(does not end in \.pdf|cannot be written there)"):
        small_paper().save(tmp_path / place)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.pdf", "taken.txt"]


@pytest.mark.parametrize(("there", "failing"), [(True, 0), (True, 1), (True, 2), (True, 3), (False, 0), (False, 1)])
def test_both_files_are_written_or_neither(
    there: bool, failing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever move fails, what stood there before stands there still."""
    if there:
        (tmp_path / "hand.pdf").write_text("old pdf")
        (tmp_path / "hand.txt").write_text("old text")
    moves = iter(range(100))
    replace = Path.replace

    def fails(self: Path, target: Path) -> Path:
        if next(moves) == failing:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(saving.Path, "replace", fails)
    with pytest.raises(ValueError, match="No space left on device"):
        small_paper().save(tmp_path / "hand.pdf")
    left = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert left == ({"hand.pdf": "old pdf", "hand.txt": "old text"} if there else {})
