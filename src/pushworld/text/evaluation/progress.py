"""The progress of an evaluation: one line in a terminal, lines now and then in a file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from pushworld.text.evaluation.runner import Progress, Watcher

SECONDS_BETWEEN_LINES = 30.0


@contextmanager
def shown_progress(console: Console, name: str) -> Iterator[Watcher]:
    """Yields a watcher that shows tasks answered and solved, requests and tokens."""
    last: Progress | None = None
    printed = time.monotonic()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[figures]}"),
        TimeElapsedColumn(),
    )
    bar = Bar(*columns, console=console, transient=True, disable=not console.is_terminal)
    line = bar.add_task(escape(name), total=None, figures="")

    def say(text: str) -> None:
        console.print(f"{name}: {text}", markup=False, highlight=False, soft_wrap=True)

    def say_all(now: Progress) -> None:
        say(f"{now.solved + now.open} of {now.tasks} tasks answered, {_figures(now)}")

    def watch(now: Progress) -> None:
        nonlocal last, printed
        if last is None and now.before:
            say(f"{now.before} of {now.tasks} tasks are answered already")
        last = now
        done = now.solved + now.open
        bar.update(line, total=now.tasks, completed=done, figures=_figures(now))
        if not console.is_terminal and time.monotonic() - printed > SECONDS_BETWEEN_LINES:
            printed = time.monotonic()
            say_all(now)

    try:
        with bar:
            yield watch
    finally:
        if last is not None:
            say_all(last)


def _figures(now: Progress) -> str:
    failed = f", {now.failed} failed" if now.failed else ""
    used = f", {now.evaluation.requests:,} requests, {now.evaluation.tokens:,} tokens"
    return f"{now.solved} solved{failed}" + (used if now.evaluation.requests else "")
