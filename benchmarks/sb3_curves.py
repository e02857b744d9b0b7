"""Draws the learning curves of examples/train_sb3.py from the evaluations that its runs wrote.

    python examples/train_sb3.py --observation pixels --log runs/pixels
    python examples/train_sb3.py --log runs/planes
    python benchmarks/sb3_curves.py runs/pixels runs/planes --csv sb3.csv --figure sb3.svg
    python benchmarks/sb3_curves.py --from-csv benchmarks/results/sb3.csv --figure docs/images/sb3.svg

The name of a run is that of its folder. Prints a table of the episodes solved.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

Row = tuple[str, int, int, int]
"""A run, its training steps so far, and the episodes solved and played in an evaluation."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="*", type=Path, help="folders with evaluations.npz")
    parser.add_argument("--from-csv", type=Path, help="a table that --csv wrote")
    parser.add_argument("--csv", type=Path, help="write the table to this file")
    parser.add_argument("--figure", type=Path, help="draw the curves into this file, .svg or .png")
    arguments = parser.parse_args()
    rows = read_table(arguments.from_csv) if arguments.from_csv else []
    for run in arguments.runs:
        rows += evaluations(run)
    if not rows:
        parser.error("name a folder of a run, or a table with --from-csv")
    for name, steps, solved, episodes in rows:
        print(f"{name:12}{steps:>10,}{solved:>6} of {episodes}")
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [("run", "steps", "solved", "episodes"), *rows]
            )
    if arguments.figure:
        draw(rows, arguments.figure)


def evaluations(run: Path) -> list[Row]:
    """Returns the evaluations of a run."""
    with np.load(run / "evaluations.npz") as data:
        return [
            (run.name, int(steps), int(solved.sum()), len(solved))
            for steps, solved in zip(data["timesteps"], data["successes"], strict=True)
        ]


def read_table(path: Path) -> list[Row]:
    """Returns the rows of a table that was written before."""
    with path.open(encoding="utf-8") as file:
        return [
            (row["run"], int(row["steps"]), int(row["solved"]), int(row["episodes"]))
            for row in csv.DictReader(file)
        ]


def draw(rows: list[Row], path: Path) -> None:
    """Draws a curve for each run."""
    mpl.rcParams["svg.hashsalt"] = "sb3"
    figure = Figure(figsize=(6, 3), layout="constrained")
    axis = figure.subplots()
    for name in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == name]
        rates = [solved / episodes for _, _, solved, episodes in own]
        axis.plot([steps / 1000 for _, steps, _, _ in own], rates, marker=".", label=name)
    axis.set(xlabel="thousand steps", ylabel="episodes solved", ylim=(0, 1.02), xlim=(0, None))
    axis.grid(alpha=0.3)
    axis.legend()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
