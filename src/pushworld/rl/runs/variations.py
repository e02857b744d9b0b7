"""More training puzzles: other goals in the same rooms with the same objects, and random rooms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from random import Random

import numpy as np

from pushworld.datasets.generated.rooms import random_room, room_plan
from pushworld.engine import Engine
from pushworld.envs.distances import mask_of, stopped_positions
from pushworld.puzzle import Position, Puzzle

SIDES = (4, 12)
"""The smallest and the largest side of a random room, without its border."""

AGENT_WALLS = 0.15
"""The share of random rooms with agent walls."""

WALKS, WALK, STRAIGHT = 16, 100, 0.6
"""How many random walks are tried in a room, their actions, and how likely an action repeats the one before.
Goals are where the walk that pushed the most objects has pushed them."""


def random_rooms(count: int, max_states: int, seed: int) -> list[Puzzle]:
    """Returns random rooms with at most `max_states` states that have a plan.

    They are drawn as the designer draws rooms of Levels 1 and 2, with goals that a random walk reaches.
    """
    random = Random(seed)
    found: list[Puzzle] = []
    while len(found) < count:
        plan = room_plan(
            random.randint(1, 2), random.randint(*SIDES), random.randint(*SIDES), AGENT_WALLS
        )
        room = random_room(plan, random)
        if count_states(room) <= max_states:
            found += _with_reached_goals(room, random)
    return found


def _with_reached_goals(room: Puzzle, random: Random) -> list[Puzzle]:
    """Returns a room with goals where a random walk pushes some of its objects; none if it pushes none."""
    engine = Engine(room)
    states, rng = engine.initial_states(WALKS), np.random.default_rng(random.getrandbits(32))
    actions = rng.integers(0, 4, (WALK, WALKS), np.uint8)
    for before, after in pairwise(actions):
        after[:] = np.where(rng.random(WALKS) < STRAIGHT, before, after)
        engine.step_batch(states, after)
    pushed = (states != engine.initial_states(1)).any(axis=2).sum(axis=1)
    state = [(int(x), int(y)) for x, y in states[int(np.argmax(pushed))]]
    moved = [index for index in range(1, len(state)) if state[index] != room.initial_state[index]]
    chosen = random.sample(moved, min(len(moved), len(room.goal)))
    things = [
        replace(thing, goal=state[index] if index in chosen else None)
        for index, thing in enumerate(room.objects)
    ]
    return [replace(room, objects=tuple(things))] if chosen else []


def with_other_goals(
    puzzles: Sequence[Puzzle], copies: int, max_states: int, seed: int
) -> list[Puzzle]:
    """Returns the puzzles, followed by copies of those with at most `max_states` states.

    In a copy other movables may have the goals, and all goals are at random positions; nothing else
    moves. The number of goals stays, and so does the number of different shapes of the objects that
    have one. A copy need not have a plan.
    """
    rng = np.random.default_rng(seed)
    found = list(puzzles)
    for puzzle in puzzles:
        free = _free_positions(puzzle)
        if puzzle.goal and prod(map(len, free)) <= max_states:
            found += [_other_goals(puzzle, free[1:], rng) for _ in range(copies)]
    return found


def count_states(puzzle: Puzzle) -> int:
    """Returns the number of states of a puzzle as a teacher counts them, overlapping ones included."""
    return prod(map(len, _free_positions(puzzle)))


def _other_goals(
    puzzle: Puzzle, free: Sequence[Sequence[Position]], rng: np.random.Generator
) -> Puzzle:
    """Returns a copy of a puzzle, given the positions that walls leave to each movable."""
    movables, goals = puzzle.movables, len(puzzle.goal)
    shapes = len({thing.shape for thing in movables[:goals]})
    while True:
        order = rng.permutation(len(movables)).tolist()
        if len({movables[each].shape for each in order[:goals]}) < shapes:
            continue
        places = [free[each][int(rng.integers(len(free[each])))] for each in order[:goals]]
        cells = [movables[each].cells_at(place) for each, place in zip(order, places, strict=False)]
        if sum(map(len, cells)) > len(frozenset().union(*cells)):
            continue
        moved = [
            replace(movables[each], name=thing.name, goal=place)
            for thing, each, place in zip(
                movables, order, [*places, *[None] * (len(movables) - goals)], strict=True
            )
        ]
        return replace(puzzle, objects=(puzzle.agent, *moved))


def _free_positions(puzzle: Puzzle) -> list[list[Position]]:
    """Returns the positions that walls leave to each object."""
    free = []
    for number, thing in enumerate(puzzle.objects):
        cells = puzzle.walls if number else puzzle.walls | puzzle.agent_walls
        stops = mask_of(cells, puzzle.width, puzzle.height)
        rows, columns = np.nonzero(~stopped_positions(stops, thing.shape))
        free.append(list(zip(columns.tolist(), rows.tolist(), strict=True)))
    return free
