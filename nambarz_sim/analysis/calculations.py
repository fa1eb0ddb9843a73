"""The minimal calculations as a data set: every set of numbers that may be laid for a target (R3.2 to R3.6)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from nambarz_sim.arithmetic.table import OPERATIONS, Calculation, minimal_table
from nambarz_sim.cards import KINDS
from nambarz_sim.engine.kernel import stroke_bonus
from nambarz_sim.engine.plays import write_chain
from nambarz_sim.engine.state import most_held
from nambarz_sim.events import counted
from nambarz_sim.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

Numbers = tuple[int, ...]


def minimal_calculations(rules: Rules | None = None) -> pd.DataFrame:
    """Every minimal calculation of the rules, one row a target and set of numbers.

    A set of numbers is a minimal calculation for a target if it makes the target and no smaller selection of it does
    (R3.5), without a card that is the target itself (R3.6).

    Parameters
    ----------
    rules
        The rules in force: their deck, operations, steps and `max_cards` count; `Rules()` without.

    Returns
    -------
    pandas.DataFrame
        ``target``; ``cards``, how many; ``numbers`` in rising order, such as ``"2 4 10"``, which is a hand to look into;
        ``expression``, one way to work it, and the ``operations`` used there; ``last``, the numbers that may be laid last
        (R3.7); ``number_cards`` and ``picture_cards``, whether the deck has enough cards of that type (R3.4); ``points``
        for the master stroke, 0 without one (R8.3). The list is complete up to 12 cards.

    Raises
    ------
    ValueError
        If the deck's numbers allow too many calculations to list.

    Examples
    --------
    >>> table = minimal_calculations()
    >>> len(table)
    1056
    >>> for row in table[(table["target"] == 3) & (table["numbers"] == "2 4 10")].to_dict("records"):
    ...     print(row["expression"], "| last:", row["last"])
    (10 - 4) ÷ 2 | last: 2 4
    """
    import pandas as pd

    rules = rules or Rules()
    copies = copies_by_number(rules)
    rows = []
    for (target, numbers), ways in _by_set(rules).items():
        needed = Counter(numbers)
        enough = [all(held.get(number, 0) >= needed[number] for number in needed) for held in copies]
        if not any(enough):  # enough cards of neither type: nobody can lay it (R3.4)
            continue
        witness = ways[0]
        words = [str(number) for number in witness.order]
        rows.append(
            {
                "target": target,
                "cards": len(numbers),
                "numbers": " ".join(map(str, numbers)),
                "expression": write_chain(words, witness.operations),
                "operations": "".join(sign for sign in OPERATIONS if sign in witness.operations),
                "last": " ".join(str(way.last) for way in ways),
                "number_cards": enough[0],
                "picture_cards": enough[1],
                "points": int(stroke_bonus(len(numbers))),
            }
        )
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = [
    "target", "cards", "numbers", "expression", "operations", "last", "number_cards", "picture_cards", "points",
]  # fmt: skip


def describe_calculations(calculations: pd.DataFrame) -> str:
    """What the data set says: how many calculations there are by target and number of cards, and the largest ones.

    Examples
    --------
    >>> print(describe_calculations(minimal_calculations(Rules(operations="+"))).splitlines()[0])
    108 minimal calculations, 52 of them master strokes. The largest has 7 cards (28 points): 1 1 1 1 2 2 2 for 10.
    """
    import pandas as pd

    if calculations.empty:
        return "0 minimal calculations: these rules allow none."
    sizes = calculations["cards"]
    largest = calculations[sizes == sizes.max()]
    sets = "; ".join(f"{row.numbers} for {row.target}" for row in largest.head(_MOST_NAMED).itertuples())
    more = f" and {len(largest) - _MOST_NAMED:,} more" if len(largest) > _MOST_NAMED else ""
    have = "The largest has" if len(largest) == 1 else f"The {len(largest):,} largest have"
    points = calculations["points"]
    worth = f" ({points.max()} points)" if points.any() else ""
    by_target = pd.crosstab(calculations["target"], sizes, margins=True, margins_name="all").drop("all")
    return (
        f"{counted(len(calculations), 'minimal calculation')}, {(points > 0).sum():,} of them master strokes. "
        f"{have} {sizes.max()} cards{worth}: {sets}{more}.\n\n{by_target.to_string()}"
    )


_MOST_NAMED = 3


def copies_by_number(rules: Rules) -> tuple[dict[int, int], dict[int, int]]:
    """For number cards and for picture cards: how many of each number the decks have."""
    held: dict[str, dict[int, int]] = {kind: {} for kind in KINDS[:2]}
    for card, copies in zip(rules.the_deck.cards, rules.copies, strict=True):
        if card.number is not None:
            held[card.kind][card.number] = held[card.kind].get(card.number, 0) + copies
    return held[KINDS[0]], held[KINDS[1]]


def _by_set(rules: Rules) -> dict[tuple[int, Numbers], list[Calculation]]:
    """The table's entries by target and set of numbers, with rising targets, numbers of cards, and numbers."""
    held = most_held(rules.the_deck, rules.decks)
    table = minimal_table(tuple(held.items()), rules.operations, rules.steps, rules.largest_calculation)
    found: dict[tuple[int, Numbers], list[Calculation]] = {}
    for entry in table.calculations:
        found.setdefault((entry.target, entry.numbers), []).append(entry)
    return dict(sorted(found.items(), key=lambda item: (item[0][0], len(item[0][1]), item[0][1])))
