"""The random streams: known answers, even spread, and streams that do not touch each other."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from nambarz_sim import _rng
from nambarz_sim._numba import compiled
from nambarz_sim._rng import BLOCK, new_stream

machine = compiled(_rng)
random_below, random_bits, random_unit, start_stream = (
    machine.random_below, machine.random_bits, machine.random_unit, machine.start_stream
)  # fmt: skip
REPEATABLE = settings(deadline=None, derandomize=True, database=None, max_examples=200)
SEEDS = st.integers(0, 2**63 - 1)
GAMES = st.integers(0, 2**63 - 1)
ROUNDS = st.integers(0, 2**24 - 1)
PURPOSES = st.integers(0, 255)
KEYS = st.tuples(SEEDS, GAMES, ROUNDS, PURPOSES)
LEAST_P = 1e-4
"""The draws are fixed, so a test either always passes or never; one good generator in 10,000 would fail it."""


def started(*key: int) -> np.ndarray:
    stream = new_stream()
    start_stream(stream, *key)
    return stream


def bits(stream: np.ndarray, count: int) -> list[int]:
    return [int(random_bits(stream)) for _ in range(count)]


# Philox4x32-10 in the published order: counter words are block, round and purpose, game (low, high); the key is the seed.
# (seed, game, round, purpose, block, answer); -1 is the 64-bit number of all ones.
KNOWN_ANSWERS = [
    (0, 0, 0, 0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    (-1, -1, 0xFFFFFF, 0xFF, 0xFFFFFFFF, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (0x299F31D0A4093822, 0x0370734413198A2E, 0x85A308, 0xD3, 0x243F6A88, "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


@pytest.mark.parametrize(("seed", "game", "round_number", "purpose", "block", "answer"), KNOWN_ANSWERS)
def test_the_published_known_answers(
    seed: int, game: int, round_number: int, purpose: int, block: int, answer: str
) -> None:
    stream = started(seed, game, round_number, purpose)
    stream[BLOCK] = block
    assert " ".join(f"{number:08x}" for number in bits(stream, 4)) == answer


def test_the_next_four_numbers_are_those_of_the_next_block() -> None:
    through, jumped = started(7, 3, 2, 1), started(7, 3, 2, 1)
    jumped[BLOCK] = 1
    assert bits(through, 8)[4:] == bits(jumped, 4)


def philox(counter: list[int], key: list[int]) -> list[int]:
    """The generator as its authors write it, with Python's own whole numbers."""
    for place in range(10):
        if place:
            key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]
        high_0, low_0 = divmod(0xD2511F53 * counter[0], 2**32)
        high_1, low_1 = divmod(0xCD9E8D57 * counter[2], 2**32)
        counter = [high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0]
    return counter


