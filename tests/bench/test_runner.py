"""Benchmarks from Python: what is run, what is not run again, and what is refused."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from pushworld import Puzzle
from pushworld.bench import Run, read_results, run
from pushworld.bench.contestants import choose_contestants
from pushworld.bench.single_run import Job
from pushworld.bench.store import RUNS
from pushworld.bench.tasks import choose_tasks
from pushworld.datasets import classic_puzzles, load_set, resolve_puzzle
from pushworld.puzzle import PushWorldError
from tests.planners.scripts import shell_planner

PUZZLES = ("first-push", "crossroads")


class Log:
    """A watcher that remembers what it is shown."""

    def __init__(self) -> None:
        self.planned: list[str] = []
        self.known = 0
        self.started: list[str] = []
        self.ended: list[str] = []

    def on_plan(self, jobs: Sequence[Job], known: Sequence[Run]) -> None:
        self.planned = [job.planner.name for job in jobs]
        self.known = len(known)

    def on_start(self, job: Job) -> None:
        self.started.append(job.planner.name)

    def on_end(self, run: Run) -> None:
        self.ended.append(run.planner)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with two planners on two puzzles."""
    folder = tmp_path_factory.mktemp("measured") / "results"
    run(folder, PUZZLES, ["default", "bfs"])
    return folder


def test_all_planners_run_on_all_puzzles(measured: Path) -> None:
    results = read_results(measured)
    assert sorted((run.planner, run.puzzle) for run in results.runs) == sorted(
        (planner, puzzle) for planner in ("default", "bfs") for puzzle in PUZZLES
    )
    assert list(results.planners) == ["default", "bfs"]
    for each in results.runs:
        assert each.status == "solved"
        assert each.plan is not None
        assert resolve_puzzle(each.puzzle).validate(each.plan)
        assert results.puzzle(each) == resolve_puzzle(each.puzzle)


def test_a_second_benchmark_runs_only_what_is_missing(measured: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(measured, tmp_path / "results")
    log = Log()
    before = (folder / RUNS).read_bytes()
    assert len(run(folder, PUZZLES, ["default", "bfs"], watcher=log).runs) == 4
    assert (log.planned, log.known, log.started) == ([], 4, [])
    assert (folder / RUNS).read_bytes() == before
    log = Log()
    results = run(folder, PUZZLES, ["bfs", "rgd"], watcher=log)
    assert (log.planned, log.known) == (["rgd", "rgd"], 2)
    assert log.started == log.ended == ["rgd", "rgd"]
    assert [each.planner for each in results.runs] == ["bfs", "rgd"] * 2
    assert (folder / RUNS).read_bytes().startswith(before)
    assert list(read_results(folder).planners) == ["default", "bfs", "rgd"]


def test_a_benchmark_that_is_stopped_keeps_what_has_ended(tmp_path: Path) -> None:
    class Impatient(Log):
        def on_end(self, run: Run) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "results", PUZZLES, ["bfs"], workers=1, watcher=Impatient())
    assert len(read_results(tmp_path / "results").runs) == 1
    log = Log()
    run(tmp_path / "results", PUZZLES, ["bfs"], workers=1, watcher=log)
    assert (log.known, len(log.ended)) == (1, 1)


def test_a_planner_of_ones_own_is_an_attribute_of_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    (only,) = run(tmp_path, "first-push", "tests.bench.odd_planners:HONEST").runs
    assert (only.planner, only.status) == ("odd", "solved")
    assert only.planner_version.startswith("7+")


def test_the_script_of_a_planner_belongs_to_its_version(tmp_path: Path) -> None:
    name = shell_planner(tmp_path, "exit 3")
    before = choose_contestants([name])
    shell_planner(tmp_path, "exit 4")
    assert choose_contestants([name]) != before


