"""Compares where objects can be pushed to, and wait for each other, with the reference dynamics."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from pushworld import Puzzle
from pushworld.engine import Engine
from pushworld.puzzle import DELTAS, Action, Position, State
from tests.native.parts import Placements
from tests.planners.tiny_puzzles import random_state, tiny_puzzle

SEEDS = range(80)


def only(puzzle: Puzzle, *movables: int) -> Puzzle:
    """Returns the puzzle with the agent and these movables alone."""
    objects = (puzzle.agent, *(puzzle.objects[i] for i in movables))
    return replace(puzzle, objects=objects)


def in_reach(puzzle: Puzzle, movable: int) -> set[Position]:
    """Returns where an agent that may stand wherever it can walk without the object can push it."""
    alone = only(puzzle, movable)
    cells = {at: cells_of(alone, 0, at) for at in walks_alone(puzzle)}
    found = [alone.initial_state[1]]
    for place in found:
        here = cells_of(alone, 1, place)
        for at, action in product(cells, Action):
            after = place if cells[at] & here else alone.step((at, place), action)[1]
            if after not in found:
                found.append(after)
    return set(found)


def cells_of(puzzle: Puzzle, index: int, at: Position) -> set[Position]:
    return set(puzzle.objects[index].cells_at(at))


def places_in_reach(puzzle: Puzzle, movable: int) -> set[Position]:
    native = Placements(Engine(puzzle).native)
    places = product(range(puzzle.width), range(puzzle.height))
    return {place for place in places if native.is_in_reach(movable, place)}


def test_what_is_in_reach_ignores_what_is_in_the_way() -> None:
    for seed in SEEDS:
        puzzle = tiny_puzzle(seed, max_movables=2)
        for movable in range(1, len(puzzle.objects)):
            assert places_in_reach(puzzle, movable) == in_reach(puzzle, movable)


def test_bodies_of_random_walks_wait_in_reach() -> None:
    bodies = 0
    for seed in SEEDS:
        puzzle = tiny_puzzle(seed)
        for steps in (10, 40, 70, 100):
            state = random_state(Random(seed), puzzle, steps)
            bodies += sum(check_ways_to_wait(puzzle, state, action) for action in Action)
    assert bodies > 15


@pytest.mark.parametrize("shafts", [(5, 7), (5, 8), (6, 7), (6, 8), (7, 8)])
def test_a_line_has_gaps(shafts: tuple[int, int]) -> None:
    """The agent does not fit into a corridor. It pushes two objects into it through shafts from above,
    and a bar from the left, which then pushes both of them on."""
    top = ["M2" if x == shafts[0] else "M3" if x == shafts[1] else "W" for x in range(5, 11)]
    rows = [
        ["."] * 11,
        ["."] * 11,
        ["."] * 5 + top,
        ["A", "M1", "M1", "M1", "."] + ["."] * 5 + ["G3"],
        ["A"] + ["."] * 4 + ["W"] * 6,
    ]
    puzzle = Puzzle.parse("\n".join(" ".join(row) for row in rows))
    before_last_push = {"A": (4, 4), "M1": (5, 4), "M2": (8, 4), "M3": (9, 4)}
    state = tuple(before_last_push[thing.name] for thing in puzzle.objects)
    assert check_ways_to_wait(puzzle, state, Action.RIGHT)


def check_ways_to_wait(puzzle: Puzzle, state: State, action: Action) -> bool:
    """Compares the fewest pushes from places in reach with all possible ones. Returns whether the
    action moves something."""
    moved = [i for i, at in enumerate(puzzle.step(state, action)) if at != state[i]]
    if len(moved) < 2:
        return False
    native = Placements(Engine(puzzle).native)
    found = native.pushes_in_reach(action, [(i, state[i]) for i in moved])
    wanted = ways_to_wait(puzzle, moved, state, action)
    assert bool(found) == bool(wanted)
    if found:
        assert tuple(found) == tuple(min(way[i] for way in wanted) for i in range(len(moved)))
        assert tuple(found) in wanted
    return True


def ways_to_wait(
    puzzle: Puzzle, moved: list[int], state: State, action: Action
) -> set[tuple[int, ...]]:
    """Returns how often each object, the agent first, may be pushed until the step from `state` ends."""
    body = only(puzzle, *moved[1:])
    end = body.step(tuple(state[i] for i in moved), action)
    reach = [walks_alone(puzzle), *(places_in_reach(puzzle, i) for i in moved[1:])]
    dx, dy = DELTAS[action]
    ways = set()
    for pushes in product(range(1, 7), repeat=len(moved)):
        start = tuple((x - dx * n, y - dy * n) for (x, y), n in zip(end, pushes, strict=True))
        if not all(place in places for place, places in zip(start, reach, strict=True)):
            continue
        cells = [cells_of(body, i, at) for i, at in enumerate(start)]
        if len(set().union(*cells)) < sum(map(len, cells)):
            continue
        at: State = start
        for left in range(max(pushes), 0, -1):
            at = body.step(at, action)
            wanted = [
                (x - dx * min(n, left - 1), y - dy * min(n, left - 1))
                for (x, y), n in zip(end, pushes, strict=True)
            ]
            if list(at) != wanted:
                break
        else:
            ways.add(pushes)
    return ways


def walks_alone(puzzle: Puzzle) -> set[Position]:
    """Returns where the agent can walk among walls."""
    agent = only(puzzle)
    walks = [agent.initial_state]
    for state in walks:
        walks += {agent.step(state, action) for action in Action} - set(walks)
    return {at for (at,) in walks}
