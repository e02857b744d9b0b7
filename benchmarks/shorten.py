"""Measures shortening: how much shorter plans of a planner become, and how short they could be.

    python benchmarks/shorten.py
    python benchmarks/shorten.py --puzzles level1 level2 --seconds 1 5
    python benchmarks/shorten.py --puzzles level1 level2 level3 level4 --count 10 --markdown
    python benchmarks/shorten.py --puzzles level1 --human HUMAN.csv
    python benchmarks/shorten.py --puzzles level2 level3 --plans plans.json --clock cpu

It takes puzzles at equal distances in the order of each set and solves them; --offset takes others.
Puzzles that are not solved within the limit do not count. Ratios are geometric means over the plans
of a set. The plans of people are those that `pushworld data import` has installed, or those of
--human. --plans keeps the plans of the planner in a file, so that every run begins with the same
ones. With --clock cpu, the seconds are CPU time of all threads, so a busy machine does not matter.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean

from machine import describe_machine
from rich.console import Console
from rich.progress import track

from pushworld import PushWorldError, Puzzle, shorten, solve
from pushworld.datasets import (
    HumanSolutions,
    installed_human_solutions,
    load_set,
    read_human_solutions,
)
from pushworld.planners import Progress, ShortenProgress

MUCH_LONGER = 1.1
WALL_PER_CPU = 20
"""On the CPU clock, a run may take so many times its limit in wall time."""


@dataclass(frozen=True)
class Measured:
    """Lengths of plans of one puzzle.

    Attributes:
        name: of the puzzle.
        original: by the planner.
        shortened: for each number of seconds.
        optimal: the length of a shortest plan, if shortening or A* proves one.
        human: the length of a person's plan, if known.
    """

    name: str
    original: int
    shortened: tuple[int, ...]
    optimal: int | None
    human: int | None


class Plans:
    """Plans of the planner, kept in a file if there is one. None for a puzzle it does not solve."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._plans: dict[str, str | None] = (
            json.loads(path.read_text()) if path is not None and path.exists() else {}
        )

    def plan_of(self, puzzle: Puzzle, level: str, arguments: argparse.Namespace) -> str | None:
        """Returns the plan of a puzzle; solves it if the file has no answer."""
        key = f"{level}/{puzzle.name}"
        if key not in self._plans:
            self._plans[key] = solve_by(puzzle, arguments.planner, arguments.time_limit, arguments)
            if self._path is not None:
                self._path.write_text(json.dumps(self._plans, indent=1))
        return self._plans[key]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["bundled"], metavar="SET|DIR", help="(default: bundled)")
    add("--count", type=int, default=10, help="puzzles of each set (default: 10)")
    add("--offset", type=int, default=0, help="begin so far into each set (default: 0)")
    add("--planner", default="default", help="whose plans are shortened (default: default)")
    add("--plans", type=Path, metavar="FILE", help="keep the plans of the planner in this file")
    add("--time-limit", type=float, default=10, help="seconds for the planner (default: 10)")
    add("--seconds", type=float, nargs="+", default=[1, 5], help="for shortening (default: 1 5)")
    add("--threads", type=int, default=1, help="for shortening (default: 1)")
    add("--clock", choices=("wall", "cpu"), default="wall", help="of all limits (default: wall)")
    add("--astar-limit", type=float, default=5, help="seconds for the proof by A* (default: 5)")
    add("--human", metavar="PATH", help="plans of people: folder of YAML files, database or CSV")
    add("--markdown", action="store_true", help="print the tables as Markdown")
    arguments = parser.parse_args()
    arguments.seconds.sort()
    console = Console(stderr=True)
    try:
        people = (
            read_human_solutions(arguments.human)
            if arguments.human
            else installed_human_solutions()
        )
        plans = Plans(arguments.plans)
        measured: dict[str, list[Measured]] = {}
        for path in arguments.puzzles:
            name = Path(path).name
            puzzles = spread(load_set(path), arguments.count, arguments.offset)
            measured[name] = [
                lengths
                for puzzle in track(puzzles, name, console=console)
                if (lengths := measure(puzzle, name, plans, people, arguments)) is not None
            ]
    except (PushWorldError, json.JSONDecodeError) as error:
        parser.error(str(error))
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print_table(plan_table(measured, arguments.seconds), arguments.markdown)
    print_table(level_table(measured, arguments.seconds), arguments.markdown)


