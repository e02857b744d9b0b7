"""Draws the learning curves of examples/train_sb3.py from the evaluations that its runs wrote.

    python examples/train_sb3.py --observation pixels --log runs/pixels
    python examples/train_sb3.py --log runs/planes
    python benchmarks/sb3_curves.py runs/pixels runs/planes --figure sb3.svg > sb3.csv
    python benchmarks/sb3_curves.py benchmarks/results/sb3.csv --figure docs/images/sb3.svg

The name of a run is that of its folder. Prints a table of the episodes solved, which it also reads.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from common import command_line, run_script
from matplotlib.figure import Figure

COLUMNS = ("run", "steps", "solved", "episodes")

Row = tuple[str, int, int, int]
"""A run, its training steps so far, and the episodes solved and played in an evaluation."""


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument(
        "runs", nargs="+", type=Path, help="folders with evaluations.npz, or tables"
    )
    parser.add_argument("--figure", type=Path, help="draw the curves into this file, .svg or .png")
    arguments = parser.parse_args()
    rows = [row for run in arguments.runs for row in evaluations(run)]
    csv.writer(sys.stdout, lineterminator="\n").writerows([COLUMNS, *rows])
    if arguments.figure:
        draw(rows, arguments.figure)


def evaluations(run: Path) -> list[Row]:
    """Returns the evaluations of a run, or those of a table that was printed before."""
    if run.is_file():
        with run.open(encoding="utf-8") as file:
            return [
                (row["run"], int(row["steps"]), int(row["solved"]), int(row["episodes"]))
                for row in csv.DictReader(file)
            ]
    with np.load(run / "evaluations.npz") as data:
        return [
            (run.name, int(steps), int(solved.sum()), len(solved))
            for steps, solved in zip(data["timesteps"], data["successes"], strict=True)
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
    run_script(main)
