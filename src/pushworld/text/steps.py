"""Generated puzzles in steps of difficulty: random rooms whose shortest plan has a wanted length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from pushworld.datasets.generated.rooms import RoomPlan, random_room
from pushworld.design.budget import solve_within
from pushworld.design.canonical import canonical_hash
from pushworld.puzzle import Puzzle

SEARCH_STATES = 100_000
"""Rooms whose search for a shortest plan needs more states are not used."""

AGENT_WALLS = 0.5
"""The share of rooms with agent walls."""


@dataclass(frozen=True)
class Step:
    """A step of difficulty; all ranges include both ends.

    Attributes:
        sides: the sides of the interior.
        goals, others: the movables with and without goals.
        length: the actions of a shortest plan.
        together: how many movables that plan moves at once somewhere. From 2 on, objects push objects.
    """

    sides: tuple[int, int]
    goals: tuple[int, int]
    others: tuple[int, int]
    length: tuple[int, int]
    together: int


STEPS: dict[int, Step] = {
    1: Step((5, 5), (1, 1), (0, 1), (3, 5), 1),
    2: Step((5, 6), (1, 1), (0, 2), (6, 9), 1),
    3: Step((6, 6), (1, 2), (1, 2), (10, 13), 2),
    4: Step((6, 7), (1, 2), (1, 3), (14, 18), 2),
    5: Step((7, 7), (1, 2), (1, 3), (19, 24), 2),
    6: Step((7, 7), (1, 2), (1, 3), (25, 32), 2),
    7: Step((7, 8), (1, 2), (1, 3), (33, 44), 2),
    8: Step((7, 8), (1, 2), (1, 3), (45, 70), 2),
}
"""The steps by their numbers, from easy to hard."""


@dataclass(frozen=True)
class Generated:
    """A generated puzzle.

    Attributes:
        plan: a shortest plan: the first that breadth-first search finds.
        digest: of its canonical form, which puzzles share that differ only in symmetry and names.
    """

    puzzle: Puzzle
    plan: str
    digest: str


def generate_step(number: int, seed: int | str) -> Iterator[Generated]:
    """Yields different puzzles of a step without end.

    They depend only on the step and the seed. Nobody can know them who does not know the seed, so a
    long secret string gives puzzles that nobody has seen.
    """
    step = STEPS[number]
    random = Random(f"PushWorld, step {number}, seed {seed}")
    seen: set[str] = set()
    while True:
        size = random.randint(*step.sides), random.randint(*step.sides)
        room = random_room(RoomPlan(*size, step.goals, step.others, AGENT_WALLS), random)
        plan = solve_within(room, SEARCH_STATES, "bfs").plan
        if plan is None or not step.length[0] <= len(plan) <= step.length[1]:
            continue
        digest = canonical_hash(room)
        if digest not in seen and _most_moved_at_once(room, plan) >= step.together:
            seen.add(digest)
            yield Generated(room, plan, digest)


def _most_moved_at_once(puzzle: Puzzle, plan: str) -> int:
    """Returns how many movables the action of a plan moves that moves the most."""
    return max(
        sum(one != other for one, other in zip(before[1:], after[1:], strict=True))
        for before, after in pairwise(puzzle.replay(plan))
    )
