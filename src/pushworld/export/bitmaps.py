"""Sets of positions as whole numbers: one bit a cell, rows apart so that shifts do not wrap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pushworld.puzzle import Position, Puzzle, PuzzleObject


@dataclass(frozen=True)
class Grid:
    """How the positions of a world are numbered.

    Attributes:
        width, height: of the world.
        stride: bits a row. It is twice the width: a shift by less than the width leaves a row for
            bits that no position has.
    """

    width: int
    height: int

    @property
    def stride(self) -> int:
        return 2 * self.width

    def bits(self, positions: Iterable[Position]) -> int:
        """Returns the set of the positions."""
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
        """Returns the set moved by an offset; what leaves the world at the top is lost."""
        places = offset[1] * self.stride + offset[0]
        return bits << places if places >= 0 else bits >> -places

    def free_positions(self, thing: PuzzleObject, obstacles: Iterable[Position]) -> int:
        """Returns where the object stands within the world and on none of the obstacles."""
        row = (1 << (self.width - thing.width + 1)) - 1
        free = sum(row << (y * self.stride) for y in range(self.height - thing.height + 1))
        blocked = self.bits(obstacles)
        for x, y in thing.shape:
            free &= ~self.shift(blocked, (-x, -y))
        return free


def obstacles_of(puzzle: Puzzle, index: int) -> frozenset[Position]:
    """Returns the cells that stop an object."""
    return puzzle.walls | puzzle.agent_walls if index == 0 else puzzle.walls
