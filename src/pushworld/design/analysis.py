"""What a puzzle demands, found by experiment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from pushworld.design.dead_ends import DeadEnds, find_dead_ends
from pushworld.design.difficulty import Difficulty, grade
from pushworld.design.effort import EFFORTS, Effort, search, shortened
from pushworld.design.goals import GoalFacts, find_goal_facts
from pushworld.design.measures import EFFORT_PLANNERS, Measures, measure
from pushworld.design.plan_facts import find_plan_facts
from pushworld.design.roles import Roles, find_roles
from pushworld.design.skills import Evidence, find_skills
from pushworld.design.state_space import explore
from pushworld.design.variants import without_agent_walls
from pushworld.puzzle import PushWorldError, Puzzle


@dataclass(frozen=True)
class Analysis:
    """What a puzzle demands. The parts after `difficulty` are None if no plan was found.

    Attributes:
        puzzle: its name.
        measures: size, plan and the planners' efforts.
        difficulty: the score and the level by the calibrated model.
        reachable_states: how many states there are; None if more than the effort allows.
        roles: what each object is for.
        goals: how the goals hang together.
        dead_ends: how easily it is spoilt.
        length_without_agent_walls: of a plan if nothing but walls stopped the agent; None if the
            puzzle has no agent walls.
        skills: the tags that follow, in the order of `pushworld.design.skills.SKILLS`.
    """

    puzzle: str
    measures: Measures
    difficulty: Difficulty
    reachable_states: int | None = None
    roles: Roles | None = None
    goals: GoalFacts | None = None
    dead_ends: DeadEnds | None = None
    length_without_agent_walls: int | None = None
    skills: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns the analysis as values that JSON can hold."""
        told = asdict(self)
        if self.measures.plan is not None:
            carried = sorted(sorted(each) for each in self.measures.plan.carried)
            told["measures"]["plan"]["carried"] = carried
        if self.goals is not None:
            told["goals"]["order_matters"] = self.goals.order_matters
            told["goals"]["simultaneous"] = self.goals.simultaneous
        if self.dead_ends is not None:
            told["dead_ends"]["share"] = self.dead_ends.share
        return told


def analyze(
    puzzle: Puzzle,
    effort: Effort = EFFORTS["normal"],
    on_step: Callable[[str], None] | None = None,
    difficulty: Difficulty | None = None,
    planners: tuple[str, ...] = EFFORT_PLANNERS,
    known_plan: str | None = None,
) -> Analysis:
    """Returns what a puzzle demands; the same in every run, since no clock ends a search.

    Args:
        on_step: called with the name of each experiment before it begins.
        difficulty: of the puzzle, if it is known.
        planners: whose efforts are measured, the default planner first.
        known_plan: what counts as the plan if these planners find none, or none as short.

    Raises:
        PushWorldError: if the puzzle has no goals.
    """
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals, so it demands nothing")
    begin = on_step or (lambda step: None)
    begin("solving it")
    measures = measure(puzzle, effort, planners, known_plan)
    if measures.solution is None:
        return Analysis(puzzle.name, measures, difficulty or grade(puzzle))
    begin("exploring its states")
    space = explore(puzzle, effort.max_states)
    begin("removing objects")
    roles = find_roles(puzzle, measures.solution, effort)
    measures = replace(
        measures,
        solution=roles.solution,
        plan=find_plan_facts(puzzle, roles.solution.plan),
    )
    begin("trying orders of goals")
    goals = find_goal_facts(puzzle, space, effort)
    begin("playing at random")
    dead_ends = find_dead_ends(puzzle, space, effort)
    begin("removing agent walls")
    free_length = _length_without_agent_walls(puzzle, effort)
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


def _length_without_agent_walls(puzzle: Puzzle, effort: Effort) -> int | None:
    """Returns the length of a plan without agent walls, if there are any."""
    if not puzzle.agent_walls:
        return None
    free = without_agent_walls(puzzle)
    plan = search(free, effort.experiment_mb).plan
    return None if plan is None else shortened(free, plan, effort.shorten_mb).length
