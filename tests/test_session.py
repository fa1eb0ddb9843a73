"""A game move by move: what a person may do and when, attempts, what is told, and that batches' games come out the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_golden import GOLDEN, lay_out

from nambarz_sim import Card, Observation, Play, Rules, Session, simulate
from nambarz_sim._numba import COMPILED
from nambarz_sim.engine import state as slots
from nambarz_sim.events import Event

Act = Callable[[Session], object]
GAMES = settings(
    deadline=None, max_examples=40 if COMPILED else 10, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)


def table(*hands: str, active: str, pile: str = "...", seats: object = "you", **options: object) -> Session:
    """A game laid out by hand; the first card of the pile is drawn first."""
    session = Session(Rules(players=len(hands), **options), seats=seats)  # type: ignore[arg-type]
    lay_out(session, {"active": active, "pile": pile, **{f"hand {seat}": hand for seat, hand in enumerate(hands)}})
    return session


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def snapshot(session: Session) -> tuple[list[int], list[Event]]:
    """Everything that an act could change."""
    return session._state.tolist(), list(session.log)


def in_play(session: Session) -> np.ndarray:
    """The state without the kernels' scratch."""
    return session._state[: session._packed[slots.AT_SCRATCH]]


def assert_refused(session: Session, act: Act, match: str) -> None:
    """One ValueError with the text, and nothing is changed by it."""
    before = snapshot(session)
    with pytest.raises(ValueError, match=match) as caught:
        act(session)
    assert "\n" not in str(caught.value)
    assert snapshot(session) == before


# --- when which act is allowed ----------------------------------------------------------------------------------------


def fresh() -> Session:
    return table("3bee replay 10 4 2 7", "5 6", active="3", pile="5 6 8 ...")


def drawn() -> Session:
    """Seat 0 has drawn a 5."""
    session = fresh()
    session.draw()
    return session


def played() -> Session:
    """Seat 0 has laid 3bee, and a replay could follow."""
    session = fresh()
    session.play("3bee")
    return session


def others_turn() -> Session:
    session = table("3bee 5", "5 6 replay", active="3", seats=["you", "greedy"])
    session.play("3bee")
    return session


def over() -> Session:
    session = table("3bee", "5 6", active="3")
    session.play("3bee")
    return session


SITUATIONS = {"fresh": fresh, "drawn": drawn, "played": played, "others_turn": others_turn, "over": over}
ALLOWED = {
    "fresh": {"play 3bee", "play 10 4 2", "draw", "lay_replay", "attempt 7", "attempt 3bee replay", "attempt replay"},
    "drawn": {"keep", "attempt 5 2"},
    "played": {"end_turn", "lay_replay", "attempt replay"},
    "others_turn": set(),
    "over": set(),
}
ACTS = sorted(set.union(*ALLOWED.values()))


@pytest.mark.clause("R2.3", "R2.4", "R5.1")
@pytest.mark.parametrize("words", ACTS)
@pytest.mark.parametrize("situation", SITUATIONS)
def test_verify_can_and_act_agree(situation, words):
    name, *text = words.split(" ", 1)
    session = SITUATIONS[situation]()
    allowed = words in ALLOWED[situation]
    before = snapshot(session)
    assert getattr(session, f"can_{name}")(*text) is allowed
    assert snapshot(session) == before
    if not allowed:
        assert_refused(session, lambda game: getattr(game, f"verify_{name}")(*text), r"\w")
        assert_refused(session, lambda game: getattr(game, name)(*text), r"\w")
        return
    getattr(session, f"verify_{name}")(*text)
    assert snapshot(session) == before
    event = getattr(session, name)(*text)
    assert isinstance(event, Event)
    assert event in session.log[len(before[1]) :]
    assert event.seat == 0


