"""Metrics of a run as event files that TensorBoard reads."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

GROUPS = {
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
"""Under which heading a metric is drawn; those of the optimisation are not named here."""


def events_are_possible() -> bool:
    """Returns whether the package that writes event files is installed."""
    return find_spec("tensorboardX") is not None


class EventsFile:
    """An event file, which stays empty where tensorboardX is not installed."""

    def __init__(self, folder: Path, up_to_steps: int) -> None:
        """Opens a new file; TensorBoard drops what older ones hold beyond `up_to_steps`."""
        self._writer: Any = None
        if events_are_possible():
            from tensorboardX import SummaryWriter  # type: ignore[import-untyped]

            self._writer = SummaryWriter(str(folder), purge_step=up_to_steps + 1)

    def write(self, row: Mapping[str, float]) -> None:
        """Adds the metrics of a report, which are in the file when this returns."""
        if self._writer is None:
            return
        for name, value in row.items():
            if name not in ("steps", "episodes"):
                group = GROUPS.get(name, "optimisation")
                self._writer.add_scalar(f"{group}/{name}", value, int(row["steps"]))
        self._writer.flush()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
