"""What several commands print: counts, progress bars, and reports about folders of puzzles."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from pushworld.cli.consoles import SECONDS_BETWEEN_LINES
from pushworld.cli.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from pushworld.datasets.generated.folder import FolderReport
    from pushworld.design.curriculum import CurriculumReport
    from pushworld.design.folder import DesignReport


def counted(number: int, one: str, many: str = "") -> str:
    """Returns a number with its noun, such as ``1 puzzle`` or ``2,000 puzzles``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


class ProgressLines(Progress):
    """A progress bar for files and pipes: a line on standard error at the start and every ten seconds.

    The time left follows from what was done since the first step: a run that goes on may begin with
    much of it done.
    """

    def __init__(self) -> None:
        super().__init__(disable=True)
        self._last = time.monotonic()
        self._first: tuple[float, float] | None = None

    def add_task(self, description: str, *arguments: Any, **fields: Any) -> TaskID:
        task = super().add_task(description, *arguments, **fields)
        self._show(task)
        return task

    def update(self, task_id: TaskID, **changes: Any) -> None:
        super().update(task_id, **changes)
        self._show_sometimes(task_id)

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        super().advance(task_id, advance)
        self._show_sometimes(task_id)

    def _show_sometimes(self, task: TaskID) -> None:
        if self._first is None:
            self._first = time.monotonic(), self.tasks[task].completed
        if time.monotonic() - self._last >= SECONDS_BETWEEN_LINES:
            self._show(task)

    def _show(self, number: TaskID) -> None:
        self._last = time.monotonic()
        task = self.tasks[number]
        line = f"{task.description}: {task.completed:,.0f}"
        if task.total is not None:
            line += f" of {task.total:,.0f}"
            if self._first is not None and task.completed > self._first[1]:
                began, before = self._first
                seconds = (self._last - began) / (task.completed - before)
                left = round(seconds * (task.total - task.completed))
                line += f", about {timedelta(seconds=left)} left"
        detail = task.fields.get("detail")
        typer.echo(f"{line}, {detail}" if detail else line, err=True)


@contextmanager
def progress_bar(*last_columns: ProgressColumn) -> Iterator[Progress]:
    """Yields a progress bar on standard error, or lines if that is not a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield ProgressLines()
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *last_columns,
        console=console,
        transient=True,
    ) as progress:
        yield progress


@contextmanager
def shown_progress(description: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """Yields a function that shows the number of finished puzzles and a new description.

    Ctrl-C ends the command with the advice to run it again.
    """
    try:
        with progress_bar(TimeElapsedColumn()) as progress:
            task = progress.add_task(description, total=total)
            yield lambda done, text: progress.update(task, completed=done, description=text)
    except KeyboardInterrupt:
        typer.echo("stopped: run the same command to continue", err=True)
        raise typer.Exit(INTERRUPTED) from None


def echo_report(
    report: FolderReport | DesignReport | CurriculumReport, effort: str, *, as_json: bool
) -> None:
    """Prints what a folder holds, as JSON or as a sentence that ends with the effort."""
    if as_json:
        typer.echo(json.dumps({**asdict(report), "folder": str(report.folder)}))
    else:
        typer.echo(
            f"{counted(report.puzzles, 'puzzle')} in {report.folder}, "
            f"{report.there_before} of them before; {effort}"
        )
