"""Features of a plan: its pushes, turns and chains, the objects that it moves, and its stretches.

A stretch carries one set of objects. The order of the stretches is the idea of a puzzle.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from pushworld.puzzle import DELTAS, Position, Puzzle, State, parse_plan
from pushworld.puzzle.reference import moving_objects


@dataclass(frozen=True)
class PlanFeatures:
    """What a plan does to a puzzle.

    Attributes:
        length: number of actions.
        pushes: number of actions that move more than the agent.
        runs: maximal groups of pushes of the same objects in the same direction; the agent may walk
            in between.
        turns: how often an object with a goal is pushed in another direction than before.
        detour: steps of the objects with goals beyond the Manhattan distances to their goals.
        longest_chain: most objects that push each other in a row, without the agent.
        moved: names of all movables that the plan moves.
        carried: sets of two or more movables that one action moves together.
        pushers: names of all movables that push another one.
    """

    length: int
    pushes: int
    runs: int
    turns: int
    detour: int
    longest_chain: int
    moved: tuple[str, ...]
    carried: frozenset[frozenset[str]]
    pushers: tuple[str, ...]


def plan_features(puzzle: Puzzle, plan: str) -> PlanFeatures:
    """Returns the features of a plan, by the reference dynamics."""
    names = [thing.name for thing in puzzle.objects]
    steps = [0] * len(names)
    directions: dict[int, int] = {}
    pushes = runs = turns = longest = 0
    last_push: tuple[frozenset[int], int] | None = None
    carried: set[frozenset[str]] = set()
    pushers: set[int] = set()
    actions = parse_plan(plan)
    for action, (before, after) in zip(actions, pairwise(puzzle.replay(actions)), strict=True):
        moved = frozenset(i for i in range(1, len(names)) if before[i] != after[i])
        if not moved:
            continue
        pushes += 1
        runs += (moved, action) != last_push
        last_push = (moved, action)
        longest = max(longest, chain_length(puzzle, before, action))
        if len(moved) > 1:
            carried.add(frozenset(names[i] for i in moved))
            pushers |= _pushers_among(puzzle, before, action, moved)
        for index in moved:
            steps[index] += 1
            if index <= len(puzzle.goal):
                turns += directions.get(index, action) != action
                directions[index] = action
    detour = sum(
        steps[index] - abs(thing.start[0] - goal[0]) - abs(thing.start[1] - goal[1])
        for index, (thing, goal) in enumerate(
            zip(puzzle.movables, puzzle.goal, strict=False), start=1
        )
    )
    return PlanFeatures(
        length=len(actions),
        pushes=pushes,
        runs=runs,
        turns=turns,
        detour=detour,
        longest_chain=longest,
        moved=tuple(name for name, count in zip(names[1:], steps[1:], strict=True) if count),
        carried=frozenset(carried),
        pushers=tuple(names[i] for i in sorted(pushers)),
    )


def _pushers_among(
    puzzle: Puzzle, state: State, action: int, moved: frozenset[int]
) -> frozenset[int]:
    """Returns which of the movables that an action moves push another one."""
    dx, dy = DELTAS[action]
    cells = {i: puzzle.objects[i].cells_at(state[i]) for i in moved}
    return frozenset(
        i
        for i in moved
        if any((x + dx, y + dy) in cells[j] for x, y in cells[i] for j in moved - {i})
    )


def chain_length(puzzle: Puzzle, state: State, action: int) -> int:
    """Returns how many objects after the agent push each other in a row when it acts.

    An object's place in the row is the smallest number of pushes from the agent to it.
    """
    dx, dy = DELTAS[action]
    waiting = moving_objects(puzzle, state, action) - {0}
    layer, length = {0}, 0
    while layer:
        entered = {(x + dx, y + dy) for i in layer for x, y in puzzle.objects[i].cells_at(state[i])}
        layer = {j for j in waiting if entered & puzzle.objects[j].cells_at(state[j])}
        waiting -= layer
        length += bool(layer)
    return length


def covered_cells(puzzle: Puzzle, plan: str, names: Collection[str] = ()) -> set[Position]:
    """Returns the cells that objects cover at any time of a plan: all of them, or those of some names."""
    return {
        cell
        for state in puzzle.replay(plan)
        for thing, position in zip(puzzle.objects, state, strict=True)
        if not names or thing.name in names
        for cell in thing.cells_at(position)
    }


Stretch = frozenset[str]
"""The names of the movables that the pushes of a stretch move."""


def stretches_of(puzzle: Puzzle, plan: str) -> tuple[Stretch, ...]:
    """Returns the stretches of a plan: pushes that move the same objects, whatever walks lie between."""
    names = [thing.name for thing in puzzle.objects]
    moved = (
        frozenset(
            name for name, one, other in zip(names, before, after, strict=True) if one != other
        )
        - {puzzle.agent.name}
        for before, after in pairwise(puzzle.replay(plan))
    )
    return tuple(stretch for stretch, _ in groupby(filter(None, moved)))


def likeness(one: Sequence[Stretch], other: Sequence[Stretch]) -> float:
    """Returns how alike two orders are: 1 minus the edit distance as a share of the longer one."""
    longer = max(len(one), len(other))
    return 1 - _edit_distance(one, other) / longer if longer else 1.0


def _edit_distance(one: Sequence[Stretch], other: Sequence[Stretch]) -> int:
    """Returns how many insertions, deletions and replacements lead from one order to the other."""
    row = list(range(len(other) + 1))
    for i, ours in enumerate(one, start=1):
        above, row = row, [i]
        for j, theirs in enumerate(other, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (ours != theirs)))
    return row[-1]
