"""Runs that imitate a teacher, and runs that start from an agent."""

from __future__ import annotations

import json
from pathlib import Path

import jax
import numpy as np

from pushworld.rl.evaluation.agents import load_agent
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
