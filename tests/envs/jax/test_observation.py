"""Observations show exactly what the definition of the planes and the renderer show."""

from __future__ import annotations

from functools import partial
from random import Random

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.envs.jax import (
    EnvParams,
    EnvState,
    initial_state,
    observe,
    observe_pixels,
    observe_planes,
    pack,
    reset,
    reset_env,
    step_env,
)
from pushworld.puzzle import Puzzle, pad
from pushworld.render.raster import Painter
from tests.envs.definitions import draw_planes
from tests.envs.jax.walking import host_moment
from tests.shared import needs_shared, published_puzzles
from tests.strategies import GRIDS, puzzles_on

ENVS = 32
STEPS = 12


@partial(jax.jit, static_argnames="pixels_per_cell")
def observed_states(
    params: EnvParams, pixels_per_cell: int
) -> tuple[EnvState, jax.Array, jax.Array]:
    """Returns states of random episodes after some random actions, as planes and as pixels."""
    keys = jax.random.split(jax.random.key(0), ENVS)
    state = jax.vmap(reset_env, (0, None))(keys, params)

    def body(state: EnvState, actions: jax.Array) -> tuple[EnvState, None]:
        return jax.vmap(step_env, (0, 0, None))(state, actions, params)[0], None

    actions = jax.random.randint(jax.random.key(1), (STEPS, ENVS), 0, 4)
    state, _ = jax.lax.scan(body, state, actions)
    planes = jax.vmap(observe_planes, (0, None))(state, params)
    pixels = jax.vmap(lambda each: observe_pixels(each, params, pixels_per_cell))(state)
    return state, planes, pixels


def assert_observations(puzzles: list[Puzzle], params: EnvParams, pixels_per_cell: int = 3) -> None:
    states, planes, pixels = jax.device_get(observed_states(params, pixels_per_cell))
    frame = params.frame
    for env in range(ENVS):
        puzzle, state, (dx, dy) = host_moment(states, env, puzzles, params)
        np.testing.assert_array_equal(planes[env], draw_planes(puzzle, state, frame, (dx, dy)))
        padded = pad(puzzle, frame.width, frame.height, (dx, dy))
        painter = Painter(padded, pixels_per_cell)
        moved = tuple((x + dx, y + dy) for x, y in state)
        np.testing.assert_array_equal(pixels[env], painter.floats(moved))


@settings(max_examples=1)
@given(data=st.data())
@pytest.mark.large
def test_a_world_of_exactly_one_word_and_larger_pixels(data: st.DataObject) -> None:
    row = ["A", "M1", *["."] * 25, "M2+G1", "M2", "AW"]
    puzzles = [Puzzle.parse(" ".join(row)), Puzzle.parse("A M1 M1 . G1 G1")]
    for kind in ("painted", "nested"):
        puzzles += data.draw(several(kind))
    params = pack(puzzles)
    assert params.frame.width == 32
    assert_observations(puzzles, params, pixels_per_cell=6)


@pytest.mark.large
@settings(max_examples=1)
@given(data=st.data())
def test_worlds_wider_than_a_word(data: st.DataObject) -> None:
    puzzles = data.draw(several("wide"))
    assert_observations(puzzles, pack(puzzles, symmetries=False))


def several(kind: str) -> st.SearchStrategy[list[Puzzle]]:
    return st.lists(GRIDS[kind].flatmap(puzzles_on), min_size=12, max_size=12)


def test_pixels_can_be_the_observation_and_match_a_centred_puzzle() -> None:
    puzzle = Puzzle.parse("A M1 . G1")
    params = pack(
        [puzzle],
        observation="pixels",
        symmetries=False,
        random_placement=False,
        width=9,
        height=6,
    )
    observation, _ = jax.jit(reset)(jax.random.key(0), params)
    expected = Painter(pad(puzzle, 9, 6), 3).floats()
    assert observation.dtype == np.float32
    np.testing.assert_array_equal(observation, expected)


def test_pixels_as_bytes_at_another_scale() -> None:
    puzzle = Puzzle.parse("A M1 . G1")
    params = pack(
        [puzzle], observation="pixels", dtype="uint8", pixels_per_cell=5, symmetries=False
    )
    observation, _ = jax.jit(reset)(jax.random.key(0), params)
    assert observation.dtype == np.uint8
    np.testing.assert_array_equal(observation, Painter(puzzle, 5).rgb())


@needs_shared
@pytest.mark.large
def test_published_puzzles() -> None:
    puzzles = [Puzzle.load(path) for path in Random(0).sample(published_puzzles(), 12)]
    assert_observations(puzzles, pack(puzzles))


def test_as_objects_each_movable_without_a_goal_has_its_own_plane() -> None:
    puzzle = Puzzle.parse("A . M1 . G1\n. M2 M2 M3 .\n. . . M3 W")
    other = Puzzle.parse("A . M1 . G1\n. M2 M2 . .\n. . . . W")
    params = pack([puzzle, other], observation="objects", symmetries=False, random_placement=False)
    for number, each in enumerate((puzzle, other)):
        state = initial_state(params.first_variant[number], params)
        planes = np.asarray(jax.jit(observe)(state, params))
        expected = draw_planes(each, each.initial_state, params.frame)
        np.testing.assert_array_equal(planes[:5], expected[:5])
        obstacles = [
            {(int(x), int(y)) for y, x in zip(*np.nonzero(plane), strict=True)}
            for plane in planes[5:]
        ]
        shown = [set(thing.cells_at(thing.start)) for thing in each.movables[1:]]
        assert obstacles == [*shown, *[set()] * (2 - len(shown))]
