"""Observations as pixels, equal to the pictures of `pushworld.render`."""

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.contract import PixelType
from pushworld.envs.jax.dynamics import WORD, unpack_rows
from pushworld.envs.jax.observation import world_rows
from pushworld.envs.jax.types import EnvParams, EnvState
from pushworld.render.colours import FLOAT_PALETTE, PALETTE, Colour
from pushworld.render.raster import checked_border_width

NETWORK_PIXELS_PER_CELL = 3
"""The scale of the paper's network input."""


def observe_pixels(
    state: EnvState,
    params: EnvParams,
    pixels_per_cell: int = NETWORK_PIXELS_PER_CELL,
    border_width: int | None = None,
    dtype: PixelType = "float32",
) -> jax.Array:
    """Returns the state as float32 in [0, 1] or uint8, of shape (height, width, 3) in pixels."""
    indices = pixel_indices(state, params, pixels_per_cell, border_width)
    return jnp.asarray(PALETTE if dtype == "uint8" else FLOAT_PALETTE)[indices]


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
    kinds = _nine_kinds(state, params)
    rows = kinds[third].transpose(2, 0, 3, 1)  # (height, pixel row, width, third)
    picture = rows[..., third]
    return picture.reshape(frame.height * pixels_per_cell, frame.width * pixels_per_cell)


def _nine_kinds(state: EnvState, params: EnvParams) -> jax.Array:
    """Returns for each third in y and in x the palette indices of the cells.

    They are uint8 of shape (3, 3, height, width).
    """
    frame = params.frame
    rows = world_rows(state, params)
    things = jnp.concatenate([rows.agent_walls[None], rows.walls[None], rows.objects, rows.goals])
    insides = _insides(things)
    first_other, first_goal = 3 + frame.goals, 2 + params.slots
    layers = (
        (slice(0, 1), Colour.AGENT_WALL, Colour.AGENT_WALL_BORDER),
        (slice(1, 2), Colour.WALL, Colour.WALL_BORDER),
        (slice(2, 3), Colour.AGENT, Colour.AGENT_BORDER),
        (slice(3, first_other), Colour.GOAL_OBJECT, Colour.GOAL_OBJECT_BORDER),
        (slice(first_other, first_goal), Colour.MOVABLE, Colour.MOVABLE_BORDER),
    )
    image = jnp.full((9, frame.height, frame.width), Colour.BACKGROUND, jnp.uint8)
    for own, fill, border in layers:
        whole = unpack_rows(_union(things[None, own]), frame.width)
        inside = unpack_rows(_union(insides[:, own]), frame.width)
        image = jnp.where(inside, jnp.uint8(fill), jnp.where(whole, jnp.uint8(border), image))
    outlines = _union(things[None, first_goal:] & ~insides[:, first_goal:])
    image = jnp.where(unpack_rows(outlines, frame.width), jnp.uint8(Colour.GOAL), image)
    return image.reshape(3, 3, frame.height, frame.width)


def _union(cells: jax.Array) -> jax.Array:
    """Returns the union of the cells along the second axis."""
    union: jax.Array = jax.lax.reduce(cells, jnp.uint32(0), jax.lax.bitwise_or, (1,))
    return union


def _insides(cells: jax.Array) -> jax.Array:
    """Returns for each third in y and in x the cells in which such a pixel is not on a border.

    It is not where the neighbours on its sides, and the one between these, belong to the thing.
    """
    sides = (-1, 0, 1)
    near = {(y, x): _neighbours(cells, y, x) for y in sides for x in sides}
    return jnp.stack([cells & near[y, 0] & near[0, x] & near[y, x] for y in sides for x in sides])


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
