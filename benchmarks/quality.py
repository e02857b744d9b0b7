"""Measures the quality of groups of puzzles, part by part.

    python benchmarks/quality.py classic designed=DIR
    python benchmarks/quality.py published=../shared/puzzles classic designed=DIR --sample 24 --store results/quality.jsonl

A group is a set or a folder, after a name of its own if you like. The script draws a sample of each,
analyses every puzzle quickly, and prints the means of the parts and of the score. The last lines compare
the first group with each other one: how often, of a puzzle of each, that of the first group has the higher
value (0.5: no difference). The store has a line for each puzzle, so that an interrupted run can continue.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from machine import describe_machine

from pushworld.datasets import load_set
from pushworld.design.analysis import analyze
from pushworld.design.budget import BUDGETS
from pushworld.design.quality import WEIGHTS, find_quality
from pushworld.puzzle import Puzzle

COLUMNS = ("score", *WEIGHTS)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("groups", nargs="+", metavar="[NAME=]SET")
    parser.add_argument("--sample", type=int, default=24, help="puzzles of each group")
    parser.add_argument("--seconds", type=float, help="for each analysis (default: no limit)")
    parser.add_argument("--store", type=Path, help="JSON lines with the measurements")
    arguments = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    known = read_rows(arguments.store)
    measured: dict[str, list[dict[str, Any]]] = {}
    for group in arguments.groups:
        name, _, place = group.rpartition("=")
        name = name or place
        measured[name] = []
        for puzzle in sample_of(load_set(place), arguments.sample):
            if (name, puzzle.name) not in known:
                row = {"group": name, "puzzle": puzzle.name, **measure(puzzle, arguments.seconds)}
                known[name, puzzle.name] = row
                if arguments.store:
                    with arguments.store.open("a", encoding="utf-8") as store:
                        print(json.dumps(row), file=store)
            measured[name].append(known[name, puzzle.name])
    print_table(measured)


def read_rows(store: Path | None) -> dict[tuple[str, str], dict[str, Any]]:
    """Returns the lines of a store by group and puzzle."""
    if store is None or not store.exists():
        return {}
    rows = [json.loads(line) for line in store.read_text("utf-8").splitlines()]
    return {(row["group"], row["puzzle"]): row for row in rows}


def sample_of(puzzles: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Returns some of the puzzles, the same in every run."""
    puzzles = [puzzle for puzzle in puzzles if puzzle.goal]
    return Random(0).sample(puzzles, min(count, len(puzzles)))


def measure(puzzle: Puzzle, seconds: float | None) -> dict[str, Any]:
    """Returns the quality of a puzzle as values for JSON."""
    analysis = analyze(puzzle, BUDGETS["quick"], planners=("default",), seconds=seconds)
    return find_quality(puzzle, analysis).as_dict()


def print_table(measured: dict[str, list[dict[str, Any]]]) -> None:
    """Prints the means of each group, and how they differ from the first."""
    print(f"{'group':22} puzzles " + " ".join(f"{name:>10}" for name in COLUMNS))
    for name, rows in measured.items():
        means = (mean_of(values(rows, column)) for column in COLUMNS)
        print(f"{name:22} {len(rows):7} " + " ".join(f"{mean:>10}" for mean in means))
    first, *others = measured
    for other in others:
        shares = (
            mean_of(
                (ours > theirs) + (ours == theirs) / 2
                for ours, theirs in product(
                    values(measured[first], column), values(measured[other], column)
                )
            )
            for column in COLUMNS
        )
        print(f"{first + ' > ' + other:30} " + " ".join(f"{share:>10}" for share in shares))


def values(rows: Iterable[dict[str, Any]], column: str) -> list[float]:
    return [row[column] for row in rows if row[column] is not None]


def mean_of(numbers: Iterable[float]) -> str:
    known = list(numbers)
    return f"{fmean(known):.2f}" if known else "-"


if __name__ == "__main__":
    main()
