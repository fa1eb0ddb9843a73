"""Deck and rules files of others: what is too large, no file, no text or no sense is refused in one sentence."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nambarz_sim._errors import as_number, cut, printable, shown, unknown_name
from nambarz_sim.analysis.minutes import Timings
from nambarz_sim.cards import LARGEST_FILE, LONGEST_ANIMAL, MOST_KINDS, Card, Deck
from nambarz_sim.cli.options import read_rules, read_whole
from nambarz_sim.rules import Rules
from nambarz_sim.strategies.pupil import Pupil

HEADER = "kind,number,animal,copies\n"
DIGITS = "9" * 5_000
"""More than Python makes a number of."""
READERS: dict[str, Callable[[Any], Any]] = {"deck": Deck.load, "rules": Rules.load}


def error_of(read: Callable[[], Any]) -> str:
    """The error's sentence, which must be one that a person can read."""
    with pytest.raises(ValueError, match=r"\S") as caught:
        read()
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 500
    return message


def file_of(folder: Path, content: str | bytes, name: str = "given.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# What is no ordinary file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("kind", READERS)
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    message = error_of(lambda: READERS[kind](pipe))
    assert message.startswith(f"{kind} file")
    assert "is no ordinary file; give the path of a" in message


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no device without an end")
@pytest.mark.parametrize("kind", READERS)
def test_a_device_without_an_end_is_refused(kind: str) -> None:
    assert "'/dev/zero' is no ordinary file" in error_of(lambda: READERS[kind]("/dev/zero"))


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("path", ["", "x" * 300, "x" * 70_000, "a\0b", "\ud800", "none/none", "\x1b[31m"])
def test_a_path_of_any_form_is_refused_in_one_sentence(kind: str, path: str) -> None:
    assert error_of(lambda: READERS[kind](path))


def test_a_preset_of_any_length_is_refused() -> None:
    assert "preset: 'xxx" in error_of(lambda: Rules.preset("x" * 70_000))


# What is too large


@pytest.mark.parametrize(("kind", "largest"), [("deck", LARGEST_FILE), ("rules", 2**16)])
def test_a_file_too_large_is_refused_before_it_is_read(tmp_path: Path, kind: str, largest: int) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(2**40)
    assert f"has more than {largest:,} bytes; give a smaller one" in error_of(lambda: READERS[kind](path))


def test_a_deck_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    text = f"{HEADER}number,5,,4\n"
    path = file_of(tmp_path, text + "\n" * (LARGEST_FILE - len(text)))
    assert Deck.load(str(path)).copies == (4, 0, 0, 0, 0)
    longer = file_of(tmp_path, path.read_bytes() + b"\n", "longer.txt")
    assert "bytes" in error_of(lambda: Deck.load(str(longer)))


@pytest.mark.parametrize("kind", READERS)
def test_a_line_too_long_is_named(tmp_path: Path, kind: str) -> None:
    path = file_of(tmp_path, f"# one\n# {'x' * 20_000}\n")
    assert "line 2: it has 20,002 characters; write at most" in error_of(lambda: READERS[kind](path))


def test_a_deck_has_at_most_a_thousand_kinds_of_cards(tmp_path: Path) -> None:
    rows = [f"picture,{place % 100},{'a' * (1 + place // 100)},1" for place in range(MOST_KINDS)]
    fits = file_of(tmp_path, HEADER + "\n".join(rows[: MOST_KINDS - 4]), "fits.csv")
    assert len(Deck.load(str(fits)).cards) == MOST_KINDS
    more = file_of(tmp_path, HEADER + "\n".join(rows), "more.csv")
    message = error_of(lambda: Deck.load(str(more)))
    assert f"line {MOST_KINDS - 2}: it is one card too many; give at most 1,000 kinds" in message


def test_a_deck_with_very_many_columns_is_refused(tmp_path: Path) -> None:
    path = file_of(tmp_path, HEADER.strip() + "," * 5_000 + "\n" + "number,5,,4\n" * 10)
    assert "it has 5004 columns; leave at most 100 in it" in error_of(lambda: Deck.load(str(path)))


@pytest.mark.parametrize(
    ("row", "part"),
    [
        (f"number,{DIGITS},,4", "number '999"),
        (f"number,5,,{DIGITS}", "copies '999"),
        ("number,5,,100", "copies '100' must be a whole number from 1 to 99"),
        (f"picture,5,{'b' * 5_000},1", f"one word of letters for a picture card, at most {LONGEST_ANIMAL}"),
        ("picture,5,<script>alert(1)</script>,1", "animal '<script>"),
        ("picture,5,\x1b[31mbee,1", r"animal '\x1b[31mbee'"),
        ("picture,5,³,1", "animal '³' must be one word of letters"),
        ("picture,5,\u202ebee,1", r"animal '\u202ebee'"),
        (f"{'j' * 5_000},5,,1", "kind: 'jjj"),
    ],
)
def test_a_hostile_row_is_refused_in_a_printable_line(tmp_path: Path, row: str, part: str) -> None:
    path = file_of(tmp_path, f"{HEADER}{row}\n")
    message = error_of(lambda: Deck.load(str(path)))
    assert "given.txt', line 2" in message
    assert part in message


def test_the_longest_name_of_an_animal_is_read(tmp_path: Path) -> None:
    path = file_of(tmp_path, f"{HEADER}picture,5,{'b' * LONGEST_ANIMAL},1\n")
    assert Deck.load(str(path)).animals == ("b" * LONGEST_ANIMAL,)


def test_an_open_quotation_mark_over_many_lines_is_refused(tmp_path: Path) -> None:
    path = file_of(tmp_path, f'{HEADER}number,5,"' + ("x" * 1_000 + "\n") * 200)
    assert "cannot be read as CSV" in error_of(lambda: Deck.load(str(path)))


def test_an_error_lists_only_so_many_cards_of_a_deck(tmp_path: Path) -> None:
    rows = [f"picture,5,{'ab'[place % 2] * (1 + place // 2)},1" for place in range(2 * LONGEST_ANIMAL)]
    deck = Deck.load(str(file_of(tmp_path, HEADER + "\n".join(rows))))
    assert " and more" in error_of(lambda: deck.card("6"))
    assert " and more" in error_of(lambda: deck.card("5zebra"))


# What is no text


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    ("content", "part"),
    [(b"# a\0b", "byte 3 is a NUL"), (b"# \xff", "byte 2 is not UTF-8"), ("# a".encode("utf-16"), "is a NUL")],
)
def test_what_is_no_text_is_refused_with_its_place(tmp_path: Path, kind: str, content: bytes, part: str) -> None:
    assert part in error_of(lambda: READERS[kind](file_of(tmp_path, content)))


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    deck = Deck.load(str(file_of(tmp_path, f"\ufeff{HEADER}number,5,,4\n")))
    assert deck.numbers == (5,)
    assert Rules.load(file_of(tmp_path, "\ufeffplayers = 6\n", "mark.toml")).players == 6


