"""The symbolic observation: binary planes of cells, with the same layout for every puzzle of a set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position, PushWorldError, Puzzle, State

AGENT = 0
AGENT_WALL = 1
WALL = 2
FIRST_GOAL_OBJECT = 3

Planes = NDArray[np.uint8]
"""Zeros and ones of shape (planes, height, width)."""


class FrameError(PushWorldError):
    """Puzzles do not fit into the frame that was asked for."""


@dataclass(frozen=True)
class Frame:
    """The common layout of the observations of all puzzles of a set.

    The planes are the agent, the agent walls, the walls, then for each goal its object and the goal
    itself, then all other movables. For a puzzle with fewer goals the last pairs are empty.

    Attributes:
        width, height: the size in cells to which every puzzle is padded with walls.
        goals: the number of goals that have planes, at least the largest of a puzzle.
        objects: at least the largest number of objects in a puzzle, the agent included.
    """

    width: int
    height: int
    goals: int
    objects: int

    @classmethod
    def around(
        cls,
        puzzles: Iterable[Puzzle],
        symmetries: bool = False,
        *,
        width: int | None = None,
        height: int | None = None,
        goals: int | None = None,
        objects: int | None = None,
    ) -> Frame:
        """Returns the smallest frame that holds all puzzles, in all orientations if `symmetries`.

        Args:
            puzzles: the puzzles.
            symmetries: whether the frame is a square.
            width, height, goals, objects: these values instead of the smallest.

        Raises:
            FrameError: if a puzzle does not fit into the given values.
        """
        puzzles = list(puzzles)
        widest = max(puzzle.width for puzzle in puzzles)
        highest = max(puzzle.height for puzzle in puzzles)
        if symmetries:
            widest = highest = max(widest, highest)
        frame = cls(
            width=widest if width is None else width,
            height=highest if height is None else height,
            goals=max(len(puzzle.goal) for puzzle in puzzles) if goals is None else goals,
            objects=max(len(puzzle.objects) for puzzle in puzzles) if objects is None else objects,
        )
        for puzzle in puzzles:
            frame.check(puzzle)
        return frame

    def check(self, puzzle: Puzzle) -> None:
        """Raises FrameError unless a puzzle fits as it is."""
        has = f"the puzzle {puzzle.name!r} "
        if puzzle.width > self.width or puzzle.height > self.height:
            raise FrameError(
                f"{has}of {puzzle.width} x {puzzle.height} cells does not fit into a world of "
                f"{self.width} x {self.height}: choose a larger width and height"
            )
        if len(puzzle.goal) > self.goals:
            raise FrameError(f"{has}has {len(puzzle.goal)} goals, more than goals={self.goals}")
        if len(puzzle.objects) > self.objects:
            count = len(puzzle.objects)
            raise FrameError(f"{has}has {count} objects, more than objects={self.objects}")

    @property
    def num_planes(self) -> int:
        return self.other_movables + 1

    @property
    def planes_shape(self) -> tuple[int, int, int]:
        return self.num_planes, self.height, self.width

    @property
    def other_movables(self) -> int:
        """The plane of the movables that have no goal."""
        return FIRST_GOAL_OBJECT + 2 * self.goals

    def object_plane(self, goal: int) -> int:
        """Returns the plane of the object of a goal (0, 1, ...)."""
        return FIRST_GOAL_OBJECT + 2 * goal

    def goal_plane(self, goal: int) -> int:
        """Returns the plane of a goal (0, 1, ...)."""
        return self.object_plane(goal) + 1

    def centred(self, puzzle: Puzzle) -> Position:
        """Returns the offset that centres a puzzle, rounded down."""
        return (self.width - puzzle.width) // 2, (self.height - puzzle.height) // 2


def draw_planes(
    puzzle: Puzzle, state: State, frame: Frame, offset: Position | None = None
) -> Planes:
    """Returns the planes of a state: the definition that the environments are tested against.

    Args:
        puzzle: the puzzle, already transformed if a symmetry applies.
        state: one of its states.
        frame: the frame of the set.
        offset: the position of the puzzle's top-left corner in the frame; centred if not given.
    """
    dx, dy = frame.centred(puzzle) if offset is None else offset
    planes = np.zeros(frame.planes_shape, np.uint8)

    def mark(plane: int, cells: Iterable[Position], value: int = 1) -> None:
        for x, y in cells:
            planes[plane, y + dy, x + dx] = value

    planes[WALL] = 1
    inside = {(x, y) for x in range(puzzle.width) for y in range(puzzle.height)}
    mark(WALL, inside - puzzle.walls, 0)
    mark(AGENT_WALL, puzzle.agent_walls)
    for index, (thing, position) in enumerate(zip(puzzle.objects, state, strict=True)):
        if index == 0:
            mark(AGENT, thing.cells_at(position))
        elif thing.goal is None:
            mark(frame.other_movables, thing.cells_at(position))
        else:
            mark(frame.object_plane(index - 1), thing.cells_at(position))
            mark(frame.goal_plane(index - 1), thing.cells_at(thing.goal))
    return planes
