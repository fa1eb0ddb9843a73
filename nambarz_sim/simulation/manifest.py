"""What a run's manifest says: how the run is made, and which chunks are finished; each in a line of its own.

A line is JSON, a space, and a digest of the JSON. A manifest may come from somebody else, so nothing in it is believed
before it is known to be within bounds: the length and the number of lines, texts, numbers, and what files may stand for.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nambarz_sim._errors import cut, shown, whole_number
from nambarz_sim.cards import Deck
from nambarz_sim.rules import MOST_EXTRA_ROUNDS, Rules
from nambarz_sim.simulation.records import MOST_GAMES
from nambarz_sim.simulation.tables import TABLES

FORMAT = 1
MOST_CHUNKS = 2**16
MOST_ROWS = 2**24
"""The most rows of players' records in one chunk, without extra rounds: each is held in memory as a whole."""
LONGEST_LINE = 2**16
_MOST_BYTES_A_ROW = 1_024
_LARGEST_DECK = 2**20
_LONGEST_TEXT = 400
"""Of one seat's strategy: twelve of them, with twelve bytes a letter, fit into a line."""
_MOST_BRACKETS = 64
_DIGEST = re.compile(r"[0-9a-f]{64}")
_DECK_FILE = re.compile(r"deck-([0-9a-f]{64})\.csv")


@dataclass(frozen=True)
class Plan:
    """How a run is made: what its games depend on, and how they are cut into chunks.

    Attributes
    ----------
    rules, strategies, seed, games, chunk_size
        As `nambarz_sim.simulate` takes them; the strategies by the names of the seats.
    own
        For each seat a digest of the code of the user's function that plays there; "" where none does.
    version
        The package's version.

    Raises
    ------
    ValueError
        If a number is too small or too large, or a text is too long or cannot be printed.
    """

    rules: Rules
    strategies: tuple[str, ...]
    seed: int
    games: int
    chunk_size: int
    own: tuple[str, ...]
    version: str

    def __post_init__(self) -> None:
        most = max(1, MOST_ROWS // (self.rules.rounds * self.rules.players))
        for name, low, high in (("seed", 0, 2**63 - 1), ("games", 1, MOST_GAMES), ("chunk_size", 1, most)):
            object.__setattr__(self, name, whole_number(name, getattr(self, name), low, high))
        if len(self.chunks) > MOST_CHUNKS:
            raise ValueError(
                f"chunk_size: {self.chunk_size} cuts {self.games} games into {len(self.chunks)} chunks, and a folder holds "
                f"at most {MOST_CHUNKS}; give {-(-self.games // MOST_CHUNKS)} or more"
            )
        if not len(self.strategies) == len(self.own) == self.rules.players:
            raise ValueError(f"strategies: {len(self.strategies)} are named for {self.rules.players} players")
        for what, text in (("version", self.version), *(("strategies", name) for name in self.strategies)):
            if not (isinstance(text, str) and text.isprintable() and len(text) <= _LONGEST_TEXT):
                raise ValueError(
                    f"{what}: {shown(text)} is no text that can be printed, of at most {_LONGEST_TEXT} letters"
                )
        if not all(isinstance(digest, str) and (digest == "" or _DIGEST.fullmatch(digest)) for digest in self.own):
            raise ValueError("own: a digest has 64 digits from 0 to f")

    @property
    def chunks(self) -> range:
        """The first games of all chunks."""
        return range(0, self.games, self.chunk_size)

    def size(self, first: int) -> int:
        """How many games the chunk has that starts with this one."""
        return min(self.chunk_size, self.games - first)

    def difference(self, other: Plan) -> str:
        """What the other run would change, in words; "" for nothing."""
        for name in ("version", "seed", "games", "chunk_size"):
            here, there = getattr(self, name), getattr(other, name)
            if here != there:
                return f"its {name} is {here} and not {there}"
        ours, theirs = self.rules.to_dict(), other.rules.to_dict()
        for name, here in ours.items():
            if name != "deck" and here != theirs[name]:
                return f"its rules have {name} {_in_words(here)} and not {_in_words(theirs[name])}"
        decks = [(each.rules.the_deck.cards, each.rules.the_deck.copies) for each in (self, other)]
        if decks[0] != decks[1]:
            return f"its deck has other cards than {other.rules.deck!r}"
        if self.strategies != other.strategies:
            return f"its strategies are {_in_words(self.strategies)} and not {_in_words(other.strategies)}"
        changed = [name for name, one, two in zip(self.strategies, self.own, other.own, strict=True) if one != two]
        return f"its strategy {changed[0]!r} had other code" if changed else ""

    @property
    def provenance(self) -> dict[str, Any]:
        """How every table of the run is made, as `nambarz_sim.Results.provenance`, wherever the folder stands."""
        rules = self.rules.to_dict()
        if deck := deck_file(self.rules):
            rules["deck"] = deck[0]
        return {"version": self.version, "rules": rules, "strategies": list(self.strategies), "seed": self.seed}

    def to_json(self) -> dict[str, Any]:
        """As it stands in the manifest."""
        cut = {"games": self.games, "chunk_size": self.chunk_size, "own": list(self.own)}
        return {"format": FORMAT} | self.provenance | cut


class Chunk(NamedTuple):
    """A finished chunk: its first game, the rows of each table, and the size and the digest of each file."""

    first: int
    rows: dict[str, int]
    files: dict[str, tuple[int, str]]


def deck_file(rules: Rules) -> tuple[str, bytes] | None:
    """The name and the content of the file that keeps a deck; None for a deck of the package.

    The name has a digest of the content: the same name is always the same deck.
    """
    if rules.deck in Deck.names():
        return None
    content = rules.the_deck.to_csv().encode()
    return f"deck-{hashlib.sha256(content).hexdigest()}.csv", content


def is_deck_file(name: str) -> bool:
    """Whether a file of that name keeps a deck."""
    return _DECK_FILE.fullmatch(name) is not None


def read_plan(line: dict[str, Any], folder: Path) -> Plan:
    """A run's plan from the first line of its manifest.

    Raises
    ------
    ValueError
        If the line is of another format, or says what cannot be.
    """
    if line.get("format") != FORMAT:
        raise ValueError(
            f"has format {shown(line.get('format'))}, and this version reads {FORMAT}; open it with the version that made "
            f"it, {shown(line.get('version'))}"
        )
    try:
        options = dict(line["rules"])
        options["deck"] = _deck_of(options.get("deck"), folder)
        texts = [line[name] for name in ("strategies", "own")]
        if not all(isinstance(each, list) for each in texts):
            raise ValueError("strategies and own must be lists")
        return Plan(
            Rules(**options), tuple(texts[0]), line["seed"], line["games"], line["chunk_size"], tuple(texts[1]),
            line["version"],
        )  # fmt: skip
    except KeyError as problem:
        raise ValueError(f"cannot be used: {problem} is missing") from None
    except (ValueError, TypeError, AttributeError) as problem:
        raise ValueError(f"cannot be used: {cut(str(problem), 400)}") from None


def _deck_of(name: object, folder: Path) -> str:
    """The deck by which `Rules` finds what a manifest names: one of the package, or a file in the folder and no other."""
    if name in Deck.names():
        return str(name)
    found = _DECK_FILE.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"deck {shown(name)} is neither one of the package nor in the folder")
    file = folder / found[0]
    whole = file.is_file() and not file.is_symlink() and file.stat().st_size <= _LARGEST_DECK
    if not (whole and hashlib.sha256(file.read_bytes()).hexdigest() == found[1]):
        raise ValueError(f"its deck, {file.name}, is missing or damaged; put it back, or simulate into another folder")
    return str(file)


