"""The free cells of a puzzle, and the positions at which a shape fits."""

from collections.abc import Collection, Iterable, Iterator

from pushworld.puzzle.model import Position, Puzzle


def free_places(
    puzzle: Puzzle, shape: tuple[Position, ...], blocked: Collection[Position]
) -> list[Position]:
    """Returns the positions in the interior at which a shape covers no blocked cell."""
    width = 1 + max(x for x, _ in shape)
    height = 1 + max(y for _, y in shape)
    return [
        (px, py)
        for py in range(1, puzzle.height - height)
        for px in range(1, puzzle.width - width)
        if not any((px + x, py + y) in blocked for x, y in shape)
    ]


def interior(puzzle: Puzzle) -> set[Position]:
    """Returns the cells inside the border."""
    return {(x, y) for x in range(1, puzzle.width - 1) for y in range(1, puzzle.height - 1)}


def inner_walls(puzzle: Puzzle) -> set[Position]:
    """Returns the walls inside the border."""
    return interior(puzzle) & puzzle.walls


def free_cells(puzzle: Puzzle) -> set[Position]:
    """Returns the cells without walls."""
    return interior(puzzle) - puzzle.walls


def occupied(puzzle: Puzzle, but: str = "") -> set[Position]:
    """Returns the cells that objects cover at the start, without those of the object `but`."""
    return {
        cell
        for thing in puzzle.objects
        if thing.name != but
        for cell in thing.cells_at(thing.start)
    }


def outlines(puzzle: Puzzle, but: str = "") -> set[Position]:
    """Returns the cells of all goal outlines, without that of the object `but`."""
    return {
        cell
        for thing in puzzle.movables
        if thing.goal is not None and thing.name != but
        for cell in thing.cells_at(thing.goal)
    }


def neighbours(cells: Iterable[Position]) -> set[Position]:
    """Returns the cells beside some cells, those among them that lie side by side included."""
    return {near for x, y in cells for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))}


def connected(starts: Iterable[Position], cells: Collection[Position]) -> set[Position]:
    """Returns the starts, and the cells that paths within `cells` connect to them."""
    found = layer = set(starts)
    while layer:
        layer = {cell for cell in neighbours(layer) if cell in cells} - found
        found = found | layer
    return found


def pieces(cells: Collection[Position]) -> Iterator[set[Position]]:
    """Yields the connected parts of some cells."""
    left = set(cells)
    while left:
        piece = connected([min(left)], left)
        left -= piece
        yield piece
