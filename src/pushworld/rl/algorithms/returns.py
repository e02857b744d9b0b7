"""Targets of values: generalised advantages, correct at terminations and truncations, and one-step targets."""

import jax
import jax.numpy as jnp


def generalised_advantages(
    rewards: jax.Array,
    values: jax.Array,
    terminated: jax.Array,
    valid: jax.Array,
    last_values: jax.Array,
    discount: float,
    gae_lambda: float,
) -> jax.Array:
    """Returns generalised advantage estimates (GAE).

    Time is the first axis. A truncated episode is followed by one more entry with its last state
    and the value of that state; no action is taken there, so the entry is not valid. The entry
    after a step is therefore always its successor, except after a termination, after which the
    value is 0.

    Args:
        rewards: the reward of each step.
        values: the value of the state before the step.
        terminated: whether the step achieved all goals.
        valid: whether an action was taken.
        last_values: the value of the states after the last step.
        discount: the discount of rewards.
        gae_lambda: the decay of TD errors.

    Returns:
        Advantages of the shape of the rewards; 0 where not valid.
    """
    next_values = jnp.concatenate([values[1:], last_values[None]])
    continues = ~terminated
    td_errors = rewards + discount * jnp.where(continues, next_values, 0) - values

    def backwards(
        next_advantage: jax.Array, step: tuple[jax.Array, jax.Array, jax.Array]
    ) -> tuple[jax.Array, jax.Array]:
        td_error, continues, valid = step
        advantage = td_error + discount * gae_lambda * jnp.where(continues, next_advantage, 0)
        advantage = jnp.where(valid, advantage, 0)
        return advantage, advantage

    _, advantages = jax.lax.scan(
        backwards, jnp.zeros_like(last_values), (td_errors, continues, valid), reverse=True
    )
    return advantages


def masked_mean(values: jax.Array, mask: jax.Array) -> jax.Array:
    """Returns the mean over the values where the mask is set."""
    return jnp.where(mask, values, 0).sum() / jnp.maximum(mask.sum(), 1)


def normalise(advantages: jax.Array, valid: jax.Array) -> jax.Array:
    """Returns advantages with mean 0 and standard deviation 1 over all valid steps."""
    centred = jnp.where(valid, advantages - masked_mean(advantages, valid), 0)
    return centred / (jnp.sqrt(masked_mean(centred**2, valid)) + 1e-8)


def one_step_targets(
    rewards: jax.Array,
    ends: jax.Array,
    next_values: jax.Array,
    selection: jax.Array,
    discount: float,
) -> jax.Array:
    """Returns the one-step targets of action values.

    Args:
        rewards: of the steps.
        ends: whether not to bootstrap, because the step achieved all goals.
        next_values: the target network's values of the next actions (batch, actions).
        selection: the values that select the next action (batch, actions).
        discount: of the future.
    """
    best = jnp.argmax(selection, axis=-1)
    future = jnp.take_along_axis(next_values, best[:, None], axis=-1)[:, 0]
    return rewards + discount * jnp.where(ends, 0, future)


def widen_gaps(
    targets: jax.Array, values: jax.Array, actions: jax.Array, share: float
) -> jax.Array:
    """Returns targets of advantage learning: worse actions lose a share of their distance to the best one.

    Args:
        targets: of the actions taken.
        values: the target network's values of all actions in the same states (batch, actions).
        actions: int32, the actions taken.
        share: of the distance; gaps between actions grow to 1 / (1 - share) times their size.
    """
    taken = jnp.take_along_axis(values, actions[:, None], axis=-1)[:, 0]
    return targets - share * (values.max(axis=-1) - taken)
