"""Suites of runs: their files, their order, and suites that run."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.puzzle import PushWorldError
from pushworld.rl.config import ConfigError
from pushworld.rl.evaluation.agents import load_agent
from pushworld.rl.runs.metrics import read_metrics
from pushworld.rl.runs.suite import load_suite, needed_runs, run_suite, unfinished
from tests.cli.running import run as run_command
from tests.rl.conftest import Done, with_ppo
from tests.waiting import PATIENCE, wait_until

SUITES = sorted(Path(__file__).resolve().parents[3].glob("benchmarks/suites/*.json"))


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
from pushworld.cli import main
from pushworld.rl.runs.suite import run_suite
run_suite.__kwdefaults__["grace"] = {PATIENCE}
main()
"""


def write(path: Path, suite: object) -> Path:
    path.write_text(json.dumps(suite), encoding="utf-8")
    return path


def tiny(folder: Path) -> dict[str, object]:
    """Settings of a run of one round."""
    return {
        "train": str(folder / "train"),
        "test": None,
        "steps": 8,
        "max_steps": 4,
        "log_every": 8,
        "network": {"kind": "centred", "channels": 2, "hidden": [4]},
        "ppo": {"environments": 4, "unroll": 2, "minibatches": 2},
    }


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
    suite = {"seconds": 7, "preset": "cpu", "shared": shared, "runs": runs}
    first, second = load_suite(write(tmp_path / "suite.json", suite))
    assert (first.name, first.seconds, first.config.seed) == ("a", 7, 3)
    assert (first.config.ppo.epochs, first.config.ppo.unroll) == (4, 8)
    assert (first.config.network.kind, first.config.ppo.environments) == ("centred", 64)
    assert (second.seconds, second.config.seed, second.config.ppo.unroll) == (9, 5, 16)
    several = load_suite(write(tmp_path / "suite.json", {**suite, "seeds": 2}))
    names = [(run.name, run.config.seed) for run in several]
    assert names == [("a-3", 3), ("a-4", 4), ("b-5", 5), ("b-6", 6)]


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        ({}, "is no suite: the configuration: object missing required field runs"),
        ({"runs": []}, "is no suite: runs: expected array of length >= 1"),
        ({"runs": [{"seed": 1}]}, "is no suite: runs[0], None: name: expected str, got null"),
        (
            {"runs": [{"name": "a", "seconds": "1"}]},
            "is no suite: runs[0], 'a': seconds: expected float, got str",
        ),
        ({"runs": [{"name": "a"}], "second": 5}, "no setting second: did you mean seconds"),
        ({"runs": [{"name": "a"}], "share": {}}, "no setting share: did you mean shared"),
        ({"runs": [{"name": "a"}], "preset": "tiny"}, "'a': there is no preset 'tiny'"),
        ({"runs": [{"name": "a"}], "seconds": -5}, "is no suite: seconds: expected float > 0"),
        (
            {"runs": [{"name": "a"}, {"name": "b", "seconds": 0}]},
            "runs[1], 'b': seconds: expected float > 0",
        ),
        ({"runs": [{"name": "../a/b"}]}, "runs[0], '../a/b': name: use letters"),
        ({"runs": [{"name": ".a"}]}, "runs[0], '.a': name: use letters"),
        ({"runs": [{"name": ""}]}, "runs[0], '': name: use letters"),
        ({"runs": [{"name": "a\n"}]}, r"runs[0], 'a\n': name: use letters"),
        (
            {"runs": [{"name": "a", "sed": 1}]},
            "runs[0], 'a': there is no setting sed: did you mean",
        ),
        ({"runs": [{"name": "a"}, {"name": "a"}]}, "the same name, a"),
    ],
)
def test_mistakes_are_named(suite: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)) as raised:
        load_suite(write(tmp_path / "suite.json", suite))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--only b", "no run's name contains b: the runs are a"),
        ("--preset cpu", "give --suite alone"),
    ],
)
def test_mistakes_of_options_are_named(options: str, message: str, tmp_path: Path) -> None:
    suite = write(tmp_path / "suite.json", {"runs": [{"name": "a"}]})
    command = ["train", "--suite", str(suite), "-o", str(tmp_path / "runs"), *options.split()]
    outcome = run_command(*command)
    assert outcome.exit_code == 2
    assert message in " ".join(outcome.err.split())
    assert not (tmp_path / "runs").exists()


