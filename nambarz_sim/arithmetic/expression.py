"""Reading what a pupil types: cards in a row, or a calculation with signs and brackets; parsed, never evaluated.

A calculation follows school precedence and must be playable left to right (R3.2): where a sum or a product has one part
that is a calculation itself, that part comes first (``2 + 6 × 1`` is laid 6, 1, 2). No bracket is opened and no sign is
turned for that: ``10 - (2 + 3)`` has no order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from nambarz_sim.card_names import LETTERS, WILDCARDS, wildcard_pattern
from nambarz_sim.cards import Card, Deck
from nambarz_sim.languages import _

SIGNS = {"+": "+", "-": "-", "*": "×", "/": "÷"}
"""The signs of the operations as they are printed."""
LONGEST_TEXT = 300
DEEPEST_BRACKETS = 20

_PLAIN = str.maketrans("−–×·÷:", "--**//")
_READ_AS = {"x": "*", "[": "(", "]": ")"}


def _token_pattern(wildcard: str) -> re.Pattern[str]:
    """What a text is made of, with a pattern for the names of wildcards."""
    return re.compile(
        rf"(?P<wildcard>{wildcard})(?![^\W\d_])"
        rf"|(?P<card>\d+(?:[\s-]*(?!x\b|x\d|{wildcard}){LETTERS})?)"
        r"|(?P<sign>[-+*/−–×÷:·x\[\]()=])"
        r"|(?P<gap>[\s,;]+)"
        rf"|(?P<other>{LETTERS}|.)",
        re.DOTALL,
    )


def plain_signs(text: str) -> str:
    """Operations as ``+ - * /``, without spaces and commas.

    Examples
    --------
    >>> plain_signs("+ − × ÷")
    '+-*/'
    """
    return "".join(text.replace(",", " ").translate(_PLAIN).split())


class NotAnExpression(ValueError):
    """A text that is neither cards nor a calculation.

    Attributes
    ----------
    position
        Where it stops making sense, counted in characters from 0.
    """

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class UnknownCard(NotAnExpression):
    """A text that names a card which the deck does not have.

    Attributes
    ----------
    card
        The card as it is written.
    """

    def __init__(self, message: str, position: int, card: str) -> None:
        super().__init__(message, position)
        self.card = card


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a pupil lays.

    Attributes
    ----------
    cards
        The cards in the order laid.
    operations
        The operations between them, of ``+ - * /``; None where none are given, or where there is no order to play the
        calculation left to right.
    written
        The calculation as the pupil wrote it, tidied; empty where only cards are given.
    signs
        The operations in it, of ``+ - * /``, from left to right.
    value
        What it makes by school precedence; None for cards alone and for a division by zero.
    reordered
        Whether it is laid in another order than it is written.
    stated
        The result that the pupil wrote behind an equals sign, or None.
    announces_replay
        Whether a replay wildcard stands behind the play (R5.1).
    """

    cards: tuple[Card, ...]
    operations: str | None = None
    written: str = ""
    signs: str = ""
    value: Fraction | None = None
    reordered: bool = False
    stated: int | None = None
    announces_replay: bool = False

    @property
    def playable(self) -> bool:
        """Whether it can be played left to right; cards alone always can."""
        return not self.written or self.operations is not None


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # "card", "number" (behind an equals sign), "sign", "equals", "open", "close"
    text: str
    start: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class _Operation:
    """An operation on two parts."""

    sign: str
    left: _Part
    right: _Part


_Part = Card | _Operation


def read_attempt(text: str, deck: Deck) -> Attempt:
    """The cards and operations that a text names.

    Parameters
    ----------
    text
        Cards with spaces or commas between them (``10 4 2``, ``change-number 5``), or a calculation with ``+ - * /``
        (also ``− × ÷ : · x``), brackets, and a result behind ``=`` if the pupil gives one. A replay may follow. Cards may
        be named in any language.
    deck
        The deck that the cards belong to.

    Raises
    ------
    NotAnExpression
        If the text makes no sense; it says from where on.
    UnknownCard
        If a card is not in the deck.

    Examples
    --------
    >>> attempt = read_attempt("2 + 6 * 1", Deck.load("nambarz"))
    >>> [str(card) for card in attempt.cards], attempt.operations, attempt.written, attempt.reordered
    (['6', '1', '2'], '*+', '2 + 6 × 1', True)
    """
    if len(text) > LONGEST_TEXT:
        much = _("it has {count} characters; write at most {most}").format(count=len(text), most=LONGEST_TEXT)
        raise NotAnExpression(much, LONGEST_TEXT)
    tokens = _tokens(text, deck)
    if not tokens:
        raise NotAnExpression(_("there is no card in it; write one or more cards of the hand, such as 10 4 2"), 0)
    announces_replay = len(tokens) > 1 and tokens[-1].card == Card("replay") and tokens[-2].kind != "sign"
    tokens, stated = _stated_result(tokens[:-1] if announces_replay else tokens, text)
    if all(token.kind == "card" for token in tokens):
        cards = tuple(token.card for token in tokens if token.card)
        return Attempt(cards, stated=stated, announces_replay=announces_replay)
    whole = _Reader(tokens, text).read()
    laid = _order(whole)
    cards = tuple(card for _, card in laid) if laid else tuple(_cards(whole))
    return Attempt(
        cards=cards,
        operations="".join(sign for sign, _ in laid[1:]) if laid else None,
        written=_write(whole),
        signs="".join(token.text for token in tokens if token.kind == "sign"),
        value=_value(whole),
        reordered=cards != tuple(_cards(whole)),
        stated=stated,
        announces_replay=announces_replay,
    )


