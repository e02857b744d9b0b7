"""Files of the published human solutions: YAML with a line ``plan:``."""

from __future__ import annotations

import re

from pushworld.puzzle import PlanError, Puzzle, format_plan, parse_plan

PLAN_SUFFIXES = (".yaml", ".yml")

_PLAN = re.compile(r"^plan[ \t]*:[ \t]*(.*(?:\n[ \t]+\S.*|\n-[ \t].*)*)", re.MULTILINE)
_MARKS = re.compile(r"""(?:^|\s)#.*|[|>][+-]?(?=\s|$)|["'\[\],-]""")
"""Comments, signs of folded blocks, quotes, and the signs of lists."""


def plan_in_yaml(text: str) -> str:
    """Returns the plan of a YAML file as a string over ``LRUD``: its value ``plan``, in any style.

    Raises:
        PlanError: if it has no such value, or the value is no plan.
    """
    found = _PLAN.search(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    if found is None:
        raise PlanError("there is no line `plan:`")
    plan = format_plan(parse_plan(_MARKS.sub("", found[1])))
    if not plan:
        raise PlanError("the plan is empty")
    return plan


def solution_of(puzzle: Puzzle, data: bytes) -> str:
    """Returns the plan in the bytes of a file, which solves the puzzle.

    Raises:
        PlanError: if there is no plan, or it does not solve the puzzle.
    """
    try:
        plan = plan_in_yaml(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise PlanError("the file is not UTF-8 text") from None
    if not puzzle.validate(plan):
        raise PlanError(f"the plan of {len(plan)} actions does not solve the puzzle")
    return plan
