"""The report about evaluations: tables, a page, and files for other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from pushworld.bench.tables import Table, show_tables
from pushworld.files import make_folder, write_text
from pushworld.text.evaluation.accounts import (
    Prices,
    costs,
    first_samples,
    pairs,
    price_notes,
    samples,
)
from pushworld.text.evaluation.outcomes import Contestant
from pushworld.text.evaluation.page import page_of
from pushworld.text.evaluation.profile import by_difficulty, by_set, by_skill, profile_table
from pushworld.text.evaluation.summary import kinds_of, leaderboard, notes, summaries, write_csv

PAGE, SUMMARY, ROWS = "report.html", "summary.json", "tasks.csv"


def tables_of(contestants: Sequence[Contestant], prices: Prices | None = None) -> dict[str, Table]:
    """Returns the tables of a report that have rows and more than one figure, by their headings.

    All but those of costs and samples are of the first sample of each task.
    """
    once = first_samples(contestants)
    tables = {
        "Profile": profile_table(once),
        "Plans": leaderboard(once),
        "Right answers by difficulty step": by_difficulty(once),
        "Puzzles solved by what they demand": by_skill(once),
        "Puzzles and their twins": by_set(once),
        "Samples": samples(contestants),
        "Runs in pairs": pairs(once),
        "Costs": costs(contestants, prices),
    }
    if len(kinds_of(contestants)) == 1:
        del tables["Profile"]
    return {name: each for name, each in tables.items() if each.rows and len(each.header) > 2}


def print_tables(
    contestants: Sequence[Contestant],
    console: Console,
    *,
    markdown: bool = False,
    prices: Prices | None = None,
) -> None:
    """Prints the figures of all contestants, and what they mean."""
    lines = [*notes(contestants), *price_notes(contestants, prices)]
    show_tables(tables_of(contestants, prices).values(), lines, console, markdown=markdown)


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


def write_report(
    contestants: Sequence[Contestant], folder: Path, prices: Prices | None = None
) -> tuple[Path, ...]:
    """Writes ``report.html``, ``summary.json`` and ``tasks.csv`` into a folder; returns their paths.

    Raises:
        PushWorldError: if they cannot be written.
    """
    page, summary, rows = folder / PAGE, folder / SUMMARY, folder / ROWS
    make_folder(folder)
    lines = [*notes(contestants), *price_notes(contestants, prices)]
    write_text(page, page_of(contestants, tables_of(contestants, prices), lines))
    write_text(summary, json.dumps(summary_of(contestants), indent=2) + "\n")
    write_csv(contestants, rows)
    return page, summary, rows
