"""Observations as planes of cells, and as rows of bits."""

from __future__ import annotations

from functools import reduce
from typing import NamedTuple

import jax
import jax.numpy as jnp

from pushworld.envs.jax.bitmaps import WORD, lookup, placed_rows, unpack_rows, words_for
from pushworld.envs.jax.types import EnvParams, EnvState


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
