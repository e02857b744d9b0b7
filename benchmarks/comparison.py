"""Prints the table of docs/guides/benchmark.md from the results of a comparison.

    pushworld benchmark level1 level2 level3 level4 --clock cpu --time-limit 60 --memory-limit 8 \
        --planners default,novelty-rgd,rgd,ff,lama,fd-autotune,fdss,bfws --workers 14 -o results/comparison
    python benchmarks/comparison.py results/comparison

Solved puzzles by level, of how many if a planner was not run on all; the scores; and how many times longer
than the first planner it takes (geometric mean over the puzzles that both solve).
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from pushworld import bench
from pushworld.bench.human import chosen_solutions
from pushworld.bench.records import Run
from pushworld.bench.report import rows_of_report
from pushworld.bench.scores import scores
from pushworld.bench.tables import PlannerRuns, Table, all_tasks, comparison, notes

SCORES = ("solved, %", "agile", "satisficing", "PAR-2, s")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path)
    parser.add_argument("--human", default="none", help="plans of people, as of pushworld report")
    arguments = parser.parse_args()
    people = chosen_solutions(arguments.human)
    planners = rows_of_report([bench.read_results(arguments.results)], people)
    planners.sort(key=lambda planner: -solved_share(planner))
    print(table_of(planners).markdown())
    for planner in planners:
        if line := not_solved(planner):
            print(f"\n{planner.label}: {line}", end="")
    print("\n")
    print("  \n".join(notes(planners)))


def solved_share(planner: PlannerRuns) -> float:
    """Returns the share of solved puzzles; people come last."""
    solved = sum(run.status == "solved" for run in planner.runs.values())
    return solved / len(planner.runs) if planner.timed else -1


def table_of(planners: list[PlannerRuns]) -> Table:
    """Returns the table of the document."""
    tasks = all_tasks(planners)
    sizes = Counter(task.level for task in tasks)
    ratios = {row["planner"]: row["time ratio"] for row in comparison(planners).records()}
    rows = []
    for planner, record in zip(planners, scores(planners).records(), strict=True):
        runs = list(planner.runs.values())
        cells = [
            counted([run for run in runs if run.level == level], sizes[level]) for level in sizes
        ]
        rows.append(
            [
                planner.label,
                *cells,
                counted(runs, len(tasks)),
                *(record[name] for name in SCORES),
                ratios[planner.label],
            ]
        )
    header = ["planner", *(f"{level} ({size})" for level, size in sizes.items())]
    return Table([*header, f"all ({len(tasks)})", *SCORES, "time"], rows)


def counted(runs: list[Run], size: int) -> str:
    """Returns how many runs solved their puzzles, and of how many if some puzzles are missing."""
    solved = sum(run.status == "solved" for run in runs)
    return str(solved) if len(runs) == size else f"{solved} of {len(runs)}"


def not_solved(planner: PlannerRuns) -> str:
    """Returns why the other runs ended, and how many were still writing or grounding the task."""
    others = [run for run in planner.runs.values() if run.status != "solved"]
    ends = Counter(run.status for run in others)
    parts = [f"{count} {status}" for status, count in ends.most_common()]
    early = sum(not run.expanded and not run.evaluated for run in others)
    if early and any(run.representation_seconds is not None for run in planner.runs.values()):
        parts.append(f"{early} before the search began or said anything")
    return ", ".join(parts)


if __name__ == "__main__":
    main()
