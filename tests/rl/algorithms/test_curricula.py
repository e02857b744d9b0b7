"""The shares of puzzles, worked out by hand, and a curriculum in training."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.curricula import (
    Curriculum,
    after_rollout,
    first_curriculum,
    learnability,
    probabilities,
    replay_weights,
    reset_chosen,
)
from pushworld.rl.algorithms.learner import compile_iterations, initial_training_state, over_seeds
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.settings import CurriculumConfig, NetworkConfig, PPOConfig

KNOWN = Curriculum(
    episodes=jnp.array([9.0, 9.0, 0.0, 19.0]),
    solved=jnp.array([9.0, 4.5, 0.0, 0.0]),
    scores=jnp.array([0.5, 2.0, jnp.inf, 1.0]),
    seen=jnp.array([4, 1, 0, 4]),
)


def test_learnability_is_the_variance_of_success() -> None:
    solved = np.array([9.5 / 10, 5 / 10, 0.5, 0.5 / 20])
    variance = solved * (1 - solved)
    np.testing.assert_allclose(learnability(KNOWN), variance / variance.sum(), rtol=1e-6)


def test_replay_goes_by_rank_and_by_age() -> None:
    config = CurriculumConfig("replay", temperature=0.5, staleness=0.2)
    by_rank = np.array([1 / 16, 1 / 4, 1.0, 1 / 9])  # ranks 4, 2, 1, 3, squared
    by_age = np.array([0, 3, 4, 0]) / 7
    expected = 0.8 * by_rank / by_rank.sum() + 0.2 * by_age
    np.testing.assert_allclose(replay_weights(config, KNOWN, jnp.int32(4)), expected, rtol=1e-6)


@pytest.mark.parametrize("kind", ["learnability", "replay"])
def test_every_puzzle_keeps_its_share_of_the_uniform_part(kind: str) -> None:
    config = CurriculumConfig(kind, uniform=0.4)  # type: ignore[arg-type]
    found = probabilities(config, KNOWN, jnp.int32(4))
    assert float(found.sum()) == pytest.approx(1)
    assert float(found.min()) >= 0.1
    fresh = probabilities(config, first_curriculum(5), jnp.int32(0))
    assert float(fresh.sum()) == pytest.approx(1)


def test_a_rollout_is_added_to_what_is_left_of_earlier_ones() -> None:
    config = CurriculumConfig("learnability", memory=0.5)
    found = after_rollout(
        config,
        KNOWN,
        jnp.int32(7),
        puzzles=jnp.array([[0, 3], [0, 3], [1, 3]]),
        ended=jnp.array([[False, False], [True, True], [False, False]]),
        solved=jnp.array([[False, False], [True, False], [False, False]]),
        valid=jnp.array([[True, True], [True, True], [True, False]]),
        advantages=jnp.array([[1.0, -2.0], [-3.0, 4.0], [5.0, 9.0]]),
    )
    assert found.episodes.tolist() == [5.5, 4.5, 0, 10.5]
    assert found.solved.tolist() == [5.5, 2.25, 0, 0]
    assert found.scores.tolist() == [2.0, 5.0, np.inf, 3.0]
    assert found.seen.tolist() == [7, 7, 0, 7]


def test_puzzles_are_drawn_by_their_shares() -> None:
    params = pack([Puzzle.parse("A . M1 . G1")] * 3, max_steps=6)
    states = reset_chosen(jax.random.key(0), 4000, params, jnp.array([0.7, 0.0, 0.3]))
    counts = np.bincount(np.asarray(params.puzzle_of[states.variant]), minlength=3)
    assert counts[1] == 0
    assert counts[0] == pytest.approx(2800, abs=120)


def test_two_seeds_have_curricula_of_their_own_and_prefer_what_is_solved_sometimes() -> None:
    """The first puzzle is solved by any step to the right, the second one never."""
    params = pack(
        [Puzzle.parse("A M1 G1 .\n. . . ."), Puzzle.parse("A W M1 G1\nW W . .")],
        max_steps=6,
        symmetries=False,
    )
    learner = make_ppo(
        NetworkConfig("centred", hidden=(4,)),
        PPOConfig(environments=32, unroll=8, minibatches=1, learning_rate=1e-6),
        curriculum=CurriculumConfig("learnability"),
    )
    learner = over_seeds(learner)
    keys = jax.random.split(jax.random.key(0), 2)
    state = initial_training_state(learner, keys, params)
    state, metrics = compile_iterations(learner, 20)(state, params)
    assert state.curriculum.episodes.shape == (2, 2)
    assert (state.curriculum.solved[:, 1] == 0).all()
    assert (state.curriculum.episodes[:, 0] > 2 * state.curriculum.episodes[:, 1]).all()
    assert (np.asarray(metrics["solved"]) > 0).all()