@REPEATABLE
@given(KEYS, st.integers(0, 2**32 - 1))
def test_any_block_of_any_stream_is_philox_of_its_key(key: tuple[int, int, int, int], block: int) -> None:
    seed, game, round_number, purpose = key
    stream = started(*key)
    stream[BLOCK] = block
    counter = [block, round_number * 256 + purpose, game % 2**32, game // 2**32]
    assert bits(stream, 4) == philox(counter, [seed % 2**32, seed // 2**32])


# Whole numbers below a bound


@REPEATABLE
@given(KEYS, st.integers(1, 2**31 - 1))
def test_numbers_below_a_bound_are_in_range(key: tuple[int, int, int, int], bound: int) -> None:
    stream = started(*key)
    assert all(0 <= random_below(stream, bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 10, 34, 91, 92, 1000])
def test_numbers_below_a_bound_are_even(bound: int) -> None:
    stream = started(2024, 0, 0, bound % 256)
    drawn = np.bincount([random_below(stream, bound) for _ in range(20_000)], minlength=bound)
    assert chisquare(drawn).pvalue > LEAST_P


def test_a_bound_that_does_not_divide_the_range_is_not_skewed() -> None:
    # Without rejection a third of these numbers would come up 1.5 times as often as another third.
    stream, bound = started(2024, 1, 0, 0), 3 * 2**29
    drawn = np.array([random_below(stream, bound) for _ in range(20_000)])
    assert chisquare(np.bincount(drawn % 3, minlength=3)).pvalue > LEAST_P
    assert chisquare(np.bincount(drawn * 8 // bound, minlength=8)).pvalue > LEAST_P


def test_below_one_there_is_only_zero() -> None:
    stream = started(5, 0, 0, 0)
    assert {int(random_below(stream, 1)) for _ in range(50)} == {0}


def test_pairs_of_numbers_are_even() -> None:
    stream = started(2024, 2, 0, 0)
    pairs = [6 * random_below(stream, 6) + random_below(stream, 6) for _ in range(20_000)]
    assert chisquare(np.bincount(pairs, minlength=36)).pvalue > LEAST_P


def test_shuffles_made_with_the_stream_are_even() -> None:
    stream, counts = started(2024, 3, 0, 0), {}
    for _ in range(12_000):
        cards = list("abcd")
        for place in range(3, 0, -1):
            other = int(random_below(stream, place + 1))
            cards[place], cards[other] = cards[other], cards[place]
        counts["".join(cards)] = counts.get("".join(cards), 0) + 1
    assert len(counts) == 24
    assert chisquare(list(counts.values())).pvalue > LEAST_P


@REPEATABLE
@given(KEYS)
def test_a_number_from_zero_to_one_is_the_bits_over_their_range(key: tuple[int, int, int, int]) -> None:
    units, whole = started(*key), started(*key)
    for number in bits(whole, 8):
        assert Fraction(float(random_unit(units))) == Fraction(number, 2**32) < 1


# Streams


@REPEATABLE
@given(KEYS)
def test_a_stream_started_again_begins_again(key: tuple[int, int, int, int]) -> None:
    stream = started(*key)
    first = bits(stream, 11)
    start_stream(stream, *key)
    assert bits(stream, 11) == first


@REPEATABLE
@given(st.lists(KEYS, min_size=2, max_size=8, unique=True))
def test_different_keys_give_different_streams(keys: list[tuple[int, int, int, int]]) -> None:
    assert len({tuple(bits(started(*key), 4)) for key in keys}) == len(keys)


def test_neighbouring_games_rounds_purposes_and_seeds_have_streams_of_their_own() -> None:
    keys = [(seed, game, number, purpose) for seed in range(3) for game in range(20) for number in range(5)
            for purpose in range(14)]  # fmt: skip
    assert len({tuple(bits(started(*key), 2)) for key in keys}) == len(keys)


def test_neighbouring_streams_are_not_alike() -> None:
    # The first draws of many games, as a batch uses them: as even as those of one stream.
    firsts = [int(random_below(started(1, game, 0, 0), 92)) for game in range(20_000)]
    assert chisquare(np.bincount(firsts, minlength=92)).pvalue > LEAST_P
    steps = (np.array(firsts[1:]) - np.array(firsts[:-1])) % 92
    assert chisquare(np.bincount(steps, minlength=92)).pvalue > LEAST_P


@REPEATABLE
@given(st.lists(KEYS, min_size=2, max_size=4, unique=True), st.data())
def test_a_stream_gives_the_same_numbers_whatever_is_drawn_from_others(
    keys: list[tuple[int, int, int, int]], data: st.DataObject
) -> None:
    alone = [bits(started(*key), 24) for key in keys]
    streams, mixed = [started(*key) for key in keys], [[] for _ in keys]
    for which in data.draw(st.lists(st.integers(0, len(keys) - 1), max_size=24)):
        mixed[which].append(int(random_bits(streams[which])))
    assert all(got == expected[: len(got)] for got, expected in zip(mixed, alone, strict=True))
