"""Random streams keyed by (seed, game, round, purpose): Philox4x32-10.

Reference: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011). A block of four
32-bit numbers is a function of a 64-bit key (the seed) and a 128-bit counter (game, round and purpose, block), so any
stream can be had without drawing the ones before it. All arithmetic keeps to the low 64 bits of signed integers,
which compiled code wraps and plain Python masks to the same result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nambarz_sim._numba import kernel

# slots of a stream
KEY_LOW, KEY_HIGH, GAME_LOW, GAME_HIGH, PURPOSE, BLOCK, LEFT, NUMBERS = range(8)
STREAM_SIZE = NUMBERS + 4

# purposes; a seat's strategy has PURPOSE_SEAT + seat, the errors of the pupil in that seat PURPOSE_PUPIL + seat; hands
# that are dealt to be looked at, without a game, have PURPOSE_HANDS
PURPOSE_DEAL, PURPOSE_RECYCLE, PURPOSE_SEAT, PURPOSE_PUPIL, PURPOSE_HANDS = 0, 1, 2, 32, 64

MASK = 0xFFFFFFFF
_MULTIPLIER_0, _MULTIPLIER_1 = 0xD2511F53, 0xCD9E8D57
_WEYL_0, _WEYL_1 = 0x9E3779B9, 0xBB67AE85


def new_stream() -> NDArray[np.int64]:
    """An empty stream, shape ``(STREAM_SIZE,)``; `start_stream` keys it."""
    return np.zeros(STREAM_SIZE, dtype=np.int64)


@kernel(inline="small")
def start_stream(stream, seed, game, round_number, purpose):  # type: ignore[no-untyped-def]
    """Key a stream; the first number drawn is that of block 0."""
    stream[KEY_LOW] = seed & MASK
    stream[KEY_HIGH] = (seed >> 32) & MASK
    stream[GAME_LOW] = game & MASK
    stream[GAME_HIGH] = (game >> 32) & MASK
    stream[PURPOSE] = (round_number << 8) | purpose
    stream[BLOCK] = 0
    stream[LEFT] = 0


@kernel(inline="small")
def _next_block(stream):  # type: ignore[no-untyped-def]
    """Fill the stream's four numbers from its key and counter, and step the counter."""
    a, b, c, d = int(stream[BLOCK]), int(stream[PURPOSE]), int(stream[GAME_LOW]), int(stream[GAME_HIGH])
    key_0, key_1 = int(stream[KEY_LOW]), int(stream[KEY_HIGH])
    for _ in range(10):
        product_0 = _MULTIPLIER_0 * a
        product_1 = _MULTIPLIER_1 * c
        a = ((product_1 >> 32) & MASK) ^ b ^ key_0
        b = product_1 & MASK
        c = ((product_0 >> 32) & MASK) ^ d ^ key_1
        d = product_0 & MASK
        key_0 = (key_0 + _WEYL_0) & MASK
        key_1 = (key_1 + _WEYL_1) & MASK
    stream[NUMBERS] = a
    stream[NUMBERS + 1] = b
    stream[NUMBERS + 2] = c
    stream[NUMBERS + 3] = d
    stream[BLOCK] += 1
    stream[LEFT] = 4


@kernel(inline="small")
def random_bits(stream):  # type: ignore[no-untyped-def]
    """The stream's next whole number from 0 to 2**32 - 1."""
    if stream[LEFT] == 0:
        _next_block(stream)
    stream[LEFT] -= 1
    return int(stream[NUMBERS + 3 - stream[LEFT]])


@kernel(inline="small")
def random_below(stream, bound):  # type: ignore[no-untyped-def]
    """A whole number from 0 to bound - 1, each equally likely (Lemire 2019, with rejection); bound below 2**31."""
    product = random_bits(stream) * bound
    if (product & MASK) < bound:
        threshold = (MASK + 1) % bound
        while (product & MASK) < threshold:
            product = random_bits(stream) * bound
    return product >> 32


@kernel(inline="small")
def random_unit(stream):  # type: ignore[no-untyped-def]
    """A number from 0 up to, not including, 1."""
    return random_bits(stream) / 4294967296.0
