"""Generated puzzles in steps of difficulty: rooms whose goals are chosen among what can be reached.

A search explores a room before it has goals. So the shortest plan for every possible goal is known, and a
second search, in which no object pushes another, proves which goals need that. Few random rooms
suit a step; those of the package do, so new goals in them come many times faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from importlib.resources import files
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pushworld.datasets.generated.rooms import RoomPlan, random_room
from pushworld.design.state_space import reach
from pushworld.design.variants import from_state
from pushworld.engine import Engine, StateArray
from pushworld.puzzle import Puzzle, Symmetry, transform
from pushworld.puzzle.transform import canonical_hash
from pushworld.text.sliders import GROWTH, draw_sliders

MOST_STATES = 20_000  # of a room that are explored
ROOMS = "rooms.txt"
"""The file of the package's rooms: in each line a step and the rows; `python -m tests.text.freeze` writes it."""

MOST_SLIDERS = 18  # more of them would make worlds of more than 100 rows
MOST_MOVES = 10  # fewer are made in a room of the package before it gets a goal
AGENT_WALLS = 0.5  # the share of rooms that have some

_parsed = cache(Puzzle.parse)


@dataclass(frozen=True)
class Step:
    """A step of difficulty; all ranges include both ends."""

    sides: tuple[int, int]  # the sides of the interior
    # goals, others: the movables with and without goals
    goals: tuple[int, int]
    others: tuple[int, int]
    length: tuple[int, int]  # the actions of a shortest plan
    chains: bool  # whether it is proved that there is no plan in which no object pushes another


ROOM_STEPS: dict[int, Step] = {
    1: Step((5, 5), (1, 1), (0, 1), (3, 5), False),
    2: Step((5, 6), (1, 1), (0, 2), (6, 9), False),
    3: Step((6, 6), (1, 2), (1, 2), (10, 13), True),
    4: Step((6, 7), (1, 2), (1, 3), (14, 18), True),
    5: Step((7, 7), (1, 2), (1, 3), (19, 24), True),
    6: Step((7, 7), (1, 2), (1, 3), (25, 32), True),
    7: Step((7, 8), (1, 2), (1, 3), (33, 44), True),
    8: Step((7, 8), (1, 2), (1, 3), (45, 70), True),
}
"""The steps of rooms by their numbers, from easy to hard."""

SLIDER_STEPS: dict[int, tuple[int, int]] = {
    9 + index: (70 << index, (140 << index) - 1) for index in range(7)
}
"""The lengths of the steps of interlocked sliders, each twice those of the step before."""

STEPS = (*ROOM_STEPS, *SLIDER_STEPS)


@dataclass(frozen=True)
class Generated:
    """A generated puzzle, a shortest plan, the digest of its canonical form, the states of its room that were
    explored, and what else is known, as fields of `pushworld.text.Task`."""

    puzzle: Puzzle
    plan: str
    digest: str
    states: int
    facts: Mapping[str, Any] = field(default_factory=dict)


def generate_step(
    number: int, seed: int | str, *, known: bool = False, step: Step | None = None
) -> Iterator[Generated]:
    """Yields different puzzles of a step without end.

    They depend only on the step and the seed. Nobody can know them who does not know the seed, so a
    long secret string gives puzzles that nobody has seen.

    Args:
        known: whether the rooms are those of the package, turned and with new goals; steps of sliders
            need none.
        step: in place of the room step of that number.
    """
    random = Random(f"PushWorld, step {number}, seed {seed}")
    seen: set[str] = set()
    while True:
        if number in SLIDER_STEPS:
            found = _sliders(SLIDER_STEPS[number], random)
        else:
            about = step or ROOM_STEPS[number]
            room = _known_room(number, random) if known else draw_room(about, random)
            found = with_goal(room, about, random)
        if found is not None and found.digest not in seen:
            seen.add(found.digest)
            yield found


def _sliders(lengths: tuple[int, int], random: Random) -> Generated | None:
    """Returns sliders whose shortest plan has a wanted length, or None if those that are drawn have another."""
    kind = random.choice(list(GROWTH))
    least, most = (GROWTH[kind](length) for length in lengths)
    count = random.randint(int(least) - 1, int(most) + 1)
    if not 2 <= count <= MOST_SLIDERS:
        return None
    puzzle, plan, facts = draw_sliders(kind, count, random)
    if not lengths[0] <= len(plan) <= lengths[1]:
        return None
    return Generated(puzzle, plan, canonical_hash(puzzle), 0, facts)


def draw_room(step: Step, random: Random) -> Puzzle:
    """Returns a random room of the size that a step wants; its goals are to be replaced."""
    size = random.randint(*step.sides), random.randint(*step.sides)
    return random_room(RoomPlan(*size, step.goals, step.others, AGENT_WALLS), random)


def _known_room(number: int, random: Random) -> Puzzle:
    """Returns a room of the package, turned, after some moves."""
    rows = random.choice(known_rooms()[number]).replace("/", "\n")
    room = transform(_parsed(rows), random.choice(list(Symmetry)))
    moves = random.choices(range(4), k=random.randrange(MOST_MOVES))
    return from_state(room, reduce(Engine(room).step, moves, room.initial_state))


@cache
def known_rooms() -> dict[int, list[str]]:
    """Returns the rooms of the package by the steps that they suit, as rows of ``.pwp`` with ``/`` between them."""
    found: dict[int, list[str]] = {number: [] for number in ROOM_STEPS}
    for line in (files(__package__) / ROOMS).read_text(encoding="utf-8").splitlines():
        number, _, rows = line.partition(" ")
        found[int(number)].append(rows)
    return found


def with_goal(room: Puzzle, step: Step, random: Random) -> Generated | None:
    """Returns a room with a goal that the step allows in place of its own, or None if it has none."""
    goals = slice(1, 1 + len(room.goal))
    space = reach(room, MOST_STATES, depth=step.length[1])
    if len(space.layers) - 1 <= step.length[0]:
        return None
    states = space.states[:, goals]
    keys, first = np.unique(_keys(states), return_index=True)
    moved = (states[first] != states[0]).any(axis=2).all(axis=1)
    suited = moved & (first >= space.layers[step.length[0]])
    if step.chains and suited.any():
        alone = reach(room, MOST_STATES, chains=False)
        if not alone.complete:
            return None
        suited &= ~np.isin(keys, _keys(alone.states[:, goals]))
    wanted = first[suited]
    if not len(wanted):
        return None
    chosen = int(wanted[random.randrange(len(wanted))])
    pairs = zip(room.objects[goals], states[chosen].tolist(), strict=True)
    homes = [replace(thing, goal=tuple(goal)) for thing, goal in pairs]
    puzzle = replace(room, objects=(room.agent, *homes, *room.objects[goals.stop :]))
    return Generated(puzzle, space.plan_to(chosen), canonical_hash(puzzle), len(space))


def _keys(states: StateArray) -> NDArray[np.int64]:
    """Returns a number for each part of a state; rooms have sides below 16."""
    flat = states.reshape(len(states), -1).astype(np.int64)
    return np.asarray(flat @ (1 << 4 * np.arange(flat.shape[1], dtype=np.int64)))
