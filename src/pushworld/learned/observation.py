"""Observations for the network: planes of cells that show an arrangement of the movables.

An arrangement is the positions of all movables. The planes do not show the agent's position: the
network evaluates all positions of the agent at once, so one evaluation serves all steps between two
pushes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pushworld import _native
from pushworld.engine import StateArray
from pushworld.puzzle import Position, Puzzle, PuzzleObject
from pushworld.puzzle.actions import DELTAS

Planes = NDArray[np.float32]
"""An array of shape (batch, height, width, `CHANNELS`)."""

Mask = NDArray[np.bool_]

FREE, AGENT_FITS, AGENT_WALL, OUTLINE, AGENT_WIDTH, AGENT_HEIGHT = range(6)
"""Constant planes: no wall; the agent's corner fits here; agent wall; goal cell; the agent's size."""

TO_OBJECT_X, TO_OBJECT_Y = 6, 7
"""In the cells of a goal: the offset to its object."""

OBSTACLE, TARGET = 8, 9
"""Cells of movables without and with a goal."""

BONDS = 10
"""Four planes: the cell to the left, right, above, below belongs to the same object."""

BLOCKED = 14
"""Four planes: a wall blocks the cell's object to the left, right, up, down."""

TO_GOAL_X, TO_GOAL_Y, GOAL_IS_RIGHT, GOAL_IS_BELOW, AT_GOAL = range(18, 23)
"""In the cells of an object with a goal: the offset to the goal, its signs, whether it is achieved."""

AGENT_HITS, AGENT_HITS_TARGET = 23, 24
"""With its corner here, where it fits, the agent would overlap a movable; a movable with a goal."""

CHANNELS = 25

OFFSET_SCALE = 8.0
"""Offsets are divided by this, and clipped to twice as much."""


PART = 16384
"""Cells that are drawn between two checks of the limits."""


