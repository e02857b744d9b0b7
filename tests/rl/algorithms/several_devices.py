"""Checks of training on several devices, run by `test_devices.py` in a process with four of them."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.algorithms.devices import ONE_DEVICE, REPLICATED, SHARDED, Devices
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.learner import compile_iterations, initial_training_state, over_seeds
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.algorithms.returns import normalise
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig


def check_gradients() -> None:
    """Gradients of a masked, normalised loss are those of one device."""
    random = np.random.default_rng(0)
    inputs = random.standard_normal((24, 3), np.float32)
    mask = random.random(24) < 0.6
    weights = np.array([0.5, -1.0, 2.0], np.float32)

    def gradients(devices: Devices) -> jax.Array:
        def of(weights: jax.Array, inputs: jax.Array, mask: jax.Array) -> jax.Array:
            def loss(weights: jax.Array) -> jax.Array:
                scaled = normalise(inputs.sum(axis=1), mask, devices)
                return devices.mean((jnp.tanh(inputs @ weights) - scaled) ** 2, mask)

            found: jax.Array = jax.grad(loss)(weights)
            return found

        mapped = devices.shard_map(of, (REPLICATED, SHARDED, SHARDED), REPLICATED)
        found: jax.Array = jax.jit(mapped)(weights, inputs, mask)
        return found

    alone = gradients(ONE_DEVICE)
    assert np.abs(alone).min() > 1e-3
    np.testing.assert_allclose(gradients(Devices(4)), alone, rtol=1e-5)


@dataclass(frozen=True)
class EqualDevices(Devices):
    """Devices with equal random numbers: two with twice the work do what one does."""

    def local_key(self, key: jax.Array) -> jax.Array:
        return self.varying(key)


def check_ppo() -> None:
    """Two devices with equal random numbers learn what one device learns, with two seeds."""
    network = NetworkConfig("centred", hidden=(4,), precision="float32")
    found = []
    for scale, devices in ((1, ONE_DEVICE), (2, EqualDevices(2))):
        settings = PPOConfig(environments=8 * scale, unroll=4, minibatches=2, learning_rate=1e-2)
        learner = over_seeds(make_ppo(network, settings, devices))
        params = devices.place(pack([Puzzle.parse("A . M1 . G1")], max_steps=6), REPLICATED)
        keys = jax.random.split(jax.random.key(0), 2)
        state = initial_training_state(learner, keys, params)
        before = jax.device_get(state.weights)
        state, metrics = compile_iterations(learner, 3)(state, params)
        assert len(state.episodes.returns.sharding.device_set) == devices.count
        steps = metrics["steps"].tolist()
        found.append((before, jax.device_get(state.weights), [each / scale for each in steps]))
    jax.tree.map(lambda one, two: np.testing.assert_allclose(one, two, atol=1e-5), *found)
    moved = jax.tree.map(lambda one, two: np.abs(one - two).max(), *found[0][:2])
    assert max(jax.tree.leaves(moved)) > 1e-3


def check_dqn() -> None:
    """DQN can be traced: JAX refuses what varies between devices but is said to be replicated."""
    settings = DQNConfig(environments=8, batch=8, replay=64, warm_up=16)
    network = NetworkConfig("small", channels=2, hidden=(8,))
    learner = over_seeds(make_dqn(network, settings, Devices(4)))
    many = " ".join(f"M{number}" for number in range(2, 20))
    params = pack([Puzzle.parse(f"A . M1 . G1 . . . {many}")], max_steps=6)
    layout = learner.layout
    init = learner.devices.shard_map(learner.init, (REPLICATED, REPLICATED), layout)
    iterate = learner.devices.shard_map(learner.iterate, (layout, REPLICATED), (layout, REPLICATED))
    state = jax.eval_shape(init, jax.random.split(jax.random.key(0), 2), params)
    after, _ = jax.eval_shape(iterate, state, params)
    shapes = [jax.tree.map(lambda leaf: leaf.shape, each) for each in (state, after)]
    assert shapes[0] == shapes[1]
    assert (state.replay.actions.shape, state.episodes.returns.shape) == ((2, 64), (2, 8))


if __name__ == "__main__":
    assert jax.device_count() == 4
    check_gradients()
    check_dqn()
    check_ppo()