def _tokens(text: str, deck: Deck) -> list[_Token]:
    try:
        return list(_tokens_found(text, deck, "|".join(WILDCARDS)))
    except NotAnExpression:
        # The wildcards of the other languages are looked for only where the English ones do not do.
        return list(_tokens_found(text, deck, wildcard_pattern()))


def _tokens_found(text: str, deck: Deck, wildcard: str) -> Iterator[_Token]:
    is_result = False
    for found in _token_pattern(wildcard).finditer(text.lower()):
        start = found.start()
        if found.lastgroup == "gap":
            continue
        if found.lastgroup == "other":
            # The text itself, since letters may change their number when they are made small.
            why = _("{text} is neither a card nor one of + - * / ( ) =; leave it out, or write one of these")
            raise NotAnExpression(why.format(text=repr(found[0])), start)
        if found.lastgroup != "sign":
            # A result need not be a number of the deck.
            yield _Token("number", found[0], start) if is_result and found[0].isdecimal() else _card(found, deck)
            continue
        is_result = is_result or found[0] == "="
        sign = _READ_AS.get(found[0], plain_signs(found[0]))
        yield _Token({"(": "open", ")": "close", "=": "equals"}.get(sign, "sign"), sign, start)


def _card(found: re.Match[str], deck: Deck) -> _Token:
    try:
        return _Token("card", found[0], found.start(), deck.card(found[0]))
    except ValueError as error:
        raise UnknownCard(str(error), found.start(), found[0]) from None


def _stated_result(tokens: list[_Token], text: str) -> tuple[list[_Token], int | None]:
    """The tokens before an equals sign, and the number behind it, which a minus may stand before."""
    place = next((place for place, token in enumerate(tokens) if token.kind == "equals"), None)
    if place is None:
        return tokens, None
    behind = tokens[place + 1 :]
    if place == 0:
        before = _("there is nothing before the equals sign; write the calculation there")
        raise NotAnExpression(before, tokens[0].start)
    minus = bool(behind) and behind[0].text == "-"
    numbers = [_number(token) for token in behind[minus:]]
    if len(numbers) != 1 or numbers[0] is None:
        wrong = behind[minus + (bool(numbers) and numbers[0] is not None) :]
        where = wrong[0].start if wrong else len(text)
        one = _("behind the equals sign must stand one number; write it, or leave the sign out")
        raise NotAnExpression(one, where)
    return tokens[:place], -numbers[0] if minus else numbers[0]


def _number(token: _Token) -> int | None:
    """The number that a token stands for behind an equals sign; the active card's name will do."""
    return int(token.text) if token.kind == "number" else token.card.number if token.card else None


