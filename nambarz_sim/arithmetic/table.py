"""The table of minimal calculations: every set of numbers that may be laid for a target.

A calculation is worked left to right, the next card always on the right (R3.2), inside the allowed steps (R3.3) and
with the allowed operations (R3.8); no smaller selection of its cards may give the same number (R3.5), and no card may
be the target itself (R3.6). So a set of numbers either is a calculation for a target or is not, whatever else the
hand holds, and all of them can be listed beforehand.

How the list is made. If the cards ``c1 … ck`` are minimal for a value, then ``c1 … c(k-1)`` are minimal for the value
before the last card: a smaller selection for that would give a smaller selection for this. So the sets of k cards
come from those of k - 1 cards, value by value. A set of numbers is followed only while some target is not yet made by
a selection of it, and a value only while the cards still to come can bring it back to a target. Both cuts lose
nothing, and they end the search by themselves for most operations; `LARGEST` ends it for the rest.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import comb, gcd
from pathlib import Path
from random import Random

OPERATIONS = "+-*/"
STEPS = ("whole", "integer", "rational")
LARGEST = 12
"""The most cards of one calculation that the table lists. Longer ones are not available in play (documented limit)."""
MOST_SELECTIONS = 400_000
"""How many sets of numbers the search follows before it gives up with an error instead of filling the memory."""
_SAMPLE = 200
"""How many sets of a size are looked at to foresee that."""
_LARGEST_SAMPLED = 6
_FEWEST_FOLLOWED = 20

# A value is a whole number, or for rational steps that leave whole numbers a pair (numerator, denominator).
Value = int | tuple[int, int]
Numbers = tuple[int, ...]


class TableTooLarge(ValueError):
    """The deck's numbers allow more sets of cards than the table can hold."""


@dataclass(frozen=True, slots=True)
class Calculation:
    """One way to make a target: the numbers in the order laid, and the operations between them.

    ``Calculation(3, (10, 4, 2), "-/")`` is ``(10 - 4) / 2 = 3``.
    """

    target: int
    order: Numbers
    operations: str

    @property
    def numbers(self) -> Numbers:
        """The numbers used, in rising order."""
        return tuple(sorted(self.order))

    @property
    def last(self) -> int:
        """The number laid last; its card becomes the active card (R3.7)."""
        return self.order[-1]


@dataclass(frozen=True, slots=True)
class MinimalTable:
    """All minimal calculations for one deck's numbers, operations and steps.

    Attributes
    ----------
    calculations
        One entry for each set of numbers, target and number that may come last, with a witness order. Grouped by
        target, then from most cards to fewest, then by numbers.
    largest
        The size up to which the list is complete.
    """

    calculations: tuple[Calculation, ...]
    largest: int

    def sets_by_size(self) -> dict[int, int]:
        """How many different (target, set of numbers) there are, by number of cards."""
        sizes: dict[int, int] = {}
        for _, numbers in {(entry.target, entry.numbers) for entry in self.calculations}:
            sizes[len(numbers)] = sizes.get(len(numbers), 0) + 1
        return dict(sorted(sizes.items()))


@lru_cache(maxsize=64)
def minimal_table(
    copies: tuple[tuple[int, int], ...], operations: str = OPERATIONS, steps: str = "whole", largest: int = LARGEST
) -> MinimalTable:
    """Every minimal calculation that a deck's numbers allow (R3.2 to R3.6, R3.8).

    Parameters
    ----------
    copies
        Pairs (number, how many cards of one type carry it); the numbers are the targets too (R1.3).
    operations
        The allowed operations, a selection of ``+-*/``.
    steps
        ``"whole"``, ``"integer"`` or ``"rational"`` intermediate results (R3.3).
    largest
        The most cards of a calculation; at most `LARGEST`.

    Raises
    ------
    TableTooLarge
        If more than `MOST_SELECTIONS` sets of numbers would have to be followed.

    Examples
    --------
    >>> table = minimal_table(tuple((n, 4) for n in range(1, 11)))
    >>> table.sets_by_size()
    {2: 84, 3: 396, 4: 394, 5: 126, 6: 37, 7: 17, 8: 2}
    """
    largest = min(largest, LARGEST)
    name = f"{copies} {operations} {steps} {largest} ".encode() + Path(__file__).read_bytes()
    kept = Path(__file__).parent / "__pycache__" / f"minimal-{hashlib.sha256(name).hexdigest()[:32]}.json"
    with suppress(OSError, ValueError, TypeError):
        entries = json.loads(kept.read_text())
        return MinimalTable(
            tuple(Calculation(target, tuple(order), signs) for target, order, signs in entries), largest
        )
    search = _Search(dict(copies), operations, steps, largest)
    search.foresee()
    table = search.run()
    _keep(table, kept)
    return table


