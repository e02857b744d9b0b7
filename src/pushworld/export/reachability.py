"""Relaxed reachability: the positions of each object if all others are wherever they help.

Sets of positions are integers: one bit a cell, rows so far apart that shifts do not wrap around.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pushworld.export.cancellation import Stop, check
from pushworld.puzzle import DELTAS, Position, Puzzle, PuzzleObject

AGENT = 0


@dataclass(frozen=True)
class Grid:
    """The bits of the positions of a world.

    Attributes:
        width, height: the size of the world.
        stride: the bits of a row. Twice the width, so that a shift by less than the width moves no
            position into the next row.
    """

    width: int
    height: int

    @property
    def stride(self) -> int:
        return 2 * self.width

    def bits(self, positions: Iterable[Position]) -> int:
        """Returns the positions as a set."""
        bits = 0
        for x, y in positions:
            bits |= 1 << (y * self.stride + x)
        return bits

    def positions(self, bits: int) -> Iterator[Position]:
        """Yields the positions of a set in reading order."""
        while bits:
            lowest = bits & -bits
            y, x = divmod(lowest.bit_length() - 1, self.stride)
            yield x, y
            bits ^= lowest

    def shift(self, bits: int, offset: Position) -> int:
        """Returns the set moved by an offset; positions that leave the world at the top are lost."""
        places = offset[1] * self.stride + offset[0]
        return bits << places if places >= 0 else bits >> -places

    def free_positions(self, thing: PuzzleObject, obstacles: Iterable[Position]) -> int:
        """Returns the positions of an object inside the world at which it covers no obstacle."""
        row = (1 << (self.width - thing.width + 1)) - 1
        free = sum(row << (y * self.stride) for y in range(self.height - thing.height + 1))
        blocked = self.bits(obstacles)
        for x, y in thing.shape:
            free &= ~self.shift(blocked, (-x, -y))
        return free


class Reachability:
    """The relaxed reachability of a puzzle, in which `fixed` objects count as walls.

    Attributes:
        reached: by object, the set of positions that it can reach.
        moves: by object and direction, the set of positions from which it can make a step.
        touched: by object and direction, the set of positions at which something may push it.
    """

    def __init__(self, puzzle: Puzzle, fixed: frozenset[int], stop: Stop) -> None:
        self.puzzle = puzzle
        self.fixed = fixed
        self.grid = Grid(puzzle.width, puzzle.height)
        count = len(puzzle.objects)
        self.reached = [self.grid.bits([thing.start]) for thing in puzzle.objects]
        self.moves = [[0] * 4 for _ in range(count)]
        self.touched = [[0] * 4 for _ in range(count)]
        self._steps = [self._free_steps(index) for index in range(count)]
        self._offsets: dict[tuple[object, object], list[frozenset[Position]]] = {}
        self._new: list[tuple[int, int, int]] = []
        everywhere = (1 << (self.grid.stride * puzzle.height)) - 1
        self.touched[AGENT] = [everywhere] * 4
        self._grow(AGENT)
        while self._new:
            check(stop)
            self._push_others(*self._new.pop())

    def offsets(self, pusher: int, pushed: int, direction: int) -> frozenset[Position]:
        """Returns `touching_offsets` of two objects."""
        first, second = self.puzzle.objects[pusher], self.puzzle.objects[pushed]
        key = (first.shape, second.shape)
        if key not in self._offsets:
            self._offsets[key] = [touching_offsets(first, second, delta) for delta in DELTAS]
        return self._offsets[key][direction]

    def others(self, index: int) -> Iterator[int]:
        """Yields the objects that this one may push."""
        return (k for k in range(1, len(self.puzzle.objects)) if k != index and k not in self.fixed)

    def _free_steps(self, index: int) -> list[int]:
        """Returns by direction the positions from which a step of the object meets no wall."""
        if index in self.fixed:
            return [0] * 4
        things = self.puzzle.objects
        obstacles = _obstacles_of(self.puzzle, index).union(
            *(things[k].cells_at(things[k].start) for k in self.fixed)
        )
        free = self.grid.free_positions(things[index], obstacles)
        return [free & self.grid.shift(free, (-dx, -dy)) for dx, dy in DELTAS]

    def _grow(self, index: int) -> None:
        """Lets an object make all steps that are possible now, and records the new ones."""
        new = [0] * 4
        growing = True
        while growing:
            growing = False
            for direction, delta in enumerate(DELTAS):
                steps = self.touched[index][direction] & self._steps[index][direction]
                added = steps & self.reached[index] & ~self.moves[index][direction]
                if added:
                    self.moves[index][direction] |= added
                    new[direction] |= added
                    self.reached[index] |= self.grid.shift(added, delta)
                    growing = True
        self._new += [(index, direction, added) for direction, added in enumerate(new) if added]

    def _push_others(self, pusher: int, direction: int, moves: int) -> None:
        for k in self.others(pusher):
            hit = 0
            for offset in self.offsets(pusher, k, direction):
                hit |= self.grid.shift(moves, offset)
            if hit & ~self.touched[k][direction]:
                self.touched[k][direction] |= hit
                self._grow(k)


def touching_offsets(
    pusher: PuzzleObject, pushed: PuzzleObject, delta: Position
) -> frozenset[Position]:
    """Returns the offsets of the second from the first at which a step of the first pushes it."""
    dx, dy = delta
    overlapping = {(ax - bx, ay - by) for ax, ay in pusher.shape for bx, by in pushed.shape}
    return frozenset((x + dx, y + dy) for x, y in overlapping) - overlapping


def _obstacles_of(puzzle: Puzzle, index: int) -> frozenset[Position]:
    """Returns the cells that an object cannot enter."""
    return puzzle.walls | puzzle.agent_walls if index == 0 else puzzle.walls
