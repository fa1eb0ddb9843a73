"""Reading what a pupil types (R3.2, R6.10): cards or a calculation from any spelling, and where a text makes no sense."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim.arithmetic import expression as reader
from nambarz_sim.arithmetic.expression import (
    DEEPEST_BRACKETS,
    LONGEST_TEXT,
    Attempt,
    NotAnExpression,
    UnknownCard,
    plain_signs,
    read_attempt,
    steps_of,
)
from nambarz_sim.cards import Deck

NAMBARZ = Deck.load("nambarz")
EXAMPLES = settings(deadline=None, derandomize=True, database=None, max_examples=400)


def read(text: str) -> Attempt:
    return read_attempt(text, NAMBARZ)


def words_of(attempt: Attempt) -> str:
    return " ".join(str(card) for card in attempt.cards)


# --- a table of texts ------------------------------------------------------------------------------------------------

PLAYED_AS_WRITTEN = [
    ("(10-4)/2", "10 4 2", "-/", "(10 - 4) ÷ 2", 3),
    ("10 - 4 - 2", "10 4 2", "--", "10 - 4 - 2", 4),
    ("((10 - 4)) / (2)", "10 4 2", "-/", "(10 - 4) ÷ 2", 3),
    ("(6*5)/10", "6 5 10", "*/", "6 × 5 ÷ 10", 3),
    ("8+8-1-1-9", "8 8 1 1 9", "+---", "8 + 8 - 1 - 1 - 9", 5),
    ("(9hen-6dragonfly)/3hippopotamus", "9hen 6dragonfly 3hippopotamus", "-/",
     "(9hen - 6dragonfly) ÷ 3hippopotamus", 1),
    ("6*4/8", "6 4 8", "*/", "6 × 4 ÷ 8", 3),
    ("2*3+4", "2 3 4", "*+", "2 × 3 + 4", 10),
    ("(2+3)*4-5", "2 3 4 5", "+*-", "(2 + 3) × 4 - 5", 15),
    ("((2+3)*4-5)/5", "2 3 4 5 5", "+*-/", "((2 + 3) × 4 - 5) ÷ 5", 3),
    ("2-7+8", "2 7 8", "-+", "2 - 7 + 8", 3),
    ("6/10*5", "6 10 5", "/*", "6 ÷ 10 × 5", 3),
    ("1/3", "1 3", "/", "1 ÷ 3", Fraction(1, 3)),
    ("1-3", "1 3", "-", "1 - 3", -2),
    ("(3)", "3", "", "3", 3),
    ("[[3bee]]", "3bee", "", "3bee", 3),
]  # fmt: skip
REORDERED = [
    ("2+6*1", "6 1 2", "*+", "2 + 6 × 1", 8),
    ("2*(10-4)", "10 4 2", "-*", "2 × (10 - 4)", 12),
    ("2+(10-4)", "10 4 2", "-+", "2 + (10 - 4)", 8),
    ("10-4+6/2", "6 2 10 4", "/+-", "10 - 4 + 6 ÷ 2", 9),
    ("9+4-1+6/2", "6 2 9 4 1", "/++-", "9 + 4 - 1 + 6 ÷ 2", 15),
    ("9-4+1+6/2", "6 2 9 1 4", "/++-", "9 - 4 + 1 + 6 ÷ 2", 9),  # what makes more before what makes less
    ("6/4*3*(1+3)", "1 3 6 3 4", "+**/", "6 ÷ 4 × 3 × (1 + 3)", 18),
    ("5-8+2*3", "2 3 5 8", "*+-", "5 - 8 + 2 × 3", 3),
    ("6/4*(1+3)", "1 3 6 4", "+*/", "6 ÷ 4 × (1 + 3)", 6),
    ("1+2*(3+4*5)", "4 5 3 2 1", "*+*+", "1 + 2 × (3 + 4 × 5)", 47),
]
NOT_LEFT_TO_RIGHT = [
    ("10-4/2", "10 4 2", "10 - 4 ÷ 2", 8),
    ("10-(2+3)", "10 2 3", "10 - (2 + 3)", 5),
    ("10-(3-2)", "10 3 2", "10 - (3 - 2)", 9),
    ("8/(4/2)", "8 4 2", "8 ÷ (4 ÷ 2)", 4),
    ("9-8/(1+1)", "9 8 1 1", "9 - 8 ÷ (1 + 1)", 5),
    ("(1+2)*(3+4)", "1 2 3 4", "(1 + 2) × (3 + 4)", 21),
    ("2*3+4*5", "2 3 4 5", "2 × 3 + 4 × 5", 26),
    ("10-2*3+4", "10 2 3 4", "10 - 2 × 3 + 4", 8),
    ("1/(2-2)", "1 2 2", "1 ÷ (2 - 2)", None),
]


@pytest.mark.clause("R3.2")
@pytest.mark.parametrize(("text", "cards", "operations", "written", "value"), PLAYED_AS_WRITTEN)
def test_a_calculation_that_can_be_laid_as_it_is_written_is(text, cards, operations, written, value):
    attempt = read(text)
    assert (words_of(attempt), attempt.operations, attempt.written) == (cards, operations, written)
    assert (attempt.value, attempt.reordered, attempt.playable) == (value, False, True)
    assert attempt.signs == operations


@pytest.mark.clause("R3.2", "R6.10")
@pytest.mark.parametrize(("text", "cards", "operations", "written", "value"), REORDERED)
def test_a_part_that_is_a_calculation_itself_is_laid_first(text, cards, operations, written, value):
    attempt = read(text)
    assert (words_of(attempt), attempt.operations, attempt.written) == (cards, operations, written)
    assert (attempt.value, attempt.reordered, attempt.playable) == (value, True, True)
    assert sorted(attempt.signs) == sorted(operations)


@pytest.mark.clause("R3.2", "R6.10")
@pytest.mark.parametrize(("text", "cards", "written", "value"), NOT_LEFT_TO_RIGHT)
def test_a_calculation_without_an_order_from_left_to_right_keeps_its_cards_and_its_value(text, cards, written, value):
    attempt = read(text)
    assert (words_of(attempt), attempt.operations, attempt.written) == (cards, None, written)
    assert (attempt.value, attempt.reordered, attempt.playable) == (value, False, False)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("10 4 2", "10 4 2"),
        (" 10,4;  2 ", "10 4 2"),
        ("10\n4\t2", "10 4 2"),
        ("3bee", "3bee"),
        ("3-bee", "3bee"),
        ("3 bee", "3bee"),
        ("3 - Bee", "3bee"),
        ("3 BEE 8 bee", "3bee 8bee"),
        ("3 8bee", "3 8bee"),
        ("change-number", "change-number"),
        ("Change-Any 5 bear", "change-any 5bear"),
        ("5 change-any", "5 change-any"),
        ("5 replay 3", "5 replay 3"),
        ("replay", "replay"),
    ],
)
def test_cards_alone_have_no_signs_and_no_value(text, cards):
    attempt = read(text)
    assert words_of(attempt) == cards
    assert (attempt.operations, attempt.written, attempt.signs, attempt.value) == (None, "", "", None)
    assert attempt.playable
    assert not attempt.reordered
    assert not attempt.announces_replay


@pytest.mark.parametrize("minus", "-−–")
@pytest.mark.parametrize("division", "/÷:")
@pytest.mark.parametrize("brackets", ["()", "[]"])
@pytest.mark.parametrize("gap", ["", " ", "  "])
def test_every_spelling_of_the_signs_is_read_alike(minus, division, brackets, gap):
    left, right = brackets
    assert read(gap.join([left, "10", minus, "4", right, division, "2"])) == read("(10-4)/2")


@pytest.mark.parametrize("times", ["*", "×", "·", "x", "X"])
@pytest.mark.parametrize("gap", ["", " "])
def test_every_spelling_of_times_is_read_alike(times, gap):
    assert read(gap.join(["6", times, "5", "+", "10"])) == read("6*5+10")
    assert read(f"6turtle {times}{gap}5cat") == read("6turtle*5cat")
    assert read(f"6{gap}{times}{gap}(5-4)") == read("6*(5-4)")


@pytest.mark.parametrize("sign", ["-", " - ", "−", " –"])
def test_a_minus_between_picture_cards_is_no_hyphen(sign):
    assert read(f"8-bee{sign}5-cat") == read("8bee-5cat")
    assert read(f"8 bee{sign}5 cat").operations == "-"


def test_signs_given_apart_are_read_without_spaces_and_commas():
    assert plain_signs(" + , − – × · ÷ : * / ") == "+--**//*/"


# --- the result behind an equals sign, and the announced replay ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("(10-4)/2 = 3", 3),
        ("(10-4)/2=4", 4),
        ("6*2 = 12", 12),  # no number of the deck
        ("4-7=-3", -3),
        ("4-7 = − 3", -3),
        ("10*10*10=1000", 1000),
        ("8bee-5cat = 3bee", 3),
        ("10 4 2 = 3", 3),
        ("3 = 3", 3),
        ("(10-4)/2", None),
    ],
)
def test_a_result_behind_the_equals_sign_is_kept_apart(text, stated):
    attempt = read(text)
    assert attempt.stated == stated
    assert attempt == read_and_state(text.split("=")[0], stated)


def read_and_state(text: str, stated: int | None) -> Attempt:
    without = read(text)
    return Attempt(without.cards, without.operations, without.written, without.signs, without.value, stated=stated)


@pytest.mark.clause("R5.1")
@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("3 replay", "3"),
        ("(10-4)/2 replay", "10 4 2"),
        ("(10-4)/2, replay", "10 4 2"),
        ("(10-4)/2 = 3 replay", "10 4 2"),
        ("change-any 5 replay", "change-any 5"),
        ("replay replay", "replay"),
        ("3 replay replay", "3 replay"),
    ],
)
def test_a_replay_behind_the_play_is_announced(text, cards):
    attempt = read(text)
    assert attempt.announces_replay
    assert words_of(attempt) == cards


@pytest.mark.parametrize("text", ["replay", "replay 3", "3 + replay", "3 - replay"])
def test_a_replay_before_or_inside_a_play_is_not_announced(text):
    assert not read(text).announces_replay
    assert "replay" in words_of(read(text))


# --- texts that make no sense ----------------------------------------------------------------------------------------

MISSING_CARD = "it stops too early; a card is missing at the end"
ONE_NUMBER = "behind the equals sign must stand one number"
NO_SENSE = [
    ("", 0, "there is no card in it; write one or more cards of the hand"),
    ("  ,; ", 0, "there is no card in it"),
    ("abc", 0, "'abc' is neither a card nor one of + - * / ( ) =; leave it out, or write one of these"),
    ("10 & 4", 3, "'&' is neither a card nor"),
    ("10 + repaly", 5, "'repaly' is neither a card nor"),
    ("6+5+%2", 4, "'%' is neither"),
    ("10 ^ 2", 3, "'^' is neither"),
    ("2 _ 3", 2, "'_' is neither"),
    ("3.5", 1, "'.' is neither"),
    ("__import__('os')", 0, "'_' is neither"),
    ("10 -", 4, MISSING_CARD),
    ("10 - ", 5, MISSING_CARD),
    ("(", 1, MISSING_CARD),
    ("(10 - 4) /", 10, MISSING_CARD),
    ("- 5", 0, "before - a card is missing; write one there"),
    ("10 -- 4", 4, "before - a card is missing"),
    ("10 * / 4", 5, "before / a card is missing"),
    ("10 × ÷ 4", 5, "before / a card is missing"),
    ("()", 1, "before ) a card is missing"),
    ("(10 -) 4", 5, "before ) a card is missing"),
    ("10 - 4 2", 7, "between 4 and 2 a sign is missing; write + - * or /"),
    ("10 4 - 2", 3, "between 10 and 4 a sign is missing"),
    ("10 (4 - 2)", 3, "between 10 and ( a sign is missing"),
    ("(10 - 4)(2)", 8, "between ) and ( a sign is missing"),
    ("(10 4)", 4, "between 10 and 4 a sign is missing"),
    ("3bee 8bee - 5cat", 5, "between 3bee and 8bee a sign is missing"),
    ("3 replay + 2", 2, "between 3 and replay a sign is missing"),
    ("10 - 4)", 6, "this bracket was never opened; take it away, or open it"),
    (")10", 0, "before ) a card is missing"),
    ("(10 - 4", 0, "this bracket is never closed; close it"),
    ("2 * (10 - 4", 4, "this bracket is never closed"),
    ("2 * ((10 - 4)", 4, "this bracket is never closed"),
    ("= 3", 0, "there is nothing before the equals sign"),
    ("10 - 7 =", 8, ONE_NUMBER),
    ("10 - 7 = -", 10, ONE_NUMBER),
    ("10 - 7 = 3 3", 11, ONE_NUMBER),
    ("10 - 7 = 2 + 1", 11, ONE_NUMBER),
    ("10 - 7 = = 3", 9, ONE_NUMBER),
    ("10 - 7 = (3)", 9, ONE_NUMBER),
    ("10 - 7 = --3", 10, ONE_NUMBER),
    ("10 - 7 = change-any", 9, ONE_NUMBER),
]  # fmt: skip


@pytest.mark.clause("R6.10")
@pytest.mark.parametrize(("text", "position", "message"), NO_SENSE)
def test_where_a_text_stops_making_sense(text, position, message):
    with pytest.raises(NotAnExpression, match=r"\w") as caught:
        read(text)
    assert (caught.value.position, message in str(caught.value)) == (position, True), str(caught.value)


@pytest.mark.clause("R6.10")
@pytest.mark.parametrize(
    ("text", "position", "card"),
    [
        ("11", 0, "11"),
        ("10 - 0", 5, "0"),
        ("4 3be", 2, "3be"),
        ("4 + 5 bees", 4, "5 bees"),
        ("2 * 100000", 4, "100000"),
    ],
)
def test_a_card_that_the_deck_does_not_have_is_told_apart(text, position, card):
    with pytest.raises(UnknownCard, match="is not known") as caught:
        read(text)
    assert (caught.value.position, caught.value.card) == (position, card)


def test_the_length_of_a_text_is_bounded():
    longest = "1" + "+1" * ((LONGEST_TEXT - 1) // 2)
    assert read(longest.ljust(LONGEST_TEXT)).value == longest.count("1")
    with pytest.raises(NotAnExpression, match=f"it has {LONGEST_TEXT + 1} characters; write at most") as caught:
        read(longest.ljust(LONGEST_TEXT + 1))
    assert caught.value.position == LONGEST_TEXT


def test_the_depth_of_brackets_is_bounded():
    def inside(brackets: int) -> str:
        return "(" * brackets + "3" + ")" * brackets

    assert read(inside(DEEPEST_BRACKETS)).value == 3
    assert read(f"{inside(DEEPEST_BRACKETS)}+{inside(DEEPEST_BRACKETS)}").value == 6
    with pytest.raises(NotAnExpression, match=f"more than {DEEPEST_BRACKETS} brackets") as caught:
        read(inside(DEEPEST_BRACKETS + 1))
    assert caught.value.position == DEEPEST_BRACKETS


# --- random calculations in random spelling --------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """An operation of a random calculation; its leaves are cards' texts."""

    sign: str
    left: Node | str
    right: Node | str


