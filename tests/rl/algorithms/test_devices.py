"""Training on several devices, which the CPU simulates in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from pushworld.rl.algorithms.devices import Devices
from pushworld.rl.algorithms.dqn import make_dqn
from pushworld.rl.algorithms.ppo import make_ppo
from pushworld.rl.config import ConfigError
from pushworld.rl.settings import DQNConfig, NetworkConfig, PPOConfig


def test_several_devices_give_what_one_gives() -> None:
    flags = f"{os.environ['XLA_FLAGS']} --xla_force_host_platform_device_count=4"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    checks = Path(__file__).with_name("several_devices.py")
    done = subprocess.run(
        [sys.executable, checks], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_devices_that_are_not_there_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"devices is 1000: this machine has \d+ for JAX"):
        Devices.available(1000)
    assert Devices.available(None).count == jax.device_count()


def test_work_that_devices_cannot_share_is_named() -> None:
    three = Devices(3)
    with pytest.raises(ConfigError, match=r"ppo.environments is 64: it must be a multiple of 3"):
        make_ppo(NetworkConfig(), PPOConfig(environments=64), three)
    with pytest.raises(ConfigError, match=r"ppo.minibatches must divide the 66 steps of a device"):
        make_ppo(NetworkConfig(), PPOConfig(environments=99, unroll=2, minibatches=18), three)
    with pytest.raises(ConfigError, match=r"dqn.batch is 32: it must be a multiple of 3"):
        make_dqn(NetworkConfig(), DQNConfig(environments=48, replay=96, batch=32), three)
