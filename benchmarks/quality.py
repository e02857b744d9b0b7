"""Measures the quality of groups of puzzles, part by part.

    python benchmarks/quality.py classic designed=DIR
    python benchmarks/quality.py published=../shared/puzzles classic designed=DIR --sample 24 --store results/quality.jsonl

A group is a set or a folder, after a name of its own if you like. The script draws a sample of each,
analyses every puzzle quickly (not with --still), and prints the means of the parts and of the score. The last lines compare
the first group with each other one: how often, of a puzzle of each, that of the first group has the higher
value (0.5: no difference). The store keeps every measurement, so that an interrupted run can continue.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean

from common import Row, command_line, print_machine, rows_of, run_script

from pushworld.datasets import load_set
from pushworld.design.analysis import analyze
from pushworld.design.budget import BUDGETS
from pushworld.design.quality import WEIGHTS, clutter, find_quality, looks
from pushworld.design.variants import object_names
from pushworld.puzzle import Puzzle

COLUMNS = ("score", *WEIGHTS, "order")


def main() -> None:
    parser = command_line(__doc__)
    add = parser.add_argument
    add("groups", nargs="+", metavar="[NAME=]SET")
    add("--sample", type=int, default=24, help="puzzles of each group")
    add("--still", action="store_true", help="only what needs no search, of all puzzles")
    add("--seconds", type=float, help="for each analysis (default: no limit)")
    add("--store", type=Path, help="JSON lines with the measurements")
    arguments = parser.parse_args()
    print_machine()
    count = 10**6 if arguments.still else arguments.sample
    work = still if arguments.still else partial(measure, seconds=arguments.seconds)
    tasks = {}
    for group in arguments.groups:
        name, _, place = group.rpartition("=")
        for puzzle in sample_of(load_set(place), count):
            tasks[name or place, puzzle.name] = partial(work, puzzle)
    measured: dict[str, list[Row]] = {}
    for (name, _), row in rows_of(tasks, arguments.store).items():
        measured.setdefault(name, []).append(row)
    print_table(measured)


def sample_of(puzzles: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """Returns some of the puzzles, the same in every run."""
    puzzles = [puzzle for puzzle in puzzles if puzzle.goal]
    return Random(0).sample(puzzles, min(count, len(puzzles)))


def measure(puzzle: Puzzle, seconds: float | None) -> Row:
    """Returns the quality of a puzzle as values for JSON."""
    analysis = analyze(puzzle, BUDGETS["quick"], planners=("default",), seconds=seconds)
    return find_quality(puzzle, analysis).as_dict()


def still(puzzle: Puzzle) -> Row:
    """Returns the looks of a puzzle, and its order if a plan moves all movables."""
    order = 1 - clutter(puzzle, object_names(puzzle))
    return dict.fromkeys(COLUMNS) | {"looks": looks(puzzle), "order": order}


def print_table(measured: dict[str, list[Row]]) -> None:
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


def values(rows: Iterable[Row], column: str) -> list[float]:
    return [row[column] for row in rows if row[column] is not None]


def mean_of(numbers: Iterable[float]) -> str:
    known = list(numbers)
    return f"{fmean(known):.2f}" if known else "-"


if __name__ == "__main__":
    run_script(main)
