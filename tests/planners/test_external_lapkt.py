"""The real LAPKT on an exported puzzle."""

from __future__ import annotations

import pytest

from pushworld import solve
from pushworld.planners.external.lapkt import find_lapkt
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(
    not find_lapkt().command, reason=f"needs LAPKT: {find_lapkt().availability.install}"
)


@pytest.mark.parametrize("name", ["bfws", "k-bfws", "bfws-f5"])
def test_each_planner_finds_a_plan(name: str) -> None:
    puzzle = tiny_puzzle(29)
    result = solve(puzzle, name, time_limit=PATIENCE)
    assert (result.status, result.planner) == ("solved", name)
    assert result.plan is not None
    assert puzzle.validate(result.plan)
    assert result.expanded > 0
    assert result.peak_memory_bytes > 10**6
    assert result.representation_seconds is not None
    assert 0 < result.representation_seconds < result.seconds
