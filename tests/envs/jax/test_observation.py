"""Observations show exactly what the definition of the planes and the renderer show."""

from __future__ import annotations

from random import Random

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.envs.jax import (
    EnvParams,
    EnvState,
    observe_pixels,
    observe_planes,
    pack,
    reset,
    step_env,
)
from pushworld.envs.planes import draw_planes
from pushworld.puzzle import Puzzle, pad
from pushworld.render.raster import Painter
from tests.envs.jax.walking import host_moment
from tests.shared import needs_shared, published_puzzles
from tests.strategies import GRIDS, puzzles_on

ENVS = 24
STEPS = 12


@jax.jit
def later_states(params: EnvParams) -> EnvState:
    """Returns states of random episodes after some random actions."""
    keys = jax.random.split(jax.random.key(0), ENVS)
    _, state = jax.vmap(reset, (0, None))(keys, params)

    def body(state: EnvState, actions: jax.Array) -> tuple[EnvState, None]:
        return jax.vmap(step_env, (0, 0, None))(state, actions, params)[0], None

    actions = jax.random.randint(jax.random.key(1), (STEPS, ENVS), 0, 4)
    return jax.lax.scan(body, state, actions)[0]


def assert_observations(puzzles: list[Puzzle], params: EnvParams, pixels_per_cell: int = 3) -> None:
    states = later_states(params)
    planes = jax.jit(jax.vmap(observe_planes, (0, None)))(states, params)
    look = jax.vmap(lambda state: observe_pixels(state, params, pixels_per_cell))
    pixels = jax.jit(look)(states)
    frame = params.frame
    for env in range(ENVS):
        puzzle, state, (dx, dy) = host_moment(states, env, puzzles, params)
        np.testing.assert_array_equal(planes[env], draw_planes(puzzle, state, frame, (dx, dy)))
        padded = pad(puzzle, frame.width, frame.height, (dx, dy))
        painter = Painter(padded, pixels_per_cell)
        moved = tuple((x + dx, y + dy) for x, y in state)
        np.testing.assert_array_equal(pixels[env], painter.floats(moved))


@pytest.mark.parametrize("kind", ["painted", "nested", "wide"])
@settings(max_examples=1)
@given(data=st.data())
def test_random_puzzles(kind: str, data: st.DataObject) -> None:
    drawn = st.lists(GRIDS[kind].flatmap(puzzles_on), min_size=12, max_size=12)
    puzzles = data.draw(drawn)
    assert_observations(puzzles, pack(puzzles, symmetries=kind != "wide"))


def test_a_world_of_exactly_one_word_and_larger_pixels() -> None:
    row = ["A", "M1", *["."] * 25, "M2+G1", "M2", "AW"]
    puzzles = [Puzzle.parse(" ".join(row)), Puzzle.parse("A M1 M1 . G1 G1")]
    params = pack(puzzles)
    assert params.frame.width == 32
    assert_observations(puzzles, params, pixels_per_cell=6)


def test_pixels_can_be_the_observation_and_match_a_centred_puzzle() -> None:
    puzzle = Puzzle.parse("A M1 . G1")
    options = {"symmetries": False, "random_placement": False, "width": 9, "height": 6}
    observation, _ = reset(jax.random.key(0), pack([puzzle], observation="pixels", **options))
    expected = Painter(puzzle, 3, width=9, height=6).floats()
    assert observation.dtype == np.float32
    np.testing.assert_array_equal(observation, expected)


@needs_shared
def test_published_puzzles() -> None:
    puzzles = [Puzzle.load(path) for path in Random(0).sample(published_puzzles(), 12)]
    assert_observations(puzzles, pack(puzzles))
