"""Training on several devices, which the CPU pretends to have in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import jax
import pytest

from pushworld.rl.config import ConfigError, DQNConfig, NetworkConfig, PPOConfig
from pushworld.rl.devices import Devices
from pushworld.rl.dqn import make_dqn
from pushworld.rl.ppo import make_ppo

GRADIENTS = """
import jax, jax.numpy as jnp, numpy as np
from pushworld.rl.devices import ONE, SAME, SPLIT, Devices
from pushworld.rl.returns import normalised

inputs = jax.random.normal(jax.random.key(0), (24, 3))
mask = jax.random.bernoulli(jax.random.key(1), 0.6, (24,))
weights = jnp.array([0.5, -1.0, 2.0])

def gradients(devices):
    def of(weights, inputs, mask):
        def loss(weights):
            scaled = normalised(inputs.sum(axis=1), mask, devices)
            return devices.mean((jnp.tanh(inputs @ weights) - scaled) ** 2, mask)
        return jax.grad(loss)(weights)
    return jax.jit(devices.spread(of, (SAME, SPLIT, SPLIT), SAME))(weights, inputs, mask)

assert jax.device_count() == 4
alone = gradients(ONE)
assert np.abs(alone).min() > 1e-3
np.testing.assert_allclose(gradients(Devices(4)), alone, rtol=1e-5)
"""

ALIKE = """
from dataclasses import dataclass
import jax, numpy as np
from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.config import NetworkConfig, PPOConfig
from pushworld.rl.devices import ONE, SAME, Devices
from pushworld.rl.learner import advance, begun
from pushworld.rl.ppo import make_ppo

@dataclass(frozen=True)
class Alike(Devices):
    # Each device makes the same random choices, so two with their share do what one does with it.
    def own(self, key):
        return self.differing(key)

network = NetworkConfig("centred", hidden=(8,), precision="float32")
found = []
for scale, devices in ((1, ONE), (2, Alike(2))):
    settings = PPOConfig(environments=8 * scale, unroll=4, minibatches=2, learning_rate=1e-2)
    learner = make_ppo(network, settings, devices)
    params = devices.place(pack([Puzzle.parse("A . M1 . G1")], max_steps=6), SAME)
    state = begun(learner, jax.random.key(0), params)
    before = jax.device_get(state.weights)
    state, metrics = advance(learner, 3)(state, params)
    assert len(state.episodes.returns.sharding.device_set) == devices.count
    found.append((before, jax.device_get(state.weights), int(metrics["steps"]) / scale))
jax.tree.map(lambda one, two: np.testing.assert_allclose(one, two, atol=1e-5), *found)
moved = jax.tree.map(lambda one, two: np.abs(one - two).max(), *found[0][:2])
assert max(jax.tree.leaves(moved)) > 1e-3
"""

TRACED = """
import jax
from pushworld.envs.jax import pack
from pushworld.puzzle import Puzzle
from pushworld.rl.config import DQNConfig, NetworkConfig
from pushworld.rl.devices import SAME, Devices
from pushworld.rl.dqn import make_dqn

settings = DQNConfig(environments=8, batch=8, replay=64, warm_up=16)
learner = make_dqn(NetworkConfig("small", channels=2, hidden=(8,)), settings, Devices(4))
many = " ".join(f"M{number}" for number in range(2, 20))
params = pack([Puzzle.parse(f"A . M1 . G1 . . . {many}")], max_steps=6)
begin = learner.devices.spread(learner.begin, (SAME, SAME), learner.layout)
iterate = learner.devices.spread(
    learner.iterate, (learner.layout, SAME), (learner.layout, SAME)
)
# JAX refuses to trace what differs between devices but is said to be the same on all of them.
state = jax.eval_shape(begin, jax.random.key(0), params)
after, metrics = jax.eval_shape(iterate, state, params)
assert jax.tree.map(lambda leaf: leaf.shape, state) == jax.tree.map(lambda leaf: leaf.shape, after)
assert state.replay.actions.shape == (64,) and state.episodes.returns.shape == (8,)
"""


@pytest.mark.parametrize("code", [GRADIENTS, ALIKE, TRACED], ids=["gradients", "ppo", "dqn"])
def test_several_devices_give_what_one_gives(code: str) -> None:
    flags = f"{os.environ['XLA_FLAGS']} --xla_force_host_platform_device_count=4"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_devices_that_are_not_there_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"devices is 1000: this machine has \d+ for JAX"):
        Devices.of(1000)
    assert Devices.of(None).count == jax.device_count()


def test_work_that_devices_cannot_share_is_named() -> None:
    three = Devices(3)
    with pytest.raises(ConfigError, match=r"ppo.environments is 64: it must be a multiple of 3"):
        make_ppo(NetworkConfig(), PPOConfig(environments=64), three)
    with pytest.raises(ConfigError, match=r"ppo.minibatches must divide the 66 steps of a device"):
        make_ppo(NetworkConfig(), PPOConfig(environments=99, unroll=2, minibatches=18), three)
    with pytest.raises(ConfigError, match=r"dqn.batch is 32: it must be a multiple of 3"):
        make_dqn(NetworkConfig(), DQNConfig(environments=48, replay=96, batch=32), three)
