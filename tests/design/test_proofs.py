"""Proofs that there is no plan, against exhaustive search."""

from __future__ import annotations

import pytest

from pushworld.design.budget import (
    BUDGETS,
    OutOfTimeError,
    Solution,
    looking_back_proves_unsolvable,
    pairs_prove_unsolvable,
    time_limit,
)
from pushworld.design.roles import find_roles
from pushworld.planners import solve
from pushworld.puzzle import Puzzle
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import StateSpace

YARD = """\
W W  W  W  W  W  W  W  W  .     W  W
. .  M1 .  .  .  .  .  .  M2    .  G1
. W  W  W  W  W  W  W  W  AW    W  W
. W  W  W  W  W  W  W  W  AW+M2 W  W
. W  W  W  W  W  W  W  W  AW    W  W
. .  .  .  .  .  .  .  .  .     .  .
. M4 M4 .  M5 M5 .  M6 M6 .     .  .
. .  .  .  .  .  .  .  .  .     M3 .
. M7 M7 .  M8 M8 .  M9 M9 .     M3 .
A .  .  .  .  .  .  .  .  .     .  .
"""
"""Only the rod M3 lifts the window of the bolt M2 into the way of M1; the others lie in an open yard."""


def test_what_is_proved_has_no_plan_and_many_such_puzzles_are_proved() -> None:
    proofs = (pairs_prove_unsolvable, looking_back_proves_unsolvable)
    proved, unsolvable = [0, 0], 0
    for seed in range(40):
        puzzle = tiny_puzzle(seed)
        if not puzzle.goal:
            continue
        has_plan = StateSpace(puzzle).shortest is not None
        unsolvable += not has_plan
        for index, proves in enumerate(proofs):
            if proves(puzzle):
                proved[index] += 1
                assert not has_plan, seed
    assert min(proved) > unsolvable / 2


def test_proof_does_not_depend_on_the_number_of_states() -> None:
    puzzle = Puzzle.parse(YARD)
    assert not pairs_prove_unsolvable(puzzle)
    plan = solve(puzzle, max_states=300_000).plan
    assert plan is not None
    roles = find_roles(puzzle, Solution(plan, optimal=False), BUDGETS["quick"])
    assert roles.of("tool") == ("M3",)
    assert roles.of("unknown") == ()


def test_proof_keeps_a_deadline() -> None:
    with time_limit(0), pytest.raises(OutOfTimeError):
        pairs_prove_unsolvable(Puzzle.parse(YARD))
