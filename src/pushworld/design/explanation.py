"""An analysis as text for people."""

from collections.abc import Iterator

from pushworld.design.analysis import Analysis
from pushworld.design.dead_ends import DeadEnds
from pushworld.design.difficulty import Measures
from pushworld.design.goal_orders import GoalOrders
from pushworld.design.roles import Roles, Touched

UNKNOWN = "unknown"
NOT_DECIDED = "not decided in time"


def explain(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yields a topic and a line about it, for each part of the analysis.

    What a time limit left open is ``not decided in time``; what does not apply has no line.
    """
    measures = analysis.measures
    yield "size", _size(measures)
    yield "plan", _plan(measures)
    yield "planners", _planners(measures)
    roles, length = analysis.roles, analysis.length_without_agent_walls
    found = {
        "objects": roles and _objects(roles, "objects" in analysis.undecided),
        "together": roles and _together(roles),
        "goals": analysis.goals and _goals(analysis.goals),
        "dead ends": analysis.dead_ends and _dead_ends(analysis.dead_ends),
        "agent walls": length and f"without them {length} actions are enough",
    }
    for topic, text in found.items():
        if text or topic in analysis.undecided:
            yield topic, str(text or NOT_DECIDED)
    yield "states", _states(analysis)
    yield "skills", _skills(analysis)
    if measures.status == "unsolvable":
        return
    grade = analysis.difficulty
    yield "difficulty", f"level {grade.level}, score {grade.score:.2f}" if grade else NOT_DECIDED
    if analysis.undecided:
        end = "you ended it" if analysis.interrupted else "the time limit came first"
        yield "undecided", f"{', '.join(analysis.undecided)}: {end}"


def _states(analysis: Analysis) -> str:
    if analysis.reachable_states is not None:
        return f"{analysis.reachable_states:,} can be reached"
    bound = analysis.measures.log10_states
    return UNKNOWN if bound is None else f"many: less than 10^{bound:.1f}"


def _skills(analysis: Analysis) -> str:
    known = ", ".join(analysis.skills)
    if "skills" in analysis.undecided:
        return f"{known}; others {NOT_DECIDED}" if known else NOT_DECIDED
    return known or "none"


def _size(measures: Measures) -> str:
    return (
        f"{measures.width - 2} x {measures.height - 2} cells, {counted(measures.movables, 'movable')}, "
        f"{counted(measures.goals, 'goal')}"
    )


def _plan(measures: Measures) -> str:
    if measures.solution is None or measures.plan is None:
        return "proved unsolvable" if measures.status == "unsolvable" else "none found"
    plan = measures.plan
    proof = ", as few as any plan has" if measures.solution.optimal else ""
    return (
        f"{counted(plan.length, 'action')}{proof}; {counted(plan.pushes, 'push', 'pushes')} in "
        f"{counted(plan.runs, 'run')}, {counted(plan.turns, 'turn')}, longest chain "
        f"{plan.longest_chain}, {counted(len(plan.moved), 'object')} moved"
    )


def _planners(measures: Measures) -> str:
    return "; ".join(
        f"{each.planner} {each.status} after {counted(each.states, 'state')}"
        for each in measures.efforts
    )


def _objects(roles: Roles, out_of_time: bool) -> str:
    touched = {each.object: each for each in roles.touched}
    words = []
    for each in roles.single:
        name = each.objects[0]
        role = NOT_DECIDED if out_of_time and each.role == UNKNOWN else each.role
        if each.role == "obstacle":
            shorter = each.length is not None and each.length < roles.solution.length
            why = f"{each.length} actions without it" if shorter else "every plan moves it"
            role += f" ({why})"
        if name in touched:
            role += f" ({_why_it_moves(touched[name])})"
        words.append(f"{name} {role}")
    return ", ".join(words)


def _why_it_moves(touched: Touched) -> str:
    if touched.length is None:
        return "moved by this plan; not known whether it must be"
    return f"moved by this plan, not needed: another plan of {touched.length} actions avoids it"


def _together(roles: Roles) -> str:
    groups = sorted(roles.groups, key=lambda each: len(each.objects))
    pairs_and_groups = [
        each for each in (*roles.pairs, *groups) if each.role in ("tool", "obstacle")
    ]
    shown = [each for each in pairs_and_groups if len(each.objects) == 2] or pairs_and_groups[:1]
    return ", ".join(f"{' and '.join(each.objects)} {each.role}s together" for each in shown)


def _goals(goals: GoalOrders) -> str:
    alone = ", ".join(
        f"{name} alone in {counted(length, 'action')}"
        if length is not None
        else f"{name} alone: no plan found"
        for name, length in goals.alone.items()
    )
    if not goals.decided and not goals.tried_orders:
        return f"{alone}; the rest {NOT_DECIDED}" if alone else NOT_DECIDED
    if len(goals.alone) == 1:
        return alone
    if not goals.tried_orders:
        return f"{alone}; orders not tried"
    count = f"{len(goals.working_orders)} of {goals.tried_orders} orders work"
    how = "" if goals.exact else " when tried"
    how += "" if goals.decided else f", the rest {NOT_DECIDED}"
    orders = "; ".join(" then ".join(order) for order in goals.working_orders[:3])
    return f"{alone}; {count}{how}" + (f": {orders}" if goals.order_matters else "")


def _dead_ends(dead_ends: DeadEnds) -> str:
    text = f"{dead_ends.dead} of {counted(dead_ends.states, 'state')} after careless walks are dead"
    if not dead_ends.decided:
        left = dead_ends.states - dead_ends.dead - dead_ends.alive
        text += f", {dead_ends.alive} are not, {left} {NOT_DECIDED}"
    if dead_ends.reachable_share is not None:
        text += f"; {dead_ends.reachable_share:.0%} of all reachable states"
    return text


def counted(number: int, one: str, many: str = "") -> str:
    """Returns a number with what it counts."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
