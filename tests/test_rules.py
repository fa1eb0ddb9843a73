"""The options of a game: defaults, limits, error texts, presets and rules files (R1.4, R1.5, R3.8, R9.1, R9.3)."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nambarz_sim.cards import WILDCARDS, Deck, data_folder
from nambarz_sim.rules import LEVELS, MOST_PLAYERS, POINTS_BY_PLACE, Rules, WildcardCounts

REPEATABLE = settings(deadline=None, derandomize=True, database=None, max_examples=150)
FIGURES = tomllib.loads((data_folder() / "examples" / "figures.toml").read_text(encoding="utf-8"))
DEFAULTS = {
    "players": 4,
    "wildcards": (3, 3, 3, 3),
    "operations": "+-*/",
    "steps": "whole",
    "team_sizes": None,
    "rounds": 1,
    "hand_size": 7,
    "decks": 1,
    "deck": "nambarz",
    "max_cards": None,
    "penalty_cards": 3,
    "turn_limit": 10_000,
    "recycle": "shuffle",
    "unfinished_bonus": False,
    "play_off": "win",
    "teammates_see_hands": False,
}


def error_of(**options: Any) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        Rules(**options)
    return str(caught.value)


# Defaults


def test_the_default_of_every_option() -> None:
    rules = Rules()
    assert {field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)} == DEFAULTS


@pytest.mark.clause("R2.1", "R8.1")
def test_the_defaults_are_the_rulebooks_figures() -> None:
    assert Rules().hand_size == FIGURES["deal"]["hand-size"]
    assert Rules().penalty_cards == FIGURES["points"]["penalty-cards"]
    assert list(POINTS_BY_PLACE) == FIGURES["points"]["by-place"]
    assert sum(Rules().copies) == FIGURES["deck"]["cards"]


def test_rules_cannot_be_changed_in_place_and_equal_ones_are_one_key() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().players = 5  # type: ignore[misc]
    assert len({Rules(), Rules(players=4), Rules(wildcards=12), Rules(operations="/*-+"), Rules(players=5)}) == 2


def test_replace_changes_what_it_is_told_and_checks_it() -> None:
    rules = Rules(operations="+-", wildcards={"replay": 1})
    assert rules.replace(players=2) == Rules(players=2, operations="+-", wildcards={"replay": 1})
    with pytest.raises(ValueError, match=r"players: 1 is not allowed; give a whole number from 2 to 12"):
        rules.replace(players=1)


# Limits of the whole numbers


LIMITS = {
    "players": (2, 12),
    "rounds": (1, 1000),
    "hand_size": (1, 50),
    "decks": (1, 10),
    "penalty_cards": (0, 20),
    "turn_limit": (1, 10_000),
    "max_cards": (2, 12),
}
ROOM: dict[str, dict[str, Any]] = {"hand_size": {"players": 2, "decks": 2}}
"""Options beside which the largest value can be dealt."""


@pytest.mark.parametrize("name", LIMITS)
def test_both_limits_are_allowed(name: str) -> None:
    for value in LIMITS[name]:
        assert getattr(Rules(**{name: value}, **ROOM.get(name, {})), name) == value


@pytest.mark.parametrize("name", LIMITS)
def test_a_number_beyond_a_limit_is_refused_with_both_limits(name: str) -> None:
    least, most = LIMITS[name]
    for value in (least - 1, most + 1):
        assert error_of(**{name: value}) == (
            f"{name}: {value!r} is not allowed; give a whole number from {least} to {most}"
        )


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("value", [True, 3.0, "3", (3,), float("nan")])
def test_what_is_no_whole_number_is_refused(name: str, value: object) -> None:
    message = error_of(**{name: value})
    assert message.startswith(f"{name}: {value!r} is not allowed; give a whole number from ")


@pytest.mark.parametrize("name", sorted(set(LIMITS) - {"max_cards"}))
def test_only_max_cards_may_be_none(name: str) -> None:
    assert f"{name}: None is not allowed" in error_of(**{name: None})


@pytest.mark.clause("R9.1")
def test_short_typical_long_games_and_any_number_of_rounds() -> None:
    assert [Rules(rounds=rounds).rounds for rounds in FIGURES["game"]["rounds"]] == [1, 3, 5]
    assert Rules(rounds=2).rounds == 2


@pytest.mark.clause("R3.8")
def test_max_cards_is_the_largest_calculation_or_the_tables_twelve() -> None:
    assert Rules(max_cards=3).largest_calculation == 3
    assert Rules().largest_calculation == 12


# Options with names


NAMED = {
    "steps": (["whole", "integer", "rational"], "wholes", "whole"),
    "recycle": (["shuffle", "flip"], "shufle", "shuffle"),
    "play_off": (["win", "all", "none"], "wins", "win"),
}


@pytest.mark.parametrize("name", NAMED)
def test_each_known_name_is_allowed(name: str) -> None:
    assert [getattr(Rules(**{name: value}), name) for value in NAMED[name][0]] == NAMED[name][0]


@pytest.mark.parametrize("name", NAMED)
def test_an_unknown_name_lists_the_known_ones_and_suggests_the_nearest(name: str) -> None:
    known, typed, meant = NAMED[name]
    assert error_of(**{name: typed}) == (
        f"{name}: {typed!r} is not known; known are {', '.join(known)}. Did you mean {meant!r}?"
    )


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("value", [None, 1, ["whole"]])
def test_what_is_no_name_is_refused(name: str, value: object) -> None:
    assert error_of(**{name: value}).startswith(f"{name}: {value!r} is not known; known are ")


@pytest.mark.parametrize("name", ["unfinished_bonus", "teammates_see_hands"])
def test_a_switch_is_true_or_false(name: str) -> None:
    assert [getattr(Rules(**{name: value}), name) for value in (True, False)] == [True, False]
    for value in (1, 0, "yes", None):
        assert error_of(**{name: value}) == f"{name}: {value!r} is not allowed; give true or false"


# Operations


@pytest.mark.clause("R3.8")
@pytest.mark.parametrize(
    ("given_as", "kept"),
    [
        ("+-*/", "+-*/"),
        ("/*-+", "+-*/"),
        ("+", "+"),
        ("-+-+", "+-"),
        ("+ - ×", "+-*"),
        ("÷, ·, −", "-*/"),
        (("*", "+"), "+*"),
    ],
)
def test_operations_are_kept_once_each_in_one_order(given_as: Any, kept: str) -> None:
    assert Rules(operations=given_as).operations == kept


@pytest.mark.clause("R3.8")
@pytest.mark.parametrize("value", ["", " ", "plus", "+-x", "+^", None, 4, (), ("+", "mod")])
def test_operations_that_are_none_are_refused(value: Any) -> None:
    message = error_of(operations=value)
    assert message.startswith(f"operations: {value!r} is not allowed")
    assert message.endswith('give one or more of + - * /, such as "+-"')


def test_the_sign_that_is_no_operation_is_named() -> None:
    assert "'^' is no operation" in error_of(operations="+-^")


# Wildcards (R1.4)


@pytest.mark.clause("R1.4")
@pytest.mark.parametrize("level", FIGURES["levels"])
def test_a_level_has_its_wildcards_the_same_of_each_kind(level: str) -> None:
    total = FIGURES["levels"][level]
    rules = Rules(wildcards=level)
    assert rules.wildcards == (total // 4,) * 4
    assert rules == Rules(wildcards=total) == Rules.preset(level)
    assert sum(rules.copies) == 80 + total


@pytest.mark.clause("R1.4")
def test_the_levels_are_the_rulebooks() -> None:
    assert {level: 4 * each for level, each in LEVELS.items()} == FIGURES["levels"]


@pytest.mark.clause("R1.4")
@REPEATABLE
@given(st.dictionaries(st.sampled_from(WILDCARDS), st.integers(0, 99)))
def test_any_count_of_each_kind_is_allowed_and_kinds_left_out_are_none(counts: dict[str, int]) -> None:
    rules = Rules(wildcards=counts, players=2)
    assert list(rules.wildcards) == [counts.get(kind, 0) for kind in WILDCARDS]
    assert dict(zip(map(str, rules.the_deck.cards), rules.copies, strict=True)).items() >= counts.items()


@pytest.mark.clause("R1.4")
def test_every_total_that_is_allowed_can_be_written_and_changed_again() -> None:
    for total in range(0, 401, 4):
        try:
            rules = Rules(wildcards=total)
        except ValueError:
            assert total > 4 * 99
        else:
            assert rules.replace(wildcards=dict(zip(WILDCARDS, rules.wildcards, strict=True))) == rules


@pytest.mark.clause("R1.4")
@pytest.mark.parametrize("value", [-4, 3, 10, 404])
def test_a_total_that_cannot_be_shared_out_is_refused(value: int) -> None:
    message = error_of(wildcards=value)
    assert message.startswith(f"wildcards: {value} does not divide by 4 or is outside 0 to ")
    assert "give a multiple of 4, or each kind's count" in message


@pytest.mark.parametrize("count", [-1, 100, 1.0, "2", True, None])
def test_a_count_of_one_kind_is_limited(count: Any) -> None:
    message = error_of(wildcards={"replay": count})
    assert message == f"wildcards, replay: {count!r} is not allowed; give a whole number from 0 to 99"


def test_counts_as_read_from_other_rules_are_checked_too() -> None:
    assert Rules(wildcards=WildcardCounts(1, 2, 3, 4)).wildcards == (1, 2, 3, 4)
    assert "wildcards, change-number: -1 is not allowed" in error_of(wildcards=WildcardCounts(-1, 0, 0, 0))


def test_unknown_levels_and_kinds_suggest_the_nearest() -> None:
    assert error_of(wildcards="toplevel") == (
        "wildcards: 'toplevel' is not known; known are beginner, experienced, top-level. Did you mean 'top-level'?"
    )
    assert error_of(wildcards={"change-numbers": 1}) == (
        "wildcards: 'change-numbers' is not known; known are change-number, change-picture, change-any, replay. "
        "Did you mean 'change-number'?"
    )


@pytest.mark.parametrize("value", [None, 8.0, True, [1, 1, 1, 1], (1, 1, 1, 1)])
def test_wildcards_of_another_form_are_refused_with_the_three_forms(value: Any) -> None:
    message = error_of(wildcards=value)
    assert message.startswith(f"wildcards: {value!r} is not allowed; give beginner, experienced, top-level")
    assert "a total that divides by 4" in message
    assert "each kind's count" in message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("experienced", "experienced (2 change-number, 2 change-picture, 2 change-any, 2 replay)"),
        ({"replay": 3}, "0 change-number, 0 change-picture, 0 change-any, 3 replay"),
    ],
)
def test_wildcards_are_printed_by_level_and_count(value: Any, text: str) -> None:
    assert str(Rules(wildcards=value).wildcards) == text


@pytest.mark.clause("R1.4")
def test_several_decks_are_shuffled_together() -> None:
    one, three = Rules(wildcards="experienced"), Rules(wildcards="experienced", decks=3)
    assert three.copies == tuple(3 * copies for copies in one.copies)


# The deal (R1.5)


def can_be_dealt(**options: Any) -> bool:
    try:
        Rules(**options)
    except ValueError:
        return False
    return True


@pytest.mark.clause("R1.5")
def test_twelve_players_at_top_level_are_refused_with_the_numbers_and_the_ways_out() -> None:
    message = error_of(players=12, wildcards="top-level")
    assert message.startswith("players: 12 players with 7 cards each")
    assert f"need {FIGURES['deal']['cards-for-twelve-players']} cards" in message
    assert f"the deck has {FIGURES['deal']['top-level-cards']};" in message
    assert "at most 11 players" in message
    assert all(way in message for way in ("hand_size", "more wildcards", "decks"))


@pytest.mark.clause("R1.5")
def test_each_way_out_of_twelve_players_at_top_level_works() -> None:
    for change in ({"players": 11}, {"hand_size": 6}, {"wildcards": "experienced"}, {"decks": 2}):
        assert can_be_dealt(**{"players": 12, "wildcards": "top-level"} | change)


@pytest.mark.clause("R1.5")
def test_without_wildcards_eleven_players_are_the_most() -> None:
    most = FIGURES["deal"]["most-players-without-wildcards"]
    assert can_be_dealt(players=most, wildcards=0)
    assert not can_be_dealt(players=most + 1, wildcards=0)
    assert f"take at most {most} players" in error_of(players=most + 1, wildcards=0)


@pytest.mark.clause("R1.5")
@pytest.mark.parametrize("level", ["beginner", "experienced"])
def test_twelve_players_can_be_dealt_with_more_wildcards(level: str) -> None:
    assert can_be_dealt(players=MOST_PLAYERS, wildcards=level)


@pytest.mark.clause("R1.5")
@REPEATABLE
@given(st.integers(2, 12), st.integers(1, 50), st.integers(0, 30), st.integers(1, 3))
def test_a_game_is_allowed_just_if_its_cards_can_be_dealt(players: int, hand: int, each: int, decks: int) -> None:
    there = decks * (80 + 4 * each)
    options = {"players": players, "hand_size": hand, "wildcards": 4 * each, "decks": decks}
    assert can_be_dealt(**options) == (players * hand + 1 <= there)


# Teams (R9.3)


@pytest.mark.clause("R9.3")
@pytest.mark.parametrize(
    ("players", "sizes", "teams"),
    [
        (4, (2, 2), (0, 0, 1, 1)),
        (5, (2, 3), (0, 0, 1, 1, 1)),
        (5, (3, 2), (0, 0, 0, 1, 1)),
        (12, (3, 3, 3, 3), (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3)),
        (12, (2, 10), (0, 0, *(1,) * 10)),
    ],
)
def test_members_of_a_team_sit_together(players: int, sizes: tuple[int, ...], teams: tuple[int, ...]) -> None:
    assert Rules(players=players, team_sizes=sizes).teams == teams


@pytest.mark.clause("R9.3")
def test_without_teams_every_seat_is_its_own() -> None:
    assert Rules(players=3).teams == (0, 1, 2)


def test_team_sizes_may_be_a_list() -> None:
    assert Rules(team_sizes=[2, 2]).team_sizes == (2, 2)  # type: ignore[arg-type]


@pytest.mark.clause("R9.3")
@pytest.mark.parametrize(
    ("players", "sizes", "total"), [(4, (4,), 4), (4, (2, 3), 5), (6, (2, 2), 4), (4, (), 0), (6, (2, 2, 2, 2), 8)]
)
def test_teams_that_do_not_add_up_are_refused(players: int, sizes: tuple[int, ...], total: int) -> None:
    message = error_of(players=players, team_sizes=sizes)
    assert message.startswith(f"team_sizes: {sizes} adds up to {total} in {len(sizes)} team(s); ")
    assert f"at least two teams of at least two that add up to the {players} players" in message


@pytest.mark.clause("R9.3")
@pytest.mark.parametrize(("sizes", "wrong"), [((1, 3), "1"), ((0, 4), "0"), ((2, -2, 4), "-2"), ((2.0, 2), "2.0")])
def test_a_team_of_fewer_than_two_is_refused(sizes: tuple[int, ...], wrong: str) -> None:
    assert error_of(team_sizes=sizes) == f"team_sizes: {wrong} is not allowed; give a whole number from 2 to 4"


@pytest.mark.parametrize("value", [2, True, 2.5])
def test_team_sizes_that_are_no_list_are_refused_as_such(value: Any) -> None:
    assert error_of(team_sizes=value).startswith("team_sizes: ")


# Presets


@pytest.mark.clause("R1.4")
def test_the_presets() -> None:
    assert Rules.presets() == ["beginner", "experienced", "first-lessons", "top-level"]
    assert Rules.preset("first-lessons") == Rules(operations="+-")
    assert Rules.preset("top-level", players=2, rounds=5) == Rules(players=2, rounds=5, wildcards=4)


def test_an_unknown_preset_lists_the_known_ones_and_suggests_the_nearest() -> None:
    with pytest.raises(ValueError, match="preset: 'experience' is not known") as caught:
        Rules.preset("experience")
    message = str(caught.value)
    assert "known are beginner, experienced, first-lessons, top-level" in message
    assert "Did you mean 'experienced'?" in message


@pytest.mark.parametrize("name", ["", "../presets/beginner", "beginner.toml"])
def test_a_preset_is_a_name_and_no_path(name: str) -> None:
    with pytest.raises(ValueError, match=r"preset: .* is not known"):
        Rules.preset(name)


def test_an_unknown_option_of_a_preset_lists_the_options_and_suggests_the_nearest() -> None:
    with pytest.raises(ValueError, match="option of the rules: 'plyers' is not known") as caught:
        Rules.preset("beginner", plyers=3)
    message = str(caught.value)
    assert "Did you mean 'players'?" in message
    assert all(name in message for name in DEFAULTS)


def test_a_changed_option_of_a_preset_is_checked() -> None:
    with pytest.raises(ValueError, match="players: 13 is not allowed"):
        Rules.preset("beginner", players=13)
    with pytest.raises(ValueError, match="need 85 cards"):
        Rules.preset("top-level", players=12)


# Files


def team_sizes(players: int) -> st.SearchStrategy[tuple[int, ...] | None]:
    pairs = [(first, players - first) for first in range(2, players - 1)]
    return st.sampled_from([None, *pairs])


@st.composite
def playable_rules(draw: st.DrawFn) -> Rules:
    players = draw(st.integers(2, 12))
    return Rules(
        players=players,
        wildcards=draw(st.fixed_dictionaries({kind: st.integers(3, 99) for kind in WILDCARDS})),
        operations=draw(st.text(alphabet="+-*/", min_size=1, max_size=6)),
        steps=draw(st.sampled_from(NAMED["steps"][0])),
        team_sizes=draw(team_sizes(players)),
        rounds=draw(st.integers(1, 1000)),
        hand_size=draw(st.integers(1, 7)),
        decks=draw(st.integers(1, 10)),
        max_cards=draw(st.none() | st.integers(2, 12)),
        penalty_cards=draw(st.integers(0, 20)),
        turn_limit=draw(st.integers(1, 10_000)),
        recycle=draw(st.sampled_from(NAMED["recycle"][0])),
        unfinished_bonus=draw(st.booleans()),
        play_off=draw(st.sampled_from(NAMED["play_off"][0])),
        teammates_see_hands=draw(st.booleans()),
    )


@REPEATABLE
@given(playable_rules())
def test_saved_rules_are_loaded_again(tmp_path_factory: pytest.TempPathFactory, rules: Rules) -> None:
    path = tmp_path_factory.mktemp("rules") / "ours.toml"
    rules.save(path)
    assert Rules.load(path) == Rules.load(str(path)) == rules


@REPEATABLE
@given(playable_rules())
def test_toml_holds_every_option_but_those_that_are_none(rules: Rules) -> None:
    written = tomllib.loads(rules.to_toml())
    assert list(written) == [name for name in DEFAULTS if getattr(rules, name) is not None]
    assert written == {name: value for name, value in rules.to_dict().items() if value is not None}


@REPEATABLE
@given(playable_rules())
def test_the_options_as_plain_values_make_the_same_rules(rules: Rules) -> None:
    values = rules.to_dict()
    assert list(values) == list(DEFAULTS)
    assert Rules(**values) == rules


@pytest.mark.parametrize("name", ["plain.csv", 'a "quoted" deck.csv', "back\\slash.csv", "überraschung.csv"])
def test_the_path_of_a_deck_survives_saving(tmp_path: Path, name: str) -> None:
    deck = tmp_path / name
    deck.write_text("kind,number,animal,copies\nnumber,0,,50\nnumber,7,,50\n", encoding="utf-8")
    rules = Rules(deck=str(deck))
    rules.save(tmp_path / "rules.toml")
    loaded = Rules.load(tmp_path / "rules.toml")
    assert loaded == rules
    assert loaded.the_deck == Deck.load(str(deck))
    assert loaded.copies == (50, 50, 3, 3, 3, 3)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "class.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def load_error(path: Path) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        Rules.load(path)
    return str(caught.value)


def test_options_left_out_of_a_file_have_their_defaults(tmp_path: Path) -> None:
    assert Rules.load(written(tmp_path, "")) == Rules()
    assert Rules.load(written(tmp_path, b"\xef\xbb\xbf# ours\nplayers = 6\n")) == Rules(players=6)


def test_each_form_of_an_option_may_stand_in_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, 'players = 5\nteam_sizes = [2, 3]\noperations = "+ ×"\nwildcards = {replay = 2}\n')
    assert Rules.load(path) == Rules(players=5, team_sizes=(2, 3), operations="+*", wildcards={"replay": 2})
    assert Rules.load(written(tmp_path, 'wildcards = "top-level"')) == Rules(wildcards=4)
    assert Rules.load(written(tmp_path, "wildcards = 8")) == Rules(wildcards="experienced")


def test_an_unknown_option_in_a_file_suggests_the_nearest(tmp_path: Path) -> None:
    message = load_error(written(tmp_path, "handsize = 5"))
    assert "option of the rules: 'handsize' is not known" in message
    assert "Did you mean 'hand_size'?" in message


def test_a_wrong_option_in_a_file_is_refused_as_in_a_call(tmp_path: Path) -> None:
    assert load_error(written(tmp_path, "players = 13")) == error_of(players=13)
    assert load_error(written(tmp_path, "players = 12\nwildcards = 4")) == error_of(players=12, wildcards=4)


@pytest.mark.parametrize("text", ["players: 4", "players = four", b'deck = "\xe4"', "players = 2\nplayers = 3"])
def test_a_file_that_is_no_toml_is_refused_with_its_name(tmp_path: Path, text: str | bytes) -> None:
    message = load_error(written(tmp_path, text))
    assert "class.toml" in message
    assert "TOML in UTF-8" in message


def test_a_file_that_does_not_exist_is_named(tmp_path: Path) -> None:
    message = load_error(tmp_path / "none.toml")
    assert "none.toml' does not exist; give the path of a TOML file" in message


def test_a_folder_is_no_rules_file(tmp_path: Path) -> None:
    assert tmp_path.name in load_error(tmp_path)


# Decks


def test_an_unknown_deck_is_refused_when_the_rules_are_made() -> None:
    message = error_of(deck="nambars")
    assert message.startswith("deck: 'nambars' is not known; known are ")
    assert "Did you mean 'nambarz'?" in message
