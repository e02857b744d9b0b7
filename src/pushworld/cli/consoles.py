"""Consoles for tables, status lines and progress bars. Rich takes long to load: optional parts do so when they need it."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
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
    if console.is_terminal:
        with console.status(text) as line:
            yield line.update
        return
    current = deque([text], maxlen=1)
    with _repeated_lines(lambda: current[0]):
        yield current.append


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
def _repeated_lines(text: Callable[[], str]) -> Iterator[None]:
    """Prints a text, which may change, every ten seconds from a thread of its own."""
    ended = Event()
    start = time.monotonic()

    def repeat() -> None:
        while not ended.wait(SECONDS_BETWEEN_LINES):
            typer.echo(f"{time.monotonic() - start:,.0f} s: {text()}", err=True)

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class _Lines(Progress):
    """A progress bar that nobody sees, but for a line when work begins."""

    def add_task(self, *arguments: Any, **fields: Any) -> TaskID:
        task = super().add_task(*arguments, **fields)
        typer.echo(_line(self), err=True)
        return task


@contextmanager
def progress_bar(*last_columns: ProgressColumn) -> Iterator[Progress]:
    """Yields a progress bar on standard error. To a file or a pipe, lines go at the start and every ten seconds.

    The time left follows from what was done since the first step: a run that goes on may begin with
    much of it done.
    """
    console = Console(stderr=True)
    progress = (Progress if console.is_terminal else _Lines)(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *last_columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=3600,
    )
    with progress, _repeated_lines(lambda: _line(progress)) if progress.disable else nullcontext():
        yield progress


def _line(progress: Progress) -> str:
    """Returns a progress bar as a line of text."""
    parts = []
    for task in progress.tasks[-1:]:
        total = "" if task.total is None else f" of {task.total:,.0f}"
        parts.append(f"{task.description}: {task.completed:,.0f}{total}")
        if task.time_remaining:
            parts.append(f"about {timedelta(seconds=round(task.time_remaining))} left")
        if task.fields.get("detail"):
            parts.append(task.fields["detail"])
    return ", ".join(parts) or "beginning"


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
def interruptible(advice: str = "run the same command to continue") -> Iterator[None]:
    """Ends the command with advice when Ctrl-C ends the block."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted: {advice}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def shown_progress(description: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Yields a function that shows what was done, a new description and a new total, if they are not None.

    Ctrl-C ends the command with the advice to run it again.
    """
    with interruptible(), progress_bar(TimeElapsedColumn()) as progress:
        task = progress.add_task(description, total=total)
        yield lambda done, text, total=None: progress.update(
            task, completed=done, description=text, total=total
        )
