"""Skills: the tags of the paper, each a rule on the results of the analysis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pushworld.design.dead_ends import DeadEnds
from pushworld.design.goal_orders import GoalOrders
from pushworld.design.plan_features import PlanFeatures
from pushworld.design.roles import Roles

OFTEN_DEAD = 0.5


@dataclass(frozen=True)
class Evidence:
    """The results that the rules use; None if undecided."""

    plan: PlanFeatures
    roles: Roles
    goals: GoalOrders | None
    dead_ends: DeadEnds | None
    length_without_agent_walls: int | None


def _assembles(facts: Evidence) -> bool:
    tools = set(facts.roles.of("tool"))
    return any(len(each & tools) >= 2 and len(each) >= 3 for each in facts.plan.carried)


def _goals_interact(facts: Evidence) -> bool:
    goals = facts.goals
    return goals is not None and (goals.order_matters or goals.simultaneous)


def _agent_walls_matter(facts: Evidence) -> bool:
    free = facts.length_without_agent_walls
    return free is not None and free < facts.plan.length


SKILLS: dict[str, Callable[[Evidence], bool]] = {
    # Goal objects take more steps than the Manhattan distances to their goals.
    "path-planning": lambda facts: facts.plan.detour > 0,
    # An object with a goal is pushed in one direction and then in another.
    "manipulation-planning": lambda facts: facts.plan.turns > 0,
    # Without some object, or several together, the plan is shorter; or every plan must move one.
    "movable-obstacle": lambda facts: facts.roles.has("obstacle"),
    # Without some object, or without several together, there is no plan.
    "tool-use": lambda facts: facts.roles.has("tool"),
    # One action moves two tools and at least one other object.
    "assembly": _assembles,
    # Not every order of the goals works.
    "multiple-goals": _goals_interact,
    # The plan is shorter without the agent walls.
    "agent-walls": _agent_walls_matter,
    # At least half of the decided states that careless walks reach are dead ends.
    "irreversible-choice": lambda facts: bool(
        facts.dead_ends and facts.dead_ends.share >= OFTEN_DEAD
    ),
}
"""Each tag with its rule, in the order of the bundled puzzles' index."""


def find_skills(evidence: Evidence) -> tuple[str, ...]:
    """Returns the tags whose rules hold."""
    return tuple(name for name, rule in SKILLS.items() if rule(evidence))
