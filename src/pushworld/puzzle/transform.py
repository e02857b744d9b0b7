"""Transformations of puzzles: the eight symmetries, padding with walls, cropping, and canonical forms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum

from pushworld.puzzle.actions import DELTAS, Action, Plan, parse_plan
from pushworld.puzzle.errors import PuzzleError
from pushworld.puzzle.model import Position, Puzzle, PuzzleObject, State, border_cells, check_size


class Symmetry(Enum):
    """The eight symmetries of a rectangle of cells, each an integer matrix (xx, xy, yx, yy).

    A cell (x, y) goes to (xx * x + xy * y, yx * x + yy * y), shifted back into the world.
    Rotations are clockwise as seen on the screen.
    """

    IDENTITY = (1, 0, 0, 1)
    ROTATE_90 = (0, -1, 1, 0)
    ROTATE_180 = (-1, 0, 0, -1)
    ROTATE_270 = (0, 1, -1, 0)
    FLIP_X = (-1, 0, 0, 1)
    FLIP_Y = (1, 0, 0, -1)
    TRANSPOSE = (0, 1, 1, 0)
    ANTITRANSPOSE = (0, -1, -1, 0)

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        swapped = {Symmetry.ROTATE_90: Symmetry.ROTATE_270, Symmetry.ROTATE_270: Symmetry.ROTATE_90}
        return swapped.get(self, self)

    def apply_to_vector(self, vector: Position) -> Position:
        """Returns an offset, transformed."""
        xx, xy, yx, yy = self.value
        return xx * vector[0] + xy * vector[1], yx * vector[0] + yy * vector[1]

    def apply_to_action(self, action: int) -> Action:
        """Returns the action that moves the agent in the transformed direction."""
        return Action(DELTAS.index(self.apply_to_vector(DELTAS[action])))

    def apply_to_plan(self, plan: str | Iterable[int]) -> Plan:
        """Returns the plan for the transformed puzzle that corresponds to `plan`."""
        return tuple(self.apply_to_action(action) for action in parse_plan(plan))

    def apply_to_box(self, corner: Position, box: Position, world: Position) -> Position:
        """Returns the new top-left corner of a box (width, height) in a world (width, height)."""
        move = self._mover(world)
        one, other = move(corner), move((corner[0] + box[0] - 1, corner[1] + box[1] - 1))
        return min(one[0], other[0]), min(one[1], other[1])

    def _mover(self, world: Position) -> Callable[[Position], Position]:
        """Returns the function that gives the new place of a cell in a world (width, height)."""
        xx, xy, yx, yy = self.value
        last_x, last_y = self.apply_to_vector((world[0] - 1, world[1] - 1))
        dx, dy = max(0, -last_x), max(0, -last_y)
        return lambda cell: (xx * cell[0] + xy * cell[1] + dx, yx * cell[0] + yy * cell[1] + dy)


def transform(puzzle: Puzzle, symmetry: Symmetry) -> Puzzle:
    """Returns the puzzle transformed by a symmetry."""
    world = (puzzle.width, puzzle.height)
    move = symmetry._mover(world)
    width, height = map(abs, symmetry.apply_to_vector(world))
    return Puzzle(
        width=width,
        height=height,
        objects=tuple(_transformed(thing, symmetry, world) for thing in puzzle.objects),
        walls=frozenset(map(move, puzzle.walls)),
        agent_walls=frozenset(map(move, puzzle.agent_walls)),
        name=puzzle.name,
    )


def _transformed(thing: PuzzleObject, symmetry: Symmetry, world: Position) -> PuzzleObject:
    box = (thing.width, thing.height)
    goal = None if thing.goal is None else symmetry.apply_to_box(thing.goal, box, world)
    cells = map(symmetry._mover(world), thing.cells_at(thing.start))
    return PuzzleObject.from_cells(thing.name, cells, goal)


def transform_state(puzzle: Puzzle, state: State, symmetry: Symmetry) -> State:
    """Returns the state of ``transform(puzzle, symmetry)`` that corresponds to a state of `puzzle`."""
    world = (puzzle.width, puzzle.height)
    return tuple(
        symmetry.apply_to_box(position, (thing.width, thing.height), world)
        for thing, position in zip(puzzle.objects, state, strict=True)
    )


def pad(puzzle: Puzzle, width: int, height: int, offset: Position | None = None) -> Puzzle:
    """Returns the puzzle in a larger world of walls.

    Args:
        width, height: the new size, the border included.
        offset: the new position of the old top-left corner; centred (rounded down) if not given.
    """
    check_size(width, height)
    spare_x, spare_y = width - puzzle.width, height - puzzle.height
    dx, dy = (spare_x // 2, spare_y // 2) if offset is None else offset
    if not (0 <= dx <= spare_x and 0 <= dy <= spare_y):
        raise PuzzleError(
            f"a puzzle of {puzzle.width} x {puzzle.height} cells does not fit into "
            f"{width} x {height} at offset ({dx}, {dy})"
        )
    room = {(x + dx, y + dy) for x in range(puzzle.width) for y in range(puzzle.height)}
    padding = {(x, y) for x in range(width) for y in range(height)} - room
    moved = _translate(puzzle, (dx, dy), width, height)
    return replace(moved, walls=moved.walls | padding)


def crop(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle without the outer rows and columns that are only wall.

    A border of one cell remains, so this undoes `pad`.
    """
    cells = {(x, y) for x in range(puzzle.width) for y in range(puzzle.height)}
    goals = [each.cells_at(each.goal) for each in puzzle.objects if each.goal is not None]
    kept = (cells - puzzle.walls).union(puzzle.agent_walls, *goals)
    left, right = min(x for x, _ in kept), max(x for x, _ in kept)
    top, bottom = min(y for _, y in kept), max(y for _, y in kept)
    left, top = max(left, 1), max(top, 1)
    right, bottom = min(right, puzzle.width - 2), min(bottom, puzzle.height - 2)
    return _translate(puzzle, (1 - left, 1 - top), right - left + 3, bottom - top + 3)


