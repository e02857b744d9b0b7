"""The networks: torsos that map observations to features, and heads above them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from flax import linen as nn

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax.pixels import NETWORK_PIXELS_PER_CELL
from pushworld.envs.jax.types import Observation
from pushworld.envs.planes import AGENT
from pushworld.rl.settings import NetworkConfig

POLICY_SCALE = 0.01
"""The scale of the policy head's first weights: small, so that the first policy is near uniform."""

Head = partial(nn.Dense, precision="highest")
"""A dense layer in full precision: the scores of actions may differ little."""


def observation_of(config: NetworkConfig) -> Observation:
    """Returns the kind of observation that the network reads."""
    if config.kind == "paper":
        return "pixels"
    if config.scene:
        return "scene"
    return "objects" if config.objects else "planes"


class PaperTorso(nn.Module):
    """The paper's network: convolutions of 3x3 with stride 3, 3x3 and 5x5, then dense layers.

    The first convolution reads the 3x3 pixels of one cell, so it is computed as a dense layer over
    the 27 numbers of a cell: the same function, as one matrix product.
    """

    config: NetworkConfig

    @nn.compact
    def __call__(self, pixels: jax.Array) -> jax.Array:
        """Returns features (batch, hidden) of pictures (batch, height, width, 3)."""
        dtype = jnp.dtype(self.config.precision)
        side = NETWORK_PIXELS_PER_CELL
        batch, height, width, colours = pixels.shape
        rows, columns = height // side, width // side
        cells = pixels.reshape(batch, rows, side, columns, side, colours)
        cells = cells.transpose(0, 1, 3, 2, 4, 5).reshape(batch, rows, columns, -1)
        embedding = nn.Dense(self.config.channels, dtype=dtype)
        hidden = nn.relu(embedding(cells.astype(dtype)))
        for number, size in enumerate((3, 5)):
            hidden = nn.relu(convolution(self.config, size, f"Conv_{number}")(hidden))
        return dense_layers(hidden.reshape(batch, -1), self.config)


class SmallTorso(nn.Module):
    """Two 3x3 convolutions over planes, then dense layers."""

    config: NetworkConfig

    @nn.compact
    def __call__(self, planes: jax.Array) -> jax.Array:
        """Returns features (batch, hidden) of planes (batch, planes, height, width)."""
        dtype = jnp.dtype(self.config.precision)
        hidden = planes.transpose(0, 2, 3, 1).astype(dtype)
        for number in range(2):
            hidden = nn.relu(convolution(self.config, 3, f"Conv_{number}")(hidden))
        return dense_layers(hidden.reshape(hidden.shape[0], -1), self.config)


class CentredTorso(nn.Module):
    """Dense layers over planes that are shifted so that the agent is in the centre.

    An object next to the agent is then the same input wherever the agent is.
    """

    config: NetworkConfig

    @nn.compact
    def __call__(self, planes: jax.Array) -> jax.Array:
        """Returns features (batch, hidden) of planes (batch, planes, height, width)."""
        shifted = jax.vmap(_centre_on_agent)(planes)
        dtype = jnp.dtype(self.config.precision)
        return dense_layers(shifted.reshape(shifted.shape[0], -1).astype(dtype), self.config)


def _centre_on_agent(planes: jax.Array) -> jax.Array:
    """Returns planes (planes, 2 height - 1, 2 width - 1) with the agent's first cell in the centre."""
    count, height, width = planes.shape
    wide = jnp.pad(planes, ((0, 0), (height - 1, height - 1), (width - 1, width - 1)))
    row, column = jnp.divmod(jnp.argmax(planes[AGENT].reshape(-1)), width)
    return jax.lax.dynamic_slice(wide, (0, row, column), (count, 2 * height - 1, 2 * width - 1))


