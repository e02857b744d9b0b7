"""Advantages of a rollout, correct where episodes end."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from pushworld.rl.devices import ONE, Devices


def generalised_advantages(
    rewards: jax.Array,
    values: jax.Array,
    terminated: jax.Array,
    valid: jax.Array,
    last_values: jax.Array,
    discount: float,
    gae_lambda: float,
) -> jax.Array:
    """Returns how much better each action was than the value function expected (GAE).

    Time is the first axis. An episode that was truncated is followed by one more entry, which
    holds its last state and the value of that; no action was taken in it, so it is not valid.
    Thus the entry after a step is always its true successor, except after a termination, whose
    future is worth nothing.

    Args:
        rewards: the reward of each step.
        values: the value of the state before it.
        terminated: whether the step achieved all goals.
        valid: whether an action was taken.
        last_values: the value of the states after the last step.
        discount, gae_lambda: how fast rewards, and surprises, fade.

    Returns:
        Advantages of the shape of the rewards; 0 where not valid.
    """
    next_values = jnp.concatenate([values[1:], last_values[None]])
    goes_on = ~terminated
    surprises = rewards + discount * jnp.where(goes_on, next_values, 0) - values

    def backwards(
        after: jax.Array, step: tuple[jax.Array, jax.Array, jax.Array]
    ) -> tuple[jax.Array, jax.Array]:
        surprise, goes_on, valid = step
        advantage = surprise + discount * gae_lambda * jnp.where(goes_on, after, 0)
        advantage = jnp.where(valid, advantage, 0)
        return advantage, advantage

    _, advantages = jax.lax.scan(
        backwards, jnp.zeros_like(last_values), (surprises, goes_on, valid), reverse=True
    )
    return advantages


def normalised(advantages: jax.Array, valid: jax.Array, devices: Devices = ONE) -> jax.Array:
    """Returns the advantages shifted and scaled to mean 0 and deviation 1 over all valid steps."""
    centred = jnp.where(valid, advantages - devices.mean(advantages, valid), 0)
    return centred / (jnp.sqrt(devices.mean(centred**2, valid)) + 1e-8)
