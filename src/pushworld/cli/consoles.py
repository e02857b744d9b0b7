"""Consoles for tables and status lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

LEAST_WIDTH = 80


def table_console() -> Console:
    """Returns a console on standard output that is wide enough for tables.

    A narrower terminal wraps the lines and hides nothing, where Rich would cut words off.
    """
    console = Console()
    console.width = max(console.width, LEAST_WIDTH)
    return console


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """Shows a line on standard error, if that is a terminal; yields a function that updates it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status(text) as line:
        yield line.update
