"""Prints the solve rates of a suite of training runs next to the paper's, and draws the curves.

    python benchmarks/learning_table.py                      # Level 0, kept in this repository
    python benchmarks/learning_table.py benchmarks/results/level1-learning.csv
    python benchmarks/learning_table.py results/metrics.csv  # of `pushworld train --suite`
    python benchmarks/learning_table.py --curves curves.svg  # with a figure: .svg or .png

Solve rates are those of the last evaluation of each run, with sampled actions and, in brackets, with
the best actions. Several seeds of a run are one line with means and standard deviations, and the speed
of all seeds together where one program trained them. The interval is Wilson's at 95 % for sampled
actions on the 200 test puzzles, of runs with one seed.
"""

import argparse
import csv
import re
from math import ceil
from pathlib import Path
from statistics import mean, median, stdev

from pushworld.statistics import Share

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
    "imitation-goals": (5.3, 1.1),
    "imitation-all": (21.2, 5.7),
    "ppo-level1": (6.0, None),
    "ppo-level1-centred": (6.0, None),
    "ppo-level1-small": (6.0, None),
    "dqn-level1": (1.0, None),
    "dqn-level1-centred": (1.0, None),
    "dqn-level1-small": (1.0, None),
}
"""Percent of training and test puzzles solved, by a run's name without its seed.

Beside imitation stands the paper's PPO. For DQN on Level 1 the paper states less than 1; there is no
test set.
"""

MAX_COLUMNS = 7
"""The number of Level 0 sets, so that each algorithm has its own row of panels."""

