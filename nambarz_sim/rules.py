"""The options of a game and their limits (R1 to R9); the engine plays what `Rules` says.

The rules in prose, by clause. Where the rulebooks are silent, "Our reading" says what this project decided; a name in
``code`` is an option of `Rules`.

The deck
    R1.1 The deck has 40 number cards, 40 picture cards (a number and an animal) and 12 wildcards: three each of
    change-number, change-picture, change-any and replay.
    R1.2 Numbers run from 1 to 10. Our reading: four number cards of each.
    R1.3 Our reading: each number carries two animals, each animal stands on two numbers, n and n + 5, and there are two
    copies of each picture card. The deck is a data file (`deck`); it says which cards the rulebooks name. Targets are
    the deck's numbers.
    R1.4 Levels: beginner 12 wildcards, experienced 8, top-level 4; any count of each kind may be set (`wildcards`).
    Several decks may be shuffled together (`decks`); wildcard counts are for one deck.
    R1.5 The deal needs players x `hand_size` + 1 cards; a game that cannot be dealt is refused.
Setting up and the turn
    R2.1 Seven cards each; the top card of the pile is turned up. Our reading: a wildcard goes under the pile and the next
    card is turned; if only wildcards are left, everything is shuffled and dealt again (counted as redeals).
    R2.2 Our reading: seat 0 starts round 1; seats play in order.
    R2.3 A turn is a match, a calculation, a change wildcard, a replay wildcard, or a draw.
    R2.4 Who does not play draws one card, may play it at once, alone or with others, or keeps it; then the turn is over.
    Our reading: drawing is always allowed; after it only plays that use the drawn card; after such a play a replay may
    follow.
    R2.5 An empty pile is made new from the discards. Our reading: shuffled or turned over (`recycle`); the active card, an
    open wildcard on it and all cards laid in the current turn stay out; with nothing to draw a draw gives nothing. When
    everyone still in the round has passed in a row with nothing to draw, the round is stalled; after `turn_limit` turns
    it is cut. (A pass here is a turn in which no card was laid and none was drawn.)
    R2.6 Our reading: unfinished players are placed by fewest cards, then by seat from the round's starter.
Covering the active card
    R3.1 Match: one card of the same number, or, on a picture card, a picture card of the same animal.
    R3.2 Calculation: two or more cards worked left to right, each next card on the right, that make the active number.
    R3.3 Our reading: `steps` "whole" (results on the way are whole, 0 or more, divisions exact), "integer" (negative
    ones too) or "rational" (fractions too). A division by zero is not available.
    R3.4 The cards of a calculation are all number cards or all picture cards.
    R3.5 Fewest cards: no smaller selection of the cards used makes the same number, in any order, with any allowed
    operation.
    R3.6 A card that matches the active card cannot be used in a calculation.
    R3.7 Cards are laid in the order used; the last becomes active; which of two animals is used or laid last is a choice.
    R3.8 Only the allowed `operations` count, in R3.2 and R3.5 alike. `max_cards` limits what may be laid, not what
    counts as fewest. (Calculations of more than twelve cards are not listed and so not available.)
Change wildcards
    R4.1 change-number covers a number card, change-picture a picture card, change-any either.
    R4.2 One card of the wildcard's type may follow at once and becomes active; it must not match the covered card.
    R4.3 Without one the wildcard lies open: the next player lays any one card of its type; no calculation, no match. It
    stays open until covered. Our reading: a replay may be laid on it, by its own player too, for whom R4.2's ban holds
    until the turn is over.
    R4.4 Change wildcards never follow each other directly; a replay between does not separate them.
    R4.5 A change wildcard may be the last card of a hand.
Replay wildcard
    R5.1 After a turn's play a replay gives another turn on the card laid last before it.
    R5.2 Who then does not play draws one card and may play it; a replay may also be laid without a first play. Our
    reading: laid so, it obliges its player to draw at once, and a drawn replay so laid obliges to draw again.
    R5.3 As the last card of a hand it obliges to draw. Our reading: with nothing to draw the hand is finished.
    R5.4 Several replays may follow one another; a replay never becomes the active card.
    R5.5 A hand that is empty after a play has finished; no replay follows.
Penalties (`penalty_cards` cards from the pile)
    R6.1 Not the fewest cards: the smallest correct selection is laid, the rest go back.
    R6.2 A matching card used: it is laid by itself, the rest go back.
    R6.3 Types mixed: all cards go back, the turn is over.
    R6.4 Wrong result: if all the same cards make the number in another legal way they are laid so, else they go back.
    R6.5 Wildcard misused: it goes back, the turn is over.
    R6.6 Our reading: faults are looked for in the order R6.5, R6.3, R6.2, R6.4, R6.1; one attempt, one penalty; cards are
    laid or go back first, then the penalty is drawn, then an empty hand has finished.
    R6.7 Our reading: after a penalty the turn is over, an announced replay goes back, earlier plays stand, and the attempt
    earns no bonus.
    R6.8 Our reading: R6.1 takes the selection laid earliest, in the player's order if it works, else in the table's; R6.2
    the matching card laid first; R6.4 another way must be fully legal.
    R6.9 Our reading: R6.5 is a change wildcard on the wrong type or on another, a follow-up that is of the wrong type or
    matches, and anything but one card of the right type on an open wildcard.
    R6.10 Our reading: a single card that does not cover, an operation not allowed, a step outside `steps` and more cards
    than `max_cards` are wrong results. A card not in the hand, or a play without the drawn card, is no attempt: refused.
End of a round
    R7.1 With 2 to 5 players a round ends when all but one have finished, with 6 to 12 when five have, in mid-turn too.
    R7.2 With teams also when all players still holding cards are of one team.
Points
    R8.1 40, 32, 25, 19 and 14 points by finishing order.
    R8.2 With 2 to 5 players all are ranked and score; with 6 to 12 only those who finished score, and all get a place.
    R8.3 Master stroke: a calculation with 4 cards earns 7 extra points, each further card 7 more. Our reading: with 6 to
    12 players the unfinished keep none (`unfinished_bonus`).
    R8.4 Who has most points in a round starts the next. Our reading: ties go to the earlier finisher.
The game
    R9.1 1, 3 or 5 rounds, or any number (`rounds`); totals decide.
    R9.2 A tie is played off by the tied alone. Our reading: `play_off` "win" (first place), "all" (every place) or "none";
    rules R7 and R8 hold for the number dealt in; the tied player with most points in the last round starts; extra rounds
    only order the tied; after ten the tie stands and is marked.
    R9.3 Teams sit together (`team_sizes`); each member has a hand and scores; a team's score is the sum. Our reading:
    sizes may differ, and teammates see each other's hands only by `teammates_see_hands` (the rulebook lets them consult).

Where the two rulebooks disagree (the English one is followed)
    A round of 15 to 30 minutes is said of 6 players in English, of 4 in Spanish. "Experienced" has 8 wildcards in English,
    "Experimentados" 4 in Spanish (8 is "Confirmados"). Spanish turns the used cards over when the pile is out, gives 40
    points to the first team, plays off any contested place, and punishes only the wrong wildcard.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from nambarz_sim._errors import LONGEST_PATH, cut, shown, unknown_name, whole_number
from nambarz_sim._files import is_file, read_text
from nambarz_sim.arithmetic.expression import plain_signs
from nambarz_sim.arithmetic.table import LARGEST, OPERATIONS, STEPS
from nambarz_sim.cards import MOST_COPIES, WILDCARDS, Deck, data_folder
from nambarz_sim.languages import N_

FEWEST_PLAYERS, MOST_PLAYERS = 2, 12
LEVELS = {"beginner": 3, "experienced": 2, "top-level": 1}
"""The rulebook's levels: how many wildcards of each kind one deck has (R1.4)."""
RECYCLES = ("shuffle", "flip")
PLAY_OFFS = ("win", "all", "none")
POINTS_BY_PLACE = (40, 32, 25, 19, 14)
"""Points for the first five places (R8.1)."""
RANKED_PLAYERS = 5
"""Up to this many players all are ranked (R8.2); with more, a round ends when this many have finished (R7.1)."""
MOST_EXTRA_ROUNDS = 10
"""Extra rounds for one contested place before the tie stands (R9.2)."""

