"""What the commands share that fill folders with puzzles: progress, interruption, and a report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from pushworld.cli.exit_codes import INTERRUPTED
from pushworld.cli.words import counted

if TYPE_CHECKING:
    from pushworld.datasets.generated.folder import FolderReport
    from pushworld.design.folder import DesignReport


@contextmanager
def shown_progress(description: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """Yields a function that takes the number of puzzles so far and words about them.

    Ctrl-C ends the command with the advice to run it again.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    try:
        console = Console(stderr=True)
        with Progress(
            *columns, console=console, transient=True, disable=not console.is_terminal
        ) as progress:
            task = progress.add_task(description, total=total)
            yield lambda made, words: progress.update(task, completed=made, description=words)
    except KeyboardInterrupt:
        typer.echo("stopped: run the same command to go on", err=True)
        raise typer.Exit(INTERRUPTED) from None


def echo_report(report: FolderReport | DesignReport, effort: str, *, as_json: bool) -> None:
    """Prints what a folder holds, as JSON or in words that end with the effort."""
    if as_json:
        typer.echo(json.dumps({**asdict(report), "folder": str(report.folder)}))
    else:
        typer.echo(
            f"{counted(report.puzzles, 'puzzle')} in {report.folder}, "
            f"{report.there_before} of them before; {effort}"
        )
