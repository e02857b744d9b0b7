"""What several commands print: counts, progress bars, and reports about folders of puzzles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from pushworld.cli.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from pushworld.datasets.generated.folder import FolderReport
    from pushworld.design.folder import DesignReport


def counted(number: int, one: str, many: str = "") -> str:
    """Returns a number with its noun, such as ``1 puzzle`` or ``2,000 puzzles``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


@contextmanager
def progress_bar(*last_columns: ProgressColumn) -> Iterator[Progress]:
    """Yields a progress bar on standard error, which shows nothing unless that is a terminal."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *last_columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
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


def echo_report(report: FolderReport | DesignReport, effort: str, *, as_json: bool) -> None:
    """Prints what a folder holds, as JSON or as a sentence that ends with the effort."""
    if as_json:
        typer.echo(json.dumps({**asdict(report), "folder": str(report.folder)}))
    else:
        typer.echo(
            f"{counted(report.puzzles, 'puzzle')} in {report.folder}, "
            f"{report.there_before} of them before; {effort}"
        )
