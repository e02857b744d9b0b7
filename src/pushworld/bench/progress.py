"""The progress of a benchmark in a terminal: a line for each planner and one for all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from pushworld.bench.records import Run
from pushworld.bench.single_run import Job

TOTAL = ""
"""The key of the line for all planners; no planner has this name."""


class ProgressDisplay:
    """A watcher that shows solved, running and remaining runs by planner.

    Use it with `contextlib.closing`.
    """

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=30),
            TextColumn("{task.completed:.0f}/{task.total:.0f}"),
            TextColumn("[green]{task.fields[solved]} solved"),
            TextColumn("[cyan]{task.fields[running]} running"),
            TextColumn("{task.fields[remaining]} remaining"),
            TextColumn("{task.fields[left]}"),
            console=console,
        )
        self._console = console
        self._bars: dict[str, TaskID] = {}
        self._total: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()
        self._solved: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._start = time.monotonic()
        self._ended_before = 0

    def close(self) -> None:
        """Stops updating the lines; they stay visible."""
        if self._bars:
            self._progress.stop()

    def on_plan(self, jobs: Sequence[Job], known: Sequence[Run]) -> None:
        """Shows the runs that the folder already holds."""
        for planner in [*(run.planner for run in known), *(job.planner.name for job in jobs)]:
            self._total[planner] += 1
            self._total[TOTAL] += 1
        self._ended_before = len(known)
        if known:
            self._console.print(f"{len(known)} of {self._total[TOTAL]} runs are there already")
        for run in known:
            self._count(run)
        names = [*sorted(set(self._total) - {TOTAL}, key=list(self._total).index), TOTAL]
        for name in names:
            self._bars[name] = self._progress.add_task(
                escape(name) or "all",
                total=self._total[name],
                solved=0,
                running=0,
                remaining=0,
                left="",
            )
            self._show(name)
        self._progress.start()

    def on_start(self, job: Job) -> None:
        for name in (job.planner.name, TOTAL):
            self._running[name] += 1
            self._show(name)

    def on_end(self, run: Run) -> None:
        self._count(run)
        for name in (run.planner, TOTAL):
            self._running[name] -= 1
            self._show(name)

    def _count(self, run: Run) -> None:
        for name in (run.planner, TOTAL):
            self._ended[name] += 1
            self._solved[name] += run.status == "solved"

    def _show(self, name: str) -> None:
        ended, running = self._ended[name], self._running[name]
        self._progress.update(
            self._bars[name],
            completed=ended,
            solved=self._solved[name],
            running=running,
            remaining=self._total[name] - ended - running,
            left=self._time_left() if name == TOTAL else "",
        )

    def _time_left(self) -> str:
        ended = self._ended[TOTAL] - self._ended_before
        left = self._total[TOTAL] - self._ended[TOTAL]
        if not ended or not left:
            return ""
        seconds = (time.monotonic() - self._start) / ended * left
        return f"about {timedelta(seconds=round(seconds))} left"