OPTIONS = {
    "players": N_("2 to 12 players (R7.1)"),
    "wildcards": N_("beginner (12), experienced (8), top-level (4), a total, or change-number=2,replay=0 (R1.4)"),
    "operations": N_("the allowed operations, some of +-*/ (R3.8)"),
    "steps": N_("results on the way: whole, integer or rational (R3.3)"),
    "team_sizes": N_("players of each team, such as 2,2 (R9.3)"),
    "rounds": N_("rounds of a game (R9.1)"),
    "hand_size": N_("cards dealt to each player (R2.1)"),
    "decks": N_("decks shuffled together (R1.4)"),
    "deck": N_("name or CSV file of the deck (R1.3)"),
    "max_cards": N_("most cards that may be laid in one calculation (R3.8)"),
    "penalty_cards": N_("cards drawn for a fault (R6)"),
    "turn_limit": N_("players' turns after which a round is cut (R2.5)"),
    "recycle": N_("the discards become the new pile by shuffle or flip (R2.5)"),
    "unfinished_bonus": N_("with 6 to 12 players the unfinished keep their master strokes (R8.3)"),
    "play_off": N_("ties played off: win, all or none (R9.2)"),
    "teammates_see_hands": N_("a strategy sees its teammates' hands (R9.3)"),
}
"""What each option of `Rules` means, in a line."""