REFUSED = [
    (others_turn, lambda game: game.play("5"), r"turn of seat 1, played by greedy; call advance\(\) first"),
    (others_turn, lambda game: game.attempt("5"), r"turn of seat 1, played by greedy"),
    (others_turn, lambda game: game.draw(), r"turn of seat 1, played by greedy"),
    (over, lambda game: game.play("5"), r"the game is over; start another Session"),
    (over, lambda game: game.attempt("5"), r"the game is over"),
    (over, lambda game: game.draw(), r"the game is over"),
    (over, lambda game: game.step(), r"the game is over"),
    (fresh, lambda game: game.step(), r"step: it is the turn of seat 0, a person's"),
    (fresh, lambda game: game.play("7"), r"play: 7 is not legal on 3 now; take one of the \d+ in plays"),
    (fresh, lambda game: game.play("4 2 10"), r"play: 4 2 10 is not legal on 3 now"),
    (fresh, lambda game: game.play(Play("match", cards("3"), "3")), r"play: 3 is not legal on 3 now"),
    (fresh, lambda game: game.play("seven"), r"card: 'seven' is not known"),
    (fresh, lambda game: game.keep(), r"keep: only after drawing a card; now play, draw, or lay a replay"),
    (fresh, lambda game: game.end_turn(), r"end_turn: only after a play"),
    (drawn, lambda game: game.play("3bee"), r"play: 3bee is not legal on 3 now; take one of the 1 in plays"),
    (drawn, lambda game: game.draw(), r"draw: only at the start of a turn; now play 5 or keep it"),
    (played, lambda game: game.play("10 4 2"), r"play: 10 4 2 is not legal on 3bee now"),
    (played, lambda game: game.draw(), r"draw: only at the start of a turn; now lay a replay or end the turn"),
]


@pytest.mark.clause("R2.3", "R2.4", "R5.1")
@pytest.mark.parametrize(("situation", "act", "match"), REFUSED)
def test_acts_refused(situation, act, match):
    assert_refused(situation(), act, match)


NO_ATTEMPTS = [
    (fresh, ("9",), r"attempt: 9 is not in your hand\. Use cards of your hand: 2, 4, 7, 10, 3 bee and replay\."),
    (fresh, ("2 2",), r"attempt: 2 is in your hand only once"),
    (fresh, ("3bee replay replay",), r"attempt: Replay is in your hand only once"),
    (fresh, ("",), r"attempt: There is no card in it; write one or more"),
    (fresh, ([],), r"attempt: There is no card in it"),
    (fresh, ("10-",), r"attempt: This makes no sense from character 4 on"),
    (fresh, ("10-4", "-"), r"operations: '-' does not fit"),
    (fresh, ("11",), r"attempt: There is no card 11 in this game\. Use cards of your hand"),
    (fresh, ("10 4 2", "-"), r"operations: '-' does not fit 3 cards; give 2 signs of \+ - \* /"),
    (fresh, ("10 4 2", "-/+"), r"operations: '-/\+' does not fit 3 cards"),
    (fresh, ("10 4 2", "-^"), r"operations: '-\^' does not fit 3 cards"),
    (fresh, ("10 4 replay", "--"), r"operations: '--' does not fit 2 cards; give 1 sign of"),
    (fresh, ("7", "+"), r"operations: '\+' does not fit 1 card; give 0 signs"),
    (drawn, ("3bee",), r"After a draw a play must use the drawn card, 5: use it, or keep it"),
    (drawn, ("replay",), r"After a draw a play must use the drawn card, 5"),
    (played, ("10 4 2",), r"You have made a play in this turn: now only a replay may follow"),
]


@pytest.mark.clause("R6.10", "R2.4", "R5.1")
@pytest.mark.parametrize(("situation", "arguments", "match"), NO_ATTEMPTS)
def test_what_is_no_attempt_costs_nothing(situation, arguments, match):
    session = situation()
    assert not session.can_attempt(*arguments)
    assert_refused(session, lambda game: game.verify_attempt(*arguments), match)
    assert_refused(session, lambda game: game.attempt(*arguments), match)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"seed": -1}, r"seed: -1 is not allowed; give a whole number from 0"),
        ({"seed": True}, r"seed: True is not allowed"),
        ({"seed": 1.0}, r"seed: 1\.0 is not allowed"),
        ({"game": 2**63}, r"game: \d+ is not allowed"),
        ({"seats": ["you", "greedy"]}, r"strategies: 2 are given for 4 players"),
        ({"seats": "gredy"}, r"strategy: 'gredy' is not known.* Did you mean 'greedy'"),
    ],
)
def test_a_session_that_cannot_be(arguments, match):
    with pytest.raises(ValueError, match=match):
        Session(**arguments)


def test_seats():
    def first(observation: Observation, plays: list[Play]) -> Play:
        return plays[0]

    assert Session().seats == ("you", "greedy", "greedy", "greedy")
    assert Session(Rules(players=2), seats="you").seats == ("you", "you")
    assert Session(Rules(players=2), seats=[first, "random"]).seats == ("first", "random")


