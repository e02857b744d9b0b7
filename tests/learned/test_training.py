"""Networks for the planner, trained by imitation: observations, network and weights in JAX and in native code."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pushworld import Puzzle, solve
from pushworld.datasets.generated import generate
from pushworld.envs.jax import EnvState, observe, pack
from pushworld.learned import Network, Observer
from pushworld.learned.network import CLASS_DISTANCES
from pushworld.learned.weights import weight_shapes
from pushworld.rl.algorithms.imitation import distance_targets
from pushworld.rl.algorithms.networks import Planner
from pushworld.rl.algorithms.teacher import DEAD
from pushworld.rl.config import RunConfig
from pushworld.rl.distance_classes import DEAD_END, DISTANCES
from pushworld.rl.evaluation.agents import Agent, load_agent, pack_for
from pushworld.rl.settings import NetworkConfig
from tests.cli.running import run
from tests.planners.tiny_puzzles import random_state, tiny_puzzle

PUZZLES = [
    *(tiny_puzzle(seed, max_movables=2) for seed in (1, 2, 4)),
    Puzzle.parse("A . . G1 G1\nA A . M2 G2\n. . M1 M1 .\nAW W . M3 .\n. M3 M3 M3 ."),
]
NETWORK = NetworkConfig("planner", channels=6, repeats=3)


@pytest.fixture(scope="module")
def shown() -> list[tuple[Observer, np.ndarray, jax.Array]]:
    """States of some puzzles, each with its observer and with the planes that JAX draws."""
    params = pack(PUZZLES, observation="arrangement", symmetries=False, width=11, height=12)
    draw = jax.jit(observe)
    goals, found = params.frame.goals, []
    for number, puzzle in enumerate(PUZZLES):
        own = len(puzzle.goal)
        slots = [i if i <= own else goals + i - own for i in range(len(puzzle.objects))]
        for steps in (0, 7, 40):
            state = np.array(random_state(Random(steps), puzzle, steps), np.int16)
            positions = np.asarray(params.start[number]).copy()
            positions[slots] = state
            place = jnp.array([1, 0], jnp.int16)
            seen = draw(
                EnvState(jnp.int32(number), place, jnp.asarray(positions), jnp.int32(0)), params
            )
            found.append((Observer(puzzle), state[None], seen))
    return found


def crop(observer: Observer, planes: jax.Array) -> np.ndarray:
    """Returns the part of planes, placed at (1, 0), that an observer shows, with channels last."""
    rows = slice(observer.top, observer.top + observer.height)
    columns = slice(observer.left + 1, observer.left + 1 + observer.width)
    return np.asarray(planes)[:, rows, columns].transpose(1, 2, 0)


def test_planes_are_those_of_the_planner(
    shown: list[tuple[Observer, np.ndarray, jax.Array]],
) -> None:
    for observer, state, planes in shown:
        drawn = crop(observer, planes)
        np.testing.assert_allclose(drawn[..., :-1], observer.draw(state)[0], atol=1e-6)
        (row,), (column,) = observer.cells_of_agent(state)
        assert np.argwhere(drawn[..., -1]).tolist() == [[row, column]]
        assert planes[-1].sum() == 1


def test_both_networks_are_one_function_on_grids_of_any_size(
    shown: list[tuple[Observer, np.ndarray, jax.Array]],
) -> None:
    seen = jnp.stack([planes for _, _, planes in shown])
    weights = jax.jit(Planner(NETWORK).init)(jax.random.key(0), seen[:1])
    config = RunConfig(algorithm="imitation", network=NETWORK)
    network = Network.of_agent(Agent(config, 11, 12, 2, 0, weights))
    assert {name: each.shape for name, each in network.weights.items()} == weight_shapes(6)
    logits, classes = jax.jit(Planner(NETWORK).apply)(weights, seen)
    distances = jax.nn.softmax(classes) @ CLASS_DISTANCES
    for number, (observer, state, _) in enumerate(shown):
        policies, expected = network(observer.draw(state))
        (row,), (column,) = observer.cells_of_agent(state)
        found = jax.nn.log_softmax(logits[number])
        np.testing.assert_allclose(found, policies[0, row, column], atol=1e-4)
        np.testing.assert_allclose(distances[number], expected[0, row, column], rtol=1e-4)


def test_distances_become_classes_that_mean_them() -> None:
    targets = np.asarray(jax.jit(distance_targets)(np.array([0, 3, 7, 44, 128, 254, DEAD])))
    assert np.allclose(targets.sum(axis=1), 1)
    assert np.allclose(targets[:6, :DEAD_END] @ np.array(DISTANCES), [0, 3, 7, 44, 128, 128])
    assert targets[6].argmax() == DEAD_END
    assert (targets[:6, DEAD_END] == 0).all()


@pytest.mark.large
def test_from_puzzles_to_a_network_that_guides_a_search(tmp_path: Path) -> None:
    for number, puzzle in enumerate(generate("base", 4, seed=6).puzzles()):
        (tmp_path / f"{number}.pwp").write_text(puzzle.to_pwp(), encoding="utf-8")
    settings = {
        "algorithm": "imitation",
        "train": str(tmp_path),
        "test": None,
        "max_steps": 8,
        "symmetries": False,
        "random_placement": False,
        "log_every": 2048,
        "network": {"kind": "planner", "channels": 6, "repeats": 2},
        "imitation": {"environments": 128, "batch": 64, "learning_rate": 0.02, "value_cost": 0.5},
    }
    (tmp_path / "run.json").write_text(json.dumps(settings))
    folder, weights = tmp_path / "run", tmp_path / "weights.npz"
    command = ["train", "--config", str(tmp_path / "run.json"), "--steps", "4096"]
    outcome = run(*command, "-o", str(folder))
    assert outcome.exit_code == 0, outcome.err
    lines = (folder / "metrics.csv").read_text().splitlines()
    first, last = (
        dict(zip(lines[0].split(","), line.split(","), strict=True)) for line in lines[1:3]
    )
    assert float(last["policy_loss"]) < float(first["policy_loss"])
    assert float(last["value_loss"]) < float(first["value_loss"])
    agent = load_agent(folder)
    assert agent.goals == 1
    assert run("agents", "export", str(folder), str(weights), "--to", "npz").exit_code == 0
    puzzle = generate("base", 1, seed=9).puzzle(0)
    assert solve(puzzle, f"learned:{weights}").status == "solved"
    assert pack_for(agent.config, [PUZZLES[-1]], agent).frame.goals == 2
