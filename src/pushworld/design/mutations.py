"""Mutations: small random changes to a puzzle. Each returns a puzzle, or None if it does not fit."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random

from pushworld.datasets.generated.rooms import agent_shape, bar, mirrored, random_shape, turned
from pushworld.design.dead_ends import random_walk
from pushworld.engine import Engine
from pushworld.puzzle import Position, Puzzle, PuzzleError, PuzzleObject, Symmetry
from pushworld.puzzle.free_space import (
    free_places,
    inner_walls,
    interior,
    neighbours,
    occupied,
    outlines,
    pieces,
)
from pushworld.puzzle.model import bounding_corner_and_shape

MAX_MOVABLES = 14
MAX_GOALS = 5
ATTEMPTS = 50
THWARTING = 0.4
"""How often the first mutation thwarts the plan."""

Mutation = Callable[[Puzzle, Random], Puzzle | None]


def mutate(
    puzzle: Puzzle, random: Random, plan: str | None = None, agent_walls: bool = True
) -> Puzzle:
    """Returns the puzzle after one to three mutations.

    Args:
        plan: a good plan, which some mutations then thwart.
        agent_walls: whether mutations may add agent walls.
    """
    wanted = random.choice((1, 1, 2, 3))
    if plan is not None and random.random() < THWARTING:
        try:
            puzzle = thwart(puzzle, plan, random, agent_walls) or puzzle
            wanted -= 1
        except PuzzleError:
            pass
    for _ in range(ATTEMPTS):
        if wanted == 0:
            break
        mutation = random.choices(list(MUTATIONS), list(MUTATIONS.values()))[0]
        if mutation is change_agent_walls and not agent_walls:
            continue
        try:
            changed = mutation(puzzle, random)
        except PuzzleError:
            continue
        if changed is not None and changed != puzzle:
            puzzle, wanted = changed, wanted - 1
    return puzzle


def thwart(puzzle: Puzzle, plan: str, random: Random, agent_walls: bool) -> Puzzle | None:
    """Obstructs a plan with walls, agent walls or a movable.

    Agent walls go where the plan leads the agent, so that it needs a tool to push from there.
    """
    states = list(puzzle.replay(plan))
    agent_cells = {cell for state in states for cell in puzzle.agent.cells_at(state[0])}
    agent_cells -= puzzle.agent.cells_at(puzzle.agent.start)
    if not agent_cells:
        return None
    cell = random.choice(sorted(agent_cells))
    kind = random.random()
    if kind < 0.4 and agent_walls:
        row = like_the_walls(puzzle, _bar_through(puzzle, cell, random), random)
        row -= puzzle.walls | puzzle.agent.cells_at(puzzle.agent.start)
        return replace(puzzle, agent_walls=puzzle.agent_walls | row)
    if kind < 0.7:
        row = like_the_walls(puzzle, _bar_through(puzzle, cell, random), random)
        row -= occupied(puzzle) | outlines(puzzle)
        return replace(puzzle, walls=puzzle.walls | row, agent_walls=puzzle.agent_walls - row)
    return add_object(puzzle, random, over=cell)


def add_walls(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Adds a bar of walls, with its mirror image where the walls are symmetric."""
    cells = like_the_walls(puzzle, _bar(puzzle, random), random)
    cells -= occupied(puzzle) | outlines(puzzle)
    return replace(puzzle, walls=puzzle.walls | cells, agent_walls=puzzle.agent_walls - cells)


