"""The examples run and do what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run_example(name: str, *arguments: str, cwd: Path | None = None) -> str:
    """Returns what an example prints."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "OMP_NUM_THREADS": "1"},  # for PyTorch: the tests share the cores
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_random_policy() -> None:
    arguments = ("--puzzles", "first-push", "--episodes", "30")
    output = run_example("random_policy.py", *arguments)
    assert output.startswith("random policy: ")
    solved = int(output.split()[2])
    assert 0 < solved <= 30
    assert run_example("random_policy.py", *arguments) == output


def test_oracle_solves_every_bundled_puzzle() -> None:
    output = run_example("oracle.py", "--episodes", "6")
    assert output.endswith("oracle: 6 of 6 episodes solved\n")
    assert output.count(": solved, ") == 6


@pytest.mark.skipif(
    find_spec("stable_baselines3") is None,
    reason="needs Stable-Baselines3: make test-sb3",
)
@pytest.mark.large
def test_training_with_stable_baselines3(tmp_path: Path) -> None:
    options = ["--puzzles", "first-push", "--steps", "400", "--envs", "2", "--rollout", "50"]
    output = run_example(
        "train_sb3.py", *options, "--episodes", "3", "--save", "policy.zip", cwd=tmp_path
    )
    assert output.endswith(" of 3 episodes solved\n")
    assert "after 400 steps" in output
    assert (tmp_path / "policy.zip").exists()
