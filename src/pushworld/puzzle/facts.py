"""Facts about a puzzle or a plan that need no search."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from pushworld.puzzle.actions import Plan, parse_plan
from pushworld.puzzle.model import Puzzle, PuzzleObject, State


def count_positions(puzzle: Puzzle, check: Callable[[], None] = lambda: None) -> tuple[int, ...]:
    """Returns for each object the number of positions off the walls, ignoring the other objects.

    `check` is called often; what it raises ends the count.
    """
    known: dict[tuple[object, bool], int] = {}
    counts = []
    for thing in puzzle.objects:
        is_agent = thing is puzzle.agent
        key = (thing.shape, is_agent)
        if key not in known:
            stops = puzzle.walls | puzzle.agent_walls if is_agent else puzzle.walls
            free = [0] * puzzle.height
            for x, y in stops:
                free[y] |= 1 << x
            free = [~row & ((1 << puzzle.width) - 1) for row in free]
            known[key] = 0
            for top in range(puzzle.height - thing.height + 1):
                check()
                rows = (free[top + y] >> x for x, y in thing.shape)
                known[key] += reduce(int.__and__, rows).bit_count()
        counts.append(known[key])
    return tuple(counts)


def log10_states_at_most(puzzle: Puzzle, check: Callable[[], None] = lambda: None) -> float:
    """Returns the logarithm of an upper bound on the number of states, which ignores overlaps."""
    return sum(math.log10(count) for count in count_positions(puzzle, check))


@dataclass(frozen=True)
class Replay:
    """The result of a plan.

    Attributes:
        plan: its actions.
        final_state: the state after the last action.
        valid: whether all goals hold in the final state.
        achieved: the objects that end on their goals.
        missing: the objects that have goals and do not end on them.
        without_effect: the numbers of the actions that change nothing, counted from 1.
    """

    plan: Plan
    final_state: State
    valid: bool
    achieved: tuple[PuzzleObject, ...]
    missing: tuple[PuzzleObject, ...]
    without_effect: tuple[int, ...]


def replay_plan(puzzle: Puzzle, plan: str | Iterable[int]) -> Replay:
    """Returns the result of a plan from the initial state, by the reference dynamics."""
    actions = parse_plan(plan)
    states = list(puzzle.replay(actions))
    with_goals = list(zip(puzzle.movables, states[-1][1:], strict=True))[: len(puzzle.goal)]
    return Replay(
        plan=actions,
        final_state=states[-1],
        valid=puzzle.is_solved(states[-1]),
        achieved=tuple(thing for thing, position in with_goals if position == thing.goal),
        missing=tuple(thing for thing, position in with_goals if position != thing.goal),
        without_effect=tuple(
            step
            for step, (before, after) in enumerate(pairwise(states), start=1)
            if before == after
        ),
    )
