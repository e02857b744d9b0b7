"""The puzzle: immutable, hashable, and valid by construction."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pushworld.files import write_text
from pushworld.puzzle.actions import parse_plan
from pushworld.puzzle.errors import PuzzleError

Position = tuple[int, int]
"""A cell of the world or an offset, as (x, y): x grows to the right, y downwards."""

State = tuple[Position, ...]
"""The positions of all objects of a puzzle, in the order of ``Puzzle.objects``."""

MAX_SIDE = 1000
MAX_OBJECTS = 1000


@dataclass(frozen=True)
class PuzzleObject:
    """A rigid object: the agent or a movable.

    Attributes:
        name: its id in the puzzle file (``A``, ``M3``).
        shape: the cells it occupies relative to the top-left corner of its bounding box, in
            reading order.
        start: the position of that corner in the initial state.
        goal: the position of that corner that the puzzle asks for, or None.
    """

    name: str
    shape: tuple[Position, ...]
    start: Position
    goal: Position | None = None

    @classmethod
    def from_cells(
        cls, name: str, cells: Iterable[Position], goal: Position | None = None
    ) -> PuzzleObject:
        """Returns the object that occupies the given cells of the world at the start."""
        start, shape = bounding_corner_and_shape(cells)
        return cls(name, shape, start, goal)

    @property
    def width(self) -> int:
        """The columns of its bounding box."""
        return 1 + max(x for x, _ in self.shape)

    @property
    def height(self) -> int:
        """The rows of its bounding box."""
        return 1 + max(y for _, y in self.shape)

    def cells_at(self, position: Position) -> frozenset[Position]:
        """Returns the cells of the world that the object occupies at a position."""
        px, py = position
        return frozenset((px + x, py + y) for x, y in self.shape)


@dataclass(frozen=True)
class Puzzle:
    """A PushWorld puzzle. Two puzzles are equal when everything but their names is.

    Attributes:
        width, height: the size of the world, the border of walls included.
        objects: the agent, then the objects that have goals, then the other movables.
        walls: the cells that stop every object, the border included.
        agent_walls: the cells that stop only the agent.
        name: the name of the puzzle; not part of its identity.

    Raises:
        PuzzleError: if the parts do not make a valid puzzle.
    """

    width: int
    height: int
    objects: tuple[PuzzleObject, ...]
    walls: frozenset[Position]
    agent_walls: frozenset[Position] = frozenset()
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        border = border_cells(self.width, self.height)
        if not border <= self.walls:
            object.__setattr__(self, "walls", self.walls | border)
        if not self.objects:
            raise PuzzleError("there is no agent: mark its cells with A")
        agent, *movables = self.objects
        in_order = (agent, *sorted(movables, key=_object_order))
        if in_order != self.objects:
            object.__setattr__(self, "objects", in_order)
        _check(self)

    # Reading and writing

    @classmethod
    def parse(cls, text: str, name: str = "") -> Puzzle:
        """Returns the puzzle written in `text` in the ``.pwp`` format, or raises PuzzleError."""
        from pushworld.puzzle.pwp import parse_pwp

        return parse_pwp(text, name=name)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Puzzle:
        """Returns the puzzle in a ``.pwp`` file, named after the file, or raises PuzzleError."""
        from pushworld.puzzle.pwp import load_pwp

        return load_pwp(path)

    def to_pwp(self) -> str:
        """Returns the puzzle as ``.pwp`` text."""
        from pushworld.puzzle.pwp import format_pwp

        return format_pwp(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the puzzle to a ``.pwp`` file, or raises PushWorldError."""
        write_text(Path(path), self.to_pwp(), sync=False)

    # The planning task

    @property
    def agent(self) -> PuzzleObject:
        """The object that actions move."""
        return self.objects[0]

    @property
    def movables(self) -> tuple[PuzzleObject, ...]:
        """All objects but the agent."""
        return self.objects[1:]

    @cached_property
    def initial_state(self) -> State:
        """The positions of all objects at the start."""
        return tuple(thing.start for thing in self.objects)

    @cached_property
    def goal(self) -> State:
        """The positions that objects 1, 2, ... must reach; the objects after them have no goal."""
        return tuple(thing.goal for thing in self.objects if thing.goal is not None)

    def step(self, state: State, action: int) -> State:
        """Returns the state after an action (``Action`` or 0..3), by the reference dynamics."""
        from pushworld.puzzle.reference import step

        return step(self, state, action)

    def achieved_goals(self, state: State) -> int:
        """Returns how many objects stand on their goals."""
        return sum(position == goal for position, goal in zip(state[1:], self.goal, strict=False))

    def is_solved(self, state: State) -> bool:
        """Returns whether all goals hold; a puzzle without goals is never solved."""
        return bool(self.goal) and self.achieved_goals(state) == len(self.goal)

    def replay(self, plan: str | Iterable[int]) -> Iterator[State]:
        """Yields the initial state and the state after each action of the plan."""
        state = self.initial_state
        yield state
        for action in parse_plan(plan):
            state = self.step(state, action)
            yield state

    def validate(self, plan: str | Iterable[int]) -> bool:
        """Returns whether the plan ends, from the initial state, in a state where all goals hold."""
        *_, last = self.replay(plan)
        return self.is_solved(last)


