"""Strategies: the contract that each one keeps, users' own ones, and what each file claims of itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nambarz_sim import Observation, Play, Pupil, Results, Rules, Session, _rng, find_plays, kernel, simulate
from nambarz_sim._numba import compiled
from nambarz_sim._rng import PURPOSE_SEAT, STREAM_SIZE
from nambarz_sim.engine import kernel as turns
from nambarz_sim.engine.kernel import of_card
from nambarz_sim.engine.observe import observe
from nambarz_sim.engine.plays import describe, put_active, put_hand
from nambarz_sim.engine.state import (
    ACTIVE,
    AT_STREAMS,
    BANNED,
    CALCULATION,
    CHANGE,
    DISCARDED,
    ENDED,
    GAME_OVER,
    HELD,
    IN_ROUND,
    KIND,
    LAY_REPLAY,
    MATCH,
    NUMBER,
    OPEN,
    PARTY,
    PHASE,
    PHASE_FRESH,
    PHASE_PLAYED,
    PILE_AT,
    PILE_LEFT,
    PLAY_BONUS,
    PLAY_CARDS,
    PLAY_KIND,
    PLAY_NEXT,
    PLAY_SIZE,
    PLAYERS,
    SEAT,
    TYPES,
    Ints,
    new_plays,
    new_state,
    pack,
    view,
)
from nambarz_sim.strategies import STRATEGIES
from nambarz_sim.strategies import kernel as choices
from nambarz_sim.strategies.names import SCORES, playouts_of
from nambarz_sim.strategies.planner import choose_planned, planning_at

engine, choosing, planned = compiled(turns), compiled(choices), compiled(choose_planned)
random_bits, start_stream = compiled(_rng).random_bits, compiled(_rng).start_stream
NAMES = list(SCORES)
FEW = "planner:4"
"""A planner that plays out few games: uncompiled, each takes some milliseconds."""
ALL = [FEW if name == "planner" else name for name in STRATEGIES]
SETUPS = {
    "two": Rules(players=2),
    "four": Rules(),
    "six": Rules(players=6),
    "twelve": Rules(players=12, wildcards="experienced"),
    "teams": Rules(players=6, team_sizes=(2, 4)),
    "teams that see": Rules(players=4, team_sizes=(2, 2), teammates_see_hands=True),
    "many wildcards": Rules(players=4, wildcards=60),
    "plus and minus, rounds": Rules(players=3, operations="+-", rounds=2, play_off="all"),
}


class Decision:
    """What lies before the seat to move: the arrays, its legal plays, and what a strategy chooses."""

    def __init__(self, rules: Rules, packed: Ints, state: Ints, plays: Ints) -> None:
        self.rules, self.packed, self.state, self.plays = rules, packed, state, plays
        self.count = int(engine.legal_plays(packed, state, plays))
        self.made = -1
        """What the strategy at the table has chosen."""

    def choice(self, strategy: str) -> int:
        if playouts := playouts_of(strategy):
            planning = planning_at(self.packed, [playouts] * self.rules.players)
            return int(planned(self.packed, self.state, self.plays, self.count, planning))
        return int(choosing.choose(self.packed, self.state, self.plays, self.count, STRATEGIES[strategy]))

    def rows(self, kind: int) -> list[int]:
        return [row for row in range(self.count) if self.plays[row, PLAY_KIND] == kind]

    def column(self, slot: int, rows: list[int]) -> list[int]:
        return [int(self.plays[row, slot]) for row in rows]

    def play(self, row: int) -> Play:
        return describe(self.packed, self.plays[row], self.rules.the_deck)

    def chosen(self, strategy: str) -> str:
        """The choice as a text; empty for none."""
        row = self.choice(strategy)
        return "" if row < 0 else str(self.play(row))

    @property
    def hand(self) -> Ints:
        return view(self.packed, self.state).hands[int(self.state[SEAT])]

    def same_type(self, row: int) -> int:
        """How many cards of the type of a play's last card the hand holds."""
        kinds = engine_kinds(self.rules)
        return int(self.hand[kinds == kinds[self.plays[row, PLAY_CARDS + self.plays[row, PLAY_SIZE] - 1]]].sum())


@lru_cache
def engine_kinds(rules: Rules) -> np.ndarray:
    kinds = {"number": 0, "picture": 1}
    return np.array([kinds.get(card.kind, 2) for card in rules.the_deck.cards])


