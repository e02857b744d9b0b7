"""Writes a puzzle in the language of a planner, within the limits of the planner."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from pushworld.export import ExportStoppedError
from pushworld.export.files import Format, export_texts
from pushworld.machine import resident_bytes
from pushworld.planners.protocol import Status
from pushworld.puzzle import Puzzle

CHECK_INTERVAL = 0.05
CLOCK_INTERVAL = 0.001


def write_files(texts: dict[str, str], folder: Path) -> dict[str, str]:
    """Writes the files of a planner, and returns the paths that its command may name."""
    paths = {"plan": str(folder / "plan")}
    for name, text in texts.items():
        file = folder / name
        file.write_text(text, encoding="utf-8")
        paths["sas" if file.suffix == ".sas" else file.stem] = str(file)
    return paths


def texts_within(
    puzzle: Puzzle,
    form: Format,
    seconds_left: Callable[[], float],
    memory_bytes: int,
    report: Callable[[], None],
) -> dict[str, str] | Status:
    """Returns the texts of the planner's files by name, or what ended the writing."""
    memory_end = resident_bytes() + memory_bytes
    next_check = next_look = 0.0
    ended: Status = "interrupted"

    def stop() -> bool:
        nonlocal next_check, next_look, ended
        now = time.perf_counter()
        if now >= next_look:
            next_look = now + CLOCK_INTERVAL
            if seconds_left() <= 0:
                ended = "time-limit"
        if now >= next_check:
            next_check = now + CHECK_INTERVAL
            report()
            if resident_bytes() > memory_end:
                ended = "memory-limit"
        return ended != "interrupted"

    try:
        return export_texts(puzzle, form, stop)
    except (KeyboardInterrupt, ExportStoppedError):
        return ended
