"""Prints what a suite of training runs reached on Level 0, next to the paper's table.

    python benchmarks/learning_table.py                      # the results kept in this repository
    python benchmarks/learning_table.py results/metrics.csv  # those of pushworld.rl.suite

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "metrics", type=Path, nargs="?", default=KEPT, help="metrics.csv of a suite"
    )
    with parser.parse_args().metrics.open(newline="", encoding="utf-8") as file:
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


def _rates(row: dict[str, str], part: str) -> str:
    sampled, greedy = (100 * float(row[f"{part}_{manner}"]) for manner in ("sampled", "greedy"))
    return f"{sampled:.1f} ({greedy:.1f})"


if __name__ == "__main__":
    main()
