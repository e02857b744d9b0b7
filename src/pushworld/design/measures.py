"""Cheap measures of a puzzle: its size, a good plan, and the search effort of planners."""

from __future__ import annotations

from dataclasses import dataclass

from pushworld.design.budget import (
    Budget,
    OutOfTimeError,
    Solution,
    check_deadline,
    seconds_left,
    share_of_time,
    shorten_within,
    solve_within,
)
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
        decided: False if the deadline came before a plan was found, or before it was shortened.
    """

    width: int
    height: int
    movables: int
    goals: int
    log10_states: float | None
    solution: Solution | None
    plan: PlanFeatures | None
    efforts: tuple[PlannerEffort, ...]
    decided: bool = True

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
    log10_states = _log10_states(puzzle)
    efforts: list[PlannerEffort] = []
    solution, decided = None, True
    for planner in planners:
        states = budget.search_states if planner == "default" else budget.experiment_states
        with share_of_time(0.5 if efforts else 0.75):
            result = solve_within(puzzle, states, planner)
        efforts.append(PlannerEffort(planner, result.status, result.states))
        if solution is None and result.plan is not None:
            solution, decided = _shortened(puzzle, result.plan, budget)
    if known_plan is not None and (solution is None or len(known_plan) < solution.length):
        solution, decided = _shortened(puzzle, known_plan, budget)
    if solution is None:
        ends = {each.status for each in efforts}
        decided = "unsolvable" in ends or "time-limit" not in ends
    return Measures(
        width=puzzle.width,
        height=puzzle.height,
        movables=len(puzzle.movables),
        goals=len(puzzle.goal),
        log10_states=log10_states,
        solution=solution,
        plan=None if solution is None else plan_features(puzzle, solution.plan),
        efforts=tuple(efforts),
        decided=decided,
    )


def _shortened(puzzle: Puzzle, plan: str, budget: Budget) -> tuple[Solution, bool]:
    """Returns the plan after shortening, and whether that came to its end before the deadline."""
    with share_of_time(0.5):
        solution = shorten_within(puzzle, plan, budget.shorten_states, so_far=True)
        return solution, solution.optimal or seconds_left() > 0


def _log10_states(puzzle: Puzzle) -> float | None:
    try:
        return log10_states_at_most(puzzle, check_deadline)
    except OutOfTimeError:
        return None
