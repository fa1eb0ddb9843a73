"""Attempts, right and wrong (R6): the kernels' verdicts against a naive reference, and every fault by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import naive
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from test_engine import ARITHMETIC, Table, lay_out

from nambarz_sim._numba import COMPILED, compiled
from nambarz_sim.cards import WILDCARDS, Deck
from nambarz_sim.engine import kernel as turns
from nambarz_sim.engine import state as slots
from nambarz_sim.rules import Rules
from nambarz_sim.session import Session

kernel = compiled(turns)

ATTEMPTS = settings(
    deadline=None, max_examples=600 if COMPILED else 300, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
SIGNS = "+-*/"
DECK = Deck.load("nambarz")
ALL_CARDS = [str(card) for card, copies in zip(DECK.cards, DECK.copies, strict=True) for _ in range(copies)]
ORDINARY = sorted(set(ALL_CARDS) - set(WILDCARDS))
OF_TYPE = {
    kind: [card for card in ALL_CARDS if card not in WILDCARDS and naive.type_of(card) == kind]
    for kind in ("number", "picture")
}


def in_kernel_form(table: Table, cards: str, signs: str | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Card types, operation codes (0 where any will do, written ``?``) and room for the cards laid."""
    types = np.array(table.types(cards), dtype=np.int64)
    codes = np.zeros(len(types), dtype=np.int64)
    if signs:
        codes[: len(signs)] = [("?" + SIGNS).index(sign) for sign in signs]
    return types, codes, np.full(len(types), -1, dtype=np.int64)


def judge(table: Table, cards: str, signs: str | None = None) -> tuple[str, str]:
    """The clause of the fault, if any, and the cards that are laid."""
    types, codes, laid = in_kernel_form(table, cards, signs)
    fault, count = kernel.judge_attempt(table.packed, table.state, types, codes, len(types), laid)
    return slots.FAULTS[fault], table.text(laid[:count])


def attempt(table: Table, cards: str, signs: str | None = None) -> tuple[str, str]:
    """The same, and make the attempt."""
    types, codes, laid = in_kernel_form(table, cards, signs)
    play = np.zeros(slots.PLAY_WIDTH, dtype=np.int64)
    fault, count = kernel.apply_attempt(table.packed, table.state, types, codes, len(types), laid, play)
    return slots.FAULTS[fault], table.text(laid[:count])


# --- against the naive reference ---------------------------------------------------------------------------------------


def some_of(cards: list[str], least: int, most: int) -> st.SearchStrategy[list[str]]:
    """Different cards of the deck, in any order."""
    places = st.lists(st.integers(0, len(cards) - 1), min_size=least, max_size=most, unique=True)
    return places.map(lambda chosen: [cards[place] for place in chosen])


@st.composite
def settings_of_a_table(draw) -> dict:
    """An active card, perhaps an open wildcard on it that was laid in this turn or before, and the arithmetic."""
    operations, steps, max_cards = draw(st.sampled_from(ARITHMETIC))
    active = draw(st.sampled_from(ORDINARY))
    fitting = [wildcard for wildcard, types in naive.CHANGE_TYPES.items() if naive.type_of(active) in types]
    return {
        "active": active,
        "open_wildcard": draw(st.sampled_from(["", "", "", *fitting])),
        "banned": draw(st.booleans()),
        "operations": operations,
        "steps": steps,
        "max_cards": max_cards,
    }


@st.composite
def attempts(draw) -> tuple[list[str], str | None, dict]:
    """Cards, signs and a table: anything at all, or a calculation whose chain often makes the active number."""
    at = draw(settings_of_a_table())
    style = draw(st.sampled_from(["anything", "calculation", "calculation", "right result", "right result"]))
    if style == "anything":
        cards = draw(some_of([*ORDINARY, *WILDCARDS], 1, 4) | some_of(ALL_CARDS, 1, 4))
    else:
        kind = draw(st.sampled_from(["number", "picture"]))
        cards = draw(some_of(OF_TYPE[kind], 2, 5))
    if len(cards) > 1 and cards[-1] == "replay":
        cards.reverse()  # at the end it would be an announced replay, which is the session's to tell apart
        assume(cards[-1] != "replay")
    signs = draw(st.none() | st.text(SIGNS, min_size=len(cards) - 1, max_size=len(cards) - 1))
    if style == "right result":
        makes = worked_out([naive.number_of(card) for card in cards], signs or "+" * (len(cards) - 1))
        targets = [card for card in ORDINARY if naive.number_of(card) == makes]
        if targets:
            at |= {"active": draw(st.sampled_from(targets)), "open_wildcard": ""}
    return cards, signs, at


