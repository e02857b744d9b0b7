"""The methods that learners of gymnax call do what the functions do."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld.datasets import load_set
from pushworld.envs.jax import GymnaxEnv, make, pack, reset, step
from pushworld.puzzle import PushWorldError, Puzzle

PARAMS = pack([Puzzle.parse("A M1 G1 ."), Puzzle.parse("A .\n. M1\n. G1")], max_steps=3)
KEY = jax.random.key(3)


def same(one: object, other: object) -> bool:
    return bool(jax.tree.all(jax.tree.map(np.array_equal, one, other)))


def test_names_are_packed_wherever_puzzles_are() -> None:
    own = Puzzle.parse("A M1 G1 .")
    assert same(pack("bundled"), pack(load_set("bundled")))
    assert pack(["first-push", own]).puzzles == 2
    with pytest.raises(PushWorldError, match="did you mean 'bundled'"):
        pack("bundlet")


def test_ids_make_what_gymnasium_makes_of_them() -> None:
    env, params = make("pushworld:PushWorld/Bundled-v0", symmetries=False)
    assert same(params, pack("bundled", symmetries=False))
    assert env.observation_space().shape == params.frame.planes_shape
    _, params = make("PushWorld/Classic-v0", puzzles="first-push")
    assert (params.puzzles, int(params.max_steps)) == (1, 5000)
    with pytest.raises(PushWorldError, match="did you mean 'PushWorld/Bundled-v0'"):
        make("Bundled-v0")
    with pytest.raises(PushWorldError, match="an environment needs puzzles"):
        make("PushWorld/Custom-v0")


def test_gymnax() -> None:
    env = GymnaxEnv(PARAMS)
    assert env.num_actions == 4
    observation, state = jax.jit(env.reset)(KEY)
    assert same((observation, state), jax.jit(reset)(KEY, PARAMS))
    assert env.observation_space().shape == observation.shape
    assert env.observation_space().contains(observation)
    assert env.action_space(PARAMS).contains(env.action_space().sample(KEY))
    step_on, step_through = jax.jit(env.step_env), jax.jit(env.step)
    for number in range(3):
        action = jnp.int32(number)
        expected = jax.jit(step)(KEY, state, action, PARAMS)
        assert same(step_through(KEY, state, action), expected)
        observation, state, reward, done, info = step_on(KEY, state, action, env.default_params)
        assert same((state, reward, done), (expected[4]["final_state"], *expected[2:4]))
        assert same(info, expected[4])
        assert env.is_terminal(state) == done
    assert done
    assert same(jax.jit(env.get_obs)(state), observation)
