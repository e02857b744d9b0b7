"""The floor of the JAX environment: the least work of a step, and the speed of a device."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp

from pushworld.envs.jax import EnvParams, plane_rows, reset_env

# 32-bit operations, counted in the code that does them.
CELL = 3  # shift, mask, compare: a bit of a row to a boolean
ROW_WORD = 14  # which row, is it there, its address, and the two shifts that place it
PAIR = 16  # offset in x and y, near or not, the bit's address, and the bit
SPREAD = 3  # test, choose, unite: one slot in one round of pushing
SLOT = 12  # the bit's address, the bit, and the new position
RANDOM_BLOCK = 110  # twenty rounds of threefry make 64 random bits
RANDOM_BLOCKS = 4  # an action and a key for the step, and in it 128 bits for a new episode

BLOCK_OPERATIONS = 128


@dataclass(frozen=True)
class Floor:
    """What a step of one environment cannot do without.

    Attributes:
        bytes: through the device's memory: the observation written and read once, the state read
            and written, action, reward and end. The packed puzzles stay in the cache.
        operations: on 32-bit integers.
    """

    bytes: int
    operations: int

    def seconds(self, bandwidth: float, rate: float) -> float:
        """Returns the time of a step at the given bytes and operations a second."""
        return max(self.bytes / bandwidth, self.operations / rate)


def floor_of(params: EnvParams, stored_bytes: int, rows: bool, cells: int) -> Floor:
    """Returns the floor of a step.

    Args:
        params: the packed puzzles.
        stored_bytes: the size of an observation that goes through the device's memory.
        rows: whether rows of bits are drawn at all.
        cells: how many booleans or pixels are made of them.
    """
    state = jax.eval_shape(reset_env, jax.random.key(0), params)
    state_bytes = sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state))
    slots, frame = params.slots, params.frame
    operations = slots**2 * PAIR + slots * (slots - 1) * SPREAD + slots * SLOT
    operations += RANDOM_BLOCKS * RANDOM_BLOCK + cells * CELL
    if rows:
        words = jax.eval_shape(plane_rows, state, params).shape[-1]
        operations += (slots + frame.goals + 2) * frame.height * words * ROW_WORD
    return Floor(2 * stored_bytes + 2 * state_bytes + 4 + 4 + 1, operations)


def measure_bandwidth() -> float:
    """Returns the bytes a second that the device reads and writes in a copy."""
    data = jnp.zeros(1 << (28 if jax.default_backend() == "gpu" else 24), jnp.uint32)
    return 2 * data.nbytes / _best_time(jax.jit(lambda x: x + 1), data)


def measure_operations() -> float:
    """Returns the 32-bit integer operations a second of shifts and exclusive ors."""

    def mix(x: jax.Array) -> jax.Array:
        for _ in range(BLOCK_OPERATIONS // 2):
            x = x ^ (x << 5)
        return x

    data = jnp.arange(1 << (26 if jax.default_backend() == "gpu" else 20), dtype=jnp.uint32)
    return data.size * BLOCK_OPERATIONS / _best_time(jax.jit(mix), data)


def _best_time(run: Callable[[jax.Array], jax.Array], data: jax.Array) -> float:
    run(data).block_until_ready()
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        run(data).block_until_ready()
        times.append(time.perf_counter() - begin)
    return min(times)