def decisions(rules: Rules, strategies: str | list[str], games: int, seed: int = 6) -> Iterator[Decision]:
    """Every decision of some games; the strategies' choices are applied after each."""
    names = [strategies] * rules.players if isinstance(strategies, str) else strategies
    packed = pack(rules)
    state, plays = new_state(packed), new_plays(packed)
    for game in range(games):
        engine.start_game(packed, state, seed, game)
        while not state[GAME_OVER]:
            decision = Decision(rules, packed, state, plays)
            decision.made = decision.choice(names[int(state[SEAT])])
            yield decision
            engine.legal_plays(packed, state, plays)
            engine.step(packed, state, plays, decision.made)
            if state[ENDED]:
                engine.score_round(packed, state)
                engine.next_round(packed, state)


def position(hand: str, active: str, rules: Rules | None = None, phase: int = PHASE_FRESH) -> Decision:
    """Seat 0 to move with a hand; the others hold seven unknown cards each."""
    rules = rules or Rules()
    packed = pack(rules)
    state = new_state(packed)
    deck = rules.the_deck
    put_hand(packed, state, deck, deck.hand(hand), rules)
    put_active(state, deck, active)
    state[PHASE] = phase
    for seat in range(rules.players):
        state[IN_ROUND + seat] = 1
        state[PARTY + seat] = rules.teams[seat]
        if seat:
            state[HELD + seat] = 7
    if not deck.card(active).is_wildcard:
        state[DISCARDED + state[ACTIVE]] = 1
    start_stream(state[packed[AT_STREAMS] :], 1, 0, 0, PURPOSE_SEAT)
    return Decision(rules, packed, state, new_plays(packed))


def same_tables(one: Results, other: Results) -> None:
    """Equal but for the strategies' names."""
    pd.testing.assert_frame_equal(one.games, other.games)
    pd.testing.assert_frame_equal(one.rounds, other.rounds)
    pd.testing.assert_frame_equal(one.players.drop(columns="strategy"), other.players.drop(columns="strategy"))


# --- the contract ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", Pupil.presets())
@pytest.mark.parametrize("setup", SETUPS)
def test_every_pupil_plays_legal_games_to_the_end(name: str, setup: str) -> None:
    rules = SETUPS[setup]
    session = Session(rules, seed=6, seats=name)
    while not session.over:
        seen = session.observation
        event = session.step()
        if not event.fault:
            assert all(seen.hand.count(card) >= event.cards.count(card) for card in event.cards)
            assert event.act in ("draw", "keep", "end turn") or seen.drawn is None or seen.drawn in event.cards
    results = simulate(rules, games=3, seed=6, strategies=name, progress=False)
    assert set(results.rounds["ended"]) <= {"finished", "team", "stalled"}
    assert results.strategies == (f"{name}:greedy",) * rules.players


@pytest.mark.parametrize("setup", SETUPS)
@pytest.mark.parametrize("name", ALL)
def test_every_strategy_plays_legal_games_to_the_end(name: str, setup: str) -> None:
    rules = SETUPS[setup]
    for decision in decisions(rules, name, games=2):
        row = decision.made
        assert -1 <= row < decision.count
        if row >= 0:
            seen = observe(decision.packed, decision.state, rules.the_deck)
            play = decision.play(row)
            assert all(seen.hand.count(card) >= play.cards.count(card) for card in play.cards)
            assert seen.drawn is None or seen.drawn in play.cards
            assert not seen.played or play.kind == "replay"
            assert seen.open_wildcard is None or play.kind in ("match", "replay")
    results = simulate(rules, games=3, seed=6, strategies=name, progress=False)
    assert set(results.rounds["ended"]) <= {"finished", "team", "stalled"}
    assert results.strategies == (name,) * rules.players


def test_open_wildcards_and_replays_come_up_in_the_contract() -> None:
    seen = dict.fromkeys(("open", "open after a replay", "replay", "drawn"), 0)
    for decision in decisions(SETUPS["many wildcards"], "random", games=6):
        state = decision.state
        seen["open"] += bool(state[OPEN] >= 0 and state[PHASE] == PHASE_FRESH and decision.count > 0)
        seen["open after a replay"] += bool(state[OPEN] >= 0 and state[BANNED] and state[PHASE] == PHASE_FRESH)
        seen["replay"] += bool(state[PHASE] == PHASE_PLAYED and decision.count > 0)
        seen["drawn"] += bool(state[PHASE] not in (PHASE_FRESH, PHASE_PLAYED) and decision.count > 0)
    assert all(seen.values()), seen


