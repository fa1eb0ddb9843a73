"""Simulated pupils: how a pupil plays, and what goes wrong.

At each choice of a turn a pupil sees the legal plays it can work out, overlooks some of them, and chooses among the rest
by its strategy. Then it may do something wrong instead, which the rules punish (R6). See `Pupil` for each chance, and
`nambarz_sim.strategies.erring` for how errors are found.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np

from nambarz_sim._errors import cut, shown, unknown_name, whole_number
from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS
from nambarz_sim.cards import data_folder
from nambarz_sim.engine.mastery import pack_with
from nambarz_sim.engine.state import FULL_DECK, PLAY_WIDTH, Ints, pack
from nambarz_sim.rules import Rules, read_operations
from nambarz_sim.strategies.erring import ABLE_WIDTH, SCRATCH_ROWS, Pupils
from nambarz_sim.strategies.names import STRATEGIES, code_of, strategy_name

CHANCES = ("overlook", "misuse_wildcard", "forget_matching", "forget_fewest", "slip")
"""The chances of a `Pupil`, in the order in which they come up at a choice."""
PLAIN = "pupil"
"""The word for a pupil that starts from no preset."""


@dataclass(frozen=True)
class Pupil:
    """A simulated pupil, who may stand wherever a strategy may.

    A choice is: what to do at the start of a turn, with a drawn card, or after a replay. Errors are looked for in the
    order below, and the first one made replaces the play that the strategy has chosen; each has its chance at every
    choice at which the hand allows it, but for the choices of the errors above. None is made after a play.

    Parameters
    ----------
    strategy
        How it chooses among the plays that it sees: a name, or a function (see `nambarz_sim.strategies`).
    operations
        The operations mastered. It sees a calculation if some order that ends with the same card can be worked with
        these alone, and works it so.
    most_cards
        The most cards that it considers for one calculation; 1 for none at all.
    overlook
        The chance to overlook a play, for each play by itself.
    misuse_wildcard
        The chance to lay a change wildcard that is wrong now (R6.5): of the wrong type, on another, or with a follow-up
        that may not lie on it. Each way to do so is equally likely.
    forget_matching
        The chance to use a card that matches by itself in a calculation with the right result (R6.2). The hand allows
        it if `nambarz_sim.strategies.erring.TRIES` random orders of its number and of its picture cards show one of at most
        `most_cards` cards.
    forget_fewest
        The chance to lay a calculation with the right result and more cards than needed (R6.1), found in the same way.
    slip
        The chance to lay the calculation chosen with one card or one operation wrong, and a wrong result (R6.4).

    Raises
    ------
    ValueError
        If an argument is not allowed.

    Examples
    --------
    >>> Pupil.preset("year-3", strategy="thrifty").name
    'year-3:thrifty'
    >>> Pupil(slip=0.1, operations="+-").name
    'pupil:greedy operations=+- slip=0.1'
    """

    strategy: str | Callable[..., Any] = "greedy"
    operations: str = OPERATIONS
    most_cards: int = LARGEST
    overlook: float = 0.0
    misuse_wildcard: float = 0.0
    forget_matching: float = 0.0
    forget_fewest: float = 0.0
    slip: float = 0.0

    def __post_init__(self) -> None:
        if not callable(self.strategy) and code_of(self.strategy) is None:
            raise ValueError(unknown_name("strategy of a pupil", self.strategy, STRATEGIES))
        object.__setattr__(self, "operations", read_operations(self.operations))
        object.__setattr__(self, "most_cards", whole_number("most_cards", self.most_cards, 1, LARGEST))
        for name in CHANCES:
            chance = getattr(self, name)
            if isinstance(chance, bool) or not isinstance(chance, Real) or not 0 <= float(chance) <= 1:
                raise ValueError(f"{name}: {shown(chance)} is not allowed; give a chance from 0 (never) to 1 (always)")
            object.__setattr__(self, name, float(chance))

    @classmethod
    def preset(cls, name: str, strategy: str | Callable[..., Any] = "greedy", **changes: Any) -> Pupil:
        """A pupil of a school year, with some options changed; the figures are assumptions, see `data/pupils.toml`.

        Raises
        ------
        ValueError
            If there is no such preset or option, or a value is not allowed.

        Examples
        --------
        >>> Pupil.preset("year-1", overlook=0).operations
        '+-'
        """
        if name not in _presets():
            raise ValueError(unknown_name("preset of a pupil", name, _presets()))
        return cls._with(_presets()[name] | changes, strategy)

    @staticmethod
    def presets() -> list[str]:
        """The names for `Pupil.preset`."""
        return list(_presets())

    @classmethod
    def parse(cls, text: str) -> Pupil:
        """The pupil of that `name`: a preset or ``pupil``, then if wanted a strategy and options.

        Raises
        ------
        ValueError
            If a word is not known, or a value is not allowed.

        Examples
        --------
        >>> Pupil.parse("year-3") == Pupil.preset("year-3")
        True
        >>> Pupil.parse("year-3:thrifty slip=0.2").slip
        0.2
        """
        head, *words = text.split() or [""]
        base, _, strategy = head.partition(":")
        changes = dict(_read_option(word) for word in words)
        if base == PLAIN:
            return cls._with(changes, strategy or "greedy")
        return cls.preset(base, strategy or "greedy", **changes)

    @classmethod
    def _with(cls, options: dict[str, Any], strategy: str | Callable[..., Any]) -> Pupil:
        for name in options:
            if name not in _options():
                raise ValueError(unknown_name("option of a pupil", name, _options()))
        return cls(strategy, **options)

    @property
    def name(self) -> str:
        """The name that tables show, the same for equal pupils: the nearest preset, the strategy, and what differs."""
        mine = {name: getattr(self, name) for name in _options()}
        bases = {PLAIN: _options()} | {name: _options() | values for name, values in _presets().items()}
        different = {
            base: [f"{name}={value}" for name, value in mine.items() if value != values[name]]
            for base, values in bases.items()
        }
        nearest = min(different, key=lambda base: len(different[base]))
        return " ".join([f"{nearest}:{strategy_name(self.strategy)}", *different[nearest]])


def is_pupil(word: str) -> bool:
    """Whether a strategy's name means a pupil, as `Pupil.parse` reads it."""
    base = word.partition(" ")[0].partition(":")[0]
    return base == PLAIN or base in _presets()


