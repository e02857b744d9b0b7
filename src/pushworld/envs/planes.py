"""The symbolic observation: binary planes of cells, with the same layout for every puzzle of a set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position, Puzzle, State

AGENT = 0
AGENT_WALL = 1
WALL = 2
FIRST_GOAL_OBJECT = 3

Planes = NDArray[np.uint8]
"""Zeros and ones of shape (planes, height, width)."""


@dataclass(frozen=True)
class Frame:
    """The common layout of the observations of all puzzles of a set.

    The planes are the agent, the agent walls, the walls, then for each goal its object and the goal
    itself, then all other movables. For a puzzle with fewer goals the last pairs are empty.

    Attributes:
        width, height: the size in cells to which every puzzle is padded with walls.
        goals: the largest number of goals in a puzzle.
        objects: the largest number of objects in a puzzle, the agent included.
    """

    width: int
    height: int
    goals: int
    objects: int

    @classmethod
    def around(cls, puzzles: Iterable[Puzzle], symmetries: bool = False) -> Frame:
        """Returns the smallest frame that holds all puzzles, in all orientations if `symmetries`."""
        puzzles = list(puzzles)
        width = max(puzzle.width for puzzle in puzzles)
        height = max(puzzle.height for puzzle in puzzles)
        if symmetries:
            width = height = max(width, height)
        return cls(
            width=width,
            height=height,
            goals=max(len(puzzle.goal) for puzzle in puzzles),
            objects=max(len(puzzle.objects) for puzzle in puzzles),
        )

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
