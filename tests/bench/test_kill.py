"""A runner that is killed at random moments leaves the same results as an undisturbed one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pushworld.bench import Run, read_results
from pushworld.bench.store import RUNS
from tests.planners.test_solving import ENDLESS
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.waiting import PATIENCE, wait_until

KILLS = 6
MEASURED = ("seconds", "cpu_seconds", "peak_memory_bytes", "date")


@pytest.fixture(scope="module")
def puzzles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    for seed in (1, 3):
        puzzle = tiny_puzzle(seed)
        puzzle.save(folder / f"{puzzle.name}.pwp")
    return folder


def start(puzzles: Path, output: Path, scratch: Path) -> subprocess.Popen[bytes]:
    """Starts a benchmark; the folder for temporary files identifies its processes."""
    scratch.mkdir(exist_ok=True)
    code = (
        "import sys; from pushworld.bench import run; "
        "run(sys.argv[1], [sys.argv[2]], ['bfs'], workers=2, time_limit=600)"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, str(output), str(puzzles)],
        env=os.environ | {"TMPDIR": str(scratch)},
        start_new_session=True,
    )


def processes_of(scratch: Path) -> set[int]:
    """Returns the processes of a benchmark."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            variables = path.read_bytes()
        except OSError:
            continue
        if f"TMPDIR={scratch}".encode() in variables:  # or a folder inside it
            found.add(int(path.parent.name))
    return found


def outcomes(runs: list[Run]) -> dict[tuple[str, str], dict[str, Any]]:
    """Returns the parts of the runs that do not depend on the clock."""
    return {
        (run.planner, run.puzzle): {
            key: value for key, value in run.to_json().items() if key not in MEASURED
        }
        for run in runs
    }


def test_a_runner_killed_at_any_moment_loses_and_repeats_nothing(
    puzzles: Path, tmp_path: Path
) -> None:
    begun = time.monotonic()
    assert start(puzzles, tmp_path / "undisturbed", tmp_path / "scratch").wait(PATIENCE) == 0
    duration = time.monotonic() - begun
    expected = read_results(tmp_path / "undisturbed").runs
    assert len(expected) == 2
    assert {run.status for run in expected} == {"solved", "unsolvable"}

    random = Random(4)
    kills = 0
    for number in count():
        output = tmp_path / f"killed-{number}"
        written = b""
        while True:
            runner = start(puzzles, output, tmp_path / "scratch")
            if kills < KILLS:
                try:
                    runner.wait(random.uniform(0, duration))
                except subprocess.TimeoutExpired:
                    os.kill(runner.pid, signal.SIGKILL)
                    kills += 1
            ended = runner.wait(PATIENCE) == 0
            now = (output / RUNS).read_bytes() if (output / RUNS).exists() else b""
            whole = now[: now.rfind(b"\n") + 1]
            assert whole.startswith(written), "a finished run was lost or changed"
            written = whole
            if ended:
                break
        found = read_results(output).runs
        assert len(found) == len(expected), "a run was lost or counted twice"
        assert outcomes(found) == outcomes(expected)
        if kills == KILLS:
            return


def test_no_process_outlives_a_killed_runner(tmp_path: Path) -> None:
    (tmp_path / "puzzles").mkdir()
    ENDLESS.save(tmp_path / "puzzles" / "endless.pwp")
    scratch = tmp_path / "scratch"
    runner = start(tmp_path / "puzzles", tmp_path / "results", scratch)
    wait_until(lambda: list(scratch.glob("pushworld-run-*/answer")))
    started = processes_of(scratch) - {runner.pid}
    os.kill(runner.pid, signal.SIGKILL)
    runner.wait()
    assert len(started) == 2, "a supervisor and a worker"
    wait_until(lambda: not processes_of(scratch))
    assert not list(scratch.iterdir())
    assert read_results(tmp_path / "results").runs == []
