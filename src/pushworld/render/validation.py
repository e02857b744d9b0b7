"""The sizes and states that pictures can have, and their defaults."""

from __future__ import annotations

from collections.abc import Iterable

from pushworld.puzzle import PushWorldError, Puzzle, State, parse_plan

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
