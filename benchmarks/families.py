"""Families of siblings: puzzles made from a puzzle with a human plan, so that an adapted plan solves each.

`siblings_of` makes them. A sibling depends on the puzzle, the family and a seed alone.
"""

from __future__ import annotations

import hashlib
import math
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Literal

from common import positive

from pushworld import solve
from pushworld.bench.human import chosen_solutions
from pushworld.bench.tasks import Task, choose_tasks
from pushworld.design.plan_features import covered_cells
from pushworld.design.variants import with_line
from pushworld.engine import Engine
from pushworld.puzzle import (
    Position,
    PushWorldError,
    Puzzle,
    PuzzleObject,
    State,
    Symmetry,
    parse_plan,
    transform,
)
from pushworld.puzzle import format_plan as text_of
from pushworld.puzzle.free_space import free_cells, free_places

Half = Literal["choosing", "checking"]
Solved = tuple[Puzzle, str]
"""A puzzle and a plan that solves it."""

WALLS = 3 / 5
"""The part of the free cells that `tight` makes walls."""

CROWD = 6
SMALL_SHAPES = (((0, 0),), ((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (1, 0), (0, 1)))

MOST_STATES = 16
"""The states that `longer` goes on with while it adapts a plan."""


@dataclass(frozen=True)
class Sibling:
    """A puzzle of a family, and the puzzle that it was made from."""

    family: str
    seed: int
    level: str
    parent: str
    half: Half
    puzzle: Puzzle
    plan: str


def published(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Returns the puzzle itself, for the seed 0."""
    return (puzzle, plan) if seed == 0 else None


def views(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Returns one of the seven other views, by the seed."""
    others = list(Symmetry)[1:]
    if seed >= len(others):
        return None
    return transform(puzzle, others[seed]), text_of(others[seed].apply_to_plan(plan))


def tight(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Makes three of five cells that nothing enters walls."""
    cells = sorted(untouched(puzzle, plan))
    walls = random.sample(cells, round(WALLS * len(cells)))
    return replace(puzzle, walls=puzzle.walls | set(walls)), plan


def crowd(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Puts six small objects more into cells that nothing enters."""
    free = untouched(puzzle, plan)
    objects = list(puzzle.objects)
    for number in range(CROWD):
        shape = random.choice(SMALL_SHAPES)
        blocked = free_cells(puzzle) - free | puzzle.walls
        places = free_places(puzzle, shape, blocked)
        if not places:
            continue
        objects.append(PuzzleObject(f"Mcrowd{number}", shape, random.choice(places)))
        free -= objects[-1].cells_at(objects[-1].start)
    return replace(puzzle, objects=tuple(objects)), plan


def fewer(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Takes away an object that the plan does not move."""
    *_, last = puzzle.replay(plan)
    unmoved = [
        thing
        for thing, at in zip(puzzle.objects, last, strict=True)
        if thing.goal is None and thing.start == at and thing != puzzle.agent
    ]
    random.shuffle(unmoved)
    for thing in unmoved:
        without = replace(puzzle, objects=tuple(o for o in puzzle.objects if o != thing))
        if without.validate(plan):
            return without, plan
    return None


def earlier(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Moves the goals to where the plan has brought the objects at a moment of its second half."""
    states = list(puzzle.replay(plan))
    first = len(states) // 2
    goals = [state[1 : 1 + len(puzzle.goal)] for state in states]
    moments = [t for t in range(first, len(states) - 1) if goals[t] not in (goals[0], puzzle.goal)]
    if not moments:
        return None
    moment = random.choice(moments)
    agent, *movables = puzzle.objects
    moved = [replace(o, goal=goal) for o, goal in zip(movables, goals[moment], strict=False)]
    return replace(puzzle, objects=(agent, *moved, *movables[len(moved) :])), plan[:moment]


def longer(puzzle: Puzzle, plan: str, random: Random, seed: int) -> Solved | None:
    """Makes the world one column longer, between two columns that no object lies across at first."""
    cuts = {x: with_line(puzzle, "column", x) for x in range(1, puzzle.width - 2)}
    wider = [(cut, stretched) for cut, stretched in cuts.items() if stretched is not None]
    random.shuffle(wider)
    for cut, stretched in wider[:4]:
        if adapted := _adapted(puzzle, plan, stretched, cut):
            return stretched, adapted
    return None


def _moved(cell: Position, cut: int) -> Position:
    return cell[0] + (cell[0] > cut), cell[1]


def _adapted(puzzle: Puzzle, plan: str, stretched: Puzzle, cut: int) -> str | None:
    """Returns the plan with some actions left out or repeated, by beam search along its states."""
    engine = Engine(stretched)
    plans: dict[State, str] = {stretched.initial_state: ""}
    states = puzzle.replay(plan)
    next(states)
    for action, state in zip(parse_plan(plan), states, strict=True):
        reached = dict(plans)
        for before, so_far in plans.items():
            once = engine.step(before, action)
            reached.setdefault(once, so_far + text_of([action]))
            reached.setdefault(engine.step(once, action), so_far + text_of([action, action]))
        wanted = [_moved(at, cut) for at in state]
        ranks = {
            each: sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in zip(each, wanted, strict=True))
            for each in reached
        }
        plans = {
            each: reached[each] for each in sorted(reached, key=ranks.__getitem__)[:MOST_STATES]
        }
    solving = (so_far for state, so_far in plans.items() if stretched.is_solved(state))
    return min(solving, key=len, default=None)


FAMILIES: dict[str, Callable[[Puzzle, str, Random, int], Solved | None]] = {
    each.__name__: each for each in (published, views, tight, crowd, fewer, earlier, longer)
}


def untouched(puzzle: Puzzle, plan: str) -> set[Position]:
    """Returns the free cells that nothing covers at any time."""
    return free_cells(puzzle) - covered_cells(puzzle, plan)


def siblings_of(
    tasks: Iterable[Task], plans: str | None, families: Iterable[str], seeds: Iterable[int]
) -> Iterator[Sibling]:
    """Yields the siblings of the puzzles with a human plan.

    Args:
        plans: a file or folder of human plans; by default the installed ones.

    Raises:
        PushWorldError: if no puzzle has a plan.
    """
    solutions = chosen_solutions(plans)
    chosen, numbers = list(families), list(seeds)
    known = [
        (each, plan)
        for each in tasks
        if (plan := solutions and solutions.plan_of(each.puzzle, each.level))
    ]
    if not known:
        raise PushWorldError("no puzzle has a human plan: name a file or folder with --plans")
    for task, plan in known:
        name = f"{task.level}/{task.puzzle.name}"
        for family in chosen:
            for seed in numbers:
                random = Random(f"{family}/{name}/{seed}")
                made = FAMILIES[family](task.puzzle, plan, random, seed)
                if made is None:
                    continue
                puzzle, adapted = made
                if not puzzle.validate(adapted):
                    raise AssertionError(f"{family} of {name} is not solved by its plan")
                yield Sibling(family, seed, task.level, name, half_of(name), puzzle, adapted)


def half_of(name: str) -> Half:
    """Returns the half of a puzzle, by its name: all its siblings are in the same one."""
    return "checking" if hashlib.sha256(name.encode()).digest()[0] % 2 else "choosing"


def add_options(parser: ArgumentParser) -> None:
    """Adds the options that scripts on siblings share."""
    add = parser.add_argument
    add("--puzzles", nargs="+", default=["classic"], metavar="SET|DIR", help="(default: classic)")
    add("--plans", metavar="DIR|FILE", help="human plans (default: the installed ones)")
    add("--every", type=positive, default=1, metavar="N", help="take every Nth puzzle (default: 1)")
    add("--family", nargs="+", choices=FAMILIES, metavar="NAME", help=f"of {', '.join(FAMILIES)}")
    add("--seeds", nargs="+", type=int, default=[0], metavar="N", help="(default: 0)")
    add("--half", choices=("choosing", "checking"), help="of the puzzles (default: both)")
    add("--save", type=Path, metavar="DIR", help="write the siblings there as puzzles")
    add("--store", type=Path, default=Path("results/runs.jsonl"), help="(default: %(default)s)")
    add("--markdown", action="store_true", help="print the table as Markdown")


def chosen_siblings(arguments: Namespace, families: Iterable[str]) -> list[Sibling]:
    """Returns the siblings that the options name, one of equal ones."""
    tasks = choose_tasks(arguments.puzzles, arguments.every)
    found: dict[Puzzle, Sibling] = {}
    for each in siblings_of(tasks, arguments.plans, families, arguments.seeds):
        if arguments.half in (None, each.half):
            found.setdefault(each.puzzle, each)
    for each in found.values() if arguments.save else ():
        each.puzzle.save(arguments.save / each.family / f"{each.puzzle.name} {each.seed}.pwp")
    return list(found.values())


def run_one(
    puzzle: Puzzle, planner: str = "default", seconds: float = math.inf, **options: Any
) -> dict[str, Any]:
    """Returns how a planner ends on a puzzle, with the options of `solve`, and what it takes."""
    start = time.process_time()
    found = solve(puzzle, planner, time_limit=seconds, **options)
    spent = {"seconds": round(found.seconds, 3), "cpu_seconds": time.process_time() - start}
    return {"status": found.status, "states": found.states, **spent}
