"""The network in JAX, for training: the same function as `pushworld.learned.network`.

Weights are a dictionary of arrays with the same names. Grids of different sizes are padded to
squares; the padding has no effect.
"""

from __future__ import annotations

from collections.abc import Mapping

import jax
import jax.numpy as jnp

from pushworld.learned.network import EPSILON

Weights = Mapping[str, jax.Array]


def apply(
    weights: Weights, planes: jax.Array, sizes: jax.Array, repeats: int
) -> tuple[jax.Array, jax.Array]:
    """Returns logits of the actions and of the distance classes for each cell.

    Args:
        weights: as `pushworld.learned.weights.random_weights` returns them.
        planes: float (batch, side, side, channels).
        sizes: int (batch, 2), height and width of the grids.
        repeats: how often the block is applied.
    """
    inside = inside_cells(sizes, planes.shape[1])[..., None]
    embedding = _convolve(planes * inside, weights["embed"]) + weights["embed_bias"]

    def block(hidden: jax.Array, _: None) -> tuple[jax.Array, None]:
        normed = _rms_normalise(hidden) * inside
        mean = normed.sum(axis=(1, 2)) / inside.sum(axis=(1, 2))
        most = jnp.maximum(normed.max(axis=(1, 2)), 0)
        pooled = jnp.concatenate([mean, most], axis=1) @ weights["world"] + weights["world_bias"]
        inner = _convolve(normed, weights["mix"]) + embedding + pooled[:, None, None]
        return hidden + _product(jax.nn.relu(inner), weights["back"]) + weights["back_bias"], None

    hidden, _ = jax.lax.scan(block, embedding, length=repeats)
    features = jax.nn.relu(_rms_normalise(hidden) @ weights["read"] + weights["read_bias"])
    logits = features @ weights["policy"] + weights["policy_bias"]
    return logits, features @ weights["distance"] + weights["distance_bias"]


def inside_cells(sizes: jax.Array, side: int) -> jax.Array:
    """Returns which cells of the squares belong to the grids, shape (batch, side, side)."""
    cells = jnp.arange(side)
    rows = cells < sizes[:, :1]
    columns = cells < sizes[:, 1:]
    return rows[:, :, None] & columns[:, None, :]


def _convolve(cells: jax.Array, kernel: jax.Array) -> jax.Array:
    """Returns the 3x3 convolution with zero padding.

    On a CPU it is three matrix products, which are faster than XLA's convolution, above all in the
    backward pass; on other devices it is computed in half precision.
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
    """Returns the product with a matrix, in half precision on devices other than a CPU."""
    if jax.default_backend() == "cpu":
        return cells @ matrix
    return (cells.astype(jnp.bfloat16) @ matrix.astype(jnp.bfloat16)).astype(jnp.float32)


def _rms_normalise(cells: jax.Array) -> jax.Array:
    return cells * jax.lax.rsqrt((cells**2).mean(axis=-1, keepdims=True) + EPSILON)