# Rules files


HOSTILE_RULES = {
    "brackets in brackets": "players = " + "[\n" * 20_000,
    "tables in tables": "players = " + "{a=" * 600,
    "a number of many digits": f"players = {'9' * 1_900}",
    "a number of many digits in base 16": f"players = 0x{'f' * 1_900}",
    "numbers of many digits in base 16": f"operations = [{'0x' + 'f' * 1_900}]",
    "wildcards of many digits": f"wildcards = {'8' * 1_900}",
    "wildcards below any": f"wildcards = {{replay = -{'9' * 1_900}}}",
    "many teams": "team_sizes = [\n" + "2,\n" * 15_000 + "]",
    "a team of teams": "team_sizes = " + "[" * 20 + "]" * 20,
    "a long name": f"{'x' * 1_900} = 1",
    "a name in quotes": '"\\u001b[31m\\u202e" = 1',
    "a key of many parts": "\n".join(".".join(["a"] * 900) + f".b{line} = 1" for line in range(30)),
    "the same key": f"{'x' * 900} = 1\n{'x' * 900} = 2",
    "no number": "turn_limit = nan",
    "no end": "turn_limit = inf",
    "a date": "players = 2020-01-01",
    "no name of a deck": "deck = [1]",
    "a deck that is a device": 'deck = "/dev/zero"',
    "a deck that is this file": 'deck = "given.txt"',
    "a long deck": f'deck = "{"d/" * 900}"',
    "steps that are a table": "steps = {}",
    "long steps": f'steps = "{"whole " * 300}"',
    "signs that are none": f'operations = "{"?" * 1_900}"',
    "a mark of order": "\u202e",
    "tags of another language": "players: !!python/object/apply:os.system ['true']",
}