def worked_out(numbers: list[int], signs: str) -> Fraction | None:
    result: Fraction | None = Fraction(numbers[0])
    for sign, number in zip(signs, numbers[1:], strict=True):
        result = None if result is None else naive.apply_step(result, sign, number, "rational")
    return result


def table_for(cards: list[str], at: dict, others: str = "9 10", **options) -> Table:
    arithmetic = {name: at[name] for name in ("operations", "steps", "max_cards")}
    hands = [" ".join(cards) + " " + others, "9", "9"]
    table = lay_out(hands, at["active"], at["open_wildcard"], **arithmetic, **options)
    table.state[slots.BANNED] = int(at["banned"])
    return table


def expected_fault(cards: list[str], signs: str | None, at: dict) -> naive.Outcome:
    banned = at["active"] if at["banned"] and at["open_wildcard"] else None
    active = at["open_wildcard"] or at["active"]
    return naive.fault(cards, signs, active, at["operations"], at["steps"], at["max_cards"], banned)


def check_the_cards_laid(laid: list[str], expected: list[str], cards: list[str], at: dict) -> None:
    """The same cards; in the player's order if that works, else in any that does (R6.8)."""
    assert Counter(laid) == Counter(expected)
    places = next(
        places for places in combinations(range(len(cards)), len(laid)) if sorted(pick(cards, places)) == sorted(laid)
    )
    in_players_order = pick(cards, places)
    if len(laid) < 2 or makes_active(in_players_order, at):
        assert laid == in_players_order
    else:
        assert makes_active(laid, at)


def pick(cards: list[str], places: tuple[int, ...]) -> list[str]:
    return [cards[place] for place in places]


def makes_active(cards: list[str], at: dict) -> bool:
    numbers = [naive.number_of(card) for card in cards]
    return naive.number_of(at["active"]) in naive.values(numbers, at["operations"], at["steps"])


@pytest.mark.clause("R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.6", "R6.8", "R6.9", "R6.10")
@ATTEMPTS
@given(attempts())
def test_faults_are_those_of_the_naive_reference(case):
    cards, signs, at = case
    table = table_for(cards, at)
    before = table.state[: table.packed[slots.AT_SCRATCH]].copy()
    fault, laid = judge(table, " ".join(cards), signs)
    expected, expected_laid, _ = expected_fault(cards, signs, at)
    assert fault == (expected or "")
    if fault:
        check_the_cards_laid(laid.split(), expected_laid, cards, at)
    else:
        assert laid.split() == cards
    assert np.array_equal(table.state[: table.packed[slots.AT_SCRATCH]], before)


@pytest.mark.clause("R6.4", "R6.10")
@ATTEMPTS
@given(attempts(), st.data())
def test_where_any_sign_will_do_an_attempt_is_right_if_some_signs_are(case, data):
    cards, _, at = case
    assume(2 <= len(cards) <= 4)
    signs = data.draw(st.text("?" + SIGNS, min_size=len(cards) - 1, max_size=len(cards) - 1))
    filled = product(*(SIGNS if sign == "?" else sign for sign in signs))
    faults = {expected_fault(cards, "".join(each), at)[0] or "" for each in filled}
    fault, _ = judge(table_for(cards, at), " ".join(cards), signs)
    assert fault == (min(faults - {"R6.4"}) if faults != {"R6.4"} else "R6.4")


def available(table: Table, laid: list[str]) -> int:
    """How many cards can be drawn once these are laid: the pile, and the discards but those that must stay (R2.5)."""
    staying = 0 if laid else 1 + (table.open_wildcard is not None)
    return len(table.pile_types) + len(table.discard_types) - staying


