"""The widgets and the pages in each language: every text of theirs is translated, no key and no open place is shown."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nambarz_sim import Rules
from nambarz_sim.arithmetic.shown import signs
from nambarz_sim.card_names import ANIMALS, WILDCARDS, card_text, translated
from nambarz_sim.cards import Card
from nambarz_sim.languages import LANGUAGES, _, in_language

widgets = pytest.importorskip("nambarz_sim.widgets", reason="needs the extra `notebooks`")
app = pytest.importorskip("nambarz_sim.app", reason="needs the extra `notebooks`")
panel = pytest.importorskip("nambarz_sim.widgets.panel")
words = pytest.importorskip("nambarz_sim.widgets.words")

FOLDER = Path(panel.__file__).parent
OTHERS = [lang for lang in LANGUAGES if lang != "en"]
FRONTS = [name for name in words.WORDS if name != "panel"]
SAID = re.compile(r'\bsay\("((?:[^"\\]|\\.)*)"')
PLACE = re.compile(r"\{\w+\}")
SAME = {
    "es": {"Total", "(10-4)/2"},
    "fr": {"Points", "Table", "Total", "Verdict", "(10-4)/2", "addition", "division", "multiplication", "plus"},
    "de": {"Hand", "minus", "plus"},
}
"""Words that are spelt as in English."""
HAND = "10 4 2 6 5 7fish change-any replay"


def front_end(name: str) -> str:
    return (FOLDER / f"{name}.js").read_text(encoding="utf-8").replace('say("…")', "")


def hand_explorer(lang: str | None) -> Any:
    widget = widgets.HandExplorer(hand=HAND, active="3bee", lang=lang)
    widget.set_drawn("5")
    widget.select("6 5 2 10")
    return widget


def calculation_checker(lang: str | None) -> Any:
    widget = widgets.CalculationChecker(lang=lang)
    for text in ("(10-4)/2", "10 - 4", "7 - + 4"):
        widget.check(text)
    return widget


def table(lang: str | None) -> Any:
    widget = widgets.Table(Rules(players=4, team_sizes=(2, 2), rounds=2), "random", seed=1, lang=lang)
    widget.hint()
    widget.preview("3 4")
    return widget


def batch_explorer(lang: str | None) -> Any:
    widget = widgets.BatchExplorer(Rules(players=2), games=4, lang=lang)
    widget.run()
    assert widget.wait(120)
    return widget


MAKERS = {each.__name__: each for each in (hand_explorer, calculation_checker, table, batch_explorer)}


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a view, with where it stands."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from texts(each, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each, path)
    elif isinstance(value, str):
        yield path, value


def sent(widget: Any) -> list[Any]:
    """What the front end is sent to show, without its own words."""
    return [widget.view, *([widget.progress, widget.runs] if hasattr(widget, "runs") else [])]


# --- the front ends' own words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", words.WORDS)
def test_a_front_end_says_what_python_sends_and_python_sends_nothing_else(name: str) -> None:
    said = dict.fromkeys(SAID.findall(front_end(name)))
    assert list(said) == list(words.WORDS[name])


@pytest.mark.parametrize("name", words.WORDS)
def test_a_front_end_says_only_texts_that_stand_in_the_call(name: str) -> None:
    """Any other way to say something could not be compared with what is sent."""
    assert len(re.findall(r"\bsay\(", front_end(name))) == len(SAID.findall(front_end(name)))


@pytest.mark.parametrize("name", words.WORDS)
def test_no_text_is_written_in_a_front_end_without_being_said(name: str) -> None:
    code = re.sub(r"^\s*//.*$|\s// .*$", "", front_end(name), flags=re.MULTILINE)
    code = re.sub(SAID, "", code)
    labels = r'"aria-label": ["`][A-Za-z]|placeholder: "[^"]*[a-z]{2}|label: ["`][A-Za-z]|button: ["`]|title: ["`]'
    assert re.findall(labels, code) == []
    written = re.findall(r'"([^"\n]*)"', code)
    # A capital letter opens what people read; the rest are names of keys, events and tags.
    assert {text for text in written if re.match(r"\W*[A-Z][a-z]", text)} <= {"Enter", "Tab"}
    assert {text for text in written if re.search(r"[a-z]+ [a-z]+", text) and "nambarz" not in text} <= {"face down"}


def test_no_style_sheet_says_anything() -> None:
    for file in FOLDER.glob("*.css"):
        assert re.findall(r'content: "[^"]*[A-Za-z]', file.read_text(encoding="utf-8")) == [], file.name


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("name", words.WORDS)
def test_what_a_front_end_says_is_translated(name: str, lang: str) -> None:
    with in_language(lang):
        same = {text for text in words.WORDS[name] if _(text) == text}
    assert same <= SAME[lang]
    assert "" not in words.WORDS[name]


@pytest.mark.parametrize("name", FRONTS)
def test_places_are_filled_by_names_that_the_call_gives(name: str) -> None:
    calls = re.findall(r'\bsay\("((?:[^"\\]|\\.)*)"(, (?:\{[^{}]*\}|\w+))?', front_end(name))
    for text, given in calls:
        assert bool(PLACE.findall(text)) == bool(given), text
        if given.startswith(", {") and "..." not in given:
            named = set(re.findall(r"(\w+)\s*[:,}]", given))
            assert {place.strip("{}") for place in PLACE.findall(text)} <= named, text


# --- the widgets ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made() -> Callable[[str, str], Any]:
    """A widget of each kind in each language, made once."""
    known: dict[tuple[str, str], Any] = {}

    def make(name: str, lang: str) -> Any:
        if (name, lang) not in known:
            known[name, lang] = MAKERS[name](lang)
        return known[name, lang]

    return make


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FRONTS)
def test_no_place_is_left_open_and_no_key_is_sent(name: str, lang: str, made: Callable[[str, str], Any]) -> None:
    widget = made(name, lang)
    assert (widget.lang, widget._lang) == (lang, lang)
    assert set(widget._words) == {*words.WORDS["panel"], *words.WORDS[name]}
    assert [text for _path, text in texts(sent(widget)) if PLACE.search(text)] == []
    assert all(widget._words.values())


ELSEWHERE = {"name", "explanation", "mistake", "steps", "last", "text", "description", "ruling", "told", "address"}
"""Where a view shows what cards, verdicts, events and figures say, which have tests of their own."""
NAMES = {
    "state", "act", "key", "player", "known", "strategies", "levels", "wildcards", "clause", "drawn", "cards", "hand_text",
    "selected", "played",
}  # fmt: skip
"""Where a view has names of options, strategies, levels and cards, which are the same in every language."""


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("name", FRONTS)
def test_a_view_is_translated(name: str, lang: str, made: Callable[[str, str], Any]) -> None:
    english, other = ([*texts(sent(made(name, each)))] for each in ("en", lang))
    assert [path for path, _text in english] == [path for path, _text in other]
    same = {
        text
        for (path, text), (_path, translated) in zip(english, other, strict=True)
        if text == translated and re.search("[a-z]{2}", text) and path.rpartition(".")[2] not in ELSEWHERE | NAMES
    }
    assert same <= SAME[lang]


EXPECTED = {
    "es": ("Mano: 8 cartas", "✓ Permitido", "Ronda 1 de 2", "lugar 1", "equipo 0", "4 de 4 partidas", "partidas"),
    "fr": ("Main : 8 cartes", "✓ Permis", "Manche 1 sur 2", "place 1", "équipe 0", "4 parties sur 4", "parties"),
    "de": ("Hand: 8 Karten", "✓ Erlaubt", "Runde 1 von 2", "Sitz 1", "Team 0", "4 von 4 Spielen", "Spiele"),
    "en": ("Hand: 8 cards", "✓ Legal", "Round 1 of 2", "seat 1", "team 0", "4 of 4 games", "games"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_stands_where(lang: str, made: Callable[[str, str], Any]) -> None:
    hand, checked, board, batch = (made(name, lang) for name in FRONTS)
    seat = board.view["seats"][1]
    shown = (
        hand.view["title"], checked.view["recent"][2]["verdict"]["ruling"], board.view["title"], seat["name"],
        seat["team"], batch.progress["played"], batch.runs[0]["played"][0][0],
    )  # fmt: skip
    assert tuple(text.replace("\xa0", " ") for text in shown) == EXPECTED[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_figures_are_written_as_the_language_does(lang: str, made: Callable[[str, str], Any]) -> None:
    told = json.dumps(made("batch_explorer", lang).runs[0]["figures"], ensure_ascii=False)
    assert bool(re.search(r"\d\.\d", told)) == (lang == "en")
    assert bool(re.search(r"\d,\d", told)) == (lang != "en")
    assert "%" in told
    assert bool(re.search(r"\d%", told)) == (lang == "en")


# --- cards and calculations -------------------------------------------------------------------------------------------

NAMES_OF_CARDS = re.compile(rf"(?<![^\W\d_])(?:{'|'.join((*ANIMALS, *WILDCARDS))})(?![^\W\d_])")


def told_to_people(value: Any) -> Iterator[str]:
    """Every text that people read: not what is sent back, as a card's text beside its name, a play's cards and keys."""
    if isinstance(value, dict):
        sent_back = {"key", "cards", "drawn", "selected", *(["text"] if "name" in value else [])}
        for name, each in value.items():
            if not (name in sent_back and isinstance(each, str)):
                yield from told_to_people(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from told_to_people(each)
    elif isinstance(value, str) and value.startswith("data:"):
        svg = b64decode(value.partition(",")[2]).decode()
        yield from re.findall(r"<title[^>]*>([^<]*)", svg)
    elif isinstance(value, str):
        yield value


def all_told(widget: Any) -> list[str]:
    return [*told_to_people([*sent(widget), list(widget._words.values()), list(widget.pictures.values())])]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FRONTS)
def test_cards_are_called_as_in_the_language(name: str, lang: str, made: Callable[[str, str], Any]) -> None:
    told = all_told(made(name, lang))
    named = [text for text in told if NAMES_OF_CARDS.search(text)]
    assert bool(named) == (lang == "en")
    with in_language(lang):
        bee = _("bee")
    assert any(bee in text for text in told) == (name != "batch_explorer")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", FRONTS)
def test_calculations_have_the_signs_of_the_language(name: str, lang: str, made: Callable[[str, str], Any]) -> None:
    told = all_told(made(name, lang))
    with in_language(lang):
        times, divided = signs()["*"], signs()["/"]
    for sign in (times, divided):
        assert any(re.search(rf"(^|[\w)] ){sign}( [\w(]|$)", text) for text in told), sign
    assert any(re.search("[×÷]", text) for text in told) == (lang != "de")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_to_press_are_written_as_in_the_language(lang: str, made: Callable[[str, str], Any]) -> None:
    hand, checked, board = (made(name, lang).view for name in FRONTS[:3])
    cards = [*hand["hand"], *board["hand"], *(card for group in checked["cards"] for card in group["cards"])]
    with in_language(lang):
        assert [card["written"] for card in cards] == [card_text(Card.parse(card["text"])) for card in cards]
        assert hand["hand_text"] == " ".join(card["written"] for card in hand["hand"])


def test_what_is_written_in_the_language_is_understood_when_it_comes_back() -> None:
    explorer = widgets.HandExplorer(hand="3bee 5 change-any", active="8bee", lang="de")
    explorer.receive({"act": "set_hand", "field": "hand", "values": {"text": explorer.view["hand_text"]}})
    assert (explorer.error, [str(card) for card in explorer.hand]) == ({}, ["3bee", "5", "change-any"])
    checker = widgets.CalculationChecker(active="3bee", lang="de")
    checker.receive({"act": "check", "field": "", "values": {"text": "6 : 2"}})
    assert checker.view["verdict"]["state"] == "legal"
    assert checker.view["steps"] == "6 : 2 = 3"


def test_the_turn_and_the_hint_name_cards_in_the_language() -> None:
    board = widgets.Table(Rules(players=2), "greedy", seed=1, lang="de")
    hints: list[str] = []
    while not any(" · " in hint for hint in hints):
        board.new_game()
        hints = [board.hint() for _play in range(1 + len(board.session.plays))]
    assert all(hint.startswith("Einer davon: ") for hint in hints[1:])
    assert not any(re.search("[×÷]", hint) or NAMES_OF_CARDS.search(hint) for hint in hints)
    while board.session.drawn is None or board.session.drawn.animal is None:
        board.new_game()
        board.draw()
    with in_language("de"):
        assert card_text(board.session.drawn) in board.view["turn"]


def test_a_widget_keeps_its_language_whoever_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAMBARZ_LANG", "de")
    explorer = widgets.HandExplorer(hand="3 4", active="3bee")
    monkeypatch.setenv("NAMBARZ_LANG", "fr")
    with in_language("es"):
        explorer.add_card("5")
        assert explorer.view["title"] == "Hand: 3 Karten"
    explorer.receive({"act": "remove_card", "field": "", "values": {"place": 0}})
    assert explorer.view["title"] == "Hand: 2 Karten"
    explorer.receive({"act": "toggle", "field": "", "values": {"place": []}})
    assert "place: []" in explorer.error["message"]
    explorer.receive({"act": "toggle", "field": "", "values": {}})
    assert "hat nicht geklappt" in explorer.error["message"]
    assert _("Hand") == "Main"


@pytest.mark.parametrize("maker", [*MAKERS.values(), lambda lang: widgets.LessonPlanner(lang=lang)])
def test_an_unknown_language_is_refused(maker: Callable[[str], Any]) -> None:
    with pytest.raises(ValueError, match="lang: 'klingon' is not known; known are en, es, fr, de"):
        maker("klingon")


def test_what_is_not_in_a_catalogue_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(words.WORDS, "hand_explorer", ("A text of no catalogue",))
    explorer = widgets.HandExplorer(hand="3", active="3bee", lang="de")
    assert explorer._words["A text of no catalogue"] == "A text of no catalogue"


def test_hints_and_the_score_sheet_of_a_table() -> None:
    board = widgets.Table(Rules(players=2), "greedy", seed=5, lang="de")
    assert re.match(r"Du hast \d+ erlaubte Spielzüge: .* und .*; der längste hat \d Karten\. ", board.hint())
    assert board.hint().startswith("Einer davon: ")
    while not board.view["sheet"]:
        can = board.view["can"]
        getattr(board, next(act for act in ("draw", "keep", "end_turn") if can[act]))()
    rows = board.view["sheet_rows"]
    assert [row["place"] for row in rows] == ["1", "2"]
    assert {row["player"] for row in rows} == {"Sitz 0 (du)", "Sitz 1 (greedy)"}
    assert [row["own"] for row in rows] == [False, True]
    assert board.view["next"] == "Nächste Runde"


PLANNER = {
    "en": ("Minutes", "Pupils", "School year", "practised players", "year 1", "Plan"),
    "es": ("Minutos", "Alumnos", "Curso escolar", "jugadores con práctica", "curso 1", "Planificar"),
    "fr": ("Minutes", "Élèves", "Année scolaire", "joueurs exercés", "année 1", "Planifier"),
    "de": ("Minuten", "Schüler", "Klassenstufe", "geübte Spieler", "Klasse 1", "Planen"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_lesson_planner(lang: str) -> None:
    form = widgets.LessonPlanner(lang=lang)
    years = [label for label, _year in form.school_year.options]
    labels = [each.description for each in (form.minutes, form.pupils, form.school_year)]
    assert (*labels, *years[:2], form.button.description) == PLANNER[lang]
    form.pupils.value = 1
    form.button.click()
    with in_language(lang):
        assert [box.description for box in form.operations.values()] == list(signs().values())
    assert f'lang="{lang}"' in form._says.value
    assert form.error.startswith("pupils: 1")


@pytest.mark.parametrize("lang", OTHERS)
def test_the_sheet_that_the_worksheet_maker_shows(lang: str) -> None:
    maker = widgets.WorksheetMaker(level=4, sheets=1, tasks=10, lang=lang)
    maker.preview()
    shown = re.sub(r"<[^>]*>", " ", maker._page.value)
    with in_language(lang):
        assert any(translated(animal) in shown for animal in ANIMALS)
        assert re.search(rf" [{signs()['*']}{signs()['/']}] ", shown)
    assert NAMES_OF_CARDS.findall(shown) == []
    assert bool(re.search("[×÷]", shown)) == (lang != "de")


# --- the pages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("", "en"), ("de", "de"), ("de-CH,de;q=0.9,en;q=0.8", "de"), ("en;q=0.5, fr-FR ;q=0.8", "fr"),
        ("pl, es;q=0.1", "es"), ("*", "en"), ("fr;q=0, de;q=x, es", "es"), (";q=1,,", "en"),
    ],
)  # fmt: skip
def test_the_pages_speak_as_the_browser_asks(accepted: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("NAMBARZ_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    assert app.page_language(accepted) == lang
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert app.page_language("pl") == "fr"
    monkeypatch.setenv("NAMBARZ_LANG", "es")
    assert app.page_language(accepted) == "es"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_frame_has_every_word_that_the_templates_use(lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAMBARZ_LANG", raising=False)
    pages = Path(app.__file__).parent / "pages"
    used = {
        name
        for page in ("start.html", "index.html.j2")
        for name in re.findall(r"words\.(\w+)", (pages / page).read_text(encoding="utf-8"))
    }
    frame = app._frame(lang)
    assert (frame["lang"], set(frame["words"])) == (lang, used)
    same = {name for name, text in frame["words"].items() if text == app._WORDS[name]}
    assert same == (used if lang == "en" else set())
