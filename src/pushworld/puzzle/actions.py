"""The four actions, and plans: sequences of actions written as strings over ``LRUD``."""

from collections.abc import Iterable
from enum import IntEnum

from pushworld.puzzle.errors import PlanError


class Action(IntEnum):
    """A move of the agent by one cell. The numbers are part of the public contract."""

    LEFT = 0
    RIGHT = 1
    UP = 2
    DOWN = 3

    @property
    def letter(self) -> str:
        """The action's letter in a plan."""
        return LETTERS[self]

    @property
    def delta(self) -> tuple[int, int]:
        """The unit vector (dx, dy) of the movement; y grows downwards."""
        return DELTAS[self]


LETTERS = "LRUD"
"""The actions in plans, by number."""

DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""What each action adds to (x, y)."""

Plan = tuple[Action, ...]
"""Actions, one after the other."""

_ACTIONS: dict[object, Action] = {key: a for a in Action for key in (a.value, a.letter)}


def parse_plan(plan: str | Iterable[int]) -> Plan:
    """Returns the actions of a plan given as ``"LLURD"`` (any case, white space ignored) or as numbers.

    Raises:
        PlanError: if something in it is not an action.
    """
    actions = []
    for index, item in enumerate(plan):
        if isinstance(item, str) and item.isspace():
            continue
        action = _ACTIONS.get(item.upper() if isinstance(item, str) else item)
        if action is None:
            raise PlanError(
                f"{item!r} at position {index + 1} of the plan is not an action: "
                "write a plan with the letters L, R, U and D"
            )
        actions.append(action)
    return tuple(actions)


def format_plan(plan: Iterable[int]) -> str:
    """Returns the plan as a string over ``LRUD``."""
    return "".join(LETTERS[action] for action in plan)
