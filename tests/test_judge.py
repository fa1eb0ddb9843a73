"""The judge (R6): a verdict on any attempt, what becomes of its cards, and the sentences that say why."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations
from pathlib import Path
from random import Random

import naive
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_attempts import attempts, check_the_cards_laid, expected_fault, table_for
from test_plays import ACTIVES, HANDS, STROKES, evaluate, key_of, read, row_id, words_of
from test_session import act_at_random, in_play, table

from nambarz_sim import Card, Play, Rules, Session, Verdict, find_plays, judge
from nambarz_sim._numba import COMPILED
from nambarz_sim.engine import state as slots
from nambarz_sim.engine.plays import write_chain
from nambarz_sim.explanations import MISTAKES
from nambarz_sim.verdict import judge_at

SIGNS = "+-*/"
JUDGED = settings(
    deadline=None, max_examples=300 if COMPILED else 100, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
FAULT_OF_CLAUSE = {"R3.5": "R6.1", "R3.6": "R6.2", "R3.4": "R6.3", "R3.2": "R6.4", "R3.3": "R6.4", "R3.8": "R6.4"}
MISTAKES_OF_FAULT = {
    "R6.1": {"fewest"},
    "R6.2": {"matching card"},
    "R6.3": {"types"},
    "R6.4": {"does not cover", "too many cards", "operation", "step", "order", "result"},
    "R6.5": {"wildcard"},
    "": {"not in the hand", "unknown card", "drawn card", "second play", "no expression"},
}


def texts(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def check(verdict: Verdict, legal: bool, fault: str, laid: str, returned: str, penalty: int = 3) -> None:
    """The outcome; the cards laid in any order, since several may work."""
    assert (verdict.legal, verdict.fault) == (legal, fault), str(verdict)
    assert Counter(map(str, verdict.laid)) == Counter(laid.split())
    assert Counter(map(str, verdict.returned)) == Counter(returned.split())
    assert verdict.penalty == (penalty if fault else 0)
    check_words(verdict)


def check_words(verdict: Verdict) -> None:
    """What holds of every verdict: the fields agree, and the sentences can be read out."""
    assert verdict.legal == (verdict.mistake == "")
    assert verdict.legal or verdict.mistake in MISTAKES_OF_FAULT[verdict.fault]
    assert verdict.refused == (not verdict.legal and not verdict.fault)
    assert verdict.bonus == (verdict.play.bonus if verdict.play else 0)
    assert verdict.legal or verdict.bonus == 0
    assert verdict.laid == (verdict.play.cards if verdict.play else ())
    assert (verdict.position is not None) == (verdict.mistake in ("no expression", "unknown card"))
    text = verdict.explanation
    assert str(verdict) == text
    assert re.match(r"[A-Z0-9÷×+(-]", text), text
    assert text.endswith(".")
    assert not re.search(r"  | \.|\.\.|None|Fraction|\(R\d|\ba (8|11|18)\b", text), text
    sentences = re.split(r"(?<=\.) ", text)
    assert len(sentences) == len(set(sentences)), text


# --- the examples of the rulebooks ------------------------------------------------------------------------------------


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.10", "R3.2", "R3.3", "R3.4", "R3.5", "R3.6", "R3.8")
@pytest.mark.parametrize("row", read("calculations.csv"), ids=row_id)
def test_the_rulebooks_right_and_wrong_calculations(row):
    cards, rules = row["cards"].split(), Rules(operations=row["allowed"], steps=row["steps"])
    legal = row["legal"] == "yes"
    fault = "" if legal else FAULT_OF_CLAUSE[row["clause"]]
    laid = row["cards"] if legal else row["laid"]
    returned = " ".join((Counter(cards) - Counter(laid.split())).elements())
    if row["operations"] == "any":
        orders: set[bool] = set()
        for order in sorted(set(permutations(cards))):
            if len(orders) < 2:  # once both were seen, another order tells nothing
                orders.add(judge(list(order), cards, row["active"], rules).legal)
        assert orders == ({True, False} if legal else {False})
        return
    written = write_chain(cards, row["operations"])
    ascii_signs = written.translate(str.maketrans("×÷", "*/"))
    for text in (written, ascii_signs, ascii_signs.replace(" ", ""), f"{written} = {naive.number_of(row['active'])}"):
        check(judge(text, cards, row["active"], rules), legal, fault, laid, returned)
    verdict = judge(written, cards, row["active"], rules)
    assert verdict.bonus == (STROKES[str(len(cards))] if legal else 0)
    if legal or fault == "R6.4":
        check(judge(row["cards"], cards, row["active"], rules), *judged_without_signs(row, cards, rules))


def judged_without_signs(row: dict[str, str], cards: list[str], rules: Rules) -> tuple[bool, str, str, str]:
    found, laid, returned = naive.fault(cards, None, row["active"], rules.operations, rules.steps)
    return found is None, found or "", " ".join(laid), " ".join(returned)


@pytest.mark.clause("R3.1", "R6.10")
@pytest.mark.parametrize("row", read("matches.csv"), ids=row_id)
def test_which_single_cards_cover(row):
    verdict = judge(row["card"], row["card"], row["active"])
    if row["covers"] == "yes":
        check(verdict, True, "", row["card"], "")
        assert f"the same {row['by']}" in str(verdict)
    else:
        check(verdict, False, "R6.4", "", row["card"])
        assert verdict.mistake == "does not cover"


@pytest.mark.clause("R6.5", "R6.9", "R4.1", "R4.2", "R4.3", "R4.4")
@pytest.mark.parametrize("row", read("wildcards.csv"), ids=row_id)
def test_right_and_wrong_uses_of_wildcards(row):
    verdict = judge(row["cards"], row["cards"], row["active"])
    if row["legal"] == "yes":
        check(verdict, True, "", row["cards"], "")
    else:
        check(verdict, False, "R6.5", "", row["cards"])


# --- every mistake with its cards and its sentences -------------------------------------------------------------------

PENALTY = "You draw 3 cards as a penalty, and your turn is over."
ALL_BACK = f"All cards go back to your hand. {PENALTY}"
HAND = "10 8 7 6 5 5 4 2 7fish 5cat 8bee 8hippopotamus change-number change-picture change-any replay replay"
FAULTS = [
    # attempt, active, rules, mistake, laid, returned, explanation
    ("6+5+2-10", "3bee", {}, "fewest", "6 2", "5 10",
     f"6 and 2 alone make 3: 6 ÷ 2 = 3. Five and ten go back to your hand. {PENALTY}"),
    ("6+5+2-10=4", "3bee", {}, "fewest", "6 2", "5 10",
     "6 and 2 alone make 3: 6 ÷ 2 = 3. 6 + 5 + 2 - 10 makes 3, not 4 as written. "
     f"Five and ten go back to your hand. {PENALTY}"),
    ("5-2+10-10", "3", {"decks": 2}, "fewest", "5 2", "10 10",
     f"5 and 2 alone make 3: 5 - 2 = 3. Ten and ten go back to your hand. {PENALTY}"),
    ("8bee-5cat", "3bee", {}, "matching card", "8bee", "5cat",
     "8 bee has the same animal as 3 bee, so it must not be in a calculation; it is laid alone. "
     f"The 5 cat goes back to your hand. {PENALTY}"),
    ("6 5", "5cat", {}, "matching card", "5", "6",
     "5 has the same number as 5 cat, so it must not be in a calculation; it is laid alone. "
     f"The 6 goes back to your hand. {PENALTY}"),
    ("7fish-4", "3", {}, "types", "", "7fish 4",
     f"4 is a number card and 7 fish a picture card, but all cards of a calculation must be of one type. {ALL_BACK}"),
    ("5", "3", {}, "does not cover", "", "5",
     f"5 does not match 3: another number. The 5 goes back to your hand. {PENALTY}"),
    ("8bee", "3", {}, "does not cover", "", "8bee",
     f"8 bee does not match 3: another number. The 8 bee goes back to your hand. {PENALTY}"),
    ("8hippopotamus", "3bee", {}, "does not cover", "", "8hippopotamus",
     "8 hippopotamus does not match 3 bee: another number and another animal. "
     f"The 8 hippopotamus goes back to your hand. {PENALTY}"),
    ("5 replay", "3", {}, "does not cover", "", "5 replay", f"5 does not match 3: another number. {ALL_BACK}"),
    ("(10-4)/2", "3", {"max_cards": 2}, "too many cards", "", "10 4 2",
     f"3 cards are too many: a calculation may have at most 2 cards in this game. {ALL_BACK}"),
    ("6/2", "3", {"operations": "+-"}, "operation", "", "6 2",
     f"÷ is not allowed in this game, only + and -. {ALL_BACK}"),
    ("6/2", "3", {"operations": "+"}, "operation", "", "6 2", f"÷ is not allowed in this game, only +. {ALL_BACK}"),
    ("2*4", "6dragonfly", {"operations": "+-/"}, "operation", "2 4", "",
     "× is not allowed in this game, only +, - and ÷. "
     f"The same cards can make 6, and are laid so: 2 + 4 = 6. {PENALTY}"),
    ("2-7+8", "3", {}, "step", "8 7 2", "",
     "On the way stands 2 - 7 = -5, but results on the way must be whole and not below 0. "
     f"The same cards can make 3, and are laid so: 8 - 7 + 2 = 3. {PENALTY}"),
    ("6/10*5", "3", {"steps": "integer"}, "step", "6 5 10", "",
     "On the way stands 6 ÷ 10 = 3/5, but results on the way must be whole. "
     f"The same cards can make 3, and are laid so: 6 × 5 ÷ 10 = 3. {PENALTY}"),
    ("10-(5+2)", "3", {}, "order", "", "10 5 2",
     "10 - (5 + 2) is 3, but it cannot be laid left to right: each next card must be reckoned with the result so "
     f"far. {ALL_BACK}"),
    ("10-4", "3", {}, "result", "", "10 4", f"10 - 4 makes 6, not 3. {ALL_BACK}"),
    ("10-4=5", "3", {}, "result", "", "10 4", f"10 - 4 makes 6, not 3. {ALL_BACK}"),
    ("10-4/2", "3bee", {}, "result", "10 4 2", "",
     f"10 - 4 ÷ 2 makes 8, not 3. The same cards can make 3, and are laid so: (10 - 4) ÷ 2 = 3. {PENALTY}"),
    ("10-4/2=3", "3bee", {}, "result", "10 4 2", "",
     f"10 - 4 ÷ 2 makes 8, not 3. The same cards can make 3, and are laid so: (10 - 4) ÷ 2 = 3. {PENALTY}"),
    ("2 6", "3", {}, "result", "6 2", "",
     "No signs between these cards in this order make 3. "
     f"The same cards can make 3, and are laid so: 6 ÷ 2 = 3. {PENALTY}"),
    ("2/6", "3", {}, "result", "6 2", "",
     f"2 ÷ 6 makes 1/3, not 3. The same cards can make 3, and are laid so: 6 ÷ 2 = 3. {PENALTY}"),
    ("change-picture", "3", {}, "wildcard", "", "change-picture",
     "Change-picture goes with a picture card only, and 3 is a number card. "
     f"The change-picture goes back to your hand. {PENALTY}"),
    ("change-number 5cat", "3", {}, "wildcard", "", "change-number 5cat",
     f"Change-number goes with a number card only, and 5 cat is a picture card. {ALL_BACK}"),
    ("change-any 8bee", "3bee", {}, "wildcard", "", "change-any 8bee",
     f"8 bee has the same animal as the covered 3 bee, so it must not follow the wildcard. {ALL_BACK}"),
    ("change-any 5", "5cat", {}, "wildcard", "", "change-any 5",
     f"5 has the same number as the covered 5 cat, so it must not follow the wildcard. {ALL_BACK}"),
    ("change-any change-number", "3", {}, "wildcard", "", "change-any change-number",
     f"Two change wildcards must not follow one another. {ALL_BACK}"),
    ("change-any", "change-number", {}, "wildcard", "", "change-any",
     f"Two change wildcards must not follow one another. The change-any goes back to your hand. {PENALTY}"),
    ("5 change-any", "3", {}, "wildcard", "", "5 change-any",
     "A change wildcard is never part of a calculation: it is laid first, with at most one card on it. "
     f"{ALL_BACK}"),
    ("change-any 5 6 replay", "3", {}, "wildcard", "", "change-any 5 6 replay",
     "A change wildcard is never part of a calculation: it is laid first, with at most one card on it. "
     f"{ALL_BACK}"),
    ("replay 5", "3", {}, "wildcard", "", "replay 5", f"A replay wildcard is laid by itself. {ALL_BACK}"),
    ("5 + replay", "3", {}, "wildcard", "", "5 replay", f"A replay wildcard is laid by itself. {ALL_BACK}"),
    ("change-any + replay", "3", {}, "wildcard", "", "change-any replay",
     f"A replay wildcard is laid by itself. {ALL_BACK}"),
    ("replay 5", "change-any", {}, "wildcard", "", "replay 5", f"A replay wildcard is laid by itself. {ALL_BACK}"),
    ("10-4", "change-number", {}, "wildcard", "", "10 4",
     f"On the open change-number only a single number card may be laid, no calculation. {ALL_BACK}"),
    ("8bee 5cat", "change-any", {}, "wildcard", "", "8bee 5cat",
     f"On the open change-any only a single card may be laid, no calculation. {ALL_BACK}"),
    ("5cat", "change-number", {}, "wildcard", "", "5cat",
     "Change-number goes with a number card only, and 5 cat is a picture card. "
     f"The 5 cat goes back to your hand. {PENALTY}"),
]  # fmt: skip
NO_ATTEMPTS = [
    # attempt, hand, context, mistake, position, explanation
    ("7", "4 2", {}, "not in the hand", None, "7 is not in your hand. Use cards of your hand: 2 and 4."),
    ("4-4", "4 2", {}, "not in the hand", None, "4 is in your hand only once. Use cards of your hand: 2 and 4."),
    ("4 4 4", "4 4", {}, "not in the hand", None, "4 is in your hand only 2 times. Use cards of your hand: 4 and 4."),
    ("4 replay", "4", {}, "not in the hand", None, "Replay is not in your hand. Use cards of your hand: 4."),
    ("7bee", "7", {}, "unknown card", 0, "There is no card 7bee in this game. Use cards of your hand: 7."),
    ("7 + 11", "7", {}, "unknown card", 4, "There is no card 11 in this game. Use cards of your hand: 7."),
    ("7", "", {}, "not in the hand", None, "7 is not in your hand. You hold no card."),
    ("3", "3 6", {"drawn": "6"}, "drawn card", None,
     "After a draw a play must use the drawn card, 6: use it, or keep it."),
    ("3 replay", "3 replay", {"drawn": "replay"}, "drawn card", None,
     "After a draw a play must use the drawn card, replay: use it, or keep it."),
    ("3", "3 replay", {"played": True}, "second play", None,
     "You have made a play in this turn: now only a replay may follow, or end the turn."),
    ("3 replay", "3 replay", {"played": True}, "second play", None,
     "You have made a play in this turn: now only a replay may follow, or end the turn."),
    ("", "3", {}, "no expression", 0,
     "There is no card in it; write one or more cards of the hand, such as 10 4 2."),
    ("3 % 3", "3", {}, "no expression", 2,
     "This makes no sense from character 3 on: '%' is neither a card nor one of + - * / ( ) =; leave it out, or write "
     "one of these."),
    ("4 +", "4", {}, "no expression", 3,
     "This makes no sense from character 4 on: it stops too early; a card is missing at the end."),
]  # fmt: skip


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.7", "R6.8", "R6.9", "R6.10")
@pytest.mark.parametrize(
    ("tried", "active", "options", "mistake", "laid", "returned", "explanation"),
    FAULTS,
    ids=[f"{row[0]} on {row[1]}" for row in FAULTS],
)
def test_each_fault_is_told_with_its_cards(tried, active, options, mistake, laid, returned, explanation):
    verdict = judge(tried, HAND + " 10" * ("10-10" in tried), active, Rules(**options))
    fault = next(fault for fault, mistakes in MISTAKES_OF_FAULT.items() if mistake in mistakes)
    check(verdict, False, fault, laid, returned)
    assert verdict.mistake == mistake
    assert str(verdict) == explanation


@pytest.mark.clause("R6.10", "R2.4", "R5.1")
@pytest.mark.parametrize(("tried", "hand", "context", "mistake", "position", "explanation"), NO_ATTEMPTS)
def test_each_text_that_is_no_attempt_is_refused_without_a_penalty(
    tried, hand, context, mistake, position, explanation
):
    verdict = judge(tried, hand, "3", **context)
    check(verdict, False, "", "", "")
    assert verdict.refused
    assert (verdict.mistake, verdict.position, str(verdict)) == (mistake, position, explanation)
    assert (verdict.better, verdict.play) == (None, None)


def test_every_mistake_is_shown_here():
    assert {row[3] for row in FAULTS} | {row[3] for row in NO_ATTEMPTS} == set(MISTAKES)
    assert set.union(*MISTAKES_OF_FAULT.values()) == set(MISTAKES)


# --- why an attempt is right ------------------------------------------------------------------------------------------

LEGAL = [
    # attempt, active, context, kind, bonus, explanation
    ("5", "5cat", {}, "match", 0, "5 matches 5 cat: the same number, 5."),
    ("8bee", "3bee", {}, "match", 0, "8 bee matches 3 bee: the same animal, bee."),
    ("(5)", "5", {}, "match", 0, "5 matches 5: the same number, 5."),
    ("5", "change-number", {}, "match", 0,
     "Any number card may be laid on the open change-number, so 5 may."),
    ("8bee", "change-any", {}, "match", 0, "Any card may be laid on the open change-any, so 8 bee may."),
    ("6/2", "3", {}, "calculation", 0, "6 ÷ 2 = 3."),
    ("6/2=2", "3", {}, "calculation", 0, "6 ÷ 2 = 3. 6 ÷ 2 makes 3, not 2 as written."),
    ("6/2=12", "3", {}, "calculation", 0, "6 ÷ 2 = 3. 6 ÷ 2 makes 3, not 12 as written."),
    ("(10-4)/2=3", "3bee", {}, "calculation", 0, "10 - 4 = 6, 6 ÷ 2 = 3. No fewer of these cards make 3."),
    ("2 - 7 + 8", "3", {"rules": Rules(steps="integer", max_cards=4)}, "calculation", 0,
     "2 - 7 = -5, -5 + 8 = 3. No fewer of these cards make 3."),
    ("6/10*5", "3", {"rules": Rules(steps="rational", max_cards=4)}, "calculation", 0,
     "6 ÷ 10 = 3/5, 3/5 × 5 = 3. No fewer of these cards make 3."),
    ("2+(8-7)", "3", {}, "calculation", 0,
     "8 - 7 = 1, 1 + 2 = 3. It is laid in the order 8, 7, 2. No fewer of these cards make 3."),
    ("change-any", "3", {}, "change", 0,
     "Change-any covers 3 and lies open: the next player may lay any card on it."),
    ("change-picture", "3bee", {}, "change", 0,
     "Change-picture covers 3 bee and lies open: the next player may lay any picture card on it."),
    ("change-any 5cat", "3", {}, "change", 0, "Change-any covers 3, and 5 cat is the new active card."),
    ("replay", "3", {}, "replay", 0,
     "A replay laid without a play before it means: draw a card at once, and play it if you can."),
    ("replay", "change-any", {}, "replay", 0,
     "A replay laid without a play before it means: draw a card at once, and play it if you can."),
    ("replay", "3", {"played": True}, "replay", 0,
     "The replay gives you another turn on the card that was laid last."),
    ("5 replay", "5", {}, "match", 0,
     "5 matches 5: the same number, 5. The replay gives you another turn on the card that was laid last."),
    ("replay replay", "3", {}, "replay", 0,
     "A replay laid without a play before it means: draw a card at once, and play it if you can. "
     "The other replay stays in your hand."),
    ("replay replay", "3", {"played": True}, "replay", 0,
     "The replay gives you another turn on the card that was laid last. "
     "With the second replay you draw a card at once."),
]  # fmt: skip


@pytest.mark.clause("R3.1", "R3.2", "R3.3", "R4.3", "R5.1", "R5.2", "R5.4")
@pytest.mark.parametrize(
    ("tried", "active", "context", "kind", "bonus", "explanation"),
    LEGAL,
    ids=[f"{row[0]} on {row[1]}" for row in LEGAL],
)
def test_why_an_attempt_is_right(tried, active, context, kind, bonus, explanation):
    verdict = judge(tried, HAND, active, **context)
    assert verdict.legal, str(verdict)
    check_words(verdict)
    assert (verdict.play.kind, verdict.bonus, str(verdict)) == (kind, bonus, explanation)


@pytest.mark.clause("R8.3", "R6.7")
@pytest.mark.parametrize(
    ("written", "active", "bonus", "sentence"),
    [
        ("10+1+1-9", "3", 7, "Four cards are a master stroke: 7 extra points."),
        ("8+8-1-1-9", "5", 14, "Five cards are a master stroke: 14 extra points."),
        ("7-6+7-6+7-6", "3", 21, "Six cards are a master stroke: 21 extra points."),
    ],
)
def test_a_master_stroke_earns_its_bonus_and_a_faulty_one_none(written, active, bonus, sentence):
    hand = re.findall(r"\d+", written)
    verdict = judge(written, hand, active)
    assert (verdict.legal, verdict.bonus, verdict.better) == (True, bonus, None)
    assert str(verdict).endswith(sentence)
    wrong = judge("+".join(hand), hand, active)
    assert (wrong.fault, wrong.bonus, wrong.play.bonus, len(wrong.laid)) == ("R6.4", 0, 0, len(hand))
    assert (wrong.better.bonus, len(wrong.better.cards)) == (bonus, len(hand))
    assert "master stroke" not in str(wrong)


@pytest.mark.parametrize(
    ("tried", "hand", "active", "better"),
    [
        ("3", "3 10 4 2", "3", "(10 - 4) ÷ 2"),  # more cards
        ("(10-4)/2", "3 10 4 2", "3", None),
        ("6/2", "6 2 10 1 1 9", "3", "10 + 1 + 1 - 9"),  # more points
        ("5", "5 3", "3", "3"),  # anything is more than what goes back
        ("5", "5 2", "3", "5 - 2"),
        ("5", "5 9", "3", None),
        ("change-any", "change-any 5", "3", "change-any 5"),
        ("change-any 5", "change-any 5 4 1", "3", None),  # as many cards
        ("replay", "replay 6 2", "3", "6 ÷ 2"),
        ("replay", "replay 3", "3", None),  # as many cards
        ("9", "replay 9", "3", None),  # a replay is never the better play
        ("6+5+2-10", "6 5 2 10", "3", "6 × 5 ÷ 10"),
    ],
)
def test_the_better_play_brings_more_points_or_lays_more_cards(tried, hand, active, better):
    verdict = judge(tried, hand, active)
    check_words(verdict)
    assert (None if verdict.better is None else worth(verdict.better)) == (better and worth_of(better, hand, active))


def worth(play: Play) -> tuple[int, int]:
    return play.bonus, len(play.cards)


def worth_of(expression: str, hand: str, active: str) -> tuple[int, int]:
    found = judge(expression, hand, active)
    assert found.legal
    return worth(found.play)


@pytest.mark.clause("R2.4", "R5.1")
def test_the_better_play_is_one_of_the_situation():
    assert str(judge("3", "3 10 4 2", "3", drawn="3").better) == "None"
    assert str(judge("5-2", "5 2 4 1 3", "3", drawn="5").better) == "None"
    assert judge("2", "5 2 3", "3", drawn="2").better.cards == (Card.parse("5"), Card.parse("2"))
    assert judge("replay", "replay 3", "3", played=True).better is None


# --- against the plays listed and the naive reference -----------------------------------------------------------------


@pytest.mark.clause("R2.3", "R2.4", "R3.2", "R4.3", "R5.1", "R8.3")
@JUDGED
@given(HANDS, ACTIVES, st.booleans(), st.data())
def test_every_play_listed_is_judged_legal_in_every_spelling(hand, active, played, data):
    drawn = data.draw(st.sampled_from([*hand, None, None]), label="drawn")
    plays = find_plays(hand, active, drawn=drawn, played=played)
    for play in plays[:3] + plays[-2:]:
        for tried in spellings(play):
            verdict = judge(tried, hand, active, drawn=drawn, played=played)
            check_words(verdict)
            assert (verdict.legal, verdict.fault, verdict.returned) == (True, "", ()), (tried, str(verdict))
            assert (verdict.bonus, verdict.play.kind) == (play.bonus, play.kind)
            assert (verdict.better is not None) == (
                max((worth(one) for one in plays if one.kind != "replay"), default=(0, 0)) > worth(play)
            )
            assert verdict.better is None or verdict.better in plays
            assert verdict.laid == play.cards
            if play.kind == "calculation":
                assert evaluate(verdict.play.expression) == naive.number_of(active)
                assert re.findall(r"\w+", verdict.play.expression) == words_of(play)


def spellings(play: Play) -> list[str | list[Card]]:
    written = play.expression
    plain = written.translate(str.maketrans("×÷", "*/"))
    found = [written, texts(play.cards), list(play.cards), ", ".join(map(str, play.cards)).upper()]
    if play.kind == "calculation":
        found += [plain, plain.replace(" ", ""), f"[{plain}]", written.replace("×", " x ").replace("÷", ":")]
        found += [re.sub(r"(\d)([a-z])", r"\1-\2", written), re.sub(r"(\d)([a-z])", r"\1 \2", written)]
    return found


@pytest.mark.clause("R2.3", "R3.2", "R3.7", "R6.4")
@JUDGED
@given(HANDS, ACTIVES, st.booleans(), st.data())
def test_cards_are_legal_exactly_if_they_and_their_last_are_listed_and_their_order_works(hand, active, played, data):
    drawn = data.draw(st.sampled_from([*hand, None, None]), label="drawn")
    tried = data.draw(st.permutations(hand))[: data.draw(st.integers(1, 4))]
    listed = {key_of(play) for play in find_plays(hand, active, drawn=drawn, played=played)}
    sets = {(cards, last) for _, cards, last in listed}
    verdict = judge(tried, hand, active, drawn=drawn, played=played)
    check_words(verdict)
    announced = len(tried) > 1 and tried[-1] == "replay"
    laid = tried[:-1] if announced else tried
    key = (tuple(sorted(laid)), laid[-1])
    if verdict.legal:
        assert key in sets
        assert texts(verdict.laid).split() == laid
    elif key in sets:  # another order of them with the same last card works
        assert verdict.fault == "R6.4"
        assert Counter(map(str, verdict.laid)) == Counter(laid)
        orders = [[*order, laid[-1]] for order in permutations(laid[:-1])]
        assert any(judge(order, hand, active, drawn=drawn, played=played).legal for order in orders)
    elif verdict.laid:  # what is laid instead is a play; after a draw it need not use the drawn card
        assert tuple(sorted(map(str, verdict.laid))) in {cards for _, cards, _ in map(key_of, find_plays(hand, active))}


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.6", "R6.8", "R6.9", "R6.10")
@JUDGED
@given(attempts(), st.integers(0, 5), st.booleans())
def test_verdicts_are_those_of_the_naive_reference(case, penalty, announced):
    cards, signs, at = case
    plain = not set(cards) & naive.WILDCARDS
    if not plain:
        signs = None
    laid_out = table_for(cards, at, others="replay", penalty_cards=penalty)
    text = write_chain(cards, signs) if signs else " ".join(cards)
    expected, laid, returned = expected_fault(cards, signs, at)
    announced = announced and cards != ["replay"]
    before = laid_out.state[: laid_out.packed[slots.AT_SCRATCH]].copy()
    verdict = judge_at(laid_out.rules, laid_out.packed, laid_out.state, f"{text} replay" if announced else text)
    check_words(verdict)
    assert (verdict.fault, verdict.legal) == (expected or "", expected is None)
    assert verdict.penalty == (penalty if expected else 0)
    if expected:
        check_the_cards_laid(texts(verdict.laid).split(), laid, cards, at)
        assert Counter(map(str, verdict.returned)) == Counter([*returned, *["replay"] * announced])
    else:
        assert (texts(verdict.laid).split(), verdict.returned) == (cards, ())
    assert np.array_equal(laid_out.state[: laid_out.packed[slots.AT_SCRATCH]], before)


# --- other rules ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("R3.8", "R3.5")
def test_with_other_operations_other_cards_are_the_fewest():
    assert judge("2+7-6", "2 7 6", "3").fault == "R6.1"
    assert judge("2+7-6", "2 7 6", "3", Rules(operations="+-")).legal
    assert judge("6/2", "6 2", "3", Rules(operations="+-")).fault == "R6.4"


@pytest.mark.clause("R3.8")
def test_max_cards_limits_what_is_laid_and_not_what_counts_as_fewest():
    rules = Rules(max_cards=3)
    assert judge("(10-4)/2", "10 4 2", "3", rules).legal
    assert judge("6+5+2-10", "6 5 2 10", "3", rules).mistake == "too many cards"
    assert judge("6+5+2-10", "6 5 2 10", "3", Rules(max_cards=4)).mistake == "fewest"


@pytest.mark.clause("R6.6")
@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (0, "All cards go back to your hand. Your turn is over."),
        (1, "All cards go back to your hand. You draw 1 card as a penalty, and your turn is over."),
        (5, "All cards go back to your hand. You draw 5 cards as a penalty, and your turn is over."),
    ],
)
def test_the_penalty_is_that_of_the_rules(cards, sentence):
    verdict = judge("10-4", "10 4", "3", Rules(penalty_cards=cards))
    assert (verdict.fault, verdict.penalty) == ("R6.4", cards)
    assert str(verdict).endswith(sentence)


@pytest.fixture
def zoo(tmp_path: Path) -> Rules:
    """A deck of other animals and numbers, 0 and numbers of two digits among them."""
    rows = ["kind,number,animal,copies", "number,0,,2", "number,5,,2", "number,13,,3", "number,14,,2", "number,40,,2"]
    rows += ["picture,8,axolotl,2", "picture,11,ox,2", "picture,3,axolotl,2", "picture,18,ox,1", "number,2,,3"]
    rows += ["number,26,,1", "change-any,,,1"]
    path = tmp_path / "zoo.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return Rules(deck=str(path), players=2, hand_size=3, wildcards={"change-any": 1}, max_cards=4)


@pytest.mark.clause("R1.3", "R3.3")
@pytest.mark.parametrize(
    ("tried", "hand", "active", "fault", "explanation"),
    [
        ("13+13", "13 13", "26", "", "13 + 13 = 26."),
        ("11 ox - 8 axolotl", "11ox 8axolotl", "3axolotl", "R6.2",
         "8 axolotl has the same animal as 3 axolotl, so it must not be in a calculation; it is laid alone. "
         f"The 11 ox goes back to your hand. {PENALTY}"),
        ("18ox", "18ox", "11ox", "", "18 ox matches 11 ox: the same animal, ox."),
        ("8axolotl x 5", "8axolotl 5", "40", "R6.3",
         "5 is a number card and 8 axolotl a picture card, but all cards of a calculation must be of one type. "
         f"{ALL_BACK}"),
        ("0", "0", "5", "R6.4", f"0 does not match 5: another number. The 0 goes back to your hand. {PENALTY}"),
        ("40/0", "40 0", "5", "R6.4", f"On the way stands 40 ÷ 0, and nothing can be divided by 0. {ALL_BACK}"),
        ("40/(13-13)", "40 13 13", "5", "R6.4",
         f"40 ÷ (13 - 13) has no result: nothing can be divided by 0. {ALL_BACK}"),
        ("13 14", "13 14", "5", "R6.4", f"No signs between these cards in this order make 5. {ALL_BACK}"),
        ("13+13+14-0", "13 13 14 0", "40", "R6.1",
         f"13, 13 and 14 alone make 40: 13 + 13 + 14 = 40. The 0 goes back to your hand. {PENALTY}"),
        ("0-(5+13)", "0 5 13", "26", "R6.4", f"0 - (5 + 13) makes -18, not 26. {ALL_BACK}"),
        ("7", "5", "26", "", "There is no card 7 in this game. Use cards of your hand: 5."),
        ("change-any 13", "change-any 13", "26", "", "Change-any covers 26, and 13 is the new active card."),
    ],
)  # fmt: skip
def test_with_another_deck(zoo, tried, hand, active, fault, explanation):
    verdict = judge(tried, hand, active, zoo)
    check_words(verdict)
    assert (verdict.fault, str(verdict)) == (fault, explanation)


def test_many_cards_are_too_many_and_no_error():
    deck_of_ones = "1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 6 6 6 6"
    verdict = judge(deck_of_ones, deck_of_ones, "5")
    check(verdict, False, "R6.4", "", deck_of_ones)
    assert str(verdict).startswith("20 cards are too many: a calculation may have at most 12 cards in this game.")


# --- situations that cannot be ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("situation", "part"),
    [
        ({"hand": "3be"}, "'3be' is not known"),
        ({"hand": "3 3 3 3 3"}, "hand: 5 x 3, but the deck has 4; take some out"),
        ({"active": "seven"}, "'seven' is not known"),
        ({"active": "11"}, "'11' is not known"),
        ({"active": "replay"}, "active: a replay wildcard never becomes the active card"),
        ({"drawn": "7"}, "drawn: 7 is not in the hand; the hand must hold the drawn card"),
        ({"hand": "replay", "rules": Rules(wildcards=0)}, "hand: 1 x replay, but the deck has 0"),
    ],
)
def test_a_situation_that_cannot_be_is_an_error_and_no_verdict(situation, part):
    with pytest.raises(ValueError, match=r"\S") as caught:
        judge("3", **({"hand": "3", "active": "3"} | situation))
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


# --- at a table -------------------------------------------------------------------------------------------------------


def some_attempt(session: Session, choose: Random) -> tuple[str, str | None]:
    """Something to lay: a legal play, or some cards of the hand in a random form."""
    hand = list(map(str, session.hands[session.seat]))
    plays = session.plays
    if plays and choose.random() < 0.3:
        play = choose.choice(plays)
        tried = choose.choice([play.expression, texts(play.cards)])
    else:
        alike = [card for card in hand if card.isalpha() == hand[0].isalpha() and card.isdigit() == hand[0].isdigit()]
        pool = choose.choice([hand, alike])
        cards = choose.sample(pool, min(len(pool), choose.randint(1, 4)))
        signs = choose.choices(SIGNS, k=len(cards) - 1)
        form = choose.randrange(3)
        if form == 0 and cards[-1] != "replay":
            return " ".join(cards), "".join(signs)
        tried = write_chain(cards, signs) if form == 2 else " ".join(cards)
    return tried + choose.choice(["", " replay" if "replay" in hand else ""]), None


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.7", "R6.10")
@settings(parent=JUDGED, max_examples=60 if COMPILED else 15)
@given(st.integers(0, 2**32), st.integers(2, 4), st.integers(0, 4))
def test_a_verdict_is_what_the_attempt_then_does_and_changes_nothing(seed, players, penalty):
    choose = Random(seed)
    session = Session(Rules(players=players, penalty_cards=penalty, turn_limit=60), seed=seed, seats="you")
    for _ in range(25):
        if session.over:
            return
        if choose.random() < 0.3 or not session.hands[session.seat]:
            act_at_random(session, choose)
            continue
        tried, signs = some_attempt(session, choose)
        before, told = in_play(session).copy(), len(session.log)
        verdict = session.judge(tried, signs)
        assert np.array_equal(in_play(session), before)
        assert len(session.log) == told
        check_words(verdict)
        assert verdict == session.judge(tried, signs)
        assert session.can_attempt(tried, signs) != verdict.refused
        if verdict.refused:
            with pytest.raises(ValueError, match=re.escape(verdict.explanation)):
                session.attempt(tried, signs)
            assert np.array_equal(in_play(session), before)
            continue
        check_event(session, verdict, tried, signs)


def check_event(session: Session, verdict: Verdict, tried: str, signs: str | None) -> None:
    seat = session.seat
    event = session.attempt(tried, signs)
    assert (event.seat, event.fault, event.cards, event.bonus) == (seat, verdict.fault, verdict.laid, verdict.bonus)
    assert event.returned == verdict.returned
    if verdict.legal:
        assert (event.act, event.expression) == (verdict.play.kind, verdict.play.expression)
    else:
        assert len(event.drawn) <= verdict.penalty


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.7")
@pytest.mark.parametrize(("tried", "active", "options"), [row[:3] for row in FAULTS if "change" not in row[1]])
def test_each_fault_comes_to_the_same_at_a_table(tried, active, options):
    hand = HAND + " 10" * ("10-10" in tried)
    session = table(hand, "3 9", active=active, **options)
    verdict = session.judge(tried)
    assert verdict == judge(tried, hand, active, Rules(**options))
    check_event(session, verdict, tried, None)
    assert len(session.log[-1].drawn) == 3


@pytest.mark.clause("R4.3", "R6.9")
def test_on_the_own_open_wildcard_a_matching_card_is_a_fault():
    session = table("change-any replay 8bee 3 5", "3 9", active="3bee")
    session.play("change-any")
    session.play("replay")
    for tried, shared in (("8bee", "animal"), ("3", "number")):
        verdict = session.judge(tried)
        check(verdict, False, "R6.5", "", tried)
        assert f"has the same {shared} as the covered 3 bee, so it must not follow the wildcard." in str(verdict)
    assert session.judge("5").legal


@pytest.mark.clause("R5.1", "R6.10")
def test_signs_given_apart_are_judged_as_if_written_between_the_cards():
    session = table("10 4 2 7 9", "3 9", active="3")
    for signs in ("-/", "++", "/-"):
        assert session.judge("10 4 2", signs) == session.judge(write_chain(["10", "4", "2"], signs))
    assert session.judge(session.hands[0][1:3], "/").mistake == "result"
    with pytest.raises(ValueError, match=r"operations: '-' does not fit 10 - 4, which has its own signs; leave it out"):
        session.judge("10-4", "-")
    with pytest.raises(ValueError, match=r"operations: '-' does not fit 3 cards; give 2 signs of \+ - \* /"):
        session.judge("10 4 2", "-")


def test_after_the_end_there_is_nothing_to_judge():
    session = table("3", "3 9", active="3")
    session.play("3")
    with pytest.raises(ValueError, match="the game is over"):
        session.judge("3")
