"""What can be measured of a puzzle in a second: its size, a good plan, and what planners spend."""

from __future__ import annotations

from dataclasses import dataclass

from pushworld.design.effort import Effort, Solution, search, shortened
from pushworld.design.plan_facts import PlanFacts, find_plan_facts
from pushworld.planners import Status
from pushworld.puzzle import Puzzle
from pushworld.puzzle.facts import log10_states_at_most

EFFORT_PLANNERS = ("default", "novelty-rgd", "rgd")


@dataclass(frozen=True)
class PlannerEffort:
    """What a planner spent: its status within the limit, and the states that it saw."""

    planner: str
    status: Status
    states: int


@dataclass(frozen=True)
class Measures:
    """The cheap facts about a puzzle.

    Attributes:
        width, height: of the world, the border included.
        movables, goals: how many there are.
        log10_states: of a bound on the number of states.
        solution: the best plan, or None if the search ended at its limit or the puzzle is
            unsolvable.
        plan: what that plan does.
        efforts: what the planners spent; the default planner first.
    """

    width: int
    height: int
    movables: int
    goals: int
    log10_states: float
    solution: Solution | None
    plan: PlanFacts | None
    efforts: tuple[PlannerEffort, ...]

    @property
    def status(self) -> Status:
        """Of the search for the plan; ``unsolvable`` is a proof."""
        return self.efforts[0].status


def measure(
    puzzle: Puzzle,
    effort: Effort,
    planners: tuple[str, ...] = EFFORT_PLANNERS,
    known_plan: str | None = None,
) -> Measures:
    """Returns the cheap facts about a puzzle.

    Args:
        planners: whose efforts are measured, the default planner first.
        known_plan: what counts as the plan if these planners find none, or none as short.
    """
    results = [
        search(puzzle, effort.search_mb if planner == "default" else effort.experiment_mb, planner)
        for planner in planners
    ]
    plan = next((each.plan for each in results if each.plan is not None), known_plan)
    solution = None if plan is None else shortened(puzzle, plan, effort.shorten_mb)
    if solution is not None and known_plan is not None and len(known_plan) < solution.length:
        solution = shortened(puzzle, known_plan, effort.shorten_mb)
    return Measures(
        width=puzzle.width,
        height=puzzle.height,
        movables=len(puzzle.movables),
        goals=len(puzzle.goal),
        log10_states=log10_states_at_most(puzzle),
        solution=solution,
        plan=None if solution is None else find_plan_facts(puzzle, solution.plan),
        efforts=tuple(
            PlannerEffort(planner, result.status, result.states)
            for planner, result in zip(planners, results, strict=True)
        ),
    )
