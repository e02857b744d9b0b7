"""SVG pictures: one path for the walls and one for each object, along its outline."""

from collections.abc import Collection
from xml.sax.saxutils import escape

from pushworld.puzzle import Position, Puzzle, State
from pushworld.render.colours import Colour, colours_of
from pushworld.render.raster import DEFAULT_PIXELS_PER_CELL, check_state, checked_border_width

Point = tuple[float, float]
_Edge = tuple[Position, Position]
"""A side of a cell: the corner where it starts, and its direction."""


def render_svg(
    puzzle: Puzzle,
    state: State | None = None,
    pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL,
    border_width: int | None = None,
) -> str:
    """Returns a picture of a state as an SVG document, equal to that of `render_rgb`.

    Objects and goals have titles, which viewers show as tooltips. The arguments and errors are those
    of `render_rgb`.
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
