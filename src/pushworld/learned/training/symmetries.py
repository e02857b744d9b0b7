"""Examples turned and mirrored on the device: each is seen through all eight symmetries in time."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.learned import observation as seen
from pushworld.learned.training.examples import UNKNOWN


class Batch(NamedTuple):
    """The arrays of `Examples` under the same names."""

    planes: jax.Array
    sizes: jax.Array
    distances: jax.Array
    actions: jax.Array


CORNER_PLANES = [seen.AGENT_FITS, seen.AGENT_HITS, seen.AGENT_HITS_TARGET]
"""Planes about the agent's corner in a cell; the others are about the cell itself."""

SIDEWAYS = [seen.TO_OBJECT_X, seen.TO_GOAL_X, seen.GOAL_IS_RIGHT]
UPRIGHT = [seen.TO_OBJECT_Y, seen.TO_GOAL_Y, seen.GOAL_IS_BELOW]
LEFT_RIGHT, UP_DOWN = (0, 1), (2, 3)


def mirrored(batch: Batch, left_right: jax.Array, up_down: jax.Array) -> Batch:
    """Returns the examples mirrored where bool arrays of shape (batch,) say so."""
    batch = _with_directions_swapped(batch, left_right, LEFT_RIGHT, SIDEWAYS)
    batch = _with_directions_swapped(batch, up_down, UP_DOWN, UPRIGHT)
    planes = batch.planes
    agent = planes[:, 0, 0, jnp.array([seen.AGENT_HEIGHT, seen.AGENT_WIDTH])]
    agent = jnp.round(agent.astype(jnp.float32) * seen.FAR).astype(jnp.int32)
    sizes = batch.sizes.astype(jnp.int32)
    flips = jnp.stack([up_down, left_right], axis=1)
    cells = _sources(sizes, flips, planes.shape[1])
    corners = _sources(sizes - agent, flips, planes.shape[1])
    about_corners = np.isin(np.arange(seen.CHANNELS), CORNER_PLANES)
    planes = jnp.where(about_corners, _moved(planes, corners, 0), _moved(planes, cells, 0))
    return Batch(
        planes,
        batch.sizes,
        _moved(batch.distances[..., None], corners, UNKNOWN)[..., 0],
        _moved(batch.actions, corners, False),
    )


def transposed(batch: Batch) -> Batch:
    """Returns the examples with rows as columns."""
    order = np.arange(seen.CHANNELS)
    order[SIDEWAYS + UPRIGHT] = UPRIGHT + SIDEWAYS
    order[[seen.AGENT_WIDTH, seen.AGENT_HEIGHT]] = [seen.AGENT_HEIGHT, seen.AGENT_WIDTH]
    turn = np.array([*UP_DOWN, *LEFT_RIGHT])
    for first in (seen.BONDS, seen.BLOCKED):
        order[first : first + 4] = first + turn
    return Batch(
        batch.planes.swapaxes(1, 2)[..., order],
        batch.sizes[:, ::-1],
        batch.distances.swapaxes(1, 2),
        batch.actions.swapaxes(1, 2)[..., turn],
    )


def in_random_symmetry(batch: Batch, key: jax.Array) -> Batch:
    """Returns the examples mirrored at random, and the first half of them transposed."""
    flips = jax.random.bernoulli(key, 0.5, (2, len(batch.sizes)))
    batch = mirrored(batch, flips[0], flips[1])
    half = len(batch.sizes) // 2
    first = transposed(Batch(*(each[:half] for each in batch)))
    return Batch(*(jnp.concatenate([a, b[half:]]) for a, b in zip(first, batch, strict=True)))


def _with_directions_swapped(
    batch: Batch, chosen: jax.Array, pair: tuple[int, int], signed: list[int]
) -> Batch:
    """Returns the examples with two directions swapped where chosen, and the signs of planes."""
    order, signs = np.arange(seen.CHANNELS), np.ones(seen.CHANNELS, np.float16)
    signs[signed] = -1
    turn = np.arange(4)
    turn[list(pair)] = pair[::-1]
    for first in (seen.BONDS, seen.BLOCKED):
        order[first : first + 4] = first + turn
    here = chosen[:, None, None, None]
    planes = jnp.where(here, batch.planes[..., order] * signs, batch.planes)
    actions = jnp.where(here, batch.actions[..., turn], batch.actions)
    return Batch(planes, batch.sizes, batch.distances, actions)


def _sources(sizes: jax.Array, flips: jax.Array, side: int) -> tuple[jax.Array, jax.Array]:
    """Returns the rows and the columns, shape (batch, side), that cells are taken from.

    Negative ones are outside of what there is.
    """
    cells = jnp.arange(side)
    rows, columns = (
        jnp.where(flips[:, axis, None], sizes[:, axis, None] - 1 - cells, cells)
        for axis in range(2)
    )
    return rows, columns


def _moved(cells: jax.Array, sources: tuple[jax.Array, jax.Array], outside: float) -> jax.Array:
    rows, columns = sources
    there = (rows >= 0)[:, :, None] & (columns >= 0)[:, None, :]
    numbers = jnp.arange(len(cells))[:, None, None]
    taken = cells[numbers, jnp.maximum(rows, 0)[:, :, None], jnp.maximum(columns, 0)[:, None, :]]
    return jnp.where(there[..., None], taken, jnp.asarray(outside, cells.dtype))
