"""Cards, verdicts and the game in every language: what is understood, and that nothing English is left in what is told."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import test_judge as english
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim import card_names, languages
from nambarz_sim import explanations as say
from nambarz_sim.arithmetic.expression import NotAnExpression, UnknownCard, read_attempt
from nambarz_sim.arithmetic.shown import shown, signs
from nambarz_sim.card_names import ANIMALS, WILDCARDS, card_name, card_text, in_english, translated
from nambarz_sim.card_pictures import card_back_svg, card_svg, card_title, draw_cards
from nambarz_sim.cards import Card, Deck, data_folder
from nambarz_sim.cli.options import app
from nambarz_sim.event_words import FAULTS_IN_WORDS, tell_deal, tell_game, tell_recycling, tell_round
from nambarz_sim.languages import LANGUAGES, _, in_language
from nambarz_sim.rules import Rules
from nambarz_sim.session import Session
from nambarz_sim.terminal import COMMANDS, HELP, play_game
from nambarz_sim.verdict import Verdict, judge

NAMBARZ = Deck.load("nambarz")
OTHERS = [lang for lang in LANGUAGES if lang != "en"]
REPEATABLE = settings(deadline=None, derandomize=True, database=None, max_examples=300)
NAMES = (*ANIMALS, *WILDCARDS)
ALIKE = {
    "es": {"animal", "extra"}, "fr": {"active", "animal", "face", "place", "points", "type"}, "de": {"hand", "team"},
}  # fmt: skip
"""Words that another language writes as English does."""
METHODS = {"session", "plays", "attempt", "play", "draw", "keep", "end_turn", "advance", "step", "seed"}
STRATEGIES = {"greedy", "thrifty", "year"}


def names(lang: str) -> dict[str, str]:
    with in_language(lang):
        return {name: translated(name) for name in NAMES}


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d]{4,}", text.lower()))


def check_told(lang: str, text: str, original: str, *known: str) -> None:
    """A text for people is another than the English one, has none of its words, and no place that is left open."""
    own = words(original) - ALIKE[lang] - STRATEGIES - METHODS - set(known)
    assert not words(text) & own, f"{text!r} has {words(text) & own} of {original!r}"
    assert text != original or not own, text
    assert not re.search(r"[{}]|_\(|None", text), text


# --- cards are understood in every language --------------------------------------------------------------------------


def bare(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def without_umlauts(word: str) -> str:
    return word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")


SPELLINGS: list[Callable[[str], str]] = [
    str.upper, str.lower, str.title, bare, without_umlauts, lambda word: unicodedata.normalize("NFD", word),
    lambda word: word.replace("-", " "), lambda word: word.replace(" ", "-"), lambda word: word.replace("-", " - "),
]  # fmt: skip


def spelt(card: Card, lang: str, data: st.DataObject) -> str:
    """A card's name in a language, in some spelling."""
    if card.kind == "number":
        return str(card.number)
    word = names(lang)[card.animal or card.kind]
    for spell in data.draw(st.lists(st.sampled_from(SPELLINGS), max_size=2)):
        word = spell(word)
    between = data.draw(st.sampled_from(["", " ", "-", " - "]))
    return word if card.is_wildcard else f"{card.number}{between}{word}"


def test_every_word_of_the_four_languages_names_one_card() -> None:
    meant: dict[str, set[str]] = {}
    for lang in LANGUAGES:
        for name, word in names(lang).items():
            for spelling in {word, bare(word), without_umlauts(word)}:
                assert in_english(spelling) == name
                meant.setdefault(re.sub("[ -]", "", spelling.casefold()), set()).add(name)
    assert {word: cards for word, cards in meant.items() if len(cards) > 1} == {}


def test_the_names_are_those_of_the_deck() -> None:
    assert sorted(ANIMALS) == list(NAMBARZ.animals)


@REPEATABLE
@given(st.data())
def test_a_card_is_understood_in_every_language_and_spelling(data: st.DataObject) -> None:
    card = data.draw(st.sampled_from(NAMBARZ.cards))
    text = spelt(card, data.draw(st.sampled_from(list(LANGUAGES))), data)
    with in_language(data.draw(st.sampled_from(list(LANGUAGES)))):
        assert Card.parse(text) == card
        assert NAMBARZ.card(f" {text} ") == card
        assert read_attempt(text, NAMBARZ).cards == (card,)


