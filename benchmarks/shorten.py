"""Measures shortening: how much shorter plans of a planner become, and how short they could be.

    python benchmarks/shorten.py
    python benchmarks/shorten.py --puzzles level1 level2 --seconds 1 5
    python benchmarks/shorten.py --puzzles level1 level2 level3 level4 --count 10 --markdown
    python benchmarks/shorten.py --puzzles level1 --human HUMAN.csv

It takes puzzles at equal distances in the order of each set and solves them. Puzzles that are not
solved within the limit do not count. Ratios are geometric means over the plans of a set. The plans
of people are those that `pushworld data import` has installed, or those of --human.
"""

from __future__ import annotations

import argparse
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["bundled"], metavar="SET|DIR", help="(default: bundled)")
    add("--count", type=int, default=10, help="puzzles of each set (default: 10)")
    add("--planner", default="default", help="whose plans are shortened (default: default)")
    add("--time-limit", type=float, default=10, help="seconds for the planner (default: 10)")
    add("--seconds", type=float, nargs="+", default=[1, 5], help="for shortening (default: 1 5)")
    add("--astar-limit", type=float, default=5, help="seconds for the proof by A* (default: 5)")
    add("--human", metavar="PATH", help="plans of people: folder of YAML files, database or CSV")
    add("--markdown", action="store_true", help="print the tables as Markdown")
    arguments = parser.parse_args()
    console = Console(stderr=True)
    try:
        people = (
            read_human_solutions(arguments.human)
            if arguments.human
            else installed_human_solutions()
        )
        sets = {Path(name).name: load_set(name) for name in arguments.puzzles}
        measured = {
            name: [
                lengths
                for puzzle in track(spread(puzzles, arguments.count), name, console=console)
                if (lengths := measure(puzzle, name, people, arguments)) is not None
            ]
            for name, puzzles in sets.items()
        }
    except PushWorldError as error:
        parser.error(str(error))
    print(", ".join(f"{key} {value}" for key, value in describe_machine().items()))
    print_table(plan_table(measured, arguments.seconds), arguments.markdown)
    print_table(level_table(measured, arguments.seconds), arguments.markdown)


def spread(puzzles: list[Puzzle], count: int) -> list[Puzzle]:
    """Returns `count` of the puzzles at equal distances, or all if there are not so many."""
    count = min(count, len(puzzles))
    return [puzzles[index * len(puzzles) // count] for index in range(count)]


def measure(
    puzzle: Puzzle, level: str, people: HumanSolutions, arguments: argparse.Namespace
) -> Measured | None:
    """Returns the lengths of a puzzle's plans; None if it is not solved."""
    plan = solve(puzzle, arguments.planner, time_limit=arguments.time_limit).plan
    if plan is None:
        return None
    shortened = [shorten(puzzle, plan, seconds) for seconds in arguments.seconds]
    optimal = next((result.length for result in shortened if result.optimal), None)
    if optimal is None:
        optimal = solve(puzzle, "astar", time_limit=arguments.astar_limit).length
    lengths = tuple(result.length for result in shortened)
    return Measured(puzzle.name, len(plan), lengths, optimal, people.length_of(puzzle, level))


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
    rows[0] += ["human", "plan / human", *(f"{each:g} s / human" for each in seconds)]
    rows[0] += ["longer than human"]
    everything = [each for results in measured.values() for each in results]
    for name, results in [*measured.items(), ("all", everything)]:
        proved = [(each, each.optimal) for each in results if each.optimal is not None]
        rows.append([name, str(len(results))])
        for k in range(len(seconds)):
            rows[-1].append(mean_ratio([(each.shortened[k], each.original) for each in results]))
        rows[-1] += [str(len(proved)), mean_ratio([(each.original, n) for each, n in proved])]
        for k in range(len(seconds)):
            rows[-1].append(mean_ratio([(each.shortened[k], n) for each, n in proved]))
        human = [(each, each.human) for each in results if each.human is not None]
        rows[-1] += [str(len(human)), mean_ratio([(each.original, n) for each, n in human])]
        for k in range(len(seconds)):
            rows[-1].append(mean_ratio([(each.shortened[k], n) for each, n in human]))
        rows[-1].append(str(sum(each.shortened[-1] > n for each, n in human)) if human else "")
    return rows


def mean_ratio(pairs: list[tuple[int, int]]) -> str:
    """Returns the geometric mean of the ratios as text."""
    return f"{geometric_mean([a / b for a, b in pairs if b]):.3f}" if pairs else ""


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
