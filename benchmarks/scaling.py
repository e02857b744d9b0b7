"""Measures how planning time grows with the distance between objects: CEA against RGD.

    python benchmarks/scaling.py
    python benchmarks/scaling.py --sizes 16 32 64 128 --max-seconds 60

This is the paper's experiment: agent, object and goal are in corners of an empty room, N cells
apart. Greedy best-first search takes time proportional to N^3 with the context-enhanced additive
heuristic, and to N^2 with the recursive graph distance. The exponents are fitted to the larger half of the
sizes, where constant costs matter least. Each time is the best of several runs; a planner that took
too long is not tried on larger sizes.
"""

import numpy as np
from common import command_line, print_machine, run_script

from pushworld import Puzzle, solve

PLANNERS = {"cea": "CEA", "rgd": "RGD"}
DEFAULT_SIZES = [8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512]

Times = dict[int, float]
"""Seconds by size, in ascending order of sizes."""


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=DEFAULT_SIZES, metavar="N")
    parser.add_argument("--runs", type=int, default=3, help="of which the best counts (default: 3)")
    parser.add_argument("--max-seconds", type=float, default=4, help="for one run (default: 4)")
    arguments = parser.parse_args()
    sizes = sorted(set(arguments.sizes))
    if len(sizes) < 3 or not 3 <= sizes[0] <= sizes[-1] <= 990:
        parser.error("give at least three sizes from 3 to 990")

    print_machine()
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
    for planner, measured in times.items():
        print(f"{PLANNERS[planner]}: time grows as N^{fit_exponent(measured):.2f}")


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
    sizes, seconds = np.log(list(times)), np.log(list(times.values()))
    larger = slice((len(times) - 1) // 2, None)
    return float(np.polyfit(sizes[larger], seconds[larger], 1)[0])


if __name__ == "__main__":
    run_script(main)
