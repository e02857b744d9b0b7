"""The report about evaluations: tables, a page, and files for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from pushworld.files import make_folder, write_text
from pushworld.text.evaluation.outcomes import Contestant
from pushworld.text.evaluation.page import page_of
from pushworld.text.evaluation.summary import (
    by_difficulty,
    difficulties,
    leaderboard,
    notes,
    summaries,
    write_csv,
)

PAGE, SUMMARY, ROWS = "report.html", "summary.json", "tasks.csv"


def print_tables(
    contestants: Sequence[Contestant], console: Console, *, markdown: bool = False
) -> None:
    """Prints the figures of all contestants, and what they mean."""
    tables = [leaderboard(contestants)]
    if len(difficulties(contestants)) > 1:
        tables.append(by_difficulty(contestants))
    lines = list(notes(contestants))
    if markdown:
        parts = [*(table.markdown() for table in tables), "  \n".join(lines)]
        console.print("\n\n".join(parts), markup=False, highlight=False, soft_wrap=True)
        return
    for table in tables:
        table.show(console)
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def summary_of(contestants: Sequence[Contestant]) -> dict[str, object]:
    """Returns the figures of all contestants by difficulty, their settings and the notes."""
    return {
        "contestants": {
            each.label: {**each.evaluation.settings.to_json(), "verified": each.verified}
            for each in contestants
        },
        "figures": [each.to_json() for each in summaries(contestants)],
        "notes": list(notes(contestants)),
    }


def write_report(contestants: Sequence[Contestant], folder: Path) -> tuple[Path, ...]:
    """Writes ``report.html``, ``summary.json`` and ``tasks.csv`` into a folder; returns their paths.

    Raises:
        PushWorldError: if they cannot be written.
    """
    page, summary, rows = folder / PAGE, folder / SUMMARY, folder / ROWS
    make_folder(folder)
    write_text(page, page_of(contestants))
    write_text(summary, json.dumps(summary_of(contestants), indent=2) + "\n")
    write_csv(contestants, rows)
    return page, summary, rows
