"""What several commands print: counts, and reports about folders of puzzles."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from pushworld.datasets.generated.folder import FolderReport
    from pushworld.design.folder import DesignReport


def counted(number: int, one: str, many: str = "") -> str:
    """Returns a number with its noun, such as ``1 puzzle`` or ``2,000 puzzles``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def echo_report(report: FolderReport | DesignReport, effort: str, *, as_json: bool) -> None:
    """Prints what a folder holds, as JSON or as a sentence that ends with the effort."""
    if as_json:
        typer.echo(json.dumps({**asdict(report), "folder": str(report.folder)}))
    else:
        typer.echo(
            f"{counted(report.puzzles, 'puzzle')} in {report.folder}, "
            f"{report.there_before} of them before; {effort}"
        )
