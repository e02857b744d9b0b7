"""Examples from puzzles: the puzzle turned or mirrored at random, solved, and drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from pushworld.planners import shorten, solve
from pushworld.puzzle import Puzzle, Symmetry, transform
from pushworld.rl.imitation.examples import (
    Examples,
    choose_groups,
    examples_of_placements,
    examples_of_plan,
)
from pushworld.rl.imitation.placements import place_objects


@dataclass(frozen=True)
class Teaching:
    """How examples are made.

    Attributes:
        side: of the squares in which worlds stand; larger worlds are left out.
        count: examples of a puzzle that is solved completely.
        max_states: puzzles with more placements than this are solved by a planner instead.
        time_limit: of the planner, and of shortening its plan, in seconds.
    """

    side: int
    count: int = 24
    max_states: int = 400_000
    time_limit: float = 2.0


def make_examples(
    puzzles: Iterable[Puzzle], teaching: Teaching, random: np.random.Generator
) -> Iterator[Examples]:
    """Yields the examples of each puzzle, seen through a random symmetry.

    Puzzles without a plan, or with none that was found in time, are left out.
    """
    for puzzle in puzzles:
        symmetry = list(Symmetry)[random.integers(len(Symmetry))]
        examples = examples_of(transform(puzzle, symmetry), teaching, random)
        if examples is not None and len(examples):
            yield examples


def examples_of(puzzle: Puzzle, teaching: Teaching, random: np.random.Generator) -> Examples | None:
    """Returns the examples of a puzzle as it is, or None if nothing is known of it."""
    if max(puzzle.width, puzzle.height) - 2 > teaching.side:
        return None
    placements = place_objects(puzzle, teaching.max_states)
    if placements is not None:
        groups = choose_groups(placements, teaching.count, random)
        return examples_of_placements(placements, groups.tolist(), teaching.side)
    plan = solve(puzzle, time_limit=teaching.time_limit).plan
    if plan is None:
        return None
    plan = shorten(puzzle, plan, teaching.time_limit).plan
    return examples_of_plan(puzzle, plan, teaching.side)
