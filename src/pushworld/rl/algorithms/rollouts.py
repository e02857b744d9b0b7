"""Rollouts: the steps that a policy takes in many environments at once.

Ends of episodes: after a termination the next episode starts at once, and the value is 0. A
truncated episode gets one more entry in the rollout with its last state, whose value bootstraps
the truncated step. No action is taken there, and all means mask this entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp

from pushworld.envs.jax import EnvParams
from pushworld.rl.algorithms.learner import (
    Episodes,
    Metrics,
    encode_observations,
    episode_sums,
    reset_all,
    select,
    step_all,
)


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Rollout:
    """Steps of all environments; time is the first axis, environments are the second.

    Attributes:
        observations: before the step, as `encode_observations` returns them.
        actions: int32, the actions taken.
        log_probabilities: float32, of the actions under the policy that took them.
        values: float32, the network's values of the states.
        rewards: float32.
        terminated: bool, whether the step achieved all goals.
        valid: bool, whether an action was taken; False for the last state of a truncated episode.
    """

    observations: jax.Array
    actions: jax.Array
    log_probabilities: jax.Array
    values: jax.Array
    rewards: jax.Array
    terminated: jax.Array
    valid: jax.Array


def roll_out(
    key: jax.Array,
    policy: Callable[[jax.Array], tuple[jax.Array, jax.Array]],
    episodes: Episodes,
    params: EnvParams,
    length: int,
) -> tuple[Episodes, Rollout, Metrics]:
    """Returns the episodes after some steps in every environment, the steps, and sums of metrics.

    Args:
        key: of actions and new episodes.
        policy: returns logits and values of encoded observations.
        episodes: the running episodes.
        params: the packed puzzles.
        length: the number of steps.
    """

    def step(episodes: Episodes, key: jax.Array) -> tuple[Episodes, tuple[Rollout, Metrics]]:
        action_key, reset_key = jax.random.split(key)
        states = episodes.states
        observations = encode_observations(states, params)
        logits, values = policy(observations)
        actions = jax.random.categorical(action_key, logits)
        valid = states.steps < params.max_steps
        after, rewards, done, info = step_all(states, actions, params)
        terminated = info["terminated"] & valid
        reset_states = reset_all(reset_key, len(done), params)
        returns = episodes.returns + rewards
        metrics = episode_sums(done & valid, terminated, returns, after.steps)
        metrics["steps"] = valid.sum(dtype=jnp.int32)
        next_episodes = Episodes(
            states=select(terminated | ~valid, reset_states, after),
            returns=jnp.where(done | ~valid, 0, returns),
        )
        log_probabilities = log_probability(logits, actions)
        rollout = Rollout(
            observations, actions, log_probabilities, values, rewards, terminated, valid
        )
        return next_episodes, (rollout, metrics)

    keys = jax.random.split(key, length)
    episodes, (rollout, metrics) = jax.lax.scan(step, episodes, keys)
    return episodes, rollout, jax.tree.map(lambda values: values.sum(axis=0), metrics)


def log_probability(logits: jax.Array, actions: jax.Array) -> jax.Array:
    """Returns the log probabilities of actions."""
    logs = jax.nn.log_softmax(logits)
    return jnp.take_along_axis(logs, actions[:, None], axis=-1)[:, 0]