Tree = Node | str
LEAVES = st.sampled_from([str(card) for card in NAMBARZ.cards if not card.is_wildcard])
TREES = st.recursive(LEAVES, lambda parts: st.builds(Node, st.sampled_from("+-*/"), parts, parts), max_leaves=8)
CHAINS = st.lists(st.tuples(st.sampled_from("+-*/"), LEAVES), min_size=1, max_size=8)
SPELLINGS = {"+": "+", "-": "-−–", "*": "*×·x", "/": "/÷:"}
STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2}


def leaves(tree: Tree) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    else:
        yield from leaves(tree.left)
        yield from leaves(tree.right)


def worked_out(tree: Tree) -> Fraction | None:
    """The value of a tree, None where something is divided by zero."""
    if isinstance(tree, str):
        return Fraction(int("".join(filter(str.isdigit, tree))))
    left, right = worked_out(tree.left), worked_out(tree.right)
    return None if left is None or right is None else one_step(left, tree.sign, right)


def one_step(left: Fraction, sign: str, right: Fraction) -> Fraction | None:
    if sign == "/":
        return left / right if right else None
    return {"+": left + right, "-": left - right, "*": left * right}[sign]


def spell(draw: st.DrawFn, tree: Tree, within: int = 0, on_the_right: bool = False) -> str:
    """The tree as somebody might type it: any signs, gaps and brackets, the needed ones among them."""
    if isinstance(tree, str):
        number, animal = "".join(filter(str.isdigit, tree)), "".join(filter(str.isalpha, tree))
        text = number + draw(st.sampled_from(["", "-", " "])) + animal if animal else number
        needed = False
    else:
        sign = draw(st.sampled_from(SPELLINGS[tree.sign]))
        strength = STRENGTH[tree.sign]
        gap = st.sampled_from([" "] if sign == "x" else ["", " "])
        left, right = spell(draw, tree.left, strength), spell(draw, tree.right, strength, on_the_right=True)
        text = f"{left}{draw(gap)}{sign}{draw(gap)}{right}"
        needed = strength < within or (strength == within and on_the_right)
    if needed or draw(st.integers(0, 9)) == 0:
        left, right = draw(st.sampled_from(["()", "[]"]))
        return f"{left}{text}{right}"
    return text