@pytest.mark.parametrize("name", [*ALL, "year-2:random"])
def test_every_strategy_is_the_same_for_the_same_seed(name: str) -> None:
    one, other, third = (
        simulate(Rules(players=3), games=8, seed=seed, strategies=name, progress=False) for seed in (4, 4, 5)
    )
    pd.testing.assert_frame_equal(one.players, other.players)
    assert not one.players.equals(third.players)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "random"])
def test_only_random_draws_random_numbers(name: str) -> None:
    """Asked again about one position, the others answer the same and leave the state as it is."""
    for decision in decisions(SETUPS["many wildcards"], name, games=1):
        before = decision.state.copy()
        assert decision.choice(name) == decision.made
        assert np.array_equal(before, decision.state)


def hide_differently(decision: Decision, generator: np.random.Generator) -> Decision:
    """The same table with other hidden cards: the others' hands and the pile are mixed anew."""
    packed, state = decision.packed, decision.state.copy()
    parts = view(packed, state)
    mover, players, types = int(state[SEAT]), int(packed[PLAYERS]), int(packed[TYPES])
    sees = [
        other for other in range(players) if parts.team_hands[other].min() >= 0 and decision.rules.teammates_see_hands
    ]
    others = [seat for seat in range(players) if seat != mover and seat not in sees]
    pile = parts.pile[state[PILE_AT] : state[PILE_AT] + state[PILE_LEFT]]
    hidden = [*pile.tolist()]
    sizes = {seat: int(state[HELD + seat]) for seat in others}
    for seat in others:
        for card in range(types):
            for _ in range(int(parts.hands[seat, card])):
                engine.remove_card(packed, state, seat, card)
                hidden.append(card)
    mixed = generator.permutation(np.array(hidden, dtype=np.int64)).tolist()
    for seat in others:
        for _ in range(sizes[seat]):
            engine.add_card(packed, state, seat, mixed.pop())
    pile[:] = mixed
    return Decision(decision.rules, packed, state, new_plays(packed))


@pytest.mark.parametrize("setup", ["two", "twelve", "teams", "teams that see", "many wildcards"])
def test_hidden_cards_change_no_choice_and_no_observation(setup: str) -> None:
    generator = np.random.default_rng(1)
    rules, asked = SETUPS[setup], 0
    for place, decision in enumerate(decisions(rules, "random", games=8)):
        if place % 3:
            continue
        engine.look(decision.packed, decision.state)
        seen = observe(decision.packed, decision.state, rules.the_deck)
        for name in ALL:
            mixed = hide_differently(decision, generator)
            assert observe(mixed.packed, mixed.state, rules.the_deck) == seen
            fresh = Decision(rules, decision.packed, decision.state.copy(), decision.plays)
            assert mixed.choice(name) == fresh.choice(name)
        asked += decision.count > 1
    assert asked > 10


def test_different_seats_may_have_different_strategies() -> None:
    names = ["greedy", "random", "matcher", "master"]
    results = simulate(Rules(), games=6, seed=6, strategies=names, progress=False)
    assert results.strategies == tuple(names)
    players = results.players
    assert players.groupby("seat")["strategy"].unique().map(list).tolist() == [[name] for name in names]
    all_greedy = simulate(Rules(), games=6, seed=6, strategies="greedy", progress=False)
    assert not all_greedy.players.drop(columns="strategy").equals(players.drop(columns="strategy"))


def test_a_batch_is_what_the_steps_play() -> None:
    names = ["greedy", "random", "matcher", "thrifty"]
    results = simulate(Rules(), games=5, seed=6, strategies=names, progress=False)
    last_turns = []
    for decision in decisions(Rules(), names, games=5):
        turn = (int(decision.state[SEAT]), int(observe(decision.packed, decision.state, Rules().the_deck).turns))
        last_turns.append(turn)
    ends = [
        turn for turn, following in zip(last_turns, [*last_turns[1:], (0, 1)], strict=True) if following[1] < turn[1]
    ]
    assert [turns for _, turns in ends] == results.rounds["turns"].tolist()


# --- users' own: plain Python ----------------------------------------------------------------------------------------

Chooser = Callable[[Observation, list[Play]], object]


