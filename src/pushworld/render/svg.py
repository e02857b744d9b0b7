"""Vector pictures: one path for the walls and for each object, along its outline."""

from __future__ import annotations

from collections.abc import Collection
from xml.sax.saxutils import escape

from pushworld.puzzle import Position, Puzzle, State
from pushworld.render.colours import Colour, colours_of
from pushworld.render.geometry import (
    DEFAULT_PIXELS_PER_CELL,
    check_state,
    checked_border_width,
    inset,
    outlines,
)


def render_svg(
    puzzle: Puzzle,
    state: State | None = None,
    pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL,
    border_width: int | None = None,
) -> str:
    """Returns a picture of a state as an SVG document; it shows what `render_rgb` shows.

    Objects and goals carry their names, which viewers show under the pointer. The arguments and
    errors are those of `render_rgb`.
    """
    state = puzzle.initial_state if state is None else state
    check_state(puzzle, state)
    border = checked_border_width((puzzle.width, puzzle.height), pixels_per_cell, border_width)

    def path(cells: Collection[Position], fill: str, stroke: str, title: str = "") -> str:
        line = path_data(cells, pixels_per_cell, border)
        start = f'<path fill="{fill}" stroke="{stroke}" d="{line}"'
        return f"{start}><title>{escape(title)}</title></path>" if title else f"{start}/>"

    width, height = puzzle.width * pixels_per_cell, puzzle.height * pixels_per_cell
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" stroke-width="{border}" shape-rendering="crispEdges">',
        f'<path fill="{Colour.BACKGROUND.hex}" stroke="none" d="M0 0h{width}v{height}h-{width}z"/>',
    ]
    if puzzle.agent_walls:
        colours = (Colour.AGENT_WALL.hex, Colour.AGENT_WALL_BORDER.hex)
        parts.append(path(puzzle.agent_walls, *colours))
    parts.append(path(puzzle.walls, Colour.WALL.hex, Colour.WALL_BORDER.hex))
    for thing, position in zip(puzzle.objects, state, strict=True):
        fill, stroke = colours_of(thing)
        parts.append(path(thing.cells_at(position), fill.hex, stroke.hex, thing.name))
    for thing in puzzle.objects:
        if thing.goal is not None:
            title = f"goal of {thing.name}"
            parts.append(path(thing.cells_at(thing.goal), "none", Colour.GOAL.hex, title))
    return "\n".join([*parts, "</svg>\n"])


def path_data(cells: Collection[Position], scale: int, border: int) -> str:
    """Returns the middle line of the border of some cells as SVG path data."""
    parts = []
    for outline in outlines(cells):
        (x, y), *others = inset(outline, scale, border / 2)
        parts.append(f"M{x:g} {y:g}")
        for next_x, next_y in others:
            parts.append(f"h{next_x - x:g}" if next_x != x else f"v{next_y - y:g}")
            x, y = next_x, next_y
        parts.append("z")
    return "".join(parts)
