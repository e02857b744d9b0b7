"""Measures the push search: new states a second of processor time, and bytes a state.

    python benchmarks/states.py
    python benchmarks/states.py --puzzles "Four Rooms" "Yin Yang" --states 2000000
    python benchmarks/states.py --against ../other/.venv/bin/python

The default planner searches on one thread until it has this many states; a puzzle that it solves earlier says
so. With `--against`, the interpreter of another checkout runs the same searches in turns with this one, and the
figure is the ratio: so other work on the machine counts for both. A search that made the same states in the same
order has the same counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from common import Row, command_line, print_machine, run_script

from pushworld import _native
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
    parser.add_argument("--against", type=Path, metavar="PYTHON", help="of another checkout")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(search(arguments.puzzles[0], arguments.states)))
        return
    for puzzle in arguments.puzzles:
        resolve_puzzle(puzzle)
    pythons = [Path(sys.executable), *([arguments.against] if arguments.against else [])]
    print_machine()
    print(
        f"{'puzzle':24}{'states a s':>12}{'bytes a state':>15}"
        + "  speed  bytes, against" * (len(pythons) - 1)
    )
    for puzzle in arguments.puzzles:
        runs = take_turns(pythons, puzzle, arguments)
        print(
            row_of(puzzle, [min(own, key=lambda run: run["seconds"]) for own in runs]), flush=True
        )


def search(name: str, states: int) -> Row:
    """Returns what the default planner does within this many states."""
    engine = Engine(resolve_puzzle(name))
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


def take_turns(pythons: list[Path], puzzle: str, arguments: argparse.Namespace) -> list[list[Row]]:
    """Returns the runs of each interpreter. Each run has its own process."""
    runs: list[list[Row]] = [[] for _ in pythons]
    for _ in range(arguments.runs):
        for python, taken in zip(pythons, runs, strict=True):
            command = [str(python), __file__, "--one", "--puzzles", puzzle]
            command += ["--states", str(arguments.states)]
            taken.append(json.loads(subprocess.check_output(command, text=True)))
    return runs


def speed(run: Row) -> float:
    return float(run["states"] / run["seconds"])


def size(run: Row) -> float:
    return float(run["bytes"] / run["states"])


def row_of(puzzle: str, runs: list[Row]) -> str:
    """Returns the line of a puzzle: this checkout, and its ratio to the other."""
    this = runs[0]
    text = f"{puzzle:24}{speed(this):12,.0f}{size(this):15.1f}"
    for other in runs[1:]:
        text += f"{speed(this) / speed(other):7.2f}{size(this) / size(other):7.2f}"
        same = all(this[key] == other[key] for key in ("states", "expanded", "generated"))
        text += "  same states" if same else "  other states"
    return text + (f"  {this['status']}" if this["status"] != "state-limit" else "")


if __name__ == "__main__":
    run_script(main)
