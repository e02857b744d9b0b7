"""The progress of a benchmark: bars in a terminal, lines in a file or a pipe."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from threading import Event, Thread

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from pushworld.bench.records import Run
from pushworld.bench.single_run import Job

SECONDS_BETWEEN_LINES = 10.0

TOTAL = ""
"""The key of the line for all planners; no planner has this name."""


class ProgressDisplay:
    """A watcher that shows solved, running and remaining runs by planner.

    If the console is not a terminal, it prints a line with the sums at the start, every ten seconds, and
    at the end.

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
        self._closed = Event()
        self._lines = Thread(target=self._repeat_line, daemon=True)
        self._bars: dict[str, TaskID] = {}
        self._total: Counter[str] = Counter()
        self._ended: Counter[str] = Counter()
        self._solved: Counter[str] = Counter()
        self._running: Counter[str] = Counter()
        self._start = time.monotonic()
        self._ended_before = 0

    def close(self) -> None:
        """Stops updating the lines; they stay visible."""
        self._closed.set()
        if self._bars and self._console.is_terminal:
            self._progress.stop()
        elif self._bars:
            self._lines.join()

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
        if self._console.is_terminal:
            self._progress.start()
            return
        self._print_line()
        self._lines.start()

    def on_start(self, job: Job) -> None:
        for name in (job.planner.name, TOTAL):
            self._running[name] += 1
            self._show(name)

    def on_end(self, run: Run) -> None:
        self._count(run)
        for name in (run.planner, TOTAL):
            self._running[name] -= 1
            self._show(name)
        if self._ended[TOTAL] == self._total[TOTAL] and not self._console.is_terminal:
            self._print_line()

    def _repeat_line(self) -> None:
        """Prints the sums again and again, however long a single run takes."""
        while not self._closed.wait(SECONDS_BETWEEN_LINES):
            self._print_line()

    def _print_line(self) -> None:
        ended, total, left = self._ended[TOTAL], self._total[TOTAL], self._time_left()
        line = f"{ended} of {total} runs, {self._solved[TOTAL]} solved"
        if running := self._running[TOTAL]:
            line += f", {running} running"
        self._console.print(f"{line}, {left}" if left else line, highlight=False)

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
