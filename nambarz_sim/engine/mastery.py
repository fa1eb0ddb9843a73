"""Which calculations can be worked with some of the operations only, for pupils who have not mastered the rest.

A legal calculation of the rules that can be worked with fewer operations is a legal calculation of the rules with just
those operations, too: fewer operations make no more selections, so its cards stay the fewest. So the table of minimal
calculations for the mastered operations tells, for each pair of a set and a last number, whether they suffice, and how.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS, Calculation, minimal_table
from nambarz_sim.engine.state import (
    AT_OPERATION_COUNTS,
    AT_OPERATIONS,
    AT_PAIR_NUMBERS,
    Ints,
    most_held,
    pack,
)
from nambarz_sim.rules import Rules


@lru_cache(maxsize=32)
def pack_with(rules: Rules, mastered: tuple[str, ...]) -> tuple[Ints, tuple[int, ...]]:
    """The packed rules with further ways to work their calculations.

    Parameters
    ----------
    rules
        The rules in force.
    mastered
        Selections of the rules' operations.

    Returns
    -------
    tuple
        The packed rules, as `nambarz_sim.engine.state.pack` gives them, and for each selection where its table starts:
        for each pair of a set and a last number the pair that works it with these operations, -1 where none does. Such
        a pair is the same one or a further one with the same cards in another order.
    """
    packed = pack(rules)
    copies = tuple(most_held(rules.the_deck, rules.decks).items())
    pairs = minimal_table(copies, rules.operations, rules.steps, rules.largest_calculation).calculations
    largest = max((len(pair.order) for pair in pairs), default=2)
    further: list[Calculation] = []
    tables = []
    for operations in mastered:
        table = minimal_table(copies, operations, rules.steps, largest)
        known = {(entry.target, entry.numbers, entry.last): entry for entry in table.calculations}
        ways = np.full(max(1, len(pairs)), -1, dtype=np.int64)
        for place, pair in enumerate(pairs):
            other = known.get((pair.target, pair.numbers, pair.last))
            if set(pair.operations) <= set(operations):
                ways[place] = place
            elif other is not None:
                ways[place] = len(pairs) + len(further)
                further.append(other)
        tables.append(ways)
    return _joined(packed, rules.the_deck.numbers, len(pairs), further, tables)


def _joined(
    packed: Ints, numbers: tuple[int, ...], pairs: int, further: list[Calculation], tables: list[Ints]
) -> tuple[Ints, tuple[int, ...]]:
    """The packed rules with longer tables of pairs behind them; the slots of these tables point there."""
    orders = np.full((len(further), LARGEST), -1, dtype=np.int64)
    operations = np.zeros((len(further), LARGEST), dtype=np.int64)
    for place, entry in enumerate(further):
        orders[place, : len(entry.order)] = [numbers.index(number) for number in entry.order]
        operations[place, : len(entry.operations)] = [1 + OPERATIONS.index(sign) for sign in entry.operations]
    counts = np.array([[entry.operations.count(sign) for sign in OPERATIONS] for entry in further], dtype=np.int64)
    longer = packed.copy()
    parts, end = [longer], len(packed)
    for slot, more in ((AT_PAIR_NUMBERS, orders), (AT_OPERATIONS, operations), (AT_OPERATION_COUNTS, counts)):
        width = LARGEST if slot != AT_OPERATION_COUNTS else len(OPERATIONS)
        start = int(packed[slot])
        part = np.concatenate([packed[start : start + pairs * width], more.ravel()])
        longer[slot] = end
        parts.append(part)
        end += len(part)
    starts = []
    for table in tables:
        starts.append(end)
        parts.append(table)
        end += len(table)
    joined = np.concatenate(parts)
    joined.flags.writeable = False
    return joined, tuple(starts)