class IteratedTorso(nn.Module):
    """One residual block applied `repeats` times with shared weights: deep, with few weights.

    The block reads the cells, the embedding of the planes, and their mean and maximum over the
    grid. The features are those at the agent and the mean and maximum over the grid, so their
    number does not depend on the size of the grid. With ``mutable="intermediates"`` Flax returns the
    cells before the block and after each repeat, as ``hidden``.
    """

    config: NetworkConfig

    @nn.compact
    def __call__(self, planes: jax.Array, repeats: int | None = None) -> jax.Array:
        """Returns features (batch, hidden) of planes (batch, planes, height, width).

        Args:
            planes: the observations.
            repeats: another number of repeats than the setting's.
        """
        config, dtype = self.config, jnp.dtype(self.config.precision)
        cells = planes.transpose(0, 2, 3, 1).astype(dtype)
        agent = cells[..., AGENT : AGENT + 1]
        embedding = hidden = convolution(config, 3, "Conv_0")(cells)
        norm, pooling = nn.LayerNorm(dtype=dtype), nn.Dense(config.channels, dtype=dtype)
        first, second = _FirstConvolution(config, name="Conv_1"), convolution(config, 3, "Conv_2")
        constant = first(embedding, embedding.shape[-1])
        self.sow("intermediates", "hidden", hidden)
        for _ in range(config.repeats if repeats is None else repeats):
            normed = norm(hidden)
            pooled = pooling(_pooled(normed))[:, None, None]
            hidden = hidden + second(nn.relu(first(normed) + constant + pooled))
            self.sow("intermediates", "hidden", hidden)
        hidden = norm(hidden)
        at_agent = (hidden * agent).sum(axis=(1, 2)) / agent.sum(axis=(1, 2))
        return dense_layers(jnp.concatenate([at_agent, _pooled(hidden)], axis=-1), config)


class _FirstConvolution(nn.Module):
    """A convolution over the cells and their embedding, each computed by itself.

    What the embedding contributes is the same in every repeat.
    """

    config: NetworkConfig

    @nn.compact
    def __call__(self, cells: jax.Array, first: int = 0) -> jax.Array:
        """Returns what the channels from `first` on contribute; those from 0 on, with the bias."""
        channels, dtype = self.config.channels, jnp.dtype(self.config.precision)
        shape = (3, 3, 2 * channels, channels)
        kernel = self.param("kernel", nn.initializers.lecun_normal(), shape)
        bias = self.param("bias", nn.initializers.zeros_init(), (channels,))
        part = kernel[:, :, first : first + channels].astype(dtype)
        order = ("NHWC", "HWIO", "NHWC")
        product: jax.Array = jax.lax.conv_general_dilated(
            cells.astype(dtype), part, (1, 1), "SAME", dimension_numbers=order
        )
        return product if first else product + bias.astype(dtype)


def convolution(config: NetworkConfig, size: int, name: str) -> nn.Conv:
    """Returns a convolution that keeps the size of the grid."""
    return nn.Conv(config.channels, (size, size), dtype=jnp.dtype(config.precision), name=name)


def dense_layers(features: jax.Array, config: NetworkConfig) -> jax.Array:
    """Returns the features after the dense layers, as float32."""
    dtype = jnp.dtype(config.precision)
    for size in config.hidden:
        features = nn.relu(nn.Dense(size, dtype=dtype)(features))
    return features.astype(jnp.float32)


def _pooled(cells: jax.Array) -> jax.Array:
    return jnp.concatenate([cells.mean(axis=(1, 2)), cells.max(axis=(1, 2))], axis=-1)


TORSOS: dict[str, Callable[[NetworkConfig], nn.Module]] = {
    "paper": PaperTorso,
    "small": SmallTorso,
    "centred": CentredTorso,
    "iterated": IteratedTorso,
}


class ActorCritic(nn.Module):
    """A policy head and a value head on one torso."""

    config: NetworkConfig

    @nn.compact
    def __call__(
        self, observations: jax.Array, repeats: int | None = None
    ) -> tuple[jax.Array, jax.Array]:
        """Returns the logits of the actions (batch, actions) and the values (batch,).

        Args:
            observations: the observations.
            repeats: another number of repeats than the setting's, for ``iterated`` only.
        """
        torso: Any = TORSOS[self.config.kind](self.config)
        features = torso(observations) if repeats is None else torso(observations, repeats)
        small = nn.initializers.variance_scaling(POLICY_SCALE, "fan_in", "truncated_normal")
        logits = Head(NUM_ACTIONS, kernel_init=small)(features)
        return logits, Head(1)(features)[:, 0]


class ActionValues(nn.Module):
    """A head of action values on a torso."""

    config: NetworkConfig

    @nn.compact
    def __call__(self, observations: jax.Array) -> jax.Array:
        """Returns the values of the actions (batch, actions)."""
        features = TORSOS[self.config.kind](self.config)(observations)
        return Head(NUM_ACTIONS)(features)