class _Reader:
    """A calculation from its tokens, by school precedence."""

    def __init__(self, tokens: list[_Token], text: str) -> None:
        self.tokens = tokens
        self.end = len(text)
        self.at = 0
        self.depth = 0

    def read(self) -> _Part:
        whole = self.sum()
        if self.next is not None:
            raise self.unexpected(self.next)
        return whole

    @property
    def next(self) -> _Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def unexpected(self, token: _Token) -> NotAnExpression:
        if token.kind == "close":
            return NotAnExpression(_("this bracket was never opened; take it away, or open it"), token.start)
        missing = _("between {before} and {behind} a sign is missing; write + - * or /")
        before = self.tokens[self.at - 1].text
        return NotAnExpression(missing.format(before=before, behind=token.text), token.start)

    def sum(self) -> _Part:
        part = self.product()
        while self.next is not None and self.next.kind == "sign" and self.next.text in "+-":
            part = self.operation(part, self.product)
        return part

    def product(self) -> _Part:
        part = self.card_or_bracket()
        while self.next is not None and self.next.kind == "sign" and self.next.text in "*/":
            part = self.operation(part, self.card_or_bracket)
        return part

    def operation(self, left: _Part, right: Callable[[], _Part]) -> _Operation:
        sign = self.tokens[self.at].text
        self.at += 1
        return _Operation(sign, left, right())

    def card_or_bracket(self) -> _Part:
        token = self.next
        if token is None:
            raise NotAnExpression(_("it stops too early; a card is missing at the end"), self.end)
        self.at += 1
        if token.card is not None:
            return token.card
        if token.kind != "open":
            missing = _("before {text} a card is missing; write one there")
            raise NotAnExpression(missing.format(text=token.text), token.start)
        self.depth += 1
        if self.depth > DEEPEST_BRACKETS:
            deep = _("more than {count} brackets are open; fewer will do").format(count=DEEPEST_BRACKETS)
            raise NotAnExpression(deep, token.start)
        part = self.sum()
        if self.next is None:
            raise NotAnExpression(_("this bracket is never closed; close it"), token.start)
        if self.next.kind != "close":
            raise self.unexpected(self.next)
        self.at += 1
        self.depth -= 1
        return part


def _cards(part: _Part) -> Iterator[Card]:
    """The cards from left to right."""
    if isinstance(part, Card):
        yield part
    else:
        yield from _cards(part.left)
        yield from _cards(part.right)


def _write(part: _Part, within: str = "", on_the_right: bool = False) -> str:
    """The calculation with the brackets it needs, `within` the sign around it."""
    if isinstance(part, Card):
        return str(part)
    text = f"{_write(part.left, part.sign)} {SIGNS[part.sign]} {_write(part.right, part.sign, on_the_right=True)}"
    weak, in_weak = part.sign in "+-", within in "+-"
    return f"({text})" if within and ((weak and not in_weak) or (on_the_right and weak == in_weak)) else text


def _value(part: _Part) -> Fraction | None:
    if isinstance(part, Card):
        return None if part.number is None else Fraction(part.number)
    return work(_value(part.left), part.sign, _value(part.right))


def work(left: Fraction | None, operation: str, right: Fraction | None) -> Fraction | None:
    """One operation; None where a part has no value or the division is by zero."""
    if left is None or right is None or (operation == "/" and right == 0):
        return None
    if operation == "+":
        return left + right
    if operation == "-":
        return left - right
    return left * right if operation == "*" else left / right


def _order(whole: _Part) -> list[tuple[str, Card]]:
    """The cards in an order that can be played left to right, each with the sign before it; empty if there is none."""
    if isinstance(whole, Card):
        return [("", whole)]
    strong = whole.sign in "*/"
    parts = _parts(whole, "*/" if strong else "+-")
    first = next((place for place, (_, part) in enumerate(parts) if not isinstance(part, Card)), 0)
    sign, opening = parts.pop(first)
    cards = [(sign, part) for sign, part in parts if isinstance(part, Card)]
    # Only what is added or multiplied may come first, and every other part must be a card.
    if sign in ("-", "/") or len(cards) < len(parts):
        return []
    if first > 0:
        # What was written first is added or multiplied, too. What makes more comes before what makes less, so that
        # results on the way stay whole where they can.
        cards[0] = ("*" if strong else "+", cards[0][1])
        cards.sort(key=lambda card: card[0] in "-/")
    start = _order(opening)
    return [*start, *cards] if start else []


def _parts(part: _Part, signs: str) -> list[tuple[str, _Part]]:
    """The terms of a sum or the factors of a product with their signs; the first one's is empty."""
    if isinstance(part, _Operation) and part.sign in signs:
        return [*_parts(part.left, signs), (part.sign, part.right)]
    return [("", part)]


def steps_of(cards: Sequence[Card], operations: str) -> Iterator[tuple[Fraction, str, int, Fraction | None]]:
    """The steps of a calculation laid left to right: what there is, the operation, the next number, what it makes.

    Examples
    --------
    >>> hand = Deck.load("nambarz").hand("10 4 2")
    >>> for before, sign, number, after in steps_of(hand, "-/"):
    ...     print(before, sign, number, "=", after)
    10 - 4 = 6
    6 / 2 = 3
    """
    result: Fraction | None = Fraction(cards[0].number or 0)
    for operation, card in zip(operations, cards[1:], strict=True):
        if result is None:
            return
        number = card.number or 0
        after = work(result, operation, Fraction(number))
        yield result, operation, number, after
        result = after