def remove_walls(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Removes a piece of the walls, with its mirror image where they are symmetric."""
    walls = sorted(inner_walls(puzzle))
    if not walls:
        return None
    x, y = random.choice(walls)
    dx, dy = random.choice(((1, 0), (0, 1)))
    piece = {(x + step * dx, y + step * dy) for step in range(random.randint(1, 4))}
    piece = like_the_walls(puzzle, piece, random) & interior(puzzle)
    return replace(puzzle, walls=puzzle.walls - piece)


def change_agent_walls(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Adds a bar of agent walls, or removes one."""
    cells = like_the_walls(puzzle, _bar(puzzle, random), random) - puzzle.walls
    if puzzle.agent_walls and random.random() < 0.5:
        return replace(puzzle, agent_walls=puzzle.agent_walls - cells)
    cells -= puzzle.agent.cells_at(puzzle.agent.start)
    return replace(puzzle, agent_walls=puzzle.agent_walls | cells)


def move_object(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Moves the start of an object or of the agent."""
    thing = random.choice(puzzle.objects)
    blocked = puzzle.walls | occupied(puzzle, but=thing.name)
    if thing is puzzle.agent:
        blocked |= puzzle.agent_walls
    near = [
        place
        for place in free_places(puzzle, thing.shape, blocked)
        if random.random() < 0.3 or _distance(place, thing.start) <= 3
    ]
    return with_object(puzzle, replace(thing, start=random.choice(near))) if near else None


def move_goal(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Moves a goal, or gives one to another object."""
    thing = random.choice(puzzle.movables)
    others = outlines(puzzle, but=thing.name)
    places = free_places(puzzle, thing.shape, puzzle.walls | others)
    places = [place for place in places if place != thing.start]
    if not places or (thing.goal is None and len(puzzle.goal) >= MAX_GOALS):
        return None
    moved = with_object(puzzle, replace(thing, goal=random.choice(places)))
    if thing.goal is None and random.random() < 0.6:
        other = random.choice(puzzle.movables[: len(puzzle.goal)])
        moved = with_object(moved, replace(other, goal=None))
    return moved


def goals_by_walk(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Puts the goals where a random walk takes their objects."""
    state = random_walk(Engine(puzzle), random)
    objects = [
        thing if thing.goal is None else replace(thing, goal=position)
        for thing, position in zip(puzzle.objects, state, strict=True)
    ]
    if any(thing.goal == thing.start for thing in objects):
        return None
    return replace(puzzle, objects=tuple(objects))


def drop_goal(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Removes a goal; its object stays."""
    if len(puzzle.goal) < 2:
        return None
    thing = random.choice(puzzle.movables[: len(puzzle.goal)])
    return with_object(puzzle, replace(thing, goal=None))


def add_object(puzzle: Puzzle, random: Random, over: Position | None = None) -> Puzzle | None:
    """Adds a movable without a goal, over a certain cell if one is given."""
    if len(puzzle.movables) >= MAX_MOVABLES:
        return None
    shape = random_shape(random, min(puzzle.width, puzzle.height) - 2)
    places = free_places(puzzle, shape, puzzle.walls | occupied(puzzle))
    if over is not None:
        places = [(x, y) for x, y in places if (over[0] - x, over[1] - y) in shape]
    if not places:
        return None
    thing = PuzzleObject(free_name(puzzle), shape, random.choice(places))
    return replace(puzzle, objects=(*puzzle.objects, thing))


def remove_object(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Removes a movable without a goal."""
    without_goal = puzzle.movables[len(puzzle.goal) :]
    if not without_goal:
        return None
    gone = random.choice(without_goal)
    return replace(puzzle, objects=tuple(each for each in puzzle.objects if each is not gone))


def change_shape(puzzle: Puzzle, random: Random) -> Puzzle | None:
    """Changes the shape of an object: turned, one cell more or less, or a new one."""
    thing = random.choice(puzzle.objects)
    kind = random.random()
    if thing is puzzle.agent:
        shape = agent_shape(random)
    elif kind < 0.3:
        shape = turned(thing.shape, random.choice(list(Symmetry)))
    elif kind < 0.7:
        shape = _one_cell_changed(thing.shape, random)
    else:
        shape = random_shape(random, min(puzzle.width, puzzle.height) - 2)
    if thing.goal is not None and thing.goal not in free_places(
        puzzle, shape, puzzle.walls | outlines(puzzle, but=thing.name)
    ):
        return None
    return with_object(puzzle, replace(thing, shape=shape))


MUTATIONS: dict[Mutation, float] = {
    add_walls: 2,
    remove_walls: 2,
    change_agent_walls: 1,
    move_object: 3,
    move_goal: 3,
    goals_by_walk: 2,
    drop_goal: 0.5,
    add_object: 1.5,
    remove_object: 1.5,
    change_shape: 3,
}
"""All mutations with their relative frequencies."""


def wall_symmetry(puzzle: Puzzle) -> str:
    """Returns the axis of the walls' symmetry, or ``-`` if there is none: see `rooms.mirrored`."""
    walls = inner_walls(puzzle)
    width, height = puzzle.width - 2, puzzle.height - 2
    for axis in "xyr":
        if walls and mirrored(walls, width, height, axis) == walls:
            return axis
    return "-"


def like_the_walls(puzzle: Puzzle, cells: set[Position], random: Random) -> set[Position]:
    """Returns the cells, mostly with their mirror images if the walls are symmetric."""
    if random.random() < 0.2:
        return cells
    return mirrored(cells, puzzle.width - 2, puzzle.height - 2, wall_symmetry(puzzle))


def _bar(puzzle: Puzzle, random: Random) -> set[Position]:
    return bar(random, puzzle.width - 2, puzzle.height - 2, longest=4)


def _bar_through(puzzle: Puzzle, cell: Position, random: Random) -> set[Position]:
    """Returns a straight row of interior cells through a cell."""
    dx, dy = random.choice(((1, 0), (0, 1)))
    before, after = random.randint(0, 2), random.randint(0, 2)
    row = {(cell[0] + step * dx, cell[1] + step * dy) for step in range(-before, after + 1)}
    return row & interior(puzzle)


def _one_cell_changed(shape: tuple[Position, ...], random: Random) -> tuple[Position, ...]:
    """Returns a connected shape with one cell more or less."""
    cells = set(shape)
    choices = [cells | {cell} for cell in sorted(neighbours(cells) - cells)]
    fewer = [cells - {cell} for cell in sorted(cells)]
    choices += [each for each in fewer if len(list(pieces(each))) == 1]
    return bounding_corner_and_shape(random.choice(choices))[1]


def free_name(puzzle: Puzzle) -> str:
    """Returns the first of M1, M2, ... that no object has."""
    names = {thing.name.upper() for thing in puzzle.movables}
    return next(name for number in count(1) if (name := f"M{number}") not in names)


def with_object(puzzle: Puzzle, changed: PuzzleObject) -> Puzzle:
    """Returns the puzzle with another object in place of the one of its name."""
    objects = (changed if each.name == changed.name else each for each in puzzle.objects)
    return replace(puzzle, objects=tuple(objects))


def _distance(one: Position, other: Position) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