COLOURS = "#0072B2", "#D55E00"
"""The colours of training and test, which colour-blind readers can distinguish."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("metrics", type=Path, nargs="?", default=KEPT, help="metrics.csv of a suite")
    add("--curves", type=Path, help="draw the curves into this file, .svg or .png")
    arguments = parser.parse_args()
    with arguments.metrics.open(newline="", encoding="utf-8") as file:
        lines = file.readlines()
    for line in lines:
        if line.startswith("#"):
            print(line.lstrip("# ").rstrip())
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    evaluated = {_seed(row) for row in rows if row["train_sampled"]}
    left_out = dict.fromkeys(row["run"] for row in rows if _seed(row) not in evaluated)
    rows = [row for row in rows if _seed(row) in evaluated]
    print("\n| run | seeds | million steps | steps/s | train | paper | test | interval | paper |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    names = dict.fromkeys(kind(row) for row in rows)
    for name in sorted(names, key=lambda name: not name.startswith("ppo")):
        print(table_line(name, [row for row in rows if kind(row) == name]))
    if left_out:
        print(f"\nleft out, without an evaluation yet: {', '.join(left_out)}")
    if arguments.curves:
        draw_curves(arguments.curves, rows)
        print(f"\nwrote {arguments.curves}")


def table_line(name: str, rows: list[dict[str, str]]) -> str:
    """Returns the seeds of a run as a line of the table."""
    speeds = [float(row["steps_per_second"]) for row in rows if row.get("steps_per_second")]
    ends = last_evaluations(rows, name)
    together = len(ends) if all(row.get("seed") for row in rows) else 1
    steps = mean(float(row["steps"]) for row in ends) / 1e6
    speed = f"{median(speeds) * together:,.0f}" if speeds else None
    paper = PAPER.get(name, (None, None))
    cells: list[object] = [name, len(ends), f"{steps:.1f}", speed]
    cells += [rates(ends, "train"), paper[0], rates(ends, "test"), interval(ends), paper[1]]
    return f"| {' | '.join('' if cell is None else str(cell) for cell in cells)} |"


def last_evaluations(rows: list[dict[str, str]], name: str) -> list[dict[str, str]]:
    """Returns the last evaluation of each seed of a run."""
    mine = (row for row in rows if kind(row) == name and row["train_sampled"])
    return list({_seed(row): row for row in mine}.values())


def reached(rows: list[dict[str, str]], name: str, percent: float) -> str:
    """Returns the seconds until each seed of a run solves this share of the test puzzles, with sampled actions."""
    firsts: dict[str, str] = {}
    for row in rows:
        if kind(row) == name and 100 * float(row["test_sampled"] or 0) >= percent:
            firsts.setdefault(_seed(row), f"{float(row['seconds']):.0f}")
    return ", ".join(firsts.values())


def draw_curves(path: Path, rows: list[dict[str, str]]) -> None:
    """Draws a panel for each algorithm and set: solve rates by steps, the paper's as dotted lines."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "learning"
    from matplotlib import pyplot as plt

    evaluated = [row for row in rows if row["train_greedy"]]
    shown = [name for name in PAPER if any(kind(row) == name for row in evaluated)]
    if not shown:
        raise SystemExit("no curves: none of these runs is in the paper")
    columns = min(len(shown), MAX_COLUMNS)
    height = ceil(len(shown) / columns)
    size = (2.1 * columns + 0.6, 2.4 * height + (0.4 if columns > 3 else 1.0))
    figure, axes = plt.subplots(height, columns, figsize=size, sharey=True, squeeze=False)
    best = max(float(row["train_sampled"]) for row in evaluated)
    for axis in axes.flat[len(shown) :]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, shown, strict=False):
        mine = [row for row in evaluated if kind(row) == name]
        for part, paper, colour in zip(("train", "test"), PAPER[name], COLOURS, strict=True):
            if paper is None:
                continue
            for manner, width in (("greedy", 1.8), ("sampled", 0.8)):
                label = f"{part}, {manner}"
                steps, rates = _curves(mine, f"{part}_{manner}")
                means = [mean(each) for each in rates]
                axis.plot(steps, means, color=colour, linewidth=width, label=label)
                if manner == "greedy":
                    lows, highs = [min(each) for each in rates], [max(each) for each in rates]
                    axis.fill_between(steps, lows, highs, color=colour, alpha=0.2, linewidth=0)
            axis.axhline(paper, color=colour, linewidth=1, linestyle=":", label=f"{part}, paper")
        algorithm, set_name = name.split("-", 1)
        shown_name = algorithm.upper() if len(algorithm) <= 3 else algorithm.capitalize()
        axis.set_title(f"{shown_name} {set_name.replace('-', ', ')}")
        axis.set_ylim(0, min(100, 125 * best))
        axis.set_xlim(left=0)
        axis.set_xlabel("million steps")
    for line in axes:
        line[0].set_ylabel("% solved")
    handles, labels = axes[0][0].get_legend_handles_labels()
    legend = dict(zip(labels, handles, strict=True))
    wide = columns > 3
    figure.legend(
        legend.values(), legend.keys(), loc="lower center", ncols=6 if wide else 2, frameon=False
    )
    figure.tight_layout(rect=(0, (0.2 if wide else 0.8) / size[1], 1, 1))
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def _curves(rows: list[dict[str, str]], column: str) -> tuple[list[float], list[list[float]]]:
    """Returns million steps, and the percentages of all seeds at each.

    The evaluations of seeds are matched by their order, since PPO's steps differ a little. After the
    end of one seed the curve ends.
    """
    by_seed: dict[str, dict[float, float]] = {}
    for row in rows:
        by_seed.setdefault(_seed(row), {})[float(row["steps"]) / 1e6] = 100 * float(row[column])
    points = [sorted(each.items()) for each in by_seed.values()]
    matched = list(zip(*points, strict=False))
    steps = [mean(at for at, _ in each) for each in matched]
    return steps, [[rate for _, rate in each] for each in matched]


def kind(row: dict[str, str]) -> str:
    """Returns a run's name without its seed."""
    return re.sub(r"-\d+$", "", row["run"])


def _seed(row: dict[str, str]) -> str:
    """Returns what tells the seeds of a run apart: a column, or its name."""
    return f"{row['run']} {row.get('seed', '')}"


def rates(rows: list[dict[str, str]], part: str) -> str | None:
    """Returns the percentages with sampled actions and, in brackets, with the best ones."""
    if not rows[0][f"{part}_sampled"]:
        return None
    sampled, greedy = (
        spread([100 * float(row[f"{part}_{manner}"]) for row in rows])
        for manner in ("sampled", "greedy")
    )
    return f"{sampled} ({greedy})"


def spread(values: list[float]) -> str:
    """Returns the mean, and the standard deviation of several values."""
    deviation = f" ± {stdev(values):.1f}" if len(values) > 1 else ""
    return f"{mean(values):.1f}{deviation}"


def interval(rows: list[dict[str, str]]) -> str | None:
    """Returns the interval of the test puzzles with sampled actions, of a run with one seed."""
    if len(rows) > 1 or not rows[0]["test_sampled"]:
        return None
    low, high = Share(float(rows[0]["test_sampled"]) * TEST_PUZZLES, TEST_PUZZLES).interval
    return f"{100 * low:.1f} to {100 * high:.1f}"


if __name__ == "__main__":
    main()
