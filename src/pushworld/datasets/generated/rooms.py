"""Random rooms: symmetric walls, objects of many shapes, and goals; they may be unsolvable."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from pushworld.datasets.errors import DataError
from pushworld.datasets.generated.distribution import Shape, polyominoes
from pushworld.puzzle import Position, Puzzle, PuzzleObject, Symmetry
from pushworld.puzzle.free_space import free_cells, free_places
from pushworld.puzzle.model import bounding_corner_and_shape

TOOL_SHAPES: tuple[str, ...] = (
    "##/#.",
    "###/#..",
    "###/.#.",
    "###/#.#",
    "####/#...",
    "#.#/###/..#",
    "####/#..#",
    "###/#.#/#.#",
    ".#./###/.#.",
    "###/#../#..",
    "###/#../###",
    "##/##",
    "#####/#...#",
    "###/.#./.#.",
)
"""Shapes that hook, hold and fit into each other, as rows of ``#`` and ``.``."""

MAX_FILLED = 0.6
"""The largest share of a room's free cells that objects cover."""

MAX_DRAWS = 1000
"""The draws after which a room counts as impossible: of 3 x 1 cells, one draw in 30 succeeds."""


@dataclass(frozen=True)
class RoomPlan:
    """The parameters of a random room; ranges include both ends.

    Attributes:
        width, height: the size of the interior.
        goals, others: the ranges of the numbers of movables with and without goals.
        agent_walls: the probability of a patch of agent walls.
    """

    width: int
    height: int
    goals: tuple[int, int]
    others: tuple[int, int]
    agent_walls: float


def room_plan(level: int, width: int, height: int, agent_walls: float) -> RoomPlan:
    """Returns the parameters of rooms for a level from 1 to 4."""
    goals = ((1, 1), (1, 2), (1, 3), (1, 4))[level - 1]
    others = ((0, 3), (1, 4), (2, 6), (3, 8))[level - 1]
    return RoomPlan(width, height, goals, others, agent_walls)


def random_room(plan: RoomPlan, random: Random) -> Puzzle:
    """Returns a room with walls, objects and goals; it may be unsolvable.

    Raises:
        DataError: if no drawn room has space for the agent, an object and its goal.
    """
    for _ in range(MAX_DRAWS):
        puzzle = _furnish(_empty_room(plan, random), plan, random)
        if puzzle is not None:
            return puzzle
    raise DataError(
        f"none of {MAX_DRAWS:,} random rooms of {plan.width} x {plan.height} cells has space for an "
        "agent, an object and its goal: choose a larger size"
    )


