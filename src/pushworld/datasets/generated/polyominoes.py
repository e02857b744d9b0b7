"""Fixed polyominoes: connected shapes, each orientation counted by itself."""

from __future__ import annotations

from functools import cache

from pushworld.puzzle import PushWorldError
from pushworld.puzzle.free_space import neighbours
from pushworld.puzzle.model import Position, bounding_corner_and_shape

Shape = tuple[Position, ...]
"""Cells relative to the top-left corner of their bounding box, in reading order."""

SQUARE: Shape = ((0, 0),)
FLAT_DOMINO: Shape = ((0, 0), (1, 0))
MAX_CELLS = 8


@cache
def polyominoes(smallest: int, largest: int) -> tuple[Shape, ...]:
    """Returns all shapes of `smallest` to `largest` connected cells, in a fixed order.

    Rotated and flipped shapes count as different: there are 1, 2, 6, 19, 63, 216, ... of them.
    """
    if not 1 <= smallest <= largest <= MAX_CELLS:
        raise PushWorldError(
            f"polyominoes have 1 to {MAX_CELLS} cells, not {smallest} to {largest}"
        )
    found = [{SQUARE}]
    while len(found) < largest:
        found.append({grown for shape in found[-1] for grown in _grown(shape)})
    return tuple(shape for shapes in found[smallest - 1 :] for shape in sorted(shapes))


def _grown(shape: Shape) -> set[Shape]:
    """Returns all shapes with one more cell."""
    around = neighbours(shape) - set(shape)
    return {bounding_corner_and_shape([*shape, cell])[1] for cell in around}
