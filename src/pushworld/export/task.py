"""The planning task of a puzzle: where each object can get, and what it touches on its way.

Only what can matter is part of it. A position counts if the object reaches it when all others are
wherever they help (relaxed reachability), and an object that nothing can move is a wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pushworld.export.bitmaps import Grid, obstacles_of
from pushworld.export.stopping import Stop, check, never
from pushworld.puzzle import DELTAS, Action, Position, PushWorldError, Puzzle, PuzzleObject

AGENT = 0


@dataclass(frozen=True)
class Move:
    """A step that an object can make, by itself (the agent) or because something pushes it.

    Attributes:
        action: the direction.
        start, end: its positions.
        touched: objects and positions at which they are pushed by this step.
    """

    action: Action
    start: Position
    end: Position
    touched: tuple[tuple[int, Position], ...]


@dataclass(frozen=True)
class Body:
    """An object of the task.

    Attributes:
        index: its index in the puzzle.
        thing: the object itself.
        positions: where it can be, in reading order, and its goal.
        moves: the steps it can make.
        pushed: the directions in which others may push it, whether it can move or not.
    """

    index: int
    thing: PuzzleObject
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    pushed: tuple[Action, ...]


@dataclass(frozen=True)
class Task:
    """A puzzle as a planning task.

    Attributes:
        puzzle: the puzzle.
        bodies: the agent, and the movables that can move or have a goal, in the puzzle's order.
    """

    puzzle: Puzzle
    bodies: tuple[Body, ...]

    @property
    def agent(self) -> Body:
        return self.bodies[AGENT]

    @property
    def movables(self) -> tuple[Body, ...]:
        return self.bodies[1:]

    @cached_property
    def operators(self) -> int:
        """The number of steps of all objects."""
        return sum(len(body.moves) for body in self.bodies)


def build_task(puzzle: Puzzle, stop: Stop = never) -> Task:
    """Returns the planning task of the puzzle.

    Raises:
        PushWorldError: if the puzzle has no goals.
        ExportStoppedError: if `stop` says so.
    """
    if not puzzle.goal:
        raise PushWorldError(f"the puzzle {puzzle.name!r} has no goals: there is nothing to plan")
    fixed: frozenset[int] = frozenset()
    while True:
        reach = _Reachability(puzzle, fixed, stop)
        now_fixed = frozenset(k for k in range(1, len(puzzle.objects)) if not any(reach.moves[k]))
        if now_fixed == fixed:
            return _assemble(puzzle, reach, stop)
        fixed = now_fixed


def touching_offsets(
    pusher: PuzzleObject, pushed: PuzzleObject, delta: Position
) -> frozenset[Position]:
    """Returns where the second stands, relative to the first, when a step of the first pushes it."""
    dx, dy = delta
    overlapping = {(ax - bx, ay - by) for ax, ay in pusher.shape for bx, by in pushed.shape}
    return frozenset((x + dx, y + dy) for x, y in overlapping) - overlapping


class _Reachability:
    """Where objects get if the others are always where they help; `fixed` ones count as walls.

    Attributes:
        reached: by object, its positions as bits of the grid.
        moves: by object and direction, the positions from which it can make a step.
        touched: by object and direction, the positions at which something may push it.
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
        obstacles = obstacles_of(self.puzzle, index).union(
            *(things[k].cells_at(things[k].start) for k in self.fixed)
        )
        free = self.grid.free_positions(things[index], obstacles)
        return [free & self.grid.shift(free, (-dx, -dy)) for dx, dy in DELTAS]

    def _grow(self, index: int) -> None:
        """Lets an object make all steps that it can by now, and notes those that are new."""
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


def _assemble(puzzle: Puzzle, reach: _Reachability, stop: Stop) -> Task:
    kept = [
        index
        for index, thing in enumerate(puzzle.objects)
        if index == AGENT or thing.goal is not None or index not in reach.fixed
    ]
    bodies = []
    for index in kept:
        thing = puzzle.objects[index]
        positions = set(reach.grid.positions(reach.reached[index]))
        if thing.goal is not None:
            positions.add(thing.goal)
        pushed = [
            action
            for action in Action
            if index != AGENT and reach.touched[index][action] & reach.reached[index]
        ]
        bodies.append(
            Body(
                index=index,
                thing=thing,
                positions=tuple(sorted(positions, key=_reading_order)),
                moves=tuple(_moves(reach, index, stop)),
                pushed=tuple(pushed),
            )
        )
    return Task(puzzle, tuple(bodies))


def _moves(reach: _Reachability, index: int, stop: Stop) -> Iterator[Move]:
    """Yields the steps of an object, with what they touch, by direction and in reading order."""
    for action in Action:
        dx, dy = action.delta
        moves = reach.moves[index][action]
        touched: dict[Position, list[tuple[int, Position]]] = {}
        for k in reach.others(index):
            for ox, oy in sorted(reach.offsets(index, k, action)):
                check(stop)
                together = moves & reach.grid.shift(reach.reached[k], (-ox, -oy))
                for x, y in reach.grid.positions(together):
                    touched.setdefault((x, y), []).append((k, (x + ox, y + oy)))
        for x, y in reach.grid.positions(moves):
            yield Move(action, (x, y), (x + dx, y + dy), tuple(touched.get((x, y), ())))


def _reading_order(position: Position) -> Position:
    return position[1], position[0]
