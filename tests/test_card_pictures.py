"""The cards drawn: well-formed pictures with their names, told apart without colour, safe with any deck's names."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim import card_pictures
from nambarz_sim.card_pictures import CARDS_IN_A_ROW, CardPicture, card_back_svg, card_svg, card_title, draw_cards
from nambarz_sim.cards import WILDCARDS, Card, Deck, data_folder

NAMBARZ = Deck.load("nambarz")
ANIMALS = data_folder() / "animals"
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "g", "path", "circle", "ellipse", "rect", "line", "polygon"}
LARGEST_DRAWING = 3_000
HOSTILE = [
    "<script>alert(1)</script>",
    'a"b',
    "a'b",
    "a&b",
    "]]>",
    "</title><b>",
    "../decks/nambarz",
    "\x00\x1b",
    "\ud800",
]


def tags(root: ElementTree.Element) -> set[str]:
    return {element.tag.removeprefix(SVG) for element in root.iter()}


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def without_words(picture: str) -> str:
    return re.sub(r"<(title|text)\b.*?</\1>", "", picture)


def without_colours(picture: str) -> str:
    return re.sub(r'#[0-9A-F]{6}(?=")', "#", picture)


class Images(HTMLParser):
    """What the images of a page say and show."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.alt: list[str] = []
        self.shown: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if tag == "img":
            self.alt.append(values["alt"] or "")
            kind, _, content = (values["src"] or "").partition(",")
            assert kind == "data:image/svg+xml;base64"
            self.shown.append(base64.b64decode(content).decode())


# The drawings


def test_every_animal_of_the_deck_is_drawn() -> None:
    assert {path.stem for path in ANIMALS.glob("*.svg")} == set(NAMBARZ.animals)


