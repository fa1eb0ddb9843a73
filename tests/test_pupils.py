"""Pupils who err: what they may be, what they see, each error and how often it comes, and that batches tell it all."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import pairwise, permutations
from multiprocessing import get_context

import naive
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats
from test_strategies import position

from nambarz_sim import Observation, Play, Pupil, Results, Rules, Session, find_plays, kernel, simulate
from nambarz_sim._numba import COMPILED
from nambarz_sim.analysis.estimates import ratio_estimate
from nambarz_sim.engine.state import (
    CHANGE,
    DISCARDS,
    PHASE,
    PHASE_PLAYED,
    PILE_AT,
    PILE_LEFT,
    PLAY_KIND,
    PLAY_NEXT,
    PLAY_SIZE,
    view,
)
from nambarz_sim.events import Event
from nambarz_sim.simulation.records import FAULT_NAMES
from nambarz_sim.strategies import STRATEGIES, erring
from nambarz_sim.strategies.names import SCORES
from nambarz_sim.strategies.pupil import CHANCES, pupils_at

TABLES = ("games", "rounds", "players")
FAULT_OF = {
    "forget_fewest": "R6.1", "forget_matching": "R6.2", "slip": "R6.4", "misuse_wildcard": "R6.5",
}  # fmt: skip
"""The error of each chance, by the clause of its fault."""
COLUMN_OF = {f"R6.{place + 1}": name for place, name in enumerate(FAULT_NAMES)}
CLASS = Pupil.preset("year-4")
MIXED = [CLASS, "greedy", Pupil.preset("year-2", strategy="random"), Pupil(strategy="thrifty", slip=0.3)]
VARIED = Rules(players=4, rounds=2, play_off="all")
RULES = {
    "usual": Rules(),
    "two": Rules(players=2, wildcards=0),
    "many wildcards": Rules(players=3, wildcards=60),
    "teams that see": Rules(players=4, team_sizes=(2, 2), teammates_see_hands=True, rounds=2),
    "plus and minus": Rules(players=3, operations="+-"),
    "fractions, two decks": Rules(players=5, decks=2, steps="rational"),
    "at most three cards": Rules(players=4, max_cards=3),
}
GAMES = settings(
    deadline=None, max_examples=25 if COMPILED else 6, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)


def play(strategies: object, games: int = 40, rules: Rules | None = None, **more: object) -> Results:
    return simulate(rules or Rules(), games, 5, strategies, progress=False, **more)  # type: ignore[arg-type]


def same(one: Results, other: Results, names: bool = True) -> None:
    for table in TABLES:
        left, right = getattr(one, table), getattr(other, table)
        if not names and table == "players":
            left, right = left.drop(columns="strategy"), right.drop(columns="strategy")
        pd.testing.assert_frame_equal(left, right)


def faults(results: Results) -> dict[str, int]:
    return {name: int(count) for name, count in results.players[list(FAULT_NAMES)].sum().items()}


def first_play(observation: Observation, plays: list[Play]) -> Play | None:
    """A user's strategy in plain Python."""
    return plays[0] if plays and not observation.played else None


@kernel(cache=False)
def few_cards(seen, play, stream):  # type: ignore[no-untyped-def]
    """A user's scoring function."""
    return 20.0 - play[PLAY_SIZE] - (5.0 if play[PLAY_KIND] == CHANGE else 0.0)


# --- what a pupil may be ---------------------------------------------------------------------------------------------


