"""Proportional prioritised sampling (Schaul et al. 2016), for many samples at once on a device.

Priorities lie in one array. Instead of a binary sum tree that each write must repair, a sampling first
computes the sums of groups of `WIDTH` neighbours, then of groups of these; it reads the array once.
A sample then descends from the highest sums to one entry, in as many steps as there are levels.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

WIDTH = 128
SMALLEST_ERROR = 1e-3
"""Added to the size of TD errors, so that every transition can be sampled again."""


def priority_of(errors: jax.Array, exponent: float) -> jax.Array:
    """Returns the priorities of transitions with the given TD errors."""
    return (jnp.abs(errors) + SMALLEST_ERROR) ** exponent


def first_priority(priorities: jax.Array, size: jax.Array) -> jax.Array:
    """Returns the priority of a new transition: the mean of those in the buffer, or 1 if it is empty.

    Schaul et al. take the largest one, so that each transition is sampled soon. If transitions are
    sampled twice on average, half of all samples are then first looks at the newest transitions.
    """
    return jnp.where(size > 0, priorities.sum() / jnp.maximum(size, 1), 1.0)


def with_priorities(priorities: jax.Array, indices: jax.Array, new: jax.Array) -> jax.Array:
    """Returns the array with new priorities at some indices; equal indices keep the largest.

    The result does not depend on the order of writes, which a device does not promise.
    """
    return priorities.at[indices].set(0.0).at[indices].max(new)


def stratified_indices(
    key: jax.Array, priorities: jax.Array, batches: int, batch: int
) -> tuple[jax.Array, jax.Array]:
    """Returns indices drawn in proportion to their priorities, and their probabilities.

    The sum of all priorities is divided into as many equal ranges as there are samples, and each
    gives one. The ranges are dealt to the batches in turn, so that each batch covers the whole sum.

    Args:
        key: a random key.
        priorities: float32, 0 where there is nothing to sample; one at least is not.
        batches, batch: how many batches of which size; the result has them one after another.
    """
    levels = _levels(priorities)
    total = levels[-1].sum()
    ranges = jnp.arange(batches * batch).reshape(batch, batches).T.reshape(-1)
    rest = (ranges + jax.random.uniform(key, ranges.shape)) / (batches * batch) * total
    indices = jnp.zeros(ranges.shape, jnp.int32)
    for level in reversed(levels):
        children = level[indices]
        indices, rest = _descend(indices, rest, children)
    return indices, priorities[indices] / total


def importance_weights(
    probabilities: jax.Array, size: jax.Array, exponent: float, largest_over: int
) -> jax.Array:
    """Returns the weights that correct for unequal probabilities, at most 1.

    Args:
        probabilities: of the samples.
        size: the number of transitions that could be sampled.
        exponent: 1 corrects fully, 0 not at all.
        largest_over: the size of the batches in each of which the largest weight is 1.
    """
    weights = (size * probabilities) ** -exponent
    batches = weights.reshape(-1, largest_over)
    return (batches / batches.max(axis=1, keepdims=True)).reshape(-1)


def _levels(priorities: jax.Array) -> list[jax.Array]:
    """Returns the priorities, their sums, and so on up to one group, each (groups, WIDTH)."""
    levels = [_groups(priorities)]
    while len(levels[-1]) > 1:
        levels.append(_groups(levels[-1].sum(axis=1)))
    return levels


def _groups(values: jax.Array) -> jax.Array:
    return jnp.pad(values, (0, -len(values) % WIDTH)).reshape(-1, WIDTH)


def _descend(
    indices: jax.Array, rest: jax.Array, children: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Returns the child that the rest of a sum falls into, and what is left of the rest in it.

    Whatever the rounding, the child is one that is not 0.
    """
    up_to = jnp.matmul(children, jnp.triu(jnp.ones((WIDTH, WIDTH))), precision="highest")
    there = children > 0
    beyond = there & (up_to > rest[:, None])
    last = WIDTH - 1 - jnp.argmax(there[:, ::-1], axis=1)
    chosen = jnp.where(beyond.any(axis=1), jnp.argmax(beyond, axis=1), last)
    before = jnp.take_along_axis(up_to - children, chosen[:, None], axis=1)[:, 0]
    return indices * WIDTH + chosen.astype(jnp.int32), jnp.maximum(rest - before, 0)