@pytest.mark.clause("R6.6", "R6.7", "R8.3", "R2.5")
@ATTEMPTS
@given(attempts(), st.integers(0, 4), st.integers(0, 4), st.sampled_from(["", "6", "6 replay 7fish"]), st.booleans())
def test_a_fault_lays_or_returns_the_cards_then_draws_the_penalty_and_ends_the_turn(case, penalty, pile, under, more):
    cards, signs, at = case
    others = "9 10 replay" if more else ""
    table = table_for(cards, at, others, penalty_cards=penalty, pile="1 " * pile, under=under)
    table.parts.tally[0, slots.BONUS] = 14
    expected, expected_laid, _ = expected_fault(cards, signs, at)
    assume(expected is not None)
    before, drawn = Counter(table.hand(0).split()), min(penalty, available(table, expected_laid))
    held, all_cards = sum(before.values()), every_card(table)
    fault, laid = attempt(table, " ".join(cards), signs)
    after = Counter(table.hand(0).split())
    assert fault == expected
    check_the_cards_laid(laid.split(), expected_laid, cards, at)
    assert sum(after.values()) == held - len(laid.split()) + drawn
    assert not before - Counter(laid.split()) - after  # all that was not laid is back
    assert every_card(table) == all_cards
    assert table.active == (laid.split() or [at["active"]])[-1]
    assert (table.open_wildcard or "") == ("" if laid else at["open_wildcard"])
    assert not laid or table.discards.endswith(laid)
    tally = table.parts.tally[0]
    assert (tally[slots.PENALTIES], tally[slots.BONUS], tally[slots.CARDS_DRAWN]) == (1, 14, drawn)
    assert table.by_seat(slots.PLACES) == [int(not after), 0, 0]
    assert (table[slots.SEAT], table[slots.TURNS], table[slots.PHASE]) == (1, 2, slots.PHASE_FRESH)


def every_card(table: Table) -> Counter:
    hands = " ".join(table.hand(seat) for seat in range(table.rules.players))
    return Counter(f"{hands} {table.pile} {table.discards}".split())


@pytest.mark.clause("R2.3", "R8.3")
@ATTEMPTS
@given(settings_of_a_table(), some_of(ALL_CARDS, 3, 9), st.integers(0, 2**20))
def test_every_legal_play_is_a_right_attempt_and_comes_to_the_same(at, cards, choice):
    tried, played = table_for(cards, at, "replay"), table_for(cards, at, "replay")
    count = len(played.list_plays())
    row = choice % count
    laid = tried.text(played.laid_by(row))
    assert attempt(tried, laid) == ("", laid)
    played.step(row)
    assert np.array_equal(tried.parts.public, played.parts.public)
    assert np.array_equal(tried.parts.hands, played.parts.hands)
    assert np.array_equal(tried.parts.tally, played.parts.tally)
    assert tried.discards == played.discards


# --- the faults by hand ------------------------------------------------------------------------------------------------


@pytest.mark.clause("R6.1", "R6.8")
def test_not_the_fewest_cards_lays_the_smallest_selection_laid_earliest():
    table = lay_out(["6 5 2 10 9", "9"], pile="1 1 4 7")
    assert attempt(table, "6 5 2 10", "++-") == ("R6.1", "6 2")  # 6 / 2 = 3, and 5 - 2 = 3 was laid later
    assert (table.hand(0), table.active, table.discards) == ("1 1 4 5 9 10", "2", "3 6 2")
    assert (table[slots.SEAT], table.pile) == (1, "7")


@pytest.mark.clause("R6.1", "R6.8")
def test_the_smallest_selection_is_laid_in_another_order_if_the_players_does_not_work():
    assert judge(lay_out(["2 7 6", "9"]), "2 7 6", "+-") == ("R6.1", "6 2")
    assert judge(lay_out(["2 7 6", "9"], operations="+-"), "2 7 6", "+-") == ("", "2 7 6")


@pytest.mark.clause("R6.1", "R3.8")
def test_a_limit_on_the_cards_does_not_make_more_cards_the_fewest():
    assert judge(lay_out(["6 5 2 10", "9"], max_cards=4), "6 5 2 10", "++-") == ("R6.1", "6 2")


@pytest.mark.clause("R6.2", "R6.8")
@pytest.mark.parametrize(
    ("cards", "signs", "active", "laid"),
    [
        ("3 5 5", "+-", "3", "3"),
        ("5 3 5", "-+", "3bee", "3"),
        ("8bee 5cat", "-", "3bee", "8bee"),  # the same animal
        ("5cat 8bee 3hippopotamus", "+-", "3bee", "8bee"),  # of two the one laid first
        ("5cat 3hippopotamus 8bee", "+-", "3bee", "3hippopotamus"),
    ],
)
def test_a_matching_card_used_is_laid_by_itself(cards, signs, active, laid):
    table = lay_out([cards, "9"], active=active, pile="1 1 1 1")
    assert attempt(table, cards, signs) == ("R6.2", laid)
    rest = Counter(cards.split()) - Counter([laid])
    assert Counter(table.hand(0).split()) == rest + Counter({"1": 3})
    assert (table.active, table[slots.SEAT], table.tally(slots.MATCHES)) == (laid, 1, [1, 0])


