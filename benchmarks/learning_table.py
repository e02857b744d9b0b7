"""Prints what a suite of training runs reached on Level 0, next to the paper's table, and draws it.

    python benchmarks/learning_table.py                      # the results kept in this repository
    python benchmarks/learning_table.py results/metrics.csv  # those of pushworld.rl.suite
    python benchmarks/learning_table.py --curves curves.svg  # the figure, too: .svg or .png

Solve rates are those of each run's last evaluation, with sampled and, in brackets, with the best
actions. The interval is Wilson's at 95 % for the sampled rate on the 200 test puzzles.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from statistics import median

from pushworld.rl.evaluation import wilson_interval

KEPT = Path(__file__).parent / "results" / "level0-learning.csv"
TEST_PUZZLES = 200
PAPER = {
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
}
"""Percent of training and test puzzles solved, by the start of a run's name."""

COLOURS = "#0072B2", "#D55E00"
"""Of training and test, told apart by colour-blind readers, too."""


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
    last = [row for row in rows if row["test_sampled"]][-1]
    speed = median(float(row["steps_per_second"]) for row in rows if row["steps_per_second"])
    paper = next(
        (rates for start, rates in PAPER.items() if name.startswith(f"{start}-")), ("", "")
    )
    sampled = float(last["test_sampled"])
    low, high = wilson_interval(sampled * TEST_PUZZLES, TEST_PUZZLES)
    cells = [
        name,
        f"{float(last['steps']) / 1e6:.1f}",
        f"{speed:,.0f}",
        _rates(last, "train"),
        paper[0],
        _rates(last, "test"),
        f"{100 * low:.1f} to {100 * high:.1f}",
        paper[1],
    ]
    return f"| {' | '.join(map(str, cells))} |"


def draw_curves(path: Path, rows: list[dict[str, str]]) -> None:
    """Draws a panel for each algorithm and set: solve rates by steps, the paper's as dotted lines."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "learning"
    from matplotlib import pyplot as plt

    evaluated = [row for row in rows if row["test_greedy"]]
    shown = [name for name in PAPER if any(_is_of(row, name) for row in evaluated)]
    columns = max(sum(name.startswith(start) for name in shown) for start in ("ppo", "dqn"))
    height = 2 if shown[0][:3] != shown[-1][:3] else 1
    size = (2.1 * columns + 0.6, 2.4 * height + 0.4)
    figure, axes = plt.subplots(height, columns, figsize=size, sharey=True, squeeze=False)
    for axis in axes.flat[len(shown) :]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, shown, strict=False):
        mine = [row for row in evaluated if _is_of(row, name)]
        for part, paper, colour in zip(("train", "test"), PAPER[name], COLOURS, strict=True):
            for manner, width in (("greedy", 1.8), ("sampled", 0.8)):
                label = f"{part}, {manner}"
                for steps, rates in _lines(mine, f"{part}_{manner}"):
                    axis.plot(steps, rates, color=colour, linewidth=width, label=label)
            axis.axhline(paper, color=colour, linewidth=1, linestyle=":", label=f"{part}, paper")
        algorithm, set_name = name.split("-")
        axis.set_title(f"{algorithm.upper()} {set_name}")
        axis.set_ylim(0, 100)
        axis.set_xlim(left=0)
    for axis in axes[-1]:
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
    """Returns million steps and percent of each seed, whose continuations follow it."""
    by_seed: dict[str, dict[float, float]] = {}
    for row in rows:
        seed = row["run"].split("-")[2]
        by_seed.setdefault(seed, {})[float(row["steps"]) / 1e6] = 100 * float(row[column])
    return [(sorted(points), [points[at] for at in sorted(points)]) for points in by_seed.values()]


def _is_of(row: dict[str, str], name: str) -> bool:
    return row["run"].startswith(f"{name}-")


def _rates(row: dict[str, str], part: str) -> str:
    sampled, greedy = (100 * float(row[f"{part}_{manner}"]) for manner in ("sampled", "greedy"))
    return f"{sampled:.1f} ({greedy:.1f})"


if __name__ == "__main__":
    main()
