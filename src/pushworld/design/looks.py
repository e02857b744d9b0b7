"""How a puzzle looks before the first move.

Symmetry and a small board make it readable. The other measures are what tells puzzles that people drew from
those of a search: straight walls, goals in plain view, shapes that repeat. *Clutter* is worse than bad looks:
pieces that touch, that have no room, or that no plan moves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations
from statistics import fmean

from pushworld.datasets.generated.rooms import mirrored
from pushworld.puzzle import Position, Puzzle, PuzzleObject
from pushworld.puzzle.free_space import free_cells, inner_walls, neighbours, occupied, pieces

EASY_SIDE, HARD_SIDE = 12, 40
"""Boards up to the first side are read at a glance; from the second on they need a map."""

ROOM = 16
"""Empty cells that are room for one movable; most puzzles of people have twice as many for each."""


def looks(puzzle: Puzzle) -> float:
    """Returns how readable a puzzle looks, 0 to 1: the mean of the measures in this module."""
    return fmean(measure(puzzle) for measure in MEASURES)


def symmetry(puzzle: Puzzle) -> float:
    """Returns the share of the inner walls whose mirror images are walls, for the best axis."""
    walls = inner_walls(puzzle)
    if not walls:
        return 1.0
    width, height = puzzle.width - 2, puzzle.height - 2
    # `mirrored` adds the images that are missing.
    added = min(len(mirrored(walls, width, height, axis)) - len(walls) for axis in "xyr")
    return 1 - added / len(walls)


def straightness(puzzle: Puzzle) -> float:
    """Returns 1 minus the corners of the floor's outline as a share of its edges."""
    edges, corners = outline(free_cells(puzzle))
    return 1 - min(1.0, corners / max(1, edges))


def outline(cells: Collection[Position]) -> tuple[int, int]:
    """Returns the numbers of edges and of corners of the outline of some cells."""
    edges = sum(near not in cells for cell in cells for near in neighbours([cell]))
    points = {(x + dx, y + dy) for x, y in cells for dx in (0, 1) for dy in (0, 1)}
    return edges, sum(_corners_at(cells, point) for point in points)


def _corners_at(cells: Collection[Position], point: Position) -> int:
    """Returns how many corners the outline has at the top left of a cell."""
    x, y = point
    around = [near in cells for near in ((x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y))]
    if sum(around) == 2:
        return 2 if around[0] == around[3] else 0
    return sum(around) % 2


def handiness(puzzle: Puzzle) -> float:
    """Returns 1 for boards that are read at a glance, down to 0 for very large ones."""
    side = max(puzzle.width, puzzle.height) - 2
    return min(1.0, max(0.0, (HARD_SIDE - side) / (HARD_SIDE - EASY_SIDE)))


def touching(things: Iterable[PuzzleObject]) -> list[str]:
    """Returns the names of the objects that touch another one of them."""
    cells = {thing.name: thing.cells_at(thing.start) for thing in things}
    every = set().union(*cells.values())
    return [name for name, own in cells.items() if neighbours(own) & (every - own)]


def contacts(puzzle: Puzzle) -> int:
    """Returns how often a movable is close to another one, to a goal of another one, or to agent walls.

    Close is: covers it, or touches it. What stands inside agent walls was put there. Each patch of agent
    walls counts, too.
    """
    cells = {thing: thing.cells_at(thing.start) for thing in puzzle.movables}
    found = sum(bool(neighbours(one) & other) for one, other in combinations(cells.values(), 2))
    for thing, own in cells.items():
        near = own | neighbours(own)
        goals = (each.cells_at(each.goal) for each in cells if each.goal and each is not thing)
        found += sum(not near.isdisjoint(goal) for goal in goals)
        found += not near.isdisjoint(puzzle.agent_walls) and not own <= puzzle.agent_walls
    return found + len(list(pieces(puzzle.agent_walls)))


def clutter(puzzle: Puzzle, moved: Collection[str]) -> float:
    """Returns how cluttered a puzzle is, 0 to 1: by contacts beyond one, by crowded and by idle movables.

    Args:
        moved: the movables that its plans move.
    """
    if not puzzle.movables:
        return 0.0
    count, room = len(puzzle.movables), cells_for_each(puzzle) / ROOM
    close = max(0, contacts(puzzle) - 1) / (room * count)
    return 1 - min(1.0, room) / (1 + close / 2) * len(moved) / count


def cells_for_each(puzzle: Puzzle) -> float:
    """Returns the number of empty cells for each movable."""
    return max(1, len(free_cells(puzzle) - occupied(puzzle))) / len(puzzle.movables)


def clearness(puzzle: Puzzle) -> float:
    """Returns the share of the goals whose outlines no object covers."""
    covered = occupied(puzzle)
    goals = [thing.cells_at(thing.goal) for thing in puzzle.movables if thing.goal is not None]
    return sum(not cells & covered for cells in goals) / max(1, len(goals))


def repetition(puzzle: Puzzle) -> float:
    """Returns how far the movables share their shapes: 0 if all differ, 1 if there is one shape."""
    shapes = [thing.shape for thing in puzzle.movables]
    return 1 - (len(set(shapes)) - 1) / max(1, len(shapes) - 1) if shapes else 1.0


MEASURES = (symmetry, straightness, handiness, clearness, repetition)
"""What the looks are the mean of."""
