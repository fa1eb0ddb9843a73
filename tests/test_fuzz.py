"""Whatever others write: a documented result, or a ValueError of one short printable line, and nothing else.

The suite has a fixed number of cases; `make fuzz` tries many more, other ones each time (`FUZZ_CASES` of each target).
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nambarz_sim import Card, Deck, Results, Rules, judge, simulate
from nambarz_sim._errors import printable
from nambarz_sim.analysis.minutes import Timings
from nambarz_sim.arithmetic.expression import NotAnExpression, read_attempt
from nambarz_sim.cards import LONGEST_ANIMAL, MOST_COPIES, MOST_KINDS, WILDCARDS, _load_deck, data_folder
from nambarz_sim.cli.compare import read_variant
from nambarz_sim.cli.options import read_rules, read_whole
from nambarz_sim.simulation.folder import MANIFEST
from nambarz_sim.simulation.manifest import opened, sealed
from nambarz_sim.strategies import seat_strategies
from nambarz_sim.strategies.pupil import Pupil

CASES = int(os.environ.get("FUZZ_CASES", "0"))
LONGEST_MESSAGE = 500
NAMBARZ = Deck.load("nambarz")
DECK_FILE = (data_folder() / "decks" / "nambarz.csv").read_text(encoding="utf-8")
RULES_FILE = Rules(players=4, team_sizes=(2, 2), max_cards=6).to_toml()
FOREIGN_ERRORS = UnicodeError | json.JSONDecodeError | tomllib.TOMLDecodeError
"""Errors of other libraries that are a ValueError, too, and whose words help nobody."""


def fuzz(cases: int) -> Callable[..., Any]:
    """The settings of a target: so many cases in the suite, always the same ones."""
    return settings(
        max_examples=CASES or cases, derandomize=not CASES, database=None, deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )  # fmt: skip


def result_of(read: Callable[[], Any]) -> Any:
    """What a reader gives; None where it refuses, as it should."""
    try:
        return read()
    except ValueError as error:
        refusal = error
    check(refusal)
    return None


def check(refusal: ValueError) -> None:
    """A refusal is a sentence of ours on one line that can be printed."""
    message = str(refusal)
    assert not isinstance(refusal, FOREIGN_ERRORS), message
    assert re.search("[:;]", message), message
    assert "sys." not in message, message
    assert printable(message) == message, message
    assert len(message) < LONGEST_MESSAGE, message


# --- what may be written ---------------------------------------------------------------------------------------------

SCRAPS = [
    "", "3", "3bee", "10", "replay", "change-any", "change-number", "change picture", "99", "100", "-1", "0", "³", "٣",
    "1e9", "9" * 30, "9" * 5_000, "x", "×", "÷", "·", ":", "(", ")", "[", "]", "(((", "=", "= 3", "+", "-", "*", "/", ",",
    ";", "#", '"', "'", "\\", "\t", "\r", "\v", "\x1b[31m", "\u2028", "\u202e", "\x85", "\x00", "\ufeff", "İ", "ß",
    "ǅ", "é", "👍", "<script>", "$\\frac{", "../../etc/passwd", "/dev/zero", "/", ".", "nan", "inf", "true", "[]", "{}",
    "{a=1}", "[[1]]", "0x" + "f" * 50, "a.b.c", "1979-05-27", '"""', "kind", "number", "picture", "a" * 60,
]  # fmt: skip
WORDS = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=5), max_size=12)
TEXTS = st.builds(lambda words, gap: gap.join(words), WORDS, st.sampled_from(["", " ", ",", ", "])) | st.text(
    max_size=60
)
SIGNS = "+-*/×÷:·x()[]=,"
EXPRESSIONS = st.lists(
    st.sampled_from(["10", "4", "2", "7fish", "4hen", "3bee", "change-any", "replay", "11", *SIGNS]), max_size=14
).map(" ".join)


