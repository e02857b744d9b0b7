"""The table of results in docs/explanation/reliability.md, written from the files of rows."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.laboratory.trials import kind_of, total

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
HEADER = (
    "| command | what is tried | trials | seen | peak | seed | found | machine, date |\n"
    "| --- | --- | ---: | --- | --- | ---: | ---: | --- |\n"
)


def write_table(files: list[Path], document: Path) -> None:
    """Writes the sums of the rows between the marks in the document."""
    runs: dict[tuple[str, int, str], list[dict[str, Any]]] = defaultdict(list)
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            row = json.loads(line)
            machine = "{processor}, {cores} cores, {system}, Python {python}".format(
                **row["machine"]
            )
            runs[row["name"], row["seed"], machine].append(row)
    lines = [_line(*key, rows) for key, rows in runs.items()]
    text = document.read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    document.write_text(f"{before}{BEGIN}\n{HEADER}{''.join(lines)}{END}{after}", "utf-8")


def _line(name: str, seed: int, machine: str, rows: list[dict[str, Any]]) -> str:
    summed = total(rows)
    dates = sorted({row["machine"]["date"] for row in rows})
    cells = (
        f"`{name}`",
        kind_of(name).INPUTS,
        f"{sum(row['trials'] for row in rows):,}",
        ", ".join(f"{value:,} {what}" for what, value in sorted(summed.counts.items())),
        ", ".join(f"{value:,.6g} {what}" for what, value in sorted(summed.peaks.items())) or "-",
        str(seed),
        f"{sum(row['found'] for row in rows):,}",
        f"{machine}, {dates[-1]}",
    )
    return f"| {' | '.join(cells)} |\n"
