"""The metrics of a run: a CSV file, and event files for TensorBoard."""

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
"""The columns of a training run; solve rates are empty in rows without an evaluation."""

COUNTS = ("steps", "episodes", "solved", "return", "length")
"""The metrics that are sums over steps or episodes; all others are means over an iteration."""

EVENT_GROUPS = {
    "evaluation": ("train_greedy", "train_sampled", "test_greedy", "test_sampled"),
    "episodes": ("solve_rate", "return", "length"),
    "time": ("steps_per_second", "seconds"),
}
"""The headings that TensorBoard shows metrics under; others are under ``optimisation``."""


Report = Mapping[str, float]
"""A row of metrics."""


class MetricsError(PushWorldError):
    """A file that does not hold metrics."""


class DivergedError(PushWorldError):
    """A training whose losses are no longer finite."""


class MetricsFile:
    """A CSV file with a row for each report of a run; its first column counts steps."""

    def __init__(self, path: Path, up_to_steps: int) -> None:
        """Opens or creates the file, and drops rows after the steps: the run repeats them."""
        self._path = path
        rows = [row for row in read_metrics(path) if row["steps"] <= up_to_steps]
        with replaced(path) as new, new.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerow(COLUMNS)
            self._write(
                file, [{name: row[name] for name in COLUMNS if name in row} for row in rows]
            )
        self.last: Mapping[str, float] = rows[-1] if rows else {}
        """The last row in the file."""

    def write(self, row: Report) -> None:
        """Appends a report, which is in the file when this returns.

        Raises:
            DivergedError: if a value is not finite; then no row is written.
        """
        broken = [f"{name} is {value}" for name, value in row.items() if not isfinite(value)]
        if broken:
            raise DivergedError(
                f"training diverged before step {row['steps']:,.0f} ({', '.join(broken)}): saved files "
                "are unchanged; a smaller learning_rate may help"
            )
        with writing(self._path), self._path.open("a", newline="", encoding="utf-8") as file:
            self._write(file, [row])
        self.last = row

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
            if name not in ("steps", "episodes"):
                groups = (group for group, names in EVENT_GROUPS.items() if name in names)
                group = next(groups, "optimisation")
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
