"""Bitmaps in 32-bit words: written with NumPy when puzzles are packed, read with JAX in every step."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike
from numpy.typing import NDArray

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
