"""Several seeds in one program learn what each learns alone; `runs/test_seeds.py` shows it for PPO."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.jax import EnvParams, pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.learner import (
    Learner,
    compile_iterations,
    initial_training_state,
    over_seeds,
)
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig

ITERATIONS = 4


def two_puzzles() -> EnvParams:
    return pack([Puzzle.parse("A . M1 . G1"), Puzzle.parse("A . . M1 .\n. . . . G1")], max_steps=6)


def test_several_seeds_of_dqn_learn_what_each_learns_alone() -> None:
    network = NetworkConfig("small", channels=2, hidden=(8,), convolution="rows")
    settings = DQNConfig(environments=8, batch=8, replay=32, warm_up=16, target_period=3)
    learner, params = make_dqn(network, settings), two_puzzles()

    def trained(learner: Learner, key: jax.Array) -> Any:
        state = initial_training_state(learner, key, params)
        state, metrics = compile_iterations(learner, ITERATIONS)(state, params)
        assert int(state.updates) == ITERATIONS * 2
        return jax.device_get((state.weights, metrics, state.episodes.states))

    keys = [jax.random.key(seed) for seed in (3, 11)]
    together = trained(over_seeds(learner), jnp.stack(keys))
    for number, key in enumerate(keys):
        *found, states = jax.tree.map(lambda leaf, number=number: leaf[number], together)
        *expected, expected_states = trained(learner, key)
        jax.tree.map(np.testing.assert_array_equal, states, expected_states)
        jax.tree.map(
            lambda one, other: np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5),
            found,
            expected,
        )
    apart = jax.tree.map(lambda leaf: np.abs(leaf[0] - leaf[1]).max(), together[0])
    assert max(jax.tree.leaves(apart)) > 0.1


def test_all_seeds_draw_the_same_number_of_repeats_so_that_none_computes_more() -> None:
    network = NetworkConfig("iterated", channels=2, hidden=(4,), repeats_choices=(1, 3))
    learner = over_seeds(make_ppo(network, PPOConfig(environments=4, unroll=2, minibatches=1)))
    keys, params = jax.random.split(jax.random.key(0), 2), two_puzzles()
    state = jax.eval_shape(learner.init, keys, params)
    program = str(jax.make_jaxpr(learner.iterate)(state, params))
    # A number of its own for each seed would make both branches and select one of the results.
    assert " cond[" in program
