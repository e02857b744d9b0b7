"""The planning task of a puzzle: the positions and steps of each object, and what each step touches.

The task has only the positions that relaxed reachability allows. An object that nothing can move
is a wall.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pushworld.export.cancellation import Stop, check, never
from pushworld.export.reachability import AGENT, Reachability
from pushworld.puzzle import Action, Position, PushWorldError, Puzzle, PuzzleObject


@dataclass(frozen=True)
class Move:
    """A step of an object: of the agent by itself, or of a movable that is pushed."""

    action: Action  # the direction
    # start, end: its positions
    start: Position
    end: Position
    # pairs of an object and a position at which this step pushes it
    touched: tuple[tuple[int, Position], ...]


@dataclass(frozen=True)
class Body:
    """An object of the task."""

    index: int  # its index in the puzzle
    thing: PuzzleObject  # the object of the puzzle
    positions: tuple[Position, ...]  # its reachable positions and its goal, in reading order
    moves: tuple[Move, ...]  # its possible steps
    # the directions in which others may push it, whether it can move or not
    pushed: tuple[Action, ...]


@dataclass(frozen=True)
class Task:
    """A puzzle as a planning task: the agent, and the movables that can move or have a goal, in order."""

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
        """The number of operators: the steps of all objects."""
        return sum(len(body.moves) for body in self.bodies)


def build_task(puzzle: Puzzle, stop: Stop = never) -> Task:
    """Returns the planning task of the puzzle.

    Raises:
        PushWorldError: if the puzzle has no goals.
        ExportStoppedError: if `stop` returns True.
    """
    if not puzzle.goal:
        raise PushWorldError(f"the puzzle {puzzle.name!r} has no goals: there is nothing to plan")
    fixed: frozenset[int] = frozenset()
    while True:
        reach = Reachability(puzzle, fixed, stop)
        now_fixed = frozenset(k for k in range(1, len(puzzle.objects)) if not any(reach.moves[k]))
        if now_fixed == fixed:
            return _assemble(puzzle, reach, stop)
        fixed = now_fixed


def _assemble(puzzle: Puzzle, reach: Reachability, stop: Stop) -> Task:
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


def _moves(reach: Reachability, index: int, stop: Stop) -> Iterator[Move]:
    """Yields the steps of an object by direction and in reading order."""
    for action in Action:
        dx, dy = action.delta
        moves = reach.moves[index][action]
        touched: dict[Position, list[tuple[int, Position]]] = {}
        for k in reach.others(index):
            for ox, oy in sorted(reach.offsets(index, k, action)):
                check(stop)
                together = moves & reach.grid.shift(reach.reached[k], (-ox, -oy))
                for x, y in reach.grid.positions(together):
                    check(stop)
                    touched.setdefault((x, y), []).append((k, (x + ox, y + oy)))
        for x, y in reach.grid.positions(moves):
            check(stop)
            yield Move(action, (x, y), (x + dx, y + dy), tuple(touched.get((x, y), ())))


def _reading_order(position: Position) -> Position:
    return position[1], position[0]
