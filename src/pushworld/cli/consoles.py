"""Where commands show tables, and that they are at work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

LEAST_WIDTH = 80


def table_console() -> Console:
    """Returns standard output for tables, which need some columns.

    A narrower terminal breaks their lines, which hides nothing; Rich would cut words off.
    """
    console = Console()
    console.width = max(console.width, LEAST_WIDTH)
    return console


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None]]:
    """Shows a line on standard error while it lasts, if that is a terminal; gives what changes it."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status(text) as line:
        yield line.update
