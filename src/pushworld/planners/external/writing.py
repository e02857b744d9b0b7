"""Writes a puzzle in the language of a planner, within the limits of the planner."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pushworld.export import ExportStoppedError, export_pddl, export_sas
from pushworld.machine import resident_bytes
from pushworld.planners.external.recipe import Representation
from pushworld.planners.protocol import Status
from pushworld.puzzle import Puzzle

CHECK_INTERVAL = 0.05
CLOCK_INTERVAL = 0.001


def write_files(texts: dict[str, str], folder: Path) -> dict[str, str]:
    """Writes the files of a planner, and returns the paths that its command may name."""
    paths = {"plan": str(folder / "plan")}
    for name, text in texts.items():
        file = folder / ("task.sas" if name == "sas" else f"{name}.pddl")
        file.write_text(text, encoding="utf-8")
        paths[name] = str(file)
    return paths


class Writing:
    """Writing of a task. Its time and memory count for the planner."""

    def __init__(
        self, seconds_left: Callable[[], float], memory_bytes: int, report: Callable[[], None]
    ) -> None:
        self._seconds_left = seconds_left
        self._memory_end = resident_bytes() + memory_bytes
        self._report = report
        self._next_check = self._next_look = 0.0
        self._ended: Status | None = None

    def texts(self, puzzle: Puzzle, representation: Representation) -> dict[str, str] | Status:
        """Returns the texts of the planner's files, or what ended the writing."""
        texts = {}
        try:
            if representation == "sas":
                texts["sas"] = export_sas(puzzle, stop=self._stop)
            else:
                low_arity = representation == "pddl-low-arity"
                task = export_pddl(puzzle, low_arity=low_arity, stop=self._stop)
                texts |= {"domain": task.domain, "problem": task.problem}
        except KeyboardInterrupt:
            return "interrupted"
        except ExportStoppedError:
            assert self._ended is not None
            return self._ended
        return texts

    def _stop(self) -> bool:
        now = time.perf_counter()
        if now >= self._next_look:
            self._next_look = now + CLOCK_INTERVAL
            if self._seconds_left() <= 0:
                self._ended = "time-limit"
        if now >= self._next_check:
            self._next_check = now + CHECK_INTERVAL
            self._report()
            if resident_bytes() > self._memory_end:
                self._ended = "memory-limit"
        return self._ended is not None
