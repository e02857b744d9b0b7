"""Runs that several tests share: each is compiled and trained once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from pushworld.rl.config import RunConfig
from pushworld.rl.runs.metrics import Report
from tests.cli.running import run

ROUNDS = 4
ROUND_STEPS = {"ppo": 4096, "dqn": 1536}
SETS = {
    "train": {"right": "A . M1 . . G1\n", "left": "G1 . . M1 . A\n"},
    "test": {"farther": "A . . M1 . G1\n"},
}
SETTINGS = {
    "max_steps": 20,
    "symmetries": False,
    "ppo": {"environments": 64, "unroll": 16, "minibatches": 4, "learning_rate": 1e-2},
    "dqn": {
        "environments": 32,
        "batch": 64,
        "replay": 4096,
        "warm_up": 2048,
        "learning_rate": 5e-3,
        "target_period": 10,
        "discount": 0.9,
        "epsilon": 0.3,
    },
}

NETWORKS = {"ppo": {"kind": "centred", "hidden": [32]}, "dqn": {"kind": "small", "hidden": [16]}}

with_ppo = pytest.mark.parametrize("done", ["ppo"], indirect=True)
"""For tests that do not depend on the algorithm."""


@dataclass(frozen=True)
class Done:
    """A run without an interruption: its command, its folder, its settings and its last report."""

    command: list[str]
    folder: Path
    config: RunConfig
    report: Report


@pytest.fixture(scope="session")
def corridors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two training puzzles and one test puzzle."""
    folder = tmp_path_factory.mktemp("corridors")
    for part, puzzles in SETS.items():
        (folder / part).mkdir()
        for name, text in puzzles.items():
            (folder / part / f"{name}.pwp").write_text(text)
    return folder


@pytest.fixture(scope="session", params=["ppo", "dqn"])
def done(
    request: pytest.FixtureRequest, corridors: Path, tmp_path_factory: pytest.TempPathFactory
) -> Done:
    """A run of some rounds, with a checkpoint every second round."""
    algorithm, folder = request.param, tmp_path_factory.mktemp(request.param)
    steps = ROUND_STEPS[algorithm]
    often = {"log_every": steps, "evaluate_every": steps * ROUNDS, "checkpoint_every": steps * 2}
    settings = folder / "settings.json"
    network = {**NETWORKS[algorithm], "channels": 4, "precision": "float32"}
    settings.write_text(json.dumps({**SETTINGS, **often, "network": network}))
    command = ["train", algorithm, "--set", str(corridors), "--config", str(settings)]
    command += ["--steps", str(steps * ROUNDS), "--seed", "1", "--json"]
    outcome = run(*command, "-o", str(folder / "run"))
    assert outcome.exit_code == 0, outcome.err
    report = json.loads(outcome.out)
    assert report.pop("folder") == str(folder / "run")
    return Done(command, folder / "run", RunConfig.load(folder / "run" / "config.json"), report)
