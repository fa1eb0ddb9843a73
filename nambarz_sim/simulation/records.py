"""Record arrays that the batch loop fills, and their columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.cards import WILDCARDS
from nambarz_sim.engine.state import PARTIES, PLAYERS, ROUNDS, SMALLEST_STROKE, TALLY_SIZE, Ints
from nambarz_sim.simulation import kernel as loop

Counts = NDArray[np.int16]

MOST_GAMES = 2**40
"""The most games of a batch."""

OPERATION_NAMES = ("additions", "subtractions", "multiplications", "divisions")
FAULT_NAMES = (
    "faults_not_fewest", "faults_matching_used", "faults_types_mixed", "faults_wrong_result", "faults_wildcard_misused",
)  # fmt: skip
"""Columns of faults by kind, R6.1 to R6.5."""
ROUND_COLUMNS = (
    "round", "extra_round", "dealt_in", "starter", "turns", "ended", "winner_seat", "redeals", "recycles",
)  # fmt: skip
PLAYER_COLUMNS = (
    "seat", "place", "points", "bonus", "turns", "cards_laid", "cards_drawn", "draws", "matches", "calculations",
    *(f"calculations_{size}" for size in range(2, LARGEST + 1)), *OPERATION_NAMES,
    *(f"{kind.replace('-', '_')}_laid" for kind in WILDCARDS),
    *(f"strokes_{size}" for size in range(SMALLEST_STROKE, LARGEST + 1)), "penalties",
    *FAULT_NAMES, "cards_left", "finished",
)  # fmt: skip
assert len(PLAYER_COLUMNS) == loop.PLAYER_TALLY + TALLY_SIZE
assert len(ROUND_COLUMNS) == loop.ROUND_WIDTH


def game_columns(parties: int) -> tuple[str, ...]:
    """The columns of the games' records, with so many teams, or seats without teams."""
    totals, places = ([f"{name}_{party}" for party in range(parties)] for name in ("total", "place"))
    return ("rounds", "extra_rounds", "tied", *totals, *places)


class Records(NamedTuple):
    """What the batch loop writes, in 16-bit counts.

    ``games (games, 3 + 2 * parties)``; ``rounds (rounds, ROUND_WIDTH)``; ``players (seats dealt in, PLAYER_WIDTH)``, in
    order of game, round and seat.
    """

    games: Counts
    rounds: Counts
    players: Counts

    def game_columns(self, names: Sequence[str]) -> list[Counts]:
        """Columns of the games' records by their names of `game_columns`, each of shape ``(games,)``."""
        known = game_columns((self.games.shape[1] - loop.GAME_PARTIES) // 2)
        return [self.games[:, known.index(name)] for name in names]

    def round_columns(self, names: Sequence[str]) -> list[Counts]:
        """Columns of the rounds' records by their names of `ROUND_COLUMNS`, each of shape ``(rounds,)``."""
        return [self.rounds[:, ROUND_COLUMNS.index(name)] for name in names]

    def player_columns(self, names: Sequence[str]) -> list[Counts]:
        """Columns of the players' records by their names of `PLAYER_COLUMNS`, each of shape ``(seats dealt in,)``."""
        return [self.players[:, PLAYER_COLUMNS.index(name)] for name in names]

    def parts(self, games: int) -> Iterator[Records]:
        """The same records in parts of so many games, without a copy."""
        rounds = np.cumsum(np.add(*self.game_columns(("rounds", "extra_rounds")), dtype=np.int64))
        seats = np.cumsum(self.round_columns(("dealt_in",))[0], dtype=np.int64)
        before, seats_before = 0, 0
        for first in range(0, len(self.games), games):
            after = int(rounds[min(first + games, len(rounds)) - 1])
            seats_after = int(seats[after - 1])
            yield Records(
                self.games[first : first + games], self.rounds[before:after], self.players[seats_before:seats_after]
            )
            before, seats_before = after, seats_after

    def cut(self, games: int, rounds: int, players: int) -> Records:
        """The rows that were filled."""
        return Records(self.games[:games], self.rounds[:rounds], self.players[:players])

    @staticmethod
    def join(parts: Sequence[Records]) -> Records:
        """Several records as one, in their order."""
        if len(parts) == 1:
            return parts[0]
        return Records(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def new_records(packed: Ints, games: int) -> Records:
    """Room for games, with some for extra rounds; the loop stops where it is full."""
    room = int(loop.most_rounds(packed))
    rounds = games * int(packed[ROUNDS]) + games // 20 + room
    players = rounds * int(packed[PLAYERS])
    parties = int(packed[PARTIES])
    return Records(
        np.zeros((games, loop.GAME_PARTIES + 2 * parties), dtype=np.int16),
        np.zeros((rounds, loop.ROUND_WIDTH), dtype=np.int16),
        np.zeros((players, loop.PLAYER_WIDTH), dtype=np.int16),
    )
