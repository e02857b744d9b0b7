"""The analysis of a puzzle: solve it and variants of it, and conclude what it demands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from pushworld.design.budget import BUDGETS, Budget, shorten_within, solve_within
from pushworld.design.dead_ends import DeadEnds, find_dead_ends
from pushworld.design.difficulty import Difficulty, grade
from pushworld.design.goal_orders import GoalOrders, find_goal_orders
from pushworld.design.measures import EFFORT_PLANNERS, Measures, measure
from pushworld.design.plan_features import plan_features
from pushworld.design.roles import Roles, find_roles
from pushworld.design.skills import Evidence, find_skills
from pushworld.design.state_space import explore
from pushworld.design.variants import without_agent_walls
from pushworld.puzzle import PushWorldError, Puzzle


@dataclass(frozen=True)
class Analysis:
    """What a puzzle demands. Fields after `difficulty` are None or empty if no plan was found.

    Attributes:
        puzzle: its name.
        measures: size, plan, and the search effort of planners.
        difficulty: score and level by the calibrated model.
        reachable_states: their number; None if it exceeds the budget.
        roles: the role of each object.
        goals: which goal orders work.
        dead_ends: how often careless walks end in dead ends.
        length_without_agent_walls: length of a plan for the puzzle without its agent walls; None if
            it has none.
        skills: the tags that follow, in the order of `pushworld.design.skills.SKILLS`.
    """

    puzzle: str
    measures: Measures
    difficulty: Difficulty
    reachable_states: int | None = None
    roles: Roles | None = None
    goals: GoalOrders | None = None
    dead_ends: DeadEnds | None = None
    length_without_agent_walls: int | None = None
    skills: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns the analysis as values for JSON."""
        values = asdict(self)
        if self.measures.plan is not None:
            carried = sorted(sorted(each) for each in self.measures.plan.carried)
            values["measures"]["plan"]["carried"] = carried
        if self.goals is not None:
            values["goals"]["order_matters"] = self.goals.order_matters
            values["goals"]["simultaneous"] = self.goals.simultaneous
        if self.dead_ends is not None:
            values["dead_ends"]["share"] = self.dead_ends.share
        return values


def analyze(
    puzzle: Puzzle,
    budget: Budget = BUDGETS["normal"],
    on_step: Callable[[str], None] | None = None,
    difficulty: Difficulty | None = None,
    planners: tuple[str, ...] = EFFORT_PLANNERS,
    known_plan: str | None = None,
) -> Analysis:
    """Returns the analysis of a puzzle. It is the same in every run, since no clock ends a search.

    Args:
        on_step: called with the name of each experiment before it begins.
        difficulty: of the puzzle, if known.
        planners: the planners whose search effort is measured, the default planner first.
        known_plan: used if the planners find no plan, or only longer ones.

    Raises:
        PushWorldError: if the puzzle has no goals.
    """
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals, so it demands nothing")
    begin = on_step or (lambda step: None)
    begin("solving it")
    measures = measure(puzzle, budget, planners, known_plan)
    if measures.solution is None:
        return Analysis(puzzle.name, measures, difficulty or grade(puzzle))
    begin("exploring its states")
    space = explore(puzzle, budget.max_states)
    begin("removing objects")
    roles = find_roles(puzzle, measures.solution, budget)
    measures = replace(
        measures,
        solution=roles.solution,
        plan=plan_features(puzzle, roles.solution.plan),
    )
    begin("trying orders of goals")
    goals = find_goal_orders(puzzle, space, budget)
    begin("walking at random")
    dead_ends = find_dead_ends(puzzle, space, budget)
    begin("removing agent walls")
    free_length = _length_without_agent_walls(puzzle, budget)
    assert measures.plan is not None
    evidence = Evidence(measures.plan, roles, goals, dead_ends, free_length)
    return Analysis(
        puzzle=puzzle.name,
        measures=measures,
        difficulty=difficulty or grade(puzzle),
        reachable_states=None if space is None else len(space),
        roles=roles,
        goals=goals,
        dead_ends=dead_ends,
        length_without_agent_walls=free_length,
        skills=find_skills(evidence),
    )


def _length_without_agent_walls(puzzle: Puzzle, budget: Budget) -> int | None:
    """Returns the length of a plan for the puzzle without its agent walls; None if it has none."""
    if not puzzle.agent_walls:
        return None
    free = without_agent_walls(puzzle)
    plan = solve_within(free, budget.experiment_states).plan
    return None if plan is None else shorten_within(free, plan, budget.shorten_states).length
