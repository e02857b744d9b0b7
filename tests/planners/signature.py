"""The signature of the searches: what each of them does, state by state, on a fixed set of puzzles.

A change that is not meant to change a search must leave the signature as it is. The numbers depend on
no clock and no machine: one thread, seed 0, and a limit on states instead of time.

    python -m tests.planners.signature            # compare with the recorded table
    python -m tests.planners.signature --record   # after a change that was meant to change a search
"""

from __future__ import annotations

import csv
import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from pushworld import _native
from pushworld.datasets import bundled_puzzles, classic_puzzles
from pushworld.engine import Engine
from pushworld.planners import Strategy, default_strategies
from pushworld.puzzle import Puzzle, format_plan

TABLE = Path(__file__).with_name("signature.csv")
COLUMNS = ("puzzle", "search", "status", "length", "plan", "expanded", "generated", "states")
MAX_STATES = {"default": 12_000, "shorten": 5_000}
FEW_STATES = 1000
"""Enough to see every part of a search at work, and few enough for a test: the strategies of the default
planner take their first turns within 12,000 states."""

EVERY_CLASSIC = 5

UNSOLVABLE = """\
 A  .  .  M2 .
 .  W  W  .  .
 .  M1 .  W  .
 .  .  .  .  G1
"""

Row = dict[str, str]

SMALL = " | first-states 20 | clearing-states 20 | mending 100 | stage-pushes 50 | stage-turn 20"
"""Limits so small that a search of few states enters later rounds."""

SEARCHES: dict[str, Callable[..., _native.SearchResult]] = {
    "novelty-rgd": _native.solve_novelty_rgd,
    "rgd": _native.solve_rgd,
    "cea": _native.solve_cea,
    "astar": _native.solve_a_star,
    "bfs": _native.solve_breadth_first,
    "default": _native.solve_by_pushes,
    **{
        f"default/{strategy.name}": partial(_native.solve_by_pushes, strategies=[strategy.native()])
        for strategy in default_strategies()
    },
    **{
        f"rounds/{strategy.name}": partial(
            _native.solve_by_pushes,
            strategies=[Strategy.parse(f"{strategy}{SMALL} | begin-pushes 20").native()],
        )
        for strategy in default_strategies()
        if strategy.name in ("few-objects", "goals-in-turn")
    },
}


def puzzles() -> list[Puzzle]:
    """Returns the puzzles of the signature: all teaching puzzles, and some of every level of `classic`."""
    classic = [each.puzzle for each in classic_puzzles()]
    unsolvable = Puzzle.parse(UNSOLVABLE, name="unsolvable")
    return [unsolvable, *(each.puzzle for each in bundled_puzzles()), *classic[2::EVERY_CLASSIC]]


def rows_of(puzzle: Puzzle) -> Iterator[Row]:
    """Yields a row for each search, and one for shortening the default planner's plan."""
    engine = Engine(puzzle)
    plan: list[int] = []
    for name, search in SEARCHES.items():
        found = search(engine.native, control_of(name), seed=0, threads=1)
        plan = found.plan if name == "default" else plan
        yield row_of(puzzle, name, found)
    if plan:
        shortened = _native.shorten_plan(engine.native, plan, control_of("shorten"))
        yield row_of(puzzle, "shorten", shortened)


def control_of(search: str) -> _native.Control:
    """Returns the limits of a search, of which only that on states can be reached."""
    return _native.Control(1e9, 10**10, MAX_STATES.get(search, FEW_STATES))


def row_of(puzzle: Puzzle, search: str, found: _native.SearchResult) -> Row:
    """Returns the row of a search's result."""
    plan = format_plan(found.plan)
    return {
        "puzzle": puzzle.name,
        "search": search,
        "status": found.status,
        "length": str(len(plan)),
        "plan": hashlib.sha256(plan.encode()).hexdigest()[:8] if plan else "",
        "expanded": str(found.expanded),
        "generated": str(found.generated),
        "states": str(found.states),
    }


def recorded() -> dict[str, list[Row]]:
    """Returns the recorded rows of each puzzle."""
    rows: dict[str, list[Row]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rows.setdefault(row["puzzle"], []).append(row)
    return rows


def main() -> int:
    """Compares or records; returns the exit code."""
    if "--record" in sys.argv[1:]:
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            for puzzle in puzzles():
                writer.writerows(rows_of(puzzle))
        print(f"recorded in {TABLE.name}")
        return 0
    before = recorded()
    differing = 0
    for puzzle in puzzles():
        known = {row["search"]: row for row in before.get(puzzle.name, [])}
        for row in rows_of(puzzle):
            if row != known.get(row["search"]):
                differing += 1
                print(f"was {known.get(row['search'])}\nis  {row}")
    print(f"{differing} rows differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