_LIMITS = {
    "players": (FEWEST_PLAYERS, MOST_PLAYERS),
    "rounds": (1, 1000),
    "hand_size": (1, 50),
    "decks": (1, 10),
    "penalty_cards": (0, 20),
    "turn_limit": (1, 10_000),
    "max_cards": (2, LARGEST),
}
_LARGEST_FILE, _LONGEST_LINE = 2**16, 2_000
"""Bytes and characters of a rules file; a line of dots and letters takes the time of its square to read as TOML."""


class WildcardCounts(NamedTuple):
    """How many wildcards of each kind one deck has (R1.4)."""

    change_number: int
    change_picture: int
    change_any: int
    replay: int

    def __str__(self) -> str:
        level = next((name for name, each in LEVELS.items() if set(self) == {each}), None)
        counts = ", ".join(f"{count} {kind}" for kind, count in zip(WILDCARDS, self, strict=True))
        return f"{level} ({counts})" if level else counts


@dataclass(frozen=True)
class Rules:
    """Everything that can be chosen about a game; a `Rules` that exists can be dealt.

    Parameters
    ----------
    players
        2 to 12 (R7.1).
    wildcards
        A level (``"beginner"``, ``"experienced"``, ``"top-level"``), a total that divides by 4, or the count of each
        kind in one deck, ``{"change-number": 2, "replay": 0}`` (kinds left out: none) (R1.4).
    operations
        The allowed operations, a selection of ``+-*/`` (R3.8).
    steps
        Results on the way: ``"whole"``, ``"integer"`` or ``"rational"`` (R3.3).
    team_sizes
        Players of each team in seat order, such as ``(2, 2)``; None without teams (R9.3).
    rounds
        Rounds of a game (R9.1).
    hand_size, decks, deck
        Cards dealt to each player, decks shuffled together, and the deck's name or file (R1.3 to R2.1).
    max_cards
        The most cards that may be laid in one calculation; None for no limit (R3.8).
    penalty_cards
        Cards drawn for a fault (R6).
    turn_limit
        Players' turns after which a round is cut (R2.5).
    recycle
        The discards become the new pile by ``"shuffle"`` or ``"flip"`` (R2.5).
    unfinished_bonus
        Whether with 6 to 12 players the unfinished keep their master strokes (R8.3).
    play_off
        Ties played off: for the ``"win"``, ``"all"`` places or ``"none"`` (R9.2).
    teammates_see_hands
        Whether a strategy sees its teammates' hands (R9.3).

    Raises
    ------
    ValueError
        If an option is not allowed or the game cannot be dealt (R1.5); the message names the option and the ways out.

    Examples
    --------
    >>> Rules(players=6, wildcards=8).wildcards == Rules.preset("experienced", players=6).wildcards
    True
    """

    players: int = 4
    wildcards: Any = "beginner"
    operations: str = OPERATIONS
    steps: str = "whole"
    team_sizes: tuple[int, ...] | None = None
    rounds: int = 1
    hand_size: int = 7
    decks: int = 1
    deck: str = "nambarz"
    max_cards: int | None = None
    penalty_cards: int = 3
    turn_limit: int = 10_000
    recycle: str = "shuffle"
    unfinished_bonus: bool = False
    play_off: str = "win"
    teammates_see_hands: bool = False

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMITS.items():
            if name != "max_cards" or self.max_cards is not None:
                object.__setattr__(self, name, whole_number(name, getattr(self, name), least, most))
        for name, known in (("steps", STEPS), ("recycle", RECYCLES), ("play_off", PLAY_OFFS)):
            if getattr(self, name) not in known:
                raise ValueError(unknown_name(name, getattr(self, name), known))
        for name in ("unfinished_bonus", "teammates_see_hands"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}: {shown(getattr(self, name))} is not allowed; give true or false")
        if not isinstance(self.deck, str):
            raise ValueError(f"deck: {shown(self.deck)} is not allowed; give a deck's name or the path of its file")
        object.__setattr__(self, "wildcards", _read_wildcards(self.wildcards))
        object.__setattr__(self, "operations", read_operations(self.operations))
        object.__setattr__(self, "team_sizes", _read_teams(self.team_sizes, self.players))
        self._check_deal()

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Rules:
        """The rules of a preset file of the package, with some options changed.

        Examples
        --------
        >>> Rules.preset("top-level", players=2).wildcards.replay
        1
        """
        folder = data_folder() / "presets"
        if not re.fullmatch(r"[\w-]+", name) or not is_file(folder / f"{name}.toml"):
            raise ValueError(unknown_name("preset", name, cls.presets()))
        return cls._read(folder / f"{name}.toml", changes)

    @staticmethod
    def presets() -> list[str]:
        """The names for `Rules.preset`."""
        return sorted(path.stem for path in (data_folder() / "presets").glob("*.toml"))

    @classmethod
    def load(cls, path: str | Path) -> Rules:
        """The rules in a TOML file, as `Rules.save` writes it; options left out have their defaults."""
        return cls._read(Path(path), {})

    @classmethod
    def _read(cls, path: Path, changes: dict[str, Any]) -> Rules:
        text = read_text("rules file", path, "TOML", _LARGEST_FILE, _LONGEST_LINE)
        try:
            values = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # brackets in brackets in brackets
            named, reason = shown(str(path), LONGEST_PATH), cut(str(error), LONGEST_PATH)
            raise ValueError(f"rules file {named} is not readable as TOML in UTF-8: {reason}; correct it") from None
        known = [field.name for field in fields(cls)]
        values |= changes
        for name in values:
            if name not in known:
                raise ValueError(unknown_name("option of the rules", name, known))
        return cls(**values)

    def save(self, path: str | Path) -> None:
        """Write every option to a TOML file that `Rules.load` reads."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def to_toml(self) -> str:
        """Every option as TOML, in the order of the class; options that are None are left out."""
        given = {name: value for name, value in self.to_dict().items() if value is not None}
        values = {name: json.dumps(value, ensure_ascii=not str(value).isprintable()) for name, value in given.items()}
        pairs = ", ".join(f"{kind} = {count}" for kind, count in zip(WILDCARDS, self.wildcards, strict=True))
        values["wildcards"] = f"{{ {pairs} }}"
        return "".join(f"{name} = {text}\n" for name, text in values.items())

    def to_dict(self) -> dict[str, Any]:
        """Every option as plain numbers, texts, lists and dictionaries."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["wildcards"] = dict(zip(WILDCARDS, self.wildcards, strict=True))
        values["team_sizes"] = list(self.team_sizes) if self.team_sizes else None
        return values

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some options changed."""
        return replace(self, **changes)

    @cached_property
    def the_deck(self) -> Deck:
        """The deck that `deck` names."""
        return Deck.load(self.deck)

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """How many cards of each of the deck's card types are in play (R1.1, R1.4)."""
        ordinary = self.the_deck.copies[: -len(WILDCARDS)]
        return tuple(self.decks * count for count in (*ordinary, *self.wildcards))

    @property
    def largest_calculation(self) -> int:
        """The most cards that a calculation may have: `max_cards`, or what the table of calculations lists."""
        return LARGEST if self.max_cards is None else self.max_cards

    @property
    def teams(self) -> tuple[int, ...]:
        """For each seat its team, counted from 0; without teams every seat is its own (R9.3)."""
        if self.team_sizes is None:
            return tuple(range(self.players))
        return tuple(team for team, size in enumerate(self.team_sizes) for _ in range(size))

    def _check_deal(self) -> None:
        needed, there = self.players * self.hand_size + 1, sum(self.copies)
        if needed > there:
            raise ValueError(
                f"players: {self.players} players with {self.hand_size} cards each and one card turned up need {needed} "
                f"cards, the deck has {there}; take at most {max(0, (there - 1) // self.hand_size)} players, smaller "
                f"hands (hand_size), more wildcards, or more decks (decks)"
            )


