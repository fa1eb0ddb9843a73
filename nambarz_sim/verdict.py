"""The verdict on an attempt: legal or which fault, what becomes of the cards (R6), and why, in plain words.

The engine decides; this module reads what the pupil wrote, asks the engine, and puts its answer into sentences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from nambarz_sim import explanations as say
from nambarz_sim._errors import cut, shown
from nambarz_sim.arithmetic.expression import Attempt, NotAnExpression, UnknownCard, plain_signs, read_attempt, steps_of
from nambarz_sim.arithmetic.table import OPERATIONS, steps_from
from nambarz_sim.cards import Card
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.observe import active_card, hand_of
from nambarz_sim.engine.plays import Play, describe_attempt, lay_table, list_plays, write_chain
from nambarz_sim.engine.state import (
    ACTIVE,
    ANY_OPERATION,
    DRAWN,
    FAULTS,
    NO_OPERATION,
    OPEN,
    PHASE,
    PHASE_DRAWN,
    PHASE_PLAYED,
    PLAY_WIDTH,
    SEAT,
    Ints,
    new_plays,
)
from nambarz_sim.events import counted
from nambarz_sim.languages import _, in_language
from nambarz_sim.rules import Rules


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rules say to an attempt.

    Attributes
    ----------
    legal
        Whether it may be laid as it is.
    mistake
        Empty, or which mistake it is, in a word or two: a key of `nambarz_sim.explanations.MISTAKES`.
    fault
        The clause of the fault, ``"R6.1"`` to ``"R6.5"``; empty for a legal attempt and for what is no attempt.
    penalty
        Cards to draw as a penalty (R6); fewer if the draw pile runs out.
    laid, returned
        The cards that are laid, in their order, and those that go back to the hand.
    explanation
        Why, in sentences to read out.
    better
        A legal play that brings more points, or lays more cards, than what is laid; or None.
    bonus
        Points for a master stroke (R8.3).
    play
        What is laid, or None; after a fault it is what the rules lay instead (R6.1, R6.2, R6.4).
    position
        Where a text stops making sense, counted in characters from 0, or None.
    """

    legal: bool
    mistake: str
    fault: str
    penalty: int
    laid: tuple[Card, ...]
    returned: tuple[Card, ...]
    explanation: str
    better: Play | None = None
    bonus: int = 0
    play: Play | None = None
    position: int | None = None

    @property
    def refused(self) -> bool:
        """Whether it is no attempt at all: it costs nothing and changes nothing (R6.10)."""
        return not self.legal and not self.fault

    def __str__(self) -> str:
        return self.explanation


def judge(
    attempt: str | Sequence[Card],
    hand: str | list[Card] | list[str],
    active: str | Card,
    rules: Rules | None = None,
    drawn: str | Card | None = None,
    played: bool = False,
    lang: str | None = None,
) -> Verdict:
    """The verdict on what a pupil lays.

    Parameters
    ----------
    attempt
        A calculation such as ``"(10-4)/2"``; cards such as ``"10 4 2"`` (in this order, with any signs that work),
        ``"3hippopotamus"``, ``"change-number 5"`` or ``"replay"``; or a list of cards. A replay behind it is announced.
    hand, active, rules, drawn, played
        The situation, as `nambarz_sim.find_plays` takes it.
    lang
        The language of the sentences: ``"en"``, ``"es"``, ``"fr"`` or ``"de"``; without, what
        `nambarz_sim.languages.choose_language` says. Cards and signs are understood in any of them.

    Raises
    ------
    ValueError
        If the situation is not possible, or there is no such language; whatever is wrong with the attempt itself stands
        in the verdict.

    Examples
    --------
    >>> verdict = judge("6+5+2-10", hand="6 5 2 10 8", active="3bee")
    >>> verdict.fault, [str(card) for card in verdict.laid], verdict.penalty
    ('R6.1', ['6', '2'], 3)
    >>> print(verdict)
    6 and 2 alone make 3: 6 ÷ 2 = 3. Five and ten go back to your hand. You draw 3 cards as a penalty, and your turn is
    over.
    >>> print(judge("8 abeille", hand="8bee 5", active="3bee", lang="de"))
    8 Biene passt zu 3 Biene: das gleiche Tier, Biene.
    """
    rules = rules or Rules()
    with in_language(lang):
        packed, state = lay_table(rules, hand, active, drawn, played)
        return judge_at(rules, packed, state, attempt)


def judge_at(
    rules: Rules, packed: Ints, state: Ints, attempt: str | Sequence[Card], operations: str | None = None
) -> Verdict:
    """The verdict on an attempt of the seat to move, in the language spoken; the state stays as it is.

    Raises
    ------
    ValueError
        If `operations` are given and do not fit the cards.
    """
    read = read_at(rules, packed, state, attempt, operations)
    return read if isinstance(read, Verdict) else _Judgement(rules, packed, state, read).verdict()