def bounding_corner_and_shape(cells: Iterable[Position]) -> tuple[Position, tuple[Position, ...]]:
    """Returns the top-left corner of the cells' bounding box, and the cells relative to it."""
    cells = list(cells)
    left = min(x for x, _ in cells)
    top = min(y for _, y in cells)
    shape = sorted({(x - left, y - top) for x, y in cells}, key=lambda cell: (cell[1], cell[0]))
    return (left, top), tuple(shape)


def border_cells(width: int, height: int) -> frozenset[Position]:
    """Returns the cells of the border of a world."""
    rows = {(x, y) for x in range(width) for y in (0, height - 1)}
    columns = {(x, y) for x in (0, width - 1) for y in range(height)}
    return frozenset(rows | columns)


def _object_order(thing: PuzzleObject) -> tuple[bool, list[tuple[int, int, str]], str]:
    """Objects with goals first, then by name with numbers in numeric order (M2 before M10)."""
    parts = re.findall(r"[0-9]+|[^0-9]+", thing.name.upper())
    natural = [(0, int(part), "") if part[0] in "0123456789" else (1, 0, part) for part in parts]
    return thing.goal is None, natural, thing.name.upper()


def check_size(width: int, height: int) -> None:
    """Raises PuzzleError if a world cannot have this size."""
    if not (3 <= width <= MAX_SIDE and 3 <= height <= MAX_SIDE):
        raise PuzzleError(
            f"the world is {width} x {height} cells with its border; "
            f"each side must be 3 to {MAX_SIDE}"
        )


def _check(puzzle: Puzzle) -> None:
    """Raises PuzzleError if the parts do not make a valid puzzle."""
    if len(puzzle.objects) > MAX_OBJECTS:
        raise PuzzleError(
            f"there are {len(puzzle.objects)} objects; at most {MAX_OBJECTS} are allowed"
        )
    _check_objects(puzzle)
    for x, y in puzzle.walls:
        if not (0 <= x < puzzle.width and 0 <= y < puzzle.height):
            raise PuzzleError("a wall is outside the world", cell=(x, y))
    for cell in puzzle.agent_walls:
        if not _in_interior(puzzle, cell):
            raise PuzzleError("an agent wall is outside the interior", cell=cell)


def _check_objects(puzzle: Puzzle) -> None:
    names: set[str] = set()
    owner: dict[Position, str] = {}
    for index, thing in enumerate(puzzle.objects):
        if thing.name.upper() in names:
            raise PuzzleError(f"two objects are called {thing.name}", cell=thing.start)
        names.add(thing.name.upper())
        if index == 0 and (thing.name.upper() != "A" or thing.goal is not None):
            raise PuzzleError("the first object must be the agent A, which has no goal")
        if index > 0 and not re.fullmatch(r"M[^\s+]+", thing.name, re.IGNORECASE):
            raise PuzzleError(
                f"{thing.name!r} cannot be the name of a movable: write M and a suffix, like M1"
            )
        if not thing.shape or bounding_corner_and_shape(thing.shape) != ((0, 0), thing.shape):
            raise PuzzleError(f"the shape of {thing.name} is not in its canonical form")
        stops = puzzle.walls | puzzle.agent_walls if index == 0 else puzzle.walls
        for cell in sorted(thing.cells_at(thing.start), key=lambda cell: (cell[1], cell[0])):
            if not (0 <= cell[0] < puzzle.width and 0 <= cell[1] < puzzle.height):
                raise PuzzleError(f"{thing.name} is outside the world", cell=cell)
            if cell in stops:
                kind = "a wall" if cell in puzzle.walls else "an agent wall"
                raise PuzzleError(f"{thing.name} overlaps {kind}", cell=cell)
            if cell in owner:
                raise PuzzleError(f"{thing.name} overlaps {owner[cell]}", cell=cell)
            owner[cell] = thing.name
        if thing.goal is not None:
            for cell in thing.cells_at(thing.goal):
                if not _in_interior(puzzle, cell):
                    raise PuzzleError(
                        f"the goal of {thing.name} is outside the interior", cell=cell
                    )


def _in_interior(puzzle: Puzzle, cell: Position) -> bool:
    """Returns whether a cell lies inside the border, where a file can show it."""
    return 0 < cell[0] < puzzle.width - 1 and 0 < cell[1] < puzzle.height - 1