def test_a_pupil_without_arguments_errs_nowhere() -> None:
    assert Pupil() == Pupil("greedy", "+-*/", 12, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert Pupil().name == "pupil:greedy"


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("value", [-0.1, 1.5, float("nan"), float("inf"), "0.1", True, None, 1j])
def test_chances_outside_0_to_1_are_refused(chance: str, value: object) -> None:
    with pytest.raises(
        ValueError, match=rf"{chance}: .* is not allowed; give a chance from 0 \(never\) to 1"
    ) as caught:
        Pupil(**{chance: value})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("chance", CHANCES)
@pytest.mark.parametrize("value", [0, 1, 0.25, np.float32(0.5)])
def test_chances_may_be_any_real_number_between(chance: str, value: float) -> None:
    kept = getattr(Pupil(**{chance: value}), chance)
    assert kept == value
    assert type(kept) is float


WRONG = {
    "operations": (Pupil, {"operations": "+^"}, r"operations: '\+\^' is not allowed"),
    "no operations": (Pupil, {"operations": ""}, "give one or more of"),
    "most cards": (Pupil, {"most_cards": 13}, "most_cards: 13 is not allowed; give a whole number from 1 to 12"),
    "no cards": (Pupil, {"most_cards": 0}, "most_cards: 0 is not allowed"),
    "half a card": (Pupil, {"most_cards": 2.5}, "most_cards: 2.5 is not allowed"),
    "strategy": (Pupil, {"strategy": "gredy"}, "strategy of a pupil: 'gredy' is not known; .* Did you mean 'greedy'"),
    "a pupil in a pupil": (Pupil, {"strategy": CLASS}, "strategy of a pupil: "),
    "a list": (Pupil, {"strategy": ["greedy"]}, "strategy of a pupil: "),
    "preset": (Pupil.preset, {"name": "year-7"}, "preset of a pupil: 'year-7' is not known; known are year-1, year-2"),
    "option": (Pupil.preset, {"name": "year-1", "slips": 1}, "option of a pupil: 'slips' .* Did you mean 'slip'"),
    "word": (Pupil.parse, {"text": "year-3 slip"}, "option of a pupil: 'slip' has no value; write it like slip=0.2"),
    "text": (Pupil.parse, {"text": "year-3 slip=often"}, "slip: 'often' is not a number"),
    "unknown word": (Pupil.parse, {"text": "year-3 slipp=1"}, "option of a pupil: 'slipp' .* Did you mean 'slip'"),
    "strategy word": (Pupil.parse, {"text": "year-3:best"}, "strategy of a pupil: 'best' is not known"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_pupils_are_refused_in_one_sentence(case: str) -> None:
    make, arguments, text = WRONG[case]
    with pytest.raises(ValueError, match=text) as caught:
        make(**arguments)
    assert "\n" not in str(caught.value)


def test_unknown_strategies_list_the_pupils_too() -> None:
    with pytest.raises(ValueError, match=r"known are random, .*, year-1, .* Did you mean 'year-1'"):
        play("yeer-1")


def test_operations_are_read_as_those_of_the_rules() -> None:
    assert Pupil(operations="÷ + −").operations == "+-/"


def test_presets_are_the_six_school_years_and_grow() -> None:
    assert Pupil.presets() == [f"year-{year}" for year in range(1, 7)]
    years = [Pupil.preset(name) for name in Pupil.presets()]
    for younger, older in pairwise(years):
        assert set(younger.operations) <= set(older.operations)
        assert younger.most_cards <= older.most_cards
        for chance in CHANCES:
            assert getattr(younger, chance) >= getattr(older, chance) > 0


def test_presets_can_be_changed() -> None:
    pupil = Pupil.preset("year-3", strategy="thrifty", slip=0, operations="+-")
    assert (pupil.strategy, pupil.slip, pupil.operations) == ("thrifty", 0.0, "+-")
    assert pupil.overlook == Pupil.preset("year-3").overlook


def test_equal_pupils_have_equal_names_and_others_do_not() -> None:
    year = Pupil.preset("year-3")
    again = Pupil("greedy", year.operations, year.most_cards, *(getattr(year, name) for name in CHANCES))
    assert again == year
    assert again.name == year.name == "year-3:greedy"
    pupils = [Pupil.preset(name, strategy) for name in Pupil.presets() for strategy in STRATEGIES]
    pupils += [Pupil(strategy) for strategy in STRATEGIES]
    pupils += [Pupil(**{chance: value}) for chance in CHANCES for value in (0.1, 0.1000001, 1.0)]  # type: ignore[arg-type]
    pupils += [Pupil(most_cards=3), Pupil(operations="+-"), Pupil(operations="+-", most_cards=3)]
    assert len({pupil.name for pupil in pupils}) == len(set(pupils)) == len(pupils)
    assert Pupil(first_play).name == "pupil:first_play"


@given(
    st.sampled_from(sorted(STRATEGIES)), st.sets(st.sampled_from("+-*/"), min_size=1), st.integers(1, 12),
    st.lists(st.floats(0, 1), min_size=5, max_size=5),
)  # fmt: skip
@settings(deadline=None)
def test_a_name_read_again_is_the_same_pupil(strategy: str, signs: set[str], most: int, chances: list[float]) -> None:
    pupil = Pupil(strategy, "".join(signs), most, *chances)
    assert Pupil.parse(pupil.name) == pupil
    assert pickle.loads(pickle.dumps(pupil)) == pupil


# --- a pupil who makes no error --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("strategy", [*SCORES, few_cards, first_play])
def test_a_pupil_without_errors_plays_like_its_strategy(strategy: str | Callable[..., object], rules: str) -> None:
    games = 12 if COMPILED else 2
    bare, pupil = (play(who, games, RULES[rules]) for who in (strategy, Pupil(strategy)))
    same(bare, pupil, names=False)
    assert set(pupil.strategies) == {Pupil(strategy).name}


def test_pupils_change_no_deal_and_no_random_number_of_others() -> None:
    """The first hands and the first choices of `random` are the same whoever sits beside."""
    bare = Session(seed=3, seats=["random", "greedy", "greedy", "greedy"])
    beside = Session(seed=3, seats=["random", CLASS, CLASS, CLASS])
    assert bare.hands == beside.hands
    assert str(bare.step().cards) == str(beside.step().cards)


# --- what a pupil sees -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("signs", ["+", "-", "+-", "+-*", "*/", "/"])
def test_only_mastered_operations_are_used(signs: str) -> None:
    names = {"+": "additions", "-": "subtractions", "*": "multiplications", "/": "divisions"}
    used = play(Pupil(operations=signs), games=300 if COMPILED else 5).players[list(names.values())].sum()
    for sign, name in names.items():
        assert (used[name] > 0) == (sign in signs) or not COMPILED, (sign, used)
        assert used[name] == 0 or sign in signs


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_no_more_cards_than_considered(most: int) -> None:
    players = play(Pupil(most_cards=most), games=300 if COMPILED else 5).players
    counts = [int(players[f"calculations_{size}"].sum()) for size in range(2, 13)]
    assert not any(counts[max(0, most - 1) :])
    assert all(counts[: most - 1]) or not COMPILED


@pytest.mark.parametrize("steps", ["whole", "integer", "rational"])
@pytest.mark.parametrize("signs", ["+", "+-", "+-*", "-/"])
def test_exactly_the_calculations_that_can_be_worked_are_seen(signs: str, steps: str) -> None:
    """Against a plain search through every order of the cards with the mastered operations."""
    found: Counter[bool] = Counter()
    given: list[tuple[Observation, list[Play]]] = []

    def note(observation: Observation, plays: list[Play]) -> Play | None:
        given.append((observation, plays))
        return first_play(observation, plays)

    rules = Rules(players=2, steps=steps)
    # With addition alone most cards are drawn and few laid: a game is long, and one is plenty for plain Python.
    for game in range(4 if COMPILED or signs != "+" else 1):
        Session(rules, seed=8, game=game, seats=Pupil(note, signs)).advance()
    for seen, plays in given:
        if seen.played:
            continue
        shown = {(tuple(sorted(play.cards)), play.cards[-1]): play for play in plays}
        drawn = None if seen.drawn is None else str(seen.drawn)
        for play in find_plays(list(seen.hand), seen.open_wildcard or seen.active, rules, drawn):
            key = (tuple(sorted(play.cards)), play.cards[-1])
            if play.kind != "calculation":
                continue
            numbers = [card.number or 0 for card in play.cards]
            works = numbers[-1] in naive.last_numbers(numbers, seen.active.number or 0, signs, steps)
            assert (key in shown) == works
            found[works] += 1
            if works:
                assert set(shown[key].expression) & set("+-×÷") <= set(signs.translate({42: "×", 47: "÷"}))
    assert min(found[True], found[False]) > 10


def test_a_replay_is_laid_for_plays_that_the_pupil_can_work_out() -> None:
    decision = position("replay 10 4 2", "3bee", phase=PHASE_PLAYED)
    for pupil, cards in (
        (Pupil(), 3),
        (Pupil(most_cards=2), 0),
        (Pupil(operations="+-"), 0),
        (Pupil(operations="-/"), 3),
    ):
        packed, pupils = pupils_at(Rules(), [pupil] * 4)
        assert erring.see_plays(packed, decision.state, decision.plays, pupils) == 1
        assert decision.plays[0, PLAY_NEXT] == cards
        assert decision.state[PHASE] == PHASE_PLAYED


def test_a_play_is_overlooked_by_its_chance() -> None:
    """How many of the plays of the first choice are left."""
    there, left = [], []

    def note(observation: Observation, plays: list[Play]) -> None:
        if observation.turns == 1 and observation.drawn is None:
            there.append(len(find_plays(list(observation.hand), observation.active)))
            left.append(len(plays))

    games = 400 if COMPILED else 40
    play([Pupil(note, overlook=0.3), *["greedy"] * 3], games, Rules(turn_limit=2))
    # The choice is not asked for where everything is overlooked.
    hidden = sum(there) - sum(left)
    assert 0.2 * sum(there) < hidden < 0.35 * sum(there)


def test_who_overlooks_everything_plays_nothing() -> None:
    results = play(["greedy", Pupil(overlook=1), "greedy", "greedy"], games=30)
    assert results.players.loc[results.players["seat"] == 1, "cards_laid"].sum() == 0


# --- each error ------------------------------------------------------------------------------------------------------


def choices(pupil: Pupil, games: int, rules: Rules) -> list[tuple[Observation, Event]]:
    """Every choice of a pupil in some games, but for those after a play: what it saw, and what it did."""
    found = []
    for game in range(games):
        session = Session(rules, seed=11, game=game, seats=pupil)
        while not session.over:
            seen = session.observation
            event = session.step()
            if not seen.played:
                found.append((seen, event))
    return found


def can_misuse(seen: Observation) -> bool:
    """Whether a change wildcard of the hand can be laid wrongly, alone or with one card, by a plain look at the rules."""
    hand = [str(card) for card in seen.hand]
    active, drawn = str(seen.open_wildcard or seen.active), seen.drawn and str(seen.drawn)
    for wildcard in {card for card in hand if card in naive.CHANGE_TYPES}:
        rest = hand.copy()
        rest.remove(wildcard)
        for laid in ([wildcard], *([wildcard, card] for card in set(rest) if card not in naive.WILDCARDS)):
            if (drawn is None or drawn in laid) and naive.fault(laid, None, active)[0] == "R6.5":
                return True
    return False


def can_break(seen: Observation, fault: str, most: int = 3) -> bool:
    """Whether the hand has a calculation with the right result and this fault, by a plain search."""
    if seen.open_wildcard is not None or (seen.drawn is not None and seen.drawn.is_wildcard):
        return False
    least = 2 if fault == "R6.2" else 3
    hand = sorted((str(card) for card in seen.hand if not card.is_wildcard), key=str)
    return any(
        _breaks(order, str(seen.active), fault)
        for size in range(least, most + 1)
        for order in set(permutations(hand, size))
        if seen.drawn is None or str(seen.drawn) in order
    )


@lru_cache(maxsize=100_000)
def _breaks(order: tuple[str, ...], active: str, fault: str) -> bool:
    if len({naive.type_of(card) for card in order}) > 1:
        return False
    if any(naive.matches(card, active) for card in order) != (fault == "R6.2"):
        return False
    numbers, target = [naive.number_of(card) for card in order], naive.number_of(active)
    return target in naive.values(numbers, "+-*/", "whole") and naive.fault(list(order), None, active)[0] == fault


@pytest.mark.parametrize("chance", FAULT_OF)
def test_each_chance_makes_its_own_fault_and_no_other(chance: str) -> None:
    results = play(Pupil(strategy="random", **{chance: 0.5}), games=60 if COMPILED else 4)  # type: ignore[arg-type]
    found = faults(results)
    mine = COLUMN_OF[FAULT_OF[chance]]
    assert found[mine] > 0
    assert sum(found.values()) == found[mine] == results.players["penalties"].sum()


def test_a_wildcard_is_misused_by_its_chance_wherever_it_can_be() -> None:
    made = choices(Pupil(misuse_wildcard=0.2), 60 if COMPILED else 6, Rules(players=3))
    able = [event.act == "fault" for seen, event in made if can_misuse(seen)]
    assert not [event for seen, event in made if event.act == "fault" and not can_misuse(seen)]
    assert stats.binomtest(sum(able), len(able), 0.2).pvalue > 0.001


def test_a_calculation_slips_by_its_chance() -> None:
    made = choices(Pupil(slip=0.15), 60 if COMPILED else 6, Rules(players=3))
    slips = sum(event.act == "fault" for _, event in made)
    chosen = slips + sum(event.act == "calculation" for _, event in made)
    assert stats.binomtest(slips, chosen, 0.15).pvalue > 0.001


@pytest.mark.parametrize("chance", ["forget_matching", "forget_fewest"])
def test_a_rule_is_forgotten_by_its_chance_where_the_hand_shows_it(chance: str) -> None:
    """The search is bounded, so it finds most of what a full search finds, and nothing else."""
    pupil = Pupil(most_cards=3, **{chance: 0.5})  # type: ignore[arg-type]
    made = choices(pupil, 80 if COMPILED else 2, Rules(players=2))
    able = [event.act == "fault" for seen, event in made if can_break(seen, FAULT_OF[chance])]
    assert not [event for seen, event in made if event.act == "fault" and not can_break(seen, FAULT_OF[chance])]
    if COMPILED:
        assert len(able) > 40
        assert stats.binomtest(sum(able), len(able), 0.5, "greater").pvalue > 0.001
        assert stats.binomtest(sum(able), len(able), 0.5 * 0.6, "less").pvalue > 0.001


@pytest.mark.parametrize("chance", FAULT_OF)
def test_errors_keep_to_what_the_pupil_has_mastered(chance: str) -> None:
    pupil = Pupil("random", "+-", 3, **{chance: 1.0})  # type: ignore[arg-type]
    made = choices(pupil, 8, Rules(players=3, turn_limit=60))
    tried = [event.expression for _, event in made if event.act == "fault"]
    assert tried
    if chance != "misuse_wildcard":
        for expression in tried:
            signs = [sign for sign in expression if sign in "+-×÷"]
            assert 1 <= len(signs) <= 2
            assert set(signs) <= {"+", "-"}


def test_the_drawn_card_is_part_of_every_error() -> None:
    chances = dict.fromkeys(FAULT_OF, 0.4)
    made = choices(Pupil(**chances), 20 if COMPILED else 3, Rules(players=3))  # type: ignore[arg-type]
    drawn = [(seen.drawn, event) for seen, event in made if seen.drawn is not None and event.act == "fault"]
    assert drawn
    for card, event in drawn:
        assert card in (*event.cards, *event.returned)


def test_most_faults_cost_three_cards_and_end_the_turn() -> None:
    for _, event in choices(CLASS, 5 if COMPILED else 1, Rules(players=4)):
        if event.act == "fault":
            assert event.fault in FAULT_OF.values()
            assert len(event.drawn) == 3


# --- batches and single games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_games_with_pupils_are_played_to_the_end(rules: str) -> None:
    results = play(CLASS, 30 if COMPILED else 2, RULES[rules])
    players = results.players
    assert set(results.rounds["ended"]) <= {"finished", "team", "stalled"}
    assert (players[list(FAULT_NAMES)].sum(axis=1) == players["penalties"]).all()
    assert (players["penalties"] <= players["turns"]).all()
    assert players["faults_types_mixed"].sum() == 0


@pytest.mark.parametrize("ways", [{"workers": 2, "chunk_size": 7}, {"chunk_size": 1}, {"workers": 1, "chunk_size": 29}])
def test_pupils_play_the_same_games_however_they_are_cut(ways: dict[str, int]) -> None:
    games = 30 if COMPILED else 4
    same(play(MIXED, games, VARIED, workers=1), play(MIXED, games, VARIED, **ways))


def test_pupils_play_the_same_games_in_other_processes() -> None:
    games = 20 if COMPILED else 2
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        same(play(MIXED, games, VARIED), play(MIXED, games, VARIED, executor=pool, chunk_size=-(-games // 2)))


@pytest.mark.skipif(not COMPILED, reason="compares compiled code with plain Python")
def test_pupils_play_the_same_games_uncompiled() -> None:
    script = (
        "from nambarz_sim import *\n"
        "rules = Rules(players=3, rounds=2)\n"
        "who = ['year-2:random', 'year-5:thrifty', 'pupil:master slip=0.4 overlook=0.2']\n"
        "print(simulate(rules, 6, 5, who, progress=False).players.to_csv())"
    )
    told = {}
    for off in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300,
            env=os.environ | {"NUMBA_DISABLE_JIT": off},
        )  # fmt: skip
        told[off] = done.stdout
    assert told["0"] == told["1"]
    assert "year-2:random" in told["0"]


@pytest.mark.parametrize(
    "seats",
    [MIXED, "year-1", [Pupil(first_play, overlook=0.2, slip=0.2), CLASS, Pupil(few_cards, slip=0.3), "greedy"]],
    ids=["mixed", "year-1", "own"],
)
def test_a_session_replays_the_games_of_a_batch(seats: object) -> None:
    games = 6 if COMPILED else 2
    results = play(seats, games, VARIED)
    for game in range(games):
        session = Session(VARIED, seed=5, seats=seats, game=game)  # type: ignore[arg-type]
        session.advance()
        assert session.seats == results.strategies
        rounds = [event for event in session.log if event.act == "round"]
        told = results.players[results.players["game"] == game]
        assert [event.turn for event in rounds] == results.rounds.loc[results.rounds["game"] == game, "turns"].tolist()
        assert [points for event in rounds[:2] for points in event.points] == told["points"].tolist()[: 4 * 2]
        made = Counter((event.round - 1, event.seat, COLUMN_OF[event.fault]) for event in session.log if event.fault)
        for row in told.to_dict("records"):
            for name in FAULT_NAMES:
                assert row[name] == made[row["round"], row["seat"], name]


def test_a_person_may_sit_among_pupils() -> None:
    session = Session(seed=2, seats=["you", "year-3", Pupil(slip=1), "greedy"])
    assert session.seats == ("you", "year-3:greedy", "pupil:greedy slip=1.0", "greedy")
    session.draw()
    if session.can_keep():
        session.keep()
    assert any(event.seat > 0 for event in session.advance())


@given(st.integers(0, 2**32), st.sampled_from(sorted(RULES)), st.data())
@GAMES
def test_cards_are_conserved(seed: int, name: str, data: st.DataObject) -> None:
    rules = RULES[name]
    seats = [
        data.draw(
            st.builds(
                Pupil, st.sampled_from(sorted(SCORES)), st.sampled_from(["+", "+-", "+-*", "+-*/"]),
                st.integers(1, 12), *[st.sampled_from([0.0, 0.1, 0.5, 1.0])] * 5,
            )
        )
        for _ in range(rules.players)
    ]  # fmt: skip
    session = Session(rules, seed=seed, seats=seats)
    packed, state = session._packed, session._state
    whole = list(rules.copies)
    for _ in range(60):
        if session.over:
            break
        parts = view(packed, state)
        deck = Counter(dict(enumerate(parts.hands.sum(axis=0).tolist())))
        deck.update(parts.pile[state[PILE_AT] : state[PILE_AT] + state[PILE_LEFT]].tolist())
        deck.update(parts.discards[: state[DISCARDS]].tolist())
        assert [deck[card] for card in range(len(whole))] == whole
        session.step()


# --- what penalties do -----------------------------------------------------------------------------------------------


def test_penalties_make_rounds_longer() -> None:
    """The same deals with and without slips; the whole interval of the difference lies above 0."""
    games = 1500 if COMPILED else 40
    plain, erring_ones = (
        play(Pupil(slip=slip), games, Rules(play_off="none")).rounds["turns"].to_numpy(float) for slip in (0.0, 0.25)
    )
    value, low, _ = ratio_estimate(erring_ones - plain, np.ones(games))
    assert value > 0
    assert low > 0 or not COMPILED


def test_more_penalty_cards_make_rounds_longer_still() -> None:
    games = 1500 if COMPILED else 40
    mild, hard = (
        play(CLASS, games, Rules(penalty_cards=cards, play_off="none")).rounds["turns"].to_numpy(float)
        for cards in (0, 3)
    )
    assert ratio_estimate(hard - mild, np.ones(games))[1] > 0 or not COMPILED


def test_the_summary_tells_penalties_by_kind_where_pupils_erred() -> None:
    results = play(CLASS, 200 if COMPILED else 10)
    summary, players = results.summary(), results.players
    rounds = len(results.rounds)
    assert summary.loc["penalties a round", "value"] == pytest.approx(players["penalties"].sum() / rounds)
    per_turn = summary.loc["penalties a player's turn"]
    assert per_turn["value"] == pytest.approx(players["penalties"].sum() / results.rounds["turns"].sum())
    assert per_turn["low"] < per_turn["value"] < per_turn["high"]
    for words, name in (
        ("not the fewest cards", "faults_not_fewest"), ("a card that matches by itself", "faults_matching_used"),
        ("number and picture cards mixed", "faults_types_mixed"), ("a wrong result", "faults_wrong_result"),
        ("a wildcard misused", "faults_wildcard_misused"),
    ):  # fmt: skip
        row = summary.loc[f"penalties a round, {words}"]
        assert row["value"] == pytest.approx(players[name].sum() / rounds)
        assert row["low"] <= row["value"] < row["high"]
    assert "penalties a player's turn" not in play("greedy", 20).summary().index