@st.composite
def spelled(draw: st.DrawFn, trees: st.SearchStrategy[Tree] = TREES) -> tuple[Tree, str]:
    tree = draw(trees)
    return tree, spell(draw, tree)


def parts_of(tree: Tree, strength: int) -> list[tuple[str, Tree]]:
    """The terms of a sum or the factors of a product, with the signs before them."""
    if isinstance(tree, Node) and STRENGTH[tree.sign] == strength:
        return [*parts_of(tree.left, strength), (tree.sign, tree.right)]
    return [("", tree)]


def can_be_laid(tree: Tree) -> bool:
    """Whether at most one part of each sum and product is a calculation, and is first, added or multiplied."""
    if isinstance(tree, str):
        return True
    inner = [(sign, part) for sign, part in parts_of(tree, STRENGTH[tree.sign]) if isinstance(part, Node)]
    return not inner or (len(inner) == 1 and inner[0][0] in ("", "+", "*") and can_be_laid(inner[0][1]))


def left_to_right(attempt: Attempt) -> Fraction | None:
    """The cards worked one by one in the order laid."""
    numbers = [Fraction(card.number or 0) for card in attempt.cards]
    result: Fraction | None = numbers[0]
    for sign, number in zip(attempt.operations or "", numbers[1:], strict=True):
        result = None if result is None else one_step(result, sign, number)
    return result


