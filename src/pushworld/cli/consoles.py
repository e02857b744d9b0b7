"""Consoles for tables and status lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import typer
from rich.console import Console

LEAST_WIDTH = 80
SECONDS_BETWEEN_LINES = 10.0


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
