"""A puzzle and a state as a picture with the labels of the texts and the numbers of columns and rows."""

from base64 import b64encode
from collections import defaultdict
from functools import cache, lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from pushworld.puzzle import Position, Puzzle, State
from pushworld.render import render_rgb
from pushworld.text.description import AGENT_WALL, labelled_objects

MOST_PIXELS = 1536
"""The side of a picture, as far as the smallest cells allow: models shrink larger ones."""

LARGEST_CELL, SMALLEST_CELL = 48, 3
READABLE_CELL = 14  # labels of smaller cells could not be read
INK, LIGHT_INK = (0, 0, 0), (255, 255, 255)


def picture(puzzle: Puzzle, state: State | None = None) -> bytes:
    """Returns a picture of a puzzle in a state (None: the initial one) as a PNG file.

    The margins have the numbers of columns and rows. Every cell of an object has the object's label in its
    upper left corner, every cell of an outline that of the goal in its lower right corner, and every agent
    wall ``~`` in its lower left corner: so nothing is hidden. Ink has no shades, so that programs read it
    too. Worlds of more than 108 columns or rows have no labels, because their cells are too small.
    """
    state = puzzle.initial_state if state is None else state
    side = MOST_PIXELS // (max(puzzle.width, puzzle.height) + 1)  # a margin of one cell
    side = max(SMALLEST_CELL, min(LARGEST_CELL, side))
    size = ((puzzle.width + 1) * side, (puzzle.height + 1) * side)
    image = Image.new("RGB", size, LIGHT_INK)
    image.paste(Image.fromarray(render_rgb(puzzle, state, side)), (side, side))
    if side >= READABLE_CELL:
        _draw_labels(image, puzzle, state, side)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@lru_cache(maxsize=256)
def picture_url(puzzle: Puzzle, state: State | None = None) -> str:
    """Returns a picture as a data URI."""
    return "data:image/png;base64," + b64encode(picture(puzzle, state)).decode()


def _draw_labels(image: Image.Image, puzzle: Puzzle, state: State, side: int) -> None:
    canvas = ImageDraw.Draw(image)
    near = 1 if side < 24 else side // 8
    far = side - near
    agent_walls = puzzle.agent_walls - puzzle.walls

    def write(cell: Position, text: str, ink: tuple[int, int, int], anchor: str) -> None:
        beside = side // 4 if anchor == "rb" and cell in agent_walls else 0
        shape = glyphs(text, far - near - beside, side)
        x = {"l": near, "m": (side - shape.width) // 2, "r": far - shape.width}[anchor[0]]
        y = {"t": near, "m": (side - shape.height) // 2, "b": far - shape.height}[anchor[1]]
        place = ((cell[0] + 1) * side + x, (cell[1] + 1) * side + y)
        canvas.bitmap(place, shape, ink)

    for number in range(puzzle.width):
        write((number, -1), str(number), INK, "mm")
    for number in range(puzzle.height):
        write((-1, number), str(number), INK, "mm")
    goals: dict[Position, list[str]] = defaultdict(list)
    for label, cells, goal in labelled_objects(puzzle, state):
        for cell in cells:
            write(cell, label, LIGHT_INK, "lt")
        for cell in goal or ():
            goals[cell].append("G" + label[1:])
    for cell, labels in goals.items():
        write(cell, "+".join(labels), LIGHT_INK if cell in puzzle.walls else INK, "rb")
    for cell in agent_walls:
        write(cell, AGENT_WALL, INK, "lb")


@cache
def glyphs(text: str, most: int, side: int) -> Image.Image:
    """Returns a text in black and white, as large as cells of `side` pixels and a width of `most` pixels allow."""
    for size in range(max(7, side * 2 // 5), 5, -1):
        font = ImageFont.load_default(size)
        left, top, right, bottom = font.getbbox(text, "1")
        if right - left <= most:
            break
    shape = Image.new("1", (round(right - left), round(bottom - top)))
    canvas = ImageDraw.Draw(shape)
    canvas.fontmode = "1"
    canvas.text((-left, -top), text, 1, font)
    return shape
