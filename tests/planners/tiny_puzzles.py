"""Tiny random puzzles: small enough for exhaustive search, crowded enough to be interesting."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from pushworld.puzzle import DELTAS, Position, Puzzle, PuzzleObject, State


@cache
def tiny_puzzle(seed: int, max_movables: int = 3) -> Puzzle:
    """Returns the puzzle of a seed: one or two goals, odd shapes, walls of both kinds.

    In two of three the goals are where a random walk takes the objects; the others are mostly
    unsolvable.
    """
    random = Random(seed)
    while True:
        sandbox = _sandbox(random, random.randint(1, max_movables))
        places = random_state(random, sandbox, steps=200)
        if seed % 3 == 0:
            places = tuple(_place(random, thing, sandbox) for thing in sandbox.objects)
        if places[1] != sandbox.initial_state[1]:
            break
    with_goals = random.choice((1, 2))
    movables = [
        replace(thing, goal=places[index] if index <= with_goals else None)
        for index, thing in enumerate(sandbox.movables, start=1)
    ]
    return replace(sandbox, objects=(sandbox.agent, *movables), name=f"tiny-{seed}")


def _sandbox(random: Random, movables: int) -> Puzzle:
    width, height = random.randint(3, 6), random.randint(3, 5)
    free = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
    objects = []
    for index in range(movables + 1):
        room = len(free) - (movables - index)
        cells = _grow(random, free, min(room, random.choice((1, 1, 1, 2, 2, 3))))
        objects.append(PuzzleObject.from_cells(f"M{index}" if index else "A", cells))
    share, agent_share = random.choice((0.0, 0.1, 0.2)), random.choice((0.0, 0.1, 0.5))
    walls = {cell for cell in sorted(free) if random.random() < share}
    agent_walls = {cell for cell in sorted(free - walls) if random.random() < agent_share}
    return Puzzle(
        width=width + 2,
        height=height + 2,
        objects=tuple(objects),
        walls=frozenset(walls),
        agent_walls=frozenset(agent_walls),
    )


def random_state(random: Random, puzzle: Puzzle, steps: int) -> State:
    """Returns the state after a random walk on the reference dynamics."""
    state = puzzle.initial_state
    for _ in range(steps):
        state = puzzle.step(state, random.randrange(4))
    return state


def _grow(random: Random, free: set[Position], size: int) -> set[Position]:
    """Returns cells and removes them from the free ones; now and then they do not touch."""
    cells: set[Position] = set()
    for _ in range(size):
        edge = {(x + dx, y + dy) for x, y in cells for dx, dy in DELTAS} & free
        cell = random.choice(sorted(edge if edge and random.random() < 0.9 else free))
        cells.add(cell)
        free.remove(cell)
    return cells


def _place(random: Random, thing: PuzzleObject, puzzle: Puzzle) -> Position:
    """Returns a random position of an object in the world."""
    return (
        random.randint(1, puzzle.width - 1 - thing.width),
        random.randint(1, puzzle.height - 1 - thing.height),
    )
