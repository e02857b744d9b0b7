"""Training runs: a puzzle that must be learnt, and runs that go on after a kill as if nothing was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
ROUNDS = 6
ROUND_STEPS = {"ppo": 8192, "dqn": 2048}


def run_of(algorithm: str) -> RunConfig:
    """Returns a run of some rounds, of which every second one writes a checkpoint."""
    steps = ROUND_STEPS[algorithm]
    return replace(
        RunConfig.from_dict({**RUN.to_dict(), "algorithm": algorithm}),
        seed=1,
        steps=steps * ROUNDS,
        log_every=steps,
        evaluate_every=steps * ROUNDS,
        checkpoint_every=steps * 2,
    )


def world() -> World:
    return World.of_puzzles(RUN, PUZZLES, [])


@dataclass(frozen=True)
class Done:
    """A run that went through without a stop."""

    config: RunConfig
    folder: Path
    report: Report


@pytest.fixture(scope="module", params=["ppo", "dqn"])
def done(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Done:
    config, folder = run_of(request.param), tmp_path_factory.mktemp(request.param)
    return Done(config, folder, train(config, folder, world()))


def test_two_corridors_are_learnt(done: Done) -> None:
    assert done.report["train_greedy"] == 1


def test_a_killed_run_goes_on_as_if_nothing_was(done: Done, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        train(done.config, tmp_path, world(), show=_killed_after(3))
    train(done.config, tmp_path, world())

    whole, killed = _metrics(done.folder), _metrics(tmp_path)
    assert len(whole) >= ROUNDS
    assert whole == killed
    weights = [load_agent(folder).weights for folder in (done.folder, tmp_path)]
    same = jax.tree.map(np.array_equal, *weights)
    assert all(jax.tree.leaves(same))


def test_a_folder_belongs_to_one_run(done: Done) -> None:
    with pytest.raises(CheckpointError, match="another configuration"):
        train(replace(done.config, seed=5), done.folder, world())


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
