"""Hypothesis strategies for puzzles and walks.

All of them paint the cells of a grid: cells with one id are one object, whether they touch or not,
so that concave, disconnected, nested and interlocking objects come by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from pushworld.puzzle import DELTAS, Action, Position, Puzzle, PuzzleObject

Grid = list[list[str]]
"""Rows of ids of the interior; an empty text is an empty cell."""

AGENT = "A"
WALLS = ("W", "AW")

# Plain seeds: hypothesis's own random choices are too often alike to make worlds that move.
randoms = st.sampled_from(range(2**20)).map(Random)
plans = st.lists(st.sampled_from(Action), max_size=30).map(tuple)


def objects_of(grid: Grid) -> dict[str, set[Position]]:
    """Returns the cells of the world that each id of the grid covers."""
    cells: dict[str, set[Position]] = {}
    for y, row in enumerate(grid, start=1):
        for x, element in enumerate(row, start=1):
            if element:
                cells.setdefault(element, set()).add((x, y))
    return cells


@st.composite
def puzzles_on(draw: st.DrawFn, grid: Grid) -> Puzzle:
    """Returns the puzzle that a grid shows, with drawn goals for some of the objects."""
    cells = objects_of(grid)
    width, height = len(grid[0]) + 2, len(grid) + 2
    movables = []
    for name in sorted(cells.keys() - {AGENT, *WALLS}):
        thing = PuzzleObject.from_cells(name, cells[name])
        goal = None
        if draw(st.integers(0, 2)) == 0:
            goal = (
                draw(st.integers(1, width - 1 - thing.width)),
                draw(st.integers(1, height - 1 - thing.height)),
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


@st.composite
def painted_grids(draw: st.DrawFn) -> Grid:
    """Small, crowded worlds of objects that grow cell by cell, mostly along their own edges."""
    width = draw(st.sampled_from((5, 6, 7, 8, 4, 3, 2, 1)))
    height = draw(st.sampled_from((5, 6, 7, 8, 4, 3, 2, 1)))
    movables = draw(st.sampled_from((3, 4, 6, 2, 1, 0)))
    wall_share = draw(st.sampled_from((0.0, 0.05, 0.2)))
    random = draw(randoms)
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


@st.composite
def woven_grids(draw: st.DrawFn) -> Grid:
    """Rows in which a few ids repeat in a cycle: objects that push each other in rings."""
    length = draw(st.integers(2, 9))
    ring = [AGENT, *(f"M{k}" for k in range(1, draw(st.integers(2, 5))))]
    rows = []
    for _ in range(draw(st.integers(1, 4))):
        shift = draw(st.integers(0, len(ring) - 1))
        gap = draw(st.integers(0, 3))
        row = [ring[(x + shift) % len(ring)] for x in range(length)]
        rows.append([""] * gap + row + [""] * (3 - gap))
    rows.insert(draw(st.integers(0, len(rows))), [""] * (length + 3))
    if not any(AGENT in row for row in rows):
        rows[draw(st.integers(0, len(rows) - 1))][0] = AGENT
    return draw(st.sampled_from([rows, transposed(rows)]))


@st.composite
def nested_grids(draw: st.DrawFn) -> Grid:
    """Rings around rings, with gaps, and something that may move at the centre."""
    depth = draw(st.integers(1, 3))
    side = 4 * depth + 3
    grid = [[""] * side for _ in range(side)]
    names = draw(st.permutations([AGENT, *(f"M{k}" for k in range(depth))]))
    for layer, name in enumerate(names):
        low, high = 2 * layer + 1, side - 2 * layer - 2
        outline = [
            (x, y)
            for y in range(low, high + 1)
            for x in range(low, high + 1)
            if x in (low, high) or y in (low, high)
        ]
        gaps = draw(st.sets(st.sampled_from(outline), max_size=len(outline) - 1))
        for x, y in set(outline) - gaps:
            grid[y][x] = name
    return grid


@st.composite
def chain_grids(draw: st.DrawFn) -> Grid:
    """One row of many objects behind each other, with gaps and now and then a wall at the end."""
    length = draw(st.sampled_from((5, 10, 20, 40, 63, 64, 80)))
    row = [AGENT]
    for k in range(length):
        row += [""] * draw(st.sampled_from((0, 0, 0, 1))) + [f"M{k}"]
    row += draw(st.sampled_from([[], [""], ["", ""], ["", "AW", ""]]))
    grid = [row, [""] * len(row)]
    return draw(st.sampled_from([grid, transposed(grid), [line[::-1] for line in grid]]))


@st.composite
def crowd_grids(draw: st.DrawFn) -> Grid:
    """More objects than a word has bits, of a few small shapes."""
    side = draw(st.integers(14, 16))
    random = draw(randoms)
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


@st.composite
def wide_grids(draw: st.DrawFn) -> Grid:
    """Small grids stretched sideways or placed far to the right: more columns than a word has bits."""
    grid = draw(painted_grids())
    stretch = draw(st.sampled_from((1, 1, 14, 30)))
    left = draw(st.integers(50, 70)) if stretch == 1 else draw(st.integers(0, 10))
    right = draw(st.integers(0, 80))
    return [
        [""] * left + [element for element in row for _ in range(stretch)] + [""] * right
        for row in grid
    ]


def transposed(grid: Grid) -> Grid:
    """Returns the grid with rows and columns exchanged."""
    return [list(column) for column in zip(*grid, strict=True)]


GRIDS: dict[str, st.SearchStrategy[Grid]] = {
    "painted": painted_grids(),
    "woven": woven_grids(),
    "nested": nested_grids(),
    "chain": chain_grids(),
    "crowd": crowd_grids(),
    "wide": wide_grids(),
}

small_puzzles = painted_grids().flatmap(puzzles_on)
puzzles = st.one_of(*GRIDS.values()).flatmap(puzzles_on)