def play_own(strategies: object, games: int = 3, rules: Rules | None = None) -> Results:
    return simulate(rules or Rules(players=2), games=games, seed=2, strategies=strategies, progress=False)  # type: ignore[arg-type]


def test_returning_none_draws_and_passes() -> None:
    def idle(observation: Observation, plays: list[Play]) -> None:
        assert plays

    results = play_own(idle)
    assert set(results.rounds["ended"]) == {"stalled"}
    assert results.strategies == ("idle", "idle")
    assert (results.players["draws"] > 10).all()


def test_returning_a_play_or_an_equal_one_makes_it() -> None:
    def first(observation: Observation, plays: list[Play]) -> Play:
        return plays[0]

    def equal(observation: Observation, plays: list[Play]) -> Play:
        copy = dataclasses.replace(plays[0])
        assert copy is not plays[0]
        return copy

    one, other = play_own(first), play_own(equal)
    same_tables(one, other)
    assert set(one.rounds["ended"]) == {"finished"}
    assert one.players["cards_laid"].sum() > 0


def test_plays_given_are_legal_and_most_cards_first() -> None:
    def checked(observation: Observation, plays: list[Play]) -> Play:
        sizes = [len(play.cards) for play in plays]
        assert sizes == sorted(sizes, reverse=True)
        assert len(set(plays)) == len(plays)
        if not observation.played and not observation.match_banned:
            active = observation.open_wildcard or observation.active
            found = find_plays(list(observation.hand), active, Rules(players=2), drawn=observation.drawn)
            assert plays == found
        return plays[-1]

    play_own(checked)


WRONG_ANSWERS = {
    "text": lambda plays: "8bee",
    "number": lambda plays: 0,
    "true": lambda plays: True,
    "list": lambda plays: plays,
    "other cards": lambda plays: dataclasses.replace(plays[0], cards=plays[0].cards[::-1] + plays[0].cards),
    "other bonus": lambda plays: dataclasses.replace(plays[0], bonus=700),
    "expression": lambda plays: plays[0].expression,
}


@pytest.mark.parametrize("answer", WRONG_ANSWERS)
def test_returning_something_else_is_refused(answer: str) -> None:
    def cheat(observation: Observation, plays: list[Play]) -> object:
        return WRONG_ANSWERS[answer](plays)

    with pytest.raises(ValueError, match=r"which is not one of the \d+ plays it was given") as caught:
        play_own(["greedy", cheat])
    text = str(caught.value)
    assert text.startswith("strategy 'cheat' returned ")
    assert "\n" not in text
    assert "None to draw" in text


def test_a_play_of_an_earlier_turn_is_refused() -> None:
    kept: list[Play] = []

    def late(observation: Observation, plays: list[Play]) -> Play:
        kept.append(plays[0])
        return next((play for play in kept if play not in plays), plays[0])

    with pytest.raises(ValueError, match="which is not one of"):
        play_own(late)


def test_an_object_with_a_call_is_a_strategy() -> None:
    class Careful:
        def __call__(self, observation: Observation, plays: list[Play]) -> Play:
            return plays[-1]

    results = play_own([Careful(), "greedy"])
    assert results.strategies == ("Careful", "greedy")


WILD = Rules(players=3, wildcards=40)


def python_greedy(observation: Observation, plays: list[Play]) -> Play | None:
    """greedy once more, in plain Python over the public names."""

    def score(play: Play) -> float:
        if play.kind == "replay":
            return -1.0 if observation.played and not more_to_play(observation) else 1.0
        last = play.cards[-1]
        ease = 0.1 * (observation.hand.count(last) - 1) + (0.2 if last.kind == "number" else 0.0)
        return (2.0 + len(play.cards) if play.kind == "change" else 10.0 * len(play.cards)) + ease

    best = max(plays, key=score)  # the first of equals
    return best if score(best) >= 0 else None


def more_to_play(observation: Observation) -> bool:
    """Whether the extra turn after a replay has a play other than another replay."""
    active = observation.open_wildcard or observation.active
    covered = observation.active
    for play in find_plays(list(observation.hand), active, WILD):
        same = play.cards[-1].number == covered.number
        same_animal = covered.animal is not None and play.cards[-1].animal == covered.animal
        if play.kind != "replay" and not (observation.match_banned and (same or same_animal)):
            return True
    return False


