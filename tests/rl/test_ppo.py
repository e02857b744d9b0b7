"""What PPO maximises, worked out by hand, and what it thinks of episodes that are cut."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import pytest

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.config import NetworkConfig, PPOConfig
from pushworld.rl.learner import advance, begun, first_states, observe_all
from pushworld.rl.networks import ActorCritic
from pushworld.rl.ppo import clipped_objective, log_probability, make_ppo


def test_leaving_the_clip_is_not_rewarded_but_coming_back_is() -> None:
    ratios = jnp.array([1.5, 1.5, 0.5, 0.5, 1.1])
    advantages = jnp.array([2.0, -2.0, 2.0, -2.0, 2.0])
    found = clipped_objective(jnp.log(ratios), advantages, 0.2)
    assert found.tolist() == pytest.approx([1.2 * 2, 1.5 * -2, 0.5 * 2, 0.8 * -2, 1.1 * 2])


def test_probabilities_of_actions() -> None:
    logits = jnp.log(jnp.array([[1.0, 2.0, 3.0, 4.0], [1.0, 1.0, 1.0, 1.0]])) + 7
    found = log_probability(logits, jnp.array([3, 0]))
    assert found.tolist() == pytest.approx([math.log(0.4), math.log(0.25)])


def test_a_world_without_end_is_worth_all_its_steps_wherever_episodes_are_cut() -> None:
    """A step costs 0.01 and counts half as much as the one before: 0.02 in all, not 0.01.

    Episodes last one step, so half of what an unroll holds are the last states of episodes.
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
    state, metrics = advance(learner, 300)(begun(learner, jax.random.key(0), params), params)
    assert metrics["steps"] == metrics["episodes"] == 300 * 8 * 8 / 2
    assert metrics["return"] / metrics["episodes"] == pytest.approx(-0.01)
    seen = observe_all(first_states(jax.random.key(1), 1, params), params)
    _, values = ActorCritic(network).apply(state.weights, seen)  # type: ignore[misc]
    assert float(values[0]) == pytest.approx(-0.02, abs=0.003)
