"""Cheap measures of a puzzle: its size, a good plan, and the search effort of planners."""

from __future__ import annotations

from dataclasses import dataclass

from pushworld.design.budget import Budget, Solution, shorten_until_deadline, solve_within
from pushworld.design.deadline import OutOfTimeError, check_deadline
from pushworld.design.plan_features import PlanFeatures, plan_features
from pushworld.planners import Status
from pushworld.puzzle import Puzzle
from pushworld.puzzle.facts import log10_states_at_most

EFFORT_PLANNERS = ("default", "novelty-rgd", "rgd")


@dataclass(frozen=True)
class PlannerEffort:
    """The search effort of a planner: its status within the budget and the states that it saw."""

    planner: str
    status: Status
    states: int


@dataclass(frozen=True)
class Measures:
    """Size, plan and search effort.

    Attributes:
        width, height: of the world, with its border.
        movables, goals: how many there are.
        log10_states: logarithm of an upper bound on the number of states; None if the deadline ended
            the count.
        solution: the best plan; None if the search ended at its limit or the puzzle is unsolvable.
        plan: the features of that plan.
        efforts: the search effort of each planner, the default planner first.
    """

    width: int
    height: int
    movables: int
    goals: int
    log10_states: float | None
    solution: Solution | None
    plan: PlanFeatures | None
    efforts: tuple[PlannerEffort, ...]

    @property
    def status(self) -> Status:
        """The status of the default planner; ``unsolvable`` is a proof."""
        return self.efforts[0].status


def measure(
    puzzle: Puzzle,
    budget: Budget,
    planners: tuple[str, ...] = EFFORT_PLANNERS,
    known_plan: str | None = None,
) -> Measures:
    """Returns the measures of a puzzle.

    Args:
        planners: the planners to run, the default planner first.
        known_plan: used if the planners find no plan, or only longer ones.
    """
    results = [
        solve_within(
            puzzle,
            budget.search_states if planner == "default" else budget.experiment_states,
            planner,
        )
        for planner in planners
    ]
    plan = next((each.plan for each in results if each.plan is not None), known_plan)
    solution = None if plan is None else shorten_until_deadline(puzzle, plan, budget.shorten_states)
    if solution is not None and known_plan is not None and len(known_plan) < solution.length:
        solution = shorten_until_deadline(puzzle, known_plan, budget.shorten_states)
    return Measures(
        width=puzzle.width,
        height=puzzle.height,
        movables=len(puzzle.movables),
        goals=len(puzzle.goal),
        log10_states=_log10_states(puzzle),
        solution=solution,
        plan=None if solution is None else plan_features(puzzle, solution.plan),
        efforts=tuple(
            PlannerEffort(planner, result.status, result.states)
            for planner, result in zip(planners, results, strict=True)
        ),
    )


def _log10_states(puzzle: Puzzle) -> float | None:
    try:
        return log10_states_at_most(puzzle, check_deadline)
    except OutOfTimeError:
        return None
