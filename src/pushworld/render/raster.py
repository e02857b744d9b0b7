"""Pixel pictures of states, as palette indices, RGB or floats, and the sizes and states that they can have."""

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from pushworld.puzzle import Position, PushWorldError, Puzzle, State, parse_plan
from pushworld.render.colours import FLOAT_PALETTE, PALETTE, Colour, colours_of

DEFAULT_PIXELS_PER_CELL = 20
DEFAULT_BORDER_WIDTH = 2
MIN_PIXELS_PER_CELL = 3
MAX_PIXELS = 100_000_000


class RenderError(PushWorldError):
    """A picture cannot be made as requested."""


def checked_border_width(
    world: tuple[int, int], pixels_per_cell: int, border_width: int | None
) -> int:
    """Returns the border width to draw with, if the picture can be made.

    Args:
        world: the width and height of the picture in cells.
        pixels_per_cell: the side of a cell.
        border_width: the requested width; None for the default, or less where cells are too small.

    Raises:
        RenderError: if the inside of a cell would vanish or the picture would be too large.
    """
    if pixels_per_cell < MIN_PIXELS_PER_CELL:
        raise RenderError(
            f"{pixels_per_cell} pixels per cell are too few to show borders and goals: "
            f"use {MIN_PIXELS_PER_CELL} or more"
        )
    pixels = world[0] * world[1] * pixels_per_cell**2
    if pixels > MAX_PIXELS:
        largest = int((MAX_PIXELS / (world[0] * world[1])) ** 0.5)
        raise RenderError(
            f"a picture of {world[0]} x {world[1]} cells with {pixels_per_cell} pixels per cell is "
            f"too large: use at most {largest} pixels per cell"
        )
    widest = (pixels_per_cell - 1) // 2
    if border_width is None:
        return min(DEFAULT_BORDER_WIDTH, widest)
    if not 1 <= border_width <= widest:
        raise RenderError(
            f"a border of {border_width} pixels does not suit {pixels_per_cell} pixels per cell: "
            f"use 1 to {widest}"
        )
    return border_width


def check_state(puzzle: Puzzle, state: State) -> None:
    """Raises RenderError unless the state places every object of the puzzle inside the world."""
    if len(state) != len(puzzle.objects):
        raise RenderError(
            f"the state has {len(state)} positions, but the puzzle has {len(puzzle.objects)} objects"
        )
    for thing, (x, y) in zip(puzzle.objects, state, strict=True):
        if not (0 <= x <= puzzle.width - thing.width and 0 <= y <= puzzle.height - thing.height):
            raise RenderError(f"{thing.name} at ({x}, {y}) is outside the world")


def states_of_plan(
    puzzle: Puzzle, plan: str | Iterable[int], state: State | None = None
) -> list[State]:
    """Returns a state, the initial one if not given, and the states after each action of a plan."""
    states = [puzzle.initial_state if state is None else state]
    check_state(puzzle, states[0])
    for action in parse_plan(plan):
        states.append(puzzle.step(states[-1], action))
    return states


IndexImage = NDArray[np.uint8]
"""An image of palette indices (``Colour``), of shape (height, width) in pixels."""


def render_rgb(
    puzzle: Puzzle,
    state: State | None = None,
    pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL,
    border_width: int | None = None,
) -> NDArray[np.uint8]:
    """Returns a picture of a state as an array of shape (height, width, 3).

    Args:
        state: the state to show, or None for the initial one.
        pixels_per_cell: the side of a cell, at least 3.
        border_width: the width of borders and goal outlines; 2 if not given, or 1 where cells are
            smaller than 5 pixels.

    Raises:
        RenderError: if the sizes or the state are not valid.
    """
    return Painter(puzzle, pixels_per_cell, border_width).rgb(state)


