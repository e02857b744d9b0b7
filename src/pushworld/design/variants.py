"""Variants of a puzzle, for the experiments of the analysis, and how much two puzzles differ."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position, Puzzle, State, Symmetry, crop, transform
from pushworld.puzzle.free_space import connected, interior, occupied, outlines

Axis = Literal["column", "row"]
Grid = NDArray[np.uint8]

WALL, AGENT_WALL, AGENT, TARGET, MOVABLE, OUTLINE = 1, 2, 4, 8, 16, 32
"""What a cell holds, as flags."""


def without_objects(puzzle: Puzzle, names: Collection[str]) -> Puzzle:
    """Returns the puzzle without some movables and their goals."""
    kept = tuple(thing for thing in puzzle.objects if thing.name not in names)
    return replace(puzzle, objects=kept)


def with_goals_of(puzzle: Puzzle, names: Collection[str]) -> Puzzle:
    """Returns the puzzle with only some of its goals; all objects stay."""
    objects = tuple(
        thing if thing.name in names else replace(thing, goal=None) for thing in puzzle.objects
    )
    return replace(puzzle, objects=objects)


def from_state(puzzle: Puzzle, state: State) -> Puzzle:
    """Returns the puzzle with another initial state."""
    objects = tuple(
        replace(thing, start=position)
        for thing, position in zip(puzzle.objects, state, strict=True)
    )
    return replace(puzzle, objects=objects)


def frozen(puzzle: Puzzle, names: Iterable[str]) -> Puzzle:
    """Returns the puzzle with some movables turned into walls where they stand."""
    chosen = set(names)
    cells = {
        cell
        for thing in puzzle.movables
        if thing.name in chosen
        for cell in thing.cells_at(thing.start)
    }
    return replace(without_objects(puzzle, chosen), walls=puzzle.walls | cells)


def object_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Returns the names of the movables, those with goals first."""
    return tuple(thing.name for thing in puzzle.movables)


def goal_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Returns the names of the movables that have goals."""
    return tuple(thing.name for thing in puzzle.movables if thing.goal is not None)


def fill_pockets(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle with walls in all empty cells that no path connects to the agent."""
    open_cells = interior(puzzle) - puzzle.walls
    used = occupied(puzzle) | outlines(puzzle)
    seen = connected(puzzle.agent.cells_at(puzzle.agent.start), open_cells)
    pockets = open_cells - seen - used
    return replace(puzzle, walls=puzzle.walls | pockets, agent_walls=puzzle.agent_walls - pockets)


def without_line(puzzle: Puzzle, axis: Axis, number: int) -> Puzzle | None:
    """Returns the puzzle without a column or row, or None if an object or a goal extends over it."""
    if axis == "row":
        return _transposed(puzzle, lambda turned: without_line(turned, "column", number))
    if any(first <= number <= last for first, last in _spans(puzzle)):
        return None
    return _with_columns(
        puzzle, puzzle.width - 1, lambda x: [] if x == number else [x - (x > number)]
    )


def with_line(puzzle: Puzzle, axis: Axis, number: int) -> Puzzle | None:
    """Returns the puzzle with a further column or row after one, or None if it would cut an object.

    The new line has walls where both of its neighbours do.
    """
    if axis == "row":
        return _transposed(puzzle, lambda turned: with_line(turned, "column", number))
    if any(first <= number < last for first, last in _spans(puzzle)):
        return None
    wider = _with_columns(puzzle, puzzle.width + 1, lambda x: [x + (x > number)])

    def between(cells: Collection[Position]) -> set[Position]:
        return {(number + 1, y) for x, y in cells if x == number and (number + 2, y) in cells}

    return replace(
        wider,
        walls=wider.walls | between(wider.walls),
        agent_walls=wider.agent_walls | between(wider.agent_walls),
    )


def _spans(puzzle: Puzzle) -> Iterable[tuple[int, int]]:
    """Yields the first and the last column of each object and of each goal."""
    for thing in puzzle.objects:
        for place in (thing.start, thing.goal):
            if place is not None:
                yield place[0], place[0] + thing.width - 1


def _with_columns(puzzle: Puzzle, width: int, moved: Callable[[int], list[int]]) -> Puzzle:
    """Returns the puzzle with each column where `moved` says; none for a column that goes."""

    def cells(old: Iterable[Position]) -> frozenset[Position]:
        return frozenset((new, y) for x, y in old for new in moved(x))

    def place(old: Position) -> Position:
        return moved(old[0])[0], old[1]

    objects = tuple(
        replace(
            thing, start=place(thing.start), goal=None if thing.goal is None else place(thing.goal)
        )
        for thing in puzzle.objects
    )
    return replace(
        puzzle,
        width=width,
        objects=objects,
        walls=cells(puzzle.walls),
        agent_walls=cells(puzzle.agent_walls),
    )


def _transposed(puzzle: Puzzle, change: Callable[[Puzzle], Puzzle | None]) -> Puzzle | None:
    """Returns the puzzle after a change to its transposed form."""
    changed = change(transform(puzzle, Symmetry.TRANSPOSE))
    return None if changed is None else transform(changed, Symmetry.TRANSPOSE)


def difference(one: Puzzle, other: Puzzle) -> float:
    """Returns the share of the cells in which two puzzles differ, under the best symmetry.

    It is 1 if their sizes differ by more than two cells.
    """
    ours, theirs = _cells(one), _cells(other)
    return min(
        _differing_share(ours, np.rot90(form, turns))
        for form in (theirs, theirs.T)
        for turns in range(4)
    )


@lru_cache(maxsize=512)
def _cells(puzzle: Puzzle) -> Grid:
    """Returns the flags of every cell of the cropped puzzle; names of objects do not matter."""
    puzzle = crop(puzzle)
    grid = np.zeros((puzzle.height, puzzle.width), np.uint8)
    for mark, cells in ((WALL, puzzle.walls), (AGENT_WALL, puzzle.agent_walls)):
        for x, y in cells:
            grid[y, x] |= mark
    for thing in puzzle.objects:
        mark = AGENT if thing is puzzle.agent else MOVABLE if thing.goal is None else TARGET
        for x, y in thing.cells_at(thing.start):
            grid[y, x] |= mark
        if thing.goal is not None:
            for x, y in thing.cells_at(thing.goal):
                grid[y, x] |= OUTLINE
    return grid


def _differing_share(one: Grid, other: Grid) -> float:
    """Returns the share of cells that differ in the best overlap; outside of a grid are walls."""
    height, width = np.maximum(one.shape, other.shape)
    spare_y, spare_x = abs(one.shape[0] - other.shape[0]), abs(one.shape[1] - other.shape[1])
    if max(spare_x, spare_y) > 2:
        return 1.0
    return min(
        float(np.mean(_padded(moved, height, width, dy, dx) != _padded(fixed, height, width, 0, 0)))
        for moved, fixed in ((one, other), (other, one))
        for dy in range(height - moved.shape[0] + 1)
        for dx in range(width - moved.shape[1] + 1)
    )


def _padded(grid: Grid, height: int, width: int, dy: int, dx: int) -> Grid:
    larger = np.full((height, width), WALL, np.uint8)
    larger[dy : dy + grid.shape[0], dx : dx + grid.shape[1]] = grid
    return larger
