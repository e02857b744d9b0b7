"""The observation ``arrangement``: planes whose number does not depend on the objects of a puzzle.

They are those that `pushworld.learned.observation` documents, which the learned planner's network
reads, and one more plane for the agent's top-left corner.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from pushworld.envs.jax.bitmaps import lookup, unpack_rows
from pushworld.envs.jax.dynamics import stopped_slots
from pushworld.envs.jax.observation import world_rows
from pushworld.envs.jax.types import EnvParams, EnvState
from pushworld.puzzle import DELTAS

OFFSET_SCALE = 8.0
ARRANGEMENT_PLANES = 26


def observe_arrangement(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns the planes of a state, float32 of shape (`ARRANGEMENT_PLANES`, height, width)."""
    width, goals = params.frame.width, params.frame.goals
    world = world_rows(state, params)
    walls, agent_walls, things, outlines = (unpack_rows(each, width) for each in world)
    movables = things[1:]
    targets, taken = movables[:goals].any(axis=0), movables.any(axis=0)
    agent = unpack_rows(lookup(params.shapes, state.variant, 0), params.reach[0] + 1)
    columns, rows = jnp.arange(width), jnp.arange(params.frame.height)[:, None]
    right = jnp.max(jnp.where(agent, columns[: agent.shape[1]], 0))
    below = jnp.max(jnp.where(agent, jnp.arange(agent.shape[0])[:, None], 0))
    stops, hits, target_hits = _covered(jnp.stack([walls | agent_walls, taken, targets]), agent)
    fits = ~stops & (columns + right < width) & (rows + below < params.frame.height)
    offsets = (lookup(params.goal, state.variant) - state.positions[1 : 1 + goals]).astype(float)
    clipped = jnp.clip(offsets / OFFSET_SCALE, -2, 2)
    at_goal = (offsets == 0).all(axis=1)[:, None]
    to_goal = jnp.concatenate([clipped, jnp.sign(offsets), at_goal], axis=1)
    deltas = jnp.asarray(DELTAS, state.positions.dtype)
    blocked = [stopped_slots(state.positions + each, state.variant, params)[1:] for each in deltas]
    bonds = [(movables & _shifted(movables, x, y)).any(axis=0) for x, y in DELTAS]
    corner = state.positions[0] + state.placement
    planes = [
        *(~walls, fits, agent_walls, outlines.any(axis=0)),
        *(jnp.full(walls.shape, extent / OFFSET_SCALE) for extent in (right, below)),
        *_spread(-clipped, outlines),
        *(taken & ~targets, targets, *bonds),
        *_spread(jnp.stack(blocked, axis=1).astype(float), movables),
        *_spread(to_goal, movables[:goals]),
        *(hits & fits, target_hits & fits),
        jnp.zeros(walls.shape).at[corner[1], corner[0]].set(1),
    ]
    return jnp.stack([plane.astype(jnp.float32) for plane in planes])


def _spread(values: jax.Array, masks: jax.Array) -> jax.Array:
    """Returns planes of the values (masks, planes), each in the cells of its mask."""
    return jnp.einsum("mv,mhw->vhw", values, masks.astype(float), precision="highest")


def _shifted(cells: jax.Array, x: int, y: int) -> jax.Array:
    """Returns for each cell what is in the cell that lies (x, y) from it; nothing outside."""
    height, width = cells.shape[-2:]
    wide = jnp.pad(cells, [(0, 0), (abs(y),) * 2, (abs(x),) * 2])
    return wide[:, abs(y) + y :, abs(x) + x :][:, :height, :width]


def _covered(planes: jax.Array, shape: jax.Array) -> jax.Array:
    """Returns for each position of a shape's corner whether the shape covers a cell of each plane."""
    covered = jnp.zeros_like(planes)
    for y in range(shape.shape[0]):
        for x in range(shape.shape[1]):
            covered |= _shifted(planes, x, y) & shape[y, x]
    return covered
