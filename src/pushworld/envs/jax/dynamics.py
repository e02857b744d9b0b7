"""The dynamics: an action moves the agent and everything that it pushes, or nothing.

No cells are compared in a step. Bitmaps, computed when the puzzles are packed, hold the offsets at
which two objects overlap and the positions at which a wall stops an object, so a step looks up one
bit for each pair of objects and one for each object.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from pushworld.envs.jax.bitmaps import lookup_bit
from pushworld.envs.jax.types import EnvParams
from pushworld.puzzle import DELTAS

WORD_SLOTS = 16


def move(
    positions: jax.Array, variant: jax.Array, action: jax.Array, params: EnvParams
) -> tuple[jax.Array, jax.Array]:
    """Returns the positions after an action, and whether something moved."""
    delta = jnp.asarray(DELTAS, positions.dtype)[action]
    moving = moving_slots(pushes(positions, delta, variant, params))
    stopped = moving & stopped_slots(positions + delta, variant, params)
    moved = ~stopped.any()
    return jnp.where((moving & moved)[:, None], positions + delta, positions), moved


def pushes(
    positions: jax.Array, delta: jax.Array, variant: jax.Array, params: EnvParams
) -> jax.Array:
    """Returns a boolean matrix: whether slot i, moved by delta, would overlap slot j."""
    offset = (positions[None, :] - (positions + delta)[:, None]).astype(jnp.int32)
    reach_x, reach_y = params.reach
    x, y = offset[..., 0] + reach_x, offset[..., 1] + reach_y
    columns, rows = 2 * reach_x + 1, 2 * reach_y + 1
    near = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    slots = jnp.arange(params.slots)
    bit = jnp.where(near, y * columns + x, 0)
    return near & lookup_bit(params.overlaps, variant, slots[:, None], slots[None], bit=bit)


def moving_slots(pushes: jax.Array) -> jax.Array:
    """Returns which slots move: the agent, and every object at the end of a chain of pushes from it."""
    return (_spread_in_word if pushes.shape[0] <= WORD_SLOTS else _spread_in_loop)(pushes)


def _spread_in_word(pushes: jax.Array) -> jax.Array:
    """For few slots: sets of slots as bits of one word, with all rounds unrolled into one kernel."""
    slots = pushes.shape[0]
    bits = jnp.uint32(1) << jnp.arange(slots, dtype=jnp.uint32)
    pushed = jnp.where(pushes, bits, 0).sum(axis=1, dtype=jnp.uint32)
    moving = jnp.ones((), jnp.uint32)
    for _ in range(slots - 1):
        for slot in range(slots):
            moving = moving | jnp.where(moving & (1 << slot) != 0, pushed[slot], 0)
    return jnp.not_equal(moving & bits, 0)


def _spread_in_loop(pushes: jax.Array) -> jax.Array:
    """For many slots: rounds until nothing is added."""

    def spread(moving: jax.Array) -> jax.Array:
        return moving | (moving[:, None] & pushes).any(axis=0)

    def grew(moving_and_before: tuple[jax.Array, jax.Array]) -> jax.Array:
        return (moving_and_before[0] != moving_and_before[1]).any()

    def next_round(moving_and_before: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
        return spread(moving_and_before[0]), moving_and_before[0]

    # Computed from the pushes: under shard_map a carry must vary over the devices from the start.
    agent = (jnp.arange(pushes.shape[0]) == 0) & (pushes[0] | True)
    moving, _ = jax.lax.while_loop(grew, next_round, (spread(agent), agent))
    return moving


def stopped_slots(positions: jax.Array, variant: jax.Array, params: EnvParams) -> jax.Array:
    """Returns which slots would overlap a wall, or the agent also an agent wall, at positions."""
    x, y = positions[:, 0].astype(jnp.int32), positions[:, 1].astype(jnp.int32)
    bit = jnp.maximum(y * params.frame.width + x, 0)
    return lookup_bit(params.stops, variant, jnp.arange(params.slots), bit=bit)
