"""What a batch gives: its records as tables, and how it was made."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from nambarz_sim._version import __version__
from nambarz_sim.engine.state import ENDINGS
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import PLAYER_COLUMNS, ROUND_COLUMNS, Counts, Records

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.simulation.stored import StoredResults


PART_SEATS = 100_000
"""About so many rows of the players' records are worked on at a time."""


class Part(Protocol):
    """Some games of a batch, one after the other: `Records`, or what stands in files."""

    def game_columns(self, names: Sequence[str]) -> list[Counts]:
        """As `Records.game_columns`."""

    def round_columns(self, names: Sequence[str]) -> list[Counts]:
        """As `Records.round_columns`."""

    def player_columns(self, names: Sequence[str]) -> list[Counts]:
        """As `Records.player_columns`."""


class Results:
    """The records of a batch.

    Attributes
    ----------
    rules, strategies, seed, version
        How it was made: the rules in force, the name of each seat's strategy, the seed, and the package's version. Every
        table has them in its ``attrs``, too.
    """

    version = __version__

    def __init__(self, rules: Rules, strategies: Sequence[str], seed: int, chunks: Sequence[Records]) -> None:
        self.rules = rules
        self.strategies = tuple(strategies)
        self.seed = seed
        self._chunks = list(chunks)

    @staticmethod
    def open(folder: str | os.PathLike[str], verify: bool = True) -> StoredResults:
        """A run that `nambarz_sim.simulate` has kept in a folder, whole or not; its records are read when they are needed.

        Parameters
        ----------
        folder
            What was given as ``out``.
        verify
            Read every file once and compare its digest, about a second for a million rounds.

        Raises
        ------
        ValueError
            If there is no run, or a chunk is missing or damaged; the message names it.
        """
        from nambarz_sim.simulation.stored import StoredResults  # not above: it builds on this class

        return StoredResults(folder, verify)

    @property
    def provenance(self) -> dict[str, Any]:
        """How it was made, in plain numbers and texts."""
        rules = self.rules.to_dict()
        return {"version": self.version, "rules": rules, "strategies": list(self.strategies), "seed": self.seed}

    def query(self, sql: str) -> pd.DataFrame:
        """Ask in SQL; the tables are ``games``, ``rounds`` and ``players``, with the columns of those here.

        Raises
        ------
        ValueError
            If DuckDB is not installed, or does not understand.

        Examples
        --------
        >>> from nambarz_sim import simulate
        >>> results = simulate(games=50, progress=False)
        >>> results.query("select count(*) as rounds from rounds where not extra_round")["rounds"].tolist()
        [50]
        """
        from nambarz_sim.simulation.sql import ask

        return self._noted(ask(sql, {name: getattr(self, name) for name in ("games", "rounds", "players")}))

    def _noted(self, table: pd.DataFrame) -> pd.DataFrame:
        """The table with how it was made."""
        table.attrs.update(self.provenance)
        return table

    @cached_property
    def records(self) -> Records:
        """All records in one; the chunks are given up for it, one table after the other, to save memory."""
        joined = []
        tables = [list(chunk) for chunk in self._chunks]
        self._chunks = []
        for which in range(len(Records._fields)):
            joined.append(np.concatenate([table[which] for table in tables]))
            for table in tables:
                table[which] = joined[-1][:0]
        return Records(*joined)

    @property
    def game_count(self) -> int:
        """How many games there are."""
        return len(self.records.games)

    def parts(self) -> Iterator[Part]:
        """The records in parts of so many games that a few of them are small beside the whole."""
        seats = self.rules.rounds * self.rules.players
        return self.records.parts(max(1, PART_SEATS // seats))

    @cached_property
    def round_games(self) -> np.ndarray:
        """The game of each row of `rounds`."""
        played = self.records.games[:, loop.GAME_ROUNDS].astype(np.int64) + self.records.games[:, loop.GAME_EXTRA]
        return np.repeat(np.arange(len(played)), played)

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row a game.

        ``game``; ``rounds`` and ``extra_rounds``; ``tied`` (the first place stayed shared); ``winner`` (team or seat; the
        first of those tied); ``total_0 …`` and ``place_0 …``, the points and the place of each team, or of each seat
        without teams.
        """
        import pandas as pd

        records = self.records.games
        parties = (records.shape[1] - loop.GAME_PARTIES) // 2
        totals = records[:, loop.GAME_PARTIES : loop.GAME_PARTIES + parties]
        places = records[:, loop.GAME_PARTIES + parties :]
        table = pd.DataFrame(
            {
                "game": np.arange(len(records)),
                "rounds": records[:, loop.GAME_ROUNDS],
                "extra_rounds": records[:, loop.GAME_EXTRA],
                "tied": records[:, loop.GAME_TIED].astype(bool),
                "winner": (places == 1).argmax(axis=1),
                **{f"total_{party}": totals[:, party] for party in range(parties)},
                **{f"place_{party}": places[:, party] for party in range(parties)},
            }
        )
        return self._noted(table)

    @cached_property
    def rounds(self) -> pd.DataFrame:
        """One row a round.

        ``game``; ``round`` (extra rounds count on) and ``extra_round``; players ``dealt_in``; ``starter``; players'
        ``turns``; how it ``ended`` (finished, team, stalled, cut); ``winner_seat``; ``redeals`` (R2.1) and ``recycles`` of
        the discards (R2.5).
        """
        import pandas as pd

        table = pd.DataFrame(self.records.rounds, columns=list(ROUND_COLUMNS), copy=False)
        table.insert(0, "game", self.round_games)
        table["extra_round"] = table["extra_round"].astype(bool)
        table["ended"] = _categories(table["ended"].to_numpy() - 1, ENDINGS[1:])
        return self._noted(table)

    @cached_property
    def players(self) -> pd.DataFrame:
        """One row a round and seat dealt in.

        ``game``, ``round``, ``seat``, ``team``, ``strategy``; ``place``, ``points`` (with bonus) and ``bonus``; ``turns``;
        ``cards_laid``, ``cards_drawn`` (penalties too) and ``draws``; ``matches``; ``calculations`` and
        ``calculations_2 …`` by number of cards; operations used (of the witness expression); ``change_number_laid …`` by
        kind of wildcard; master strokes ``strokes_4 …`` by number of cards; ``penalties`` and their causes
        ``faults_not_fewest …`` (R6.1 to R6.5); ``cards_left``; ``finished``.
        """
        import pandas as pd

        records = self.records
        dealt_in = records.rounds[:, loop.ROUND_DEALT_IN]
        table = pd.DataFrame(records.players, columns=list(PLAYER_COLUMNS), copy=False)
        seats = table["seat"].to_numpy()
        table.insert(0, "game", np.repeat(self.round_games, dealt_in))
        table.insert(1, "round", np.repeat(records.rounds[:, loop.ROUND_NUMBER], dealt_in))
        table.insert(3, "team", np.array(self.rules.teams, dtype=np.int16)[seats])
        names = list(dict.fromkeys(self.strategies))
        codes = np.array([names.index(name) for name in self.strategies], dtype=np.int8)
        table.insert(4, "strategy", _categories(codes[seats], names))
        table["finished"] = table["finished"].astype(bool)
        return self._noted(table)

    def summary(self) -> pd.DataFrame:
        """Game length, master strokes, plays by kind, draws, stalls, points and wins, with 95% intervals.

        One row a measure, of the rounds proper (extra rounds are left out); see `nambarz_sim.analysis.summary`.
        """
        return self._summary.copy()

    @cached_property
    def _summary(self) -> pd.DataFrame:
        from nambarz_sim.analysis.summary import summarise  # the analysis stands below in the order of the rooms

        return self._noted(summarise(self))


def _categories(codes: Any, names: Sequence[str]) -> Any:
    """A column of names by their codes."""
    import pandas as pd

    return pd.Categorical.from_codes(codes, categories=list(names))  # type: ignore[call-overload]
