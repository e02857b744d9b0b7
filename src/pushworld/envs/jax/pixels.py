"""What a state looks like as a picture: pixel by pixel what `pushworld.render` paints."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.jax.bitmaps import WORD, unpack_rows
from pushworld.envs.jax.observation import world_rows
from pushworld.envs.jax.types import EnvParams, EnvState
from pushworld.render.colours import FLOAT_PALETTE, Colour
from pushworld.render.geometry import checked_border_width

NETWORK_PIXELS_PER_CELL = 3
"""What the paper's network reads."""


def observe_pixels(
    state: EnvState,
    params: EnvParams,
    pixels_per_cell: int = NETWORK_PIXELS_PER_CELL,
    border_width: int | None = None,
) -> jax.Array:
    """Returns the state as float32 in [0, 1] of shape (height, width, 3) in pixels."""
    indices = pixel_indices(state, params, pixels_per_cell, border_width)
    return jnp.asarray(FLOAT_PALETTE)[indices]


def pixel_indices(
    state: EnvState,
    params: EnvParams,
    pixels_per_cell: int = NETWORK_PIXELS_PER_CELL,
    border_width: int | None = None,
) -> jax.Array:
    """Returns the picture as uint8 palette indices (`Colour`) of shape (height, width) in pixels.

    Whether a pixel belongs to a border depends on where it lies in its cell only by thirds: near
    the low side, in the middle, or near the high side, in y and in x. So the nine kinds of pixels
    are found for each cell, and repeated.
    """
    frame = params.frame
    border = checked_border_width((frame.width, frame.height), pixels_per_cell, border_width)
    inner = pixels_per_cell - 2 * border
    third = np.repeat([0, 1, 2], [border, inner, border])
    kinds = jnp.stack([jnp.stack(row) for row in _nine_kinds(state, params)])
    rows = kinds[third].transpose(2, 0, 3, 1)  # (height, pixel row, width, third)
    picture = rows[..., third]
    return picture.reshape(frame.height * pixels_per_cell, frame.width * pixels_per_cell)


def _nine_kinds(state: EnvState, params: EnvParams) -> list[list[jax.Array]]:
    """Returns for each third in y and in x the palette indices of the cells, (height, width)."""
    rows = world_rows(state, params)
    goals = params.frame.goals
    agent, goal_objects = rows.objects[:1], rows.objects[1 : 1 + goals]
    layers = (
        (rows.agent_walls[None], Colour.AGENT_WALL, Colour.AGENT_WALL_BORDER),
        (rows.walls[None], Colour.WALL, Colour.WALL_BORDER),
        (agent, Colour.AGENT, Colour.AGENT_BORDER),
        (goal_objects, Colour.GOAL_OBJECT, Colour.GOAL_OBJECT_BORDER),
        (rows.objects[1 + goals :], Colour.MOVABLE, Colour.MOVABLE_BORDER),
    )

    def colours(side_y: int, side_x: int) -> jax.Array:
        image = jnp.full((params.frame.height, params.frame.width), Colour.BACKGROUND, jnp.uint8)
        for cells, fill, border in layers:
            whole = unpack_rows(_any(cells), params.frame.width)
            inside = unpack_rows(_any(_inside(cells, side_y, side_x)), params.frame.width)
            image = jnp.where(inside, jnp.uint8(fill), jnp.where(whole, jnp.uint8(border), image))
        outline = _any(rows.goals & ~_inside(rows.goals, side_y, side_x))
        goal = unpack_rows(outline, params.frame.width)
        return jnp.where(goal, jnp.uint8(Colour.GOAL), image)

    return [[colours(side_y, side_x) for side_x in (-1, 0, 1)] for side_y in (-1, 0, 1)]


def _any(cells: jax.Array) -> jax.Array:
    """Returns the cells that one of several things covers."""
    union = jnp.zeros_like(cells, shape=cells.shape[1:])
    for each in cells:
        union |= each
    return union


def _inside(cells: jax.Array, side_y: int, side_x: int) -> jax.Array:
    """Returns the cells whose neighbours on the given sides, and between these, are set too."""
    inside = cells
    for y in {0, side_y}:
        for x in {0, side_x}:
            inside &= _neighbours(cells, y, x)
    return inside


def _neighbours(cells: jax.Array, side_y: int, side_x: int) -> jax.Array:
    """Returns the cells that have a set cell at the given side."""
    empty_row = jnp.zeros_like(cells[:, :1])
    if side_y < 0:
        cells = jnp.concatenate([empty_row, cells[:, :-1]], axis=1)
    elif side_y > 0:
        cells = jnp.concatenate([cells[:, 1:], empty_row], axis=1)
    empty_word = jnp.zeros_like(cells[..., :1])
    if side_x < 0:
        before = jnp.concatenate([empty_word, cells[..., :-1]], axis=-1)
        return (cells << 1) | (before >> (WORD - 1))
    if side_x > 0:
        after = jnp.concatenate([cells[..., 1:], empty_word], axis=-1)
        return (cells >> 1) | (after << (WORD - 1))
    return cells
