"""Consoles for tables, status lines and progress bars. Rich takes long to load: optional parts do so when they need it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from socket import socketpair
from threading import Event, Thread
from typing import Any

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

from pushworld.cli.exit_codes import INTERRUPTED

LEAST_WIDTH = 80
SECONDS_BETWEEN_LINES = 10.0

PATIENCE = 10.0
"""How many seconds a command that is asked to end has to save its work."""


def table_console() -> Console:
    """Returns a console on standard output that is wide enough for tables.

    A narrower terminal wraps the lines and hides nothing, where Rich would cut words off.
    """
    console = Console()
    console.width = max(console.width, LEAST_WIDTH)
    return console


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """Shows a line on standard error; yields a function that updates it.

    If that is not a terminal, the current text is printed every ten seconds.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        with _repeated_lines(text) as update:
            yield update
        return
    with console.status(text) as line:
        yield line.update


@contextmanager
def step_line(text: str) -> Iterator[Callable[[str], None]]:
    """Does the same for work in steps: the first text of each step is printed at once.

    Texts of one step differ only after a comma.
    """
    last = ""
    with status_line(text) as update:

        def begin(text: str) -> None:
            nonlocal last
            update(text)
            step, _, _ = text.partition(",")
            if step != last and not Console(stderr=True).is_terminal:
                typer.echo(step, err=True)
            last = step

        yield begin


@contextmanager
def _repeated_lines(text: str) -> Iterator[Callable[[str], None]]:
    """Prints a text, which may change, every ten seconds from a thread of its own."""
    current = [text]
    ended = Event()
    start = time.monotonic()

    def repeat() -> None:
        while not ended.wait(SECONDS_BETWEEN_LINES):
            typer.echo(f"{time.monotonic() - start:,.0f} s: {current[-1]}", err=True)

    def update(text: str) -> None:
        current[:] = [text]

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield update
    finally:
        ended.set()
        thread.join()


class ProgressLines(Progress):
    """A progress bar for files and pipes: a line on standard error at the start and every ten seconds.

    The time left follows from what was done since the first step: a run that goes on may begin with
    much of it done.
    """

    def __init__(self) -> None:
        super().__init__(console=Console(stderr=True), disable=True)
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
                left = round(seconds * max(0, task.total - task.completed))
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
        speed_estimate_period=3600,
    ) as progress:
        yield progress


@contextmanager
def ended_soon(progress: Progress, message: str) -> Iterator[None]:
    """Exits with a message when Ctrl-C or SIGTERM ends the block, or when it goes on for some seconds.

    Python handles a signal between two steps of its own, and JAX may compute for hours in one; a
    usual exit would wait for that.
    """
    ended, (reader, writer) = Event(), socketpair()
    writer.setblocking(False)

    def leave() -> None:
        progress.stop()
        typer.echo(message, err=True)
        os._exit(INTERRUPTED)

    def watch() -> None:
        with reader:
            if reader.recv(1) and not ended.wait(PATIENCE):
                leave()

    Thread(target=watch, daemon=True).start()
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    try:
        yield
    except KeyboardInterrupt:
        leave()
    finally:
        signal.set_wakeup_fd(before)
        ended.set()
        writer.close()


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
