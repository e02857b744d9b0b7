"""The dynamics: an action moves the agent and everything that it pushes, or nothing.

No cells are compared in a step. Bitmaps, computed when the puzzles are packed, hold the offsets at
which two objects overlap and the positions at which a wall stops an object, so a step looks up one
bit for each pair of objects and one for each object.

Bitmaps are 32-bit words, written with NumPy when puzzles are packed and read with JAX in every step.
"""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from numpy.typing import NDArray

from pushworld.envs.jax.types import EnvParams
from pushworld.puzzle import DELTAS

WORD = 32


def words_for(bits: int) -> int:
    """Returns the number of words for a number of bits, at least one."""
    return max(1, -(-bits // WORD))


def pack_bits(bits: NDArray[np.bool_]) -> NDArray[np.uint32]:
    """Returns the last axis in words, the lowest bit first."""
    spare = words_for(bits.shape[-1]) * WORD - bits.shape[-1]
    padded = np.pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, spare)])
    return np.packbits(padded, axis=-1, bitorder="little").view("<u4").astype(np.uint32)


def lookup(table: jax.Array, *index: ArrayLike) -> jax.Array:
    """Returns ``table[index]`` for indices that are known to be inside.

    A complete index reads single elements; ``table[i][j]`` would copy a row first.
    """
    return table.at[index].get(mode="promise_in_bounds")


def lookup_bit(table: jax.Array, *index: ArrayLike, bit: jax.Array) -> jax.Array:
    """Returns whether a bit of the bitmap ``table[index]`` is set."""
    word = lookup(table, *index, bit // WORD)
    return (word >> (bit % WORD).astype(jnp.uint32)) & 1 != 0


def placed_rows(
    table: jax.Array, *index: jax.Array, at: jax.Array, height: int, words: int
) -> jax.Array:
    """Returns the rows of a world in which the bitmaps ``table[index]`` stand at positions.

    Args:
        table: bitmaps, whose last axes are rows and words.
        index: which of them, for all axes before these two.
        at: the (x, y) of each, of shape (..., 2).
        height, words: the size of the world.

    Returns:
        uint32 of shape (..., height, words).
    """
    rows, row_words = table.shape[-2:]
    row = jnp.arange(height) - at[..., 1, None]
    inside = (row >= 0) & (row < rows)
    chosen = [
        jnp.where(
            inside, lookup(table, *(i[..., None] for i in index), jnp.clip(row, 0, rows - 1), j), 0
        )
        for j in range(row_words)
    ]
    return _shifted_right(chosen, at[..., 0, None].astype(jnp.int32), words)


def _shifted_right(words_in: Sequence[jax.Array], by: jax.Array, words: int) -> jax.Array:
    """Returns rows of `words` words that hold the given words, `by` cells further to the right."""
    whole, rest = by // WORD, (by % WORD).astype(jnp.uint32)
    low = [word << rest for word in words_in]
    high = [jnp.where(rest > 0, word >> ((WORD - rest) % WORD), 0) for word in words_in]
    columns = []
    for k in range(words):
        parts = [jnp.where(whole + j == k, part, 0) for j, part in enumerate(low)]
        parts += [jnp.where(whole + j + 1 == k, part, 0) for j, part in enumerate(high)]
        column = parts[0]
        for part in parts[1:]:
            column |= part
        columns.append(column)
    return jnp.stack(columns, axis=-1)


def unpack_rows(rows: jax.Array, width: int) -> jax.Array:
    """Returns the first `width` bits of each row of words as booleans."""
    bits = (rows[..., None] >> jnp.arange(WORD, dtype=jnp.uint32)) & 1 != 0
    return bits.reshape(*rows.shape[:-1], -1)[..., :width]


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

    agent = jnp.arange(pushes.shape[0]) == 0
    moving, _ = jax.lax.while_loop(grew, next_round, (spread(agent), agent))
    return moving


def stopped_slots(positions: jax.Array, variant: jax.Array, params: EnvParams) -> jax.Array:
    """Returns which slots would overlap a wall, or the agent also an agent wall, at positions."""
    x, y = positions[:, 0].astype(jnp.int32), positions[:, 1].astype(jnp.int32)
    bit = jnp.maximum(y * params.frame.width + x, 0)
    return lookup_bit(params.stops, variant, jnp.arange(params.slots), bit=bit)
