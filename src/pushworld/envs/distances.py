"""The distance of a state to the goals, the potential of shaped rewards."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position

Mask = NDArray[np.bool_]
"""Cells or positions of a rectangle, of shape (height, width)."""

Distances = NDArray[np.uint16]
"""The distance to a goal from each position, of shape (height, width)."""


def distances_to(goal: Position, stopped: Mask) -> Distances:
    """Returns the number of moves from each position to a goal, through positions without a stop.

    Where no way leads to the goal it is one more than the largest number.
    """
    reached = np.zeros_like(stopped)
    if 0 <= goal[1] < stopped.shape[0] and 0 <= goal[0] < stopped.shape[1]:
        reached[goal[1], goal[0]] = not stopped[goal[1], goal[0]]
    distances = np.zeros(stopped.shape, np.uint16)
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= ~stopped
        distances[~reached] += 1
        if (grown == reached).all():
            return distances
        reached = grown


def mask_of(cells: Iterable[Position], width: int, height: int) -> Mask:
    """Returns a rectangle with its cells set."""
    mask = np.zeros((height, width), bool)
    for x, y in cells:
        mask[y, x] = True
    return mask


def stopped_positions(stops: Mask, shape: tuple[Position, ...]) -> Mask:
    """Returns for each position of a shape in the world whether it overlaps what stops it."""
    rows = stops.shape[0] - max(y for _, y in shape)
    columns = stops.shape[1] - max(x for x, _ in shape)
    stopped = np.zeros((rows, columns), bool)
    for x, y in shape:
        stopped |= stops[y : y + rows, x : x + columns]
    return stopped
