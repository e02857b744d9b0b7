"""All planners against exhaustive search on tiny puzzles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pushworld import Puzzle, solve
from pushworld.planners import Planner, planners
from pushworld.planners.native import NativePlanner
from tests.large import large
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import shortest_length
from tests.waiting import PATIENCE

EACH_PLANNER = pytest.mark.parametrize("planner", planners(), ids=lambda planner: planner.name)
CHUNK = 100
EVERY_SLOW = 10
"""Planners in Python are slow and get every tenth puzzle."""

# The object must leave its corner, which nothing can make it do.
CORNERED = Puzzle.parse("M1 . . G1\n. . . .\nA . M2 .")


@pytest.mark.parametrize("first", [100, large(200), large(300)])
def test_planners_agree_with_exhaustive_search(first: int) -> None:
    for seed in range(first, first + CHUNK):
        puzzle = tiny_puzzle(seed)
        shortest = shortest_length(puzzle)
        for planner in planners():
            if seed % EVERY_SLOW and not isinstance(planner, NativePlanner):
                continue
            assert planner.complete
            result = solve(puzzle, planner.name, time_limit=PATIENCE)
            if shortest is None:
                assert (result.status, result.plan) == ("unsolvable", None), puzzle.to_pwp()
                continue
            assert result.status == "solved", (planner.name, puzzle.to_pwp())
            assert result.plan is not None
            assert puzzle.validate(result.plan)
            assert result.length == len(result.plan) >= shortest
            assert result.length == shortest or not planner.optimal, (planner.name, puzzle.to_pwp())


@EACH_PLANNER
def test_what_cannot_be_solved_is_proved_so(planner: Planner) -> None:
    result = solve(CORNERED, planner.name, time_limit=PATIENCE)
    assert (result.status, result.plan, result.length, result.pushes) == (
        "unsolvable",
        None,
        None,
        None,
    )


@EACH_PLANNER
def test_a_goal_among_walls_is_unsolvable(planner: Planner) -> None:
    walled_in = Puzzle.parse(". A M1 . . W G1\n. . .  . . W W")
    assert solve(walled_in, planner.name, time_limit=PATIENCE).status == "unsolvable"


@EACH_PLANNER
def test_a_solved_puzzle_needs_no_actions(planner: Planner) -> None:
    result = solve(Puzzle.parse("A . M1+G1"), planner.name)
    assert (result.status, result.plan, result.length, result.pushes) == ("solved", "", 0, 0)


@EACH_PLANNER
def test_every_seed_solves_and_repeats(planner: Planner) -> None:
    puzzle = tiny_puzzle(1)
    for seed in (0, 1, 23, 2**64 - 1):
        first, second = (solve(puzzle, planner.name, seed=seed) for _ in range(2))
        assert first.status == "solved"
        untimed = [replace(result, seconds=0, states_per_second=0) for result in (first, second)]
        assert untimed[0] == untimed[1]


def test_seeds_change_what_is_found() -> None:
    puzzle = Puzzle.parse("A . .\n. . .\n. . M1\n. . G1")
    assert len({solve(puzzle, "bfs", seed=seed).plan for seed in range(24)}) > 1
