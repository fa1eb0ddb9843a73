"""Figures and what commands print, in every language: nothing left in English, nothing cut off, the same data."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.text import Text

from nambarz_sim import Rules, balance, compare, minimal_calculations, plan_lesson, plots, simulate, tournament
from nambarz_sim import variant_grid as grid_of
from nambarz_sim.analysis.balance import Balance
from nambarz_sim.analysis.balance_findings import findings
from nambarz_sim.analysis.balance_measures import MEASURES
from nambarz_sim.analysis.compare import Comparison
from nambarz_sim.analysis.frequency import stroke_frequency
from nambarz_sim.analysis.lesson import LessonPlan
from nambarz_sim.analysis.lesson_page import tell_plan
from nambarz_sim.analysis.precision import Precision
from nambarz_sim.analysis.standings import Tournament
from nambarz_sim.analysis.strokes import simulated_stroke_chances, stroke_chances
from nambarz_sim.analysis.summary import estimate, ratio_measures, tell
from nambarz_sim.analysis.wording import shown, shown_measure, shown_variant
from nambarz_sim.cli import main
from nambarz_sim.languages import LANGUAGES, in_language, localised
from nambarz_sim.plots.figure import NotebookFigure, fitted
from nambarz_sim.reports import balance as report
from nambarz_sim.simulation.batch import teller
from nambarz_sim.simulation.results import Results

OTHERS = [lang for lang in LANGUAGES if lang != "en"]
NAMES = re.compile(
    r"nambarz_sim \d\.\d\.\d|greedy|thrifty|random|year-\d|beginner|experienced|top-level|change-\w+|replay|NAMBARZ"
    r"|nambarz\w*|short|P\d+|Elo|match=\d+ draw=\d+|timings|dask|--\S+|^\w+ = |\bn = |\(R\d+[.\d]*\)"
)
"""What is the same in all languages: strategies, presets, options and their values."""
ENGLISH = re.compile(
    r"\b(the|of|with|and|is|are|not|each|than|round|rounds|cards|players|turns|games|wildcards|hands|share|strokes|more|"
    r"fewer|from|without|between|deals|variants|seed|strategies|calculations|matches|draws|times|lesson|lessons|pupil)\b"
)
"""Words that Spanish, French and German texts do not have."""
ALIKE = {"points", "Points", "minutes", "multiplications", "divisions", "additions"}
"""French words that are the English ones, too."""
DECIMAL_POINT = re.compile(r"\d\.\d{1,2}(?!\d)|0\.\d")


@cache
def batch() -> Results:
    return simulate(Rules(players=3), games=20, strategies=["year-1", "greedy", "random"], progress=False)


@cache
def found_balance() -> Balance:
    grid = grid_of((2, 3, 12), ("none", "beginner", 60), ("+-", "+-*/"), Rules(hand_size=3, turn_limit=300))
    del grid["12 players, no wildcards, + -"]
    few = {name: grid[name] for name in list(grid)[:5]} | {"short": grid["3 players, no wildcards, + -"]}
    chosen = type(grid)(few)
    chosen.left_out = {"12 players, 60 wildcards, + -": "stopped before it was finished"}
    return balance(chosen, games=8, extra_games=4, progress=False)


@cache
def found_comparison() -> Comparison:
    return compare({"short": Rules(hand_size=3), "A": Rules(players=3), "B": "thrifty"}, games=12, progress=False)


@cache
def found_plan(timings: str | None = None) -> LessonPlan:
    return plan_lesson(60, 7, wildcards=60, games=100, timings=timings)


@cache
def found_tournament() -> Tournament:
    return tournament(["greedy", "random", "thrifty"], Rules(players=2), games=8, progress=False)


@cache
def found_chances() -> tuple[pd.DataFrame, pd.DataFrame]:
    exact = pd.concat([stroke_chances(active="5", hand_size=5), stroke_chances(active=None, hand_size=10)])
    return exact, simulated_stroke_chances(active="5", hand_size=5, hands=200)


@cache
def found_frequency() -> pd.DataFrame:
    return stroke_frequency(
        players=(2, 3), operations=("+-",), strategies=("greedy",), hand_sizes=(4,), games=10, progress=False
    )


def of_measure(measure: str) -> Callable[[str], NotebookFigure]:
    def draw(lang: str) -> NotebookFigure:
        table = found_balance().table
        return plots.plot_grid(found_balance(), measure, table.loc[table["measure"] == measure, "detail"].iloc[0], lang)

    return draw


FIGURES: dict[str, Callable[[str], NotebookFigure]] = {
    "length": lambda lang: plots.plot_game_length(batch(), batch(), lang=lang),
    "strokes": lambda lang: plots.plot_master_strokes(batch(), lang=lang),
    "comparison": lambda lang: plots.plot_comparison(found_comparison(), lang),
    "lesson": lambda lang: plots.plot_lesson_time(found_plan(), lang),
    "rounds": lambda lang: plots.plot_lesson_rounds(found_plan(), lang),
    "chances": lambda lang: plots.plot_stroke_chances(*found_chances(), lang=lang),
    "calculations": lambda lang: plots.plot_calculations(minimal_calculations(), lang),
    "frequency": lambda lang: plots.plot_stroke_frequency(found_frequency(), lang),
    "payoffs": lambda lang: plots.plot_payoffs(found_tournament(), lang),
    "ratings": lambda lang: plots.plot_ratings(found_tournament(), lang),
    "turn order": lambda lang: plots.plot_turn_order(found_balance(), lang),
    "wildcards": lambda lang: plots.plot_wildcards_dealt(found_balance(), lang),
    "numbers": lambda lang: plots.plot_numbers(found_balance(), lang),
    "operations": lambda lang: plots.plot_operations(found_balance(), lang),
    "grid, turns": of_measure("turns a round"),
    "grid, skilled": of_measure("rounds won by the skilled player"),
    "grid, strokes without": of_measure("master strokes a round, change without"),
}


@cache
def drawn(name: str, lang: str) -> tuple[NotebookFigure, dict[Text, str]]:
    """A figure and the texts that are seen in it; ticks beyond the ends of an axis are not."""
    figure = FIGURES[name](lang)
    figure.draw_without_rendering()
    hidden = set()
    for axes in figure.axes:
        if not axes.get_visible():
            hidden |= set(axes.findobj(Text))
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                if not low <= tick.get_loc() <= high:
                    hidden |= {tick.label1, tick.label2}
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text not in hidden]
    return figure, {text: text.get_text() for text in texts if text.get_text().strip()}


def wrong(texts: Iterator[str] | list[str], english: list[str], lang: str) -> list[str]:
    """Those that are still English, show a key or a place, or write a number the English way."""
    found = []
    for text in texts:
        bare = NAMES.sub("", text)
        if bare.startswith("$"):  # a power of ten
            continue
        same = text in english and re.search(r"[^\W\d_]{3}", bare) is not None
        english_number = re.search(r"\d%", bare) is not None or DECIMAL_POINT.search(bare) is not None
        if lang == "fr":
            english_number = english_number or re.search(r"\d[.]\d", bare) is not None
        if same or ENGLISH.search(bare) or re.search(r"[{}]", bare) or english_number:
            found.append(text)
    return [text for text in found if lang != "fr" or text not in ALIKE]


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_no_english_left_and_nothing_cut_off(name: str, lang: str) -> None:
    figure, texts = drawn(name, lang)
    english, english_texts = drawn(name, "en")
    assert figure.description != english.description
    assert len(texts) >= 3
    shown_texts = [figure.description, *texts.values()]
    assert wrong(shown_texts, [english.description, *english_texts.values()], lang) == []
    width, height = figure.get_size_inches() * figure.dpi
    outside = {}
    for text, words in texts.items():
        box = text.get_window_extent()
        if min(box.x0, box.y0, width - box.x1, height - box.y1) < -1:
            outside[words] = box
    assert outside == {}


def test_ticks_are_written_in_the_language_of_the_figure_also_when_it_is_drawn_later() -> None:
    seen = {lang: " ".join(drawn("turn order", lang)[1].values()) for lang in LANGUAGES}
    assert re.search(r"\b[01]\.\d\b", seen["en"])
    for lang in OTHERS:
        assert re.search(r"\b[01],\d\b", seen[lang])
    assert {"1st", "2nd"} <= set(drawn("turn order", "en")[1].values())
    assert {"1er", "2e"} <= set(drawn("turn order", "fr")[1].values())


def test_thousands_are_written_in_the_language() -> None:
    assert "1,056" in drawn("calculations", "en")[0].description
    assert "1.056" in drawn("calculations", "de")[0].description
    assert "1\N{NARROW NO-BREAK SPACE}056" in drawn("calculations", "fr")[0].description


def test_a_figure_speaks_the_language_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with in_language("es"):
        assert plots.plot_game_length(batch()).axes[0].get_xlabel() == "turnos de una ronda"
    monkeypatch.setenv("NAMBARZ_LANG", "fr")
    assert plots.plot_game_length(batch()).axes[0].get_xlabel() == "tours dans une manche"
    with pytest.raises(ValueError, match="lang: 'klingon' is not known"):
        plots.plot_game_length(batch(), lang="klingon")


def test_titles_that_fit_stay_as_they_are() -> None:
    assert fitted("A title\nof two lines", 6, 11) == "A title\nof two lines"
    long = "Donaudampfschifffahrtsgesellschaft " * 4
    assert len(fitted(long, 4, 11).splitlines()) >= 4
    assert fitted("Donaudampfschifffahrt", 0.1, 11) == "Donaudampfschifffahrt"


ANSWERS: dict[str, list[str]] = {
    "simulate": ["simulate", "--games", "20"],
    "precision": ["simulate", "--half-width", "0.5"],
    "compare": ["compare", "greedy", "thrifty"],
    "balance": ["balance"],
    "lesson": ["lesson"],
    "lesson, own": ["lesson", "--timings", "match=6"],
    "tournament": ["tournament", "greedy", "random", "thrifty"],
    "strokes": ["strokes", "--active", "5", "--hand-size", "5", "--simulate", "200"],
}
MACHINES = [
    ["simulate", "--json"], ["simulate", "--csv"], ["simulate", "--table", "players", "--csv"],
    ["compare", "greedy", "thrifty", "--json"], ["balance", "--csv"], ["balance", "--json"], ["lesson", "--json"],
    ["tournament", "greedy", "random", "--csv"], ["strokes", "--active", "5", "--hand-size", "5", "--json"],
    ["strokes", "--calculations"],
]  # fmt: skip
Ask = Callable[..., str]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """What a command prints; what it would play is played once for all tests."""
    precise = Precision(batch(), "rounds with a master stroke", estimate(batch(), "rounds with a master stroke"), 0.1)
    for place, found in {
        "nambarz_sim.simulation.batch.simulate": batch,
        "nambarz_sim.analysis.precision.simulate_until": lambda: precise,
        "nambarz_sim.analysis.compare.compare": found_comparison,
        "nambarz_sim.analysis.balance.balance": found_balance,
        "nambarz_sim.analysis.tournament.tournament": found_tournament,
    }.items():
        monkeypatch.setattr(place, lambda *_args, found=found, **_options: found())
    monkeypatch.setattr("nambarz_sim.analysis.lesson.plan_lesson", lambda timings=None, **_options: found_plan(timings))

    def ask(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["nambarz", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        assert ended.value.code == 0, printed.err
        return printed.out

    return ask


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_has_no_english_left(name: str, lang: str, ask: Ask) -> None:
    english, told = ask(*ANSWERS[name]), ask(*ANSWERS[name], "--lang", lang)
    assert told == ask("--lang", lang, *ANSWERS[name])
    assert len(told.splitlines()) == len(english.splitlines())
    assert wrong(told.splitlines(), english.splitlines(), lang) == []


@pytest.mark.parametrize("words", MACHINES, ids=" ".join)
def test_what_programs_read_is_the_same_in_all_languages(words: list[str], ask: Ask) -> None:
    english = ask(*words)
    assert len(english) > 100
    assert {lang for lang in OTHERS if ask(*words, "--lang", lang) != english} == set()


def test_the_language_after_the_command_goes_before_the_one_ahead_of_it(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tournament", "greedy", "random"]
    assert ask("--lang", "fr", *words, "--lang", "de") == ask(*words, "--lang", "de")
    monkeypatch.setenv("NAMBARZ_LANG", "es")
    assert ask(*words) == ask(*words, "--lang", "es")
    assert ask(*words, "--lang", "de").startswith("3 Strategien")
    monkeypatch.setattr(sys, "argv", ["nambarz", *words, "--lang", "klingon"])
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err == "nambarz: lang: 'klingon' is not known; known are en, es, fr, de.\n"


@pytest.mark.parametrize("lang", OTHERS)
def test_columns_stand_below_each_other(lang: str, ask: Ask) -> None:
    table = ask("tournament", "greedy", "random", "--lang", lang).split("\n\n")[1].splitlines()
    assert len({len(line) for line in table}) == 1
    rows = ask("strokes", "--active", "5", "--hand-size", "5", "--lang", lang).splitlines()[2:]
    assert len({len(row) for row in rows}) == 1


def test_what_is_found_is_told_in_the_language_asked_for() -> None:
    assert found_tournament().findings("de")[0].endswith(").")
    assert "Wertung" in found_tournament().findings("de")[0]
    assert tell(batch(), "es").startswith("20 partidas de 1 ronda, 3 jugadores")
    assert tell_plan(found_plan(), "fr").startswith("Une leçon de 60 minutes avec 7 élèves")
    assert any("2 joueurs" in sentence for sentence in found_balance().findings("fr"))
    assert found_comparison().findings("de") != found_comparison().findings("en") or not found_comparison().findings()


def test_every_difference_has_its_sentence() -> None:
    table = found_comparison().table.assign(adjusted_p=0.001)
    told = {lang: Comparison(found_comparison().results, table).findings(lang) for lang in LANGUAGES}
    for lang in OTHERS:
        assert wrong(told[lang], told["en"], lang) == []
        assert len(told[lang]) == len(table)
    assert any(" points de pourcentage de moins avec " in sentence for sentence in told["fr"])
    assert any("Züge weniger bei " in sentence for sentence in told["de"])


def test_every_finding_of_a_balance_is_translated() -> None:
    table = found_balance().table
    surely = table.assign(low=table["value"] - 1e-6, high=table["value"] + 1e-6)
    for rows in (surely, surely.assign(value=-surely["value"], low=-surely["high"], high=-surely["low"]), table[:0]):
        seats = dict.fromkeys(found_balance().seats, 1e-9)
        told = {}
        for lang in LANGUAGES:
            with in_language(lang):
                told[lang] = findings(rows, seats, "thrifty", "random")
        assert all(wrong(told[lang], told["en"], lang) == [] for lang in OTHERS)


@pytest.mark.parametrize("lang", OTHERS)
def test_every_measure_and_unit_has_a_name_to_show(lang: str) -> None:
    names = {*ratio_measures(batch()), *batch().summary().index, *MEASURES, *found_plan().arithmetic.index}
    names |= set(found_balance().table["unit"]) | set(batch().summary()["unit"]) | set(found_plan().times["unit"])
    with in_language(lang):
        assert {name for name in names if shown(name) == name} <= (ALIKE if lang == "fr" else set())
        assert shown("my own measure") == "my own measure"
        assert shown_variant("short") == "short"
        assert shown_measure("turns a round") == shown("turns a round")
        assert shown("") == ""


@cache
def page(lang: str, folder: Path) -> str:
    report.write_balance_report(found_balance(), folder / "report.html", "nambarz", lang=lang)
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", OTHERS)
def test_a_report_is_in_its_language(lang: str, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any) -> None:
    monkeypatch.setattr(report, "_figure", lambda figure: f"<p>{figure.description}</p>")
    monkeypatch.setattr(report, "_STYLE", "")
    pages = {each: page(each, tmp_path_factory.getbasetemp()) for each in ("en", lang)}
    assert f'<html lang="{lang}">' in pages[lang]
    assert '<html lang="en">' in pages["en"]
    texts = {each: [part for part in re.split(r"(?:\s*<[^>]*>\s*)+", unescape(pages[each])) if part] for each in pages}
    assert len(texts[lang]) == len(texts["en"]) > 100
    assert wrong(texts[lang], texts["en"], lang) == []


def test_a_bar_says_in_the_language_what_it_waits_for(capsys: pytest.CaptureFixture[str]) -> None:
    with in_language("de"), teller(True, 0, 5, False):
        pass
    assert "die Regeln werden übersetzt" in capsys.readouterr().err


def test_numbers_keep_their_digits() -> None:
    expected = {"en": "-1,234.50%", "es": "-1.234,50\xa0%", "fr": "-1\u202f234,50\xa0%", "de": "-1.234,50\xa0%"}
    for lang, text in expected.items():
        with in_language(lang):
            assert localised("-1,234.50%") == text


def test_options_of_commands_without_a_language_are_untouched() -> None:
    from nambarz_sim.cli.options import _speaking

    def own(lang: str = "en") -> Any:
        return lang

    assert _speaking(own) is own
