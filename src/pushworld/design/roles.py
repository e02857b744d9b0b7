"""What each object is for: the puzzle is solved without it, and without pairs of objects.

- *tool*: without the object the puzzle is proved unsolvable.
- *obstacle*: without it a plan is shorter.
- *distractor*: neither.
- *target*: an object with a goal that the other goals do not need. It is no obstacle, since its
  goal goes with it.
- *unknown*: the search without it ended at its limit.

Where single removals say nothing, pairs do: two tools that can stand in for each other, or two
obstacles that block the same way, look like distractors one by one. Where searches without one object
end at their limit, searches without many may not, since less is left to try: all objects that push
others in the plan, and all objects but one with a goal. If that one cannot come home by itself, something
must push it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Literal

from pushworld.design.effort import Effort, Solution, search, shortened
from pushworld.design.plan_facts import find_plan_facts
from pushworld.design.variants import goal_names, object_names, without_objects
from pushworld.puzzle import Puzzle

Role = Literal["tool", "obstacle", "distractor", "target", "unknown"]

CLEARLY_SHORTER = 0.9
"""Plans that are not proved shortest must differ by a tenth before an object counts as obstacle."""


@dataclass(frozen=True)
class Removal:
    """The puzzle without some objects.

    Attributes:
        objects: the names of what was removed; goals go with their objects.
        role: what follows for them.
        length: of the best plan without them; None if none was found.
        optimal: whether no plan without them is shorter.
    """

    objects: tuple[str, ...]
    role: Role
    length: int | None
    optimal: bool


@dataclass(frozen=True)
class Roles:
    """All removals, and the best plan that was found on the way.

    Attributes:
        solution: of the whole puzzle: a plan without an object may solve the puzzle with it too.
        single: each movable removed.
        pairs: two objects removed, of those that seem to be distractors.
        groups: more objects removed, where some roles are unknown.
    """

    solution: Solution
    single: tuple[Removal, ...]
    pairs: tuple[Removal, ...]
    groups: tuple[Removal, ...]

    def of(self, role: Role) -> tuple[str, ...]:
        """Returns the names of the movables in a role, by themselves."""
        return tuple(each.objects[0] for each in self.single if each.role == role)

    def pairs_of(self, role: Role) -> tuple[tuple[str, ...], ...]:
        """Returns the pairs in a role."""
        return tuple(each.objects for each in self.pairs if each.role == role)

    def groups_of(self, role: Role) -> tuple[tuple[str, ...], ...]:
        """Returns the groups in a role."""
        return tuple(each.objects for each in self.groups if each.role == role)


def find_roles(puzzle: Puzzle, solution: Solution, effort: Effort) -> Roles:
    """Returns the role of each object of a puzzle, given a plan for it."""
    goals = goal_names(puzzle)
    attempts = {(name,): _solve_without(puzzle, (name,), effort) for name in object_names(puzzle)}
    solution = _best(puzzle, solution, attempts.values())
    single = [_judge(names, found, solution, goals) for names, found in attempts.items()]
    idle = [each.objects[0] for each in single if each.role == "distractor"]
    chosen = islice(combinations(idle, 2), effort.max_pairs)
    in_pairs = {names: _solve_without(puzzle, names, effort) for names in chosen}
    solution = _best(puzzle, solution, in_pairs.values())
    single = [_judge(names, found, solution, goals) for names, found in attempts.items()]
    pairs = [_judge(names, found, solution, goals) for names, found in in_pairs.items()]
    groups = [
        _judge(names, _solve_without(puzzle, names, effort), solution, goals)
        for names in _groups_worth_removing(puzzle, solution, single)
    ]
    return Roles(solution, tuple(single), tuple(pairs), tuple(groups))


def _groups_worth_removing(
    puzzle: Puzzle, solution: Solution, single: Iterable[Removal]
) -> list[tuple[str, ...]]:
    """Returns which sets of objects to remove together, in order and without repetition."""
    if all(each.role != "unknown" for each in single):
        return []
    goals = goal_names(puzzle)
    pushers = find_plan_facts(puzzle, solution.plan).pushers
    groups = [tuple(name for name in pushers if name not in goals)]
    groups += [tuple(name for name in object_names(puzzle) if name != goal) for goal in goals]
    return [names for names in dict.fromkeys(groups) if len(names) > 1]


Found = Solution | Literal["unsolvable", "limit"]


def _solve_without(puzzle: Puzzle, names: tuple[str, ...], effort: Effort) -> Found:
    smaller = without_objects(puzzle, names)
    if not smaller.goal:
        return Solution("", optimal=True)
    result = search(smaller, effort.experiment_mb)
    if result.plan is None:
        return "unsolvable" if result.status == "unsolvable" else "limit"
    return shortened(smaller, result.plan, effort.shorten_mb)


def _best(puzzle: Puzzle, solution: Solution, others: Iterable[Found]) -> Solution:
    """Returns the shortest plan that solves the whole puzzle."""
    for other in others:
        if (
            isinstance(other, Solution)
            and other.length < solution.length
            and puzzle.validate(other.plan)
        ):
            solution = Solution(other.plan, optimal=False)
    return solution


def _judge(
    names: tuple[str, ...], found: Found, solution: Solution, goals: tuple[str, ...]
) -> Removal:
    """Returns what a removal says about the objects."""
    if not isinstance(found, Solution):
        role: Role = "tool" if found == "unsolvable" else "unknown"
        return Removal(names, role, None, optimal=False)
    exact = found.optimal and solution.optimal
    shorter = found.length < solution.length * (1 if exact else CLEARLY_SHORTER)
    role = "target" if set(names) & set(goals) else "obstacle" if shorter else "distractor"
    return Removal(names, role, found.length, found.optimal)
