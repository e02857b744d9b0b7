"""The role of each object, found by solving the puzzle without it and without groups of objects.

- *tool*: without the object the puzzle is proved unsolvable.
- *obstacle*: without it plans are shorter, or every plan must move it: with a wall instead the puzzle is
  proved unsolvable.
- *distractor*: neither.
- *target*: an object with a goal that the other goals do not need. It cannot be an obstacle, since
  its goal is removed with it.
- *unknown*: the search without it ended at its limit, the plan cannot be repaired where it misses the
  object (`pushworld.design.state_space`), and looking back from the goals (`pushworld.design.budget`) does
  not show that there is no plan.

Two tools that replace each other, or two obstacles that block the same way, look like distractors one
by one, so pairs of them are removed together; one of two tools may also be in the way. If a role is
unknown, larger groups are removed, because searches with fewer objects may end with a proof: all objects
that push others in the plan, and all objects except one with a goal. If that one cannot reach its goal
alone, something must push it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from pushworld.design.budget import (
    Budget,
    OutOfTimeError,
    Solution,
    looking_back_proves_unsolvable,
    seconds_left,
    shorten_within,
    solve_within,
)
from pushworld.design.plan_features import plan_features
from pushworld.design.state_space import repaired_plan
from pushworld.design.variants import frozen, goal_names, object_names, without_objects
from pushworld.puzzle import Puzzle

Role = Literal["tool", "obstacle", "distractor", "target", "unknown"]

CLEARLY_SHORTER = 0.9
"""If plans are not proved optimal, the one without an obstacle must be shorter by a tenth."""


@dataclass(frozen=True)
class Removal:
    """An experiment: the puzzle without some objects and their goals.

    Attributes:
        objects: the names of the removed objects.
        role: the role that follows for them.
        length: length of the best plan without them; None if none was found.
        optimal: whether that plan is proved optimal.
    """

    objects: tuple[str, ...]
    role: Role
    length: int | None
    optimal: bool


@dataclass(frozen=True)
class Touched:
    """A distractor that the plan moves, and the length of a plan that leaves it in place, if one was found."""

    object: str
    length: int | None


@dataclass(frozen=True)
class Roles:
    """All removals, and the best plan.

    Attributes:
        solution: the best plan for the whole puzzle; a plan found without an object may solve it too.
        single: each movable removed.
        pairs: pairs of seeming distractors removed.
        groups: larger groups removed, if some roles are unknown.
        touched: the distractors that the best plan moves.
        decided: False if a deadline came before all experiments were made.
    """

    solution: Solution
    single: tuple[Removal, ...]
    pairs: tuple[Removal, ...]
    groups: tuple[Removal, ...]
    touched: tuple[Touched, ...] = ()
    decided: bool = True

    def of(self, role: Role) -> tuple[str, ...]:
        """Returns the names of the movables that have a role by themselves."""
        return tuple(each.objects[0] for each in self.single if each.role == role)

    def pairs_of(self, role: Role) -> tuple[tuple[str, ...], ...]:
        """Returns the pairs that have a role."""
        return tuple(each.objects for each in self.pairs if each.role == role)

    @property
    def together(self) -> set[str]:
        """The names of the movables that are tools or obstacles together with another one."""
        useful = (*self.pairs_of("tool"), *self.pairs_of("obstacle"))
        return {name for pair in useful for name in pair}

    def has(self, role: Role) -> bool:
        """Returns whether a movable, a pair or a group has a role."""
        return any(each.role == role for each in (*self.single, *self.pairs, *self.groups))

    def with_obstacles(self, names: Collection[str]) -> Roles:
        """Returns the roles if every plan must move some objects, by a proof from elsewhere."""
        single = tuple(
            replace(each, role="obstacle")
            if each.role == "distractor" and each.objects[0] in names
            else each
            for each in self.single
        )
        touched = tuple(each for each in self.touched if each.object not in names)
        return replace(self, single=single, touched=touched)


def find_roles(
    puzzle: Puzzle,
    solution: Solution,
    budget: Budget,
    on_object: Callable[[int, int], None] = lambda done, total: None,
) -> Roles:
    """Returns the role of each object of a puzzle, given a plan for it.

    Args:
        on_object: called before each experiment with a single object: how many are done, and how many
            there are.
    """
    goals, names_of_all = goal_names(puzzle), object_names(puzzle)
    attempts: dict[tuple[str, ...], Found] = {}
    for name in names_of_all:
        on_object(len(attempts), len(names_of_all))
        attempts[name,] = _solve_without(puzzle, (name,), solution, budget)
    solution = _best(puzzle, solution, attempts.values())
    single = [_judge(names, found, solution, goals) for names, found in attempts.items()]
    idle = [each.objects[0] for each in single if each.role == "distractor"]
    in_the_way = [each.objects[0] for each in single if each.role == "obstacle"]
    # Without one of two tools, plans may be shorter. Pairs of distractors come first.
    both = sorted(
        combinations((*idle, *in_the_way), 2),
        key=lambda names: sum(each in in_the_way for each in names),
    )
    chosen = both[: budget.max_pairs]
    in_pairs = {names: _solve_without(puzzle, names, solution, budget) for names in chosen}
    solution = _best(puzzle, solution, in_pairs.values())
    in_place = {
        name: _leave_in_place(puzzle, name, attempts[name,], budget)
        for name in plan_features(puzzle, solution.plan).moved
        if name in idle
    }
    must_move = {name for name, found in in_place.items() if found == "unsolvable"}
    solution = _best(puzzle, solution, in_place.values())
    single = [_judge(names, found, solution, goals, must_move) for names, found in attempts.items()]
    judged = [_judge(names, found, solution, goals) for names, found in in_pairs.items()]
    # An obstacle makes plans shorter whatever is removed with it, so that says nothing of the other.
    pairs = [
        each for each in judged if each.role == "tool" or set(each.objects).isdisjoint(in_the_way)
    ]
    groups = [
        _judge(names, _solve_without(puzzle, names, solution, budget), solution, goals)
        for names in _groups_worth_removing(puzzle, solution, single)
    ]
    moved = plan_features(puzzle, solution.plan).moved
    touched = [
        Touched(name, found.length if isinstance(found := in_place.get(name), Solution) else None)
        for name in (each.objects[0] for each in single if each.role == "distractor")
        if name in moved
    ]
    return Roles(
        solution, tuple(single), tuple(pairs), tuple(groups), tuple(touched), seconds_left() > 0
    )


def _groups_worth_removing(
    puzzle: Puzzle, solution: Solution, single: Iterable[Removal]
) -> list[tuple[str, ...]]:
    """Returns the groups of objects to remove together, without repetition."""
    if all(each.role != "unknown" for each in single):
        return []
    goals = goal_names(puzzle)
    pushers = plan_features(puzzle, solution.plan).pushers
    groups = [tuple(name for name in pushers if name not in goals)]
    groups += [tuple(name for name in object_names(puzzle) if name != goal) for goal in goals]
    return [names for names in dict.fromkeys(groups) if len(names) > 1]


Found = Solution | Literal["unsolvable", "limit"]


def _solve_without(
    puzzle: Puzzle, names: tuple[str, ...], solution: Solution, budget: Budget
) -> Found:
    smaller = without_objects(puzzle, names)
    if not smaller.goal:
        return Solution("", optimal=True)
    # An object that pushes no other one is not missed by the plan.
    known = solution.plan if smaller.validate(solution.plan) else None

    def repaired() -> str | None:
        return repaired_plan(puzzle, smaller, solution.plan, budget.experiment_states)

    return _solve(smaller, budget, known, repaired)


def _solve(
    puzzle: Puzzle,
    budget: Budget,
    known_plan: str | None = None,
    another_plan: Callable[[], str | None] = lambda: None,
) -> Found:
    """Returns the best plan of a search and a known one; another plan is asked for if there is none."""
    if seconds_left() <= 0:
        return "limit"
    result = solve_within(puzzle, budget.experiment_states)
    plans = [plan for plan in (result.plan, known_plan) if plan is not None]
    try:
        if not plans and (result.status == "unsolvable" or looking_back_proves_unsolvable(puzzle)):
            return "unsolvable"
        plan = min(plans, key=len) if plans else another_plan()
        if plan is None:
            return "limit"
        return shorten_within(puzzle, plan, budget.shorten_states)
    except OutOfTimeError:
        return "limit"


def _leave_in_place(puzzle: Puzzle, name: str, without: Found, budget: Budget) -> Found:
    """Returns a plan that does not move an object, given one for the puzzle without it."""
    if (
        isinstance(without, Solution)
        and puzzle.validate(without.plan)
        and name not in plan_features(puzzle, without.plan).moved
    ):
        return without
    return _solve(frozen(puzzle, {name}), budget)


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
    names: tuple[str, ...],
    found: Found,
    solution: Solution,
    goals: tuple[str, ...],
    must_move: Collection[str] = (),
) -> Removal:
    """Returns a removal with the role that follows from its result, and from what every plan moves."""
    if not isinstance(found, Solution):
        role: Role = "tool" if found == "unsolvable" else "unknown"
        return Removal(names, role, None, optimal=False)
    exact = found.optimal and solution.optimal
    shorter = found.length < solution.length * (1 if exact else CLEARLY_SHORTER)
    if set(names) & set(goals):
        role = "target"
    else:
        role = "obstacle" if shorter or set(names) & set(must_move) else "distractor"
    return Removal(names, role, found.length, found.optimal)
