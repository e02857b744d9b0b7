"""Exported networks against the networks themselves, evaluated by ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import onnxruntime
import pytest

from pushworld.rl.agents.onnx_file import export_policy
from pushworld.rl.algorithms.networks import ActionValues, ActorCritic
from pushworld.rl.config import RunConfig
from pushworld.rl.evaluation.agents import Agent, save_agent
from pushworld.rl.settings import NetworkConfig
from tests.cli.running import run

SIDE, PLANES, GOALS = 5, 7, 1


def run_file(path: Path, inputs: Any) -> list[np.ndarray[Any, Any]]:
    """Returns the outputs of a file for its only input."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (name,) = (each.name for each in session.get_inputs())
    return list(session.run(None, {name: np.asarray(inputs, np.float32)}))


def random_agent(kind: Literal["paper", "small", "centred", "iterated"], algorithm: str) -> Agent:
    """Returns an agent with random weights."""
    config = NetworkConfig(kind=kind, channels=8, hidden=(16, 8), repeats=2)
    network = ActorCritic(config) if algorithm == "ppo" else ActionValues(config)
    weights = jax.jit(network.init)(jax.random.key(1), observations(kind, 1))
    run = RunConfig.from_dict({"algorithm": algorithm, "train": "base"})
    run = RunConfig.from_dict(
        run.to_dict() | {"network": {"kind": kind, "channels": 8, "hidden": [16, 8], "repeats": 2}}
    )
    return Agent(run, SIDE, SIDE, GOALS, 0, jax.tree.map(np.asarray, weights))


def observations(kind: str, count: int, side: int = SIDE) -> jax.Array:
    """Returns random observations of the kind that a network reads."""
    shape = (count, 3 * side, 3 * side, 3) if kind == "paper" else (count, PLANES, side, side)
    values = jax.random.bernoulli(jax.random.key(2), 0.3, shape).astype(jnp.float32)
    if kind == "paper":
        return values
    row = jnp.arange(count) % (side - 1)
    agent = jnp.zeros((count, side, side)).at[jnp.arange(count), row, 2].set(1)
    return values.at[:, 0].set(agent.at[jnp.arange(count), row + 1, 1].set(1))


@pytest.mark.parametrize(
    ("kind", "algorithm"),
    [("paper", "ppo"), ("small", "dqn"), ("centred", "ppo"), ("iterated", "ppo")],
)
def test_a_policy(
    tmp_path: Path, kind: Literal["paper", "small", "centred", "iterated"], algorithm: str
) -> None:
    agent, path = random_agent(kind, algorithm), tmp_path / "agent.onnx"
    save_agent(tmp_path / "agent.zip", agent)
    outcome = run("agents", "export", str(tmp_path / "agent.zip"), str(path))
    assert outcome.exit_code == 0, outcome.err
    network: Any = ActorCritic if algorithm == "ppo" else ActionValues
    for side in (SIDE, SIDE + 2) if kind == "iterated" else (SIDE,):
        seen = observations(kind, 3, side)
        expected = network(agent.config.network).apply(agent.weights, seen)
        for found, each in zip(run_file(path, seen), jax.tree.leaves(expected), strict=True):
            assert np.allclose(found, each, rtol=1e-4, atol=1e-5)


def test_the_same_network_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_policy(random_agent("small", "ppo"), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
