"""New rooms with tools, each with a plan that a planner found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from pushworld.datasets.generated.rooms import random_room, random_shape, room_plan
from pushworld.learned.training.labels import raise_if_interrupted
from pushworld.planners import solve
from pushworld.puzzle import Puzzle
from pushworld.puzzle.free_space import free_places

MIN_PLAN_LENGTH, MAX_STATES = 8, 3_000
"""The fewest actions of a room's plan, and the states that a planner has to find it."""


@dataclass(frozen=True)
class RoomKind:
    """How rooms of one kind are drawn.

    Attributes:
        sides: the shortest and the longest side.
        levels: of the numbers of objects, see `room_plan`.
        agent_walls: the probability of a patch of agent walls.
        large_agents: the probability that the agent gets a random shape.
        plain: the probability to keep a room whose plan moves nothing but objects with goals.
    """

    sides: tuple[int, int]
    levels: tuple[int, ...]
    agent_walls: float
    large_agents: float
    plain: float


KINDS = {
    "rooms": RoomKind((5, 16), (1, 2), 0.15, 0.5, 1.0),
    "halls": RoomKind((8, 16), (1, 2, 3), 0.3, 0.35, 0.4),
    "large-halls": RoomKind((14, 22), (2, 3), 0.3, 0.35, 0.4),
}
"""The kinds of rooms by name: rooms like those of Level 1, and larger halls with more tools."""


def solved_room(kind: RoomKind, random: Random) -> tuple[Puzzle, str]:
    """Returns a random room, and a plan of at least `MIN_PLAN_LENGTH` actions."""
    while True:
        room = varied_room(kind, random)
        found = raise_if_interrupted(solve(room, max_states=MAX_STATES))
        if found.plan is None or len(found.plan) < MIN_PLAN_LENGTH:
            continue
        if random.random() < kind.plain or _uses_tools(room, found.plan):
            return room, found.plan


def varied_room(kind: RoomKind, random: Random) -> Puzzle:
    """Returns a random room with walls, agent walls and random shapes; it may have no plan."""
    width, height = random.randint(*kind.sides), random.randint(*kind.sides)
    plan = room_plan(random.choice(kind.levels), width, height, kind.agent_walls)
    room = random_room(plan, random)
    if random.random() > kind.large_agents:
        return room
    shape = random_shape(random, min(width, height))
    taken = {cell for thing in room.movables for cell in thing.cells_at(thing.start)}
    places = free_places(room, shape, room.walls | room.agent_walls | taken)
    if not places:
        return room
    agent = replace(room.agent, shape=shape, start=random.choice(places))
    return replace(room, objects=(agent, *room.movables))


def _uses_tools(room: Puzzle, plan: str) -> bool:
    """Returns whether the plan moves an object without a goal."""
    first = 1 + len(room.goal)
    return any(state[first:] != room.initial_state[first:] for state in room.replay(plan))
