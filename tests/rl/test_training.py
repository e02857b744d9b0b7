"""Training runs: a puzzle that must be learnt, and runs that go on after a kill as if nothing was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np
import pytest

from pushworld.puzzle import Puzzle
from pushworld.rl.checkpoints import CheckpointError, load_agent
from pushworld.rl.config import DQNConfig, NetworkConfig, PPOConfig, RunConfig
from pushworld.rl.metrics import read_metrics
from pushworld.rl.training import Report, World, train

PUZZLES = [
    Puzzle.parse("A . M1 . . G1", name="right"),
    Puzzle.parse("G1 . . M1 . A", name="left"),
]
RUN = RunConfig(
    train="two corridors",
    test=None,
    max_steps=20,
    symmetries=False,
    network=NetworkConfig("small", channels=4, hidden=(16,), precision="float32"),
    ppo=PPOConfig(environments=64, unroll=16, minibatches=4, learning_rate=3e-3),
    dqn=DQNConfig(
        environments=32,
        batch=64,
        replay=4096,
        warm_up=2048,
        learning_rate=3e-3,
        target_period=50,
        discount=0.95,
    ),
)
ROUND = {"ppo": 1024, "dqn": 64}


def run_of(algorithm: str, rounds: int) -> RunConfig:
    """Returns a run of some rounds, of which every second one writes a checkpoint."""
    steps = ROUND[algorithm]
    return replace(
        RunConfig.from_dict({**RUN.to_dict(), "algorithm": algorithm}),
        steps=steps * rounds,
        log_every=steps,
        evaluate_every=steps * rounds,
        checkpoint_every=steps * 2,
    )


def world() -> World:
    return World.of_puzzles(RUN, PUZZLES, [])


@pytest.mark.parametrize(("algorithm", "steps"), [("ppo", 49_152), ("dqn", 16_384)])
def test_two_corridors_are_learnt(algorithm: str, steps: int, tmp_path: Path) -> None:
    config = replace(
        run_of(algorithm, 1), steps=steps, log_every=8192, evaluate_every=steps, seed=1
    )
    report = train(config, tmp_path, world())
    assert report["train_greedy"] == 1


@pytest.mark.parametrize("algorithm", ["ppo", "dqn"])
def test_a_killed_run_goes_on_as_if_nothing_was(algorithm: str, tmp_path: Path) -> None:
    config = run_of(algorithm, 6)
    train(config, tmp_path / "whole", world())
    with pytest.raises(KeyboardInterrupt):
        train(config, tmp_path / "killed", world(), show=_killed_after(3))
    train(config, tmp_path / "killed", world())

    whole, killed = (_metrics(tmp_path / name) for name in ("whole", "killed"))
    assert len(whole) >= 6
    assert whole == killed
    weights = [load_agent(tmp_path / name).weights for name in ("whole", "killed")]
    same = jax.tree.map(np.array_equal, *weights)
    assert all(jax.tree.leaves(same))


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    train(run_of("ppo", 1), tmp_path, world())
    with pytest.raises(CheckpointError, match="another configuration"):
        train(replace(run_of("ppo", 1), seed=5), tmp_path, world())


def test_a_file_that_is_no_agent_is_refused(tmp_path: Path) -> None:
    (tmp_path / "agent.zip").write_text("nonsense")
    with pytest.raises(CheckpointError, match="no agent"):
        load_agent(tmp_path)
    with pytest.raises(CheckpointError, match="cannot be read"):
        load_agent(tmp_path / "elsewhere.zip")


def _killed_after(reports: int) -> Callable[[Report], None]:
    """Returns a function that stops the run at its last of so many reports."""
    left = [reports]

    def show(report: Report) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return show


def _metrics(folder: Path) -> list[dict[str, float]]:
    """Returns the rows of metrics without the times."""
    times = ("seconds", "steps_per_second")
    rows = read_metrics(folder / "metrics.csv")
    return [{key: value for key, value in row.items() if key not in times} for row in rows]
