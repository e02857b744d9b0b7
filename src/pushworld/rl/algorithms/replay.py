"""A replay buffer of states and actions.

The dynamics are deterministic, so the successor of a sampled transition is computed again: a
transition takes a few bytes, and millions of them fit on a device.
"""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from pushworld.envs.jax import EnvState


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Replay:
    """The last transitions, in a ring buffer.

    Attributes:
        states: the states before the actions, (capacity, ...).
        actions: int8 (capacity,).
        cursor: int32, where the next insertion goes.
        size: int32, the number of transitions in the buffer.
    """

    states: EnvState
    actions: jax.Array
    cursor: jax.Array
    size: jax.Array

    @property
    def capacity(self) -> int:
        return self.actions.shape[0]


def empty_replay(states: EnvState, capacity: int) -> Replay:
    """Returns a buffer without transitions, for states like the given ones (count, ...)."""
    ring = jax.tree.map(lambda leaf: jnp.zeros((capacity, *leaf.shape[1:]), leaf.dtype), states)
    return Replay(
        states=ring,
        actions=jnp.zeros(capacity, jnp.int8),
        cursor=jnp.int32(0),
        size=jnp.int32(0),
    )


def insert(replay: Replay, states: EnvState, actions: jax.Array) -> Replay:
    """Returns the buffer with more transitions, which overwrite the oldest if it is full.

    Their number must divide the capacity, and be the same in every call.
    """

    def write(ring: jax.Array, new: jax.Array) -> jax.Array:
        return jax.lax.dynamic_update_slice_in_dim(ring, new.astype(ring.dtype), replay.cursor, 0)

    count = actions.shape[0]
    return Replay(
        states=jax.tree.map(write, replay.states, states),
        actions=write(replay.actions, actions),
        cursor=(replay.cursor + count) % replay.capacity,
        size=jnp.minimum(replay.size + count, replay.capacity),
    )


def uniform_indices(key: jax.Array, replay: Replay, count: int) -> jax.Array:
    """Returns places in the buffer, drawn uniformly and independently from those with a transition."""
    return jax.random.randint(key, (count,), 0, replay.size)


def transitions(replay: Replay, indices: jax.Array) -> tuple[EnvState, jax.Array]:
    """Returns the states and actions at some places of the buffer."""
    states = jax.tree.map(lambda ring: ring[indices], replay.states)
    return states, replay.actions[indices].astype(jnp.int32)