@REPEATABLE
@given(st.data())
def test_hands_and_attempts_mix_languages(data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.sampled_from(NAMBARZ.cards), min_size=1, max_size=6))
    texts = [spelt(card, data.draw(st.sampled_from(list(LANGUAGES))), data) for card in cards]
    attempt = read_attempt(", ".join(texts), NAMBARZ)
    announced = (Card("replay"),) if attempt.announces_replay else ()
    assert (*attempt.cards, *announced) == tuple(cards)
    # In a hand, as in English, a number and its animal are one word.
    whole = [text if card.is_wildcard else re.sub(r"[\s-]", "", text) for card, text in zip(cards, texts, strict=True)]
    assert NAMBARZ.hand("; ".join(whole)) == cards


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_card_is_read_back_from_how_it_is_shown(lang: str) -> None:
    with in_language(lang):
        assert [NAMBARZ.card(card_text(card)) for card in NAMBARZ.cards] == list(NAMBARZ.cards)
        assert [Card.parse(card_name(card)) for card in NAMBARZ.cards] == list(NAMBARZ.cards)
        assert NAMBARZ.hand(" ".join(map(card_text, NAMBARZ.cards))) == list(NAMBARZ.cards)
        assert len({card_text(card) for card in NAMBARZ.cards}) == len(NAMBARZ.cards)


@pytest.mark.parametrize(
    ("text", "cards", "operations"),
    [
        ("8:2", "8 2", "/"),
        ("8 ÷ 2", "8 2", "/"),
        ("8·2", "8 2", "*"),
        ("8×2", "8 2", "*"),
        ("8Nilpferd : 2 Hase", "8hippopotamus 2rabbit", "/"),
        ("(9 poule - 6-libellule) ÷ 3 HIPPOPOTAME", "9hen 6dragonfly 3hippopotamus", "-/"),
        ("cambiar-cifra 5", "change-number 5", None),
        ("cambiar cifra-dibujo 5 oso", "change-any 5bear", None),
        ("cambiar-cifra/dibujo 5", "change-any 5", None),  # as the Spanish rulebook writes it, too
        ("3 abeille", "3bee", None),
        ("3 8abeille", "3 8bee", None),
        ("volver a jugar", "replay", None),
    ],
)
def test_attempts_in_other_languages(text: str, cards: str, operations: str | None) -> None:
    attempt = read_attempt(text, NAMBARZ)
    assert (" ".join(map(str, attempt.cards)), attempt.operations) == (cards, operations)
    assert not attempt.announces_replay


@pytest.mark.parametrize("replay", ["rejouer", "Nochmal", "volver a jugar", "volver-a-jugar", "replay"])
def test_a_replay_is_announced_in_every_language(replay: str) -> None:
    for text in (f"(10-4)/2 {replay}", f"10 4 2, {replay}", f"(10-4):2 = 3 {replay}", f"3 {replay}"):
        assert read_attempt(text, NAMBARZ).announces_replay
    assert not read_attempt(f"3 + {replay}", NAMBARZ).announces_replay


@pytest.mark.parametrize(
    ("text", "position"), [("3 abeja + 8 abej", 10), ("cambiar-cifra 5 & 3", 16), ("3 hipopo\u0301tamo ?", 14)]
)
def test_where_a_text_stops_making_sense_is_counted_in_its_own_letters(text: str, position: int) -> None:
    with pytest.raises(NotAnExpression, match=r"\w") as caught:
        read_attempt(text, NAMBARZ)
    assert caught.value.position == position


def test_a_number_and_its_animal_are_one_card_alone_in_every_language() -> None:
    for lang in LANGUAGES:
        bee = names(lang)["bee"]
        assert read_attempt(f"3 {bee}", NAMBARZ).cards == (Card.parse("3bee"),)
        assert NAMBARZ.card(f"3 {bee}") == Card.parse("3bee")
        with pytest.raises(ValueError, match="is not known"):
            NAMBARZ.hand(f"3 {bee}")


