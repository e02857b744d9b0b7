"""Runs as CSV and Parquet files for other programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from pushworld.bench.records import Run, Settings
from pushworld.bench.store import Results
from pushworld.files import replaced
from pushworld.puzzle import PushWorldError

NOT_OF_A_RUN = {"version", "build", "machine"}
COLUMNS = {"folder": "str"} | {
    field.name: str(field.type)
    for record in (Settings, Run)
    for field in fields(record)
    if field.name not in NOT_OF_A_RUN
}
"""The columns and their types: the folder, the settings and the record of a run."""


def rows_of(results: Iterable[Results]) -> list[dict[str, Any]]:
    """Returns a row for each run."""
    rows = (
        {"folder": str(each.path)} | vars(each.settings) | vars(run)
        for each in results
        for run in each.runs
    )
    return [{name: row[name] for name in COLUMNS} for row in rows]


def write_csv(results: Iterable[Results], path: Path) -> None:
    """Writes a header and one line for each run; unknown values are empty.

    Raises:
        PushWorldError: if the file cannot be written.
    """
    with replaced(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(COLUMNS))
        writer.writeheader()
        writer.writerows(rows_of(results))


def write_parquet(results: Iterable[Results], path: Path) -> None:
    """Writes one row for each run; columns have types even if all values are unknown.

    Raises:
        PushWorldError: if pyarrow is not installed or the file cannot be written.
    """
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise PushWorldError("Parquet needs pyarrow: pip install 'pushworld[bench]'") from error
    numbers = {"int": arrow.int64(), "float": arrow.float64()}
    types = {name: numbers.get(kind.split()[0], arrow.string()) for name, kind in COLUMNS.items()}
    types["seed"] = arrow.uint64()
    with replaced(path) as new:
        parquet.write_table(arrow.Table.from_pylist(rows_of(results), arrow.schema(types)), new)
