"""Proofs that there is no plan, against exhaustive search."""

from __future__ import annotations

from pushworld.design.budget import looking_back_proves_unsolvable
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import StateSpace


def test_what_is_proved_has_no_plan_and_many_such_puzzles_are_proved() -> None:
    proved = unsolvable = 0
    for seed in range(40):
        puzzle = tiny_puzzle(seed)
        if not puzzle.goal:
            continue
        has_plan = StateSpace(puzzle).shortest is not None
        unsolvable += not has_plan
        if looking_back_proves_unsolvable(puzzle):
            proved += 1
            assert not has_plan, seed
    assert proved > unsolvable / 2
