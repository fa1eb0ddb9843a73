"""The results of a run in a folder: read part by part, so that the run may be larger than memory."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING

from nambarz_sim.engine.state import pack
from nambarz_sim.simulation.folder import MANIFEST, Folder, resume_words
from nambarz_sim.simulation.records import Records, new_records
from nambarz_sim.simulation.results import Results
from nambarz_sim.simulation.sql import ask
from nambarz_sim.simulation.tables import TABLES, StoredPart, need_store

if TYPE_CHECKING:
    import pandas as pd


class StoredResults(Results):
    """A run in a folder.

    The summary, figures, comparisons and `query` read it part by part. The tables `games`, `rounds` and `players` are read
    into memory as wholes when they are asked for.

    Attributes
    ----------
    folder
        Where it is.
    games_asked
        How many games the run is to have.
    """

    def __init__(self, folder: str | os.PathLike[str], verify: bool = True) -> None:
        need_store("open")
        self._folder = Folder(folder)
        plan = self._folder.plan
        super().__init__(plan.rules, plan.strategies, plan.seed, [])
        self.folder = self._folder.path
        self.games_asked = plan.games
        self.version = plan.version
        # As after a stop in memory: the games from the first on that follow on each other without a gap.
        self._firsts = list(takewhile(self._folder.chunks.__contains__, plan.chunks))
        if verify:
            self.verify()

    @property
    def complete(self) -> bool:
        """Whether all games asked for are there; `nambarz_sim.resume` plays the others."""
        return self.game_count == self.games_asked

    def verify(self) -> None:
        """Read every file and compare its digest.

        Raises
        ------
        ValueError
            If a chunk is missing or damaged, or a line of the manifest; the message names the first and says how many there
            are.
        """
        if lines := self._folder.damaged_lines:
            more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
            raise ValueError(
                f"run folder {str(self.folder)!r}: line {lines[0]}{more} of {MANIFEST}, which tells of a chunk, is damaged"
                f"; {resume_words(self.folder)} plays its games again"
            )
        damaged = self._folder.damaged()
        if damaged:
            first = min(damaged)
            more = f" ({len(damaged)} chunks are so)" if len(damaged) > 1 else ""
            number = self._folder.number(first)
            raise ValueError(f"run folder {str(self.folder)!r}, chunk {number}{more}: {damaged[first]}")

    @property
    def game_count(self) -> int:
        """How many games there are."""
        return sum(self._folder.chunks[first].rows["games"] for first in self._firsts)

    def parts(self) -> Iterator[StoredPart]:
        """The chunks in their order."""
        return map(self._folder.part, self._firsts)

    @cached_property
    def records(self) -> Records:
        """All records in one, in memory."""
        chunks = [part.load() for part in self.parts()]
        return Records.join(chunks) if chunks else new_records(pack(self.rules), 0).cut(0, 0, 0)

    def query(self, sql: str) -> pd.DataFrame:
        """Ask in SQL as `Results.query` does; the files are read where they are."""
        if not self._firsts:
            return super().query(sql)
        files = {table: [self._name(table, first) for first in self._firsts] for table in TABLES}
        return self._noted(ask(sql, files))

    def _name(self, table: str, first: int) -> str:
        """A file's name as DuckDB reads it, to which ? and * are any letters."""
        return glob.escape(str(self._folder.file(table, first)))