def test_a_decks_own_animals_win_over_translations(tmp_path: Path) -> None:
    path = tmp_path / "french.csv"
    rows = ["kind,number,animal,copies", "picture,3,ours,2", "picture,4,bear,2", "picture,4,rejouer,1", "number,7,,2"]
    path.write_text("\n".join(rows), encoding="utf-8")
    deck = Deck.load(str(path))
    assert deck.card("3 Ours") == Card("picture", 3, "ours")
    assert deck.card("4 oso") == Card("picture", 4, "bear")
    assert deck.card("4rejouer") == Card("picture", 4, "rejouer")
    assert read_attempt("3ours + 4rejouer", deck).cards == (deck.card("3ours"), deck.card("4rejouer"))
    for text in ("4ours", "3bear", "4 Biene"):
        with pytest.raises(ValueError, match="is not known"):
            deck.card(text)
        with pytest.raises(UnknownCard):
            read_attempt(text, deck)
    with in_language("fr"):
        assert [card_name(card) for card in deck.cards[:4]] == ["7", "3 ours", "4 ours", "4 rejouer"]


def test_english_cards_are_read_without_a_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(lang: str) -> None:
        raise AssertionError(f"the catalogue of {lang} is read")

    texts = {card: (str(card).upper(), card_name(card)) for card in NAMBARZ.cards}
    card_names._english_names.cache_clear()
    card_names.wildcard_pattern.cache_clear()
    monkeypatch.setattr(languages, "_catalogue", unread)
    for card, (capitals, name) in texts.items():
        assert Card.parse(capitals) == NAMBARZ.card(name) == card
    assert len(NAMBARZ.hand("10 4, 7fish change-any")) == 4
    assert len(read_attempt("(9hen - 6dragonfly) / 3hippopotamus replay", NAMBARZ).cards) == 3


@pytest.mark.parametrize("text", ["3 joker", "cambiar", "volver a", "abeja", "3 abejita", "changer chiffre 3"])
def test_other_words_are_no_cards(text: str) -> None:
    with pytest.raises(ValueError, match="is not known"):
        NAMBARZ.card(text)


# --- how cards and calculations are shown ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "(6dragonfly × 4duck - 3) ÷ 3hippopotamus"),
        ("es", "(6libélula × 4pato - 3) ÷ 3hipopótamo"),
        ("fr", "(6libellule × 4canard - 3) ÷ 3hippopotame"),
        ("de", "(6Libelle · 4Ente - 3) : 3Nilpferd"),
    ],
)
def test_calculations_have_the_signs_and_words_of_the_language(lang: str, text: str) -> None:
    with in_language(lang):
        assert shown("(6dragonfly × 4duck - 3) ÷ 3hippopotamus") == text
        assert shown("change-any 5axolotl") == f"{card_text(Card('change-any'))} 5axolotl"
        assert list(signs()) == list("+-*/")
    assert read_attempt(text, NAMBARZ) == read_attempt("(6dragonfly*4duck-3)/3hippopotamus", NAMBARZ)


@pytest.mark.parametrize("lang", OTHERS)
def test_card_pictures_are_translated(lang: str) -> None:
    titles = set()
    for card in NAMBARZ.cards:
        picture, original = card_svg(card, lang), card_svg(card, "en")
        assert f"<title>{card_title(card, lang)}</title>" in picture
        told, said = (" ".join(re.findall(r">([^<>]+)</(?:text|title)>", each)) for each in (picture, original))
        check_told(lang, told, said)
        if card.animal:
            assert f">{names(lang)[card.animal]}</text>" in picture
        titles.add(card_title(card, lang))
        with in_language(lang):
            assert card_svg(card) is picture
    assert len(titles) == len(NAMBARZ.cards)
    check_told(lang, card_back_svg(lang), "card face down")