def spread(puzzles: list[Puzzle], count: int, offset: int) -> list[Puzzle]:
    """Returns `count` of the puzzles at equal distances, or all if there are not so many."""
    count = min(count, len(puzzles))
    chosen = ((index * len(puzzles) // count + offset) % len(puzzles) for index in range(count))
    return [puzzles[index] for index in chosen]


def measure(
    puzzle: Puzzle,
    level: str,
    plans: Plans,
    people: HumanSolutions,
    arguments: argparse.Namespace,
) -> Measured | None:
    """Returns the lengths of a puzzle's plans; None if it is not solved."""
    plan = plans.plan_of(puzzle, level, arguments)
    if plan is None:
        return None
    lengths = [len(plan)] * len(arguments.seconds)
    elapsed = clock_of(arguments)

    def note(progress: ShortenProgress) -> None:
        now = elapsed()
        for k, seconds in enumerate(arguments.seconds):
            if now <= seconds:
                lengths[k] = min(lengths[k], progress.length)
        if now > arguments.seconds[-1]:
            raise KeyboardInterrupt

    limit = arguments.seconds[-1] * wall_factor(arguments)
    result = shorten(puzzle, plan, limit, threads=arguments.threads, progress=note)
    end = elapsed()  # before the last limit if the plan is proved to be shortest
    for k, seconds in enumerate(arguments.seconds):
        if end <= seconds or seconds == arguments.seconds[-1]:
            lengths[k] = result.length
    optimal = result.length if result.optimal else None
    if optimal is None and arguments.astar_limit > 0:
        proof = solve_by(puzzle, "astar", arguments.astar_limit, arguments)
        optimal = None if proof is None else len(proof)
    return Measured(
        puzzle.name, len(plan), tuple(lengths), optimal, people.length_of(puzzle, level)
    )


def solve_by(
    puzzle: Puzzle, planner: str, seconds: float, arguments: argparse.Namespace
) -> str | None:
    """Returns the plan of a planner; None if it finds none within the limit."""
    elapsed = clock_of(arguments)

    def end_in_time(_: Progress) -> None:
        if elapsed() > seconds:
            raise KeyboardInterrupt

    limit = seconds * wall_factor(arguments)
    return solve(puzzle, planner, time_limit=limit, progress=end_in_time).plan


def clock_of(arguments: argparse.Namespace) -> Callable[[], float]:
    """Returns a function that says how much time has passed since now."""
    clock = time.process_time if arguments.clock == "cpu" else time.perf_counter
    start = clock()
    return lambda: clock() - start


def wall_factor(arguments: argparse.Namespace) -> float:
    return WALL_PER_CPU if arguments.clock == "cpu" else 1


def plan_table(measured: dict[str, list[Measured]], seconds: list[float]) -> list[list[str]]:
    """Returns the rows of a table with the lengths for each puzzle."""
    rows = [["set", "puzzle", "plan", *(f"{each:g} s" for each in seconds), "shortest", "human"]]
    for name, results in measured.items():
        for each in results:
            others = ["" if n is None else str(n) for n in (each.optimal, each.human)]
            rows.append([name, each.name, str(each.original), *map(str, each.shortened), *others])
    return rows


def level_table(measured: dict[str, list[Measured]], seconds: list[float]) -> list[list[str]]:
    """Returns the rows of a table with mean ratios for each set and for all of them."""
    rows = [["set", "plans", *(f"{each:g} s / plan" for each in seconds), "proved"]]
    rows[0] += ["plan / shortest", *(f"{each:g} s / shortest" for each in seconds)]
    rows[0] += ["shortest / human", "human", "plan / human"]
    rows[0] += [f"{each:g} s / human" for each in seconds]
    rows[0] += ["longer than human", f"over {MUCH_LONGER}", "worst"]
    everything = [each for results in measured.values() for each in results]
    for name, results in [*measured.items(), ("all", everything)]:
        proved = [(each, each.optimal) for each in results if each.optimal is not None]
        rows.append([name, str(len(results))])
        for k in range(len(seconds)):
            rows[-1].append(mean_ratio([(each.shortened[k], each.original) for each in results]))
        rows[-1] += [str(len(proved)), mean_ratio([(each.original, n) for each, n in proved])]
        for k in range(len(seconds)):
            rows[-1].append(mean_ratio([(each.shortened[k], n) for each, n in proved]))
        rows[-1].append(mean_ratio([(n, each.human) for each, n in proved if each.human]))
        human = [(each, each.human) for each in results if each.human]
        rows[-1] += [str(len(human)), mean_ratio([(each.original, n) for each, n in human])]
        for k in range(len(seconds)):
            rows[-1].append(mean_ratio([(each.shortened[k], n) for each, n in human]))
        ratios = [each.shortened[-1] / n for each, n in human]
        rows[-1].append(str(sum(ratio > 1 for ratio in ratios)) if human else "")
        rows[-1].append(str(sum(ratio > MUCH_LONGER for ratio in ratios)) if human else "")
        rows[-1].append(f"{max(ratios, default=math.nan):.2f}" if human else "")
    return rows


def mean_ratio(pairs: list[tuple[int, int]]) -> str:
    """Returns the geometric mean of the ratios as text."""
    ratios = [a / b for a, b in pairs if a and b]
    return f"{geometric_mean(ratios):.3f}" if ratios else ""


def print_table(rows: list[list[str]], markdown: bool) -> None:
    print()
    if markdown:
        rows = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
        for row in rows:
            print("| " + " | ".join(row) + " |")
        return
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


if __name__ == "__main__":
    main()
