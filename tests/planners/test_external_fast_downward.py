"""A real Fast Downward on exported puzzles against our own exhaustive search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pushworld import solve
from pushworld.planners import get_planner
from pushworld.planners.external.fast_downward import (
    fast_downward_planner,
    find_fast_downward,
    on_pddl,
)
from tests.export.test_published_encoding import CORRIDOR, LONGER
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.waiting import PATIENCE

pytestmark = pytest.mark.skipif(
    not find_fast_downward().command,
    reason=f"needs Fast Downward: {find_fast_downward().availability.install}",
)

BLIND = fast_downward_planner("blind", "", search="astar(blind())", optimal=True)
PLANNERS = {
    "sas": BLIND,
    "pddl": on_pddl(BLIND),
    "pddl-low-arity": replace(on_pddl(BLIND), representation="pddl-low-arity"),
}


@pytest.mark.parametrize("representation", PLANNERS)
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_blind_search_finds_our_costs(first: int, representation: str) -> None:
    planner = PLANNERS[representation]
    for seed in range(first, first + 10):
        puzzle = tiny_puzzle(seed)
        ours = solve(puzzle, "bfs", time_limit=PATIENCE)
        theirs = planner.solve(
            puzzle, time_limit=PATIENCE, memory_limit_gb=8, threads=1, seed=0, progress=None
        )
        assert (theirs.status, theirs.length) == (ours.status, ours.length), puzzle.to_pwp()
        if theirs.plan is not None:
            assert puzzle.validate(theirs.plan)


@pytest.mark.parametrize("representation", PLANNERS)
def test_no_object_enters_the_border(representation: str) -> None:
    """In the published encoding one does: tests/export/test_published_encoding.py."""
    planner = PLANNERS[representation]
    corridor, longer = (
        planner.solve(
            puzzle, time_limit=PATIENCE, memory_limit_gb=8, threads=1, seed=0, progress=None
        )
        for puzzle in (CORRIDOR, LONGER)
    )
    assert (corridor.status, longer.plan) == ("unsolvable", "R")


@pytest.mark.parametrize(
    "name", ["ff", "fd-cea", "fd-autotune", "lama", "fdss", "ff-pddl", "fd-cea-pddl"]
)
def test_each_planner_finds_a_plan(name: str) -> None:
    result = solve(tiny_puzzle(29), name, time_limit=PATIENCE)
    assert result.status == "solved"
    assert result.planner == name
    assert result.expanded > 0
    assert result.peak_memory_bytes > 10**6
    assert result.representation_seconds is not None
    assert 0 < result.representation_seconds < result.seconds


def test_what_cannot_be_solved_is_proved_so() -> None:
    puzzle = tiny_puzzle(0)
    assert solve(puzzle, "bfs").status == "unsolvable"
    for name in ("lama", "ff-pddl"):
        assert solve(puzzle, name, time_limit=PATIENCE).status == "unsolvable"


def test_the_version_is_known() -> None:
    version = get_planner("lama").availability().version
    assert version is not None
    assert version.startswith("Fast Downward")
