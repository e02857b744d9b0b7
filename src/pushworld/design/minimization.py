"""Minimization: removes every object and wall that makes no difference, as delta debugging does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from pushworld.design.variants import without_objects
from pushworld.puzzle import Position, Puzzle
from pushworld.puzzle.free_space import inner_walls, interior

Removal = Callable[[Puzzle], Puzzle]


def minimize(puzzle: Puzzle, is_as_good: Callable[[Puzzle], bool]) -> Puzzle:
    """Returns the puzzle without the objects and walls whose removal leaves it as good.

    Objects are tried first, then connected pieces of wall, then single cells. What was kept is tried
    again until nothing more can be removed.

    Args:
        is_as_good: says whether a smaller puzzle is as good as the given one.
    """
    shrunk = True
    while shrunk:
        shrunk = False
        for remove in list(_removals(puzzle)):
            smaller = remove(puzzle)
            if smaller != puzzle and is_as_good(smaller):
                puzzle, shrunk = smaller, True
    return puzzle


def fill_pockets(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle with walls in all empty cells that no path connects to the agent."""
    open_cells = interior(puzzle) - puzzle.walls
    waiting = list(puzzle.agent.cells_at(puzzle.agent.start))
    seen = set(waiting)
    while waiting:
        x, y = waiting.pop()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell in open_cells and cell not in seen:
                seen.add(cell)
                waiting.append(cell)
    used = {cell for thing in puzzle.objects for cell in thing.cells_at(thing.start)}
    used |= {
        cell
        for thing in puzzle.movables
        if thing.goal is not None
        for cell in thing.cells_at(thing.goal)
    }
    pockets = open_cells - seen - used
    return replace(puzzle, walls=puzzle.walls | pockets, agent_walls=puzzle.agent_walls - pockets)


def _removals(puzzle: Puzzle) -> Iterator[Removal]:
    """Yields all single removals."""
    for thing in puzzle.movables[len(puzzle.goal) :]:
        yield partial(without_objects, names={thing.name})
    walls, agent_walls = inner_walls(puzzle), set(puzzle.agent_walls)
    for piece in (*_pieces(walls), *_pieces(agent_walls)):
        yield partial(_without_cells, cells=piece)
    for cell in sorted(walls | agent_walls):
        yield partial(_without_cells, cells={cell})


def _without_cells(puzzle: Puzzle, cells: set[Position]) -> Puzzle:
    return replace(puzzle, walls=puzzle.walls - cells, agent_walls=puzzle.agent_walls - cells)


def _pieces(cells: set[Position]) -> Iterator[set[Position]]:
    """Yields the connected parts of some cells."""
    left = set(cells)
    while left:
        waiting = [min(left)]
        piece = set(waiting)
        while waiting:
            x, y = waiting.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left - piece
            piece |= near
            waiting += sorted(near)
        left -= piece
        yield piece
