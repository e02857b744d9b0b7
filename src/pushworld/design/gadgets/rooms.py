"""Rooms for gadgets: chambers with doors between them, and places with the back to a wall."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from pushworld.design.gadgets.grammar import Gadget, Shape
from pushworld.puzzle import Position, Symmetry

PLACES_TRIED = 6
"""How many places are tried for one gadget."""

SPLIT_FROM = 18
"""Chambers with a side of at least this number of cells are split in two."""


@dataclass(frozen=True)
class Chamber:
    """A rectangle of cells; the ends are included."""

    left: int
    top: int
    right: int
    bottom: int

    @cached_property
    def cells(self) -> frozenset[Position]:
        """Its cells."""
        return frozenset(
            (x, y)
            for x in range(self.left, self.right + 1)
            for y in range(self.top, self.bottom + 1)
        )

    @cached_property
    def with_walls(self) -> frozenset[Position]:
        """Its cells and those around it."""
        return Chamber(self.left - 1, self.top - 1, self.right + 1, self.bottom + 1).cells


@dataclass(frozen=True)
class Placed:
    """A gadget in a room: its chamber, how it is turned, and where it stands."""

    chamber: Chamber
    symmetry: Symmetry
    offset: Position

    def cells(self, drawn: Collection[Position]) -> set[Position]:
        """Returns the cells of the world that some cells of the drawing cover."""
        return moved((self.symmetry.apply_to_vector(cell) for cell in drawn), self.offset)


class _Turned:
    """The cells of a gadget, turned by a symmetry."""

    def __init__(self, gadget: Gadget, symmetry: Symmetry) -> None:
        def turned_cells(marks: str) -> frozenset[Position]:
            return frozenset(map(symmetry.apply_to_vector, gadget.cells(marks)))

        self.walls = turned_cells("#")
        self.inside = turned_cells("._RrGgOoQq")
        self.clear = turned_cells(",")
        self.closed = turned_cells("_rgoq")
        every = self.walls | self.inside | self.clear
        self.columns = min(x for x, _ in every), max(x for x, _ in every)
        self.rows = min(y for _, y in every), max(y for _, y in every)
        self.back = None if gadget.in_the_open else symmetry.apply_to_vector((0, -1))

    def random_offset(self, chamber: Chamber, random: Random) -> Position:
        """Returns an offset at which the gadget touches its side: often in a corner or in the middle."""
        (low_x, high_x), (low_y, high_y) = self.columns, self.rows

        def along(first: int, last: int) -> int:
            if first > last:
                return first
            return random.choice((first, last, (first + last) // 2, random.randint(first, last)))

        # Walls at the gadget's ends may fall together with those of the chamber.
        x = along(chamber.left - 1 - low_x, chamber.right + 1 - high_x)
        y = along(chamber.top - 1 - low_y, chamber.bottom + 1 - high_y)
        if self.back is None:
            return x, y
        if self.back[0]:
            x = chamber.left - low_x if self.back[0] < 0 else chamber.right - high_x
        else:
            y = chamber.top - low_y if self.back[1] < 0 else chamber.bottom - high_y
        return x, y


_turned_gadget = cache(_Turned)


def moved(cells: Iterable[Position], offset: Position) -> set[Position]:
    """Returns cells, each moved by an offset."""
    dx, dy = offset
    return {(x + dx, y + dy) for x, y in cells}


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
        whole = Chamber(1, 1, self.width - 2, self.height - 2).cells
        return set(whole - self.walls - self.inside)

    def place(self, gadget: Gadget, symmetry: Symmetry, random: Random) -> Placed | None:
        """Draws a gadget at a free place; returns where, or None if no place fits."""
        turned_gadget = _turned_gadget(gadget, symmetry)
        for _ in range(PLACES_TRIED):
            chamber = random.choice(self.chambers)
            offset = turned_gadget.random_offset(chamber, random)
            walls = moved(turned_gadget.walls, offset)
            inside = moved(turned_gadget.inside, offset)
            clear = moved(turned_gadget.clear, offset)
            if self._fits(chamber, walls, inside, clear):
                self.walls |= walls & chamber.cells
                self.inside |= inside
                self.clear |= clear
                self.closed |= moved(turned_gadget.closed, offset)
                return Placed(chamber, symmetry, offset)
        return None

    def _fits(
        self, chamber: Chamber, walls: set[Position], inside: set[Position], clear: set[Position]
    ) -> bool:
        return (
            chamber.cells.issuperset(inside)
            and chamber.cells.issuperset(clear)
            and chamber.with_walls.issuperset(walls)
            and inside.isdisjoint(self.walls)
            and inside.isdisjoint(self.inside)
            and inside.isdisjoint(self.clear)
            and walls.isdisjoint(self.inside)
            and walls.isdisjoint(self.clear)
            and clear.isdisjoint(self.walls)
            and clear.isdisjoint(self.inside)
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