@pytest.mark.parametrize("animal", NAMBARZ.animals)
def test_a_drawing_is_plain_shapes(animal: str) -> None:
    """No ids, which would clash in one page; no styles, scripts, text or links."""
    text = (ANIMALS / f"{animal}.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.get("viewBox") == "0 0 100 100"
    assert tags(root) <= SHAPES
    named = {name for element in root.iter() for name in element.attrib}
    assert not named & {"id", "style", "class"}
    assert not [name for name in named if name.startswith("on") or "href" in name]
    assert len(text.encode()) < LARGEST_DRAWING


# Every kind of card


@pytest.mark.parametrize("card", NAMBARZ.cards, ids=str)
def test_a_card_is_an_svg_document_with_its_name(card: Card) -> None:
    root = ElementTree.fromstring(card_svg(card))
    assert (root.tag, root.get("viewBox"), root.get("role")) == (f"{SVG}svg", "0 0 100 140", "img")
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == card_title(card)
    assert tags(root) <= SHAPES | {"title", "text"}
    assert not [element for element in root.iter() if element.get("id")]


@pytest.mark.parametrize("card", [card for card in NAMBARZ.cards if not card.is_wildcard], ids=str)
def test_an_ordinary_card_says_its_number_twice_or_more_and_its_animal(card: Card) -> None:
    words = texts(card_svg(card))
    assert words.count(str(card.number)) == (3 if card.animal is None else 2)
    assert words.count(card.animal or "") == (0 if card.animal is None else 1)


def test_titles_are_what_people_say() -> None:
    titles = [card_title(NAMBARZ.card(text)) for text in ("3bee", "10", "change-picture", "replay")]
    assert titles == ["3 bee", "number card 10", "change-picture wildcard", "replay wildcard"]


def test_every_card_has_a_picture_and_a_title_of_its_own() -> None:
    assert len({card_svg(card) for card in NAMBARZ.cards}) == len(NAMBARZ.cards)
    assert len({card_title(card) for card in NAMBARZ.cards}) == len(NAMBARZ.cards)


def test_animals_differ_without_their_names_and_without_colours() -> None:
    bare = {without_colours(without_words(card_svg(Card("picture", 3, animal)))) for animal in NAMBARZ.animals}
    assert len(bare) == len(NAMBARZ.animals)


@pytest.mark.parametrize(
    ("number", "underlined"),
    [(6, True), (9, True), (66, True), (89, True), (0, False), (7, False), (8, False), (10, False), (80, False)],
)
def test_numbers_that_turn_into_others_upside_down_are_underlined(number: int, underlined: bool) -> None:
    root = ElementTree.fromstring(card_svg(Card("number", number)))
    assert len(root.findall(f".//{SVG}path")) == (3 if underlined else 0)


def test_pictures_are_kept() -> None:
    assert card_svg(Card("replay")) is card_svg(Card("replay"))
    assert card_back_svg() is card_back_svg()


def test_the_back_tells_nothing() -> None:
    root = ElementTree.fromstring(card_back_svg())
    assert (root.get("viewBox"), root[0].text) == ("0 0 100 140", "card face down")
    assert texts(card_back_svg()) == []


# Wildcards


def test_wildcards_differ_without_words_and_colours() -> None:
    bare = {without_colours(without_words(card_svg(Card(kind)))) for kind in WILDCARDS}
    assert len(bare) == len(WILDCARDS)


@pytest.mark.parametrize("part", ["words", "colour", "frame", "background", "symbol", "mark"])
def test_wildcards_differ_in_every_part(part: str) -> None:
    looks = card_pictures._WILDCARDS
    assert set(looks) == set(WILDCARDS)
    assert len({without_colours(str(getattr(look, part))) for look in looks.values()}) == len(WILDCARDS)


@pytest.mark.parametrize("kind", WILDCARDS)
def test_a_wildcard_is_named_and_framed_as_no_ordinary_card_is(kind: str) -> None:
    picture = card_svg(Card(kind))
    assert set(kind.split("-")) <= set(texts(picture))
    assert "stroke-dasharray" in picture
    assert not [card for card in NAMBARZ.cards if not card.is_wildcard and "stroke-dasharray" in card_svg(card)]


# Other decks


@pytest.mark.parametrize("animal", ["axolotl", "ñandú", "河马", *HOSTILE])
def test_an_animal_without_a_drawing_is_its_name(animal: str) -> None:
    """A deck file has only letters; a `Card` made by hand may have anything, and stays one text in the picture."""
    root = ElementTree.fromstring(card_svg(Card("picture", 4, animal)))
    assert tags(root) == {"svg", "title", "rect", "text", "g"}
    readable = re.sub("[\x00-\x1f\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", animal)
    assert readable in texts(card_svg(Card("picture", 4, animal)))
    assert root[0].text == f"4 {readable}"


@pytest.mark.parametrize("animal", HOSTILE)
def test_hostile_names_stay_text_in_a_notebook(animal: str) -> None:
    page = draw_cards(Card("picture", 4, animal))._repr_html_()
    assert page.count("<") == 3
    assert len(Images(page).alt) == 1
    page.encode()


@settings(deadline=None, derandomize=True, database=None, max_examples=100)
@given(st.text(max_size=40))
def test_any_name_gives_a_well_formed_picture(animal: str) -> None:
    ElementTree.fromstring(card_svg(Card("picture", 99, animal)).encode())


def test_long_names_are_written_smaller() -> None:
    def size(animal: str) -> float:
        root = ElementTree.fromstring(card_svg(Card("picture", 4, animal)))
        return float(next(text for text in root.iter(f"{SVG}text") if text.text == animal).get("font-size", "0"))

    assert size("emu") > size("salamander") > size("archaeopteryx") > 0


# Rows for notebooks


def test_cards_are_drawn_in_their_order_each_with_its_name() -> None:
    cards = NAMBARZ.hand("10 7fish change-any 10")
    images = Images(draw_cards("10, 7fish change-any 10")._repr_html_())
    assert images.alt == ["number card 10", "7 fish", "change-any wildcard", "number card 10"]
    assert images.shown == [card_svg(card) for card in cards]


def test_cards_come_as_text_cards_or_both() -> None:
    bee = Card.parse("3bee")
    for cards in ("3bee 4", [bee, "4"], (bee, Card("number", 4)), iter(["3bee", "4"])):
        picture = draw_cards(cards)
        assert isinstance(picture, CardPicture)
        assert repr(picture) == "3bee 4"
    assert repr(draw_cards(bee)) == "3bee"


def test_rows_are_of_ten_at_most() -> None:
    page = draw_cards("1 " * 25, width=50)._repr_html_()
    gap, widest = (int(found) for found in re.findall(r"(?:gap|max-width):(\d+)px", page))
    assert CARDS_IN_A_ROW * 50 + (CARDS_IN_A_ROW - 1) * gap <= widest
    assert widest < (CARDS_IN_A_ROW + 1) * 50 + CARDS_IN_A_ROW * gap
    assert page.count('width="50"') == 25


def test_an_empty_hand_says_so() -> None:
    assert repr(draw_cards("")) == "no cards"
    assert "no cards" in draw_cards([])._repr_html_()


def test_texts_are_of_the_deck_and_cards_are_drawn_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "school.csv"
    path.write_text("kind,number,animal,copies\npicture,12,axolotl,2\nnumber,12,,2\n", encoding="utf-8")
    assert draw_cards("12axolotl 12", deck=str(path)) == draw_cards(["12axolotl", "12"], deck=Deck.load(str(path)))
    assert repr(draw_cards([Card("picture", 12, "axolotl")])) == "12axolotl"
    with pytest.raises(ValueError, match="'12axolotl' is not known"):
        draw_cards("12axolotl")
    with pytest.raises(ValueError, match="'3bee' is not known"):
        draw_cards(["3bee"], deck=str(path))


def test_bad_arguments_are_explained() -> None:
    with pytest.raises(TypeError, match="cards: 3 is no card; give a Card or a card's text"):
        draw_cards([3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="width: 5 is not allowed; give a whole number from 20 to 1000"):
        draw_cards("3", width=5)
    with pytest.raises(ValueError, match="deck: 'nambars' is not known"):
        draw_cards("3", deck="nambars")


# Installed


def test_drawings_are_found_inside_an_installed_package(tmp_path: Path) -> None:
    package = tmp_path / "nambarz_sim"
    package.mkdir()
    names = ("__init__", "_errors", "_files", "_version", "languages", "card_names", "cards", "card_pictures")
    for name in names:
        shutil.copy(Path(card_pictures.__file__).with_name(f"{name}.py"), package)
    shutil.copytree(data_folder(), package / "data")
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import nambarz_sim; print(nambarz_sim.__file__); "
        "from nambarz_sim.card_pictures import Card, card_svg; print(card_svg(Card.parse('3bee')), end='')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    place, _, picture = done.stdout.partition("\n")
    assert Path(place).parent == package
    assert picture == card_svg(Card.parse("3bee"))