@pytest.mark.parametrize("lang", OTHERS)
def test_rows_of_cards_keep_the_language_they_were_drawn_in(lang: str) -> None:
    drawn, original = (draw_cards("10 7fish change-any volver a jugar", lang=each) for each in (lang, "en"))
    check_told(lang, repr(drawn), repr(original))
    assert NAMBARZ.hand(repr(drawn)) == list(drawn.cards)
    page = drawn._repr_html_()
    with in_language(lang):
        assert draw_cards("7fish")._repr_html_() == draw_cards("7fish", lang=lang)._repr_html_()
    for card in drawn.cards:
        assert f'alt="{card_title(card, lang)}"' in page
    check_told(lang, repr(draw_cards("", lang=lang)), "no cards")
    with pytest.raises(ValueError, match="lang: 'klingon' is not known"):
        draw_cards("3", lang="klingon")


# --- explanations ----------------------------------------------------------------------------------------------------

CARDS = {word: NAMBARZ.card(word) for word in ("3", "4", "5", "6", "10", "1", "3bee", "8bee", "7fish", "replay")}
CHANGES = [Card(kind) for kind in WILDCARDS if kind != "replay"]
HANDS = [[], NAMBARZ.hand("3"), NAMBARZ.hand("3 7fish replay"), NAMBARZ.hand("5 3 change-any")]


def explained() -> Iterator[tuple[str, str]]:
    """Every function of the explanations with each kind of argument, and what it says in the language spoken."""
    c = CARDS
    for card, active in [("3", "3bee"), ("8bee", "3bee"), ("3bee", "3bee"), ("7fish", "3bee"), ("5", "3")]:
        if card in ("7fish", "5"):
            yield "does_not_cover", say.does_not_cover(c[card], c[active])
            continue
        yield "match", say.match(c[card], c[active])
        yield "matching", say.matching(c[card], c[active])
        yield "matching_follow_up", say.matching_follow_up(c[card], c[active])
    for wildcard in CHANGES:
        yield "match", say.match(c["3bee"], wildcard)
        yield "change", say.change([wildcard], c["3bee"])
        yield "change", say.change([wildcard, c["3bee"]], c["5"])
        yield "single_on_open", say.single_on_open(wildcard)
    yield "wrong_type", say.wrong_type(Card("change-number"), c["3bee"])
    yield "wrong_type", say.wrong_type(Card("change-picture"), c["5"])
    for count in (2, 3, 4, 12):
        hand = [c["10"], *[c["1"]] * (count - 1)]
        for reordered in (False, True):
            yield "calculation", say.calculation(hand, "-" * (count - 1), 3, 7 * max(0, count - 3), reordered)
    yield "steps", say.steps([c["3"], c["3"], c["4"]], "-/")
    yield "steps", say.steps([c["3"], c["3"], c["4"], c["1"]], "--*")
    for sure in (False, True):
        yield "replay", say.replay(sure)
        yield "second_replay", say.second_replay(sure)
    yield "fewest", say.fewest([c["3"]], "3", 3)
    yield "fewest", say.fewest([c["6"], c["3bee"]], "6 ÷ 3bee", 2)
    yield "types_mixed", say.types_mixed([c["3bee"], c["10"]])
    yield "too_many_cards", say.too_many_cards(5, 4)
    for allowed in ("+", "+-", "+-*"):
        yield "operation", say.operation("/", allowed)
    for kind, after in [("whole", None), ("whole", Fraction(-1)), ("integer", Fraction(3, 2))]:
        yield "step", say.step(Fraction(3), "/", 0, after, kind)
    yield "order", say.order("10 - 3bee ÷ 2", Fraction(17, 2))
    for written, value in [("", None), ("3 ÷ (1 - 1)", None), ("6 × 3bee", Fraction(18))]:
        yield "result", say.result(written, value, 3)
    yield "stated", say.stated("6 ÷ 2", 4, Fraction(3))
    yield "other_way", say.other_way("6 ÷ 2", 3)
    for back in ("3", "3bee", "5 10", "7fish replay", "5 10 3"):
        for some_laid in (False, True):
            yield "back", say.back(NAMBARZ.hand(back), some_laid)
    for cards in (0, 1, 3):
        yield "penalty", say.penalty(cards)
    for constant in (say.TWO_CHANGES, say.REPLAY_ALONE, say.WILDCARD_FIRST, say.SECOND_PLAY, *say.MISTAKES.values()):
        yield "", _(constant)
    for hand in HANDS:
        for card in (c["3"], c["7fish"], Card("change-any")):
            yield "not_in_hand", say.not_in_hand(card, [*hand, *hand])
            yield "not_in_hand", say.not_in_hand(card, hand)
        yield "unknown_card", say.unknown_card("11", hand)
    for drawn in ("3", "3bee", "replay"):
        yield "drawn_not_used", say.drawn_not_used(c[drawn])
    for text in ("", "abc", "4 +", "10 4 - 2", "3)", "(3", "= 3", "3 = ", "- 3", "(" * 21 + "3", "3" * 301):
        try:
            read_attempt(text, NAMBARZ)
        except NotAnExpression as error:
            yield "no_expression", say.no_expression(text, error)
    for count in (1, 2, 3):
        yield "names", say.names(NAMBARZ.hand("3 3bee 10")[:count])
        yield "names", say.names(NAMBARZ.hand("3 5 10")[:count], opening=True)
    yield "number", say.number(Fraction(5, 2))