def pupils_at(rules: Rules, pupils: Sequence[Pupil | None]) -> tuple[Ints, Pupils | None]:
    """The packed rules and the pupils of each seat for the kernels; None where no seat is a pupil's."""
    if not any(pupils):
        return pack(rules), None
    seats = [pupil or Pupil() for pupil in pupils]  # who is no pupil sees everything and never errs
    known = ["".join(sign for sign in rules.operations if sign in pupil.operations) for pupil in seats]
    partly = tuple(dict.fromkeys(signs for signs in known if signs != rules.operations))
    packed, starts = pack_with(rules, partly) if partly else (pack(rules), ())
    able = np.zeros((len(seats), ABLE_WIDTH), dtype=np.int64)
    for seat, (pupil, signs) in enumerate(zip(seats, known, strict=True)):
        start = starts[partly.index(signs)] if signs in partly else 0
        bits = sum(1 << (1 + OPERATIONS.index(sign)) for sign in signs)
        # Of 2**32 equally likely numbers so many are hits; rounded up, so that no chance above 0 becomes 0.
        chances = [math.ceil(getattr(pupil, name) * 2**32) for name in CHANCES]
        able[seat] = [pupil.most_cards, bits, start, any(chances[1:]), *chances]
    width = max(PLAY_WIDTH, int(packed[FULL_DECK]))
    return packed, Pupils(able, np.zeros((SCRATCH_ROWS, width), dtype=np.int64))


def _read_option(word: str) -> tuple[str, Any]:
    """An option of a pupil from its text, such as ``slip=0.2``."""
    name, equals, value = word.partition("=")
    if not equals:
        raise ValueError(f"option of a pupil: {shown(word)} has no value; write it like slip=0.2")
    if name == "operations":
        return name, value
    try:
        return name, int(value) if name == "most_cards" else float(value)
    except ValueError:
        raise ValueError(f"{cut(name)}: {shown(value)} is not a number; give one, such as slip=0.2") from None


def _options() -> dict[str, Any]:
    """The options of a pupil but for the strategy, with their defaults."""
    return {field.name: field.default for field in fields(Pupil) if field.name != "strategy"}


@lru_cache(maxsize=1)
def _presets() -> dict[str, dict[str, Any]]:
    return tomllib.loads((data_folder() / "pupils.toml").read_text(encoding="utf-8"))