def test_a_person_waits_for_the_others():
    session = Session(Rules(players=3), seed=4, seats=["greedy", "you", "random"])
    while not session.over:
        told = len(session.log)
        assert session.advance() == session.log[told:]
        assert session.over or session.seat == 1
        if session.over:
            break
        act_at_random(session, Random(0))
    assert session.plays == []
    assert session.log[-1].act == "game"


def test_what_can_be_seen():
    session = drawn()
    assert session.active == Card.parse("3")
    assert session.drawn == Card.parse("5")
    assert session.hands == (cards("2 4 5 7 10 3bee replay"), cards("5 6"))
    assert session.observation.hand == session.hands[0]
    assert session.observation.card_counts == (7, 2)
    session.keep()
    assert session.drawn is None
    assert session.seat == 1


@pytest.mark.clause("R4.3")
def test_an_open_wildcard_is_the_card_to_cover():
    session = table("change-any 5", "5 6", active="3")
    event = session.play("change-any")
    assert session.active == event.active == Card("change-any")
    assert session.observation.active == Card.parse("3")


@pytest.mark.clause("R3.7")
def test_a_play_by_its_cards_in_any_order_but_the_last():
    for text in ("10 4 2", "4 10 2"):
        session = fresh()
        assert session.play(text).expression == "(10 - 4) ÷ 2"
        assert session.active == Card.parse("2")
    session = fresh()
    assert session.play(session.plays[0]) == session.log[-1]


# --- attempts ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("R5.1")
def test_an_announced_replay_is_laid_after_a_legal_attempt():
    session = fresh()
    event = session.attempt("10 4 2 replay", "-/")
    assert (event.act, event.cards, event.fault) == ("calculation", cards("10 4 2"), "")
    assert [told.act for told in session.log[-2:]] == ["calculation", "replay"]
    assert (session.seat, session.active, session.hands[0]) == (0, Card.parse("2"), cards("7 3bee"))
    assert session.can_draw()


@pytest.mark.clause("R6.7")
@pytest.mark.parametrize(
    ("tried", "fault", "laid", "returned"),
    [
        ("10 4 replay", "R6.4", "", "10 4 replay"),
        ("10 3bee replay", "R6.3", "", "10 3bee replay"),
        ("7 replay", "R6.4", "", "7 replay"),
        ("change-picture replay", "R6.5", "", "change-picture replay"),
        ("3 4 replay", "R6.2", "3", "4 replay"),
        ("6 5 2 10 replay", "R6.1", "6 2", "5 10 replay"),
    ],
)
def test_an_announced_replay_goes_back_after_a_fault(tried, fault, laid, returned):
    hand = "3 3bee replay 10 4 2 7 6 5 change-picture"
    session = table(hand, "5 6", active="3", pile="8 9 9 ...")
    event = session.attempt(tried)
    assert (event.act, event.fault) == ("fault", fault)
    assert (event.cards, sorted(event.returned)) == (cards(laid), sorted(cards(returned)))
    assert event.drawn == cards("8 9 9")
    kept = Counter(cards(hand)) - Counter(event.cards) + Counter(event.drawn)
    assert Counter(session.hands[0]) == kept
    assert session.seat == 1
    assert event.held == len(session.hands[0])


@pytest.mark.clause("R5.1", "R5.4")
def test_a_replay_announced_after_a_replay():
    """After a play two replays: the first gives another turn, the second, without a play in it, obliges to draw."""
    session = table("3bee replay replay 5", "5 6", active="3", pile="8 ...")
    session.play("3bee")
    session.attempt("replay replay")
    assert [event.act for event in session.log[-4:]] == ["match", "replay", "replay", "draw"]
    assert (session.seat, session.drawn) == (0, Card.parse("8"))


@pytest.mark.clause("R5.2", "R5.3")
def test_an_announced_replay_is_never_laid_for_the_next_seat():
    """With nothing to draw the first replay ends the turn; the second one can only stay in the hand."""
    session = table("replay replay 5", "replay 6", active="3", pile="", deck=str(GOLDEN / "three_cards.csv"),
                    wildcards={"replay": 3}, hand_size=1)  # fmt: skip
    session.attempt("replay replay")
    assert session.hands[1] == cards("6 replay")
    assert {event.seat for event in session.log if event.act == "replay"} == {0}


