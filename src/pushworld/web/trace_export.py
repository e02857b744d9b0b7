"""Recorded events for analysis: summaries, and export as Parquet or CSV files."""

from __future__ import annotations

import csv
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pushworld.puzzle import PushWorldError
from pushworld.web.trace_database import open_database

BATCH_ROWS = 50_000

Rows = Iterator[Sequence[tuple[Any, ...]]]


@dataclass(frozen=True)
class Table:
    """A table to export.

    Attributes:
        name: its name in the database.
        columns: the columns with their types, in order; docs/guides/traces.md explains them.
        order: the columns that sort the rows.
    """

    name: str
    columns: dict[str, type[int] | type[str]]
    order: str


EVENTS = Table(
    "events",
    {
        "session": str,
        "sequence": int,
        "puzzle": str,
        "digest": str,
        "time_ms": int,
        "kind": str,
        "action": str,
        "actor": str,
        "step": int,
        "shown": str,
        "state": str,
        "visit": int,
        "trial": int,
        "received_ms": int,
    },
    "session, sequence",
)
PUZZLES = Table("puzzles", {"digest": str, "puzzle": str, "pwp": str}, "puzzle, digest")


@dataclass(frozen=True)
class TraceSummary:
    """The numbers of events, sessions and puzzles in a database."""

    events: int
    sessions: int
    puzzles: int


def summarize_traces(database: Path) -> TraceSummary:
    """Returns the numbers of events, of sessions, and of puzzles with events."""
    with closing(open_database(database, create=False)) as connection:
        return TraceSummary(
            *connection.execute(
                "SELECT count(*), count(DISTINCT session), count(DISTINCT digest) FROM events"
            ).fetchone()
        )


def export_traces(database: Path, output: Path, table: Table = EVENTS) -> int:
    """Writes a table to a ``.parquet`` or ``.csv`` file and returns the number of rows.

    The file gets its name only when it is complete. The server may record at the same time.

    Raises:
        PushWorldError: if the database cannot be read or the file cannot be written.
    """
    writers: dict[str, Callable[[Path, Table, Rows], int]] = {
        ".csv": _write_csv,
        ".parquet": _write_parquet,
    }
    write = writers.get(output.suffix.lower())
    if write is None:
        raise PushWorldError(f"{output} must end in {' or '.join(writers)}")
    temporary = output.with_name(f".{output.name}.{uuid.uuid4().hex[:8]}.tmp")
    with closing(open_database(database, create=False)) as connection:
        try:
            count = write(temporary, table, _rows(connection, table))
            os.replace(temporary, output)
        except OSError as error:
            raise PushWorldError(
                f"{output} cannot be written: {error.strerror or error}"
            ) from error
        except sqlite3.Error as error:
            raise PushWorldError(f"{database} cannot be read: {error}") from error
        finally:
            temporary.unlink(missing_ok=True)
    return count


def _rows(connection: sqlite3.Connection, table: Table) -> Rows:
    columns = ", ".join(table.columns)
    found = connection.execute(f"SELECT {columns} FROM {table.name} ORDER BY {table.order}")
    while rows := found.fetchmany(BATCH_ROWS):
        yield rows


def _write_csv(path: Path, table: Table, batches: Rows) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.columns)
        for rows in batches:
            writer.writerows(rows)
            count += len(rows)
    return count


def _write_parquet(path: Path, table: Table, batches: Rows) -> int:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise PushWorldError(
            "Parquet files need pyarrow: run pip install 'pushworld[traces]', or write a .csv file"
        ) from error
    types = {int: arrow.int64(), str: arrow.string()}
    schema = arrow.schema([(name, types[kind]) for name, kind in table.columns.items()])
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in batches:
            arrays = [
                arrow.array(values, field.type)
                for values, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))
            count += len(rows)
    return count