def _keep(table: MinimalTable, kept: Path) -> None:
    """Write a table beside the compiled code, for the next process; without a place to write it is worked out anew."""
    with suppress(OSError):
        kept.parent.mkdir(exist_ok=True)
        half_written = kept.with_suffix(f".{os.getpid()}")
        entries = [[entry.target, entry.order, entry.operations] for entry in table.calculations]
        half_written.write_text(json.dumps(entries))
        half_written.replace(kept)


class _Search:
    """Breadth-first search over sets of numbers, one size after the other."""

    def __init__(self, copies: dict[int, int], operations: str, steps: str, largest: int) -> None:
        self.copies = copies
        self.numbers = sorted(copies)
        self.targets = frozenset(self.numbers)
        self.operations = operations
        self.steps = steps
        self.largest = largest
        self.bounds = _Bounds(max(self.numbers), max(self.numbers), operations, steps, largest)
        # For each set: value -> ways (last number, operation, value before), minimal for that value.
        self.ways: dict[Numbers, dict[Value, list[tuple[int, str, Value | None]]]] = {}
        # For each set: the targets that no selection of it makes, and the values that some selection makes.
        self.made: dict[Numbers, tuple[frozenset[int], frozenset[Value]]] = {}
        self.followed = 0

    def foresee(self) -> None:
        """Give up at once where a sample of the sets tells that twice as many as are allowed would be followed."""
        expected = 0.0
        for size in range(3, min(self.largest, _LARGEST_SAMPLED) + 1):
            sets = comb(len(self.numbers) + size - 1, size)
            if sets < MOST_SELECTIONS / 2:
                continue
            followed = sum(map(self._would_follow, self._sample(size)))
            expected += sets * followed / _SAMPLE if followed >= _FEWEST_FOLLOWED else 0
            if expected > 2 * MOST_SELECTIONS:
                raise self._too_large()

    def _sample(self, size: int) -> Iterator[Numbers]:
        """Sets of a size, each as likely as any other; the same ones every time."""
        draw = Random(size)
        for _ in range(_SAMPLE):
            places = sorted(draw.sample(range(len(self.numbers) + size - 1), size))
            yield tuple(self.numbers[place - earlier] for earlier, place in enumerate(places))

    def _would_follow(self, selection: Numbers) -> bool:
        """Whether the search would come to a set and follow it, which its parts alone decide."""
        if any(selection.count(number) > self.copies[number] for number in selection):
            return False
        alone = _Search(
            {number: selection.count(number) for number in selection}, self.operations, self.steps, self.largest
        )
        alone.targets, alone.bounds = self.targets, self.bounds
        alone.run()
        return selection in alone.ways

    def run(self) -> MinimalTable:
        """Search size by size until nothing is left to follow or `largest` is reached."""
        found: list[Calculation] = []
        for number in self.numbers:
            self.made[(number,)] = (self.targets - {number}, frozenset([number]))
            self.ways[(number,)] = {number: [(number, "", None)]}
        level: list[Numbers] = [(number,) for number in self.numbers]
        size = 1
        while level and size < self.largest:
            size += 1
            level = [selection for selection in self._supersets(level) if self._follow(selection, found)]
        found.sort(key=lambda entry: (entry.target, -len(entry.order), entry.numbers, entry.last))
        return MinimalTable(tuple(found), self.largest)

    def _supersets(self, level: list[Numbers]) -> Iterator[Numbers]:
        """Sets of one card more than those of `level` that the deck can supply, each once."""
        seen: set[Numbers] = set()
        for part in level:
            for number in self.numbers:
                selection = tuple(sorted((*part, number)))
                if selection not in seen and selection.count(number) <= self.copies[number]:
                    seen.add(selection)
                    yield selection

    def _follow(self, selection: Numbers, found: list[Calculation]) -> bool:
        """Work out one set; whether larger sets can grow from it."""
        missing, made_before = self._made_by_parts(selection)
        ways: dict[Value, list[tuple[int, str, Value | None]]] = {}
        if missing:
            inside = self.bounds.inside(len(selection))
            for number, part in _parts(selection):
                for before in self.ways.get(part, ()):
                    for operation, value in steps_from(before, number, self.operations, self.steps):
                        if value not in made_before and inside(value):
                            ways.setdefault(value, []).append((number, operation, before))
        if not ways:
            return False
        self._count()
        self.ways[selection] = ways
        hits = [value for value in ways if value in missing and isinstance(value, int)]
        for target in hits:
            found.extend(self._calculations(selection, target))
        # A target made here is not looked for in larger sets: they would not be minimal for it.
        missing = missing.difference(hits)
        self.made[selection] = (missing, made_before.union(ways))
        return bool(missing)

    def _made_by_parts(self, selection: Numbers) -> tuple[frozenset[int], frozenset[Value]]:
        """What the sets of one card less leave missing and make; worked out for those that nothing grew into, too."""
        known = []
        for _, part in _parts(selection):
            if part not in self.made:
                self.made[part] = self._made_by_parts(part)
            known.append(self.made[part])
            if not known[-1][0]:
                return known[-1]
        missing = frozenset.intersection(*(missing for missing, _ in known))
        return missing, frozenset().union(*(made for _, made in known))

    def _count(self) -> None:
        self.followed += 1
        if self.followed > MOST_SELECTIONS:
            raise self._too_large()

    def _too_large(self) -> TableTooLarge:
        return TableTooLarge(
            f"the deck's {len(self.numbers)} numbers (up to {self.numbers[-1]}) allow too many calculations of up "
            f"to {self.largest} cards to list (more than {MOST_SELECTIONS:,} sets to follow); "
            f"set max_cards to a smaller number than {self.largest}, or allow fewer operations"
        )

    def _calculations(self, selection: Numbers, target: int) -> Iterator[Calculation]:
        """One entry for each number of `selection` that may come last."""
        ways = self.ways[selection][target]
        for last in sorted({number for number, _, _ in ways}):
            options = [(operation, before) for number, operation, before in ways if number == last]
            operation, before = min(options, key=lambda option: OPERATIONS.index(option[0]))
            order, operations = self._witness(_without(selection, last), before)
            yield Calculation(target, (*order, last), operations + operation)

    def _witness(self, selection: Numbers, value: Value | None) -> tuple[Numbers, str]:
        """An order for a part: plus and minus before times and divided, larger numbers first, for easy reading."""
        order: list[int] = []
        operations: list[str] = []
        while value is not None:
            number, operation, before = min(
                self.ways[selection][value], key=lambda way: (OPERATIONS.find(way[1]), way[0])
            )
            order.append(number)
            operations.append(operation)
            selection, value = _without(selection, number), before
        return tuple(reversed(order)), "".join(reversed(operations))


