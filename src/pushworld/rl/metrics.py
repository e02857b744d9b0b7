"""Metrics of a run as CSV: written as they come, and cut back when a run resumes."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import TextIO

from pushworld.puzzle import PushWorldError

METRICS_FILE = "metrics.csv"

COLUMNS = (
    "steps",
    "seconds",
    "steps_per_second",
    "episodes",
    "solve_rate",
    "return",
    "length",
    "policy_loss",
    "value_loss",
    "entropy",
    "divergence",
    "gradient_norm",
    "action_value",
    "train_greedy",
    "train_sampled",
    "test_greedy",
    "test_sampled",
)
"""The first is how far the run was; solve rates of evaluations are empty where there was none."""


class MetricsError(PushWorldError):
    """A file that does not hold metrics."""


class DivergedError(PushWorldError):
    """A training whose numbers have left all bounds."""


class MetricsFile:
    """A CSV file with a row for each report of a run; its first column counts steps."""

    def __init__(self, path: Path, up_to_steps: int, columns: Sequence[str] = COLUMNS) -> None:
        """Opens or makes the file, without rows beyond `up_to_steps`: they will be made again."""
        self._columns = columns
        steps = columns[0]
        rows = [row for row in read_metrics(path, steps) if row[steps] <= up_to_steps]
        unfinished = path.with_suffix(".partial")
        with unfinished.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerow(columns)
            for row in rows:
                self._write(file, {name: row[name] for name in columns if name in row})
        unfinished.replace(path)
        self._file = path.open("a", newline="", encoding="utf-8")

    def write(self, row: Mapping[str, float]) -> None:
        """Adds a row, which is in the file when this returns.

        Raises:
            DivergedError: if something in the row is no number.
        """
        broken = [f"{name} is {value}" for name, value in row.items() if not isfinite(value)]
        if broken:
            raise DivergedError(
                f"training diverged before step {row[self._columns[0]]:,.0f} ({', '.join(broken)}): "
                "what was saved stays as it was; a smaller learning_rate may help"
            )
        self._write(self._file, row)
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def _write(self, file: TextIO, row: Mapping[str, float]) -> None:
        plain = {name: _plain(value) for name, value in row.items()}
        csv.DictWriter(file, self._columns, restval="").writerow(plain)


def read_metrics(path: Path, steps: str = COLUMNS[0]) -> list[dict[str, float]]:
    """Returns the rows of a file, or none if it does not exist; a row cut by a kill is left out.

    Args:
        path: the file.
        steps: the column that every row has a number in.

    Raises:
        MetricsError: if there is something else in it.
    """
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.endswith("\n")]
    rows = csv.DictReader(lines)
    try:
        return [_numbers(row, steps) for row in rows]
    except (ValueError, TypeError, csv.Error) as error:
        raise MetricsError(
            f"{path}, line {rows.line_num}: this is no row of metrics: remove the line, or the file"
        ) from error


def _numbers(row: Mapping[str, str], steps: str) -> dict[str, float]:
    numbers = {name: float(value) for name, value in row.items() if value}
    if steps not in numbers:
        raise ValueError("a row that does not say at which step it was")
    return numbers


def _plain(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:.6g}"
