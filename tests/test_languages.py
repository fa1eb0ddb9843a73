"""The languages: which one is spoken, and catalogues that have every message of the package, with its places."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import nambarz_sim
from nambarz_sim import languages
from nambarz_sim.languages import LANGUAGES, _, catalogue_file, choose_language, in_language, joined, plural, written

KEYWORDS = {"_": None, "N_": None, "plural": (1, 2)}
OTHERS = [lang for lang in LANGUAGES if lang != "en"]


def extracted() -> dict[str | tuple[str, ...], str]:
    """Every message in the code, and where the first of them stands."""
    found: dict[str | tuple[str, ...], str] = {}
    package = Path(nambarz_sim.__file__).parent
    for file, line, message, *_more in extract_from_dir(package, [("**.py", "python")], keywords=KEYWORDS):
        found.setdefault(message, f"{file}:{line}")
    return found


def catalogue(lang: str) -> Catalog:
    with catalogue_file(lang).open(encoding="utf-8") as source:
        return read_po(source, locale=lang)


def places(text: str) -> set[str]:
    """The named places of a message."""
    return {name for _text, name, *_more in string.Formatter().parse(text) if name is not None}


def translations(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


@pytest.mark.parametrize("lang", OTHERS)
def test_a_catalogue_has_every_message_and_no_other(lang: str) -> None:
    messages = {message.id: message for message in catalogue(lang) if message.id}
    code = extracted()
    assert {str(key): where for key, where in code.items() if key not in messages} == {}
    assert [str(key) for key in messages if key not in code] == []
    empty = [str(key) for key, message in messages.items() if message.fuzzy or not all(translations(message))]
    assert empty == []


@pytest.mark.parametrize("lang", OTHERS)
def test_no_message_is_in_a_catalogue_twice(lang: str) -> None:
    text = catalogue_file(lang).read_text(encoding="utf-8")
    keys = [part.split("\nmsgstr")[0] for part in text.split("\nmsgid ")[1:]]
    assert sorted(key for key in set(keys) if keys.count(key) > 1) == []


@pytest.mark.parametrize("lang", OTHERS)
def test_translations_have_the_places_of_their_message(lang: str) -> None:
    wrong = {}
    for message in catalogue(lang):
        if message.id:
            own = places(message.id if isinstance(message.id, str) else message.id[1])
            for text in translations(message):
                # A form for one may leave the number out.
                if not (places(text) == own or (not isinstance(message.id, str) and places(text) <= own)):
                    wrong[str(message.id)] = text
    assert wrong == {}


def test_french_has_no_break_spaces_and_its_own_apostrophe() -> None:
    told = [text for message in catalogue("fr") if message.id for text in translations(message)]
    assert [text for text in told if re.search(r" [:;!?»%]|« |'|[^\W\d][:;!?](?!\w)", text)] == []


OTHER_WORDS = {
    "es": r"\b([Rr]ob(a|ar|as|ada)\b|[Ee]cha(r|s|n)?\b|penaliza|suplementari|hoja de puntos|de cambio\b)",
    "fr": r"\b([Pp]aires? (:|de cartes)|la paire|à dessin|à nombre|en plus\b|[Vv]ous\b|première place)",
    "de": r"\b(Wechseljoker|Spielblock|Extrarunde|Zusatzpunkt|[Mm]eisterschlag|Talon|bedecken|Sie\b(?<=[a-zäöü,] Sie))",
}
"""What other translators might say for a card drawn or laid, a match, a penalty, a score sheet, something extra or you."""


@pytest.mark.parametrize("lang", OTHERS)
def test_one_word_for_one_thing(lang: str) -> None:
    told = [text for message in catalogue(lang) if message.id for text in translations(message)]
    assert [text for text in told if re.search(OTHER_WORDS[lang], text)] == []


def test_the_language_is_the_one_asked_for_then_the_variables_then_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG", "NAMBARZ_LANG"):
        monkeypatch.delenv(variable, raising=False)
    assert choose_language() == "en"
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    assert choose_language() == "es"
    monkeypatch.setenv("LC_ALL", "pl_PL.UTF-8")
    assert choose_language() == "en"
    monkeypatch.setenv("NAMBARZ_LANG", "fr")
    assert choose_language() == "fr"
    with in_language("de"):
        assert choose_language() == "de"
        assert choose_language("es-ES") == "es"
    assert choose_language() == "fr"


@pytest.mark.parametrize("variable", [True, False])
def test_an_unknown_language_is_refused_in_one_sentence(variable: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if variable:
        monkeypatch.setenv("NAMBARZ_LANG", "klingon")
    with pytest.raises(ValueError, match="'klingon' is not known; known are en, es, fr, de"):
        choose_language(None if variable else "klingon")


def test_a_missing_text_is_english() -> None:
    missing, one, many = "A text of no catalogue", "{count} text of none", "{count} texts of none"
    with in_language("de"):
        assert _(missing) == missing
        assert plural(one, many, 1) == one
        assert plural(one, many, 2) == many


def test_numbers_are_written_as_the_language_does() -> None:
    expected = {"en": "12,345.5", "es": "12.345,5", "fr": "12 345,5", "de": "12.345,5"}
    for lang, text in expected.items():
        with in_language(lang):
            assert written(12345.5, 1).replace("\N{NARROW NO-BREAK SPACE}", " ").replace("\xa0", " ") == text


def test_words_in_a_row() -> None:
    expected = {"en": "a, b and c", "es": "a, b y c", "fr": "a, b et c", "de": "a, b und c"}
    for lang, text in expected.items():
        with in_language(lang):
            assert joined(["a", "b", "c"]) == text
            assert joined(["a"]) == "a"


def test_catalogues_are_read_once() -> None:
    assert languages._catalogue("de") is languages._catalogue("de")
