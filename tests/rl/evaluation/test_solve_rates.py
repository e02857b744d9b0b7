"""Solve rates: the interval against its definition, and episodes against a known policy."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.envs.jax import SYMMETRIES, EnvParams, EnvState, pack
from pushworld.puzzle import Action, Puzzle, transform
from pushworld.rl.algorithms.learner import Learner
from pushworld.rl.evaluation.solve_rates import Evaluation, evaluate
from pushworld.statistics import Share

PUZZLES = [Puzzle.parse("A M1 . G1"), Puzzle.parse("A M1 . . G1"), Puzzle.parse("A . M1 G1")]


@pytest.mark.parametrize("successes", [0, 1, 50, 199, 200])
def test_the_interval_solves_its_equation(successes: int) -> None:
    """At the ends of Wilson's interval the observed rate is 1.96 standard deviations away."""
    trials = 200
    observed = successes / trials
    for end in Share(successes, trials).interval:
        deviation = np.sqrt(end * (1 - end) / trials)
        assert abs(observed - end) == pytest.approx(1.959964 * deviation, abs=1e-6)


def test_the_interval_of_nothing_is_everything() -> None:
    assert Share(0, 0).interval == (0, 1)


def test_views_of_one_puzzle_do_not_count_as_independent() -> None:
    numbers = np.repeat(np.arange(10), 8)
    solved = numbers < 5
    evaluation = Evaluation(
        numbers,
        np.tile(np.arange(8), 10),
        solved,
        np.zeros(80, np.int64),
        np.zeros((80, 0), np.int8),
    )
    assert evaluation.rate == 0.5
    assert evaluation.interval == Share(5, 10).interval


def scores(weights: jax.Array, states: EnvState, params: EnvParams) -> jax.Array:
    return jnp.tile(weights, (states.steps.shape[0], 1))


def explore(key: jax.Array, scores: jax.Array) -> jax.Array:
    return jnp.argmax(scores, axis=-1) ^ 1


def unused(*arguments: object) -> None:
    raise AssertionError


ONE_ACTION = Learner(unused, unused, scores, explore, 1)  # type: ignore[arg-type]
"""Takes the action that its weights name, and the opposite one if it explores."""


def play(
    action: Action, params: EnvParams, puzzles: list[int], exploring: bool = False
) -> Evaluation:
    """Returns the episodes of a policy that takes one action only."""
    weights = np.eye(4, dtype=np.float32)[int(action)]
    return evaluate(ONE_ACTION, weights, jax.random.key(0), params, puzzles, exploring)


def test_episodes_are_played_to_their_end() -> None:
    puzzles = [Puzzle.parse(text) for text in ("A M1 . G1", "A M1 . . . . G1", "G1 . M1 A")]
    params = pack(puzzles, max_steps=4, symmetries=False)
    greedy = play(Action.RIGHT, params, [0, 1, 2])
    assert greedy.solved.tolist() == [True, False, False]
    assert greedy.steps.tolist() == [2, 4, 4]
    assert [greedy.plan(episode) for episode in range(3)] == ["RR", "RRRR", "RRRR"]
    exploring = play(Action.RIGHT, params, [0, 2, 2], exploring=True)
    assert exploring.solved.tolist() == [False, True, True]
    assert exploring.of([2]).rate == 1


@pytest.fixture(scope="module")
def square() -> EnvParams:
    return pack(PUZZLES, max_steps=3, width=8, height=8)


@pytest.fixture(scope="module")
def whole(square: EnvParams) -> Evaluation:
    """All symmetries of three puzzles in one batch, the last puzzle first."""
    return play(Action.RIGHT, square, [2, 0, 1])


def test_all_symmetries_are_played(whole: Evaluation) -> None:
    for number, puzzle in enumerate(PUZZLES):
        evaluation = whole.of([number])
        assert evaluation.views.tolist() == list(range(8))
        assert evaluation.rate == 0.25  # as it is, and upside down
        for episode, view in enumerate(evaluation.views):
            turned = transform(puzzle, SYMMETRIES[view])
            assert turned.validate(evaluation.plan(episode)) == evaluation.solved[episode]


def test_more_episodes_than_fit_into_a_batch(
    whole: Evaluation, square: EnvParams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pushworld.rl.evaluation.playing.CPU_BATCH", 7)
    parts = play(Action.RIGHT, square, [2, 0, 1])
    for name in ("puzzles", "views", "solved", "steps"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))


def test_a_grid_that_is_not_square_has_no_room_for_puzzles_on_their_side() -> None:
    puzzle = PUZZLES[0]
    params = pack([puzzle], max_steps=4, width=6, height=3)
    evaluation = play(Action.LEFT, params, [0])
    turned = [transform(puzzle, SYMMETRIES[view]) for view in evaluation.views]
    assert [(each.width, each.height) for each in turned] == [(6, 3)] * 4
    assert evaluation.solved.tolist() == [each.validate("LL") for each in turned]


def test_equal_views_are_all_played_and_count_once() -> None:
    params = pack([Puzzle.parse(". . .\n. A .\n. . .")], max_steps=4, random_placement=False)
    evaluation = play(Action.UP, params, [0])
    assert [evaluation.plan(episode) for episode in range(8)] == ["UUUU"] * 8
    assert evaluation.interval == Share(0, 1).interval