class Painter:
    """Paints states of one puzzle at one size; walls and goals are painted only once.

    Args:
        pixels_per_cell: the side of a cell, at least 3.
        border_width: as in `render_rgb`.

    Attributes:
        shape: the height and width of the pictures in pixels.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL,
        border_width: int | None = None,
    ) -> None:
        world = (puzzle.width, puzzle.height)
        self.puzzle = puzzle
        self.pixels_per_cell = pixels_per_cell
        self.border_width = checked_border_width(world, pixels_per_cell, border_width)
        self.shape = (world[1] * pixels_per_cell, world[0] * pixels_per_cell)
        self._background = self._paint_background()
        self._sprites = [self._sprite(thing.shape, *colours_of(thing)) for thing in puzzle.objects]
        self._goal_pixels = self._paint_goals()

    def rgb(self, state: State | None = None) -> NDArray[np.uint8]:
        """Returns the picture of a state as uint8 of shape (height, width, 3)."""
        return PALETTE.take(self.indices(state), axis=0, mode="clip")

    def floats(self, state: State | None = None) -> NDArray[np.float32]:
        """Returns the picture of a state as float32 in [0, 1] of shape (height, width, 3)."""
        return FLOAT_PALETTE.take(self.indices(state), axis=0, mode="clip")

    def indices(
        self, state: State | None = None, towards: State | None = None, progress: float = 0.0
    ) -> IndexImage:
        """Returns the picture of a state as palette indices of shape (height, width).

        Args:
            state: the state, or None for the initial one.
            towards: if given, the picture is between both states, at the fraction `progress`.
        """
        state = self.puzzle.initial_state if state is None else state
        for checked in (state,) if towards is None else (state, towards):
            check_state(self.puzzle, checked)
        image = self._background.copy()
        pixels = image.reshape(-1)
        for index, (sprite, colours) in enumerate(self._sprites):
            (x, y), (next_x, next_y) = state[index], (towards or state)[index]
            corner = self._pixel_at(x + (next_x - x) * progress, y + (next_y - y) * progress)
            pixels[sprite + corner] = colours
        pixels[self._goal_pixels] = Colour.GOAL
        return image

    def _pixel_at(self, x: float, y: float) -> int:
        """Returns the index in the flat image of the top-left pixel of a cell of the puzzle."""
        row, column = round(y * self.pixels_per_cell), round(x * self.pixels_per_cell)
        return row * self.shape[1] + column

    def _paint_background(self) -> IndexImage:
        """Returns the picture without objects and goals."""
        puzzle = self.puzzle
        image = np.full(self.shape, Colour.BACKGROUND, np.uint8)
        for cells, fill, border in (
            (puzzle.agent_walls, Colour.AGENT_WALL, Colour.AGENT_WALL_BORDER),
            (puzzle.walls, Colour.WALL, Colour.WALL_BORDER),
        ):
            whole, inside = self._pixel_masks(_cell_mask(cells, puzzle.width, puzzle.height))
            image[whole] = border
            image[inside] = fill
        return image

    def _paint_goals(self) -> NDArray[np.intp]:
        """Returns the indices in the flat image of all pixels of goal outlines."""
        outlines = [np.zeros(0, np.intp)]
        for thing in self.puzzle.objects:
            if thing.goal is not None:
                sprite, colours = self._sprite(thing.shape, Colour.BACKGROUND, Colour.GOAL)
                outlines.append(sprite[colours == Colour.GOAL] + self._pixel_at(*thing.goal))
        return np.concatenate(outlines)

    def _sprite(
        self, shape: Collection[Position], fill: Colour, border: Colour
    ) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
        """Returns the pixels of an object, as indices in the flat image for an object at its
        top-left corner, and their colours.
        """
        width, height = (1 + max(along) for along in zip(*shape, strict=True))
        whole, inside = self._pixel_masks(_cell_mask(shape, width, height))
        rows, columns = np.nonzero(whole)
        colours = np.where(inside[rows, columns], fill, border).astype(np.uint8)
        return rows * self.shape[1] + columns, colours

    def _pixel_masks(self, cells: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Returns which pixels belong to the cells, and which of these lie inside the border.

        A pixel is inside when the square of 2 x border + 1 pixels around it is. Because such a
        square is no larger than a cell, it is inside when its four corners are.
        """
        side, border = self.pixels_per_cell, self.border_width
        whole = cells.repeat(side, axis=0).repeat(side, axis=1)
        padded = np.pad(whole, border)
        first, last = slice(None, -2 * border), slice(2 * border, None)
        inside = (
            padded[first, first] & padded[first, last] & padded[last, first] & padded[last, last]
        )
        return whole, inside


def _cell_mask(cells: Iterable[Position], width: int, height: int) -> NDArray[np.bool_]:
    """Returns which cells of a rectangle are among the given ones, as (height, width)."""
    mask = np.zeros((height, width), bool)
    positions = np.array(list(cells), np.intp).reshape(-1, 2)
    mask[positions[:, 1], positions[:, 0]] = True
    return mask
