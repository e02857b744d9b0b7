"""The script that measures planners, run as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from benchmarks.isolation import BuildChangedError, Failure, Job, Worker, build_of_package
from pushworld import SolveResult
from pushworld.datasets import resolve_puzzle
from tests.planners.test_solving import ENDLESS

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "planners.py"
TWO_PUZZLES = ("--puzzles", "first-push", "crossroads", "--planners", "default,bfs")


def run_script(
    *arguments: str | Path, exit_code: int = 0, folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    finished = subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"COLUMNS": "120", "PYTHONUTF8": "1"},
        check=False,
    )
    assert finished.returncode == exit_code, finished.stderr
    return finished


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a file with the results of two planners on two puzzles; do not change it."""
    path = tmp_path_factory.mktemp("measured") / "runs.jsonl"
    run_script(*TWO_PUZZLES, "--output", path)
    return path


@pytest.fixture
def output(measured: Path, tmp_path: Path) -> Path:
    """Returns a copy of that file."""
    return Path(copy(measured, tmp_path))


def job(puzzle: str = "first-push", planner: str = "default", time_limit: float = 10) -> Job:
    return Job(resolve_puzzle(puzzle), planner, time_limit, 1, threads=1, seed=0)


def test_every_run_is_written_with_its_plan_and_settings(measured: Path) -> None:
    runs = records(measured)
    assert {(run["planner"], run["puzzle"]) for run in runs} == {
        (planner, puzzle)
        for planner in ("default", "bfs")
        for puzzle in ("first-push", "crossroads")
    }
    for run in runs:
        assert (run["status"], run["level"]) == ("solved", "bundled")
        assert resolve_puzzle(run["puzzle"]).validate(run["plan"])
        assert run["settings"]["time_limit"] == 10


def test_a_second_run_has_nothing_to_do(output: Path) -> None:
    before = output.read_bytes()
    finished = run_script(*TWO_PUZZLES, "--output", output)
    assert "4 of 4 runs" in finished.stderr
    assert output.read_bytes() == before


def test_a_line_that_was_not_written_to_its_end_is_measured_again(output: Path) -> None:
    whole = output.read_bytes()
    output.write_bytes(whole[:-20])
    finished = run_script(*TWO_PUZZLES, "--output", output)
    assert "3 of 4 runs" in finished.stderr
    assert output.read_bytes().startswith(whole[: whole.rstrip().rfind(b"\n") + 1])
    assert len(records(output)) == 4


def test_runs_with_other_settings_are_not_mixed(output: Path) -> None:
    before = output.read_bytes()
    finished = run_script(*TWO_PUZZLES, "--output", output, "--seed", "7", exit_code=2)
    assert "seed 0 and not 7" in finished.stderr
    assert "--output" in finished.stderr
    assert output.read_bytes() == before


def test_runs_of_another_machine_are_not_mixed(output: Path) -> None:
    foreign = records(output)
    for run in foreign:
        run["settings"]["processor"] = "abacus"
    output.write_text("".join(json.dumps(run) + "\n" for run in foreign))
    finished = run_script(*TWO_PUZZLES, "--output", output, exit_code=2)
    assert "processor abacus" in finished.stderr


def test_restart_discards_what_was_measured(output: Path) -> None:
    selection = ("--puzzles", "first-push", "--planners", "bfs")
    run_script(*selection, "--output", output, "--seed", "7", "--restart")
    assert [run["settings"]["seed"] for run in records(output)] == [7]


def test_report_counts_by_level_and_time_and_compares(tmp_path: Path, measured: Path) -> None:
    like = records(measured)[0]
    lines = []
    for planner, level, puzzle, status, seconds, length in (
        ("fast", "level1", "a", "solved", 0.5, 10),
        ("fast", "level2", "b", "solved", 2.0, 20),
        ("fast", "level2", "c", "crashed", 5.0, None),
        ("slow", "level1", "a", "solved", 2.0, 20),
        ("slow", "level2", "b", "solved", 8.0, 20),
    ):
        run = like | {"planner": planner, "level": level, "puzzle": puzzle, "digest": puzzle}
        run |= {"status": status, "seconds": seconds, "length": length, "states_per_second": 1e6}
        lines.append(json.dumps(run) + "\n")
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(lines))
    finished = run_script("--report", path, "--markdown")
    assert finished.stdout.splitlines()[:12] == [
        "| planner | within | level1 (1) | level2 (2) | all (3) |",
        "| --- | --: | --: | --: | --: |",
        "| fast | 1 s | 1 | 0 | 1 |",
        "| fast | 10 s | 1 | 1 | 2 |",
        "| slow | 1 s | 0 | 0 | 0 |",
        "| slow | 10 s | 1 | 1 | 2 |",
        "",
        "| planner | threads | solved by fast too | time ratio | length ratio "
        "| states a second | not solved |",
        "| --- | --: | --: | --: | --: | --: | --: |",
        "| fast | 1 | 2 | 1.00 | 1.00 | 1,000,000 | 1 crashed |",
        "| slow | 1 | 2 | 4.00 | 1.50 | 1,000,000 | – |",
        "",
    ]
    assert "slow was run on 2 of the 3 puzzles" in finished.stdout


def test_report_states_machine_and_date(measured: Path) -> None:
    finished = run_script("--report", measured)
    last = finished.stdout.splitlines()[-1]
    run = records(measured)[0]
    assert run["settings"]["processor"] in last
    assert run["date"] in last


def test_levels_are_folders(tmp_path: Path) -> None:
    for level, name in (("easy", "first-push"), ("hard", "crossroads")):
        (tmp_path / "puzzles" / level).mkdir(parents=True)
        resolve_puzzle(name).save(tmp_path / "puzzles" / level / f"{name}.pwp")
    finished = run_script("--puzzles", "puzzles", "--planners", "bfs", folder=tmp_path)
    assert "easy (1)  hard (1)  all (2)" in finished.stdout
    assert len(records(tmp_path / "results" / "planners.jsonl")) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--puzzles", "no-such-set"), "no-such-set"),
        (("--planners", "no-such-planner"), "no-such-planner"),
        (("--time-limit", "0"), "the time limit must be"),
        (("--report", SCRIPT), "line 1 is not a run"),
    ],
)
def test_mistakes_are_told_in_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    finished = run_script(*arguments, folder=tmp_path, exit_code=2)
    assert message in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert not any(tmp_path.iterdir())


def test_a_killed_process_is_an_outcome_and_is_replaced() -> None:
    with Worker(build_of_package()) as worker:
        assert isinstance(worker.run(job()), SolveResult)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGKILL)
        outcome = worker.run(job())
        assert isinstance(outcome, Failure)
        assert (outcome.status, outcome.message) == ("crashed", "signal SIGKILL")
        assert worker.run(job()).status == "solved"


def test_a_search_that_does_not_end_is_an_outcome() -> None:
    with Worker(build_of_package(), grace=0.1) as worker:
        worker.run(job())
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        assert worker.run(job(time_limit=0.1)).status == "hung"


def test_limits_and_mistakes_are_outcomes() -> None:
    with Worker(build_of_package()) as worker:
        assert worker.run(Job(ENDLESS, "default", 0.1, 1, threads=1, seed=0)).status == "time-limit"
        outcome = worker.run(job(planner="no-such-planner"))
        assert isinstance(outcome, Failure)
        assert outcome.status == "error"
        assert "no-such-planner" in outcome.message


def test_another_build_of_the_package_is_noticed() -> None:
    with Worker("another build") as worker, pytest.raises(BuildChangedError):
        worker.run(job())