@pytest.mark.parametrize("what", HOSTILE_RULES)
def test_a_hostile_rules_file_is_refused_in_a_printable_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = file_of(tmp_path, HOSTILE_RULES[what])
    assert error_of(lambda: Rules.load(path))


@pytest.mark.parametrize("name", ["players", "max_cards", "steps", "deck", "operations", "team_sizes", "recycle"])
def test_a_value_that_python_cannot_print_is_refused_in_a_sentence(name: str) -> None:
    assert "too large to print (int)" in error_of(lambda: Rules(**{name: 16**5_000}))


# Words of a command line or a form


@pytest.mark.parametrize(
    "read",
    [
        lambda: read_whole("players", DIGITS),
        lambda: read_rules({"team_sizes": f"2,{DIGITS}"}),
        lambda: Rules(**read_rules({"wildcards": DIGITS})),
        lambda: Rules(**read_rules({"wildcards": f"replay={DIGITS}"})),
        lambda: Pupil.parse(f"year-3:planner:{DIGITS}"),
        lambda: Pupil.parse(f"year-3 most_cards={DIGITS}"),
        lambda: Pupil.parse(f"year-3 slip={DIGITS}"),
        lambda: Pupil.parse("year-3 slip=nan"),
        lambda: Pupil.parse(f"year-3 {'x' * 5_000}=?"),
        lambda: Timings.parse(f"match={DIGITS}"),
        lambda: Timings.parse("match=nan"),
        lambda: Timings.parse(f"{'x' * 5_000}=\x1b"),
        lambda: Card.parse(DIGITS),
        lambda: Card.parse("3³"),
        lambda: Card.parse("\x1b[31m\u202e" * 5_000),
    ],
)
def test_hostile_words_are_refused_in_a_printable_line(read: Callable[[], Any]) -> None:
    assert error_of(read)


# How errors show what they are about


def test_what_a_terminal_obeys_is_shown_as_an_escape() -> None:
    assert printable("a\x1b[31m\n\u202e\ud800b") == r"a\x1b[31m\n\u202e\ud800b"
    assert printable("águila 鷲 10 + 2") == "águila 鷲 10 + 2"


def test_of_a_long_value_the_beginning_and_the_end_are_shown() -> None:
    assert shown("three") == "'three'"
    assert shown("a" * 100 + "b" * 100, 10) == "'aaaa…bbbb'"
    assert cut("1234567890", 10) == "1234567890"
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert shown(nested) == "a value too large to print (list)"


def test_a_list_of_names_is_cut_between_two_names() -> None:
    names = [f"name-{number}" for number in range(100)]
    assert unknown_name("strategy", "name-7", names, 20) == (
        "strategy: 'name-7' is not known; known are name-0, name-1 and more. Did you mean 'name-7'?"
    )


def test_digits_become_a_number_only_where_it_may_be_allowed() -> None:
    assert as_number(" 12 ") == 12
    assert as_number("-1") == "-1"
    assert as_number(DIGITS) == DIGITS