@pytest.mark.parametrize("lang", OTHERS)
def test_every_explanation_is_translated(lang: str) -> None:
    original = list(explained())
    with in_language(lang):
        told = list(explained())
    functions = {name for name, value in vars(say).items() if callable(value) and value.__module__ == say.__name__}
    assert {name for name in functions if not name.startswith("_")} <= {name for name, _text in told}
    # Words that the pupil wrote stay.
    for (function, text), (_same, first) in zip(told, original, strict=True):
        check_told(lang, text, first)
        if first.endswith("."):
            assert text.endswith("."), function
            assert text[0] == text[0].upper(), f"{function}: {text}"


def test_sentences_have_the_right_plural_forms() -> None:
    penalties = {"es": ("1 carta ", "3 cartas "), "fr": ("1 carte ", "3 cartes "), "de": ("1 Karte ", "3 Karten ")}
    for lang, (one, many) in penalties.items():
        with in_language(lang):
            assert one in say.penalty(1)
            assert many in say.penalty(3)
    with in_language("de"):
        assert say.back(NAMBARZ.hand("5 10"), True) == "Fünf und zehn kommen zurück auf deine Hand."
        assert say.back(NAMBARZ.hand("5"), True) == "Die Karte 5 kommt zurück auf deine Hand."
    with in_language("es"):
        assert say.fewest(NAMBARZ.hand("6 2"), "6 ÷ 2", 3) == "Bastan 6 y 2 para hacer 3: 6 ÷ 2 = 3."


# --- verdicts --------------------------------------------------------------------------------------------------------


def rows(file: str) -> list[dict[str, str]]:
    lines = (data_folder() / "examples" / file).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def rulebook(lang: str) -> Iterator[Verdict]:
    """The verdicts on the rulebooks' right and wrong examples."""
    for row in rows("calculations.csv"):
        if row["source"] == "rulebook":
            rules = Rules(operations=row["allowed"], steps=row["steps"])
            yield judge(row["cards"], row["cards"], row["active"], rules, lang=lang)
    for row in rows("matches.csv"):
        yield judge(row["card"], row["card"], row["active"], lang=lang)
    for row in rows("wildcards.csv"):
        yield judge(row["cards"], row["cards"], row["active"], lang=lang)


def told_apart(lang: str) -> Iterator[Verdict]:
    """The verdicts on an attempt of every kind: those that the tests of `judge` tell in English."""
    for tried, active, options, *_more in english.FAULTS:
        yield judge(tried, english.HAND + " 10" * ("10-10" in tried), active, Rules(**options), lang=lang)
    for tried, hand, context, *_more in english.NO_ATTEMPTS:
        yield judge(tried, hand, "3", lang=lang, **context)
    for tried, active, context, *_more in english.LEGAL:
        hand = re.sub(r"=.*", "", tried) if "replay" not in tried else tried
        hand = " ".join(re.findall(r"change-\w+|replay|\d+[a-z]*", hand))
        yield judge(tried, hand, active, lang=lang, **context)


