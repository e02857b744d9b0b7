"""More training puzzles from the same ones: other goals in the same rooms, with the same objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from pushworld.envs.distances import stopped_positions
from pushworld.puzzle import Position, Puzzle


def with_other_goals(
    puzzles: Sequence[Puzzle], copies: int, max_states: int, seed: int
) -> list[Puzzle]:
    """Returns the puzzles, followed by copies of those with at most `max_states` states.

    In a copy other movables may have the goals, and all goals are at random positions; nothing else
    moves. The number of goals stays, and so does the number of different shapes of the objects that
    have one. A copy need not have a plan.
    """
    rng = np.random.default_rng(seed)
    found = list(puzzles)
    for puzzle in puzzles:
        free = _free_positions(puzzle)
        if puzzle.goal and prod(map(len, free)) <= max_states:
            found += [_other_goals(puzzle, free[1:], rng) for _ in range(copies)]
    return found


def count_states(puzzle: Puzzle) -> int:
    """Returns the number of states of a puzzle as a teacher counts them, overlapping ones included."""
    return prod(map(len, _free_positions(puzzle)))


def _other_goals(
    puzzle: Puzzle, free: Sequence[Sequence[Position]], rng: np.random.Generator
) -> Puzzle:
    """Returns a copy of a puzzle, given the positions that walls leave to each movable."""
    movables, goals = puzzle.movables, len(puzzle.goal)
    shapes = len({thing.shape for thing in movables[:goals]})
    while True:
        order = rng.permutation(len(movables)).tolist()
        if len({movables[each].shape for each in order[:goals]}) < shapes:
            continue
        places = [free[each][int(rng.integers(len(free[each])))] for each in order[:goals]]
        cells = [movables[each].cells_at(place) for each, place in zip(order, places, strict=False)]
        if sum(map(len, cells)) > len(frozenset().union(*cells)):
            continue
        moved = [
            replace(movables[each], name=thing.name, goal=place)
            for thing, each, place in zip(
                movables, order, [*places, *[None] * (len(movables) - goals)], strict=True
            )
        ]
        return replace(puzzle, objects=(puzzle.agent, *moved))


def _free_positions(puzzle: Puzzle) -> list[list[Position]]:
    """Returns the positions that walls leave to each object."""
    free = []
    for number, thing in enumerate(puzzle.objects):
        stops = np.zeros((puzzle.height, puzzle.width), bool)
        for x, y in puzzle.walls if number else puzzle.walls | puzzle.agent_walls:
            stops[y, x] = True
        rows, columns = np.nonzero(~stopped_positions(stops, thing.shape))
        free.append(list(zip(columns.tolist(), rows.tolist(), strict=True)))
    return free
