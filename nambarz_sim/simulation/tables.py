"""The records of a chunk as Parquet files, one for each table, and back.

The columns are those of the tables of `Results`, so any program that reads Parquet can read them. Counts are 32 bits wide,
as Parquet has them anyway, and their bytes are written apart (BYTE_STREAM_SPLIT), which makes small counts small and is
quick: of the encodings tried, `benchmarks/` tells which.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from nambarz_sim.engine.state import ENDINGS
from nambarz_sim.rules import Rules
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.records import PLAYER_COLUMNS, ROUND_COLUMNS, Counts, Records, game_columns

if TYPE_CHECKING:
    import pyarrow as pa

TABLES = ("games", "rounds", "players")
_BLOCK = 2_048
_ENDED = tuple(ENDINGS[1:])


def need_store(what: str) -> None:
    """Refuse what needs Parquet where it cannot be written.

    Raises
    ------
    ValueError
        If the packages for it are not installed; the message says how to install them.
    """
    try:
        import filelock  # noqa: F401
        import pyarrow.parquet  # noqa: F401
    except ImportError as problem:
        raise ValueError(
            f"{what}: {problem.name} is not installed, which keeps runs in folders; pip install 'nambarz_sim[store]'"
        ) from None


def as_parquet(
    records: Records, first_game: int, rules: Rules, strategies: Sequence[str], provenance: str
) -> dict[str, bytes]:
    """A Parquet file of each table of `TABLES`, of the games from ``first_game`` on, with how they were made inside."""
    played = np.add(*records.game_columns(("rounds", "extra_rounds")), dtype=np.int64)
    games = first_game + np.arange(len(records.games), dtype=np.int64)
    round_games = np.repeat(games, played)
    rounds = dict(zip(ROUND_COLUMNS, _turned(records.rounds), strict=True))
    dealt_in = rounds["dealt_in"]
    players = dict(zip(PLAYER_COLUMNS, _turned(records.players), strict=True))
    seats = players.pop("seat")
    parties = (records.games.shape[1] - loop.GAME_PARTIES) // 2
    counts = dict(zip(game_columns(parties), _turned(records.games), strict=True))
    places = records.games[:, loop.GAME_PARTIES + parties :]
    head = {"rounds": counts.pop("rounds"), "extra_rounds": counts.pop("extra_rounds"), "tied": counts.pop("tied") != 0}
    winner = (places == 1).argmax(axis=1).astype(np.int32)
    names = list(dict.fromkeys(strategies))
    codes = np.array([names.index(name) for name in strategies], dtype=np.int8)
    rounds |= {"extra_round": rounds["extra_round"] != 0, "ended": (_ENDED, (rounds["ended"] - 1).astype(np.int8))}
    whose = {
        "game": np.repeat(round_games, dealt_in),
        "round": np.repeat(rounds["round"], dealt_in),
        "seat": seats,
        "team": np.array(rules.teams, dtype=np.int32)[seats],
        "strategy": (names, codes[seats]),
    }
    players["finished"] = players["finished"] != 0
    tables = ({"game": games, **head, "winner": winner, **counts}, {"game": round_games, **rounds}, whose | players)
    return {name: _file(columns, provenance) for name, columns in zip(TABLES, tables, strict=True)}


def _turned(rows: Counts) -> Any:
    """The columns of a table of rows, each in one piece: turned over in blocks that stay near the processor."""
    columns = np.empty((rows.shape[1], len(rows)), dtype=np.int32)
    for start in range(0, len(rows), _BLOCK):
        columns[:, start : start + _BLOCK] = rows[start : start + _BLOCK].T
    return columns


def _file(columns: Mapping[str, Any], provenance: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = {
        name: pa.DictionaryArray.from_arrays(values[1], list(values[0]))
        if isinstance(values, tuple)
        else pa.array(values)
        for name, values in columns.items()
    }
    table = pa.table(arrays).replace_schema_metadata({"nambarz_sim": provenance})
    words = [name for name, values in columns.items() if isinstance(values, tuple)]
    numbers = [name for name, values in columns.items() if not isinstance(values, tuple) and values.dtype != bool]
    file = io.BytesIO()
    pq.write_table(
        table,
        file,
        compression="zstd",
        compression_level=1,
        use_dictionary=words,
        column_encoding=dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
        write_statistics=numbers[:1],  # of the game's number: a query for some games reads their files alone
    )
    return file.getvalue()


class StoredPart:
    """The games of a chunk that stands in files; columns are read when they are asked for.

    Parameters
    ----------
    open_table
        Opens the file of a table.
    rows
        How many rows each table of the chunk must have.
    rules
        The rules in force.
    """

    def __init__(self, open_table: Callable[[str], BinaryIO], rows: Mapping[str, int], rules: Rules) -> None:
        self._open = open_table
        self._rows = rows
        self._rules = rules

    def verify(self) -> None:
        """Refuse counts that do not belong together: other counts are reserved room by, and looked up at, these.

        Raises
        ------
        ValueError
            If a file is no table of a chunk of these rules; the message names it.
        """
        rounds, extra = self.game_columns(("rounds", "extra_rounds"))
        dealt_in, extra_round = self.round_columns(("dealt_in", "extra_round"))
        (seats,) = self.player_columns(("seat",))
        proper = extra_round == 0
        fits = {
            "games": (rounds == self._rules.rounds).all() and rounds.sum() + extra.sum() == self._rows["rounds"],
            "rounds": proper.sum() == rounds.sum()
            and (dealt_in[proper] == self._rules.players).all()
            and dealt_in.sum() == self._rows["players"],
            "players": (seats < self._rules.players).all(),
        }
        for table, well in fits.items():
            if not well:
                with self._open(table) as source:
                    raise ValueError(f"{source.name}: its rows do not belong to the other tables' and to the rules")

    def game_columns(self, names: Sequence[str]) -> list[Counts]:
        """As `Records.game_columns`."""
        return self._read("games", names)

    def round_columns(self, names: Sequence[str]) -> list[Counts]:
        """As `Records.round_columns`."""
        return self._read("rounds", names)

    def player_columns(self, names: Sequence[str]) -> list[Counts]:
        """As `Records.player_columns`."""
        return self._read("players", names)

    def load(self) -> Records:
        """All of it."""
        columns = (
            self.game_columns(game_columns(1 + max(self._rules.teams))),
            self.round_columns(ROUND_COLUMNS),
            self.player_columns(PLAYER_COLUMNS),
        )
        return Records(*(np.column_stack(table) for table in columns))

    def _read(self, table: str, names: Sequence[str]) -> list[Counts]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with self._open(table) as source:
            try:
                file = pq.ParquetFile(source)
                if file.metadata.num_rows != self._rows[table]:  # before room is made for them
                    raise ValueError(f"it has {file.metadata.num_rows} rows in place of {self._rows[table]}")
                for name in names:
                    _check_type(name, file.schema_arrow.field(name).type)
                read = file.read(columns=list(names), use_threads=False)
                return [_counts(read.column(name)) for name in names]
            except (pa.ArrowException, OSError, ValueError, LookupError) as problem:
                raise ValueError(f"{source.name}: {' '.join(str(problem).split())}") from None


def _check_type(name: str, kind: pa.DataType) -> None:
    """Refuse a column whose rows could take more room than a count."""
    import pyarrow as pa

    words = pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type)
    if not (words if name == "ended" else pa.types.is_integer(kind) or pa.types.is_boolean(kind)):
        raise ValueError(f"column {name!r} is of type {kind}, which is none of a count")


def _counts(column: pa.ChunkedArray) -> Counts:
    """A column as the batch loop's records have it."""
    import pyarrow as pa

    if column.null_count:
        raise ValueError("a count is missing")
    if pa.types.is_dictionary(column.type):
        pieces = []
        for chunk in column.chunks:
            words = chunk.dictionary.to_pylist()
            if not set(words) <= set(_ENDED):
                raise ValueError("column 'ended' has a word that is no ending")
            codes = np.array([ENDINGS.index(word) for word in words], dtype=np.int16)
            pieces.append(codes[chunk.indices.to_numpy(zero_copy_only=False)])
        return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int16)
    values = column.to_numpy()
    if len(values) and not (int(values.min()) >= 0 and int(values.max()) <= loop.LARGEST_RECORD):
        raise ValueError(f"a count is outside 0 to {loop.LARGEST_RECORD}")
    found: Counts = values.astype(np.int16)
    return found
