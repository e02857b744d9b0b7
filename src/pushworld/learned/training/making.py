"""Examples from puzzles: solved from everywhere if they are small, from here and there if not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from pushworld.engine import Engine
from pushworld.learned.training.examples import (
    Examples,
    choose_groups,
    example_of_dead_end,
    examples_of_placements,
    examples_of_plan,
)
from pushworld.learned.training.placements import place_objects
from pushworld.planners import ShortenResult, SolveResult, shorten, solve
from pushworld.puzzle import Action, Puzzle, State

Found = TypeVar("Found", SolveResult, ShortenResult)

SIDES = (5, 8, 10, 12, 16, 24, 32, 51)
"""Of the squares that worlds stand in: the smallest that has room for the world."""

LONGEST_STRAY = 24
"""How many random actions lead away from a plan, at most."""


@dataclass(frozen=True)
class Teaching:
    """How examples are made.

    Attributes:
        count: examples of a puzzle, at most.
        max_states: puzzles with more placements than this are solved by a planner instead.
        starts: how many states of such a puzzle it is solved from.
        time_limit: of the planner each time, and of shortening its plan, in seconds.
        max_side: puzzles with larger interiors are left out.
    """

    count: int = 24
    max_states: int = 400_000
    starts: int = 8
    time_limit: float = 0.3
    max_side: int = SIDES[-1]


def examples_of(puzzle: Puzzle, teaching: Teaching, random: np.random.Generator) -> Examples | None:
    """Returns the examples of a puzzle, or None if nothing is known of it."""
    longest = max(puzzle.width, puzzle.height) - 2
    if longest > min(teaching.max_side, SIDES[-1]) or not puzzle.goal:
        return None
    side = next(each for each in SIDES if each >= longest)
    placements = place_objects(puzzle, teaching.max_states)
    if placements is None:
        parts = [*_along_plans(puzzle, teaching, random, side)]
        if not parts:
            return None
        examples = Examples.join(parts)
        return examples.take(random.permutation(len(examples))[: teaching.count])
    if not placements.solvable:
        return None
    groups = choose_groups(placements, teaching.count, random)
    return examples_of_placements(placements, groups.tolist(), side)


def _along_plans(
    puzzle: Puzzle, teaching: Teaching, random: np.random.Generator, side: int
) -> Iterator[Examples]:
    """Yields examples of plans, the first from the initial state and the others from near by."""
    engine = Engine(puzzle)
    visited: list[State] = [puzzle.initial_state]
    for start in range(teaching.starts):
        state = visited[random.integers(len(visited))]
        for _ in range(random.integers(1, LONGEST_STRAY) if start else 0):
            state = engine.step(state, int(random.integers(len(Action))))
        here = from_state(puzzle, state)
        solved = uninterrupted(solve(here, time_limit=teaching.time_limit))
        if solved.plan:
            short = uninterrupted(shorten(here, solved.plan, teaching.time_limit))
            visited += here.replay(short.plan)
            yield examples_of_plan(here, short.plan, side)
        elif start == 0:
            return
        elif solved.status == "unsolvable":
            yield example_of_dead_end(here, side)


def uninterrupted(result: Found) -> Found:
    """Returns what a search found; with one that the user ended, everything ends."""
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


def from_state(puzzle: Puzzle, state: State) -> Puzzle:
    """Returns the puzzle with another initial state."""
    objects = zip(puzzle.objects, state, strict=True)
    return replace(puzzle, objects=tuple(replace(thing, start=place) for thing, place in objects))