def test_runs_are_repeated_where_asked(measured: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(measured, tmp_path / "results")
    failed = (folder / RUNS).read_text().splitlines(keepends=True)
    failed = [
        line.replace('"solved"', '"error"') if '"default"' in line and PUZZLES[0] in line else line
        for line in failed
    ]
    (folder / RUNS).write_text("".join(failed))
    log = Log()
    results = run(folder, PUZZLES, ["default", "bfs"], rerun="bfs", rerun_errors=True, watcher=log)
    assert (sorted(log.ended), log.known) == (["bfs", "bfs", "default"], 1)
    assert {each.status for each in results.runs} == {"solved"}
    assert len((folder / RUNS).read_text().splitlines()) == 7
    assert len(read_results(folder).runs) == 4
    assert {each.status for each in read_results(folder).runs} == {"solved"}


def test_a_planner_of_another_project_is_a_toml_file(tmp_path: Path) -> None:
    file = tmp_path / "copier.toml"
    file.write_text('command = "cp {sas} {plan}"\nversion = "1.2"\n')
    puzzle = Puzzle.parse("A M1 G1")
    results = run(tmp_path / "results", puzzle, str(file))
    (only,) = results.runs
    assert (only.planner, only.status) == ("copier", "wrong-plan")
    assert "the plan of 'copier' is wrong" in only.message
    assert only.planner_version.startswith("1.2+")
    file.write_text('command = "cp -f {sas} {plan}"\nversion = "1.2"\n')
    (changed,) = choose_contestants([str(file)])
    assert changed.version.startswith("1.2+")
    assert changed.version != only.planner_version
    file.write_text('command = "no-such-program {sas} {plan}"')
    with pytest.raises(PushWorldError, match="not installed: no-such-program"):
        run(tmp_path / "other", puzzle, str(file))


def test_levels_are_folders_and_sandboxes_are_left_out(tmp_path: Path) -> None:
    for level in ("easy", "hard"):
        (tmp_path / "puzzles" / level).mkdir(parents=True)
        resolve_puzzle("first-push").save(tmp_path / "puzzles" / level / "same.pwp")
    Puzzle.parse("A . M1").save(tmp_path / "puzzles" / "sandbox.pwp")
    tasks = choose_tasks([tmp_path / "puzzles"])
    assert [(task.level, task.puzzle.name) for task in tasks] == [
        ("easy", "same"),
        ("hard", "same"),
    ]


def test_a_sample_has_every_so_manyth_puzzle(tmp_path: Path) -> None:
    for level, count in (("easy", 5), ("hard", 2)):
        (tmp_path / level).mkdir()
        for number in range(count):
            resolve_puzzle("first-push").save(tmp_path / level / f"{number}.pwp")
    chosen = [(task.level, task.puzzle.name) for task in choose_tasks([tmp_path], every=3)]
    assert chosen == [("easy", "0"), ("easy", "3"), ("hard", "1")]


def test_a_sample_is_the_same_everywhere() -> None:
    benchmarked = [task.puzzle for task in choose_tasks(["classic"], every=4)]
    assert benchmarked == load_set("classic")[::4]  # as evaluate takes it


def test_puzzles_of_classic_count_for_their_levels() -> None:
    shown = {task.puzzle.name: task.level for task in choose_tasks(["classic"])}
    assert shown == {entry.name: f"classic-{entry.level}" for entry in classic_puzzles()}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"puzzles": ["no-such-set"]}, "no-such-set"),
        ({"puzzles": [Puzzle.parse("A . M1")]}, "has goals"),
        ({"planners": ["no-such-planner"]}, "no-such-planner"),
        ({"planners": []}, "no planner"),
        ({"time_limit": float("inf")}, "needs a finite time limit"),
        ({"planners": ["no_such_module:X"]}, "no_such_module"),
        (
            {"planners": [f"tests.bench.odd_planners:{name}" for name in ("HONEST", "WRONG")]},
            "both called 'odd'",
        ),
        ({"planners": ["tests.bench.odd_planners:NOT_A_PLANNER"]}, "has no `solve`"),
        ({"time_limit": 0}, "the time limit must be"),
        ({"workers": 0}, "the number of workers must be"),
        ({"engine": "steam"}, "there is no engine 'steam'"),
        ({"clock": "sun"}, "there is no clock 'sun'"),
        ({"clock": "cpu", "threads": 2}, "on the CPU clock a run has one thread"),
        ({"every": 0}, "must be 1 or more, not 0"),
        ({"rerun": "bfs"}, "'bfs', to be run again, is none of the planners"),
    ],
)
def test_mistakes_are_reported_before_anything_is_written(
    arguments: dict[str, object],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    with pytest.raises(PushWorldError, match=message):
        run(tmp_path / "results", **arguments)  # type: ignore[arg-type]
    assert not any(tmp_path.iterdir())
