"""Checks of training on several devices, run by `test_devices.py` in a process with four of them."""

from __future__ import annotations

import jax
import numpy as np

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.devices import mesh_of, spread
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.learner import Learner, compile_iterations, initial_training_state
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig


def check(learner: Learner) -> None:
    """Four devices learn what one device learns, and each keeps its part of the environments."""
    found = []
    for count in (1, 4):
        mesh = mesh_of(count)
        params = spread(pack([Puzzle.parse("A . M1 . G1")], max_steps=6), mesh)
        state = spread(initial_training_state(learner, jax.random.key(0), params), mesh)
        before = jax.device_get(state.weights)
        state, metrics = compile_iterations(learner, 3, mesh)(state, params)
        assert len(state.episodes.returns.addressable_shards) == count
        assert state.episodes.returns.addressable_shards[0].data.shape == (8 // count,)
        found.append((before, jax.device_get((state.weights, metrics["steps"]))))
    jax.tree.map(lambda one, two: np.testing.assert_allclose(one, two, atol=1e-5), *found)
    moved = jax.tree.map(lambda one, two: np.abs(one - two).max(), found[0][0], found[0][1][0])
    assert max(jax.tree.leaves(moved)) > 1e-3


if __name__ == "__main__":
    assert jax.device_count() == 4
    network = NetworkConfig("centred", hidden=(4,), precision="float32")
    check(make_ppo(network, PPOConfig(environments=8, unroll=4, minibatches=2, learning_rate=1e-2)))
    settings = DQNConfig(environments=8, batch=8, replay=64, warm_up=16, learning_rate=1e-2)
    check(make_dqn(network, settings))