def _translate(puzzle: Puzzle, offset: Position, width: int, height: int) -> Puzzle:
    """Returns the puzzle moved by an offset into a world of another size; walls outside are dropped."""
    dx, dy = offset

    def moved(cells: Iterable[Position]) -> frozenset[Position]:
        shifted = ((x + dx, y + dy) for x, y in cells)
        return frozenset((x, y) for x, y in shifted if 0 <= x < width and 0 <= y < height)

    objects = []
    for thing in puzzle.objects:
        goal = None if thing.goal is None else (thing.goal[0] + dx, thing.goal[1] + dy)
        start = (thing.start[0] + dx, thing.start[1] + dy)
        objects.append(replace(thing, start=start, goal=goal))
    return Puzzle(
        width=width,
        height=height,
        objects=tuple(objects),
        walls=moved(puzzle.walls) | border_cells(width, height),
        agent_walls=moved(puzzle.agent_walls),
        name=puzzle.name,
    )


def canonical_form(puzzle: Puzzle) -> str:
    """Returns a text that is equal for puzzles that differ only in symmetry, padding and names."""
    small = crop(puzzle)
    return min(_written(small, symmetry) for symmetry in Symmetry)


def canonical_hash(puzzle: Puzzle) -> str:
    """Returns a digest of the canonical form."""
    return hashlib.sha256(canonical_form(puzzle).encode()).hexdigest()[:16]


def _written(puzzle: Puzzle, symmetry: Symmetry) -> str:
    """Returns the transformed puzzle without names, which need not be checked again."""
    world = (puzzle.width, puzzle.height)
    move = symmetry._mover(world)

    def described(thing: PuzzleObject) -> tuple[object, ...]:
        moved = _transformed(thing, symmetry, world)
        return (moved.goal or (), moved.start, moved.shape)

    parts = (
        *map(abs, symmetry.apply_to_vector(world)),
        sorted(map(move, puzzle.walls)),
        sorted(map(move, puzzle.agent_walls - puzzle.walls)),
        described(puzzle.agent),
        sorted(map(described, puzzle.movables)),
    )
    return repr(parts)
