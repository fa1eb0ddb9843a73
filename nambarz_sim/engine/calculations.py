"""The minimal calculations as arrays of numbers' places, worked out once for all variants with the same ones.

Players, wildcards and most other options change nothing here, so that the packed rules of many variants are made quickly.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS, MinimalTable, minimal_table

Ints = NDArray[np.int64]

MOST_INDEX_ENTRIES = 4_000_000

# One set: (target index, number indices in rising order, its pairs as (order of number indices, operations)).
_Set = tuple[int, tuple[int, ...], list[tuple[tuple[int, ...], str]]]


class Calculations(NamedTuple):
    """The sets of cards that make a number, numbers by their places in rising order.

    By set: ``copies (sets, numbers)`` of each number, ``size``, ``numbers (sets, LARGEST)`` in rising order, and
    ``first_pair``, its pairs of a set and a number that may come last. By pair: ``order`` and ``pair_numbers (pairs,
    LARGEST)``, ``operations`` and how many of each, ``operation_counts``. ``target_sets``: where the sets of a target
    start. ``index_start`` and ``index_sets``: those that a combination of ``groups`` of numbers may hold. ``most``: the
    plays of the target with most, with every choice of animals.
    """

    copies: Ints
    size: Ints
    numbers: Ints
    first_pair: Ints
    target_sets: Ints
    order: Ints
    pair_numbers: Ints
    operations: Ints
    operation_counts: Ints
    index_start: Ints
    index_sets: Ints
    groups: int
    most: int


@lru_cache(maxsize=32)
def list_calculations(
    held: tuple[tuple[int, int], ...], picture_types: tuple[int, ...], operations: str, steps: str, largest: int
) -> Calculations:
    """The calculations of a deck.

    Parameters
    ----------
    held
        Each number and the most cards of one type that carry it.
    picture_types
        For each number how many types of picture card carry it.
    operations, steps, largest
        As `nambarz_sim.arithmetic.table.minimal_table` takes them.
    """
    numbers = [number for number, _ in held]
    sets = _sets(minimal_table(held, operations, steps, largest), numbers)
    groups = _group_count(sets, len(numbers))
    copies = np.zeros((max(1, len(sets)), len(numbers)), dtype=np.int64)
    for row, (_, indices, _) in enumerate(sets):
        np.add.at(copies[row], list(indices), 1)
    index_start, index = _index(sets, len(numbers), groups)
    return Calculations(
        copies, **_set_arrays(sets, len(numbers)), index_start=index_start, index_sets=index, groups=groups,
        most=_most_plays(sets, picture_types),
    )  # fmt: skip


def _sets(table: MinimalTable, numbers: list[int]) -> list[_Set]:
    place = {number: index for index, number in enumerate(numbers)}
    sets: dict[tuple[int, tuple[int, ...]], _Set] = {}
    for entry in table.calculations:
        key = (place[entry.target], tuple(place[number] for number in entry.numbers))
        sets.setdefault(key, (*key, []))[2].append((tuple(place[number] for number in entry.order), entry.operations))
    return list(sets.values())


def _group_count(sets: list[_Set], numbers: int) -> int:
    """As many groups as the index can afford: numbers share a group where there are many numbers or many sets."""
    for groups in range(min(numbers, 10), 1, -1):
        entries = sum(1 << (groups - len({index % groups for index in indices})) for _, indices, _ in sets)
        if entries + (numbers << groups) <= MOST_INDEX_ENTRIES:
            return groups
    return 1


def _index(sets: list[_Set], numbers: int, groups: int) -> tuple[Ints, Ints]:
    """For each target and each combination of groups present, the sets that need no other group, largest first."""
    combinations = np.arange(1 << groups)
    starts, entries = [0], []
    for target in range(numbers):
        rows = [row for row, entry in enumerate(sets) if entry[0] == target]
        support = np.array([sum({1 << (index % groups) for index in sets[row][1]}) for row in rows], dtype=np.int64)
        fits = (support[None, :] & ~combinations[:, None]) == 0
        starts.extend((starts[-1] + np.cumsum(fits.sum(axis=1))).tolist())
        entries.append(np.array(rows, dtype=np.int64)[np.nonzero(fits)[1]])
    return np.array(starts, dtype=np.int64), np.concatenate([np.zeros(0, dtype=np.int64), *entries])


def _set_arrays(sets: list[_Set], numbers: int) -> dict[str, Ints]:
    pairs = sum(len(entry[2]) for entry in sets)
    rising = np.full((max(1, len(sets)), LARGEST), -1, dtype=np.int64)
    order = np.full((max(1, pairs), LARGEST), -1, dtype=np.int64)
    pair_numbers = np.full((max(1, pairs), LARGEST), -1, dtype=np.int64)
    operations = np.zeros((max(1, pairs), LARGEST), dtype=np.int64)
    counts = np.zeros((max(1, pairs), len(OPERATIONS)), dtype=np.int64)
    first_pair = np.zeros(len(sets) + 1, dtype=np.int64)
    pair = 0
    for row, (_, indices, ways) in enumerate(sets):
        rising[row, : len(indices)] = indices
        for numbers_laid, signs in ways:
            pair_numbers[pair, : len(numbers_laid)] = numbers_laid
            order[pair, : len(numbers_laid)] = _slots(indices, numbers_laid)
            operations[pair, : len(signs)] = [1 + OPERATIONS.index(sign) for sign in signs]
            counts[pair] = [signs.count(sign) for sign in OPERATIONS]
            pair += 1
        first_pair[row + 1] = pair
    targets = [entry[0] for entry in sets]
    return {
        "size": np.array([len(entry[1]) for entry in sets] or [0], dtype=np.int64),
        "numbers": rising,
        "first_pair": first_pair,
        "target_sets": np.searchsorted(targets, np.arange(numbers + 1)).astype(np.int64),
        "order": order,
        "pair_numbers": pair_numbers,
        "operations": operations,
        "operation_counts": counts,
    }


def _slots(rising: tuple[int, ...], laid: tuple[int, ...]) -> list[int]:
    """For each number laid its place in rising order; the last one takes the first place of its number."""
    free = list(range(len(rising)))
    slots = []
    for number in reversed(laid):
        slot = next(place for place in free if rising[place] == number)
        free.remove(slot)
        slots.append(slot)
    return slots[::-1]


def _most_plays(sets: list[_Set], picture_types: tuple[int, ...]) -> int:
    """The plays of the target with most, all its calculations at once, with every choice of animals."""
    calculations = [0] * len(picture_types)
    for target, indices, ways in sets:
        pictures = 1
        for index in indices:
            pictures *= max(1, picture_types[index])
        calculations[target] += len(ways) + pictures * sum(max(1, picture_types[order[-1]]) for order, _ in ways)
    return max(calculations)
