"""Relaxed reachability: the positions of each object if all others are wherever they help.

Sets of positions are integers: one bit a cell, rows so far apart that shifts do not wrap around.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pushworld.export.cancellation import Stop, check
from pushworld.puzzle import DELTAS, Position, Puzzle, PuzzleObject

AGENT = 0
PART = 4096
"""Cells between two checks of the limits."""


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
        cells = bytearray(self.stride * self.height // 8 + 1)
        for x, y in positions:
            place = y * self.stride + x
            cells[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(cells, "little")

    def positions(self, bits: int) -> Iterator[Position]:
        """Yields the positions of a set in reading order."""
        digits = f"{bits:b}"[::-1]
        place = digits.find("1")
        while place >= 0:
            y, x = divmod(place, self.stride)
            yield x, y
            place = digits.find("1", place + 1)

    def shift(self, bits: int, offset: Position) -> int:
        """Returns the set moved by an offset; positions that leave the world at the top are lost."""
        places = offset[1] * self.stride + offset[0]
        return bits << places if places >= 0 else bits >> -places

    def free_positions(self, thing: PuzzleObject, blocked: int, stop: Stop) -> int:
        """Returns the positions of an object inside the world at which it covers no blocked cell."""
        free, rows = (1 << (self.width - thing.width + 1)) - 1, 1
        while more := min(rows, self.height - thing.height + 1 - rows):
            free |= free << (more * self.stride)
            rows += more
        for x, y in thing.shape:
            check(stop)
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
        self._stop = stop
        count = len(puzzle.objects)
        self.reached = [self._start_of(thing) for thing in puzzle.objects]
        self.moves = [[0] * 4 for _ in range(count)]
        self.touched = [[0] * 4 for _ in range(count)]
        self._steps = self._free_steps()
        self._offsets: dict[tuple[object, object], list[frozenset[Position]]] = {}
        self._new: list[tuple[int, int, int]] = []
        everywhere = (1 << (self.grid.stride * puzzle.height)) - 1
        self.touched[AGENT] = [everywhere] * 4
        self._grow(AGENT)
        while self._new:
            self._push_others(*self._new.pop())

    def offsets(self, pusher: int, pushed: int, direction: int) -> frozenset[Position]:
        """Returns the offsets of the second object at which a step of the first pushes it."""
        first, second = self.puzzle.objects[pusher], self.puzzle.objects[pushed]
        key = (first.shape, second.shape)
        if key not in self._offsets:
            overlapping = overlapping_offsets(first, second, self._stop)
            self._offsets[key] = [touching_offsets(overlapping, delta) for delta in DELTAS]
        return self._offsets[key][direction]

    def others(self, index: int) -> Iterator[int]:
        """Yields the objects that this one may push."""
        return (k for k in range(1, len(self.puzzle.objects)) if k != index and k not in self.fixed)

    def _free_steps(self) -> list[list[int]]:
        """Returns by object and direction the positions from which a step meets no wall."""
        puzzle, things = self.puzzle, self.puzzle.objects
        walls = self._bits_of(puzzle.walls)
        for k in self.fixed:
            walls |= self._bits_of(things[k].cells_at(things[k].start))
        agent_walls = walls | self._bits_of(puzzle.agent_walls)
        known: dict[tuple[object, bool], list[int]] = {}
        steps = []
        for index, thing in enumerate(things):
            key = thing.shape, index == AGENT
            check(self._stop)
            if index in self.fixed:
                steps.append([0] * 4)
                continue
            if key not in known:
                blocked = agent_walls if index == AGENT else walls
                free = self.grid.free_positions(thing, blocked, self._stop)
                known[key] = [free & self.grid.shift(free, (-dx, -dy)) for dx, dy in DELTAS]
            steps.append(known[key])
        return steps

    def _start_of(self, thing: PuzzleObject) -> int:
        check(self._stop)
        return self.grid.shift(1, thing.start)

    def _bits_of(self, cells: Iterable[Position]) -> int:
        """Returns the cells as a set; there may be a million."""
        rest, bits = iter(cells), 0
        while part := list(islice(rest, PART)):
            check(self._stop)
            bits |= self.grid.bits(part)
        return bits

    def _grow(self, index: int) -> None:
        """Lets an object make all steps that are possible now, and records the new ones."""
        new = [0] * 4
        growing = True
        while growing:
            growing = False
            for direction, delta in enumerate(DELTAS):
                check(self._stop)
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
                check(self._stop)
                hit |= self.grid.shift(moves, offset)
            if hit & ~self.touched[k][direction]:
                self.touched[k][direction] |= hit
                self._grow(k)


def overlapping_offsets(
    pusher: PuzzleObject, pushed: PuzzleObject, stop: Stop
) -> frozenset[Position]:
    """Returns the offsets of the second from the first at which they overlap."""
    overlapping: set[Position] = set()
    for bx, by in pushed.shape:
        for first in range(0, len(pusher.shape), PART):
            check(stop)
            part = pusher.shape[first : first + PART]
            overlapping.update((ax - bx, ay - by) for ax, ay in part)
    return frozenset(overlapping)


def touching_offsets(overlapping: frozenset[Position], delta: Position) -> frozenset[Position]:
    """Returns the offsets of the second from the first at which a step of the first pushes it."""
    dx, dy = delta
    return frozenset((x + dx, y + dy) for x, y in overlapping) - overlapping
