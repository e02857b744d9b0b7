"""The objective of PPO, worked out by hand, and the values of truncated episodes."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.learner import (
    Weights,
    compile_iterations,
    initial_training_state,
    observe_all,
    reset_all,
)
from pushworld.rl.algorithms.networks import ActorCritic
from pushworld.rl.algorithms.ppo import clipped_objective, log_probability, make_ppo
from pushworld.rl.settings import NetworkConfig, PPOConfig


def test_leaving_the_clip_is_not_rewarded_but_coming_back_is() -> None:
    ratios = jnp.array([1.5, 1.5, 0.5, 0.5, 1.1])
    advantages = jnp.array([2.0, -2.0, 2.0, -2.0, 2.0])
    found = clipped_objective(jnp.log(ratios), advantages, 0.2)
    assert found.tolist() == pytest.approx([1.2 * 2, 1.5 * -2, 0.5 * 2, 0.8 * -2, 1.1 * 2])


def test_probabilities_of_actions() -> None:
    logits = jnp.log(jnp.array([[1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0]])) + 7
    found = log_probability(logits, jnp.array([3, 0]))
    assert found.tolist() == pytest.approx([math.log(0.4), math.log(0.25)])


@pytest.mark.large
def test_a_puzzle_without_goals_has_the_value_of_all_its_steps_wherever_episodes_are_truncated() -> (
    None
):
    """A step costs 0.01, and the discount is a half: the value is -0.02, not -0.01.

    Episodes have one step, so half of the entries of a rollout are last states of episodes.
    """
    network = NetworkConfig("centred", hidden=(4,))
    settings = PPOConfig(
        environments=8,
        unroll=8,
        minibatches=1,
        learning_rate=1e-2,
        value_cost=1.0,
        discount=0.5,
    )
    learner = make_ppo(network, settings)
    params = pack([Puzzle.parse("A")], max_steps=1)
    state = initial_training_state(learner, jax.random.key(0), params)
    state, metrics = compile_iterations(learner, 300)(state, params)
    assert metrics["steps"] == metrics["episodes"] == 300 * 8 * 8 / 2
    assert metrics["return"] / metrics["episodes"] == pytest.approx(-0.01)

    @jax.jit
    def value(weights: Weights) -> jax.Array:
        observations = observe_all(reset_all(jax.random.key(1), 1, params), params)
        outputs: Any = ActorCritic(network).apply(weights, observations)
        return jnp.squeeze(outputs[1])

    assert float(value(state.weights)) == pytest.approx(-0.02, abs=0.003)