def test_greedy_in_plain_python_plays_the_same_games() -> None:
    rules = WILD
    compiled = play_own("greedy", games=25, rules=rules)
    same_tables(compiled, play_own(python_greedy, games=25, rules=rules))
    same_tables(compiled, play_own(["greedy", python_greedy, "greedy"], games=25, rules=rules))
    assert compiled.players["replay_laid"].sum() > 20
    assert compiled.players["change_any_laid"].sum() > 20


# --- users' own: scores for the kernels ------------------------------------------------------------------------------


@kernel(cache=False)
def own_greedy(seen, play, stream):  # type: ignore[no-untyped-def]
    kind = play[PLAY_KIND]
    if kind == LAY_REPLAY:
        if seen.public[PHASE] == PHASE_PLAYED and play[PLAY_NEXT] == 0:
            return -1.0
        return 1.0
    last = play[PLAY_CARDS + play[PLAY_SIZE] - 1]
    ease = 0.1 * (seen.hand[last] - 1) + (0.2 if of_card(seen.rules, last, KIND) == NUMBER else 0.0)
    if kind == CHANGE:
        return 2.0 + play[PLAY_SIZE] + ease
    return 10.0 * play[PLAY_SIZE] + ease


def own_matcher(seen, play, stream):  # type: ignore[no-untyped-def]
    if play[PLAY_KIND] == MATCH:
        return 100.0
    if play[PLAY_KIND] == CHANGE:
        return 50.0 + play[PLAY_SIZE]
    if play[PLAY_KIND] == CALCULATION:
        return 20.0 - play[PLAY_SIZE]
    if seen.public[PHASE] == PHASE_PLAYED and play[PLAY_NEXT] == 0:
        return -1.0
    return 1.0


def test_own_scores_play_the_same_games_as_what_they_copy() -> None:
    """Compiled by the user or not: both kinds at one table."""
    rules = WILD.replace(players=4)
    built_in = play_own(["greedy", "matcher", "random", "greedy"], games=20, rules=rules)
    own = play_own([own_greedy, own_matcher, "random", own_greedy], games=20, rules=rules)
    same_tables(built_in, own)
    assert own.strategies == ("own_greedy", "own_matcher", "random", "own_greedy")
    with_python = play_own([own_greedy, own_matcher, "random", python_greedy], games=5, rules=rules)
    same_tables(play_own(["greedy", "matcher", "random", "greedy"], games=5, rules=rules), with_python)


# --- what each one claims --------------------------------------------------------------------------------------------


def test_matcher_never_calculates_when_it_can_match() -> None:
    seen = dict.fromkeys(range(4), 0)
    for decision in decisions(Rules(players=3, wildcards=20), "matcher", games=12):
        row = decision.made
        kind = int(decision.plays[row, PLAY_KIND]) if row >= 0 else -1
        if decision.rows(MATCH):
            assert kind == MATCH
        elif decision.rows(CHANGE):
            assert kind == CHANGE
        elif sizes := decision.column(PLAY_SIZE, decision.rows(CALCULATION)):
            assert kind == CALCULATION
            assert decision.plays[row, PLAY_SIZE] == min(sizes)
        if kind >= 0:
            seen[kind] += 1
    assert all(seen.values()), seen


def test_greedy_lays_the_most_cards_and_wildcards_last() -> None:
    sizes = set()
    for decision in decisions(Rules(players=3, wildcards=20), "greedy", games=12):
        row = decision.made
        ordinary = [*decision.rows(MATCH), *decision.rows(CALCULATION)]
        if ordinary:
            assert row in ordinary
            most = max(decision.column(PLAY_SIZE, ordinary))
            assert decision.plays[row, PLAY_SIZE] == most
            sizes.add(most)
        elif decision.rows(CHANGE):
            assert row in decision.rows(CHANGE)
        elif decision.state[PHASE] == PHASE_PLAYED and decision.count:
            assert (row >= 0) == (decision.plays[0, PLAY_NEXT] > 0)
    assert sizes >= {1, 2, 3, 4}


@pytest.mark.parametrize("name", ["greedy", "matcher"])
@pytest.mark.parametrize(("hand", "laid"), [("replay 3", True), ("replay 5", False), ("replay 9 6", True)])
def test_a_replay_after_a_play_only_when_another_play_follows(name: str, hand: str, laid: bool) -> None:
    assert position(hand, "3bee", phase=PHASE_PLAYED).chosen(name) == ("replay" if laid else "")
    assert position("replay 5", "3bee").chosen(name) == "replay", "for lack of another play"


