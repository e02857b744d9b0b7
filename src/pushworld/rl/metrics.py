"""Metrics of a run as CSV: written as they come, and cut back when a run resumes."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

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


class MetricsFile:
    """A CSV file with a row for each report of a run."""

    def __init__(self, path: Path, up_to_steps: int) -> None:
        """Opens or makes the file, without rows beyond `up_to_steps`: they will be made again."""
        rows = [row for row in read_metrics(path) if row["steps"] <= up_to_steps]
        self._file = path.open("w", newline="", encoding="utf-8")
        self._writer = csv.DictWriter(self._file, COLUMNS, restval="")
        self._writer.writeheader()
        for row in rows:
            self.write(row)
        self._file.flush()

    def write(self, row: Mapping[str, float]) -> None:
        """Adds a row, which is in the file when this returns."""
        self._writer.writerow({key: _plain(value) for key, value in row.items()})
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def read_metrics(path: Path) -> list[dict[str, float]]:
    """Returns the rows of a file, or none if it does not exist; a row cut by a kill is left out."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        lines = [line for line in file if line.endswith("\n")]
    return [
        {key: float(value) for key, value in row.items() if value} for row in csv.DictReader(lines)
    ]


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.6g}"
