"""The report on folders of results: tables, the figure, and a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from pushworld.bench.figure import write_figure
from pushworld.bench.page import page_of
from pushworld.bench.store import Results
from pushworld.bench.tables import columns_of, comparison, coverage, notes
from pushworld.puzzle import PushWorldError


@dataclass(frozen=True)
class WrittenReport:
    """The files of a report.

    Attributes:
        page: the HTML page.
        figures: the figure as SVG and PNG; empty if it could not be drawn.
        missing: why not, in words, or None.
    """

    page: Path
    figures: tuple[Path, ...]
    missing: str | None


def print_tables(results: Sequence[Results], console: Console, *, markdown: bool = False) -> None:
    """Prints solved puzzles by level and time, comparisons with the first planner, the machine."""
    columns = columns_of(results)
    tables = (coverage(columns), comparison(columns))
    if markdown:
        parts = [*(table.markdown() for table in tables), "  \n".join(notes(columns))]
        console.print("\n\n".join(parts), markup=False, highlight=False, soft_wrap=True)
        return
    for table in tables:
        console.print(table.rich())
        console.print()
    for note in notes(columns):
        console.print(note, markup=False, highlight=False, soft_wrap=True)


def write_report(results: Sequence[Results], folder: Path) -> WrittenReport:
    """Writes ``figure.svg``, ``figure.png`` and ``report.html`` into a folder.

    Raises:
        PushWorldError: if there are no runs or the files cannot be written.
    """
    columns = columns_of(results)
    page = folder / "report.html"
    figures: tuple[Path, ...] = (folder / "figure.svg", folder / "figure.png")
    missing = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page.write_text(page_of(results, columns), encoding="utf-8")
        try:
            write_figure(columns, figures)
        except PushWorldError as error:
            figures, missing = (), str(error)
    except OSError as error:
        raise PushWorldError(f"{folder} cannot be written: {error.strerror or error}") from error
    return WrittenReport(page, figures, missing)