def read_at(
    rules: Rules, packed: Ints, state: Ints, attempt: str | Sequence[Card], operations: str | None = None
) -> Attempt | Verdict:
    """What the seat to move lays, or the verdict that it is no attempt (R6.10); arguments and errors as `judge_at` has."""
    deck = rules.the_deck
    hand = hand_of(packed, state, deck, int(state[SEAT]))
    text = attempt if isinstance(attempt, str) else " ".join(str(card) for card in attempt)
    try:
        read = read_attempt(text, deck)
    except UnknownCard as error:
        return _refused("unknown card", say.unknown_card(error.card, hand), error.position)
    except NotAnExpression as error:
        return _refused("no expression", say.no_expression(text, error), error.position)
    if operations is not None:
        read = with_signs(read, operations)
    asked = Counter([*read.cards, *([Card("replay")] if read.announces_replay else [])])
    for card in asked - Counter(hand):
        return _refused("not in the hand", say.not_in_hand(card, hand))
    if state[PHASE] == PHASE_DRAWN and deck.cards[state[DRAWN]] not in read.cards:
        return _refused("drawn card", say.drawn_not_used(deck.cards[state[DRAWN]]))
    if state[PHASE] == PHASE_PLAYED and [card.kind for card in read.cards] != ["replay"]:
        return _refused("second play", _(say.SECOND_PLAY))
    return read


def attempt_codes(rules: Rules, read: Attempt) -> tuple[Ints, Ints]:
    """The card types and the operation codes of an attempt, as the engine's kernels take them."""
    types = np.array([rules.the_deck.type_of(card) for card in read.cards], dtype=np.int64)
    codes = np.full(len(types), ANY_OPERATION, dtype=np.int64)
    if not read.playable:
        codes[:] = NO_OPERATION
    elif read.operations:
        codes[: len(read.operations)] = [1 + OPERATIONS.index(sign) for sign in read.operations]
    return types, codes


def with_signs(read: Attempt, operations: str) -> Attempt:
    """Cards with the signs between them given apart; operations that the game does not allow are faults, not errors."""
    signs = plain_signs(operations)
    unknown = [sign for sign in signs if sign not in OPERATIONS]
    if read.written:
        raise ValueError(
            f"operations: {shown(operations)} does not fit {cut(read.written)}, which has its own signs; leave it out"
        )
    if unknown or len(signs) != len(read.cards) - 1:
        raise ValueError(
            f"operations: {shown(operations)} does not fit {counted(len(read.cards), 'card')}; "
            f"give {counted(len(read.cards) - 1, 'sign')} of + - * /"
        )
    steps = [after for *_, after in steps_of(read.cards, signs)]
    value = steps[-1] if steps else Fraction(read.cards[0].number or 0)
    written = write_chain([str(card) for card in read.cards], signs)
    return replace(read, operations=signs, signs=signs, written=written, value=value)


def _refused(mistake: str, explanation: str, position: int | None = None) -> Verdict:
    return Verdict(False, mistake, "", 0, (), (), explanation, position=position)


