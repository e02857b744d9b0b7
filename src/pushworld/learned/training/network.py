"""The network of `pushworld.learned` in JAX, for training.

Its weights are a dictionary of arrays under the same names; worlds of different sizes stand in the
top-left corners of squares, and nothing outside of them has an effect.
"""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp

from pushworld.learned.network import SMALL

Weights = Mapping[str, jax.Array]


def apply(
    weights: Weights, planes: jax.Array, sizes: jax.Array, repeats: int
) -> tuple[jax.Array, jax.Array]:
    """Returns logits of the actions and of the classes of distance for each cell.

    Args:
        weights: as `pushworld.learned.network.new_weights` makes them.
        planes: float (batch, side, side, channels).
        sizes: int (batch, 2): height and width of the worlds.
        repeats: how often the block is applied.
    """
    inside = inside_cells(sizes, planes.shape[1])[..., None]
    embedding = _convolution(planes * inside, weights["embed"]) + weights["embed_bias"]

    def block(hidden: jax.Array, _: None) -> tuple[jax.Array, None]:
        seen = _normalised(hidden) * inside
        average = seen.sum(axis=(1, 2)) / inside.sum(axis=(1, 2))
        most = jnp.maximum(seen.max(axis=(1, 2)), 0)
        whole = jnp.concatenate([average, most], axis=1) @ weights["world"] + weights["world_bias"]
        inner = _convolution(seen, weights["mix"]) + embedding + whole[:, None, None]
        return hidden + _product(jax.nn.relu(inner), weights["back"]) + weights["back_bias"], None

    hidden, _ = jax.lax.scan(block, embedding, length=repeats)
    read = jax.nn.relu(_normalised(hidden) @ weights["read"] + weights["read_bias"])
    logits = read @ weights["policy"] + weights["policy_bias"]
    return logits, read @ weights["distance"] + weights["distance_bias"]


def inside_cells(sizes: jax.Array, side: int) -> jax.Array:
    """Returns which cells of the squares belong to the worlds, shape (batch, side, side)."""
    cells = jnp.arange(side)
    rows = cells < sizes[:, :1]
    columns = cells < sizes[:, 1:]
    return rows[:, :, None] & columns[:, None, :]


def _convolution(cells: jax.Array, kernel: jax.Array) -> jax.Array:
    """Returns the 3x3 convolution with zeros around.

    On a CPU it is three products of matrices, which are faster, backwards above all, than XLA's own
    convolution; elsewhere it is computed in half precision.
    """
    if jax.default_backend() != "cpu":
        return jax.lax.conv_general_dilated(
            cells.astype(jnp.bfloat16),
            kernel.astype(jnp.bfloat16),
            window_strides=(1, 1),
            padding="SAME",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        ).astype(jnp.float32)
    _, height, width, channels = cells.shape
    padded = jnp.pad(cells, ((0, 0), (1, 1), (1, 1), (0, 0)))
    triples = jnp.concatenate([padded[:, :, x : x + width] for x in range(3)], axis=3)
    rows = kernel.reshape(3, 3 * channels, -1)
    return sum((triples[:, y : y + height] @ rows[y] for y in range(3)), jnp.float32(0))


def _product(cells: jax.Array, matrix: jax.Array) -> jax.Array:
    """Returns the product with a matrix; other devices than a CPU are fast in half precision."""
    if jax.default_backend() == "cpu":
        return cells @ matrix
    return (cells.astype(jnp.bfloat16) @ matrix.astype(jnp.bfloat16)).astype(jnp.float32)


def _normalised(cells: jax.Array) -> jax.Array:
    return cells * jax.lax.rsqrt((cells**2).mean(axis=-1, keepdims=True) + SMALL)
