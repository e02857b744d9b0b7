"""Observations as planes of cells, and as rows of bits.

``scene`` has planes whose number does not depend on the objects and goals of a puzzle. Every object is told apart by its
cells: they say which of their neighbours belong to the same object, and where its goal lies. A network that reads it plays
puzzles with any number of objects and goals.
"""

from functools import reduce
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.contract import NUM_ACTIONS
from pushworld.envs.jax.dynamics import (
    WORD,
    lookup,
    placed_rows,
    stopped_slots,
    unpack_rows,
    words_for,
)
from pushworld.envs.jax.types import EnvParams, EnvState
from pushworld.puzzle import DELTAS, Symmetry


class Rows(NamedTuple):
    """The cells of everything in the world, as rows of 32-bit words.

    Attributes:
        walls, agent_walls: uint32 (height, words).
        objects: uint32 (slots, height, words).
        goals: uint32 (goals, height, words).
    """

    walls: jax.Array
    agent_walls: jax.Array
    objects: jax.Array
    goals: jax.Array


def observe_planes(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns the state as booleans of shape (planes, height, width), in the order of `Frame`.

    As ``objects``, the last plane is one for each slot.
    """
    # XLA fuses both steps without the barrier, and on a GPU that is slower (docs/guides/jax.md).
    rows: jax.Array = jax.lax.optimization_barrier(  # type: ignore[no-untyped-call]
        plane_rows(state, params)
    )
    return unpack_rows(rows, params.frame.width)


def plane_rows(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns the planes as bits: uint32 of shape (planes, height, words)."""
    rows = world_rows(state, params)
    goals = params.frame.goals
    others = list(rows.objects[1 + goals :])
    if params.observation != "objects":
        others = [reduce(jnp.bitwise_or, others, jnp.zeros_like(rows.walls))]
    pairs = [each for k in range(goals) for each in (rows.objects[1 + k], rows.goals[k])]
    return jnp.stack([rows.objects[0], rows.agent_walls, rows.walls, *pairs, *others])


def world_rows(state: EnvState, params: EnvParams) -> Rows:
    """Returns the cells of everything in the world."""
    frame = params.frame
    words = words_for(frame.width)

    def placed(table: jax.Array, *index: jax.Array, at: jax.Array) -> jax.Array:
        return placed_rows(table, *index, at=at, height=frame.height, words=words)

    slots = jnp.arange(params.slots)
    variants = jnp.full_like(slots, state.variant)
    goal_slots, goal_variants = slots[1 : 1 + frame.goals], variants[: frame.goals]
    goals = lookup(params.goal, state.variant) + state.placement
    corner = state.placement
    return Rows(
        walls=~placed(params.room, state.variant, at=corner) & _full_row(frame.width),
        agent_walls=placed(params.agent_walls, state.variant, at=corner),
        objects=placed(params.shapes, variants, slots, at=state.positions + corner),
        goals=placed(params.shapes, goal_variants, goal_slots, at=goals),
    )


def _full_row(width: int) -> jax.Array:
    """Returns a row of words in which the cells of the world are set."""
    bits = [max(0, min(WORD, width - WORD * k)) for k in range(words_for(width))]
    return jnp.array([(1 << count) - 1 for count in bits], jnp.uint32)


OFFSET_SCALE = 8.0
"""Offsets are divided by this, and clipped to twice as much."""

DIRECTIONS = (6, 10)
"""Where four planes begin, one for each direction: the cell in this direction belongs to the same object;
a wall stops the cell's object in this direction."""

OFFSETS = (14, 16, 18)
"""Where two planes begin, x and y: in the cells of an object the offset to its goal, and the signs of this
offset; in the cells of a goal the offset to its object."""

SCENE_PLANES = 21
"""Before these: the agent, agent walls, walls, movables without and with a goal, goals; last, in the cells
of an object, whether its goal is achieved."""


def observe_scene(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns the planes of a state, float32 of shape (`SCENE_PLANES`, height, width)."""
    goals = params.frame.goals
    world = world_rows(state, params)
    walls, agent_walls, things, outlines = (unpack_rows(each, params.frame.width) for each in world)
    targets = things[1 : 1 + goals]
    bonds = [(things & _shifted(things, x, y)).any(axis=0) for x, y in DELTAS]
    deltas = jnp.asarray(DELTAS, state.positions.dtype)
    stopped = [stopped_slots(state.positions + each, state.variant, params) for each in deltas]
    offsets = (lookup(params.goal, state.variant) - state.positions[1 : 1 + goals]).astype(float)
    clipped = jnp.clip(offsets / OFFSET_SCALE, -2, 2)
    achieved = (offsets == 0).all(axis=1, keepdims=True)
    planes = [
        *(things[0], agent_walls, walls),
        *(each.any(axis=0) for each in (things[1 + goals :], targets, outlines)),
        *bonds,
        *_spread(jnp.stack(stopped, axis=1).astype(float), things),
        *_spread(jnp.concatenate([clipped, jnp.sign(offsets)], axis=1), targets),
        *_spread(-clipped, outlines),
        *_spread(achieved.astype(float), targets),
    ]
    return jnp.stack([plane.astype(jnp.float32) for plane in planes])


def turned_scene(planes: jax.Array, symmetry: Symmetry) -> jax.Array:
    """Returns what directions and offsets of planes (..., planes, height, width) are after a symmetry.

    The cells stay where they are.
    """
    order, signs = np.arange(SCENE_PLANES), np.ones(SCENE_PLANES, np.float32)
    for first in DIRECTIONS:
        for action in range(NUM_ACTIONS):
            order[first + symmetry.apply_to_action(action)] = first + action
    xx, xy, yx, yy = symmetry.value
    for first in OFFSETS:
        order[first : first + 2] = (first, first + 1) if xy == 0 else (first + 1, first)
        signs[first : first + 2] = xx + xy, yx + yy
    return planes[..., order, :, :] * signs[:, None, None]


def _spread(values: jax.Array, masks: jax.Array) -> jax.Array:
    """Returns planes of the values (masks, planes), each in the cells of its mask."""
    return jnp.einsum("mv,mhw->vhw", values, masks.astype(float), precision="highest")


def _shifted(cells: jax.Array, x: int, y: int) -> jax.Array:
    """Returns for each cell what is in the cell that lies (x, y) from it; nothing outside."""
    height, width = cells.shape[-2:]
    wide = jnp.pad(cells, [(0, 0), (abs(y),) * 2, (abs(x),) * 2])
    return wide[:, abs(y) + y :, abs(x) + x :][:, :height, :width]