@pytest.mark.clause("R6.10")
def test_operations_not_allowed_are_faults_and_no_errors():
    session = table("9 3 5", "5 6", active="3", operations="+-")
    assert session.can_attempt("9 3", "/")
    assert session.attempt("9 5", "/").fault == "R6.4"


@pytest.mark.clause("R3.2")
@pytest.mark.parametrize("signs", ["-/", "− ÷", "-, :"])
def test_operations_as_they_are_written(signs):
    assert fresh().attempt("10 4 2", signs).expression == "(10 - 4) ÷ 2"


def value(expression: str) -> Fraction:
    """What a calculation makes as school works it."""
    numbers = re.sub(r"(\d+)[a-z]*", r"Fraction(\1)", expression)
    return Fraction(eval(numbers.replace("×", "*").replace("÷", "/"), {"Fraction": Fraction}))


@pytest.mark.clause("R3.2")
def test_an_attempt_is_told_as_it_was_laid():
    """Laid in another order than that of the table of calculations, with the player's own operations."""
    session = table("8 1 8 1 9 4", "5 6", active="5")
    event = session.attempt("8 1 8 1 9", "-+--")
    assert (event.fault, event.bonus, event.cards) == ("", 14, cards("8 1 8 1 9"))
    assert value(event.expression) == 5
    assert event.expression == "8 - 1 + 8 - 1 - 9"


@pytest.mark.clause("R3.2", "R3.7")
@pytest.mark.parametrize(
    ("hand", "active"),
    [("8 1 8 1 9", "5"), ("3 2 2 2", "9"), ("7fish 5cat 1turtle", "3"), ("2 9 10", "3"), ("10 4 2", "3")],
)
def test_every_order_of_a_calculation_is_told_truly(hand, active):
    legal = 0
    for order in sorted(set(permutations(cards(hand)))):
        session = table(f"{hand} 8", "5 6", active=active)
        event = session.attempt(order)
        if not event.fault:
            legal += 1
            assert event.cards == order
            assert value(event.expression) == Card.parse(active).number
    assert legal


@pytest.mark.clause("R2.5")
@pytest.mark.parametrize(("pile", "new"), [("", 5), ("7", 5), ("7 7", 5)])
def test_a_pile_made_new_during_a_penalty_is_counted_right(pile, new):
    """Five discards are the new pile, however many of the three penalty cards came from the old one."""
    rules = Rules(players=2, hand_size=1, wildcards=0, deck=str(GOLDEN / "twelve_cards.csv"))
    session = Session(rules, seats="you")
    sevens = pile.count("7")
    hands = {"hand 0": "1 2", "hand 1": f"6 4{' 7' * (2 - sevens)}"}
    lay_out(session, {**hands, "active": "5", "pile": pile, "discards": "8 8 9 9 10"})
    event = session.attempt("1 2", "+")
    assert event.fault == "R6.4"
    told = next(told for told in session.log if told.act == "recycle")
    assert event.pile == new - (3 - sevens)
    assert f"a new draw pile of {new} cards" in told.text


@pytest.mark.clause("R6.7", "R6.10")
@pytest.mark.parametrize("seed", range(6))
def test_a_legal_attempt_is_the_play(seed):
    rules = Rules(players=3, hand_size=5, rounds=2)
    one, other = (Session(rules, seed=seed, seats="you") for _ in range(2))
    choose = Random(seed)
    while not one.over:
        plays = one.plays
        if plays and choose.random() < 0.8:
            play = choose.choice(plays)
            assert one.play(play) == other.attempt(play.cards)
        else:
            act_at_random(one, choose, plays=False)
            repeat(other, one.log[len(other.log) :])
        assert one.log == other.log
        assert (in_play(one) == in_play(other)).all()
    assert other.over


def repeat(session: Session, events: list[Event]) -> None:
    """Do what the first of these events tells."""
    {"draw": session.draw, "keep": session.keep, "end turn": session.end_turn, "recycle": session.draw}[events[0].act]()