@pytest.mark.clause("R6.2", "R3.6")
def test_on_a_number_card_an_animal_does_not_match():
    assert judge(lay_out(["8bee 5cat", "9"], active="3"), "8bee 5cat", "-") == ("", "8bee 5cat")


@pytest.mark.clause("R6.3")
def test_types_mixed_go_back_and_the_turn_is_over():
    table = lay_out(["10 7fish", "9"], pile="1 1 1 1")
    assert attempt(table, "10 7fish", "-") == ("R6.3", "")
    assert (table.hand(0), table.active, table[slots.SEAT]) == ("1 1 1 10 7fish", "3", 1)


@pytest.mark.clause("R6.4")
def test_a_wrong_result_goes_back_and_the_turn_is_over():
    table = lay_out(["10 2", "9"], pile="1 1 1 1")
    assert attempt(table, "10 2", "-") == ("R6.4", "")
    assert (table.hand(0), table.active, table[slots.SEAT]) == ("1 1 1 2 10", "3", 1)


@pytest.mark.clause("R6.4", "R6.8")
@pytest.mark.parametrize(
    ("cards", "signs", "laid"),
    [
        ("10 4 2", "+-", "10 4 2"),  # (10 - 4) / 2
        ("4 10 2", "+-", "10 4 2"),  # the only order: 2 must be last, and 4 - 10 is no whole number from 0
        ("6 5 2 10", "+++", ""),  # they can make 3, but 6 / 2 does too
        ("10 2 6", "+-", ""),  # not in any way: 10 - 6 - 2 is 2
    ],
)
def test_a_wrong_result_is_put_right_if_the_same_cards_make_the_number_in_a_legal_way(cards, signs, laid):
    table = lay_out([f"{cards} 9", "9"], pile="1 1 1 1")
    assert attempt(table, cards, signs) == ("R6.4", laid)
    assert Counter(table.hand(0).split()) == Counter(f"{cards} 9 1 1 1".split()) - Counter(laid.split())
    assert (table[slots.SEAT], table.active) == (1, "2" if laid else "3")


@pytest.mark.clause("R6.5", "R6.9", "R4.1", "R4.2", "R4.4")
@pytest.mark.parametrize(
    ("cards", "active", "open_wildcard"),
    [
        ("change-number", "3bee", ""),  # the wrong type
        ("change-picture", "3", ""),
        ("change-any", "3", "change-number"),  # directly after another
        ("change-number 5", "3", "change-any"),
        ("change-number 5bear", "3", ""),  # a follower of the wrong type
        ("change-picture 8bee", "3bee", ""),  # a follower that matches
        ("change-any 3", "3bee", ""),
        ("change-any 5 6", "3", ""),  # two followers
        ("change-any change-number", "3", ""),
        ("5 change-any", "3", ""),  # the wildcard on top
        ("replay 3", "3", ""),
        ("5 2", "3", "change-number"),  # a calculation on an open wildcard
        ("5bear", "3", "change-number"),  # the wrong type on it
    ],
)
def test_a_misused_wildcard_goes_back_with_all_cards_and_the_turn_is_over(cards, active, open_wildcard):
    table = lay_out([f"{cards} 9", "9"], active, open_wildcard, pile="1 1 1 1")
    assert attempt(table, cards) == ("R6.5", "")
    assert Counter(table.hand(0).split()) == Counter(f"{cards} 9 1 1 1".split())
    assert (table.active, table.open_wildcard, table[slots.SEAT]) == (active, open_wildcard or None, 1)


@pytest.mark.clause("R6.9", "R4.3")
def test_on_the_own_open_wildcard_a_matching_card_is_a_fault_and_on_anothers_it_is_none():
    table = lay_out(["change-any replay 8bee 3 5", "3 9"], active="3bee")
    table.play("change-any")
    table.play("replay")
    assert judge(table, "8bee") == judge(table, "3") == ("R6.5", "")
    assert judge(table, "5") == ("", "5")
    table.pass_turn()
    assert judge(table, "3") == ("", "3")


