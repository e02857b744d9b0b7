"""Prints the solve rates of a suite of training runs next to the paper's, and draws the curves.

    python benchmarks/learning_table.py                      # Level 0, kept in this repository
    python benchmarks/learning_table.py benchmarks/results/level1-learning.csv
    python benchmarks/learning_table.py results/metrics.csv  # of `python -m pushworld.rl suite`
    python benchmarks/learning_table.py --curves curves.svg  # with a figure: .svg or .png

Solve rates are those of the last evaluation of each run, with sampled actions and, in brackets, with
the best actions. The interval is Wilson's at 95 % for sampled actions on the 200 test puzzles.
"""

from __future__ import annotations

import argparse
import csv
from math import ceil
from pathlib import Path
from statistics import median

from pushworld.rl.evaluation.solve_rates import wilson_interval

KEPT = Path(__file__).parent / "results" / "level0-learning.csv"
TEST_PUZZLES = 200
PAPER: dict[str, tuple[float, float | None]] = {
    "ppo-base": (88.5, 40.4),
    "ppo-size": (93.2, 71.5),
    "ppo-walls": (77.9, 23.3),
    "ppo-obstacles": (64.7, 21.4),
    "ppo-shapes": (74.5, 24.2),
    "ppo-goals": (5.3, 1.1),
    "ppo-all": (21.2, 5.7),
    "dqn-base": (24.9, 19.5),
    "dqn-size": (61.2, 61.8),
    "dqn-walls": (18.5, 13.1),
    "dqn-obstacles": (17.6, 13.1),
    "dqn-shapes": (23.9, 17.1),
    "dqn-goals": (0.9, 0.2),
    "dqn-all": (11.4, 10.1),
    "ppo-level1": (6.0, None),
    "ppo-level1-centred": (6.0, None),
    "dqn-level1": (1.0, None),
    "dqn-level1-centred": (1.0, None),
}
"""Percent of training and test puzzles solved, by a run's name without its seed.

For DQN on Level 1 the paper states less than 1; there is no test set.
"""

MAX_COLUMNS = 7
"""The number of Level 0 sets, so that each algorithm has its own row of panels."""

COLOURS = "#0072B2", "#D55E00"
"""The colours of training and test, which colour-blind readers can distinguish."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "metrics", type=Path, nargs="?", default=KEPT, help="metrics.csv of a suite"
    )
    parser.add_argument("--curves", type=Path, help="draw the curves into this file, .svg or .png")
    arguments = parser.parse_args()
    with arguments.metrics.open(newline="", encoding="utf-8") as file:
        lines = file.readlines()
    for line in lines:
        if line.startswith("#"):
            print(line.lstrip("# ").rstrip())
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    print("\n| run | million steps | steps/s | train | paper | test | interval | paper |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: |")
    names = dict.fromkeys(row["run"] for row in rows)
    for name in sorted(names, key=lambda name: not name.startswith("ppo")):
        print(table_line(name, [row for row in rows if row["run"] == name]))
    if arguments.curves:
        draw_curves(arguments.curves, rows)
        print(f"\nwrote {arguments.curves}")


def table_line(name: str, rows: list[dict[str, str]]) -> str:
    """Returns a run as a line of the table."""
    last = [row for row in rows if row["train_sampled"]][-1]
    speed = median(float(row["steps_per_second"]) for row in rows if row["steps_per_second"])
    paper = PAPER.get(_kind(last), (None, None))
    cells: list[object] = [name, f"{float(last['steps']) / 1e6:.1f}", f"{speed:,.0f}"]
    cells += [_rates(last, "train"), paper[0], _rates(last, "test"), _interval(last), paper[1]]
    return f"| {' | '.join('' if cell is None else str(cell) for cell in cells)} |"


def draw_curves(path: Path, rows: list[dict[str, str]]) -> None:
    """Draws a panel for each algorithm and set: solve rates by steps, the paper's as dotted lines."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "learning"
    from matplotlib import pyplot as plt

    evaluated = [row for row in rows if row["train_greedy"]]
    shown = [name for name in PAPER if any(_kind(row) == name for row in evaluated)]
    columns = min(len(shown), MAX_COLUMNS)
    height = ceil(len(shown) / columns)
    size = (2.1 * columns + 0.6, 2.4 * height + 0.4)
    figure, axes = plt.subplots(height, columns, figsize=size, sharey=True, squeeze=False)
    best = max(float(row["train_sampled"]) for row in evaluated)
    for axis in axes.flat[len(shown) :]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, shown, strict=False):
        mine = [row for row in evaluated if _kind(row) == name]
        for part, paper, colour in zip(("train", "test"), PAPER[name], COLOURS, strict=True):
            if paper is None:
                continue
            for manner, width in (("greedy", 1.8), ("sampled", 0.8)):
                label = f"{part}, {manner}"
                for steps, rates in _lines(mine, f"{part}_{manner}"):
                    axis.plot(steps, rates, color=colour, linewidth=width, label=label)
            axis.axhline(paper, color=colour, linewidth=1, linestyle=":", label=f"{part}, paper")
        algorithm, set_name = name.split("-", 1)
        axis.set_title(f"{algorithm.upper()} {set_name.replace('-', ', ')}")
        axis.set_ylim(0, min(100, 125 * best))
        axis.set_xlim(left=0)
        axis.set_xlabel("million steps")
    for line in axes:
        line[0].set_ylabel("% solved")
    handles, labels = axes[0][0].get_legend_handles_labels()
    legend = dict(zip(labels, handles, strict=True))
    figure.legend(legend.values(), legend.keys(), loc="lower center", ncols=6, frameon=False)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def _lines(rows: list[dict[str, str]], column: str) -> list[tuple[list[float], list[float]]]:
    """Returns million steps and percent of each run, whose continuations follow it."""
    by_run: dict[str, dict[float, float]] = {}
    for row in rows:
        by_run.setdefault(row["run"], {})[float(row["steps"]) / 1e6] = 100 * float(row[column])
    return [(sorted(points), [points[at] for at in sorted(points)]) for points in by_run.values()]


def _kind(row: dict[str, str]) -> str:
    """Returns a run's name without its seed."""
    return row["run"].rpartition("-")[0]


def _rates(row: dict[str, str], part: str) -> str | None:
    if not row[f"{part}_sampled"]:
        return None
    sampled, greedy = (100 * float(row[f"{part}_{manner}"]) for manner in ("sampled", "greedy"))
    return f"{sampled:.1f} ({greedy:.1f})"


def _interval(row: dict[str, str]) -> str | None:
    if not row["test_sampled"]:
        return None
    low, high = wilson_interval(float(row["test_sampled"]) * TEST_PUZZLES, TEST_PUZZLES)
    return f"{100 * low:.1f} to {100 * high:.1f}"


if __name__ == "__main__":
    main()