# --- what is told -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("R9.3")
def test_others_hands_and_drawn_cards_are_hidden():
    session = table("5 2fish 9", "6 1turtle", active="3", pile="7 8 8 10bear ...")
    session.attempt("5 2fish")
    session.draw()
    hand, _, fault, draw = (event for event in session.log if event.drawn)
    assert hand.seen_by(0).text == "seat 0 (you) has 5 9 2fish"
    assert hand.seen_by(1).text == "seat 0 (you) has 3 cards"
    assert fault.seen_by(1).text.endswith("5 2fish go back; as a penalty draws 3 cards")
    assert fault.seen_by(1).returned == cards("5 2fish")
    assert draw.seen_by(1).text == "seat 1 (you) draws 10bear"
    assert draw.seen_by(0).text == "seat 1 (you) draws 1 card"


@pytest.mark.parametrize("seed", range(4))
def test_no_event_shows_a_hidden_card(seed):
    session = played_at_random(Rules(players=3, hand_size=4, rounds=2), Random(seed), seed)
    for event in session.log:
        for seat in (-1, 0, 1, 2):
            seen = event.seen_by(seat)
            if not event.drawn or seat == event.seat:
                assert seen == event
                continue
            assert seen.drawn == ()
            hidden = {str(card) for card in event.drawn} - {str(card) for card in (*event.cards, *event.returned)}
            words = re.sub(r"(seat|draws|has) \d+( cards?\b)?|\(R6\.\d\)", "", seen.text)
            assert not hidden & set(re.findall(r"[\w-]+", words))
            assert (seen.cards, seen.returned, seen.held) == (event.cards, event.returned, event.held)


def assert_well_told(session: Session) -> None:
    """Every event has its text, its time and its seat; rounds and their scores are complete."""
    assert all(event.text == str(event) and event.text.strip() for event in session.log)
    times = [(event.round, event.turn) for event in session.log]
    assert times == sorted(times)
    assert all(0 <= later[0] - sooner[0] <= 1 for sooner, later in pairwise(times))
    rounds = [event for event in session.log if event.act == "round"]
    assert [event.round for event in rounds] == list(range(1, len(rounds) + 1))
    for event in rounds:
        places = sorted(place for place in event.places if place)
        assert places == list(range(1, len(places) + 1))
    assert [event.act for event in session.log].count("game") == session.over
    for event in session.log:
        if event.act == "calculation":
            assert event.expression in event.text
            assert value(event.expression) == int(re.search(r" = (\d+)", event.text)[1])


# --- games of people at random ----------------------------------------------------------------------------------------


def act_at_random(session: Session, choose: Random, plays: bool = True) -> None:
    """Any legal act of the person whose turn it is."""
    acts: list[Callable[[], Event]] = []
    for name in ("draw", "keep", "end_turn"):
        if getattr(session, f"can_{name}")():
            acts.append(getattr(session, name))
    legal = session.plays if plays else []
    if legal and choose.random() < 0.8:
        session.play(choose.choice(legal))
    else:
        choose.choice(acts)()


def attempt_at_random(session: Session, choose: Random) -> None:
    """Some cards of the hand with or without operations; refused attempts change nothing."""
    hand = list(session.hands[session.seat])
    if not hand:
        return
    tried = choose.sample(hand, min(len(hand), choose.randint(1, 4)))
    signs = None if choose.random() < 0.5 else "".join(choose.choices("+-*/", k=len(tried) - 1))
    if not session.can_attempt(tried, signs):
        assert_refused(session, lambda game: game.attempt(tried, signs), r"\w")
        return
    seat, told = session.seat, len(session.log)
    event = session.attempt(tried, signs)
    assert event.seat == seat
    assert bool(event.fault) == (event.act == "fault")
    assert all(other.seat in (-1, seat) for other in session.log[told:] if other.act != "hand")
    if event.fault:
        given_back = Counter(event.cards) + Counter(event.returned)
        assert given_back == Counter(tried)
        assert len(event.drawn) <= session.rules.penalty_cards
        assert event.bonus == 0


def assert_all_cards_there(session: Session) -> None:
    parts, state = slots.view(session._packed, session._state), session._state
    pile = parts.pile[state[slots.PILE_AT] : state[slots.PILE_AT] + state[slots.PILE_LEFT]]
    lying = parts.discards[: state[slots.DISCARDS]]
    counts = parts.hands.sum(axis=0) + np.bincount([*pile, *lying], minlength=parts.hands.shape[1])
    assert counts.tolist() == list(session.rules.copies)
    held = state[slots.HELD : slots.HELD + session.rules.players]
    assert held.tolist() == parts.hands.sum(axis=1).tolist()


