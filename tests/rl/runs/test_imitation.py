"""Runs that imitate a teacher, and runs that start from an agent."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import numpy as np

from pushworld.rl.algorithms.networks import ActorCritic
from pushworld.rl.config import RunConfig
from pushworld.rl.evaluation.agents import Agent, load_agent, save_agent
from pushworld.rl.settings import NetworkConfig
from tests.cli.running import run
from tests.rl.conftest import SETTINGS

IMITATION = {"environments": 64, "batch": 32, "learning_rate": 1e-2, "averaging": 0.9}


def test_imitation_solves_corridors_and_ppo_starts_from_its_agent(
    corridors: Path, tmp_path: Path
) -> None:
    file, folder = tmp_path / "settings.json", tmp_path / "imitation"
    settings = {
        **SETTINGS,
        "network": {"kind": "centred", "hidden": [32]},
        "imitation": IMITATION,
        "log_every": 2048,
        "evaluate_every": 8192,
    }
    file.write_text(json.dumps(settings))
    command = ["train", "--set", str(corridors), "--config", str(file), "--json"]
    outcome = run(*command, "imitation", "--steps", "8192", "-o", str(folder))
    assert outcome.exit_code == 0, outcome.err
    report = json.loads(outcome.out)
    assert report["train_greedy"] == 1.0
    assert report["test_greedy"] == 1.0
    agent = folder / "agent.zip"
    file.write_text(json.dumps({**settings, "start_from": str(agent)}))
    folder = tmp_path / "ppo"
    outcome = run(*command, "ppo", "--steps", "1", "--seconds", "0", "-o", str(folder))
    assert outcome.exit_code == 0, outcome.err
    jax.tree.map(
        np.testing.assert_array_equal,
        load_agent(folder).weights,
        load_agent(agent).weights,
    )
    file.write_text(
        json.dumps(
            {
                **settings,
                "start_from": str(agent),
                "network": {"kind": "centred", "hidden": [16]},
            }
        )
    )
    outcome = run(*command, "ppo", "--steps", "1", "-o", str(tmp_path / "other"))
    assert outcome.exit_code == 2
    assert "another network" in outcome.err


def test_an_agent_is_trained_on_with_puzzles_of_fewer_goals_and_objects(tmp_path: Path) -> None:
    folder, agent, network = (
        tmp_path / "puzzles",
        tmp_path / "agent.zip",
        NetworkConfig("iterated", channels=4, hidden=(8,), repeats=1, objects=True),
    )
    folder.mkdir()
    (folder / "corridor.pwp").write_text("A M1 . G1")
    planes = np.zeros((1, 9, 6, 6), np.float32)  # of two goals and five objects
    weights = ActorCritic(network).init(jax.random.key(0), planes)
    save_agent(agent, Agent(RunConfig(network=network), 6, 6, 2, 0, weights, objects=5))
    command = ["train", "ppo", "--preset", "cpu", "--set", str(folder), "--seconds", "0"]
    outcome = run(*command, "--from", str(agent), "-o", str(tmp_path / "run"))
    assert outcome.exit_code == 0, outcome.err
    begun = load_agent(tmp_path / "run")
    assert (begun.goals, begun.objects) == (2, 5)
    jax.tree.map(np.testing.assert_array_equal, begun.weights, load_agent(agent).weights)


def test_puzzles_that_no_teacher_has_room_for_are_counted(tmp_path: Path) -> None:
    puzzles, file = tmp_path / "puzzles", tmp_path / "settings.json"
    puzzles.mkdir()
    (puzzles / "small.pwp").write_text("A M1 . G1")
    (puzzles / "large.pwp").write_text("A M1 . . . . G1")
    settings = {**SETTINGS, "imitation": {**IMITATION, "max_states": 20}}
    file.write_text(json.dumps({**settings, "network": {"kind": "centred", "hidden": [8]}}))
    command = ["train", "imitation", "--set", str(puzzles), "--config", str(file)]
    outcome = run(*command, "--steps", "1", "-o", str(tmp_path / "run"))
    assert outcome.exit_code == 0, outcome.err
    assert "1 of 2 training puzzles have more than 20 states" in " ".join(outcome.err.split())


def test_puzzles_without_goals_teach_nothing(tmp_path: Path) -> None:
    (tmp_path / "idle.pwp").write_text("A M1 .")
    outcome = run("train", "ppo", "--set", str(tmp_path), "-o", str(tmp_path / "run"))
    assert outcome.exit_code == 2
    assert "has a goal" in " ".join(outcome.err.split())
