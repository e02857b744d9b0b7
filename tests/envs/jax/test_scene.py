"""The observation ``scene`` against a drawing cell by cell, and its symmetries."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.datasets import load_set
from pushworld.envs.jax import SYMMETRIES, EnvState, initial_state, observe, pack
from pushworld.envs.jax.observation import (
    DIRECTIONS,
    OFFSET_SCALE,
    OFFSETS,
    SCENE_PLANES,
    turned_scene,
)
from pushworld.puzzle import DELTAS, Puzzle

PUZZLES = load_set("bundled")[:12:3]


def drawn(puzzle: Puzzle) -> np.ndarray:
    """Returns the scene of the initial state, drawn cell by cell."""
    planes = np.zeros((SCENE_PLANES, puzzle.height, puzzle.width), np.float32)

    def mark(plane: int, cells: frozenset[tuple[int, int]], value: float = 1) -> None:
        for x, y in cells:
            planes[plane, y, x] = value

    mark(1, puzzle.agent_walls)
    mark(2, puzzle.walls)
    for number, thing in enumerate(puzzle.objects):
        cells = thing.cells_at(thing.start)
        mark(0 if number == 0 else 3 if thing.goal is None else 4, cells)
        stops = puzzle.walls | (puzzle.agent_walls if number == 0 else frozenset())
        for direction, (dx, dy) in enumerate(DELTAS):
            moved = frozenset((x + dx, y + dy) for x, y in cells)
            mark(
                DIRECTIONS[0] + direction,
                frozenset((x, y) for x, y in cells if (x + dx, y + dy) in cells),
            )
            mark(DIRECTIONS[1] + direction, cells, bool(moved & stops))
        if thing.goal is not None:
            outline = thing.cells_at(thing.goal)
            mark(5, outline)
            for side in range(2):
                offset = thing.goal[side] - thing.start[side]
                scaled = np.clip(offset / OFFSET_SCALE, -2, 2)
                mark(OFFSETS[0] + side, cells, scaled)
                mark(OFFSETS[1] + side, cells, np.sign(offset))
                mark(OFFSETS[2] + side, outline, -scaled)
            mark(SCENE_PLANES - 1, cells, thing.goal == thing.start)
    return planes


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_scene_shows_every_object_by_its_cells(puzzle: Puzzle) -> None:
    params = pack([puzzle], observation="scene", symmetries=False)
    scene = jax.jit(lambda params: observe(initial_state(0, params), params))(params)
    np.testing.assert_allclose(scene, drawn(puzzle), atol=1e-6)


def test_turned_scene_is_the_scene_of_the_turned_puzzle() -> None:
    params = pack(PUZZLES, observation="scene")
    scenes = jax.jit(jax.vmap(observe, (0, None)))
    for puzzle in range(len(PUZZLES)):
        variants = params.first_variant[puzzle] + np.arange(len(SYMMETRIES))
        corners = jnp.zeros((len(SYMMETRIES), 2), jnp.int16)
        states: EnvState = jax.vmap(initial_state, (0, None, 0))(variants, params, corners)
        shown = np.asarray(scenes(states, params))
        width, height = params.size[variants[0]].tolist()
        given = shown[0, :, :height, :width]
        for symmetry, scene in zip(SYMMETRIES, shown, strict=True):
            xx, xy, yx, yy = symmetry.value
            cells = jnp.asarray(given.swapaxes(-1, -2) if xx == 0 else given)
            cells = turned_scene(cells[..., :: yx + yy, :: xx + xy], symmetry)
            np.testing.assert_array_equal(scene[:, : cells.shape[1], : cells.shape[2]], cells)