def played_at_random(rules: Rules, choose: Random, seed: int) -> Session:
    session = Session(rules, seed=seed, seats="you")
    while not session.over:
        if choose.random() < 0.3:
            attempt_at_random(session, choose)
        else:
            act_at_random(session, choose)
        assert_all_cards_there(session)
    return session


SOME_RULES = [
    Rules(players=2, hand_size=3, rounds=2, turn_limit=40),
    Rules(players=3, hand_size=4, recycle="flip", turn_limit=40),
    Rules(players=4, hand_size=3, team_sizes=(2, 2), operations="+-", turn_limit=40, penalty_cards=1),
    Rules(players=6, hand_size=2, steps="rational", turn_limit=40, unfinished_bonus=True),
    Rules(players=3, hand_size=2, deck=str(GOLDEN / "eight_cards.csv"), wildcards=8, turn_limit=40),
    Rules(players=2, hand_size=2, deck=str(GOLDEN / "six_cards.csv"), wildcards={"replay": 6}, turn_limit=40),
]


@pytest.mark.clause("R6.6", "R6.10", "R7.1", "R8.1", "R9.1")
@GAMES
@given(rules=st.sampled_from(SOME_RULES), seed=st.integers(0, 2**63 - 1))
def test_people_at_random_keep_the_cards_and_end_the_game(rules, seed):
    session = played_at_random(rules, Random(seed), seed)
    assert_well_told(session)
    last = session.log[-1]
    assert last.act == "game"
    regular = [event for event in session.log if event.act == "round" and event.round <= rules.rounds]
    totals = [0] * len(last.points)
    for event in regular:
        for seat, points in enumerate(event.points):
            totals[rules.teams[seat]] += points
    assert list(last.points) == totals


# --- the games of batches ---------------------------------------------------------------------------------------------


def fewest_cards(observation: Observation, plays: list[Play]) -> Play | None:
    """A plain Python strategy: short plays, and now and then none."""
    if observation.turns % 7 == 0:
        return None
    return min(plays, key=lambda play: (len(play.cards), play.expression))


BATCHES = [
    (Rules(), "greedy"),
    (Rules(players=3, wildcards="top-level", rounds=3), "random"),
    (
        Rules(players=4, team_sizes=(2, 2), hand_size=2, rounds=2, play_off="all"),
        ["greedy", "master", "thrifty", "random"],
    ),
    (Rules(players=2, hand_size=1, rounds=2), "greedy"),
    (Rules(players=6, hand_size=3, unfinished_bonus=True, recycle="flip", decks=2), "matcher"),
    (Rules(players=3, hand_size=3, operations="+-", turn_limit=9), ["greedy", fewest_cards, "random"]),
]


@pytest.mark.clause("R8.1", "R8.2", "R8.4", "R9.1", "R9.2", "R9.3")
@pytest.mark.parametrize(("rules", "strategies"), BATCHES)
def test_a_session_repeats_a_batch(rules, strategies):
    results = simulate(rules, games=12, seed=3, strategies=strategies, workers=1, progress=False)
    for game in range(12):
        session = Session(rules, seed=3, seats=strategies, game=game)
        session.advance()
        assert_well_told(session)
        compare_with_tables(session, results, game)


def compare_with_tables(session: Session, results, game: int) -> None:
    told = [event for event in session.log if event.act == "round"]
    rounds = results.rounds[results.rounds.game == game]
    assert len(told) == len(rounds)
    for event, row in zip(told, rounds.itertuples(), strict=True):
        assert event.turn == row.turns
        assert f"({row.ended})" in event.text
        players = results.players[(results.players.game == game) & (results.players["round"] == row.round)]
        seats = {line.seat: (line.place, line.points) for line in players.itertuples()}
        assert seats == {seat: (place, event.points[seat]) for seat, place in enumerate(event.places) if place}
        strokes = Counter()
        for other in session.log:
            if other.round == event.round and other.bonus:
                strokes[other.seat] += other.bonus
        if len(seats) <= 5 or session.rules.unfinished_bonus:
            assert {line.seat: line.bonus for line in players.itertuples() if line.bonus} == strokes
    row, last = results.games[results.games.game == game].iloc[0], session.log[-1]
    assert last.points == tuple(row[f"total_{party}"] for party in range(len(last.points)))
    assert last.places == tuple(row[f"place_{party}"] for party in range(len(last.places)))
    assert ("tie for the first place" in last.text) == row.tied
