"""Measures how planning time grows with the distance between objects: CEA against RGD.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --sizes 16 32 64 128 --max-seconds 60 -o results/scaling

This is the paper's experiment: agent, object and goal are in corners of an empty room, N cells
apart. Greedy best-first search takes time proportional to N^3 with the context-enhanced additive
heuristic, and to N^2 with the recursive graph distance. The exponents are fitted to the larger half of the
sizes, where constant costs matter least. Each time is the best of several runs; a planner that took
too long is not tried on larger sizes. Writes scaling.png and scaling.svg.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from machine import describe_machine

from pushworld import Puzzle, solve

PLANNERS = {"cea": "CEA", "rgd": "RGD"}
DEFAULT_SIZES = [8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512]

Times = dict[int, float]
"""Seconds by size, in ascending order of sizes."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=DEFAULT_SIZES, metavar="N")
    parser.add_argument("--runs", type=int, default=3, help="of which the best counts (default: 3)")
    parser.add_argument("--max-seconds", type=float, default=4, help="for one run (default: 4)")
    parser.add_argument("-o", "--output", type=Path, default=Path("results"), help="folder")
    arguments = parser.parse_args()
    sizes = sorted(set(arguments.sizes))
    if len(sizes) < 3 or not 3 <= sizes[0] <= sizes[-1] <= 990:
        parser.error("give at least three sizes from 3 to 990")

    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print("seconds to solve, agent, object and goal in corners N apart:")
    print(f"{'N':>6}" + "".join(f"{label:>12}" for label in PLANNERS.values()))
    times: dict[str, Times] = {planner: {} for planner in PLANNERS}
    for size in sizes:
        puzzle = corner_puzzle(size)
        for planner, measured in times.items():
            if max(measured.values(), default=0) <= arguments.max_seconds:
                measured[size] = best_time(puzzle, planner, arguments.runs)
        row = (measured.get(size) for measured in times.values())
        print(f"{size:6}" + "".join(f"{'':12}" if t is None else f"{t:12.5f}" for t in row))
    exponents = {planner: fit_exponent(measured) for planner, measured in times.items()}
    for planner, exponent in exponents.items():
        print(f"{PLANNERS[planner]}: time grows as N^{exponent:.2f}")
    plot(times, exponents, arguments.output)


def corner_puzzle(distance: int) -> Puzzle:
    """Returns an empty room with the agent, the object and its goal in corners.

    One free row and column remain around the object, so that the agent can get behind it.
    """
    side = distance + 3
    rows = [["."] * side for _ in range(side)]
    rows[0][0] = "A"
    rows[side - 2][side - 2] = "M1"
    rows[1][side - 2] = "G1"
    return Puzzle.parse("\n".join(" ".join(row) for row in rows), name=f"corners-{distance}")


def best_time(puzzle: Puzzle, planner: str, runs: int) -> float:
    """Returns the seconds of the fastest run."""
    results = [solve(puzzle, planner, time_limit=600) for _ in range(runs)]
    if any(result.status != "solved" for result in results):
        raise SystemExit(f"{planner} did not solve {puzzle.name}")
    return min(result.seconds for result in results)


def fit_exponent(times: Times) -> float:
    """Returns the slope of a straight line through the larger half of the sizes, both logarithmic."""
    points = [(math.log(size), math.log(seconds)) for size, seconds in times.items()]
    points = points[(len(points) - 1) // 2 :]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return covariance / sum((x - mean_x) ** 2 for x, _ in points)


def plot(times: dict[str, Times], exponents: dict[str, float], folder: Path) -> None:
    """Writes the figure."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 4), layout="constrained")
    for planner, measured in times.items():
        label = f"{PLANNERS[planner]}: $N^{{{exponents[planner]:.2f}}}$"
        axes.loglog(list(measured), list(measured.values()), "o-", label=label)
    axes.set_xlabel("distance N between objects")
    axes.set_ylabel("seconds to solve")
    axes.grid(which="both", alpha=0.3)
    axes.legend()
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("png", "svg"):
        figure.savefig(folder / f"scaling.{suffix}", dpi=150)
        print(f"wrote {folder / f'scaling.{suffix}'}")


if __name__ == "__main__":
    main()
