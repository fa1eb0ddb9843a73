"""Cards, their texts, the deck of the game and deck files (R1.1 to R1.3)."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim.cards import KINDS, WILDCARDS, Card, Deck, data_folder

NAMBARZ = Deck.load("nambarz")
EXAMPLES = data_folder() / "examples"
HEADER = "kind,number,animal,copies"
REPEATABLE = settings(deadline=None, derandomize=True, database=None, max_examples=150)
NAMED = "1dragonfly 1turtle 3bee 3hippopotamus 4hen 5cat 6dragonfly 7fish 8bee 9hen 9duck 10bear"
"""The picture cards that the two rulebooks name."""

ANIMALS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzáéñüö", min_size=1, max_size=12)
ORDINARY = st.one_of(
    st.builds(Card, st.just("number"), st.integers(0, 99)),
    st.builds(Card, st.just("picture"), st.integers(0, 99), ANIMALS),
)
CARDS = st.one_of(ORDINARY, st.sampled_from(WILDCARDS).map(Card))


def deck_file(folder: Path, *lines: str, header: str = HEADER) -> str:
    path = folder / "school.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return str(path)


def error_of(name: str) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        Deck.load(name)
    return str(caught.value)


def copies_of(kind: str) -> int:
    return sum(copies for card, copies in zip(NAMBARZ.cards, NAMBARZ.copies, strict=True) if card.kind == kind)


# The deck of the game


@pytest.mark.clause("R1.1")
def test_the_deck_has_the_rulebooks_round_figures() -> None:
    figures = tomllib.loads((EXAMPLES / "figures.toml").read_text(encoding="utf-8"))["deck"]
    assert sum(NAMBARZ.copies) == figures["cards"]
    assert copies_of("number") == figures["number-cards"]
    assert copies_of("picture") == figures["picture-cards"]
    assert [copies_of(kind) for kind in WILDCARDS] == [figures["of-each-wildcard"]] * 4
    assert (NAMBARZ.numbers[0], NAMBARZ.numbers[-1]) == (figures["lowest-number"], figures["highest-number"])


@pytest.mark.clause("R1.1")
def test_every_kind_of_card_of_the_deck_stands_in_it_once() -> None:
    assert len(set(NAMBARZ.cards)) == len(NAMBARZ.cards) == 10 + 20 + 4
    assert [card.kind for card in NAMBARZ.cards] == ["number"] * 10 + ["picture"] * 20 + list(WILDCARDS)


@pytest.mark.clause("R1.2")
def test_numbers_run_from_one_to_ten_four_number_cards_of_each() -> None:
    counted = {c.number: copies for c, copies in zip(NAMBARZ.cards, NAMBARZ.copies, strict=True) if c.kind == "number"}
    assert counted == dict.fromkeys(range(1, 11), 4)
    assert NAMBARZ.numbers == tuple(range(1, 11))


@pytest.mark.clause("R1.3")
def test_each_number_has_two_animals_and_each_animal_two_numbers_five_apart() -> None:
    pictures = [card for card in NAMBARZ.cards if card.kind == "picture"]
    assert Counter(card.number for card in pictures) == dict.fromkeys(range(1, 11), 2)
    for animal in NAMBARZ.animals:
        low, high = sorted(card.number for card in pictures if card.animal == animal and card.number is not None)
        assert high == low + 5


@pytest.mark.clause("R1.3")
def test_there_are_two_copies_of_each_picture_card() -> None:
    copies = {count for card, count in zip(NAMBARZ.cards, NAMBARZ.copies, strict=True) if card.kind == "picture"}
    assert copies == {2}


@pytest.mark.clause("R1.3")
def test_the_deck_file_says_of_each_picture_card_whether_the_texts_name_it() -> None:
    path = data_folder() / "decks" / "nambarz.csv"
    table = pd.read_csv(path, comment="#", dtype=str, keep_default_na=False)
    pictures = table[table["kind"] == "picture"]
    assert set(pictures["source"]) == {"named", "inferred"}
    named = pictures[pictures["source"] == "named"]
    assert set(named["number"] + named["animal"]) == set(NAMED.split())


@pytest.mark.clause("R1.3")
def test_the_deck_files_header_says_what_is_inferred() -> None:
    lines = (data_folder() / "decks" / "nambarz.csv").read_text(encoding="utf-8").splitlines()
    header = " ".join(line for line in lines if line.startswith("#"))
    assert all(animal in header for animal in NAMBARZ.animals)
    assert "inferred" in header


@pytest.mark.clause("R1.3")
def test_on_three_bees_lie_four_kinds_of_cards_and_on_plain_three_three() -> None:
    # The rulebooks count them: the same card, three more kinds on 3 bees, two more on plain 3.
    matches = pd.read_csv(EXAMPLES / "matches.csv", comment="#", dtype=str, keep_default_na=False)
    covers = matches[(matches["source"] == "rulebook") & (matches["covers"] == "yes")]
    bees = [card for card in NAMBARZ.cards if card.number == 3 or card.animal == "bee"]
    threes = [card for card in NAMBARZ.cards if card.number == 3]
    assert {str(card) for card in bees} == set(covers.loc[covers["active"] == "3bee", "card"])
    assert {str(card) for card in threes} == set(covers.loc[covers["active"] == "3", "card"])


@pytest.mark.parametrize("name", ["calculations", "matches", "wildcards"])
def test_the_test_vectors_name_only_cards_of_the_deck(name: str) -> None:
    table = pd.read_csv(EXAMPLES / f"{name}.csv", comment="#", dtype=str, keep_default_na=False)
    for column in {"active", "card", "cards", "laid"} & set(table.columns):
        for words in table[column]:
            assert " ".join(str(card) for card in NAMBARZ.hand(words)) == words


# The text of a card


@REPEATABLE
@given(CARDS)
def test_a_card_is_read_back_from_its_text(card: Card) -> None:
    assert Card.parse(str(card)) == card


@REPEATABLE
@given(ORDINARY)
def test_case_blanks_and_a_hyphen_do_not_matter(card: Card) -> None:
    text = f"{card.number}{card.animal or ''}"
    assert Card.parse(f"  {text.upper()} ") == card
    if card.animal:
        assert Card.parse(f"{card.number}-{card.animal}") == Card.parse(f"{card.number} {card.animal}") == card


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("3", Card("number", 3)),
        ("10bear", Card("picture", 10, "bear")),
        ("0", Card("number", 0)),
        ("99", Card("number", 99)),
        ("Change-Any", Card("change-any")),
        ("replay", Card("replay")),
    ],
)
def test_cards_are_written_as_on_the_table(text: str, card: Card) -> None:
    assert Card.parse(text) == card
    assert card.is_wildcard == (card.kind in WILDCARDS)


@pytest.mark.parametrize("text", ["", " ", "bee", "100", "3.5", "-3", "3 bees 2", "3+4", "joker", "²", "9" * 5000])
def test_a_text_that_is_no_card_is_refused_with_the_way_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="A number card is written 3, a picture card 3bee") as caught:
        Card.parse(text)
    assert repr(text[:40]) in str(caught.value)
    assert all(kind in str(caught.value) for kind in WILDCARDS)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(("text", "meant"), [("change-numbr", "change-number"), ("reply", "replay")])
def test_a_misspelt_wildcard_suggests_the_nearest(text: str, meant: str) -> None:
    with pytest.raises(ValueError, match=f"Did you mean '{meant}'"):
        Card.parse(text)


def test_an_unknown_kind_of_card_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"card kind: 'pictur' is not known.*Did you mean 'picture'") as caught:
        Card("pictur", 3, "bee")
    assert all(kind in str(caught.value) for kind in KINDS)


# A deck's cards by their text


def test_every_card_of_the_deck_is_found_by_its_text_and_has_its_own_type() -> None:
    assert [NAMBARZ.type_of(NAMBARZ.card(str(card))) for card in NAMBARZ.cards] == list(range(34))
    assert all(NAMBARZ.card(card) == card for card in NAMBARZ.cards)


@pytest.mark.parametrize(
    ("text", "meant"), [("3be", "3bee"), ("3hippo", "3hippopotamus"), ("4chicken", "4duck"), ("8cat", "8bee")]
)
def test_a_card_that_the_deck_does_not_have_lists_those_of_its_number(text: str, meant: str) -> None:
    with pytest.raises(ValueError, match=r"deck 'nambarz'") as caught:
        NAMBARZ.card(text)
    message = str(caught.value)
    assert repr(text) in message
    assert meant in message


def test_a_misspelt_animal_suggests_the_nearest_card() -> None:
    with pytest.raises(ValueError, match="Did you mean '3hippopotamus'"):
        NAMBARZ.card("3hippopotamos")


def test_a_number_that_the_deck_does_not_have_lists_its_cards() -> None:
    with pytest.raises(ValueError, match="'11' is not known; known are 1, 2, 3"):
        NAMBARZ.card("11")


@REPEATABLE
@given(st.lists(st.sampled_from(NAMBARZ.cards), max_size=12), st.sampled_from([" ", ", ", ",", ";", "  ", "\t", "\n"]))
def test_a_hand_is_read_back_from_its_text(cards: list[Card], between: str) -> None:
    assert NAMBARZ.hand(between.join(str(card) for card in cards)) == cards
    assert NAMBARZ.hand(cards) == NAMBARZ.hand([str(card) for card in cards]) == cards


def test_a_hand_with_a_word_that_is_no_card_is_refused() -> None:
    with pytest.raises(ValueError, match="'seven' is not known"):
        NAMBARZ.hand("10 4 seven")


# Deck files


def test_the_shipped_decks_are_listed_and_load() -> None:
    assert "nambarz" in Deck.names()
    assert all(Deck.load(name).name == name for name in Deck.names())


@pytest.mark.clause("R1.3")
def test_another_file_gives_other_copies_animals_and_numbers(tmp_path: Path) -> None:
    deck = Deck.load(deck_file(tmp_path, "number,0,,5", "number,99,,1", "picture,12,Águila,3", "replay,,,2"))
    assert [str(card) for card in deck.cards] == ["0", "99", "12águila", *WILDCARDS]
    assert deck.copies == (5, 1, 3, 0, 0, 0, 2)
    assert deck.numbers == (0, 12, 99)
    assert deck.animals == ("águila",)


def test_comments_blank_lines_other_columns_and_blanks_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    text = (
        "# ours\r\n\r\nnote, copies ,animal,kind,number\r\nx, 2 , Bee , Picture , 3 \r\n# more\r\n\r\ny,4,,number,7\r\n"
    )
    path.write_bytes(b"\xef\xbb\xbf" + text.encode("utf-8"))
    deck = Deck.load(str(path))
    assert [str(card) for card in deck.cards[:2]] == ["7", "3bee"]
    assert deck.copies[:2] == (4, 2)


CONTENTS = st.dictionaries(ORDINARY, st.integers(1, 99), min_size=1, max_size=30)


@REPEATABLE
@given(CONTENTS, st.lists(st.integers(0, 99), min_size=4, max_size=4), st.randoms(use_true_random=False))
def test_a_deck_file_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, contents: dict[Card, int], wild: list[int], mixer: object
) -> None:
    every = contents | dict(zip(map(Card, WILDCARDS), wild, strict=True))
    number = {card: "" if card.number is None else card.number for card in every}
    lines = [f"{card.kind},{number[card]},{card.animal or ''},{copies}" for card, copies in every.items()]
    mixer.shuffle(lines)  # type: ignore[attr-defined]
    deck = Deck.load(deck_file(tmp_path_factory.mktemp("decks"), *lines))
    assert dict(zip(deck.cards, deck.copies, strict=True)) == every
    assert list(deck.cards[-4:]) == [Card(kind) for kind in WILDCARDS]


def test_an_unknown_deck_lists_the_known_ones_and_suggests_the_nearest() -> None:
    message = error_of("nambarx")
    assert message.startswith("deck: 'nambarx' is not known; known are ")
    assert "Did you mean 'nambarz'?" in message
    assert "path of a CSV file" in message


@pytest.mark.parametrize("column", ["kind", "number", "animal", "copies"])
def test_a_missing_column_is_named(tmp_path: Path, column: str) -> None:
    header = ",".join(name for name in HEADER.split(",") if name != column)
    message = error_of(deck_file(tmp_path, "number,3,4", header=header))
    assert "school.csv" in message
    assert f"column {column!r} is missing" in message
    assert HEADER in message


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.csv"
    path.write_text(text, encoding="utf-8")
    assert "empty.csv" in error_of(str(path))


def test_a_deck_of_wildcards_only_is_refused(tmp_path: Path) -> None:
    message = error_of(deck_file(tmp_path, "replay,,,3"))
    assert "school.csv" in message
    assert "no number or picture card" in message


BAD_ROWS = {
    "number,100,,4": ("number", "'100'", "0 to 99"),
    "number,-1,,4": ("number", "'-1'", "0 to 99"),
    "number,,,4": ("number", "''", "0 to 99"),
    "number,three,,4": ("number", "'three'", "0 to 99"),
    "number,3.0,,4": ("number", "'3.0'", "0 to 99"),
    "number,³,,4": ("number", "'³'", "0 to 99"),
    "number,٣,,4": ("number", "'٣'", "0 to 99"),
    "number,3,,": ("copies", "''", "1 to 99"),
    "number,3,,0": ("copies", "'0'", "1 to 99"),
    "number,3,,100": ("copies", "'100'", "1 to 99"),
    "number,3,,four": ("copies", "'four'", "1 to 99"),
    "number,3": ("copies", "''", "1 to 99"),
    "picture,3,bee,0": ("copies", "'0'", "1 to 99"),
    "replay,,,-1": ("copies", "'-1'", "0 to 99"),
    "replay,,,": ("copies", "''", "0 to 99"),
    "picture,3,,2": ("animal", "''", "one word of letters"),
    "picture,3,polar bear,2": ("animal", "'polar bear'", "one word of letters"),
    "picture,3,b3e,2": ("animal", "'b3e'", "one word of letters"),
    "picture,3,bee_2,2": ("animal", "'bee_2'", "one word of letters"),
    "joker,3,,2": ("kind", "'joker'", "change-number"),
    ",3,,2": ("kind", "''", "change-number"),
}


@pytest.mark.parametrize("row", BAD_ROWS)
def test_a_bad_row_is_named_by_file_line_field_and_value(tmp_path: Path, row: str) -> None:
    field, value, allowed = BAD_ROWS[row]
    message = error_of(deck_file(tmp_path, "number,5,,4", "", "# a comment", row, "number,6,,4"))
    assert "school.csv" in message
    assert "line 5" in message
    assert all(part in message for part in (field, value, allowed)), message


def test_a_misspelt_kind_suggests_the_nearest(tmp_path: Path) -> None:
    assert "Did you mean 'picture'?" in error_of(deck_file(tmp_path, "pictures,3,bee,2"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("number,3,,4", "number,3,,4"),
        ("picture,3,bee,2", "picture,3,BEE,1"),
        ("replay,,,3", "replay,,,3"),
        ("replay,,,3", "replay,,,0"),
        ("replay,,,0", "replay,,,3"),
    ],
)
def test_a_card_on_two_lines_is_refused_with_the_line(tmp_path: Path, first: str, second: str) -> None:
    message = error_of(deck_file(tmp_path, "number,5,,4", first, second))
    assert "school.csv" in message
    assert "line 4" in message
    assert "twice" in message


def test_a_file_that_is_not_utf8_is_refused_with_the_place(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(f"{HEADER}\npicture,3,águila,2\n".encode("latin-1"))
    message = error_of(str(path))
    assert "latin.csv" in message
    assert f"byte {len(HEADER) + len('_picture,3,')}" in message
    assert "UTF-8" in message


def test_a_folder_is_no_deck(tmp_path: Path) -> None:
    assert "path of a CSV file" in error_of(str(tmp_path))
