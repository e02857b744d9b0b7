"""Single runs: the status of every kind of end, and nothing outlives its run."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any

import pytest

import pushworld
from pushworld.bench import records, single_run
from pushworld.bench.contestants import Contestant, native_build
from pushworld.bench.records import Run, Settings
from pushworld.bench.single_run import BuildChangedError, Cancelled, Job, execute
from pushworld.bench.tasks import Task
from pushworld.bench.worker import answer_of
from pushworld.datasets import resolve_puzzle
from pushworld.machine import this_machine
from pushworld.planners import Planner
from pushworld.puzzle import PushWorldError
from tests.bench import odd_planners
from tests.bench.odd_planners import GATE
from tests.bench.samples import SAMPLE_SETTINGS
from tests.planners.test_solving import ENDLESS

SETTINGS = replace(
    SAMPLE_SETTINGS,
    time_limit=300,
    memory_limit_gb=2,
    version=pushworld.__version__,
    build=native_build(),
    machine=this_machine(),
)
BFS = Contestant("bfs", "1.0", "bfs")
WORK = {"clock": "wall", "wall_limit": 300, "memory_limit_bytes": 10**9, "threads": 1, "seed": 0}
FIRST_PUSH = Task("bundled", resolve_puzzle("first-push"))


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes of the runs find the odd planners from here."""
    monkeypatch.chdir(Path(__file__).parents[2])


def odd(name: str, settings: Settings = SETTINGS) -> Run:
    planner = Contestant("odd", "7", f"tests.bench.odd_planners:{name}")
    return execute(Job(planner, FIRST_PUSH, settings))


