"""Questions in SQL, to DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def ask(sql: str, tables: Mapping[str, pd.DataFrame | Sequence[str]]) -> pd.DataFrame:
    """The answer to a question.

    Parameters
    ----------
    sql
        What is asked.
    tables
        For each name what stands under it: a table, or the Parquet files that make it up, which may be larger than memory.

    Raises
    ------
    ValueError
        If DuckDB is not installed, or does not understand; the message has its words.
    """
    try:
        import duckdb
    except ImportError:
        raise ValueError(
            "query: duckdb is not installed, which answers SQL; pip install 'nambarz_sim[store]'"
        ) from None
    with duckdb.connect() as connection:
        try:
            for name, table in tables.items():
                if isinstance(table, Sequence):
                    connection.read_parquet(list(table)).create_view(name)
                else:
                    relation = connection.from_df(table)
                    relation.project(", ".join(map(_as_in_files, relation.columns, relation.types))).create_view(name)
            answer = connection.sql(sql)
            if answer is None:
                raise ValueError(
                    "query: there is nothing to answer; ask with select, as in 'select count(*) from rounds'"
                )
            found: pd.DataFrame = answer.df()
            return found
        except duckdb.Error as problem:
            words = " ".join(str(problem).partition("\n\nLINE")[0].split())  # without the picture of the place
            raise ValueError(f"query: {words}; the tables are {', '.join(tables)}") from None


def _as_in_files(column: str, kind: object) -> str:
    """A column of a table in the type that it has in files, so that the same question has the same answer.

    Products of 16-bit counts would not fit into 16 bits, and words of a fixed list would not sort as words.
    """
    if str(kind) == "BOOLEAN":
        return f'"{column}"'
    stored = "VARCHAR" if str(kind).startswith("ENUM") else "BIGINT" if column == "game" else "INTEGER"
    return f'"{column}"::{stored} AS "{column}"'
