"""The reward is the one that the specification states."""

from __future__ import annotations

import pytest

from pushworld.envs.contract import is_solved, reward


@pytest.mark.parametrize(
    ("before", "after", "goals", "expected"),
    [
        (0, 0, 1, -0.01),
        (0, 1, 1, 10.0),
        (0, 1, 2, 0.99),
        (1, 0, 2, -1.01),
        (1, 2, 2, 10.0),
        (0, 2, 2, 10.0),
        (0, 2, 3, 1.99),
        (0, 0, 0, -0.01),
    ],
)
def test_reward(before: int, after: int, goals: int, expected: float) -> None:
    assert reward(before, after, goals) == pytest.approx(expected, abs=1e-12)


def test_a_puzzle_without_goals_is_never_solved() -> None:
    assert not is_solved(0, 0)
    assert is_solved(2, 2)
    assert not is_solved(1, 2)
