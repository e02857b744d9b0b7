"""The metrics of a run: a CSV file, and event files for TensorBoard."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

from pushworld.files import replaced, writing
from pushworld.puzzle import PushWorldError

METRICS_FILE = "metrics.csv"

COLUMNS = (
    "steps",
    "seed",
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
    "accuracy",
    "train_greedy",
    "train_sampled",
    "test_greedy",
    "test_sampled",
)
"""The columns of a training run. A report has a row for each seed, with the seed's own steps and speed;
solve rates are empty in rows without an evaluation.
"""

COUNTS = ("steps", "episodes", "solved", "return", "length")
"""The metrics that are sums over steps or episodes; all others are means over an iteration."""

EVENT_GROUPS = {
    "train_greedy": "evaluation",
    "train_sampled": "evaluation",
    "test_greedy": "evaluation",
    "test_sampled": "evaluation",
    "solve_rate": "episodes",
    "return": "episodes",
    "length": "episodes",
    "steps_per_second": "time",
    "seconds": "time",
}
"""The heading that TensorBoard shows a metric under; the others are under ``optimisation``."""


Report = Mapping[str, float]
"""A row of metrics; of several seeds, their means, and their steps a second together."""


class MetricsError(PushWorldError):
    """A file that does not hold metrics."""


class DivergedError(PushWorldError):
    """A training whose losses are no longer finite."""


class MetricsFile:
    """A CSV file with rows for each report of a run; its first column counts steps."""

    def __init__(self, path: Path, up_to_steps: Mapping[int, int]) -> None:
        """Opens or creates the file, and drops rows after the steps of their seed: the run repeats them."""
        self._path = path
        rows = [
            row
            for row in read_metrics(path)
            if row["steps"] <= up_to_steps.get(int(row.get("seed", -1)), 0)
        ]
        with replaced(path) as new, new.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerow(COLUMNS)
            self._write(
                file, [{name: row[name] for name in COLUMNS if name in row} for row in rows]
            )
        self.last: Mapping[str, float] = rows[-1] if rows else {}
        """The last row in the file."""

    def write(self, *rows: Mapping[str, float]) -> None:
        """Appends the rows of a report, which are in the file when this returns.

        Raises:
            DivergedError: if a value is not finite; then no row is written.
        """
        for row in rows:
            broken = [f"{name} is {value}" for name, value in row.items() if not isfinite(value)]
            if broken:
                of_seed = f" of seed {row['seed']:.0f}" if len(rows) > 1 else ""
                raise DivergedError(
                    f"training{of_seed} diverged before step {row['steps']:,.0f} "
                    f"({', '.join(broken)}): saved files are unchanged; a smaller learning_rate "
                    "may help"
                )
        with writing(self._path), self._path.open("a", newline="", encoding="utf-8") as file:
            self._write(file, rows)
        self.last = rows[-1]

    def _write(self, file: TextIO, rows: Sequence[Mapping[str, float]]) -> None:
        csv.DictWriter(file, COLUMNS, restval="").writerows(
            {name: _format(value) for name, value in row.items()} for row in rows
        )


def read_metrics(path: Path) -> list[dict[str, float]]:
    """Returns the rows of a file, or none if it does not exist; skips a last line that was cut off.

    Raises:
        MetricsError: if the file holds something else.
    """
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.endswith("\n")]
    rows = csv.DictReader(lines)
    try:
        return [_parse_row(row) for row in rows]
    except (ValueError, TypeError, csv.Error) as error:
        raise MetricsError(
            f"{path}, line {rows.line_num}: this is no row of metrics: remove the line, or the file"
        ) from error


def _parse_row(row: Mapping[str, str]) -> dict[str, float]:
    numbers = {name: float(value) for name, value in row.items() if value}
    if "steps" not in numbers:
        raise ValueError("a row without its step")
    return numbers


def _format(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:.6g}"


def has_tensorboard() -> bool:
    """Returns whether tensorboardX, which writes event files, is installed."""
    return find_spec("tensorboardX") is not None


class EventsFile:
    """An event file for TensorBoard. Does nothing if tensorboardX is not installed."""

    def __init__(self, folder: Path, up_to_steps: int) -> None:
        """Opens a new file; TensorBoard ignores events of older files after `up_to_steps`."""
        self._writer: Any = None
        if has_tensorboard():
            from tensorboardX import SummaryWriter

            self._writer = SummaryWriter(str(folder), purge_step=up_to_steps + 1)

    def write(self, row: Mapping[str, float]) -> None:
        """Adds the metrics of a report, which are in the file when this returns."""
        if self._writer is None:
            return
        for name, value in row.items():
            if name not in ("steps", "seed", "episodes"):
                group = EVENT_GROUPS.get(name, "optimisation")
                self._writer.add_scalar(f"{group}/{name}", value, int(row["steps"]))
        self._writer.flush()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


def averages(sums: Mapping[str, float], iterations: int) -> dict[str, float]:
    """Returns the metrics of several iterations as counts, and as means over iterations or episodes."""
    values = {key: float(value) for key, value in sums.items()}
    episodes = values["episodes"]
    report = {
        "steps": values["steps"],
        "episodes": episodes,
        **{key: values[key] / iterations for key in values if key not in COUNTS},
    }
    if episodes:
        report["solve_rate"] = values["solved"] / episodes
        report["return"] = values["return"] / episodes
        report["length"] = values["length"] / episodes
    return report


def means(rows: Sequence[Report]) -> Report:
    """Returns the row of one seed, or the means of several seeds and their speed together."""
    if len(rows) == 1:
        return rows[0]
    names = [name for name in rows[0] if name != "seed" and all(name in row for row in rows)]
    means = {name: sum(row[name] for row in rows) / len(rows) for name in names}
    if "steps_per_second" in means:
        means["steps_per_second"] *= len(rows)
    return means
