"""Files of agents, and the policies that come with the package."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import jax
import numpy as np
import pytest
from msgspec import structs

from pushworld.datasets.generated import PuzzleStream
from pushworld.envs.jax import EnvParams, PackError
from pushworld.puzzle import Puzzle
from pushworld.rl.agents import SHIPPED
from pushworld.rl.algorithms.learner import Learner, Weights
from pushworld.rl.algorithms.networks import ActorCritic
from pushworld.rl.config import RunConfig
from pushworld.rl.evaluation.agents import Agent, AgentError, load_agent, save_agent
from pushworld.rl.evaluation.assessment import assess
from pushworld.rl.evaluation.solve_rates import evaluate
from pushworld.rl.settings import NetworkConfig


@pytest.fixture(scope="module")
def agent() -> Agent:
    """An untrained agent that reads each of two movables without goals as a plane."""
    network = NetworkConfig(kind="iterated", channels=4, hidden=(8,), repeats=1, objects=True)
    weights = ActorCritic(network).init(jax.random.key(0), np.zeros((1, 7, 5, 5), np.float32))
    return Agent(RunConfig(network=network, max_steps=2), 5, 5, 1, 0, weights, objects=4)


def test_half_precision_halves_the_file_and_keeps_the_weights(agent: Agent, tmp_path: Path) -> None:
    whole, half = tmp_path / "whole.zip", tmp_path / "half.zip"
    save_agent(whole, agent)
    save_agent(half, agent, half=True)
    assert load_agent(half).objects == 4
    for one, other in zip(
        *map(jax.tree.leaves, (load_agent(half).weights, agent.weights)), strict=True
    ):
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-6)
    jax.tree.map(np.testing.assert_array_equal, load_agent(whole).weights, agent.weights)


def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pushworld.datasets.arrays.MOST_UNPACKED", 100_000)
    with ZipFile(tmp_path / "bomb.zip", "w", ZIP_DEFLATED) as archive:
        archive.writestr("agent.json", b"[" + b" " * 60_000 + b"]")
        archive.writestr("kernel.npy", bytes(60_000))
    with pytest.raises(AgentError, match="unpacks to more than"):
        load_agent(tmp_path / "bomb.zip")


def test_agents_of_earlier_versions_load(agent: Agent, tmp_path: Path) -> None:
    new, old = tmp_path / "new.zip", tmp_path / "old.zip"
    save_agent(new, agent)
    with ZipFile(new) as source, ZipFile(old, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "agent.json":
                about = json.loads(content)
                about["config"]["network"]["first_weights"] = "lecun"
                about["config"]["dqn"]["priority_exponent"] = 0.6
                about["config"]["curriculum"] = {"kind": "replay"}
                content = json.dumps(about).encode()
            target.writestr(name, content)
    assert load_agent(old).config == load_agent(new).config


def test_puzzles_with_more_objects_than_planes_do_not_fit(agent: Agent) -> None:
    assert len(assess(agent, [Puzzle.parse("A M1 . G1\n. . M2 M3")]).results) == 1
    with pytest.raises(PackError, match=r"has 5 objects.* at most 1 goals and 4 objects"):
        assess(agent, [Puzzle.parse("A M1 . G1\nM4 . M2 M3")])


@pytest.mark.large
def test_a_large_puzzle_in_a_set_changes_nothing_about_small_ones(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each has a grid of about its size, so an untrained agent plays it as if it were alone."""
    grids: list[int] = []

    def noting_grids(
        learner: Learner, weights: Weights, key: jax.Array, params: EnvParams, *rest: Any
    ) -> Any:
        grids.append(params.frame.width)
        return evaluate(learner, weights, key, params, *rest)

    monkeypatch.setattr("pushworld.rl.evaluation.assessment.evaluate", noting_grids)
    config = structs.replace(agent.config, random_placement=False, max_steps=9)
    agent = replace(agent, config=config)
    wide = ". . . . . . . . . . . . . .\n"
    texts = ["A M1 . G1", wide + "A M1 . . G1 . . . . . . . . .", ". G1 M1 A", "A M1 G1"]
    puzzles = [Puzzle.parse(text, f"puzzle {number}") for number, text in enumerate(texts)]
    shown: list[tuple[int, int]] = []
    together = assess(agent, puzzles, show=lambda done, total: shown.append((done, total)))
    assert grids == [5, 6, 16]
    assert [result.puzzle for result in together.results] == [each.name for each in puzzles]
    assert (shown[-1], shown) == ((32, 32), sorted(shown))
    for number, puzzle in enumerate(puzzles):
        alone, mine = assess(agent, [puzzle]).evaluation, together.evaluation.of([number])
        assert mine.views.tolist() == alone.views.tolist() == [*range(8)]
        assert [mine.plan(view) for view in range(8)] == [alone.plan(view) for view in range(8)]


@pytest.mark.large
@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.zip")), ids=lambda path: path.stem)
def test_every_shipped_policy_solves_most_of_the_simplest_puzzles(path: Path) -> None:
    puzzles = PuzzleStream("base", seed=1, split="test").batch(8).puzzles()
    agent = load_agent(path)
    as_given = replace(agent, config=structs.replace(agent.config, symmetries=False))
    assert assess(as_given, puzzles, remember=True).evaluation.rate > 0.8
