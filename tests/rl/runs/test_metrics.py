"""The file of metrics: rows are written and read, cut lines are skipped, damaged ones are named."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pushworld.rl.runs.metrics import (
    COLUMNS,
    DivergedError,
    MetricsError,
    MetricsFile,
    read_metrics,
)


def test_a_file_continues_after_the_last_valid_step(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    first = MetricsFile(path, 0)
    for steps in (10, 20, 30):
        first.write({"steps": steps, "return": 0.5 * steps})
    with path.open("a") as file:
        file.write("40,1.2")
    second = MetricsFile(path, 20)
    second.write({"steps": 25, "entropy": 1.25})
    assert read_metrics(path) == [
        {"steps": 10, "return": 5},
        {"steps": 20, "return": 10},
        {"steps": 25, "entropy": 1.25},
    ]
    assert path.read_text().splitlines()[0] == ",".join(COLUMNS)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_values_that_are_not_finite_are_not_written(value: float, tmp_path: Path) -> None:
    metrics = MetricsFile(tmp_path / "metrics.csv", 0)
    metrics.write({"steps": 1, "value_loss": 1e300})
    with pytest.raises(DivergedError, match=f"before step 2,000 .value_loss is {value}"):
        metrics.write({"steps": 2000, "value_loss": value, "entropy": 0.5})
    assert read_metrics(tmp_path / "metrics.csv") == [{"steps": 1, "value_loss": 1e300}]


@pytest.mark.parametrize("row", ["two,1", "1,2,3", ",2"])
def test_a_line_that_is_no_row_is_named(row: str, tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(f"steps,seconds\n1,1\n{row}\n3,3\n")
    with pytest.raises(MetricsError, match=r"metrics\.csv, line 3"):
        read_metrics(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text("run,speed\n1,2\n")
    with pytest.raises(MetricsError, match="no row of metrics"):
        MetricsFile(path, 0)
    assert path.read_text() == "run,speed\n1,2\n"