def descendants_mentioning(text: str) -> list[str]:
    """Returns the command lines of all processes that mention a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if text in line and path.parent.name != str(os.getpid()):
            found.append(line)
    return found


def test_a_solved_run_is_recorded_with_everything_known() -> None:
    run = execute(Job(BFS, FIRST_PUSH, SETTINGS))
    assert (run.status, run.message, run.plan) == ("solved", "", "RRRR")
    assert (run.length, run.pushes) == (4, 2)
    assert (run.planner, run.planner_version) == ("bfs", "1.0")
    assert (run.level, run.puzzle) == ("bundled", "first-push")
    assert 0 < run.seconds < SETTINGS.time_limit
    assert run.cpu_seconds < SETTINGS.time_limit
    assert 10e6 < run.peak_memory_bytes < 1e9
    assert run.states is not None
    assert run.states > 4
    assert run.processor == this_machine().processor
    assert Run.from_json(run.to_json()) == run


@pytest.mark.parametrize(
    ("planner", "status", "message"),
    [
        ("GIBBERISH", "wrong-plan", "does not solve"),
        ("ABORTING", "crashed", "signal SIGABRT"),
        ("EXITING", "crashed", "exit code 3"),
        ("FAILING", "error", "RuntimeError: the heuristic is on strike"),
    ],
)
def test_each_end_has_its_status(planner: str, status: str, message: str) -> None:
    run = odd(planner)
    assert run.status == status
    assert message in run.message


@pytest.mark.parametrize(
    ("planner", "status", "message"),
    [
        (odd_planners.DECLINING, "error", "this planner takes no such puzzles"),
        (odd_planners.OUT_OF_MEMORY, "out-of-memory", "memory cannot be allocated"),
        (
            odd_planners.UNHEARD_OF,
            "error",
            "returned the status 'puzzled', which is none of solved",
        ),
        (odd_planners.UNCOUNTED, "error", "returned counts that are no whole numbers"),
        (odd_planners.HUGE, "error", "a plan of 16,777,217 actions; at most 16,777,216 are taken"),
        (odd_planners.HALF_A_CHARACTER, "error", "!" * 500),
    ],
)
def test_errors_of_planners_are_answers_of_the_worker(
    planner: Planner, status: str, message: str
) -> None:
    answer = answer_of(planner, FIRST_PUSH.puzzle, WORK)
    assert answer["status"] == status
    assert message in answer["message"]
    assert len(answer["message"].encode()) <= 500


def test_times_are_measured_whatever_the_planner_says() -> None:
    timeless: Any = odd_planners.TIMELESS
    answer = answer_of(timeless, FIRST_PUSH.puzzle, WORK)
    assert 0 < answer["representation_seconds"] == answer["seconds"] < 300


def test_a_plan_that_cannot_be_replayed_in_time_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(single_run, "GRACE_SECONDS", 0.2)
    run = odd("LONG", replace(SETTINGS, time_limit=0.2))
    assert (run.status, run.plan) == ("time-limit", None)
    assert run.message == "the replay of the plan took too long"


def test_a_wrong_plan_is_stored() -> None:
    run = odd("WRONG")
    assert (run.status, run.plan) == ("wrong-plan", "L")
    assert run.message == "the plan does not solve the puzzle"


def test_files_of_a_planner_that_is_killed_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    run = odd("LITTERING")
    assert (run.status, run.message) == ("crashed", "signal SIGKILL")
    assert not any(tmp_path.iterdir())


def test_memory_is_enforced_on_a_planner_that_does_not_heed_it() -> None:
    run = odd("GREEDY", replace(SETTINGS, memory_limit_gb=0.3))
    assert (run.status, run.message) == ("memory-limit", "ended by the runner")
    assert run.peak_memory_bytes > 0.25e9


def test_time_is_enforced_on_a_planner_that_does_not_heed_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(single_run, "GRACE_SECONDS", 0.2)
    run = odd("SLEEPING", replace(SETTINGS, time_limit=0.1))
    assert (run.status, run.message) == ("time-limit", "ended by the runner for its wall time")


def test_on_the_cpu_clock_only_work_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_run, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(records, "WALL_PER_CPU", 1000)
    run = odd("DOZING", replace(SETTINGS, clock="cpu", time_limit=0.4))
    assert run.status == "solved"
    assert run.seconds == run.cpu_seconds < 0.4
    run = odd("BURNING", replace(SETTINGS, clock="cpu", time_limit=0.1))
    assert (run.status, run.message) == ("time-limit", "ended by the runner for its CPU time")
    assert run.seconds == run.cpu_seconds > 0.3


def test_planners_of_other_projects_keep_a_limit_on_cpu_time(tmp_path: Path) -> None:
    script = tmp_path / "spin.sh"
    script.write_text("while :; do :; done\n")
    file = tmp_path / "spinning.toml"
    file.write_text("command = " + json.dumps(f"sh {quote(str(script))} {{sas}} {{plan}}"))
    spinning = Contestant("spinning", "1", str(file))
    run = execute(Job(spinning, FIRST_PUSH, replace(SETTINGS, clock="cpu", time_limit=0.4)))
    assert (run.status, run.message) == ("time-limit", "")
    assert run.seconds == run.cpu_seconds > 0.3


def test_processes_of_other_sessions_count_and_end_with_the_run() -> None:
    run = odd("DELEGATING")
    assert run.status == "solved"
    assert run.cpu_seconds > 0.3
    assert not descendants_mentioning("left behind")


def test_limits_that_the_planner_keeps_itself_are_its_result() -> None:
    endless = Task("endless", ENDLESS)
    run = execute(Job(BFS, endless, replace(SETTINGS, time_limit=0.1)))
    assert (run.status, run.message) == ("time-limit", "")
    run = execute(Job(BFS, endless, replace(SETTINGS, memory_limit_gb=0.1)))
    assert (run.status, run.message) == ("memory-limit", "")
    assert run.peak_memory_bytes < 0.105e9


def test_a_plan_found_after_the_time_limit_does_not_count() -> None:
    run = odd("LATE", replace(SETTINGS, time_limit=1e-9))
    assert (run.status, run.message) == ("time-limit", "solved after the time limit")


def test_a_run_whose_supervisor_is_killed_is_restarted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(GATE, str(tmp_path / "killed"))
    assert odd("ORPHANED").status == "solved"
    assert (tmp_path / "killed").exists()


def test_a_memory_limit_below_what_python_needs_is_an_error() -> None:
    with pytest.raises(PushWorldError, match="the memory limit is too low for Python"):
        execute(Job(BFS, FIRST_PUSH, replace(SETTINGS, memory_limit_gb=0.001)))


def test_a_run_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        execute(Job(BFS, Task("endless", ENDLESS), SETTINGS), cancelled=lambda: True)


def test_another_build_of_the_package_is_noticed() -> None:
    with pytest.raises(BuildChangedError):
        execute(Job(BFS, FIRST_PUSH, replace(SETTINGS, build="another")))