@pytest.mark.clause("R3.2", "R6.10")
@EXAMPLES
@given(spelled())
def test_any_calculation_is_read_back_from_any_spelling(case):
    tree, text = case
    attempt = read(text)
    if isinstance(tree, str):
        assert words_of(attempt) == tree
        return
    assert attempt.value == worked_out(tree)
    assert sorted(map(str, attempt.cards)) == sorted(leaves(tree))
    assert attempt.playable == can_be_laid(tree)
    assert len(attempt.signs) == len(attempt.cards) - 1
    if attempt.playable:
        assert sorted(attempt.operations) == sorted(attempt.signs)
        assert left_to_right(attempt) == attempt.value
        assert [after for *_, after in steps_of(attempt.cards, attempt.operations)][-1] == attempt.value
    else:
        assert list(map(str, attempt.cards)) == list(leaves(tree))
    assert read(attempt.written) == attempt


@pytest.mark.clause("R3.2")
@EXAMPLES
@given(LEAVES, CHAINS, st.data())
def test_a_calculation_is_reordered_only_if_needed(first, chain, data):
    tree: Tree = first
    for sign, card in chain:
        tree = Node(sign, tree, card)
    attempt = read(spell(data.draw, tree))
    assert list(map(str, attempt.cards)) == list(leaves(tree))
    assert (attempt.operations, attempt.reordered) == ("".join(sign for sign, _ in chain), False)


