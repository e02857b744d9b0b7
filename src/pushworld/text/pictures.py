"""A puzzle and a state as a picture with the labels of the texts."""

from __future__ import annotations

from collections import defaultdict
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from pushworld.puzzle import Position, Puzzle, State
from pushworld.render import render_rgb
from pushworld.text.description import AGENT_WALL, labelled_objects

LARGEST_CELL, SMALLEST_CELL = 32, 3
MOST_PIXELS = 1536
"""The side of a picture, as far as the smallest cells allow."""

READABLE_CELL = 20
"""Labels of smaller cells could not be read."""


def picture(puzzle: Puzzle, state: State | None = None) -> bytes:
    """Returns a picture of a puzzle in a state (None: the initial one) as a PNG file.

    Every cell of an object has the object's label in its upper left corner, every cell of an outline
    that of the goal in its lower right corner, and every agent wall ``~`` in its lower left corner:
    so nothing is hidden, and it is clear what belongs together. Worlds of more than 76 columns or
    rows have no labels, because their cells are too small.
    """
    state = puzzle.initial_state if state is None else state
    side = MOST_PIXELS // max(puzzle.width, puzzle.height)
    side = max(SMALLEST_CELL, min(LARGEST_CELL, side))
    image = Image.fromarray(render_rgb(puzzle, state, side))
    if side >= READABLE_CELL:
        _draw_labels(image, puzzle, state, side)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _draw_labels(image: Image.Image, puzzle: Puzzle, state: State, side: int) -> None:
    canvas = ImageDraw.Draw(image)
    font = ImageFont.load_default(side / 3)
    near, far = side // 8, side - side // 8
    goals: dict[Position, list[str]] = defaultdict(list)
    for label, cells, goal in labelled_objects(puzzle, state):
        for x, y in cells:
            canvas.text((x * side + near, y * side + near), label, "white", font, "lt")
        for cell in goal or ():
            goals[cell].append("G" + label[1:])
    for (x, y), labels in goals.items():
        colour = "white" if (x, y) in puzzle.walls else "black"
        canvas.text((x * side + far, y * side + far), "+".join(labels), colour, font, "rb")
    for x, y in puzzle.agent_walls - puzzle.walls:
        canvas.text((x * side + near, y * side + far), AGENT_WALL, "black", font, "lb")
