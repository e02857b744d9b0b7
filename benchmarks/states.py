"""Measures the push search: new states a second of processor time, and bytes a state.

    python benchmarks/states.py
    python benchmarks/states.py --puzzles "Four Rooms" "Yin Yang" --states 2000000

The default planner searches on one thread until it has this many states; a puzzle that it solves earlier says
so. To compare two revisions, run the script in both in turns: so other work on the machine counts for both. A search
that made the same states in the same order has the same counts.
"""

import time

from common import Row, command_line, print_machine, run_script

from pushworld import Puzzle, _native
from pushworld.datasets import resolve_puzzle
from pushworld.engine import Engine

PUZZLES = ["ferris-wheel", "night-safe"]
MEMORY = 8 * 10**9


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("--puzzles", nargs="+", default=PUZZLES, metavar="NAME", help="or files")
    parser.add_argument("--states", type=int, default=1_000_000, help="(default: %(default)s)")
    parser.add_argument(
        "--runs", type=int, default=3, help="of which the fastest counts (default: 3)"
    )
    arguments = parser.parse_args()
    puzzles = [resolve_puzzle(each) for each in arguments.puzzles]
    print_machine()
    print(f"{'puzzle':24}{'states a s':>12}{'bytes a state':>15}{'expanded':>12}{'generated':>12}")
    for puzzle in puzzles:
        runs = [search(puzzle, arguments.states) for _ in range(arguments.runs)]
        run = min(runs, key=lambda each: float(each["seconds"]))
        print(
            f"{puzzle.name:24}{run['states'] / run['seconds']:12,.0f}"
            f"{run['bytes'] / run['states']:15.1f}{run['expanded']:12,}{run['generated']:12,}"
            f"  {run['status']}",
            flush=True,
        )


def search(puzzle: Puzzle, states: int) -> Row:
    """Returns what the default planner does within this many states."""
    engine = Engine(puzzle)
    control = _native.Control(1e9, MEMORY, states)
    start = time.process_time()
    found = _native.solve_by_pushes(engine.native, control, seed=0, threads=1)
    return {
        "seconds": time.process_time() - start,
        "status": found.status,
        "states": found.states,
        "expanded": found.expanded,
        "generated": found.generated,
        "bytes": found.peak_bytes,
    }


if __name__ == "__main__":
    run_script(main)
