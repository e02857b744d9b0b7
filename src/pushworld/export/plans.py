"""Converts plans of PDDL and SAS+ planners to plans over ``LRUD``, and back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pushworld.export.names import (
    DIRECTIONS,
    MOVE,
    PUSH,
    step_name,
    thing_names,
)
from pushworld.puzzle import Action, PlanError, Position, Puzzle, State, format_plan, parse_plan
from pushworld.puzzle.reference import moving_objects

_STEP = re.compile(r"^(?:[0-9.]+\s*:\s*)?\(?\s*([^()\[\]]*?)\s*\)?\s*(?:\[[0-9.]+\])?$")
_PLACE = re.compile(r".+-([0-9]+)-([0-9]+)")


@dataclass(frozen=True)
class _Step:
    """A line of a plan: a move of the agent (object 0), or a push of another object."""

    line: int
    text: str
    thing: int
    start: Position
    end: Position
    action: Action

    def error(self, problem: str) -> PlanError:
        return PlanError(f"line {self.line} of the plan, ({self.text}): {problem}")


def plan_from_external(puzzle: Puzzle, text: str) -> str:
    """Returns the plan over ``LRUD`` that is equivalent to a plan for an exported task.

    Every line is checked against the dynamics: the agent's moves, and the pushes that they cause.

    Args:
        puzzle: the puzzle that was exported.
        text: the plan in the usual format: one action a line, with or without parentheses, a number
            before it or a cost after it; lines that start with ``;`` are comments.

    Raises:
        PlanError: if a step is not possible, or the goals do not hold at the end; the message names
            the first line that fails.
    """
    steps = list(_parse(puzzle, text))
    actions: list[Action] = []
    state = puzzle.initial_state
    index = 0
    while index < len(steps):
        move = steps[index]
        if move.thing != 0:
            raise move.error(f"{puzzle.objects[move.thing].name} is not pushed by anything here")
        following = index + 1
        while following < len(steps) and steps[following].thing != 0:
            following += 1
        state = _apply(puzzle, state, move, steps[index + 1 : following])
        actions.append(move.action)
        index = following
    if not puzzle.is_solved(state):
        missing = [
            f"{thing.name} is at {_written(position)}, not at {_written(thing.goal)}"
            for thing, position in zip(puzzle.objects, state, strict=True)
            if thing.goal is not None and position != thing.goal
        ]
        raise PlanError(f"the plan does not solve the puzzle: {', '.join(missing) or 'no goals'}")
    return format_plan(actions)


def plan_to_external(puzzle: Puzzle, plan: str) -> str:
    """Returns the plan for the exported task that is equivalent to a plan over ``LRUD``.

    Each push comes after the move or push that causes it. Actions without effect are left out: the
    task has no such moves.

    Raises:
        PlanError: if the plan is not over ``LRUD``.
    """
    names = thing_names(puzzle)
    state = puzzle.initial_state
    lines = []
    for action in parse_plan(plan):
        after = puzzle.step(state, action)
        for thing in _order_of_pushes(puzzle, state, after):
            pushed = names[thing] if thing else None
            lines.append(f"({step_name(pushed, state[thing], after[thing], action)})")
        state = after
    return "".join(f"{line}\n" for line in lines)


def _order_of_pushes(puzzle: Puzzle, before: State, after: State) -> Iterator[int]:
    """Yields the objects that an action moves, each after one that pushes it; the agent first."""
    waiting = {thing for thing in range(len(before)) if before[thing] != after[thing]}
    moved = [0] if 0 in waiting else []
    waiting -= {0}
    for thing in moved:  # grows on the way
        yield thing
        cells = puzzle.objects[thing].cells_at(after[thing])
        touched = {
            k for k in waiting if not cells.isdisjoint(puzzle.objects[k].cells_at(before[k]))
        }
        moved += sorted(touched)
        waiting -= touched


def _apply(puzzle: Puzzle, state: State, move: _Step, pushes: list[_Step]) -> State:
    """Returns the state after a move of the agent and the pushes that it causes."""
    moving = moving_objects(puzzle, state, move.action)
    _check_place(puzzle, state, move)
    after = puzzle.step(state, move.action)
    if after == state:
        raise move.error("the agent or something that it pushes would enter a wall")
    moved = {0}
    for push in pushes:
        name = puzzle.objects[push.thing].name
        if push.action != move.action or push.thing not in moving:
            raise push.error(f"{name} is not pushed {DIRECTIONS[push.action]} by this move")
        if push.thing in moved:
            raise push.error(f"{name} was moved already")
        _check_place(puzzle, state, push)
        moved.add(push.thing)
    if moved != moving:
        name = puzzle.objects[min(moving - moved)].name
        raise move.error(f"{name} is pushed by this move, but the plan does not move it")
    return after


def _check_place(puzzle: Puzzle, state: State, step: _Step) -> None:
    name = puzzle.objects[step.thing].name
    if state[step.thing] != step.start:
        raise step.error(f"{name} is at {_written(state[step.thing])}, not {_written(step.start)}")
    dx, dy = step.action.delta
    if step.end != (step.start[0] + dx, step.start[1] + dy):
        raise step.error(f"this is not one cell {DIRECTIONS[step.action]}")


def _parse(puzzle: Puzzle, text: str) -> Iterator[_Step]:
    things = {name: index for index, name in enumerate(thing_names(puzzle))}
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.partition(";")[0].strip().lower()
        if not line:
            continue
        match = _STEP.match(line)
        words = match[1].split() if match else []
        name, arguments = (words[0], words[1:]) if words else ("", [])
        thing = 0
        if name == PUSH and arguments:
            thing = things.get(arguments.pop(0), 0)
        places = [_PLACE.fullmatch(word) for word in arguments[:2]]
        if (
            (name, thing > 0) not in ((MOVE, False), (PUSH, True))
            or len(arguments) != 3
            or not all(places)
            or arguments[2] not in DIRECTIONS
        ):
            raise PlanError(
                f"line {number} of the plan, {line!r}, is not a step of this puzzle: expected "
                "(move PLACE PLACE DIRECTION) or (push OBJECT PLACE PLACE DIRECTION)"
            )
        start, end = ((int(place[1]), int(place[2])) for place in places if place)
        yield _Step(
            line=number,
            text=" ".join(words),
            thing=thing,
            start=start,
            end=end,
            action=Action(DIRECTIONS.index(arguments[2])),
        )


def _written(position: Position | None) -> str:
    return "nowhere" if position is None else f"({position[0]}, {position[1]})"
