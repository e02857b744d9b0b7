"""Training on several devices, which the CPU simulates in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from pushworld.rl.algorithms.devices import mesh_of
from pushworld.rl.config import ConfigError


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
        mesh_of(1000)
    assert mesh_of(None).size == jax.device_count()
