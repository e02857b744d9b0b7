"""Measures how well limits hold: time limits from inside, memory limits from outside.

    python benchmarks/limits.py time
    python benchmarks/limits.py memory

The worlds range from a bundled puzzle to the largest that a file can describe: a thousand cells wide,
a thousand objects, objects of thousands of cells. `time` runs each planner, shortening, the analysis
and the exports on each world with limits from 1 ms to 1 s, and prints by how many milliseconds they are
late: the least of some trials, because other processes delay the rest. `memory` runs ``pushworld solve``
as a process of its own and prints the peak of its resident set beyond that of one that ends at once.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from machine import describe_machine

from pushworld import shorten, solve
from pushworld.datasets import load_set
from pushworld.datasets.generated.rooms import RoomPlan, random_room
from pushworld.design.analysis import analyze
from pushworld.export import ExportStoppedError, export_pddl, export_sas
from pushworld.export.cancellation import after
from pushworld.planners import planners
from pushworld.puzzle import PushWorldError, Puzzle, PuzzleObject

MEMORY_LIMITS = (50e6, 200e6)
LIMITS = (0.001, 0.01, 0.1, 1.0)


def crowd(side: int, objects: int, cells: int, seed: int = 0) -> Puzzle:
    """Returns an open world of random rigid objects, a quarter of them with goals."""
    random = Random(seed)
    columns = ceil((objects + 1) ** 0.5)
    box = (side - 2) // columns
    width = min(box, round((2 * cells) ** 0.5) + 1)
    places = [(1 + box * (k % columns), 1 + box * (k // columns)) for k in range(objects + 1)]
    things = []
    for index, (left, top) in enumerate(places):
        spots = [(left + x, top + y) for x in range(width) for y in range(width)]
        chosen = random.sample(spots, min(cells if index else 1, len(spots)))
        things.append(PuzzleObject.from_cells(f"M{index}" if index else "A", chosen))
    goals = max(1, objects // 4)
    for index in range(1, goals + 1):
        thing = things[index]
        x, y = thing.start
        goal = (min(x + 1, side - 1 - thing.width), min(y + 1, side - 1 - thing.height))
        things[index] = replace(thing, goal=goal)
    return Puzzle(side, side, tuple(things), frozenset(), name=f"crowd {side} {objects} {cells}")


def combs(side: int) -> Puzzle:
    """Returns a world that an agent and a movable, both combs of thousands of cells, share."""
    inner = side - 4
    teeth = [(x, y) for x in range(1, inner, 4) for y in range(1, inner)]
    agent = PuzzleObject.from_cells("A", [*teeth, *((x, 1) for x in range(1, inner))])
    teeth = [(x, y) for x in range(3, inner + 2, 4) for y in range(3, inner + 2)]
    row = [(x, inner + 1) for x in range(3, inner + 2)]
    movable = PuzzleObject.from_cells("M1", [*teeth, *row])
    movable = replace(movable, goal=(movable.start[0] + 1, movable.start[1]))
    return Puzzle(side, side, (agent, movable), frozenset(), name=f"combs {side}")


WORLDS: dict[str, Callable[[], Puzzle]] = {
    "first-push": lambda: next(iter(load_set("bundled"))),
    "room 60, 74 movables": lambda: random_room(RoomPlan(60, 60, (4, 4), (70, 70), 0.3), Random(0)),
    "room 24, 70 movables": lambda: random_room(RoomPlan(24, 24, (2, 2), (68, 68), 0.0), Random(1)),
    "crowd 60, 100 shapes": lambda: crowd(60, 100, 12),
    "crowd 300, 60 shapes of 300": lambda: crowd(300, 60, 300),
    "crowd 300, 999 movables": lambda: crowd(300, 999, 6),
    "open 1000, 8 movables": lambda: crowd(1000, 8, 4),
    "crowd 1000, 999 shapes": lambda: crowd(1000, 999, 60),
    "combs 300": lambda: combs(300),
}


@cache
def world(name: str) -> Puzzle:
    """Returns a world by its name in `WORLDS`, or one from a set or a folder."""
    return WORLDS[name]() if name in WORLDS else next(iter(load_set(name)))


def subjects(puzzle: Puzzle) -> dict[str, Callable[[float], object]]:
    """Returns what is run with a time limit: every planner, the analysis, the exports, shortening."""
    runs: dict[str, Callable[[float], object]] = {
        planner.name: partial(_solve, puzzle, planner.name) for planner in planners()
    }
    runs["analyze"] = lambda limit: analyze(puzzle, seconds=limit)
    runs["SAS+"] = partial(_export, export_sas, puzzle)
    runs["PDDL"] = partial(_export, export_pddl, puzzle)
    plan = solve(puzzle, time_limit=2, memory_limit_gb=2).plan
    if plan is not None:
        runs["shorten"] = lambda limit: shorten(puzzle, plan, limit)
    return runs


def _solve(puzzle: Puzzle, planner: str, limit: float) -> None:
    with suppress(PushWorldError):  # a planner may refuse a world
        solve(puzzle, planner, time_limit=limit, memory_limit_gb=2)


def _export(export: Callable[..., object], puzzle: Puzzle, limit: float) -> None:
    with suppress(ExportStoppedError):
        export(puzzle, stop=after(limit))


def measure_time(names: list[str], wanted: list[str] | None, trials: int) -> None:
    """Prints by how many milliseconds each subject is late, for each world and limit."""
    print("\n| world | subject |", " | ".join(f"{limit:g} s" for limit in LIMITS), "|")
    print("| --- | --- |", " | ".join("--:" for _ in LIMITS), "|")
    for name in names:
        for subject, run in subjects(world(name)).items():
            if wanted and subject not in wanted:
                continue
            late = [f"{1000 * _lateness(run, limit, trials):.0f}" for limit in LIMITS]
            print(f"| {name} | {subject} | {' | '.join(late)} |", flush=True)


def _lateness(run: Callable[[float], object], limit: float, trials: int) -> float:
    """Returns the least lateness of some trials, in seconds; 0 if one of them is in time."""
    least = math.inf
    for _ in range(trials):
        start = time.perf_counter()
        run(limit)
        least = min(least, max(0.0, time.perf_counter() - start - limit))
        if least < 0.001:
            break
    return least


def measure_memory(names: list[str], wanted: list[str] | None, seconds: float) -> None:
    """Prints the resident memory of ``pushworld solve`` beyond a process that solves nothing."""
    print("\n| world | planner | limit, MB | status | reported, MB | resident, MB |")
    print("| --- | --- | --: | --- | --: | --: |")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            file = Path(folder) / "world.pwp"
            world(name).save(file)
            for planner in wanted or [each.name for each in planners()]:
                idle, _ = _peak(file, planner, 1e6, 0.001)
                for limit in MEMORY_LIMITS:
                    peak, result = _peak(file, planner, limit, seconds)
                    reported = result["peak_memory_bytes"] / 1e6
                    print(
                        f"| {name} | {planner} | {limit / 1e6:.0f} | {result['status']} | "
                        f"{reported:.1f} | {(peak - idle) / 1e6:.1f} |",
                        flush=True,
                    )


def _peak(file: Path, planner: str, limit: float, seconds: float) -> tuple[int, dict[str, Any]]:
    """Returns the peak of the resident set of a process that solves a puzzle, and its result."""
    command = [
        sys.executable,
        "-m",
        "pushworld",
        "solve",
        str(file),
        "--planner",
        planner,
        "--json",
    ]
    command += ["--memory-limit", str(limit / 1e9), "--time-limit", str(seconds)]
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            with suppress(OSError, StopIteration):
                status = Path(f"/proc/{process.pid}/status").read_text().splitlines()
                line = next(each for each in status if each.startswith("VmHWM"))
                peak = max(peak, 1024 * int(line.split()[1]))
            time.sleep(0.002)
        assert process.stdout is not None
        return peak, json.loads(process.stdout.read())


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("time", "memory"))
    parser.add_argument("--worlds", nargs="+", default=list(WORLDS), help="names, sets or files")
    parser.add_argument("--subjects", nargs="+", help="planners, analyze, SAS+, PDDL, shorten")
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="the time limit for memory")
    arguments = parser.parse_args()
    print(", ".join(f"{key}: {value}" for key, value in describe_machine().items()))
    if arguments.what == "time":
        measure_time(arguments.worlds, arguments.subjects, arguments.trials)
    else:
        measure_memory(arguments.worlds, arguments.subjects, arguments.seconds)


if __name__ == "__main__":
    main()