# --- any text at all -------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [*"+-*/−–×·÷:x()[]=,; ", "3", "10", "11", "3bee", "8 bee", "bee", "replay", "change-any", "İ", "²"]
)


@st.composite
def spoiled(draw: st.DrawFn) -> str:
    """A calculation with some characters taken out, put in or doubled."""
    text = draw(spelled())[1]
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + draw(st.one_of(PIECES, st.just(""))) + text[start + draw(st.integers(0, 2)) :]
    return text


@pytest.mark.clause("R6.10")
@EXAMPLES
@given(st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=12).map("".join), spoiled()))
def test_no_text_raises_anything_but_what_is_wrong_with_it(text):
    attempt = read_or_refuse(text)
    if isinstance(attempt, NotAnExpression):
        assert 0 <= attempt.position <= len(text)
        assert str(attempt)
    else:
        assert attempt.cards
        assert attempt.value is None or isinstance(attempt.value, Fraction)


def read_or_refuse(text: str) -> Attempt | NotAnExpression:
    try:
        return read(text)
    except NotAnExpression as error:
        return error


def test_nothing_is_ever_evaluated_as_code():
    tree = ast.parse(Path(reader.__file__).read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not used & {"eval", "exec", "compile", "getattr", "globals", "__import__"}
    own = {"nambarz_sim.card_names", "nambarz_sim.cards", "nambarz_sim.languages"}
    assert imported == own | {"__future__", "re", "collections.abc", "dataclasses", "fractions"}
