"""Names in exported files, from which the ids and positions of the puzzle can be recovered."""

import re

from pushworld.puzzle import Action, Position, Puzzle

MOVE = "move"
PUSH = "push"
DIRECTIONS = tuple(action.name.lower() for action in Action)


def thing_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Returns a different name for each object: ``a``, ``m1``; other ids as close as PDDL allows.

    Hyphens in ids are replaced, so that no id reads like a place of another object, or like the
    name of an object whose own name is taken.
    """
    names: list[str] = []
    for index, thing in enumerate(puzzle.objects):
        name = thing.name.lower()
        if index == 0:
            name = "a"
        elif not re.fullmatch(r"m[0-9]+", name):
            name = f"m-{re.sub('[^a-z0-9_]', '_', name[1:])}"
        names.append(name if name not in names else f"{name}--{index}")
    return tuple(names)


def place_name(position: Position, thing: str = "p") -> str:
    """Returns the name of a position, or of a position of an object."""
    return f"{thing}-{position[0]}-{position[1]}"


def step_name(pushed: str | None, start: Position, end: Position, action: Action) -> str:
    """Returns the action of a plan for a step of a pushed object, or of the agent if it is None."""
    what = MOVE if pushed is None else f"{PUSH} {pushed}"
    return f"{what} {place_name(start)} {place_name(end)} {DIRECTIONS[action]}"