def test_runs_with_the_fewest_steps_come_first_and_finished_runs_are_left_out(
    tmp_path: Path,
) -> None:
    names = ["far", "finished", "new", "near"]
    suite = {"shared": {"steps": 100}, "runs": [{"name": name} for name in names]}
    experiments = load_suite(write(tmp_path / "suite.json", suite))
    for name, steps in (("far", 90), ("finished", 100), ("near", 10)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.csv").write_text(f"steps\n5\n{steps}\n")
    assert [each.name for each in unfinished(experiments, tmp_path)] == ["new", "near", "far"]


def test_a_run_needs_the_runs_whose_folders_it_starts_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = [
        {"name": "a-0", "start_from": "runs/a-0/agent.zip"},
        {"name": "a-1"},
        {"name": "a-10"},
        {"name": "b", "start_from": "runs/a-1/agent.zip"},
        {"name": "c", "start_from": "runs/../runs/a-0/agent.zip"},
        {"name": "d", "start_from": "elsewhere/a-1/agent.zip"},
    ]
    suite = load_suite(write(tmp_path / "suite.json", {"runs": runs}))
    for work in (Path("runs"), tmp_path / "runs"):
        needed = [needed_runs(run, suite, work) for run in suite]
        assert needed == [[], [], [], ["a-1"], ["a-0"], []]


def test_a_run_starts_from_the_agent_of_a_run_that_is_finished(
    corridors: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    work = tmp_path / "work"
    agent = str(work / "first" / "agent.zip")
    runs: list[dict[str, object]] = [
        {"name": "second", "start_from": agent},
        {"name": "first", "train": "nowhere"},
    ]
    suite: dict[str, object] = {"seconds": 1e6, "shared": tiny(corridors), "runs": runs}
    file = write(tmp_path / "suite.json", suite)
    outcome = run_command("train", "--suite", str(file), "-o", str(work), "--jobs", "2")
    assert outcome.exit_code == 2
    failed, waits = outcome.out.splitlines()
    assert "first: exit 2: error: " in failed
    assert "nowhere" in failed
    assert waits == "second waits for first"
    assert outcome.err == "error: 1 of 2 runs failed: first\n"
    assert not (work / "second").exists()

    runs[1] = {"name": "first"}
    again = load_suite(write(tmp_path / "suite.json", suite))
    run_suite(again, work, jobs=2)
    assert unfinished(again, work) == [], (work / "first.log").read_text(encoding="utf-8")
    first, second = (capfd.readouterr().out).splitlines()
    assert first.endswith("first: exit 0")
    assert second.endswith("second: exit 0")


def test_a_suite_of_some_runs_keeps_the_results_of_the_others(tmp_path: Path) -> None:
    work = tmp_path / "work"
    suite = {"shared": {"steps": 5}, "runs": [{"name": "a"}, {"name": "b"}]}
    runs = load_suite(write(tmp_path / "suite.json", suite))
    for run in runs:
        (work / run.name).mkdir(parents=True)
        (work / run.name / "metrics.csv").write_text("steps\n5\n")
    run_suite(runs, work, only="b")
    rows = (work / "metrics.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [row.split(",")[0] for row in rows] == ["a", "b"]
    assert sorted(path.name for path in work.iterdir()) == ["a", "b", "metrics.csv"]

    with pytest.raises(ConfigError, match="no run's name contains typo: the runs are a, b"):
        run_suite(runs, tmp_path / "none", only="typo")
    assert not (tmp_path / "none").exists()


def test_a_run_that_does_not_end_in_its_time_is_killed_and_counts_as_failed(
    corridors: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    suite = {"seconds": 1e-9, "shared": tiny(corridors), "runs": [{"name": "late"}]}
    runs = load_suite(write(tmp_path / "suite.json", suite))
    with pytest.raises(PushWorldError, match="1 of 1 runs failed: late"):
        run_suite(runs, tmp_path / "work", grace=0)
    assert "late: exit -9: killed after its time and the grace\n" in capfd.readouterr().out


def test_a_suite_trains_the_papers_network_on_puzzles_like_those_of_level_1(tmp_path: Path) -> None:
    """They are of many sizes and shapes, with one goal or several, and with agent walls."""
    puzzles = tmp_path / "puzzles"
    puzzles.mkdir()
    for name, text in (("large", LARGE), ("small", SMALL)):
        (puzzles / f"{name}.pwp").write_text(text.lstrip(), encoding="utf-8")
    run = {
        **tiny(puzzles),
        "name": "ppo-level1-0",
        "train": str(puzzles),
        "network": {"channels": 2, "hidden": [4]},
    }
    experiments = load_suite(write(tmp_path / "suite.json", {"seconds": 1e6, "runs": [run]}))
    work = tmp_path / "work"
    run_suite(experiments, work)
    *_, last = read_metrics(work / "ppo-level1-0" / "metrics.csv")
    assert last["steps"] >= 8
    assert 0 <= last["train_sampled"] <= 1
    agent = load_agent(work / "ppo-level1-0")
    assert (agent.width, agent.height, agent.goals) == (14, 14, 2)
    assert unfinished(experiments, work) == []


@with_ppo
def test_a_suite_that_is_interrupted_lets_its_runs_end_with_a_checkpoint(
    done: Done, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    endless = {**done.config.to_dict(), "name": "endless", "steps": 10**9}
    suite = write(tmp_path / "suite.json", {"seconds": 1e6, "runs": [endless]})
    command = ["train", "--suite", str(suite), "-o", str(work)]
    running = subprocess.Popen(
        [sys.executable, "-c", PATIENT_SUITE, *command], stderr=subprocess.PIPE, text=True
    )
    metrics = work / "endless" / "metrics.csv"
    wait_until(lambda: running.poll() is not None or len(read_metrics(metrics)) > 1)
    running.terminate()
    _, err = running.communicate(timeout=PATIENCE)
    expected = f"interrupted: run the same command again to continue in {work}\n"
    assert (running.returncode, err) == (13, expected)
    rows = read_metrics(metrics)
    assert load_agent(work / "endless").steps == rows[-1]["steps"]
