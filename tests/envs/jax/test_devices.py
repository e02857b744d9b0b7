"""Several devices, and machines that lack parts of the package: each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

SHARDED = """
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, PartitionSpec as P
from pushworld import Puzzle
from pushworld.envs.jax import pack, reset, step

params = pack([Puzzle.parse("A M1 . G1"), Puzzle.parse("A .\\nM1 .\\nG1 .")], max_steps=6)
steps, envs = 10, 16

def rollout(keys, actions, params):
    _, state = jax.vmap(reset, (0, None))(keys[0], params)
    def body(state, given):
        obs, state, reward, done, _ = jax.vmap(step, (0, 0, 0, None))(given[0], state, given[1], params)
        return state, (obs, reward, done)
    return jax.lax.scan(body, state, (keys, actions))

assert jax.device_count() == 4
mesh = Mesh(jax.devices(), ("envs",))
of_envs = P(None, "envs")
spread = jax.shard_map(
    rollout, mesh=mesh, in_specs=(of_envs, of_envs, P()), out_specs=(P("envs"), of_envs)
)
keys = jax.random.split(jax.random.key(0), (steps, envs))
actions = jnp.asarray(np.random.default_rng(0).integers(0, 4, (steps, envs)))
alone = jax.jit(rollout)(keys, actions, params)
together = jax.jit(spread)(keys, actions, params)
assert len(together[0].steps.sharding.device_set) == 4
assert alone[1][2].any()
jax.tree.map(np.testing.assert_array_equal, alone, together)
"""

BARE = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {absent} or name in {absent}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Absent())
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def without(*modules: str) -> str:
    """Returns code after which the modules cannot be imported."""
    return BARE.replace("{absent}", repr(set(modules)))


def test_shard_map_over_four_devices_gives_what_one_gives() -> None:
    flags = f"{os.environ['XLA_FLAGS']} --xla_force_host_platform_device_count=4"
    done = run(SHARDED, XLA_FLAGS=flags, JAX_PLATFORMS="cpu")
    assert done.returncode == 0, done.stderr


def test_a_device_needs_neither_the_native_module_nor_the_command_line() -> None:
    absent = without("pushworld._native", "typer", "rich", "platformdirs", "gymnasium", "flax")
    check = "import pushworld.envs.jax, pushworld.datasets\nprint(pushworld.__version__)"
    done = run(absent + check)
    assert done.returncode == 0, done.stderr


def test_without_jax_the_error_names_the_extra() -> None:
    check = """
from pushworld import PushWorldError
try:
    import pushworld.envs.jax
except PushWorldError as error:
    print(error)
"""
    done = run(without("jax") + check)
    assert done.stdout.strip() == "the JAX environment needs JAX: pip install 'pushworld[jax]'"
