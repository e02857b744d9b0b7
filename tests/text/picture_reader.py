"""A plain program that knows the legend of pictures, and reads the puzzle that one shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from io import BytesIO
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pushworld.puzzle import Puzzle
from pushworld.text.pictures import INK, LIGHT_INK, MOST_PIXELS, READABLE_CELL, glyphs
from tests.text.readers import Cells, puzzle_of

Pixels = NDArray[np.uint8]

WALL, WALL_BORDER = (0x0A, 0x0A, 0x0A), (0x05, 0x05, 0x05)
MOST_OBJECTS = 24


def read_picture(file: bytes) -> Puzzle:
    """Returns the puzzle in the state that a picture shows."""
    image = np.asarray(Image.open(BytesIO(file)))
    width, height, side = _size(image)
    names = ["A", *(f"M{number}" for number in range(1, MOST_OBJECTS + 1))]
    outlines = [f"G{number}" for number in range(1, MOST_OBJECTS + 1)]
    cells: Cells = defaultdict(list)
    for y in range(height):
        for x in range(width):
            cell = image[(y + 1) * side : (y + 2) * side, (x + 1) * side : (x + 2) * side]
            is_wall = _is(cell, WALL)[side // 4 : -side // 4].any()
            if is_wall:
                cells["#"].append((x, y))
            if _found(cell, ["~"], INK, "lb"):
                cells["~"].append((x, y))
            for name in _found(cell, names, LIGHT_INK, "lt")[:1]:
                cells[name].append((x, y))
            ink = LIGHT_INK if is_wall else INK
            for name in "".join(_found(cell, _together(outlines), ink, "rb")[:1]).split("+"):
                cells[name].append((x, y))
    return puzzle_of(cells, width, height)


def _size(image: Pixels) -> tuple[int, int, int]:
    """Returns the columns and rows, and the pixels of a cell: those whose margin counts them."""
    for side in range(48, READABLE_CELL - 1, -1):
        height, width = (length // side - 1 for length in image.shape[:2])
        exact = image.shape[:2] == ((height + 1) * side, (width + 1) * side)
        if exact and all(
            _found(image[:side, (x + 1) * side : (x + 2) * side], [str(x)], INK, "mm")
            for x in range(width)
        ):
            return width, height, side
    raise AssertionError(f"no numbers of columns; a picture has at most {MOST_PIXELS} pixels")


def _together(names: list[str]) -> Iterable[str]:
    """Returns the labels of one to three outlines on each other, the longest first."""
    some = names[:6]
    for count in (3, 2):
        yield from ("+".join(each) for each in combinations(some, count))
    yield from reversed(names)


def _found(cell: Pixels, texts: Iterable[str], ink: tuple[int, ...], anchor: str) -> list[str]:
    """Returns the texts whose glyphs stand in the ink at a corner or in the middle of a cell, the largest first."""
    side = len(cell)
    near = 1 if side < 24 else side // 8
    inked = _is(cell, ink)
    if not 0 < inked.mean() < 0.5:  # nothing is written, or the whole cell has that colour
        return []
    found: dict[str, int] = {}
    for text in texts:
        for beside in (0, side // 4):
            shape = np.asarray(glyphs(text, side - 2 * near - beside, side))
            rows, columns = shape.shape
            x = {"l": near, "m": (side - columns) // 2, "r": side - near - columns}[anchor[0]]
            y = {"t": near, "m": (side - rows) // 2, "b": side - near - rows}[anchor[1]]
            if x >= 0 and y >= 0 and (inked[y : y + rows, x : x + columns] == shape).all():
                found[text] = max(found.get(text, 0), int(shape.sum()))
    return sorted(found, key=lambda text: -found[text])


def _is(pixels: Pixels, colour: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray((pixels == colour).all(axis=2))
