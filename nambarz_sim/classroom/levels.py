"""Levels of worksheets: the operations, the results on the way, the cards of a calculation and the size of a hand."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from nambarz_sim._errors import unknown_name, whole_number
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS, STEPS
from nambarz_sim.cards import data_folder
from nambarz_sim.rules import Rules, read_operations
from nambarz_sim.strategies.pupil import Pupil

LARGEST_HAND = 10
"""More cards than this do not fit into a row of a sheet."""


@dataclass(frozen=True)
class Level:
    """How hard the tasks of a worksheet may be.

    Parameters
    ----------
    school_year
        Which simulated pupils tell how difficult a task is: those of year 1 to 6 (`nambarz_sim.Pupil.preset`).
    operations
        The allowed operations, a selection of ``+-*/`` (R3.8).
    steps
        Results on the way: ``"whole"``, ``"integer"`` or ``"rational"`` (R3.3).
    fewest_cards, most_cards
        How many cards the calculation has around which a hand is made up; a hand may allow others, too. Where all plays
        or the longest one are asked for, none has more than `most_cards`.
    hand_size
        The cards of a hand.
    pictures
        Whether there are picture cards, or number cards alone.
    name
        What the level is called on the sheet: a number or a few words.

    Raises
    ------
    ValueError
        If an option is not allowed.

    Examples
    --------
    >>> Level.preset(3).operations, Level.preset(3, hand_size=5).hand_size
    ('+-*', 5)
    """

    school_year: int = 4
    operations: str = OPERATIONS
    steps: str = "whole"
    fewest_cards: int = 2
    most_cards: int = 4
    hand_size: int = 7
    pictures: bool = True
    name: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "operations", read_operations(self.operations))
        if self.steps not in STEPS:
            raise ValueError(unknown_name("steps", self.steps, STEPS))
        limits = {
            "school_year": (1, len(Pupil.presets())),
            "hand_size": (2, LARGEST_HAND),
            "fewest_cards": (2, min(LARGEST, LARGEST_HAND)),
            "most_cards": (2, min(LARGEST, LARGEST_HAND)),
        }
        for option, (least, most) in limits.items():
            object.__setattr__(self, option, whole_number(option, getattr(self, option), least, most))
        if not isinstance(self.pictures, bool):
            raise ValueError(f"pictures: {self.pictures!r} is not allowed; give true or false")
        if not self.fewest_cards <= self.most_cards <= self.hand_size:
            raise ValueError(
                f"most_cards: {self.most_cards} is not allowed; give a whole number from {self.fewest_cards} "
                f"(fewest_cards) to {self.hand_size} (hand_size), or change these"
            )

    @classmethod
    def preset(cls, number: int | str, **changes: Any) -> Level:
        """The level of that number, 1 to 6, with some options changed; see `data/worksheets.toml`.

        Raises
        ------
        ValueError
            If there is no such level or option, or a value is not allowed.
        """
        if (known := _presets().get(f"level-{number}")) is None:
            raise ValueError(unknown_name("level", str(number), cls.names()))
        options = [field.name for field in fields(cls)]
        for option in changes:
            if option not in options:
                raise ValueError(unknown_name("option of a level", option, options))
        # A smaller hand or fewer cards than usual take the other limit with them, unless it is given as well.
        values = known | {"name": str(number)} | changes
        if "most_cards" not in changes:
            values["most_cards"] = min(values["most_cards"], values["hand_size"])
            values["most_cards"] = max(values["most_cards"], changes.get("fewest_cards", 0))
        if "fewest_cards" not in changes:
            values["fewest_cards"] = min(values["fewest_cards"], values["most_cards"])
        if "hand_size" not in changes:
            values["hand_size"] = max(values["hand_size"], values["most_cards"])
        return cls(**values)

    @staticmethod
    def names() -> list[str]:
        """The numbers for `Level.preset`."""
        return [name.removeprefix("level-") for name in _presets()]

    @property
    def signs(self) -> str:
        """The operations as they are printed, ``+ - ×``."""
        return " ".join(SIGNS[sign] for sign in self.operations)

    def rules(self, rules: Rules | None = None) -> Rules:
        """The rules with the operations and the steps of this level."""
        return replace(rules or Rules(), operations=self.operations, steps=self.steps)


@lru_cache(maxsize=1)
def _presets() -> dict[str, dict[str, Any]]:
    return tomllib.loads((data_folder() / "worksheets.toml").read_text(encoding="utf-8"))