def _read_wildcards(value: object) -> WildcardCounts:
    if isinstance(value, WildcardCounts):
        value = dict(zip(WILDCARDS, value, strict=True))
    if isinstance(value, str):
        if value not in LEVELS:
            raise ValueError(unknown_name("wildcards", value, LEVELS))
        return WildcardCounts(*(LEVELS[value],) * 4)
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= 4 * MOST_COPIES or value % 4:
            raise ValueError(
                f"wildcards: {shown(value)} does not divide by 4 or is outside 0 to {4 * MOST_COPIES}; give a multiple of "
                f"4, or each kind's count"
            )
        return WildcardCounts(*(value // 4,) * 4)
    if isinstance(value, Mapping):
        unknown = [kind for kind in value if kind not in WILDCARDS]
        if unknown:
            raise ValueError(unknown_name("wildcards", unknown[0], WILDCARDS))
        return WildcardCounts(
            *(whole_number(f"wildcards, {kind}", value.get(kind, 0), 0, MOST_COPIES) for kind in WILDCARDS)
        )
    raise ValueError(
        f"wildcards: {shown(value)} is not allowed; give {', '.join(LEVELS)}, a total that divides by 4, "
        f"or each kind's count"
    )


def read_operations(value: object) -> str:
    """A selection of operations in the order ``+ - * /``; a ValueError if it is none."""
    given: Any = value if isinstance(value, tuple | list) else [value]
    text = "".join(given) if all(isinstance(sign, str) for sign in given) else ""
    signs = plain_signs(text)
    unknown = [sign for sign in signs if sign not in OPERATIONS]
    if not signs or unknown:
        raise ValueError(
            f"operations: {shown(value)} is not allowed{f' ({unknown[0]!r} is no operation)' if unknown else ''}; "
            f'give one or more of + - * /, such as "+-"'
        )
    return "".join(sign for sign in OPERATIONS if sign in signs)


def _read_teams(value: object, players: int) -> tuple[int, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise ValueError(f"team_sizes: {shown(value)} is not allowed; give the players of each team, such as (2, 2)")
    sizes = tuple(whole_number("team_sizes", size, 2, players) for size in value)
    if len(sizes) < 2 or sum(sizes) != players:
        raise ValueError(
            f"team_sizes: {shown(sizes)} adds up to {sum(sizes)} in {len(sizes)} team(s); give at least two teams of at "
            f"least two that add up to the {players} players"
        )
    return sizes
