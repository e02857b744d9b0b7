"""Suites of runs: what their files say, what comes first, and one that runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.rl.checkpoints import load_agent
from pushworld.rl.config import ConfigError
from pushworld.rl.metrics import read_metrics
from pushworld.rl.suite import load_suite, run_suite, unfinished
from tests.waiting import PATIENCE, wait_until

SUITES = sorted(Path(__file__).resolve().parents[2].glob("benchmarks/suites/*.json"))


LARGE = """
A A  .  W  .  .  .  .  .  .  .  .
. A  .  W  .  .  .  M4 M4 .  .  .
. .  .  W  .  .  .  .  M4 .  .  .
. M1 .  AW .  .  .  .  .  .  .  .
. M1 .  AW .  .  M2 M2 .  .  G2 G2
. .  .  W  .  .  .  .  .  .  .  .
W W  .  W  W  W  .  W  W  W  .  .
. .  .  .  .  .  .  .  .  .  .  .
. .  M3 .  .  .  G1 .  .  .  .  .
. .  .  .  .  .  G1 .  .  .  .  .
"""
SMALL = "A M1 . . G1+M2\n. . . . .\n"

PATIENT_SUITE = f"""
from pushworld.rl import programs, suite
suite.GRACE_SECONDS = {PATIENCE}
programs.run_program(suite.main)
"""


def write(path: Path, suite: object) -> Path:
    path.write_text(json.dumps(suite), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_our_suites_describe_runs(path: Path) -> None:
    experiments = load_suite(path)
    assert experiments
    for each in experiments:
        algorithm, set_name, *_ = each.name.split("-")
        assert each.config.algorithm == algorithm
        assert each.config.train.split("/")[0] == set_name


def test_runs_have_what_they_share_and_what_is_their_own(tmp_path: Path) -> None:
    shared = {"seed": 3, "ppo": {"epochs": 4, "unroll": 16}}
    runs = [{"name": "a", "ppo": {"unroll": 8}}, {"name": "b", "seed": 5, "seconds": 9}]
    first, second = load_suite(
        write(tmp_path / "suite.json", {"seconds": 7, "shared": shared, "runs": runs})
    )
    assert (first.name, first.seconds, first.config.seed) == ("a", 7, 3)
    assert (first.config.ppo.epochs, first.config.ppo.unroll) == (4, 8)
    assert (second.seconds, second.config.seed, second.config.ppo.unroll) == (9, 5, 16)


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        ({}, "is no suite"),
        ({"runs": [{"seed": 1}]}, "is no suite"),
        ({"runs": [{"name": "a", "sed": 1}]}, "did you mean seed"),
        ({"runs": [{"name": "a"}, {"name": "a"}]}, "the same name"),
    ],
)
def test_mistakes_are_named(suite: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        load_suite(write(tmp_path / "suite.json", suite))


def test_the_least_advanced_runs_come_first_and_finished_ones_not_at_all(tmp_path: Path) -> None:
    names = ["far", "finished", "new", "near"]
    suite = {"shared": {"steps": 100}, "runs": [{"name": name} for name in names]}
    experiments = load_suite(write(tmp_path / "suite.json", suite))
    for name, steps in (("far", 90), ("finished", 100), ("near", 10)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.csv").write_text(f"steps\n5\n{steps}\n")
    assert [each.name for each in unfinished(experiments, tmp_path)] == ["new", "near", "far"]


def test_a_suite_trains_the_papers_network_on_puzzles_like_those_of_level_1(tmp_path: Path) -> None:
    """They are of many sizes and shapes, with one goal or several, and with agent walls."""
    puzzles = tmp_path / "puzzles"
    puzzles.mkdir()
    for name, text in (("large", LARGE), ("small", SMALL)):
        (puzzles / f"{name}.pwp").write_text(text.lstrip(), encoding="utf-8")
    run = {
        "name": "ppo-level1-0",
        "train": str(puzzles),
        "test": None,
        "steps": 8,
        "max_steps": 4,
        "log_every": 8,
        "network": {"channels": 2, "hidden": [4]},
        "ppo": {"environments": 4, "unroll": 2, "minibatches": 2},
    }
    experiments = load_suite(write(tmp_path / "suite.json", {"seconds": 1e6, "runs": [run]}))
    work, out = tmp_path / "work", tmp_path / "out"
    run_suite(experiments, work, out, None)
    (result,) = json.loads((out / "runs.json").read_text(encoding="utf-8"))
    assert "steps" in result["last"], (out / "logs.txt").read_text(encoding="utf-8")
    assert result["last"]["steps"] >= 8
    assert 0 <= result["last"]["train_sampled"] <= 1
    agent = load_agent(work / "ppo-level1-0")
    assert (agent.width, agent.height, agent.goals) == (14, 14, 2)
    assert unfinished(experiments, work) == []


def test_a_suite_that_is_interrupted_lets_its_runs_end_with_a_checkpoint(tmp_path: Path) -> None:
    puzzles, work = tmp_path / "puzzles", tmp_path / "work"
    puzzles.mkdir()
    (puzzles / "small.pwp").write_text(SMALL, encoding="utf-8")
    endless = {
        "name": "endless",
        "train": str(puzzles),
        "test": None,
        "steps": 10**9,
        "log_every": 8,
        "network": {"kind": "centred", "hidden": [4]},
        "ppo": {"environments": 4, "unroll": 2, "minibatches": 2},
    }
    suite = write(tmp_path / "suite.json", {"seconds": 1e6, "runs": [endless]})
    command = ["--work", str(work), "--out", str(tmp_path / "out")]
    running = subprocess.Popen(
        [sys.executable, "-c", PATIENT_SUITE, str(suite), *command],
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: len(read_metrics(work / "endless" / "metrics.csv")) > 1)
    running.terminate()
    _, told = running.communicate(timeout=PATIENCE)
    assert (running.returncode, told) == (13, "interrupted: the same command goes on\n")
    rows = read_metrics(work / "endless" / "metrics.csv")
    assert load_agent(work / "endless").steps == rows[-1]["steps"]
