"""SAS+ in the version-3 format of Fast Downward's search component.

The variables are the agent's position, and for each movable object its pending push (none or a
direction) and its position. The agent's operators cost 1 and require that no push is pending. An
operator that moves an object has a conditional effect for each position at which it touches another
object: that object's push becomes pending. Pushes cost 0.
"""

from dataclasses import dataclass

from pushworld.export.cancellation import Stop, check, never
from pushworld.export.names import DIRECTIONS, place_name, step_name, thing_names
from pushworld.export.task import Body, Move, Task, build_task
from pushworld.puzzle import Action, Position, Puzzle

NOT_PENDING = 0
ANY = -1
NOWHERE = "<none of those>"
"""A second, unused value for an object that cannot move: Fast Downward 20.06 and other planners do not
terminate on variables with a single value."""


@dataclass(frozen=True)
class _Variables:
    """The numbers of an object's variables and of their values."""

    position: int
    places: dict[Position, int]
    pending: int
    directions: dict[Action, int]


def export_sas(puzzle: Puzzle, *, stop: Stop = never) -> str:
    """Returns the puzzle as a SAS+ task; the same puzzle gives the same text.

    Raises:
        PushWorldError: if the puzzle has no goals.
        ExportStoppedError: if `stop`, which is called often, returns True.
    """
    return format_sas(build_task(puzzle, stop), stop)


def format_sas(task: Task, stop: Stop = never) -> str:
    """Returns the task as SAS+."""
    names = thing_names(task.puzzle)
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric"]
    variables: dict[int, _Variables] = {}
    declared: list[tuple[str, list[str]]] = []
    initial: list[int] = []
    goal: list[tuple[int, int]] = []
    for body in _in_causal_order(task):
        name = names[body.index]
        pending = ANY
        if body.pushed:
            pending = len(declared)
            values = [f"NegatedAtom pending({name})"]
            values += [f"Atom pending({name}, {DIRECTIONS[action]})" for action in body.pushed]
            declared.append((f"pending-{name}", values))
            initial.append(NOT_PENDING)
            goal.append((pending, NOT_PENDING))
        places = {position: value for value, position in enumerate(body.positions)}
        position = len(declared)
        values = [f"Atom at({name}, {place_name(place)})" for place in places]
        declared.append((f"at-{name}", values if len(values) > 1 else [*values, NOWHERE]))
        initial.append(places[body.thing.start])
        if body.thing.goal is not None:
            goal.append((position, places[body.thing.goal]))
        directions = {action: value for value, action in enumerate(body.pushed, start=1)}
        variables[body.index] = _Variables(position, places, pending, directions)
    lines.append(str(len(declared)))
    for name, values in declared:
        lines += ["begin_variable", name, "-1", str(len(values)), *values, "end_variable"]
    lines.append("0")
    lines += ["begin_state", *map(str, initial), "end_state"]
    lines += ["begin_goal", str(len(goal)), *(f"{var} {value}" for var, value in goal), "end_goal"]
    lines.append(str(task.operators))
    for body in task.bodies:
        for move in body.moves:
            check(stop)
            lines += _operator(names[body.index], body, move, variables)
    lines.append("0")
    return "\n".join(lines) + "\n"


def _in_causal_order(task: Task) -> list[Body]:
    """Returns the objects with goals last: some heuristics rely on this order."""
    return sorted(task.bodies, key=lambda body: body.thing.goal is not None)


def _operator(name: str, body: Body, move: Move, variables: dict[int, _Variables]) -> list[str]:
    """Returns the lines of the operator for a step of an object."""
    own = variables[body.index]
    is_agent = body.index == 0
    effects = [f"0 {own.position} {own.places[move.start]} {own.places[move.end]}"]
    prevail: list[str] = []
    if is_agent:
        touched = {k for k, _ in move.touched}
        prevail = [
            f"{each.pending} {NOT_PENDING}"
            for index, each in sorted(variables.items())
            if each.pending != ANY and index not in touched
        ]
    else:
        effects.append(f"0 {own.pending} {own.directions[move.action]} {NOT_PENDING}")
    before = NOT_PENDING if is_agent else ANY
    for k, place in move.touched:
        other = variables[k]
        condition = f"1 {other.position} {other.places[place]}"
        effects.append(f"{condition} {other.pending} {before} {other.directions[move.action]}")
    return [
        "begin_operator",
        step_name(None if is_agent else name, move.start, move.end, move.action),
        str(len(prevail)),
        *prevail,
        str(len(effects)),
        *effects,
        "1" if is_agent else "0",
        "end_operator",
    ]
