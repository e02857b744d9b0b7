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
from statistics import geometric_mean
from typing import TypedDict

from machine import describe_machine

from pushworld import _native
from pushworld.datasets import resolve_puzzle
from pushworld.engine import Engine
from pushworld.puzzle import PushWorldError

PUZZLES = ["ferris-wheel", "night-safe"]
MEMORY = 8 * 10**9


class Run(TypedDict):
    """One search."""

    seconds: float
    status: str
    states: int
    expanded: int
    generated: int
    bytes: int


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--puzzles", nargs="+", default=PUZZLES, metavar="NAME", help="or files")
    parser.add_argument("--states", type=int, default=1_000_000, help="(default: %(default)s)")
    parser.add_argument(
        "--runs", type=int, default=3, help="of which the fastest counts (default: 3)"
    )
    parser.add_argument("--against", type=Path, metavar="PYTHON", help="of another checkout")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        if arguments.one:
            print(json.dumps(search(arguments.puzzles[0], arguments.states)))
            return
        for puzzle in arguments.puzzles:
            resolve_puzzle(puzzle)
    except PushWorldError as error:
        parser.error(str(error))
    pythons = [Path(sys.executable), *([arguments.against] if arguments.against else [])]
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print(
        f"{'puzzle':24}{'states a s':>12}{'bytes a state':>15}"
        + "  speed  bytes, against" * (len(pythons) - 1)
    )
    ratios: list[tuple[float, float]] = []
    for puzzle in arguments.puzzles:
        runs = [fastest(every) for every in take_turns(pythons, puzzle, arguments)]
        print(row_of(puzzle, runs), flush=True)
        ratios += [(speed(runs[0]) / speed(run), size(runs[0]) / size(run)) for run in runs[1:]]
    if ratios:
        means = [geometric_mean(values) for values in zip(*ratios, strict=True)]
        print(f"{'geometric mean':51}{means[0]:7.2f}{means[1]:7.2f}")


def search(name: str, states: int) -> Run:
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


def take_turns(pythons: list[Path], puzzle: str, arguments: argparse.Namespace) -> list[list[Run]]:
    """Returns the runs of each interpreter. Each run has its own process."""
    runs: list[list[Run]] = [[] for _ in pythons]
    for _ in range(arguments.runs):
        for python, taken in zip(pythons, runs, strict=True):
            command = [
                str(python),
                __file__,
                "--one",
                "--puzzles",
                puzzle,
                "--states",
                str(arguments.states),
            ]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            taken.append(json.loads(output))
    return runs


def fastest(runs: list[Run]) -> Run:
    return min(runs, key=lambda run: run["seconds"])


def speed(run: Run) -> float:
    return run["states"] / run["seconds"]


def size(run: Run) -> float:
    return run["bytes"] / run["states"]


def row_of(puzzle: str, runs: list[Run]) -> str:
    """Returns the line of a puzzle: this checkout, and its ratio to the other."""
    this = runs[0]
    text = f"{puzzle:24}{speed(this):12,.0f}{size(this):15.1f}"
    for other in runs[1:]:
        text += f"{speed(this) / speed(other):7.2f}{size(this) / size(other):7.2f}"
        same = all(this[key] == other[key] for key in ("states", "expanded", "generated"))
        text += "  same states" if same else "  other states"
    return text + (f"  {this['status']}" if this["status"] != "state-limit" else "")


if __name__ == "__main__":
    main()