@pytest.mark.clause("R6.5", "R5.2")
def test_a_replay_alone_is_never_misused():
    assert judge(lay_out(["replay", "9"]), "replay") == ("", "replay")
    assert judge(lay_out(["replay", "9"], open_wildcard="change-any"), "replay") == ("", "replay")


@pytest.mark.clause("R6.6")
@pytest.mark.parametrize(
    ("cards", "signs", "fault"),
    [
        ("change-any 8bee 5", "++", "R6.5"),  # also mixed types and a match
        ("5cat 3", "+", "R6.3"),  # also a match and a wrong result
        ("8bee 6turtle", "+", "R6.2"),  # also a wrong result
        ("6 5 2 10", "+++", "R6.4"),  # also not the fewest cards
        ("6 5 2 10", "++-", "R6.1"),
    ],
)
def test_faults_are_looked_for_in_their_order_and_one_attempt_costs_one_penalty(cards, signs, fault):
    table = lay_out([f"{cards} 9", "9"], active="3bee", pile="1 1 1 1 1 1 1 1")
    assert attempt(table, cards, signs)[0] == fault
    assert table.tally(slots.PENALTIES) == [1, 0]
    assert table[slots.PILE_LEFT] == 5


@pytest.mark.clause("R6.6", "R2.5")
def test_of_the_penalty_as_many_cards_are_drawn_as_there_are():
    table = lay_out(["10 2", "9"], pile="1")
    attempt(table, "10 2", "-")
    assert (table.hand(0), table[slots.SEAT]) == ("1 2 10", 1)
    table = lay_out(["10 2", "9"], pile="1", under="4 4")
    attempt(table, "10 2", "-")
    assert (table.hand(0), table.pile, table.discards) == ("1 2 4 4 10", "", "3")


@pytest.mark.clause("R6.6", "R2.5")
def test_the_cards_laid_by_a_fault_are_not_drawn_back_and_the_card_that_they_covered_may_be():
    table = lay_out(["6 5 2 10", "9"])
    assert attempt(table, "6 5 2 10", "++-") == ("R6.1", "6 2")
    assert (table.hand(0), table.discards, table[slots.PILE_LEFT]) == ("3 5 10", "6 2", 0)


@pytest.mark.clause("R6.6", "R7.1")
def test_it_is_seen_after_the_penalty_whether_the_hand_is_empty():
    drawn = lay_out(["10 4 2", "9", "9"], pile="1 1 1 1")
    assert attempt(drawn, "10 4 2", "+-") == ("R6.4", "10 4 2")
    assert (drawn.hand(0), drawn.by_seat(slots.PLACES)) == ("1 1 1", [0, 0, 0])
    covered = lay_out(["10 4 2", "9", "9"])
    attempt(covered, "10 4 2", "+-")
    assert (covered.hand(0), covered.by_seat(slots.PLACES)) == ("3", [0, 0, 0])  # the covered card is drawn
    without = lay_out(["10 4 2", "9", "9"], pile="1 1 1 1", penalty_cards=0)
    attempt(without, "10 4 2", "+-")
    assert (without.hand(0), without.by_seat(slots.PLACES)) == ("", [1, 0, 0])
    ends = lay_out(["10 4 2", "9"], pile="1 1 1 1", penalty_cards=0)
    attempt(ends, "10 4 2", "+-")
    assert ends[slots.ENDED] == slots.ENDED_FINISHED


@pytest.mark.clause("R6.7")
def test_after_a_penalty_no_replay_follows_and_earlier_plays_and_strokes_stand():
    table = lay_out(["8 9 7 7 replay replay 10 2", "9"], pile="1 1 1 1")
    table.play("8 9 7 7")
    table.play("replay")
    assert attempt(table, "10 2", "-") == ("R6.4", "")  # 8 on a 7
    assert (sorted(table.discards.split()), table.active) == (["3", "7", "7", "8", "9", "replay"], "7")
    assert (table.hand(0), table[slots.SEAT]) == ("1 1 1 2 10 replay", 1)
    assert table.tally(slots.BONUS) == [7, 0]


