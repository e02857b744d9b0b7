"""Draws the race of the designer and planners: the share of each round's puzzles that planners solve, by states.

    python benchmarks/race.py runs.csv race.svg --rounds novelty-rgd=round1 default=frontier
    python benchmarks/race.py benchmarks/results/arms-race.csv docs/images/arms-race.svg

A round is a planner, and a set or folder of puzzles that were designed against it. Without --rounds, the runs are those of
the file. Each has one thread and the same limit on states. Bands are Wilson's intervals, 95 %, at each number of states.
"""

import csv
from functools import partial
from math import inf
from pathlib import Path

import matplotlib as mpl
import numpy as np
from common import command_line, positive, rows_of, run_script
from families import run_one
from matplotlib.figure import Figure

from pushworld.bench.contestants import native_build
from pushworld.bench.tasks import choose_tasks
from pushworld.statistics import Share

STYLES = {
    "default": ("#0072B2", "-"),
    "novelty-rgd": ("#D55E00", "--"),
    "rgd": ("#333333", ":"),
    "default without mending": ("#009E73", "-."),
}
"""The planners, with their colours and lines."""

PLANNERS = ("default", "novelty-rgd", "rgd")
"""Those that run; what others did is in the file."""

Rounds = dict[str, dict[str, list[float]]]
"""By opponent and planner: the states with which each puzzle is solved, infinite where it is not."""


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("runs", type=Path, metavar="FILE.csv")
    parser.add_argument("figure", type=Path, metavar="FILE.svg")
    parser.add_argument("--rounds", nargs="+", metavar="PLANNER=SET|DIR", help="write FILE.csv")
    parser.add_argument("--states", type=positive, default=3_000_000, help="(default: %(default)s)")
    options = parser.parse_args()
    if options.rounds:
        write_runs(options.runs, options.rounds, options.states)
    rounds: Rounds = {}
    lines = options.runs.read_text("utf-8").splitlines()
    for row in csv.DictReader(each for each in lines if not each.startswith("#")):
        needed_by = rounds.setdefault(row["opponent"], {})
        needed_by.setdefault(row["planner"], []).append(float(row["states"]))
    draw(options.figure, rounds, options.states)


def write_runs(path: Path, rounds: list[str], limit: int) -> None:
    """Runs the planners. The same command continues after an interruption."""
    tasks = {}
    for opponent, puzzles in (each.split("=") for each in rounds):
        for task in choose_tasks([puzzles]):
            for planner in PLANNERS:
                key = (opponent, task.puzzle.name, planner, task.key.digest, limit, native_build())
                tasks[key] = partial(run_one, task.puzzle, planner, threads=1, max_states=limit)
    rows = rows_of(tasks, path.with_suffix(".jsonl"))
    with path.open("w", encoding="utf-8") as file:
        print("opponent,puzzle,planner,states", file=file)
        for key, row in rows.items():
            print(*key[:3], row["states"] if row["status"] == "solved" else inf, sep=",", file=file)


def draw(path: Path, rounds: Rounds, limit: int) -> None:
    """Draws a panel for each round, and prints what is solved within the limit."""
    mpl.rcParams["svg.hashsalt"] = "race"
    figure = Figure(figsize=(3.3 * len(rounds), 3.1), layout="constrained")
    panels = figure.subplots(1, len(rounds), sharey=True, squeeze=False)[0]
    for number, (axis, opponent) in enumerate(zip(panels, rounds, strict=True), start=1):
        for planner, needed in rounds[opponent].items():
            colour, line = STYLES[planner]
            at = [1, *sorted(each for each in needed if each <= limit), limit]
            shares = [Share.of(each <= states for each in needed) for states in at]
            lows, highs = 100 * np.transpose([each.interval for each in shares])
            percent = [100 * each.count / each.trials for each in shares]
            axis.step(at, percent, line, color=colour, label=planner, where="post")
            axis.fill_between(at, lows, highs, color=colour, alpha=0.2, linewidth=0, step="post")
            print(f"{shares[-1].count} of {len(needed)} against {opponent}: {planner}", shares[-1])
        title = f"round {number}: {len(needed)} puzzles\nagainst {opponent}"
        axis.set(title=title, xlabel="states", xscale="log", xlim=(100, limit), ylim=(-2, 102))
    panels[0].set_ylabel("% solved")
    lines = {line.get_label(): line for axis in panels for line in axis.lines}
    figure.legend(handles=lines.values(), loc="outside lower center", ncols=4, frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    run_script(main)
