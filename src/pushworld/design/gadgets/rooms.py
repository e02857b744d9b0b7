"""Rooms for gadgets: chambers with doors between them, and places with the back to a wall."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import dataclass
from random import Random

from pushworld.design.gadgets.grammar import Gadget, Shape
from pushworld.puzzle import Position, Symmetry
from pushworld.puzzle.model import bounding_corner_and_shape

PLACES_TRIED = 6
"""How many places are tried for one gadget."""

SPLIT_FROM = 18
"""Chambers with a side of at least so many cells are split in two."""


@dataclass(frozen=True)
class Chamber:
    """A rectangle of cells; the ends are included."""

    left: int
    top: int
    right: int
    bottom: int

    def cells(self) -> set[Position]:
        """Returns its cells."""
        return {
            (x, y)
            for x in range(self.left, self.right + 1)
            for y in range(self.top, self.bottom + 1)
        }


@dataclass(frozen=True)
class Placed:
    """A gadget in a room: its chamber, how it is turned, and where it stands."""

    chamber: Chamber
    symmetry: Symmetry
    offset: Position

    def cells(self, drawn: Collection[Position]) -> set[Position]:
        """Returns the cells of the world that some cells of the drawing cover."""
        turned_cells = (self.symmetry.apply_to_vector(cell) for cell in drawn)
        return {(x + self.offset[0], y + self.offset[1]) for x, y in turned_cells}


class Room:
    """A room while gadgets are placed into it. All cells are those of the world.

    Attributes:
        width, height: with the border.
        walls: inside the border.
        closed: cells that the agent must not enter.
        inside: cells of gadgets, without their walls.
        clear: cells of the hall that stay free of walls.
    """

    def __init__(self, width: int, height: int, door: int, random: Random) -> None:
        self.width, self.height = width + 2, height + 2
        self.walls: set[Position] = set()
        self.closed: set[Position] = set()
        self.inside: set[Position] = set()
        self.clear: set[Position] = set()
        self.chambers = self._split(Chamber(1, 1, width, height), door, random)

    def copy(self) -> Room:
        """Returns a room into which gadgets can be placed without changing this one."""
        other = copy(self)
        other.walls, other.closed = set(self.walls), set(self.closed)
        other.inside, other.clear = set(self.inside), set(self.clear)
        return other

    def hall(self) -> set[Position]:
        """Returns the cells outside of walls and gadgets."""
        whole = Chamber(1, 1, self.width - 2, self.height - 2).cells()
        return whole - self.walls - self.inside

    def place(self, gadget: Gadget, symmetry: Symmetry, random: Random) -> Placed | None:
        """Draws a gadget at a free place; returns where, or None if no place fits."""
        for _ in range(PLACES_TRIED):
            chamber = random.choice(self.chambers)
            offset = _random_offset(chamber, gadget, symmetry, random)
            placed = Placed(chamber, symmetry, offset)
            walls = placed.cells(gadget.cells("#"))
            inside = placed.cells(gadget.cells("._RrGgOoQq"))
            clear = placed.cells(gadget.cells(","))
            if self._fits(chamber, walls, inside, clear):
                self.walls |= walls & chamber.cells()
                self.inside |= inside
                self.clear |= clear
                self.closed |= placed.cells(gadget.cells("_rgoq"))
                return placed
        return None

    def _fits(
        self, chamber: Chamber, walls: set[Position], inside: set[Position], clear: set[Position]
    ) -> bool:
        cells = chamber.cells()
        around = Chamber(
            chamber.left - 1, chamber.top - 1, chamber.right + 1, chamber.bottom + 1
        ).cells()
        return (
            inside | clear <= cells
            and walls <= around
            and not inside & (self.walls | self.inside | self.clear)
            and not walls & (self.inside | self.clear)
            and not clear & (self.walls | self.inside)
        )

    def _split(self, whole: Chamber, door: int, random: Random) -> list[Chamber]:
        """Divides a large chamber by a wall with a door; returns the chambers."""
        width, height = whole.right - whole.left + 1, whole.bottom - whole.top + 1
        if max(width, height) < SPLIT_FROM:
            return [whole]
        upright = width > height or (width == height and random.random() < 0.5)
        low, high = (whole.left, whole.right) if upright else (whole.top, whole.bottom)
        at = (low + high) // 2 + random.randint(-1, 1)
        first, last = (whole.top, whole.bottom) if upright else (whole.left, whole.right)
        last -= door - 1
        opening = random.choice((first, last, (first + last) // 2, random.randint(first, last)))
        for along in range(first, last + door):
            if opening <= along < opening + door:
                across = range(at - 1, at + 2)
                self.clear |= {(a, along) if upright else (along, a) for a in across}
            else:
                self.walls.add((at, along) if upright else (along, at))
        if upright:
            parts = (
                Chamber(low, whole.top, at - 1, whole.bottom),
                Chamber(at + 1, whole.top, high, whole.bottom),
            )
        else:
            parts = (
                Chamber(whole.left, low, whole.right, at - 1),
                Chamber(whole.left, at + 1, whole.right, high),
            )
        return [chamber for part in parts for chamber in self._split(part, door, random)]


def _random_offset(
    chamber: Chamber, gadget: Gadget, symmetry: Symmetry, random: Random
) -> Position:
    """Returns an offset at which a gadget touches its side: often in a corner or in the middle."""
    cells = [symmetry.apply_to_vector(cell) for cell in gadget.cells("#._RrGgOoQq,")]
    low_x, high_x = min(x for x, _ in cells), max(x for x, _ in cells)
    low_y, high_y = min(y for _, y in cells), max(y for _, y in cells)

    def along(first: int, last: int) -> int:
        if first > last:
            return first
        return random.choice((first, last, (first + last) // 2, random.randint(first, last)))

    # Walls at the gadget's ends may fall together with those of the chamber.
    x = along(chamber.left - 1 - low_x, chamber.right + 1 - high_x)
    y = along(chamber.top - 1 - low_y, chamber.bottom + 1 - high_y)
    back = symmetry.apply_to_vector((0, -1))
    if gadget.in_the_open:
        return x, y
    if back[0]:
        x = chamber.left - low_x if back[0] < 0 else chamber.right - high_x
    else:
        y = chamber.top - low_y if back[1] < 0 else chamber.bottom - high_y
    return x, y


def places(shape: Shape, free: set[Position]) -> list[Position]:
    """Returns where a shape fits, given the position of its bounding box' corner."""
    return sorted(
        {
            (x - shape[0][0], y - shape[0][1])
            for x, y in free
            if all((x - shape[0][0] + dx, y - shape[0][1] + dy) in free for dx, dy in shape)
        }
    )


def central(starts: list[Position], shape: Shape, free: set[Position]) -> list[Position]:
    """Returns the places where a shape touches nothing, not even by a corner, or all if there are none."""

    def is_central(place: Position) -> bool:
        return all(
            (place[0] + dx + x, place[1] + dy + y) in free
            for dx, dy in shape
            for x in (-1, 0, 1)
            for y in (-1, 0, 1)
        )

    return [place for place in starts if is_central(place)] or starts


def aligned(starts: list[Position], others: Collection[Position]) -> list[Position]:
    """Returns the places in a row or a column with one of the others, or all if there are none."""
    columns, rows = {x for x, _ in others}, {y for _, y in others}
    return [place for place in starts if place[0] in columns or place[1] in rows] or starts


def turned(shape: Shape, symmetry: Symmetry) -> Shape:
    """Returns a shape transformed by a symmetry."""
    return bounding_corner_and_shape(symmetry.apply_to_vector(cell) for cell in shape)[1]