def test_greedy_chooses_among_equals_as_it_says() -> None:
    assert position("3 3hippopotamus 8bee", "3bee").chosen("greedy") == "3"
    assert position("3hippopotamus 8bee 8bee", "3bee").chosen("greedy") == "8bee"
    assert position("10 4 2 3", "3bee").chosen("greedy") == "(10 - 4) ÷ 2"
    assert position("change-any 5", "3bee").chosen("greedy") == "change-any 5"
    assert position("change-any change-picture", "3bee").chosen("greedy") in ("change-any", "change-picture")


@pytest.mark.slow
def test_random_is_uniform_over_the_plays() -> None:
    for hand, active in (("3 3hippopotamus 10 4 2 change-any 9 6", "3bee"), ("1 2 3 9hen", "change-number")):
        decision = position(hand, active)
        assert decision.count > 2
        rows = np.array([decision.choice("random") for _ in range(4000)])
        assert stats.chisquare(np.bincount(rows, minlength=decision.count)).pvalue > 0.001


def test_random_always_plays_when_it_can_and_replays_every_other_time() -> None:
    decision = position("replay 3 4", "3bee", phase=PHASE_PLAYED)
    laid = sum(decision.choice("random") == 0 for _ in range(2000))
    assert stats.binomtest(laid, 2000, 0.5).pvalue > 0.001
    for decision in decisions(Rules(players=2), "random", games=4):
        if decision.state[PHASE] != PHASE_PLAYED and decision.count:
            assert decision.made >= 0


def test_random_of_each_seat_has_its_own_numbers() -> None:
    packed = pack(Rules())
    state = new_state(packed)
    engine.start_game(packed, state, 1, 0)
    start = int(packed[AT_STREAMS])
    streams = [state[start + seat * STREAM_SIZE :] for seat in range(4)]
    numbers = [tuple(random_bits(stream) for _ in range(5)) for stream in streams]
    assert len(set(numbers)) == 4


def test_master_takes_the_largest_stroke() -> None:
    strokes = 0
    for decision in decisions(Rules(players=3), "master", games=80):
        row = decision.made
        bonuses = decision.column(PLAY_BONUS, list(range(decision.count)))
        if bonuses and max(bonuses) > 0:
            assert decision.plays[row, PLAY_BONUS] == max(bonuses)
            strokes += 1
    assert strokes > 5


def test_master_with_few_cards_plays_like_greedy() -> None:
    alike = 0
    for decision in decisions(Rules(players=3, wildcards=20), "master", games=15):
        few = decision.state[HELD + decision.state[SEAT]] < 5
        no_stroke = not any(decision.column(PLAY_BONUS, list(range(decision.count))))
        if few and no_stroke and decision.count:
            assert decision.made == decision.choice("greedy")
            alike += 1
    assert alike > 50


def test_master_with_many_cards_lays_single_cards_of_the_smaller_type() -> None:
    singles = 0
    for decision in decisions(Rules(players=3, wildcards=20), "master", games=25):
        many = decision.state[HELD + decision.state[SEAT]] >= 5
        no_stroke = not any(decision.column(PLAY_BONUS, list(range(decision.count))))
        matches = decision.rows(MATCH)
        if many and no_stroke and matches:
            row = decision.made
            assert row in matches
            assert decision.same_type(row) == min(decision.same_type(match) for match in matches)
            singles += 1
    assert singles > 50


def test_master_keeps_its_replay_for_a_stroke() -> None:
    assert position("replay 3 1 1 1", "3bee", phase=PHASE_PLAYED).chosen("master") == ""
    assert position("replay 3 1 1 1", "3bee", phase=PHASE_PLAYED).chosen("greedy") == "replay"
    stroke = "replay 8 8 1 1 9"
    assert max(len(play.cards) for play in find_plays(stroke, "5cat")) == 5
    assert position(stroke, "5cat", phase=PHASE_PLAYED).chosen("master") == "replay"
    assert position("replay 3", "3bee", phase=PHASE_PLAYED).chosen("master") == "replay", "few cards: like greedy"


def lying(decision: Decision, cards: str) -> Decision:
    """Lay cards face up among the discards."""
    deck = decision.rules.the_deck
    for card in deck.hand(cards):
        decision.state[DISCARDED + deck.type_of(card)] += 1
    assert (decision.state[DISCARDED : DISCARDED + len(deck.cards)] <= np.array(decision.rules.copies)).all()
    return decision