def random_shape(random: Random, room: int) -> Shape:
    """Returns a shape for a movable; `room` is the shorter side of the interior."""
    if random.random() < 0.45:
        return random.choice(polyominoes(1, 2 if room < 8 else 3))
    rows = random.choice(TOOL_SHAPES).split("/")
    cells = [(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"]
    return turned(cells, random.choice(list(Symmetry)))


def turned(cells: Iterable[Position], symmetry: Symmetry) -> Shape:
    """Returns a shape transformed by a symmetry."""
    return bounding_corner_and_shape(symmetry.apply_to_vector(cell) for cell in cells)[1]


def agent_shape(random: Random) -> Shape:
    """Returns a shape for the agent, mostly a single cell."""
    if random.random() < 0.6:
        return ((0, 0),)
    return random.choice((((0, 0), (1, 0)), ((0, 0), (0, 1)), ((0, 0), (1, 0), (0, 1), (1, 1))))


def bar(random: Random, width: int, height: int, longest: int) -> set[Position]:
    """Returns a straight line of cells at a random place of the interior."""
    length = random.randint(1, longest)
    flat = random.random() < 0.5
    dx, dy = (1, 0) if flat else (0, 1)
    x = random.randint(1, max(1, width - (length - 1) * dx))
    y = random.randint(1, max(1, height - (length - 1) * dy))
    cells = {(x + step * dx, y + step * dy) for step in range(length)}
    return {(cx, cy) for cx, cy in cells if cx <= width and cy <= height}


def mirrored(cells: set[Position], width: int, height: int, axis: str) -> set[Position]:
    """Returns cells and their mirror images: axis ``x``, ``y``, ``r`` (half a turn) or none."""
    if axis == "x":
        return cells | {(width + 1 - x, y) for x, y in cells}
    if axis == "y":
        return cells | {(x, height + 1 - y) for x, y in cells}
    if axis == "r":
        return cells | {(width + 1 - x, height + 1 - y) for x, y in cells}
    return cells


def _empty_room(plan: RoomPlan, random: Random) -> Puzzle:
    """Returns a room with walls, and an agent at a random place."""
    width, height = plan.width, plan.height
    axis = random.choice("xyr-")
    walls: set[Position] = set()
    if random.random() < 0.6:
        walls |= _partition(random, width, height)
    for _ in range(random.randint(1, max(2, width * height // 25))):
        walls |= bar(random, width, height, longest=max(2, min(width, height) // 2))
    walls = mirrored(walls, width, height, axis)
    patch: set[Position] = set()
    if random.random() < plan.agent_walls:
        across = random.randint(1, max(1, width // 2)), random.randint(1, max(1, height // 2))
        left, top = (
            random.randint(1, width - across[0] + 1),
            random.randint(1, height - across[1] + 1),
        )
        patch = {(left + x, top + y) for x in range(across[0]) for y in range(across[1])}
        patch = mirrored(patch, width, height, axis) - walls
    free = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)} - walls - patch
    start = random.choice(sorted(free)) if free else (1, 1)
    walls.discard(start)
    return Puzzle(
        width=width + 2,
        height=height + 2,
        objects=(PuzzleObject("A", ((0, 0),), start),),
        walls=frozenset(walls),
        agent_walls=frozenset(patch - {start}),
    )


def _partition(random: Random, width: int, height: int) -> set[Position]:
    """Returns a wall across the interior with one or two doors."""
    flat = random.random() < 0.5
    along, across = (width, height) if flat else (height, width)
    place = random.randint(2, max(2, across - 1))
    line = set(range(1, along + 1))
    for _ in range(random.randint(1, 2)):
        door = random.randint(1, along)
        line -= set(range(door, door + random.randint(1, 3)))
    return {(step, place) if flat else (place, step) for step in line}


def _furnish(room: Puzzle, plan: RoomPlan, random: Random) -> Puzzle | None:
    """Returns the room with as many objects as fit, or None if there is no object with a goal."""
    goals = random.randint(*plan.goals)
    count = goals + random.randint(*plan.others)
    shapes = [agent_shape(random)]
    shapes += [random_shape(random, min(plan.width, plan.height)) for _ in range(count)]
    objects: list[PuzzleObject] = []
    taken: set[Position] = set(room.walls)
    most = len(taken) + MAX_FILLED * len(free_cells(room))
    for index, shape in enumerate(shapes):
        blocked = taken | room.agent_walls if index == 0 else taken
        places = free_places(room, shape, blocked)
        if not places or (index > 1 and len(taken) + len(shape) > most):
            break
        thing = PuzzleObject(f"M{index}" if index else "A", shape, random.choice(places))
        taken |= thing.cells_at(thing.start)
        objects.append(thing)
    if len(objects) < 2:
        return None
    goals = min(goals, len(objects) - 1)
    outlines: set[Position] = set(room.walls)
    for index in range(1, goals + 1):
        thing = objects[index]
        places = [each for each in free_places(room, thing.shape, outlines) if each != thing.start]
        if not places:
            return None
        goal = random.choice(places)
        outlines |= thing.cells_at(goal)
        objects[index] = PuzzleObject(thing.name, thing.shape, thing.start, goal)
    return Puzzle(room.width, room.height, tuple(objects), room.walls, room.agent_walls)
