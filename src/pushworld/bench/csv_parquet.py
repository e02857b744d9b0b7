"""Runs as CSV and Parquet files for other programs."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from pushworld.bench.records import Run
from pushworld.bench.store import Results
from pushworld.files import replaced
from pushworld.puzzle import PushWorldError

RUN_FIELDS = [field.name for field in fields(Run)]
SETTINGS_FIELDS = ["time_limit", "memory_limit_gb", "threads", "seed", "workers", "engine", "clock"]


def rows_of(results: Iterable[Results]) -> list[dict[str, Any]]:
    """Returns a row for each run: its folder, its settings and its record."""
    return [
        {"folder": str(each.path)}
        | {name: getattr(each.settings, name) for name in SETTINGS_FIELDS}
        | run.to_json()
        for each in results
        for run in each.runs
    ]


def write_csv(results: Iterable[Results], path: Path) -> None:
    """Writes a header and one line for each run; unknown values are empty.

    Raises:
        PushWorldError: if the file cannot be written.
    """
    with replaced(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["folder", *SETTINGS_FIELDS, *RUN_FIELDS])
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
    numbers = {
        **dict.fromkeys(
            ("threads", "workers", "peak_memory_bytes", "length", "pushes"), arrow.int64()
        ),
        **dict.fromkeys(("expanded", "generated", "evaluated", "states"), arrow.int64()),
        **dict.fromkeys(("time_limit", "memory_limit_gb", "seconds"), arrow.float64()),
        **dict.fromkeys(("cpu_seconds", "representation_seconds"), arrow.float64()),
        "seed": arrow.uint64(),
    }
    names = ["folder", *SETTINGS_FIELDS, *RUN_FIELDS]
    schema = arrow.schema([(name, numbers.get(name, arrow.string())) for name in names])
    with replaced(path) as new:
        parquet.write_table(arrow.Table.from_pylist(rows_of(results), schema), new)
