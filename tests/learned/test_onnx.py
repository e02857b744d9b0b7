"""Exported networks against the networks themselves, evaluated by ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import onnxruntime
import pytest

from pushworld.learned import Network
from pushworld.learned.observation import CHANNELS
from pushworld.learned.onnx_file import export_agent, export_network, export_policy
from pushworld.learned.weights import random_weights
from pushworld.puzzle import PushWorldError
from pushworld.rl.algorithms.networks import ActionValues, ActorCritic
from pushworld.rl.config import RunConfig
from pushworld.rl.evaluation.agents import Agent, save_agent
from pushworld.rl.settings import NetworkConfig

SIDE, PLANES, GOALS = 5, 7, 1


def run_file(path: Path, inputs: Any) -> list[np.ndarray[Any, Any]]:
    """Returns the outputs of a file for its only input."""
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (name,) = (each.name for each in session.get_inputs())
    return list(session.run(None, {name: np.asarray(inputs, np.float32)}))


@pytest.mark.parametrize(("height", "width"), [(4, 6), (7, 3)])
def test_a_network_for_the_planner(tmp_path: Path, height: int, width: int) -> None:
    network, path = Network(random_weights(8), 3), tmp_path / "network.onnx"
    export_network(network, path)
    planes = np.random.default_rng(0).random((2, height, width, CHANNELS), np.float32)
    for found, expected in zip(run_file(path, planes), network(planes), strict=True):
        assert np.allclose(found, expected, rtol=1e-3, atol=1e-4)


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


def observations(kind: str, count: int) -> jax.Array:
    """Returns random observations of the kind that a network reads."""
    shape = (count, 3 * SIDE, 3 * SIDE, 3) if kind == "paper" else (count, PLANES, SIDE, SIDE)
    values = jax.random.bernoulli(jax.random.key(2), 0.3, shape).astype(jnp.float32)
    return values if kind == "paper" else values.at[:, 0].set(0).at[:, 0, 1, 2].set(1)


@pytest.mark.parametrize(
    ("kind", "algorithm"), [("paper", "ppo"), ("small", "dqn"), ("iterated", "ppo")]
)
def test_a_policy(
    tmp_path: Path, kind: Literal["paper", "small", "iterated"], algorithm: str
) -> None:
    agent, path = random_agent(kind, algorithm), tmp_path / "agent.onnx"
    save_agent(tmp_path / "agent.zip", agent)
    export_agent(tmp_path / "agent.zip", path)
    seen = observations(kind, 3)
    network: Any = ActorCritic if algorithm == "ppo" else ActionValues
    expected = network(agent.config.network).apply(agent.weights, seen)
    for found, each in zip(run_file(path, seen), jax.tree.leaves(expected), strict=True):
        assert np.allclose(found, each, rtol=1e-4, atol=1e-5)


def test_the_same_network_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        export_network(Network(random_weights(4), 2), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_kind_without_an_export_is_named(tmp_path: Path) -> None:
    with pytest.raises(PushWorldError, match="'centred' cannot be exported"):
        export_policy(random_agent("centred", "ppo"), tmp_path / "agent.onnx")
