"""Canonical forms: whether puzzles differ only in symmetry, place, padding, names or small edits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Puzzle, crop
from pushworld.puzzle.canonical import canonical_form, canonical_hash

__all__ = ["canonical_form", "canonical_hash", "difference"]

Grid = NDArray[np.uint8]

WALL, AGENT_WALL, AGENT, TARGET, MOVABLE, OUTLINE = 1, 2, 4, 8, 16, 32
"""What a cell holds, as flags."""


def difference(one: Puzzle, other: Puzzle) -> float:
    """Returns the share of the cells in which two puzzles differ, under the best symmetry.

    It is 1 if their sizes differ by more than two cells.
    """
    ours, theirs = _cells(one), _cells(other)
    return min(
        _differing_share(ours, np.rot90(form, turns))
        for form in (theirs, theirs.T)
        for turns in range(4)
    )


@lru_cache(maxsize=512)
def _cells(puzzle: Puzzle) -> Grid:
    """Returns the flags of every cell of the cropped puzzle; names of objects do not matter."""
    puzzle = crop(puzzle)
    grid = np.zeros((puzzle.height, puzzle.width), np.uint8)
    for mark, cells in ((WALL, puzzle.walls), (AGENT_WALL, puzzle.agent_walls)):
        for x, y in cells:
            grid[y, x] |= mark
    for thing in puzzle.objects:
        mark = AGENT if thing is puzzle.agent else MOVABLE if thing.goal is None else TARGET
        for x, y in thing.cells_at(thing.start):
            grid[y, x] |= mark
        if thing.goal is not None:
            for x, y in thing.cells_at(thing.goal):
                grid[y, x] |= OUTLINE
    return grid


def _differing_share(one: Grid, other: Grid) -> float:
    """Returns the share of cells that differ in the best overlap; outside of a grid are walls."""
    height, width = np.maximum(one.shape, other.shape)
    spare_y, spare_x = abs(one.shape[0] - other.shape[0]), abs(one.shape[1] - other.shape[1])
    if max(spare_x, spare_y) > 2:
        return 1.0
    return min(
        float(np.mean(_padded(moved, height, width, dy, dx) != _padded(fixed, height, width, 0, 0)))
        for moved, fixed in ((one, other), (other, one))
        for dy in range(height - moved.shape[0] + 1)
        for dx in range(width - moved.shape[1] + 1)
    )


def _padded(grid: Grid, height: int, width: int, dy: int, dx: int) -> Grid:
    larger = np.full((height, width), WALL, np.uint8)
    larger[dy : dy + grid.shape[0], dx : dx + grid.shape[1]] = grid
    return larger