class _Judgement:
    """One attempt before the engine."""

    def __init__(self, rules: Rules, packed: Ints, state: Ints, read: Attempt) -> None:
        self.rules = rules
        self.packed = packed
        self.state = state
        self.read = read
        self.deck = rules.the_deck
        self.active = active_card(state, self.deck)
        self.target = self.active.number or 0

    def verdict(self) -> Verdict:
        types, codes = attempt_codes(self.rules, self.read)
        laid = np.zeros(len(types), dtype=np.int64)
        fault, count = engine.judge_attempt(self.packed, self.state, types, codes, len(types), laid)
        play = self._play(laid[:count], codes if not fault else np.zeros_like(codes)) if count else None
        if not fault:
            assert play is not None
            return Verdict(
                True, "", "", 0, play.cards, (), self._why_right(play), self._better(play), play.bonus, play
            )  # fmt: skip
        if play:
            play = replace(play, bonus=0)  # R6.7
        mistake, why = self._why_wrong(FAULTS[fault], play)
        cards = play.cards if play else ()
        back = Counter(self.read.cards)
        back.subtract(cards)
        returned = (*back.elements(), *([Card("replay")] if self.read.announces_replay else []))
        sentences = [
            why,
            self._stated() if mistake != "result" else "",
            say.back(returned, bool(cards)) if returned else "",
            say.penalty(self.rules.penalty_cards),
        ]
        return Verdict(
            False, mistake, FAULTS[fault], self.rules.penalty_cards, cards, returned, " ".join(filter(None, sentences)),
            self._better(play), 0, play,
        )  # fmt: skip

    def _play(self, laid: Ints, codes: Ints) -> Play:
        row = np.zeros(PLAY_WIDTH, dtype=np.int64)
        engine.write_play(self.packed, self.state, laid, len(laid), row)
        return describe_attempt(self.packed, self.state, row, self.deck, codes, self.active)

    def _better(self, play: Play | None) -> Play | None:
        """The play with most points, then most cards; None if it is not more than what is laid."""

        def worth(one: Play) -> tuple[int, int]:
            return one.bonus, len(one.cards)

        plays = list_plays(self.packed, self.state, new_plays(self.packed), self.deck)
        best = max((one for one in plays if one.kind != "replay"), key=worth, default=None)
        return best if best and (play is None or worth(best) > worth(play)) else None

    # --- why it is right ----------------------------------------------------------------------------------------------

    def _why_right(self, play: Play) -> str:
        played = bool(self.state[PHASE] == PHASE_PLAYED)
        if play.kind == "match":
            why = say.match(play.cards[0], self.active)
        elif play.kind == "change":
            why = say.change(play.cards, self.active)
        elif play.kind == "replay":
            why = say.replay(played)
        else:
            operations = read_attempt(play.expression, self.deck).operations or ""
            why = say.calculation(play.cards, operations, self.target, play.bonus, self.read.reordered)
        announced = say.second_replay(played) if play.kind == "replay" else say.replay(True)
        return " ".join(filter(None, [why, self._stated(), announced if self.read.announces_replay else ""]))

    def _stated(self) -> str:
        """A slip behind the equals sign."""
        written, claimed, value = self.read.written, self.read.stated, self.read.value
        if claimed is None or value is None or claimed == value:
            return ""
        return say.stated(written, claimed, value)

    # --- why it is wrong ----------------------------------------------------------------------------------------------

    def _why_wrong(self, fault: str, play: Play | None) -> tuple[str, str]:
        """Which mistake it is, and why in a sentence or two."""
        cards = self.read.cards
        if fault == "R6.1":
            assert play is not None
            return "fewest", say.fewest(play.cards, play.expression, self.target)
        if fault == "R6.2":
            assert play is not None
            return "matching card", say.matching(play.cards[0], self.active)
        if fault == "R6.3":
            return "types", say.types_mixed(cards)
        if fault == "R6.5":
            return "wildcard", self._misuse()
        mistake, why = self._wrong_result()
        return mistake, f"{why} {say.other_way(play.expression, self.target)}" if play else why

    def _wrong_result(self) -> tuple[str, str]:
        """R6.4 and R6.10."""
        read, rules = self.read, self.rules
        if len(read.cards) == 1:
            return "does not cover", say.does_not_cover(read.cards[0], self.active)
        if len(read.cards) > rules.largest_calculation:
            return "too many cards", say.too_many_cards(len(read.cards), rules.largest_calculation)
        for sign in read.signs:
            if sign not in rules.operations:
                return "operation", say.operation(sign, rules.operations)
        # A step by 0, which has no value, is told as a step where it is one.
        if read.value != self.target and not (read.written and read.value is None and read.playable):
            return "result", say.result(read.written, read.value, self.target)
        if not read.playable:
            return "order", say.order(read.written, self.target)
        return "step", self._wrong_step()

    def _wrong_step(self) -> str:
        """The first step that the table of calculations would not take (R3.3)."""
        for before, sign, card, after in steps_of(self.read.cards, self.read.operations or ""):
            value = before.numerator if before.denominator == 1 else (before.numerator, before.denominator)
            if after is None or sign not in dict(steps_from(value, card, sign, self.rules.steps)):
                return say.step(before, sign, card, after, self.rules.steps)
        return say.result(self.read.written, self.read.value, self.target)

    def _misuse(self) -> str:
        """R6.5: which of the rules for wildcards is broken (R6.9)."""
        cards, first = self.read.cards, self.read.cards[0]
        types = attempt_codes(self.rules, self.read)[0]
        covered = self.deck.cards[self.state[ACTIVE]]
        if self.state[OPEN] >= 0:
            if first.is_wildcard and first.kind != "replay":
                return _(say.TWO_CHANGES)
            if len(cards) > 1:
                return _(say.REPLAY_ALONE) if first.kind == "replay" else say.single_on_open(self.active)
            if not engine.changes(self.packed, self.state[OPEN], types[0]):
                return say.wrong_type(self.active, first)
            return say.matching_follow_up(first, covered)
        if first.kind == "replay" or {card.kind for card in cards if card.is_wildcard} == {"replay"}:
            return _(say.REPLAY_ALONE)
        if not first.is_wildcard or len(cards) > 2:
            return _(say.WILDCARD_FIRST)
        if not engine.changes(self.packed, types[0], self.state[ACTIVE]):
            return say.wrong_type(first, covered)
        if cards[1].kind == "replay":
            return _(say.REPLAY_ALONE)
        if cards[1].is_wildcard:
            return _(say.TWO_CHANGES)
        if not engine.changes(self.packed, types[0], types[1]):
            return say.wrong_type(first, cards[1])
        return say.matching_follow_up(cards[1], covered)
