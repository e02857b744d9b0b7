"""The way back: every step of a planner's plan is held against the dynamics."""

from __future__ import annotations

import pytest

from pushworld.export import plan_from_external, plan_to_external
from pushworld.planners import solve
from pushworld.puzzle import PlanError, Puzzle
from tests.planners.tiny_puzzles import tiny_puzzle

# The agent pushes M1, which pushes M2; M3 has an id that PDDL does not take as it is.
PUZZLE = Puzzle.parse("A M1 M2 . G2\n. Mä.é . . .")
PLAN = """\
(move p-1-1 p-2-1 right)
(push m1 p-2-1 p-3-1 right)
(push m2 p-3-1 p-4-1 right)
(move p-2-1 p-3-1 right)
(push m2 p-4-1 p-5-1 right)
(push m1 p-3-1 p-4-1 right)
; cost = 2 (general cost)
"""


@pytest.mark.parametrize(
    "plan",
    [
        PLAN,
        PLAN.upper(),
        PLAN.replace("(", "").replace(")", "").replace("; cost = 2 general cost", ""),
        "\n".join(f"{n}: {line} [1]" for n, line in enumerate(PLAN.splitlines()[:-1])),
        "\n".join(f"{n}.0: {line} [0.0]\n" for n, line in enumerate(PLAN.splitlines()[:-1])),
        PLAN.replace("m1 p-", "m1 m1-").replace("m2 p-", "m2 m2-").replace("p-", "a-"),
    ],
)
def test_plans_come_back_in_every_dress(plan: str) -> None:
    assert plan_from_external(PUZZLE, plan) == "RR"


LINES = PLAN.splitlines()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (LINES[:3], r"M2 is at \(4, 1\), not at \(5, 1\)"),
        ([], "does not solve"),
        (LINES[1:], r"line 1 .*M1 is not pushed by anything"),
        ([LINES[0], LINES[2], *LINES[3:]], r"line 1 .*M1 is pushed by this move, but the plan"),
        ([*LINES[:2], LINES[1], *LINES[2:]], r"line 3 .*M1 was moved already"),
        ([*LINES[:3], "(push m-ä-é p-2-2 p-3-2 right)"], r"line 4.*is not a step"),
        ([*LINES[:3], "(push m----- p-2-2 p-3-2 right)"], r"line 4 .*is not a step"),
        ([*LINES[:3], "(push m-___ p-2-2 p-3-2 right)"], r"line 4 .*is not pushed right by this"),
        (["(move p-1-1 p-1-2 down)", "(push m1 p-2-1 p-3-1 right)"], "M1 is not pushed right"),
        (["(move p-1-1 p-3-1 right)"], r"line 1 .*not one cell right"),
        (["(move p-2-1 p-3-1 right)"], r"A is at \(1, 1\), not \(2, 1\)"),
        (["(move p-1-1 p-0-1 left)"], "would enter a wall"),
        (["(fly p-1-1 p-2-1 right)"], "is not a step of this puzzle"),
        (["(move p-1-1 p-2-1 east)"], "is not a step of this puzzle"),
        (["(push m9 p-1-1 p-2-1 right)"], "is not a step of this puzzle"),
        (["(move)"], "is not a step of this puzzle"),
    ],
)
def test_the_first_wrong_line_is_named(lines: list[str], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        plan_from_external(PUZZLE, "\n".join(lines))


def test_objects_that_push_each_other_move_together() -> None:
    """M1 and M2 reach into each other: each pushes the other."""
    ring = Puzzle.parse(". M1 M2+G1 . .\nA M2 M1 G1 .")
    pushes = ["(push m2 p-2-1 p-3-1 right)", "(push m1 p-2-1 p-3-1 right)"]
    for order in (pushes, pushes[::-1]):
        assert plan_from_external(ring, "\n".join(["(move p-1-2 p-2-2 right)", *order])) == "R"


def test_plans_go_there_and_back() -> None:
    assert plan_to_external(PUZZLE, "LRUR").splitlines() == [*LINES[:4], LINES[5], LINES[4]]
    for seed in (1, 4, 7, 13, 28):
        puzzle = tiny_puzzle(seed)
        plan = solve(puzzle, "bfs").plan
        assert plan is not None
        assert plan_from_external(puzzle, plan_to_external(puzzle, plan)) == plan