def cover_share(decision: Decision, left: str) -> float:
    """How often a random hand of three of the hidden cards covers a card that is left active."""
    deck, rules = decision.rules.the_deck, decision.rules
    hand = decision.hand
    hidden = np.array(rules.copies) - hand - decision.state[DISCARDED : DISCARDED + len(deck.cards)]
    cards = [card for card, count in zip(deck.cards, hidden, strict=True) for _ in range(count)]
    draw = np.random.default_rng(3)
    hands = ([cards[place] for place in draw.choice(len(cards), 3, replace=False)] for _ in range(400))
    return sum(bool(find_plays(cards, left, rules)) for cards in hands) / 400


@pytest.mark.parametrize(
    ("hand", "active", "face_up"),
    [
        ("8bee 3hippopotamus", "3bee", "8 8 8 8 8bee 8hippopotamus 8hippopotamus"),
        ("1dragonfly 6turtle", "6dragonfly", ""),
        ("7fish 2rabbit", "7rabbit", ""),
    ],
)
def test_thrifty_leaves_what_the_next_player_is_least_likely_to_cover(hand: str, active: str, face_up: str) -> None:
    decision = lying(position(hand, active), face_up)
    decision.state[HELD + 1] = 3
    shares = {card: cover_share(decision, card) for card in hand.split()}
    assert max(shares.values()) - min(shares.values()) > 0.03, shares
    assert decision.chosen("thrifty") == min(shares, key=shares.__getitem__)


def test_thrifty_and_greedy_choose_differently() -> None:
    decision = lying(position("8bee 3hippopotamus", "3bee"), "8 8 8 8 8bee 8hippopotamus 8hippopotamus")
    other = position("3hippopotamus 8bee", "8hippopotamus")
    assert any(each.chosen("thrifty") != each.chosen("greedy") for each in (decision, other))


def test_thrifty_lays_no_fewer_cards_than_greedy_when_a_card_counts_more_than_a_cover() -> None:
    """A certain cover counts four tenths of a card, so the number of cards decides."""
    for decision in decisions(Rules(players=3, wildcards=20), "thrifty", games=10):
        ordinary = [*decision.rows(MATCH), *decision.rows(CALCULATION)]
        if ordinary:
            row = decision.made
            assert row in ordinary
            assert decision.plays[row, PLAY_SIZE] == max(decision.column(PLAY_SIZE, ordinary))


def test_thrifty_does_not_mind_a_teammate() -> None:
    eights = "8 8 8 8 8bee 8hippopotamus 8hippopotamus"
    rules = Rules(team_sizes=(2, 2))
    decision = lying(position("8bee 3hippopotamus", "3bee", rules), eights)
    assert decision.chosen("thrifty") == decision.chosen("greedy")


# --- what each one is said to win ------------------------------------------------------------------------------------


def share_of_wins(one: str, others: str, games: int) -> tuple[float, float]:
    """The 95% interval of the share of rounds that one wins against three others, from every seat in turn."""
    won = 0
    for seat in range(4):
        strategies = [others] * seat + [one] + [others] * (3 - seat)
        rounds = simulate(Rules(), games=games, seed=30 + seat, strategies=strategies, progress=False).rounds
        won += int((rounds.loc[~rounds["extra_round"], "winner_seat"] == seat).sum())
    interval = stats.binomtest(won, 4 * games).proportion_ci(method="wilson")
    return interval.low, interval.high


@pytest.mark.slow
@pytest.mark.parametrize("others", [name for name in NAMES if name != "random"])
def test_random_wins_less_than_its_share(others: str) -> None:
    assert share_of_wins("random", others, games=5_000)[1] < 0.25


@pytest.mark.slow
def test_thrifty_wins_more_than_its_share_among_greedy() -> None:
    assert share_of_wins("thrifty", "greedy", games=20_000)[0] > 0.25


@pytest.mark.slow
def test_master_makes_more_bonus_points_than_greedy() -> None:
    bonus = {}
    for name in ("master", "greedy"):
        players = simulate(Rules(), games=10_000, seed=31, strategies=name, progress=False).players
        bonus[name] = players[players["round"] == 0].groupby("game")["bonus"].sum().to_numpy()
    gain = bonus["master"].astype(float) - bonus["greedy"]  # games of one number share their deal
    assert stats.ttest_1samp(gain, 0).confidence_interval(0.95).low > 0
