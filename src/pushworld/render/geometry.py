"""What all pictures share: their sizes, the states they show, and the outlines of cells."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pushworld.puzzle import Position, PushWorldError, Puzzle, State, parse_plan

DEFAULT_PIXELS_PER_CELL = 20
DEFAULT_BORDER_WIDTH = 2
MIN_PIXELS_PER_CELL = 3
MAX_PIXELS = 100_000_000

Point = tuple[float, float]
_Edge = tuple[Position, Position]
"""A side of a cell: the corner where it starts, and its direction."""


class RenderError(PushWorldError):
    """A picture that cannot be made as asked."""


def checked_border_width(
    world: tuple[int, int], pixels_per_cell: int, border_width: int | None
) -> int:
    """Returns the border width to draw with, after a check that the picture can be made.

    Args:
        world: the width and height of the picture in cells.
        pixels_per_cell: the side of a cell.
        border_width: the width asked for; None is the default, or less where cells are too small.

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


def outlines(cells: Collection[Position]) -> list[list[Position]]:
    """Returns the closed outlines of a set of cells as the corners at which they turn.

    Each runs with the cells on its right hand: clockwise around them, counter-clockwise around
    holes. Cells that touch only at a corner have separate outlines.
    """
    members = frozenset(cells)
    edges: dict[_Edge, None] = {}
    for x, y in sorted(members, key=lambda cell: (cell[1], cell[0])):
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        beyond = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        for side, direction in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
            if beyond[side] not in members:
                edges[corners[side], direction] = None
    unvisited = dict(edges)
    loops = []
    while unvisited:
        first = edge = next(iter(unvisited))
        loop = []
        while edge in unvisited:
            del unvisited[edge]
            following = _next_edge(edge, edges)
            if following[1] != edge[1]:
                loop.append(following[0])
            edge = following
        assert edge == first
        loops.append(loop)
    return loops


def _next_edge(edge: _Edge, edges: Collection[_Edge]) -> _Edge:
    """Returns the edge where this one ends: the one most to the right, so along the same cells."""
    (x, y), (dx, dy) = edge
    end = (x + dx, y + dy)
    right, ahead, left = (end, (-dy, dx)), (end, (dx, dy)), (end, (dy, -dx))
    return right if right in edges else ahead if ahead in edges else left


def inset(outline: list[Position], scale: float, distance: float) -> list[Point]:
    """Returns an outline scaled up and then moved inwards, to the side of its cells."""
    count = len(outline)
    moved = []
    for i, (x, y) in enumerate(outline):
        before, after = outline[i - 1], outline[(i + 1) % count]
        in_x, in_y = _sign(x - before[0]), _sign(y - before[1])
        out_x, out_y = _sign(after[0] - x), _sign(after[1] - y)
        moved.append((x * scale - distance * (in_y + out_y), y * scale + distance * (in_x + out_x)))
    return moved


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
