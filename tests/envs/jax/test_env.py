"""Episodes: how they start and end, and their rewards and infos."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.envs import frame_of
from pushworld.envs.jax import (
    EnvParams,
    EnvState,
    PackError,
    StepInfo,
    distance_to_goals,
    initial_state,
    observe_planes,
    pack,
    reset,
    reset_env,
    step,
)
from pushworld.puzzle import Action, Puzzle

PUZZLES = [
    Puzzle.parse("A M1 G1 .", name="one push"),
    Puzzle.parse("A . .\nM1 . G1\nM2 M3 .", name="wide"),
    Puzzle.parse("A .\n. .\n. M1\n. G1+M2", name="high"),
]
PARAMS = pack(PUZZLES, max_steps=5)
PLAIN = pack(PUZZLES, max_steps=5, symmetries=False, random_placement=False)

COUNT = 24_000

resets = jax.jit(jax.vmap(reset_env, (0, None)))
one_step = jax.jit(step)
observe = jax.jit(observe_planes)


StepResult = tuple[jax.Array, EnvState, jax.Array, jax.Array, StepInfo]


def take(
    state: EnvState, actions: Iterable[int], params: EnvParams = PARAMS, seed: int = 0
) -> list[StepResult]:
    """Returns the results of some actions, one after the other."""
    results: list[StepResult] = []
    for number, action in enumerate(actions):
        key = jax.random.fold_in(jax.random.key(seed), number)
        results.append(one_step(key, state, jnp.int32(action), params))
        state = results[-1][1]
    return results


@cache
def first_state() -> EnvState:
    """Returns the first state of "one push" as it was given."""
    return initial_state(0, PARAMS)


def test_solving_terminates_with_the_full_reward_and_starts_a_new_episode() -> None:
    ((observation, state, reward, done, info),) = take(first_state(), [Action.RIGHT])
    assert reward == np.float32(10.0)
    assert done
    assert info["terminated"]
    assert not info["truncated"]
    assert info["achieved"] == 1
    assert info["final_state"].steps == 1
    assert info["final_state"].positions[:2].tolist() == [[2, 1], [3, 1]]
    assert state.steps == 0
    np.testing.assert_array_equal(observation, observe(state, PARAMS))


def test_steps_run_out_after_max_steps_even_without_effect() -> None:
    *before, last = take(first_state(), [Action.LEFT] * 5)
    for _, state, reward, done, info in before:
        assert reward == np.float32(-0.01)
        assert not done
        assert not info["moved"]
        assert jax.tree.all(jax.tree.map(np.array_equal, state, info["final_state"]))
    _, state, reward, done, info = last
    assert reward == np.float32(-0.01)
    assert done
    assert info["truncated"]
    assert not info["terminated"]
    assert info["final_state"].steps == 5
    assert state.steps == 0


def test_solving_with_the_last_step_is_not_truncation() -> None:
    *_, (_, _, reward, done, info) = take(first_state(), [Action.LEFT] * 4 + [Action.RIGHT])
    assert reward == np.float32(10.0)
    assert done
    assert info["terminated"]
    assert not info["truncated"]


def test_a_sparse_reward() -> None:
    sparse = pack(PUZZLES, max_steps=5, reward="sparse")
    *before, last = take(first_state(), [Action.LEFT, Action.LEFT, Action.RIGHT], sparse)
    assert [float(each[2]) for each in (*before, last)] == [0, 0, 1]


def test_sets_of_the_same_sizes_have_observations_and_states_of_the_same_shape() -> None:
    sizes = frame_of(*PUZZLES, symmetries=True)
    shapes = [
        jax.tree.map(lambda leaf: leaf.shape, jax.eval_shape(reset, jax.random.key(0), params))
        for params in (pack(PUZZLES[:1], **sizes), pack(PUZZLES, **sizes))  # type: ignore[arg-type]
    ]
    assert shapes[0] == shapes[1]
    assert shapes[0][0] == PARAMS.frame.planes_shape


def test_distances_need_a_shaped_reward() -> None:
    with pytest.raises(PackError, match="shaped reward"):
        distance_to_goals(first_state(), PARAMS)


def test_max_steps_can_be_changed_without_packing_again() -> None:
    short = replace(PARAMS, max_steps=jnp.int32(1))
    ((_, _, _, done, info),) = take(first_state(), [Action.LEFT], short)
    assert done
    assert info["truncated"]


def test_without_augmentation_puzzles_stand_in_the_centre_as_they_are() -> None:
    states = resets(jax.random.split(jax.random.key(0), 64), PLAIN)
    assert set(states.variant.tolist()) == {0, 1, 2}
    for variant, placement in zip(states.variant, states.placement.tolist(), strict=True):
        assert placement == list(PLAIN.frame.centred(PUZZLES[int(variant)]))


def test_with_augmentation_every_puzzle_symmetry_and_place_is_drawn_alike() -> None:
    states = jax.device_get(resets(jax.random.split(jax.random.key(1), COUNT), PARAMS))
    assert PARAMS.puzzle_of.size == 24
    seen = np.bincount(states.variant, minlength=24)
    assert (abs(seen - COUNT / 24) < 5 * (COUNT / 24) ** 0.5).all()
    for variant in range(24):
        size = np.asarray(PARAMS.size[variant])
        spare = np.array([PARAMS.frame.width, PARAMS.frame.height]) - size
        places = states.placement[states.variant == variant]
        assert places.min() == 0
        assert {tuple(place) for place in places.tolist()} == {
            (x, y) for x in range(spare[0] + 1) for y in range(spare[1] + 1)
        }


def test_the_same_key_gives_the_same_episode() -> None:
    keys = [jax.random.split(jax.random.key(seed), COUNT) for seed in (3, 3, 4)]
    first, again, other = (resets(each, PARAMS) for each in keys)
    assert jax.tree.all(jax.tree.map(np.array_equal, first, again))
    assert not jax.tree.all(jax.tree.map(np.array_equal, first, other))


def test_in_a_smaller_world_only_symmetries_that_fit_are_shown() -> None:
    params = pack(PUZZLES[:1], width=6, height=3)
    assert params.variant_count.tolist() == [4]
    assert (np.asarray(params.size) == (6, 3)).all()


def test_an_episode_in_a_scan_looks_like_steps_one_by_one() -> None:
    keys = jax.random.split(jax.random.key(5), 12)
    actions = jax.random.randint(jax.random.key(6), (12,), 0, 4)

    @jax.jit
    def episode(key: jax.Array, params: EnvParams) -> tuple[Any, Any]:
        observation, begin = reset(key, params)

        def body(state: EnvState, given: tuple[jax.Array, jax.Array]) -> tuple[EnvState, Any]:
            observation, state, reward, done, _ = step(given[0], state, given[1], params)
            return state, (observation, reward, done)

        return (observation, begin), jax.lax.scan(body, begin, (keys, actions))[1]

    (observation, begin), scanned = episode(jax.random.key(7), PARAMS)
    assert observation.shape == PARAMS.frame.planes_shape
    assert observation.dtype == bool
    state = begin
    for number in range(12):
        observation, state, reward, done, _ = one_step(keys[number], state, actions[number], PARAMS)
        np.testing.assert_array_equal(scanned[0][number], observation)
        assert scanned[1][number] == reward
        assert scanned[2][number] == done
    assert scanned[2].any()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"puzzles": []}, "0 puzzles"),
        ({"max_steps": 0}, "at least 1 step"),
        ({"observation": "smell"}, "planes or pixels"),
        ({"width": 5}, "'one push' of 6 x 3 cells does not fit into a world of 5"),
        ({"goals": 0}, "'one push' has 1 goals"),
        ({"reward": "curious"}, "no reward 'curious'"),
        ({"dtype": "int8"}, "float32 or uint8"),
    ],
)
def test_what_cannot_be_packed(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(PackError, match=problem):
        pack(**{"puzzles": PUZZLES, **options})