@pytest.mark.parametrize("verdicts", [rulebook, told_apart])
@pytest.mark.parametrize("lang", OTHERS)
def test_verdicts_are_the_same_in_every_language_but_for_their_sentences(
    lang: str, verdicts: Callable[[str], Iterator[Verdict]]
) -> None:
    told, original = list(verdicts(lang)), list(verdicts("en"))
    for verdict, first in zip(told, original, strict=True):
        assert replace(verdict, explanation="") == replace(first, explanation="")
        check_told(lang, str(verdict), str(first))
    assert {verdict.legal for verdict in told} == {True, False}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "3 bee matches 8 bee: the same animal, bee."),
        ("es", "3 abeja concuerda con 8 abeja: el mismo animal, abeja."),
        ("fr", "La carte 3 abeille est assortie à 8 abeille\xa0: le même animal, abeille."),
        ("de", "3 Biene passt zu 8 Biene: das gleiche Tier, Biene."),
    ],
)
def test_a_card_in_any_language_is_judged_in_the_one_asked_for(
    lang: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for attempt in ("3 abeille", "3abeja", "3-Biene", "3 BEE"):
        assert str(judge(attempt, "3bee 5", "8 abeja", lang=lang)) == text
    monkeypatch.setenv("NAMBARZ_LANG", lang)
    assert str(judge("3 abeille", "3bee 5", "8 abeja")) == text


def test_an_unknown_language_is_refused() -> None:
    for refused in (
        lambda: judge("3", "3", "3", lang="xx"),
        lambda: Session(lang="xx"),
        lambda: card_svg(Card("replay"), "xx"),
    ):
        with pytest.raises(ValueError, match="lang: 'xx' is not known; known are en, es, fr, de"):
            refused()


# --- a game ----------------------------------------------------------------------------------------------------------


def game(lang: str, seed: int, **options: object) -> Session:
    session = Session(Rules(**options), seed=seed, seats="year-3", lang=lang)
    session.advance()
    return session


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize(
    "options", [{"players": 4, "recycle": "flip"}, {"players": 4, "team_sizes": (2, 2), "rounds": 2, "hand_size": 4}]
)
def test_what_happens_is_told_in_the_language_of_the_session(lang: str, options: dict[str, object]) -> None:
    acts = set()
    for seed in range(4):
        told, original = game(lang, seed, **options).log, game("en", seed, **options).log
        for event, first in zip(told, original, strict=True):
            assert replace(event, text="", lang="") == replace(first, text="", lang="")
            check_told(lang, event.text, first.text)
            check_told(lang, event.seen_by(event.seat + 1).text, first.seen_by(event.seat + 1).text)
            if event.drawn:
                with in_language(lang):
                    hidden = event.seen_by(event.seat + 1).text
                    assert not any(hidden.endswith(card_text(card)) for card in event.drawn)
            acts.add(event.act)
    assert acts >= {
        "deal",
        "hand",
        "match",
        "calculation",
        "change",
        "draw",
        "keep",
        "fault",
        "finish",
        "round",
        "game",
    }


@pytest.mark.parametrize("lang", OTHERS)
def test_what_seldom_happens_is_told_in_every_language_too(lang: str) -> None:
    def seldom() -> list[str]:
        ends = [tell_round(1, 1, ending, [(1, 0, 1), (2, 1, 40)]) for ending in ("finished", "team", "stalled", "cut")]
        games = [tell_game(teams, (1, 2), (40, 32), False) for teams in (False, True)]
        tie = tell_game(False, (1, 1), (40, 40), True)
        piles = [tell_recycling(shuffled, cards) for shuffled in (False, True) for cards in (1, 1200)]
        return [*ends, *games, tie, *piles, tell_deal(None, Card.parse("3bee"), 1), *map(_, FAULTS_IN_WORDS.values())]

    original = seldom()
    with in_language(lang):
        for text, first in zip(seldom(), original, strict=True):
            check_told(lang, text, first)


def person(session: Session, lang: str) -> Callable[[str], str]:
    """Plays with words of the language: all commands, a calculation that is wrong, then the first play each time."""
    with in_language(lang):
        help_word, hint, log, wrong, draw, keep, end = (
            _(word) for word in ("help", "hint", "log", "nothing", "draw", "keep", "end")
        )
    first = iter(["", help_word, hint.upper(), hint, log, wrong, "4 + ", keep, end, "4 - 1"])

    def ask(prompt: str) -> str:
        line = next(first, None)
        if line is not None:
            return line
        with in_language(lang):
            if session.plays:
                return shown(session.plays[0].expression)
        return draw if session.can_draw() else keep if session.can_keep() else end

    return ask


def shown_round(lang: str) -> tuple[list[str], Session]:
    told: list[str] = []
    session = Session(Rules(players=3), seed=7, seats=["you", "greedy", "thrifty"], lang=lang)
    ask = person(session, lang)

    def asked(prompt: str) -> str:
        told.append(prompt)
        return ask(prompt)

    play_game(session, asked, told.append)
    return told, session


@pytest.mark.parametrize("lang", OTHERS)
def test_a_round_in_the_terminal(lang: str) -> None:
    told, session = shown_round(lang)
    original, same = shown_round("en")
    assert session.over
    assert [event.points for event in session.log] == [event.points for event in same.log]
    for line, first in zip(told, original, strict=True):
        check_told(lang, line, first, "(10-4)/2")
    with in_language(lang):
        assert _(HELP) in told
    rows = told[-1].splitlines()[2:]
    assert len({len(row) for row in rows}) == 1  # the columns stand below each other


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_help_names_the_commands(lang: str) -> None:
    with in_language(lang):
        commands = [_(command) for command in COMMANDS]
        named = {word.strip(",").casefold() for word in _(HELP).split()}
    assert len(set(commands)) == len(COMMANDS)
    assert {command.casefold() for command in commands[:-1]} <= named


@pytest.mark.parametrize("lang", OTHERS)
def test_a_session_refuses_in_its_language(lang: str) -> None:
    def refusals(lang: str) -> list[str]:
        session = Session(Rules(players=2), seed=1, lang=lang)
        theirs = Session(Rules(players=2), seed=1, seats="greedy", lang=lang)
        told = [message(act) for act in (session.step, session.keep, session.end_turn, theirs.draw, theirs.keep)]
        told.append(message(lambda: session.play("1 1 1")))
        session.draw()
        told += [message(act) for act in (session.draw, session.end_turn)]
        theirs.advance()
        return [*told, message(theirs.step)]

    for text, first in zip(refusals(lang), refusals("en"), strict=True):
        check_told(lang, text, first)


def message(act: Callable[[], object]) -> str:
    with pytest.raises(ValueError, match=r"\w") as caught:
        act()
    return str(caught.value)


# --- the commands ----------------------------------------------------------------------------------------------------

COMMAND_LINES = [
    ["judge", "6+5+2-10", "--active", "3bee", "--hand", "6 5 2 10 8"],
    ["judge", "4 +", "--active", "3 bee", "--hand", "4"],
    ["judge", "6:2 rejouer", "--active", "3 abeille", "--hand", "6 2 Nochmal"],
    ["plays", "--active", "3bee", "--hand", "10bear 1turtle 6dragonfly 9duck 10 change-any replay 3"],
    ["plays", "--active", "3bee", "--hand", "9"],
    ["replay", "--players", "3", "--strategies", "year-3", "--seed", "2"],
]


def printed(line: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    app(line, standalone_mode=False)
    return capsys.readouterr().out


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("line", COMMAND_LINES, ids=lambda line: " ".join(line[:2]))
def test_commands_answer_in_the_language_asked_for(
    line: list[str], lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = printed([*line, "--lang", "en"], capsys)
    told = printed([*line, "--lang", lang], capsys)
    for row, first in zip(told.splitlines(), original.splitlines(), strict=True):
        check_told(lang, row, first, *words(line[1]))
    monkeypatch.setenv("NAMBARZ_LANG", lang)
    assert printed(line, capsys) == told


@pytest.mark.parametrize("lang", OTHERS)
def test_the_game_in_the_terminal_speaks_the_language(
    lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def played(lang: str) -> list[str]:
        with in_language(lang):
            left = iter([_("draw"), _("keep"), _("quit")])
        monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or next(left))
        return printed(["play", "--players", "2", "--seed", "3", "--lang", lang], capsys).splitlines()

    for row, first in zip(played(lang), played("en"), strict=True):
        check_told(lang, row, first)
