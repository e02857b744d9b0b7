"""Data augmentation: examples under random symmetries of the grid, on the device."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.learned import observation
from pushworld.learned.training.examples import UNKNOWN


class DeviceExamples(NamedTuple):
    """The arrays of `Examples` on the device, under the same names."""

    planes: jax.Array
    sizes: jax.Array
    distances: jax.Array
    actions: jax.Array


CORNER_PLANES = [observation.AGENT_FITS, observation.AGENT_HITS, observation.AGENT_HITS_TARGET]
"""Planes that describe the agent with its corner in the cell; the others describe the cell."""

HORIZONTAL = [observation.TO_OBJECT_X, observation.TO_GOAL_X, observation.GOAL_IS_RIGHT]
VERTICAL = [observation.TO_OBJECT_Y, observation.TO_GOAL_Y, observation.GOAL_IS_BELOW]
LEFT_RIGHT, UP_DOWN = (0, 1), (2, 3)


def mirrored(examples: DeviceExamples, left_right: jax.Array, up_down: jax.Array) -> DeviceExamples:
    """Returns the examples mirrored where bool arrays of shape (count,) say so."""
    examples = _with_directions_swapped(examples, left_right, LEFT_RIGHT, HORIZONTAL)
    examples = _with_directions_swapped(examples, up_down, UP_DOWN, VERTICAL)
    planes = examples.planes
    extent = planes[:, 0, 0, jnp.array([observation.AGENT_HEIGHT, observation.AGENT_WIDTH])]
    extent = jnp.round(extent.astype(jnp.float32) * observation.OFFSET_SCALE).astype(jnp.int32)
    sizes = examples.sizes.astype(jnp.int32)
    flips = jnp.stack([up_down, left_right], axis=1)
    cells = _sources(sizes, flips, planes.shape[1])
    corners = _sources(sizes - extent, flips, planes.shape[1])
    is_corner_plane = np.isin(np.arange(observation.CHANNELS), CORNER_PLANES)
    planes = jnp.where(is_corner_plane, _gather(planes, corners, 0), _gather(planes, cells, 0))
    return DeviceExamples(
        planes,
        examples.sizes,
        _gather(examples.distances[..., None], corners, UNKNOWN)[..., 0],
        _gather(examples.actions, corners, False),
    )


def transposed(examples: DeviceExamples) -> DeviceExamples:
    """Returns the examples with rows as columns."""
    order = np.arange(observation.CHANNELS)
    order[HORIZONTAL + VERTICAL] = VERTICAL + HORIZONTAL
    order[[observation.AGENT_WIDTH, observation.AGENT_HEIGHT]] = [
        observation.AGENT_HEIGHT,
        observation.AGENT_WIDTH,
    ]
    turn = np.array([*UP_DOWN, *LEFT_RIGHT])
    for first in (observation.BONDS, observation.BLOCKED):
        order[first : first + 4] = first + turn
    return DeviceExamples(
        examples.planes.swapaxes(1, 2)[..., order],
        examples.sizes[:, ::-1],
        examples.distances.swapaxes(1, 2),
        examples.actions.swapaxes(1, 2)[..., turn],
    )


def augment(examples: DeviceExamples, key: jax.Array) -> DeviceExamples:
    """Returns the examples mirrored at random, with the first half of them transposed."""
    flips = jax.random.bernoulli(key, 0.5, (2, len(examples.sizes)))
    examples = mirrored(examples, flips[0], flips[1])
    half = len(examples.sizes) // 2
    first = transposed(DeviceExamples(*(each[:half] for each in examples)))
    return DeviceExamples(
        *(jnp.concatenate([a, b[half:]]) for a, b in zip(first, examples, strict=True))
    )


def _with_directions_swapped(
    examples: DeviceExamples, chosen: jax.Array, pair: tuple[int, int], signed: list[int]
) -> DeviceExamples:
    """Returns the examples with two directions swapped where chosen, and with the signs of planes inverted."""
    order, signs = np.arange(observation.CHANNELS), np.ones(observation.CHANNELS, np.float16)
    signs[signed] = -1
    turn = np.arange(4)
    turn[list(pair)] = pair[::-1]
    for first in (observation.BONDS, observation.BLOCKED):
        order[first : first + 4] = first + turn
    here = chosen[:, None, None, None]
    planes = jnp.where(here, examples.planes[..., order] * signs, examples.planes)
    actions = jnp.where(here, examples.actions[..., turn], examples.actions)
    return DeviceExamples(planes, examples.sizes, examples.distances, actions)


def _sources(sizes: jax.Array, flips: jax.Array, side: int) -> tuple[jax.Array, jax.Array]:
    """Returns the source rows and columns of cells, shape (count, side); negative ones are outside."""
    cells = jnp.arange(side)
    rows, columns = (
        jnp.where(flips[:, axis, None], sizes[:, axis, None] - 1 - cells, cells)
        for axis in range(2)
    )
    return rows, columns


def _gather(cells: jax.Array, sources: tuple[jax.Array, jax.Array], outside: float) -> jax.Array:
    rows, columns = sources
    inside = (rows >= 0)[:, :, None] & (columns >= 0)[:, None, :]
    numbers = jnp.arange(len(cells))[:, None, None]
    taken = cells[numbers, jnp.maximum(rows, 0)[:, :, None], jnp.maximum(columns, 0)[:, None, :]]
    return jnp.where(inside[..., None], taken, jnp.asarray(outside, cells.dtype))