def read_chunk(line: dict[str, Any], plan: Plan) -> Chunk:
    """A chunk from its line; every number within what its games can have, so that no file asks for more room.

    Raises
    ------
    ValueError, KeyError, TypeError, AttributeError
        If the line says what cannot be.
    """
    first = whole_number("first", line["first"], 0, plan.games - 1)
    if first not in plan.chunks:
        raise ValueError("no chunk begins there")
    games, rules = plan.size(first), plan.rules
    # Not every game has all the extra rounds that it might have.
    most = min(games * (rules.rounds + MOST_EXTRA_ROUNDS * rules.players), 2 * MOST_ROWS)
    rows = {
        "games": whole_number("games", line["rows"]["games"], games, games),
        "rounds": whole_number("rounds", line["rows"]["rounds"], games * rules.rounds, most),
        "players": whole_number("players", line["rows"]["players"], games, min(most * rules.players, 2 * MOST_ROWS)),
    }
    files = {}
    for table in TABLES:
        size, digest = line["files"][table]
        if not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
            raise ValueError("a digest has 64 digits from 0 to f")
        files[table] = (whole_number("size", size, 1, _MOST_BYTES_A_ROW * (64 + rows[table])), digest)
    return Chunk(first, rows, files)


def sealed(content: Mapping[str, Any]) -> bytes:
    """A line of a manifest: the content as JSON and a digest of it."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return f"{text} {hashlib.sha256(text.encode()).hexdigest()}\n".encode()


def opened(line: bytes) -> dict[str, Any] | None:
    """The content of a line; None if it is damaged."""
    text, _, digest = line.rstrip(b"\n").rpartition(b" ")
    deep = text.count(b"[") + text.count(b"{") > _MOST_BRACKETS  # nests deeper than Python may go, perhaps
    if deep or hashlib.sha256(text).hexdigest().encode() != digest:
        return None
    try:
        content = json.loads(text)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _in_words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
