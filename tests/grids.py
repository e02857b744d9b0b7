"""Random worlds of every kind, each from one seed.

All of them paint the cells of a grid: cells with one id are one object, whether they touch or not,
so that concave, disconnected, nested and interlocking objects come by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from pushworld.puzzle import DELTAS, Position, Puzzle, PuzzleObject

Grid = list[list[str]]
"""Rows of ids of the interior; an empty text is an empty cell."""

AGENT = "A"
WALLS = ("W", "AW")
SIDES = (5, 6, 7, 8, 4, 3, 2, 1)


def objects_of(grid: Grid) -> dict[str, set[Position]]:
    """Returns the cells of the world that each id of the grid covers."""
    cells: dict[str, set[Position]] = {}
    for y, row in enumerate(grid, start=1):
        for x, element in enumerate(row, start=1):
            if element:
                cells.setdefault(element, set()).add((x, y))
    return cells


def puzzle_on(grid: Grid, random: Random) -> Puzzle:
    """Returns the puzzle that a grid shows, with random goals for a third of the objects."""
    cells = objects_of(grid)
    width, height = len(grid[0]) + 2, len(grid) + 2
    movables = []
    for name in sorted(cells.keys() - {AGENT, *WALLS}):
        thing = PuzzleObject.from_cells(name, cells[name])
        goal = None
        if random.randrange(3) == 0:
            goal = (
                random.randint(1, width - 1 - thing.width),
                random.randint(1, height - 1 - thing.height),
            )
        movables.append(PuzzleObject(thing.name, thing.shape, thing.start, goal))
    return Puzzle(
        width=width,
        height=height,
        objects=(PuzzleObject.from_cells(AGENT, cells[AGENT]), *movables),
        walls=frozenset(cells.get("W", ())),
        agent_walls=frozenset(cells.get("AW", ())),
        name="drawn",
    )


def painted_grid(random: Random) -> Grid:
    """A small, crowded world of objects that grow cell by cell, mostly along their own edges."""
    width, height = random.choice(SIDES), random.choice(SIDES)
    movables = random.choice((3, 4, 6, 2, 1, 0))
    wall_share = random.choice((0.0, 0.05, 0.2))
    grid = [[""] * width for _ in range(height)]
    free = {(x, y) for x in range(width) for y in range(height)}
    for name in [AGENT, *(f"M{k}" for k in range(movables))]:
        grown: set[Position] = set()
        size = random.choice((1, 1, 2) if name == AGENT else (1, 1, 2, 3, 5))
        for _ in range(min(size, len(free))):
            edge = {(x + dx, y + dy) for x, y in grown for dx, dy in DELTAS} & free
            x, y = random.choice(sorted(edge if edge and random.random() < 0.8 else free))
            grown.add((x, y))
            free.remove((x, y))
            grid[y][x] = name
    for x, y in sorted(free):
        if random.random() < wall_share:
            grid[y][x] = random.choice(WALLS)
    return grid


def woven_grid(random: Random) -> Grid:
    """Rows in which a few ids repeat in a cycle: objects that push each other in rings."""
    length = random.randint(2, 9)
    ring = [AGENT, *(f"M{k}" for k in range(1, random.randint(2, 5)))]
    rows = []
    for _ in range(random.randint(1, 4)):
        shift = random.randrange(len(ring))
        gap = random.randint(0, 3)
        row = [ring[(x + shift) % len(ring)] for x in range(length)]
        rows.append([""] * gap + row + [""] * (3 - gap))
    rows.insert(random.randint(0, len(rows)), [""] * (length + 3))
    if not any(AGENT in row for row in rows):
        random.choice(rows)[0] = AGENT
    return random.choice([rows, transposed(rows)])


def nested_grid(random: Random) -> Grid:
    """Rings around rings, with gaps, and something that may move at the centre."""
    depth = random.randint(1, 3)
    side = 4 * depth + 3
    grid = [[""] * side for _ in range(side)]
    names = [AGENT, *(f"M{k}" for k in range(depth))]
    random.shuffle(names)
    for layer, name in enumerate(names):
        low, high = 2 * layer + 1, side - 2 * layer - 2
        outline = [
            (x, y)
            for y in range(low, high + 1)
            for x in range(low, high + 1)
            if x in (low, high) or y in (low, high)
        ]
        for x, y in random.sample(outline, random.randint(1, len(outline))):
            grid[y][x] = name
    return grid


def chain_grid(random: Random) -> Grid:
    """One row of many objects behind each other, with gaps and now and then a wall at the end."""
    length = random.choice((5, 10, 20, 40, 63, 64, 80))
    row = [AGENT]
    for k in range(length):
        row += [""] * random.choice((0, 0, 0, 1)) + [f"M{k}"]
    row += random.choice([[], [""], ["", ""], ["", "AW", ""]])
    grid = [row, [""] * len(row)]
    return random.choice([grid, transposed(grid), [line[::-1] for line in grid]])


def crowd_grid(random: Random) -> Grid:
    """More objects than a word has bits, of a few small shapes."""
    side = random.randint(14, 16)
    grid = [[""] * side for _ in range(side)]
    shapes: Sequence[Sequence[Position]] = [
        [(0, 0)],
        [(0, 0), (1, 0)],
        [(0, 0), (0, 1), (1, 1)],
        [(0, 0), (2, 0)],
    ]
    grid[random.randrange(side)][random.randrange(side)] = AGENT
    for k in range(110):
        corner_x, corner_y = random.randrange(side), random.randrange(side)
        cells = [(corner_x + x, corner_y + y) for x, y in random.choice(shapes)]
        if all(x < side and y < side and not grid[y][x] for x, y in cells):
            for x, y in cells:
                grid[y][x] = f"M{k}"
    return grid


def wide_grid(random: Random) -> Grid:
    """A small grid stretched sideways or placed far to the right: more columns than a word has bits."""
    grid = painted_grid(random)
    stretch = random.choice((1, 1, 14, 30))
    left = random.randint(50, 70) if stretch == 1 else random.randint(0, 10)
    right = random.randint(0, 80)
    return [
        [""] * left + [element for element in row for _ in range(stretch)] + [""] * right
        for row in grid
    ]


def transposed(grid: Grid) -> Grid:
    """Returns the grid with rows and columns exchanged."""
    return [list(column) for column in zip(*grid, strict=True)]


KINDS: dict[str, Callable[[Random], Grid]] = {
    "painted": painted_grid,
    "woven": woven_grid,
    "nested": nested_grid,
    "chain": chain_grid,
    "crowd": crowd_grid,
    "wide": wide_grid,
}
