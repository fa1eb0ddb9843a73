"""Posters: every calculation once, the rules on one page, all cards of the deck in their size, in every language."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from printed import all_text, contrast, lines_of, open_pdf, outside, overlapping, pages_in_grey

from nambarz_sim import Rules, cli
from nambarz_sim.analysis.calculations import minimal_calculations
from nambarz_sim.arithmetic.expression import plain_signs
from nambarz_sim.card_pictures import card_title
from nambarz_sim.classroom.paper import SIZES, Paper
from nambarz_sim.classroom.posters import CARD_HEIGHT, CARD_WIDTH, calculations_poster, printed_deck, rules_poster
from nambarz_sim.classroom.rules_words import example_calculation, rules_in_short
from nambarz_sim.classroom.school_words import school_signs
from nambarz_sim.languages import LANGUAGES, _, in_language

WRITTEN_CALCULATION = set("0123456789+-*/() ")


def calculations_in(lines: list[str]) -> Counter[str]:
    """The calculations among the lines of a text, in plain signs, with the target named above them."""
    found: Counter[str] = Counter()
    target = ""
    for line in lines:
        if line.startswith("Cards to make "):
            target = line.removeprefix("Cards to make ")
        plain = plain_signs(line)
        if set(plain) <= WRITTEN_CALCULATION and not plain.isdigit() and plain:
            found[f"{target}: {plain}"] += 1
    return found


def calculations_of(rules: Rules, targets: list[int] | None = None) -> Counter[str]:
    rows = minimal_calculations(rules)
    if targets is not None:
        rows = rows[rows["target"].isin(targets)]
    return Counter(f"{row.target}: {plain_signs(str(row.expression))}" for row in rows.itertuples())


# All calculations


@pytest.mark.parametrize(
    ("rules", "targets", "size", "landscape"),
    [
        (Rules(), None, "A4", False),
        (Rules(operations="+-"), None, "Letter", True),
        (Rules(operations="+"), [10, 4], "A3", False),
        (Rules(operations="+/", max_cards=6), [3], "A3", True),
        (Rules(steps="rational"), 7, "Letter", False),
    ],
)
def test_every_minimal_calculation_stands_on_the_poster_once(
    rules: Rules, targets: list[int] | int | None, size: str, landscape: bool
) -> None:
    poster = calculations_poster(rules, targets, size, landscape=landscape, lang="en")
    expected = calculations_of(rules, [targets] if isinstance(targets, int) else targets)
    assert set(expected.values()) == {1}
    assert calculations_in(poster.text.splitlines()) == expected
    assert calculations_in(lines_of(poster)) == expected
    # Nor does anything else stand there.
    every = all_text(poster)
    for sign, plain in (("×", "*"), ("÷", "/")):
        noted = poster.page * poster.note.count(sign)
        assert every.count(sign) == sum(text.count(plain) for text in expected) + noted
    assert outside(poster) == []
    assert overlapping(poster) == []


def test_every_page_says_its_target() -> None:
    poster = calculations_poster(Rules(), [5, 6], lang="en")
    pages = [page.get_textpage().get_text_range() for page in open_pdf(poster)]
    assert len(pages) > 4
    for page in pages:
        assert ("Cards to make 5" in page) != ("Cards to make 6" in page)
    assert any("(continued)" in page for page in pages)


def test_calculations_are_grouped_by_their_number_of_cards() -> None:
    lines = calculations_poster(Rules(), 1, lang="en").text.splitlines()
    groups = [line for line in lines if line.partition(" ")[2].startswith("cards")]
    assert groups == ["2 cards", "3 cards"]
    three = lines[lines.index("3 cards") + 1 :]
    assert all(plain_signs(line).count("/") + sum(map(plain_signs(line).count, "+-*")) == 2 for line in three)
    strokes = calculations_poster(Rules(), 5, lang="en").text
    assert "8 cards: master stroke, 35 points\n" in strokes


def test_letters_can_be_read_on_a_wall() -> None:
    """About 17 points or more: 2.5 m away they look as large as those of a book in the hand."""
    poster = calculations_poster(Rules(), lang="en")
    signs = [placed.height for placed in poster.placed if placed.kind == "words" and "÷" in placed.words[:8]]
    assert min(signs[1:]) > 17 * 25.4 / 72 * 1.3 * 0.99


def test_what_only_one_type_of_card_can_make_is_marked(tmp_path: Path) -> None:
    deck = tmp_path / "small.csv"
    deck.write_text(
        "kind,number,animal,copies\nnumber,1,,1\nnumber,2,,4\nnumber,3,,4\npicture,1,cat,4\npicture,2,bee,1\n"
    )
    lines = calculations_poster(Rules(players=2, hand_size=2, deck=str(deck)), 2, lang="en").text.splitlines()
    assert {"1 + 1 *", "3 − 1 **", "* with picture cards only", "** with number cards only"} <= set(lines)


@pytest.mark.parametrize(
    ("operations", "targets", "told"),
    [
        ("+", 1, r"target: 1 has no calculation with the operations \+; choose"),
        ("+-*/", 11, "target: 11 is no number of the deck; give one of 1, 2, "),
        ("+-*/", [3, -1], "target: -1 is not allowed; give a whole number from 0 to 99"),
        ("+-*/", True, "target: True is not allowed"),
        ("+-*/", [], "target: none is given; give some of 1, 2, "),
    ],
)
def test_a_target_without_calculations_is_refused(operations: str, targets: list[int] | int, told: str) -> None:
    with pytest.raises(ValueError, match=f"^{told}"):
        calculations_poster(Rules(operations=operations), targets)


# The rules

VARIANTS = [
    Rules(),
    Rules(players=2, operations="+", penalty_cards=0, wildcards=0, max_cards=2, hand_size=1),
    Rules(players=6, team_sizes=(3, 3), rounds=3, max_cards=4, steps="integer", play_off="all", unfinished_bonus=True),
    Rules(
        players=12,
        decks=2,
        rounds=5,
        steps="rational",
        penalty_cards=1,
        play_off="none",
        team_sizes=(6, 6),
        operations="-/",
    ),
    Rules(wildcards={"replay": 2}, operations="+*"),
]


def fits_a_page(poster: Paper) -> bool:
    smallest = min(placed.height for placed in poster.placed if placed.kind == "words")
    read_well = smallest > 8.2 * 25.4 / 72 * 1.3  # points of letters
    return poster.page == 1 and read_well and not outside(poster) and not overlapping(poster)


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_rules_fit_one_page_whatever_they_are(rules: Rules) -> None:
    assert fits_a_page(rules_poster(rules, lang="en"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("size", "landscape"), [("Letter", False), ("Letter", True), ("A3", False)])
def test_the_longest_rules_fit_one_page_in_every_language(lang: str, size: str, landscape: bool) -> None:
    assert fits_a_page(rules_poster(VARIANTS[2], size, landscape=landscape, lang=lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pdf_and_the_text_tell_the_same_rules(lang: str) -> None:
    poster = rules_poster(VARIANTS[2], lang=lang)
    printed = "".join("".join(lines_of(poster)).split())
    with in_language(lang):
        for panel in rules_in_short(VARIANTS[2]):
            assert "".join(panel.title.split()) in printed
            assert f". {panel.title}\n" in poster.text
            for item in panel.items:
                assert "".join(item.words.split()) in printed
                assert f"- {item.spoken}" in poster.text


def test_the_rules_told_are_those_given() -> None:
    usual = rules_poster(Rules(), lang="en").text
    for words in ("Play with 4 players and 92 cards.", "deal 7 cards", "costs 3 cards", "+ − × ÷", "40, 32, 25, 19."):
        assert words in usual
    assert "team" not in usual
    other = rules_poster(VARIANTS[1], lang="en").text
    for words in ("2 players", "deal 1 card to", "After a mistake your turn is over.", "at most 2 cards", "40, 32."):
        assert words in other
    for words in ("ildcard", "Master stroke", "below 0", "change"):
        assert words not in other
    teams = rules_poster(VARIANTS[2], lang="en").text
    for words in ("Teams sit", "only one team", "Play 3 rounds", "Everyone keeps", "share a place, they", "5 players"):
        assert words in teams
    assert "replay wildcard" in rules_poster(VARIANTS[4], lang="en").text
    assert "After a change" not in rules_poster(VARIANTS[4], lang="en").text


@pytest.mark.parametrize("rules", VARIANTS)
def test_the_example_is_a_minimal_calculation_of_the_rules(rules: Rules) -> None:
    example = example_calculation(rules)
    assert example is not None
    target, expression, cards = example
    rows = minimal_calculations(rules)
    numbers = " ".join(map(str, sorted(card.number or 0 for card in cards)))
    row = rows[(rows["target"] == target) & (rows["numbers"] == numbers)].iloc[0]
    assert plain_signs(expression) == plain_signs(str(row["expression"]))
    assert [str(card.number) for card in cards] == "".join(c if c.isdigit() else " " for c in expression).split()


def test_rules_without_calculations_have_a_poster_too(tmp_path: Path) -> None:
    deck = tmp_path / "ones.csv"
    deck.write_text("kind,number,animal,copies\nnumber,7,,20\n")
    poster = rules_poster(Rules(players=2, deck=str(deck), operations="-", wildcards=0), lang="en")
    assert "=" not in poster.text
    assert "same animal" not in poster.text


# A deck to cut


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        (Rules(), "A4"),
        (Rules(wildcards="top-level"), "Letter"),
        (Rules(decks=2, wildcards={"change-any": 3, "replay": 1}), "A3"),
    ],
)
def test_the_deck_has_the_copies_of_the_variant_in_their_size(rules: Rules, size: str) -> None:
    paper = printed_deck(rules, size, backs=False, lang="en")
    printed = Counter(placed.words for placed in paper.placed if placed.kind == "card")
    expected = {card_title(card): n for card, n in zip(rules.the_deck.cards, rules.copies, strict=True) if n}
    assert printed == expected
    spoken = Counter(
        name for line in paper.text.splitlines() if line.startswith("Row ") for name in line.split(": ")[1].split(", ")
    )
    assert spoken == expected
    assert {(placed.width, placed.height) for placed in paper.placed if placed.kind == "card"} == {(63, 88)}
    assert outside(paper) == []
    assert overlapping(paper) == []


def test_nine_cards_a_page_and_true_to_size_in_the_pdf() -> None:
    paper = printed_deck(Rules(), backs=False, lang="en")
    per_page = Counter(placed.page for placed in paper.placed if placed.kind == "card")
    assert sorted(per_page.values()) == [2, *[9] * 10]
    page = next(pages_in_grey(paper, 10)) < 128
    left, top = (210 - 3 * CARD_WIDTH) / 2, (297 - 3 * CARD_HEIGHT) / 2
    across = np.flatnonzero(page[int((top + 44) * 10)]) / 10  # through the middle of the upper cards
    down = np.flatnonzero(page[:, int((left + 10) * 10)]) / 10
    assert across[[0, -1]] == pytest.approx([left, left + 3 * 63], abs=0.3)
    cards = down[(down > top - 1) & (down < top + 3 * 88 + 1)]
    assert cards[[0, -1]] == pytest.approx([top, top + 3 * 88], abs=0.3)


def test_cut_marks_stand_at_every_edge_outside_of_the_cards() -> None:
    page = next(pages_in_grey(printed_deck(Rules(), backs=False, lang="en"), 10)) < 128
    left, top = (210 - 3 * CARD_WIDTH) / 2, (297 - 3 * CARD_HEIGHT) / 2

    def middles(marked: np.ndarray) -> list[float]:
        places = np.flatnonzero(marked)
        return [float(run.mean()) / 10 for run in np.split(places, np.flatnonzero(np.diff(places) > 3) + 1)]

    assert middles(page[int((top - 3) * 10)]) == pytest.approx([left + 63 * edge for edge in range(4)], abs=0.2)
    assert middles(page[:, int((left - 3) * 10)]) == pytest.approx([top + 88 * edge for edge in range(4)], abs=0.2)


@pytest.mark.parametrize("size", SIZES)
def test_backs_lie_behind_their_cards(size: str) -> None:
    """The sheet is turned along its long edge: what was left is right."""
    paper = printed_deck(Rules(), size, lang="en")
    cards = [placed for placed in paper.placed if placed.kind == "card"]
    fronts = {(placed.page, round(placed.x, 3), placed.y) for placed in cards if placed.page % 2}
    backs = {
        (placed.page - 1, round(paper.width - placed.x - CARD_WIDTH, 3), placed.y)
        for placed in cards
        if placed.page % 2 == 0
    }
    assert len(fronts) == 92
    assert backs == fronts
    assert {placed.words for placed in cards if placed.page % 2 == 0} == {"card face down"}


# Every poster


@cache
def posters(lang: str) -> list[Paper]:
    return [
        calculations_poster(Rules(operations="+-"), [3], lang=lang),
        rules_poster(lang=lang),
        printed_deck(Rules(wildcards=0), lang=lang),
    ]


def test_everything_can_be_read_in_grey() -> None:
    for paper in posters("en"):
        for number, page in enumerate(pages_in_grey(paper), 1):
            border = np.concatenate([page[:8].ravel(), page[-8:].ravel(), page[:, :8].ravel(), page[:, -8:].ravel()])
            assert border.min() > 250  # what printers cannot print is empty
            for placed in paper.placed:
                # Of the smallest words, thinner than a pixel here, the paper's grey is all that can be seen.
                if placed.page == number and placed.kind != "box" and placed.height > 3:
                    assert contrast(page, placed) > 4.5, placed


def test_the_same_rules_give_the_same_bytes() -> None:
    for paper, again in zip(posters("en"), posters.__wrapped__("en"), strict=True):
        assert paper.to_bytes() == again.to_bytes()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_posters_are_in_their_language(lang: str) -> None:
    for paper in posters(lang):
        assert f"/Lang ({lang})".encode() in paper.to_bytes()
    texts = [paper.text for paper in posters(lang)]
    with in_language(lang):
        for text, title in zip(
            texts, (_("Cards to make {target}").format(target=3), _("Mistakes"), _("Back")), strict=True
        ):
            assert title in text
    if lang != "en":
        for english in ("Cards to make", "Before you start", "Print at", "Page "):
            assert not any(english in text for text in texts) or (english, lang) == ("Page ", "fr")


def test_signs_are_those_of_the_language() -> None:
    with in_language("de"):
        assert school_signs("(10 - 4) ÷ 2 × 3") == "(10 − 4) : 2 · 3"
    assert "(10 − 4) : 2" in calculations_poster(Rules(), 3, lang="de").text
    assert "(10 − 4) ÷ 2" in calculations_poster(Rules(), 3, lang="fr").text


# The command


def command(monkeypatch: pytest.MonkeyPatch, folder: Path, *words: str) -> int:
    """The status with which `nambarz` ends."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["nambarz", *words])
    with pytest.raises(SystemExit) as ended, contextlib.suppress(BrokenPipeError):
        cli.main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["calculations", "--target", "3,5", "--operations", "+-", "--size", "letter"], "Cards to make 5"),
        (["rules", "--players", "6", "--landscape"], "6 players"),
        (["deck", "--no-backs", "--lang", "de", "--wildcards", "0"], "80 Karten"),
    ],
)
def test_the_command_writes_the_poster_and_its_text(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NAMBARZ_LANG", "en")
    assert command(monkeypatch, tmp_path, "poster", *words, "--output", "p.pdf") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.pdf", "p.txt"]
    assert (tmp_path / "p.pdf").read_bytes().startswith(b"%PDF-")
    assert told in (tmp_path / "p.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["calculations"], "--output"),
        (["wall", "--output", "p.pdf"], "poster: 'wall' is not known"),
        (["deck", "--output", "p.png"], "output: 'p.png' does not end in .pdf"),
        (["deck", "--output", "no/p.pdf"], "output: 'no/p.pdf' cannot be written there"),
        (["deck", "--output", "p.pdf", "--size", "A6"], "size: 'A6' is not known; known are A4, Letter, A3"),
        (["rules", "--output", "p.pdf", "--lang", "it"], "lang: 'it' is not known"),
        (["rules", "--output", "p.pdf", "--players", "13"], "players: 13"),
        (["rules", "--output", "p.pdf", "--target", "3"], "target: '3' is given for rules"),
        (["rules", "--output", "p.pdf", "--no-backs"], "backs: --no-backs is given for rules"),
        (["deck", "--output", "p.pdf", "--landscape"], "landscape: it is given for a deck"),
        (["calculations", "--output", "p.pdf", "--target", "three"], "target: 'three' is not a whole number"),
        (["calculations", "--output", "p.pdf", "--target", "11"], "target: 11 is no number of the deck"),
        (["calculations", "--output", "p.pdf", "--target", "1", "--operations", "+"], "target: 1 has no calculation"),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(
    words: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, tmp_path, "poster", *words) == 2
    line = capsys.readouterr().err
    assert line.startswith("nambarz: ")
    assert line.count("\n") == 1
    assert told in line
    assert list(tmp_path.iterdir()) == []
