"""Minimization: removes every object and wall that makes no difference, as delta debugging does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from pushworld.design.looks import outline
from pushworld.design.variants import Axis, without_line, without_objects
from pushworld.puzzle import Position, Puzzle
from pushworld.puzzle.free_space import (
    connected,
    free_cells,
    inner_walls,
    interior,
    occupied,
    outlines,
    pieces,
)

Removal = Callable[[Puzzle], Puzzle | None]
Size = tuple[int, int]

MOST_FLOOR = 4 / 3
"""How much larger the share of the floor may become."""


def minimize(
    puzzle: Puzzle,
    is_as_good: Callable[[Puzzle], bool],
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> Puzzle:
    """Returns the puzzle without the objects, walls, rows and columns whose removal leaves it as good.

    Objects are tried first, then rows and columns, connected pieces of wall, single cells of wall, and
    at last alcoves, which become wall. Walls never become more ragged: the outlines of floor and agent
    walls get no further corners. Nor do corridors become halls: the share of the floor grows by a
    third at most. What was kept is tried again until nothing more can be removed.

    Args:
        is_as_good: says whether a smaller puzzle is as good as the given one.
        on_progress: called before each attempt: how many were made since the last round began, and how
            many this round has.
    """
    most_floor = MOST_FLOOR * _floor_share(puzzle)
    shrunk = True
    while shrunk:
        shrunk = False
        removals = list(_removals(puzzle))
        for done, remove in enumerate(removals):
            smaller = remove(puzzle)
            if smaller is None or smaller == puzzle:
                continue
            if corners(smaller) > corners(puzzle) or _floor_share(smaller) > most_floor:
                continue
            on_progress(done, len(removals))
            if is_as_good(smaller):
                puzzle, shrunk = smaller, True
    return puzzle


def fill_pockets(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle with walls in all empty cells that no path connects to the agent."""
    open_cells = interior(puzzle) - puzzle.walls
    used = occupied(puzzle) | outlines(puzzle)
    seen = connected(puzzle.agent.cells_at(puzzle.agent.start), open_cells)
    pockets = open_cells - seen - used
    return replace(puzzle, walls=puzzle.walls | pockets, agent_walls=puzzle.agent_walls - pockets)


def _removals(puzzle: Puzzle) -> Iterator[Removal]:
    """Yields all single removals. Cells have the coordinates of the puzzle as it is.

    Lines go from the last to the first, so that those that follow keep their numbers. No removal of
    other things follows a removed line in the same round.
    """
    for thing in puzzle.movables[len(puzzle.goal) :]:
        yield partial(without_objects, names={thing.name})
    sides: tuple[tuple[Axis, int], ...] = (("column", puzzle.width), ("row", puzzle.height))
    for axis, side in sides:
        for number in range(side - 2, 0, -1):
            yield partial(without_line, axis=axis, number=number)
    size = (puzzle.width, puzzle.height)
    walls, agent_walls = inner_walls(puzzle), set(puzzle.agent_walls)
    for piece in (*pieces(walls), *pieces(agent_walls)):
        yield partial(_without_cells, cells=piece, size=size)
    for cell in sorted(walls | agent_walls):
        yield partial(_without_cells, cells={cell}, size=size)
    for cell in sorted(free_cells(puzzle)):
        yield partial(_walled, cell=cell, size=size)


def corners(puzzle: Puzzle) -> int:
    """Returns how many corners the outlines of the floor and of the agent walls have."""
    return outline(free_cells(puzzle))[1] + outline(puzzle.agent_walls)[1]


def _floor_share(puzzle: Puzzle) -> float:
    return len(free_cells(puzzle)) / len(interior(puzzle))


def _walled(puzzle: Puzzle, cell: Position, size: Size) -> Puzzle | None:
    """Returns the puzzle with a wall in an alcove, if that makes the outline of the floor simpler."""
    if (puzzle.width, puzzle.height) != size or cell in occupied(puzzle) | outlines(puzzle):
        return None
    filled = replace(puzzle, walls=puzzle.walls | {cell}, agent_walls=puzzle.agent_walls - {cell})
    return filled if corners(filled) < corners(puzzle) else None


def _without_cells(puzzle: Puzzle, cells: set[Position], size: Size) -> Puzzle | None:
    if (puzzle.width, puzzle.height) != size:
        return None
    return replace(puzzle, walls=puzzle.walls - cells, agent_walls=puzzle.agent_walls - cells)