class Observer:
    """Draws observations of one puzzle.

    Args:
        check: called often, because the planes of a large world take long. It may raise what ends
            the work.

    Attributes:
        left, top: the corner of the smallest rectangle around all cells without walls.
        width, height: the size of this rectangle, which the planes show.
        agent_fits: shape (height, width): where walls and agent walls leave room for the agent.
    """

    def __init__(self, puzzle: Puzzle, check: Callable[[], None] = lambda: None) -> None:
        self.puzzle = puzzle
        self._check = check
        walls = self._grid(puzzle.walls)
        rows, columns = np.flatnonzero(~walls.all(axis=1)), np.flatnonzero(~walls.all(axis=0))
        self.left, self.top = int(columns[0]), int(rows[0])
        self.width = int(columns[-1]) - self.left + 1
        self.height = int(rows[-1]) - self.top + 1
        self._walls = walls
        agent_walls = self._grid(puzzle.agent_walls)
        self.agent_fits: Mask = self._crop(self._fitting(puzzle.agent, walls | agent_walls))
        self._constant_planes = np.zeros((self.height, self.width, CHANNELS), np.float32)
        for part in self._parts():
            planes = self._constant_planes[part]
            planes[..., FREE] = self._crop(~walls)[part]
            planes[..., AGENT_FITS] = self.agent_fits[part]
            planes[..., AGENT_WALL] = self._crop(agent_walls)[part]
            planes[..., AGENT_WIDTH] = (puzzle.agent.width - 1) / OFFSET_SCALE
            planes[..., AGENT_HEIGHT] = (puzzle.agent.height - 1) / OFFSET_SCALE
        self._bonds = [self._bonds_of(thing) for thing in puzzle.objects]
        by_shape = {thing.shape: thing for thing in puzzle.objects}
        fitting = {shape: self._fitting(thing, walls) for shape, thing in by_shape.items()}
        self._fits = [fitting[thing.shape] for thing in puzzle.objects]
        self._outlines = [self._outline(thing) for thing in puzzle.objects]
        for outline in self._outlines:
            self._constant_planes[(*outline, OUTLINE)] = 1

    @property
    def frame(self) -> _native.Frame:
        """The constant planes and their place in the world, for native code that draws the others."""
        return _native.Frame(self.left, self.top, self._constant_planes)

    @staticmethod
    def bytes_for(puzzle: Puzzle) -> int:
        """Returns about how much memory the observer of a puzzle takes, and the planes of a state."""
        shapes = len({thing.shape for thing in puzzle.objects})
        return puzzle.width * puzzle.height * (2 * 4 * CHANNELS + shapes)

    def draw(self, states: StateArray) -> Planes:
        """Returns the planes of states, whatever the agent's positions."""
        batch = np.arange(len(states))[:, None]
        planes = np.empty((len(states), *self._constant_planes.shape), np.float32)
        for part in self._parts():
            planes[:, part] = self._constant_planes[part]
        for index, thing in enumerate(self.puzzle.objects[1:], 1):
            self._check()
            position = states[:, index].astype(np.intp)
            shape = np.array(thing.shape)
            xs = position[:, :1] + shape[:, 0] - self.left
            ys = position[:, 1:] + shape[:, 1] - self.top
            planes[batch, ys, xs, OBSTACLE if thing.goal is None else TARGET] = 1
            planes[batch, ys, xs, BONDS : BONDS + 4] = self._bonds[index]
            for direction, (dx, dy) in enumerate(DELTAS):
                blocked = ~self._fits[index][position[:, 1] + dy, position[:, 0] + dx]
                planes[batch, ys, xs, BLOCKED + direction] = blocked[:, None]
            if thing.goal is not None:
                offset = thing.goal - position
                clipped = np.clip(offset / OFFSET_SCALE, -2, 2)
                goal = np.concatenate(
                    [clipped, np.sign(offset), np.all(offset == 0, 1)[:, None]], 1
                )
                planes[batch, ys, xs, TO_GOAL_X : AT_GOAL + 1] = goal[:, None]
                rows, columns = self._outlines[index]
                planes[:, rows, columns, TO_OBJECT_X : TO_OBJECT_Y + 1] = -clipped[:, None]
        targets, taken = np.empty((2, *planes.shape[:3]), np.bool_)
        for part in self._parts():
            targets[:, part] = planes[:, part, :, TARGET] > 0
            taken[:, part] = targets[:, part] | (planes[:, part, :, OBSTACLE] > 0)
        hits, target_hits = self._agent_hits(taken), self._agent_hits(targets)
        for part in self._parts():
            planes[:, part, :, AGENT_HITS] = hits[:, part]
            planes[:, part, :, AGENT_HITS_TARGET] = target_hits[:, part]
        return planes

    def cells_of_agent(self, states: StateArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Returns the rows and columns of the agent's corners in the planes."""
        agent = states[:, 0].astype(np.intp)
        return agent[:, 1] - self.top, agent[:, 0] - self.left

    def _crop(self, grid: Mask) -> Mask:
        return grid[self.top : self.top + self.height, self.left : self.left + self.width]

    def _outline(self, thing: PuzzleObject) -> tuple[list[int], list[int]]:
        """Returns the rows and columns of the goal's cells in the planes."""
        cells = thing.cells_at(thing.goal) if thing.goal is not None else frozenset()
        shown = [(y - self.top, x - self.left) for x, y in sorted(cells)]
        shown = [(y, x) for y, x in shown if 0 <= y < self.height and 0 <= x < self.width]
        return [y for y, _ in shown], [x for _, x in shown]

    def _agent_hits(self, taken: Mask) -> Mask:
        hits = np.zeros_like(taken)
        for x, y in self.puzzle.agent.shape:
            self._check()
            hits[:, : self.height - y, : self.width - x] |= taken[:, y:, x:]
        return hits & self.agent_fits

    def _grid(self, cells: frozenset[Position]) -> Mask:
        grid = np.zeros((self.puzzle.height, self.puzzle.width), np.bool_)
        rest = iter(cells)
        while part := list(islice(rest, PART)):
            self._check()
            xs, ys = np.array(part).T
            grid[ys, xs] = True
        return grid

    def _fitting(self, thing: PuzzleObject, obstacles: Mask) -> Mask:
        """Returns for each position of the object whether its cells are free of obstacles."""
        height, width = obstacles.shape
        fits = np.zeros_like(obstacles)
        inner = (slice(height - thing.height + 1), slice(width - thing.width + 1))
        fits[inner] = True
        for x, y in thing.shape:
            self._check()
            fits[inner] &= ~obstacles[y : y + inner[0].stop, x : x + inner[1].stop]
        return fits

    def _bonds_of(self, thing: PuzzleObject) -> Planes:
        """Returns for each cell of the shape which of its neighbours belong to the shape."""
        cells = set(thing.shape)
        bonds = []
        for x, y in thing.shape:
            self._check()
            bonds.append([(x + dx, y + dy) in cells for dx, dy in DELTAS])
        return np.array(bonds)

    def _parts(self) -> Iterator[slice]:
        """Yields the rows of the planes part by part."""
        step = max(1, PART // self.width)
        for top in range(0, self.height, step):
            self._check()
            yield slice(top, top + step)
