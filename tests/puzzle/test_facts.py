"""Facts about puzzles and plans."""

from __future__ import annotations

import math

from hypothesis import given

from pushworld.puzzle import Action, Puzzle
from pushworld.puzzle.facts import count_positions, log10_states_at_most, replay_plan
from tests.strategies import plans, small_puzzles


@given(small_puzzles)
def test_positions_are_those_off_the_walls(puzzle: Puzzle) -> None:
    expected = []
    for thing in puzzle.objects:
        stops = puzzle.walls | puzzle.agent_walls if thing is puzzle.agent else puzzle.walls
        inside = [
            (x, y)
            for x in range(puzzle.width - thing.width + 1)
            for y in range(puzzle.height - thing.height + 1)
        ]
        expected.append(sum(not thing.cells_at(position) & stops for position in inside))
    assert count_positions(puzzle) == tuple(expected)
    assert math.isclose(log10_states_at_most(puzzle), math.log10(math.prod(expected)), abs_tol=1e-9)


@given(small_puzzles, plans)
def test_replaying_a_plan(puzzle: Puzzle, plan: tuple[Action, ...]) -> None:
    replay = replay_plan(puzzle, plan)
    states = list(puzzle.replay(plan))
    assert replay.plan == plan
    assert replay.final_state == states[-1]
    assert replay.valid == puzzle.validate(plan)
    assert len(replay.achieved) == puzzle.achieved_goals(states[-1])
    assert len(replay.achieved) + len(replay.missing) == len(puzzle.goal)
    assert all(states[step - 1] == states[step] for step in replay.without_effect)
    assert len(replay.without_effect) == sum(
        states[step] == states[step + 1] for step in range(len(plan))
    )
