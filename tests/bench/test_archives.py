"""Results that travel: an archive says the same elsewhere, and a claim that does not hold does not count."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pushworld.bench import Run, read_results
from pushworld.bench.archives import pack_folder, unpacked, verified, with_tasks
from pushworld.bench.report import rows_of_report
from pushworld.bench.runner import keep_played
from pushworld.bench.store import PUZZLES, RUNS
from pushworld.bench.tables import coverage, notes
from pushworld.bench.tasks import Task
from pushworld.puzzle import PushWorldError, Puzzle
from tests.bench.samples import CORRIDOR, SAMPLE_RUN, sample, sample_folder
from tests.cli import running


def run(*arguments: object) -> running.Outcome:
    return running.run(*map(str, arguments))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The archive of a folder with two solved runs and one that was not."""
    runs = [sample("fast", "level1", name, 0.5) for name in ("a", "b")]
    sample_folder(tmp_path / "mine", [*runs, sample("fast", "level1", "c", 10, "time-limit")])
    done = run("report", tmp_path / "mine", "--human", "none", "--pack", tmp_path / "mine.zip")
    assert f"wrote {tmp_path / 'mine.zip'}, SHA-256 " in done.err
    return tmp_path / "mine.zip"


def test_an_archive_says_the_same_as_its_folder(archive: Path, tmp_path: Path) -> None:
    with unpacked([archive]) as (folder,):
        opened = verified(read_results(folder))
        assert not (folder / "report").exists()
        assert opened.puzzle(SAMPLE_RUN) == CORRIDOR
    original = read_results(tmp_path / "mine")
    assert (opened.settings, opened.planners, opened.runs) == (
        original.settings,
        original.planners,
        original.runs,
    )
    assert not folder.exists()
    again = tmp_path / "again.zip"
    pack_folder([tmp_path / "mine"], again)
    assert again.read_bytes() == archive.read_bytes()


def test_several_archives_are_one_scoreboard(archive: Path, tmp_path: Path) -> None:
    theirs = archive.rename(tmp_path / "theirs.zip")
    done = run("report", tmp_path / "mine", theirs, "--human", "none", "--json", "-o", tmp_path)
    solved = {row["planner"]: row["solved"] for row in json.loads(done.out)["scores"]}
    assert solved == {"fast (mine)": "2/3", "fast (theirs)": "2/3"}
    assert "fast (theirs)" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ({"plan": "RRL"}, "does not solve"),
        ({"plan": None}, "does not solve"),
        ({"plan": "nonsense"}, "does not solve"),
        ({"pushes": 1}, "this number of pushes"),
        ({"length": 2}, "3 actions, not 2"),
        ({"seconds": 11.0}, "time limit"),
        ({"cpu_seconds": 11.0}, "time limit"),
        ({"peak_memory_bytes": 9_000_000_000}, "memory limit"),
        ({"digest": "0"}, "puzzle is missing"),
    ],
)
def test_a_claim_that_does_not_hold_does_not_count(
    lie: dict[str, object], reason: str, tmp_path: Path
) -> None:
    told: Run = replace(SAMPLE_RUN, **lie)  # type: ignore[arg-type]
    results = sample_folder(tmp_path / "results", [told, sample("slow", "level1", "b", 1)])
    wrong, right = verified(results).runs
    assert wrong.status == "wrong-plan"
    assert reason in wrong.message
    assert right == results.runs[1]


def test_another_puzzle_under_the_same_name_is_found(tmp_path: Path) -> None:
    results = sample_folder(tmp_path / "results", [SAMPLE_RUN])
    (results.path / PUZZLES / f"{SAMPLE_RUN.digest}.pwp").write_text("A M1 . G1")
    assert "another one" in verified(results).runs[0].message
    done = run("report", results.path, "--human", "none")
    assert done.exit_code == 1
    assert "not what they claim, and not counted: 1 run" in done.err
    assert "1 wrong-plan" in done.out


def test_puzzles_of_an_archive_can_be_run_again(archive: Path, tmp_path: Path) -> None:
    tasks = with_tasks(archive)
    assert [(each.level, each.puzzle.name) for each in tasks if isinstance(each, Task)] == [
        ("level1", name) for name in "abc"
    ]
    run("benchmark", archive, "--planners", "bfs", "--workers", "1", "-o", tmp_path / "new")
    assert [each.plan for each in read_results(tmp_path / "new").runs] == ["RRR"] * 3


def test_what_is_no_archive_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK nothing")
    with (
        pytest.raises(PushWorldError, match="no archive of results"),
        unpacked([tmp_path / "broken.zip"]),
    ):
        pass
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    pack_folder([tmp_path / "other"], tmp_path / "other.zip")
    done = run("report", tmp_path / "other.zip")
    assert (done.exit_code, done.err.count("\n")) == (2, 1)
    assert f"{tmp_path / 'other.zip'} is no archive of results: it holds no results" in done.err
    with pytest.raises(PushWorldError, match="one folder"):
        pack_folder([tmp_path, tmp_path], tmp_path / "both.zip")


def test_agents_stand_beside_planners_without_times(tmp_path: Path) -> None:
    planners = sample_folder(tmp_path / "planners", [sample("fast", "level1", "corridor", 0.5)])
    agent = tmp_path / "agent.zip"
    agent.write_bytes(b"weights")
    corridor = replace(CORRIDOR, name="corridor")
    other = replace(Puzzle.parse("A M1 . G1"), name="other")
    plans = {Task("level1", corridor): "RURR", Task("level1", other): None}
    for _ in range(2):
        keep_played(tmp_path / "agents", "policy", agent, plans, most_moves=100, seed=0)
    assert len((tmp_path / "agents" / RUNS).read_text().splitlines()) == 2
    rows = rows_of_report([verified(read_results(tmp_path / "agents")), planners])
    assert [row.label for row in rows] == ["fast", "policy"]
    assert coverage(rows).rows[-1] == ["policy", "–", "1", "1"]
    assert any(note.startswith("policy: 100 moves") for note in notes(rows))
    assert run("report", tmp_path / "agents", "--human", "none").exit_code == 0


@pytest.mark.parametrize("name", ["planners", "agents"])
def test_the_first_entries_hold(name: str) -> None:
    with unpacked([Path(__file__).parents[2] / "benchmarks" / "results" / f"{name}.zip"]) as (
        folder,
    ):
        results = read_results(folder)
        assert verified(results) == results
        assert sum(each.status == "solved" for each in results.runs) > 0
