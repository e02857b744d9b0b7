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


def _needs_a_path(facts: Evidence) -> bool:
    """Goal objects take more steps than the Manhattan distances to their goals."""
    return facts.plan.detour > 0


def _needs_turns(facts: Evidence) -> bool:
    """An object with a goal is pushed in one direction and then in another."""
    return facts.plan.turns > 0


def _has_obstacle(facts: Evidence) -> bool:
    """Without some object, or several together, the plan is shorter; or every plan must move one."""
    return facts.roles.has("obstacle")


def _has_tool(facts: Evidence) -> bool:
    """Without some object, or without several together, there is no plan."""
    return facts.roles.has("tool")


def _assembles(facts: Evidence) -> bool:
    """One action moves two tools and at least one other object."""
    tools = set(facts.roles.of("tool"))
    return any(len(each & tools) >= 2 and len(each) >= 3 for each in facts.plan.carried)


def _goals_interact(facts: Evidence) -> bool:
    """Not every order of the goals works."""
    goals = facts.goals
    return goals is not None and (goals.order_matters or goals.simultaneous)


def _agent_walls_matter(facts: Evidence) -> bool:
    """The plan is shorter without the agent walls."""
    free = facts.length_without_agent_walls
    return free is not None and free < facts.plan.length


def _is_irreversible(facts: Evidence) -> bool:
    """At least half of the decided states that careless walks reach are dead ends."""
    return facts.dead_ends is not None and facts.dead_ends.share >= OFTEN_DEAD


SKILLS: dict[str, Callable[[Evidence], bool]] = {
    "path-planning": _needs_a_path,
    "manipulation-planning": _needs_turns,
    "movable-obstacle": _has_obstacle,
    "tool-use": _has_tool,
    "assembly": _assembles,
    "multiple-goals": _goals_interact,
    "agent-walls": _agent_walls_matter,
    "irreversible-choice": _is_irreversible,
}
"""Each tag with its rule, in the order of the bundled puzzles' index."""


def find_skills(evidence: Evidence) -> tuple[str, ...]:
    """Returns the tags whose rules hold."""
    return tuple(name for name, rule in SKILLS.items() if rule(evidence))
