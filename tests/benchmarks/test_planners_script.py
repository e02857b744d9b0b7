"""The script that measures planners, run as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "planners.py"


def run_script(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"COLUMNS": "120", "PYTHONUTF8": "1"},
        check=False,
    )


def test_it_measures_goes_on_and_reports(tmp_path: Path) -> None:
    two_runs = ("--puzzles", "first-push", "--planners", "default,bfs", "--time-limit", "60")
    measured = run_script(*two_runs, folder=tmp_path)
    assert measured.returncode == 0, measured.stderr
    assert "bundled (1)" in measured.stdout
    again = run_script(*two_runs, "--markdown", folder=tmp_path)
    assert "2 of 2 runs are there already" in again.stderr
    reported = run_script("--report", "results/planners", "--markdown", folder=tmp_path)
    assert reported.stdout == again.stdout
    assert "| bfs | 60 s | 1 | 1 |" in reported.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--puzzles", "no-such-set"), "no-such-set"),
        (("--planners", "no-such-planner"), "no-such-planner"),
        (("--time-limit", "0"), "the time limit must be"),
        (("--report", "nowhere"), "holds no results"),
    ],
)
def test_mistakes_are_told_in_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    finished = run_script(*arguments, folder=tmp_path)
    assert finished.returncode == 2
    assert message in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert not any(tmp_path.iterdir())