@st.composite
def mutations(draw: st.DrawFn, text: str) -> bytes:
    """A good file with some of its lines or fields exchanged, doubled or gone, and perhaps a few bytes of anything."""
    lines = text.splitlines()
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        act = draw(st.sampled_from(["drop", "double", "field", "field", "field", "line", "swap"]))
        if act == "drop" and len(lines) > 1:
            lines.pop(place)
        elif act == "double":
            lines.insert(place, lines[place])
        elif act == "line":
            lines.insert(place, draw(TEXTS))
        elif act == "swap":
            lines[place], lines[0] = lines[0], lines[place]
        else:
            sign = next((sign for sign in "=," if sign in lines[place]), " ")
            fields = lines[place].split(sign)
            fields[draw(st.integers(0, len(fields) - 1))] = draw(st.sampled_from(SCRAPS) | st.text(max_size=5))
            lines[place] = sign.join(fields)
    content = bytearray("\n".join(lines).encode("utf-8", "surrogatepass"))
    if draw(st.integers(0, 3)) == 0:
        place = draw(st.integers(0, len(content)))
        content[place : place + draw(st.integers(0, 5))] = draw(st.binary(max_size=5))
    return bytes(content)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(SCRAPS) | st.text(max_size=10)
    | st.sampled_from([-1, 2**31, 2**63, 10**40]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(SCRAPS), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in JSON."""
    yield path
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in keys:
        yield from places(inner, (*path, key))


@st.composite
def sealed_mutations(draw: st.DrawFn, line: dict[str, Any]) -> bytes:
    """A line of a manifest, sealed as if it were ours, in which something else stands in some places."""
    changed = json.loads(json.dumps(line))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(changed))[1:] or [()]))
        if not path:
            break
        inside = changed
        for key in path[:-1]:
            inside = inside[key]
        act = draw(st.sampled_from(["set", "set", "drop", "number"]))
        if act == "drop":
            del inside[path[-1]]
        elif act == "number" and isinstance(inside[path[-1]], int):
            inside[path[-1]] += draw(st.integers(-3, 3))
        else:
            inside[path[-1]] = draw(JSON)
    return sealed(changed)


# --- the targets -----------------------------------------------------------------------------------------------------


@fuzz(500)
@given(TEXTS)
def test_the_text_of_a_card(text: str) -> None:
    card = result_of(lambda: Card.parse(text))
    if card is not None:
        assert Card.parse(str(card)) == card
        assert str(card).isprintable()


@fuzz(300)
@given(TEXTS)
def test_the_text_of_a_hand(text: str) -> None:
    hand = result_of(lambda: NAMBARZ.hand(text))
    assert hand is None or set(hand) <= set(NAMBARZ.cards)


@fuzz(500)
@given(TEXTS | EXPRESSIONS)
def test_an_expression(text: str) -> None:
    try:
        attempt = read_attempt(text, NAMBARZ)
    except NotAnExpression as error:
        problem = error
    else:
        assert attempt.cards
        assert attempt.operations is None or len(attempt.operations) == len(attempt.cards) - 1
        return
    check(problem)
    assert 0 <= problem.position <= 2 * len(text)  # small letters may be more than large ones


@fuzz(150)
@given(TEXTS | EXPRESSIONS)
def test_a_verdict(text: str) -> None:
    verdict = judge(text, hand="10 4 2 7fish 4hen change-any replay", active="3bee", rules=Rules(max_cards=4))
    assert verdict.explanation.isprintable()
    assert verdict.legal <= (not verdict.fault)


@fuzz(100)
@given(TEXTS, TEXTS)
def test_the_situation_of_a_verdict(hand: str, active: str) -> None:
    result_of(lambda: judge("3", hand=hand, active=active, rules=Rules(max_cards=4)))
    result_of(lambda: judge("3", hand="3 4", active="3", drawn=hand, rules=Rules(max_cards=4)))


def deck_of(content: bytes, folder: Path) -> Deck | None:
    path = folder / "given.csv"
    path.write_bytes(content)
    deck: Deck | None = result_of(lambda: _load_deck.__wrapped__(str(path)))
    return deck


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@fuzz(400)
@given(content=mutations(DECK_FILE) | mutations("kind,number,animal,copies\nnumber,5,,4\npicture,3,bee,2\nreplay,,,1"))
def test_a_deck_file(content: bytes, folder: Path) -> None:
    deck = deck_of(content, folder)
    if deck is not None:
        assert len(WILDCARDS) < len(deck.cards) == len(set(deck.cards)) <= MOST_KINDS
        assert all(0 <= count <= MOST_COPIES for count in deck.copies)
        assert all(animal.isalpha() and len(animal) <= LONGEST_ANIMAL for animal in deck.animals)
        again = deck_of(deck.to_csv().encode(), folder)
        assert again == deck


@fuzz(200)
@given(content=st.binary(max_size=200) | TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_a_deck_or_rules_file_of_anything(content: bytes, folder: Path) -> None:
    deck_of(content, folder)
    path = folder / "given.toml"
    path.write_bytes(content)
    result_of(lambda: Rules.load(path))


@fuzz(400)
@given(content=mutations(RULES_FILE))
def test_a_rules_file(content: bytes, folder: Path) -> None:
    path = folder / "given.toml"
    path.write_bytes(content)
    rules = result_of(lambda: Rules.load(path))
    if rules is not None:
        rules.save(path)
        assert Rules.load(path) == rules


@pytest.fixture(scope="module")
def run(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A run's folder and the lines of its manifest."""
    pytest.importorskip("pyarrow")
    path = folder / "run"
    rules = Rules(players=2, operations="+-", max_cards=2, turn_limit=30)
    simulate(rules, games=4, strategies="matcher", chunk_size=2, out=path, progress=False, workers=1)
    lines = (path / MANIFEST).read_bytes().splitlines(keepends=True)
    return path, [opened(line) or {} for line in lines]


def open_run(path: Path) -> None:
    for verify in (False, True):
        found = result_of(lambda verify=verify: Results.open(path, verify=verify))
        if found is not None:
            assert 0 <= found.game_count <= found.games_asked


@fuzz(250)
@given(data=st.data())
def test_a_manifest_that_is_sealed(data: st.DataObject, run: tuple[Path, list[dict[str, Any]]]) -> None:
    path, lines = run
    written = [sealed(line) for line in lines]
    place = data.draw(st.integers(0, len(lines) - 1))
    written[place] = data.draw(sealed_mutations(lines[place]))
    (path / MANIFEST).write_bytes(b"".join(written))
    open_run(path)


@fuzz(100)
@given(data=st.data())
def test_a_manifest_of_any_bytes(data: st.DataObject, run: tuple[Path, list[dict[str, Any]]]) -> None:
    path, lines = run
    text = b"".join(map(sealed, lines)).decode()
    (path / MANIFEST).write_bytes(data.draw(mutations(text) | st.binary(max_size=200)))
    open_run(path)


@fuzz(300)
@given(TEXTS | st.builds(lambda name, text: f"{name}={text}", st.sampled_from(["match", "draw", "x"]), TEXTS))
def test_timings(text: str) -> None:
    timings = result_of(lambda: Timings.parse(text))
    assert timings is None or all(0 <= seconds < 10**6 for seconds in timings.to_dict().values())


@fuzz(300)
@given(
    TEXTS, st.sampled_from(["", "year-3", "pupil", "year-3:planner:", "year-3 slip=", "pupil most_cards=", "planner:"])
)
def test_pupils_and_strategies(text: str, before: str) -> None:
    pupil = result_of(lambda: Pupil.parse(before + text))
    assert pupil is None or Pupil.parse(pupil.name) == pupil
    seats = result_of(lambda: seat_strategies(before + text, 2))
    assert seats is None or len(seats.codes) == 2


@fuzz(300)
@given(TEXTS, st.sampled_from(["wildcards", "team_sizes", "players", "deck", "operations", "steps"]))
def test_options_of_the_command_line(text: str, option: str) -> None:
    result_of(lambda: read_whole(option, text))
    result_of(lambda: Rules(**read_rules({option: text})))
    result_of(lambda: read_variant(f"name: {option}={text}", Rules(), "greedy"))
    result_of(lambda: read_variant(text, Rules(), "greedy"))
