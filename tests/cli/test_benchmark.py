"""The commands benchmark and report, as a user runs them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.bench import read_results
from tests.cli.running import run
from tests.planners.test_solving import ENDLESS
from tests.waiting import PATIENCE, wait_until

TWO_RUNS = ("benchmark", "--puzzles", "first-push", "crossroads", "--planners", "bfs")

BROKEN_PLANNER = """
from pushworld import solve

class Mine:
    name = "mine"
    def solve(self, puzzle, **options):
        raise RuntimeError("no heuristic [yet]")
        return solve(puzzle)

planner = Mine()
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with a planner on two puzzles; do not change it."""
    folder = tmp_path_factory.mktemp("benchmark") / "results"
    done = run(*TWO_RUNS, "-o", str(folder))
    assert done.exit_code == 0, done.err
    assert "bundled (2)" in done.out
    assert done.err.splitlines()[:2] == ["0 of 2 runs, 0 solved", "2 of 2 runs, 2 solved"]
    assert f"wrote {folder}/report/figure.svg" in done.err
    return folder


def test_benchmark_ends_with_table_figure_and_page(results: Path) -> None:
    assert {path.name for path in (results / "report").iterdir()} == {
        "figure.svg",
        "figure.png",
        "report.html",
    }


def test_the_same_command_again_runs_nothing(results: Path) -> None:
    before = read_results(results).runs
    done = run(*TWO_RUNS, "-o", str(results), "--markdown")
    assert "2 of 2 runs are there already" in done.err
    assert done.out.startswith("| planner | within | bundled (2) | all (2) |\n")
    assert "| bfs | 60 s | 2 | 2 |\n" in done.out
    assert read_results(results).runs == before


def test_other_settings_are_refused_in_one_line(results: Path) -> None:
    done = run(*TWO_RUNS, "-o", str(results), "--time-limit", "7")
    assert done.exit_code == 2
    assert "time_limit 60.0 and not 7.0" in done.err
    assert "--restart" in done.err
    assert done.err.count("\n") == 1


def test_report_prints_json_and_writes_files(results: Path, tmp_path: Path) -> None:
    done = run(
        *("report", str(results), "--json", "-o", str(tmp_path / "report")),
    )
    assert done.exit_code == 0, done.err
    assert json.loads(done.out)["coverage"][-1] == {
        "planner": "bfs",
        "within": "60 s",
        "bundled (2)": "2",
        "all (2)": "2",
    }
    assert {path.name for path in tmp_path.iterdir()} == {"report"}


def test_a_folder_without_results_is_reported(tmp_path: Path) -> None:
    done = run("report", str(tmp_path))
    assert done.exit_code == 2
    assert "holds no results" in done.err


def test_ctrl_c_ends_with_code_13_and_the_command_can_continue(tmp_path: Path) -> None:
    ENDLESS.save(tmp_path / "endless.pwp")
    command = [
        "benchmark",
        str(tmp_path / "endless.pwp"),
        "--planners",
        "bfs",
        "--time-limit",
        "600",
    ]
    output = tmp_path / "results"
    # If a shell started the tests in the background, they and their children ignore Ctrl-C.
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from pushworld.cli import main; main()"
    )
    runner = subprocess.Popen(
        [sys.executable, "-c", code, *command, "-o", str(output)],
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path)},
        text=True,
    )
    wait_until(lambda: list(tmp_path.glob("pushworld-run-*/answer")))
    runner.send_signal(signal.SIGINT)
    _, shown = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 13
    assert "run the same command to continue" in shown
    assert read_results(output).runs == []


def test_a_planner_of_ones_own_is_mended_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    module = tmp_path / "mended_planner.py"
    module.write_text(BROKEN_PLANNER)
    again = ("benchmark", "first-push", "--planners", "mended_planner:planner", "-o", "results")
    done = run(*again, "--markdown")
    assert "| 1 error (RuntimeError: no heuristic [yet]) |" in done.out
    module.write_text(BROKEN_PLANNER.replace("raise RuntimeError", "str"))
    done = run(*again)
    assert "there already" not in done.err
    assert "1 of 1 runs, 1 solved" in done.err