class _Bounds:
    """Which values can still come back to a target with the cards that may yet follow."""

    def __init__(self, top: int, target: int, operations: str, steps: str, largest: int) -> None:
        self.largest = largest
        self.steps = steps
        high, low, denominator = [target], [0], [1]
        for _ in range(largest):
            down = high[-1] + top if "-" in operations else high[-1]
            high.append(max(down, high[-1] * max(top, 1) if "/" in operations else high[-1]))
            up = low[-1] - top if "+" in operations else low[-1]
            low.append(min(up, low[-1] * max(top, 1) if "/" in operations else low[-1]))
            denominator.append(denominator[-1] * (max(top, 1) if "*" in operations else 1))
        self.high, self.low, self.denominator = high, low, denominator

    def inside(self, size: int):  # type: ignore[no-untyped-def]
        """A test for the values that sets of `size` cards need keep."""
        left = self.largest - size
        high, low, denominator = self.high[left], self.low[left], self.denominator[left]

        def whole(value: Value) -> bool:
            return low <= value <= high  # type: ignore[operator]

        def rational(value: Value) -> bool:
            if isinstance(value, int):
                return low <= value <= high
            return value[1] <= denominator and low * value[1] <= value[0] <= high * value[1]

        return rational if self.steps == "rational" else whole


def _parts(selection: Numbers) -> list[tuple[int, Numbers]]:
    return [(number, _without(selection, number)) for number in sorted(set(selection))]


def _without(selection: Numbers, number: int) -> Numbers:
    place = selection.index(number)
    return selection[:place] + selection[place + 1 :]


def steps_from(value: Value, number: int, operations: str, steps: str) -> Iterator[tuple[str, Value]]:
    """What one more card makes of a value (R3.2, R3.3)."""
    if steps == "rational":
        yield from _rational_steps(value, number, operations)
        return
    assert isinstance(value, int)
    if "+" in operations:
        yield "+", value + number
    if "-" in operations and (value >= number or steps == "integer"):
        yield "-", value - number
    if "*" in operations:
        yield "*", value * number
    if "/" in operations and number and value % number == 0:
        yield "/", value // number


def _rational_steps(value: Value, number: int, operations: str) -> Iterator[tuple[str, Value]]:
    top, bottom = (value, 1) if isinstance(value, int) else value
    if "+" in operations:
        yield "+", _fraction(top + number * bottom, bottom)
    if "-" in operations:
        yield "-", _fraction(top - number * bottom, bottom)
    if "*" in operations:
        yield "*", _fraction(top * number, bottom)
    if "/" in operations and number:
        yield "/", _fraction(top, bottom * number)


def _fraction(top: int, bottom: int) -> Value:
    common = gcd(top, bottom)
    top, bottom = top // common, bottom // common
    return top if bottom == 1 else (top, bottom)
