"""Generates the frozen evaluation set again, byte by byte the same.

python -m pushworld.text.freeze FILE
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pushworld.design.analysis import analyze
from pushworld.design.budget import DESIGNING
from pushworld.files import write_text
from pushworld.text.evaluation_set import NAME, Entry, file_of
from pushworld.text.steps import STEPS, Generated, generate_step

PUZZLES_PER_STEP = 40


def first_entries(step: int, count: int) -> Iterator[Entry]:
    """Yields the first entries of a step."""
    return (_entry(step, each) for each in islice(generate_step(step, NAME), count))


def _entry(step: int, generated: Generated) -> Entry:
    puzzle, plan = generated.puzzle, generated.plan
    rows = (" ".join(row.split()) for row in puzzle.to_pwp().splitlines())
    return Entry(
        name=f"{NAME}/{step}-{generated.digest}",
        step=step,
        skills=analyze(puzzle, DESIGNING, planners=("default",), known_plan=plan).skills,
        plan=plan,
        puzzle="/".join(rows),
    )


def main(path: str) -> None:
    """Writes the file of the set, and prints the puzzles as they come."""
    entries = []
    for step in STEPS:
        for entry in first_entries(step, PUZZLES_PER_STEP):
            entries.append(entry)
            print(f"{entry.name}  {len(entry.plan)} actions", flush=True)
    write_text(Path(path), file_of(entries))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m pushworld.text.freeze FILE")
    main(sys.argv[1])
