"""Convolutions that keep the size of the grid, computed in one of several ways.

All ways have the same weights and give the same function. Several networks at once, as under ``jax.vmap``, make
the library's operation a grouped one, which is slow on a GPU; matrix products of several matrices are fast there.
"""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn

from pushworld.rl.settings import NetworkConfig


class Convolution(nn.Module):
    """A convolution of `size` x `size` cells with stride 1, with the weights of `flax.linen.Conv`.

    Attributes:
        inputs: how many channels the cells have. Those of a call may be a part of them, and the sum
            over all parts is the convolution. None takes as many as the cells of the call have.
    """

    config: NetworkConfig
    size: int
    inputs: int | None = None
    use_bias: bool = True

    @nn.compact
    def __call__(self, cells: jax.Array, first: int = 0) -> jax.Array:
        """Returns what the channels from `first` on contribute; those from 0 on, with the bias."""
        channels, dtype = self.config.channels, jnp.dtype(self.config.precision)
        own = cells.shape[-1]
        shape = (self.size, self.size, self.inputs or own, channels)
        kernel = self.param("kernel", nn.initializers.lecun_normal(), shape)
        part = kernel[:, :, first : first + own].astype(dtype)
        product = WAYS[self.config.convolution](cells.astype(dtype), part)
        if not self.use_bias:
            return product
        bias = self.param("bias", nn.initializers.zeros_init(), (channels,))
        return product if first else product + bias.astype(dtype)


def direct(cells: jax.Array, kernel: jax.Array) -> jax.Array:
    """Returns the convolution by the library's operation."""
    return jax.lax.conv_general_dilated(
        cells, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def rows(cells: jax.Array, kernel: jax.Array) -> jax.Array:
    """Returns the convolution as one matrix product over the rows around all rows.

    The matrix holds zeros for cells of these rows that are too far apart; for narrow grids few are. A
    product over the patch around each cell has none, but was slower than even the library's operation.
    """
    batch, height, width, channels = cells.shape
    size, features = kernel.shape[0], kernel.shape[-1]
    half = size // 2
    wide = jnp.pad(cells, ((0, 0), (half, half), (0, 0), (0, 0)))
    around = jnp.stack([wide[:, y : y + height] for y in range(size)], axis=2)
    offset = np.arange(width)[:, None] - np.arange(width)[None] + half
    near = jnp.asarray(np.arange(size)[:, None, None] == offset, kernel.dtype)
    matrix = jnp.einsum("yxif,xab->yaibf", kernel, near, precision="highest")
    product = around.reshape(batch, height, -1) @ matrix.reshape(
        size * width * channels, width * features
    )
    return product.reshape(batch, height, width, features)


WAYS: dict[str, Callable[[jax.Array, jax.Array], jax.Array]] = {
    "direct": direct,
    "rows": rows,
}
"""The ways to compute a convolution, by the names that `NetworkConfig.convolution` takes."""
