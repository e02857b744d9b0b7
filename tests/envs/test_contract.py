"""The reward is the one that the specification states."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from pushworld.envs.contract import REWARDS, Reward
from pushworld.puzzle import PushWorldError, Puzzle
from tests.envs.definitions import distance_to_goals, reward_of_step


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
    assert reward_of_step(Reward(), before, after, goals) == pytest.approx(expected, abs=1e-12)


def test_other_rewards() -> None:
    sparse, shaped = REWARDS["sparse"], REWARDS["shaped"]
    assert [reward_of_step(sparse, 0, after, 2) for after in (0, 1, 2)] == [0, 0, 1]
    assert reward_of_step(shaped, 0, 0, 1, (5, 4)) == pytest.approx(-0.01 + 0.1 * (5 - 0.99 * 4))
    assert reward_of_step(shaped, 0, 1, 1, (1, 0)) == pytest.approx(10.1)
    assert Reward.named(sparse) is sparse


def test_shaping_adds_a_constant_to_the_discounted_return() -> None:
    """Ng, Harada and Russell (1999): whatever happens on the way, it depends on both ends only."""
    shaped, plain = REWARDS["shaped"], REWARDS["paper"]
    distances = [7, 6, 6, 8, 3, 4, 1, 0]
    pairs = [*pairwise(distances)]
    extra = sum(
        shaped.discount**i
        * (reward_of_step(shaped, 0, 0, 1, pair) - reward_of_step(plain, 0, 0, 1))
        for i, pair in enumerate(pairs)
    )
    assert extra == pytest.approx(0.1 * 7)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Reward(shaping=-1), "at least 0, not -1"),
        (lambda: Reward(discount=0), "more than 0"),
        (lambda: Reward.named("curious"), "no reward 'curious': use paper, sparse, shaped"),  # type: ignore[arg-type]
    ],
)
def test_rewards_that_do_not_exist(make: Callable[[], Reward], problem: str) -> None:
    with pytest.raises(PushWorldError, match=problem):
        make()


def test_distances_respect_walls_and_ignore_objects() -> None:
    puzzle = Puzzle.parse(
        """
        A  .  M1 W  G1
        M2 .  .  W  .
        .  .  M3 .  .
        """.strip()
    )
    assert distance_to_goals(puzzle, puzzle.initial_state) == 6
    start = puzzle.initial_state
    assert [distance_to_goals(puzzle, (start[0], at, *start[2:])) for at in ((5, 1), (5, 3))] == [
        0,
        2,
    ]


def test_an_object_that_cannot_reach_its_goal_is_farther_than_any_that_can() -> None:
    puzzle = Puzzle.parse("A . M1 W . G1")
    assert distance_to_goals(puzzle, puzzle.initial_state) == 2
    two = Puzzle.parse("A M1 G1 . W M2 . G2")
    assert distance_to_goals(two, two.initial_state) == 1 + 2