@pytest.mark.clause("R6.7", "R8.3")
def test_an_attempt_that_is_put_right_earns_no_bonus():
    table = lay_out(["8 9 7 7 replay 1", "9"], pile="1 1 1 1")
    assert attempt(table, "8 9 7 7", "+++") == ("R6.4", "8 9 7 7")
    assert (table.tally(slots.BONUS), table.tally(slots.CALCULATIONS)) == ([0, 0], [1, 0])
    assert table[slots.SEAT] == 1
    right = lay_out(["8 9 7 7 replay 1", "9"], pile="1 1 1 1")
    assert attempt(right, "8 9 7 7", "+--") == ("", "8 9 7 7")
    assert (right.tally(slots.BONUS), right[slots.SEAT]) == ([7, 0], 0)


@pytest.mark.clause("R6.7")
def test_an_announced_replay_goes_back_after_a_fault():
    session, cards = session_with_a_replay()
    turns, discards = session.observation.turns, session.observation.discards
    event = session.attempt(f"{cards} replay")
    assert event.fault == "R6.3"
    assert event.seat == 0
    assert (session.seat, session.observation.turns, session.observation.discards) == (1, turns + 1, discards)
    assert not Counter([*cards.split(), "replay"]) - Counter(map(str, session.hands[0]))
    assert len(session.hands[0]) == 7 + 3


def session_with_a_replay() -> tuple[Session, str]:
    """A game whose first player holds a replay, a number card and a picture card; these two."""
    for seed in range(100):
        session = Session(Rules(players=3), seed=seed, seats="you")
        kinds = {card.kind: str(card) for card in session.hands[0]}
        if {"number", "picture", "replay"} <= set(kinds):
            return session, f"{kinds['number']} {kinds['picture']}"
    raise AssertionError("no deal of a hundred gives the first player such a hand")


@pytest.mark.clause("R6.10")
@pytest.mark.parametrize(
    ("cards", "signs", "active", "options", "laid"),
    [
        ("5", None, "3", {}, ""),  # a single card that does not cover
        ("8bee", None, "3", {}, ""),  # its animal does not lie there
        ("6 2", "/", "3", {"operations": "+-"}, ""),  # an operation not allowed
        ("1 2", "*", "3", {"operations": "+-"}, "1 2"),  # 1 + 2
        ("2 7 8", "-+", "3", {}, "2 7 8"),  # a step below 0; 2 + 8 - 7 is another way
        ("10 6 3", "/*", "5", {}, "10 3 6"),  # 10 / 6 is no whole number; 10 * 3 / 6 is another way
        ("10 4 2", "-/", "3", {"max_cards": 2}, ""),  # more cards than may be laid
    ],
)
def test_what_else_is_a_wrong_result(cards, signs, active, options, laid):
    fault, put_right = judge(lay_out([cards, "9"], active, **options), cards, signs)
    assert (fault, sorted(put_right.split())) == ("R6.4", sorted(laid.split()))


@pytest.mark.clause("R6.10", "R3.3")
def test_steps_that_the_rules_allow_are_no_fault():
    assert judge(lay_out(["2 7 8", "9"], steps="integer"), "2 7 8", "-+") == ("", "2 7 8")
    assert judge(lay_out(["10 6 3", "9"], "5", steps="rational"), "10 6 3", "/*") == ("", "10 6 3")
    assert judge(lay_out(["10 6 3", "9"], "5", steps="integer"), "10 6 3", "/*")[0] == "R6.4"


@pytest.mark.clause("R6.10")
def test_the_cards_are_worked_left_to_right_whatever_school_precedence_says():
    assert judge(lay_out(["10 4 2", "9"], active="8"), "10 4 2", "-/") == ("R6.4", "")  # not 10 - 4 / 2 = 8
    assert judge(lay_out(["10 4 2", "9"], active="3"), "10 4 2", "-/") == ("", "10 4 2")


@pytest.mark.clause("R6.10")
def test_cards_not_in_the_hand_and_plays_without_the_drawn_card_are_refused_and_change_nothing():
    session = Session(Rules(players=3), seed=5, seats="you")
    missing = next(card for card in ORDINARY if card not in map(str, session.hands[0]))
    before = (session.observation, session.hands, len(session.log))
    for no_attempt in (missing, "", "elephant"):
        with pytest.raises(ValueError, match="card"):
            session.attempt(no_attempt)
    assert (session.observation, session.hands, len(session.log)) == before
    session.draw()
    before = (session.observation, session.hands, len(session.log))
    other = next(card for card in session.hands[0] if card != session.drawn)
    with pytest.raises(ValueError, match="drawn"):
        session.attempt([other])
    assert (session.observation, session.hands, len(session.log)) == before
