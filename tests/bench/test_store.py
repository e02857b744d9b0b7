"""Folders of results: nothing that was written is lost, and nothing is mixed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pushworld.bench.store import RUNS, SETTINGS, ResultsError, ResultsFolder, read_results
from pushworld.bench.tasks import Task
from pushworld.files import LOCK
from pushworld.puzzle import PushWorldError
from tests.bench.samples import CORRIDOR, SAMPLE_RUN, SAMPLE_SETTINGS
from tests.cli.running import run

PLANNERS = {"fast": "1"}
SECOND_RUN = replace(SAMPLE_RUN, puzzle="second")


def open_folder(path: Path, **changes: object) -> ResultsFolder:
    arguments = {"settings": SAMPLE_SETTINGS, "planners": PLANNERS} | changes
    return ResultsFolder(path, **arguments)  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Returns a folder with two runs."""
    with open_folder(tmp_path / "results") as results:
        results.append(SAMPLE_RUN)
        results.append(SECOND_RUN)
    return tmp_path / "results"


def test_runs_are_read_as_they_were_added(folder: Path) -> None:
    results = read_results(folder)
    assert results.runs == [SAMPLE_RUN, SECOND_RUN]
    assert results.settings == SAMPLE_SETTINGS
    assert results.planners == PLANNERS
    with open_folder(folder) as again:
        assert list(again.runs.values()) == [SAMPLE_RUN, SECOND_RUN]


def test_the_puzzle_of_a_run_is_kept(folder: Path) -> None:
    results = read_results(folder)
    assert results.puzzle(SAMPLE_RUN) is None
    with open_folder(folder) as again:
        again.keep_puzzle(Task("level1", CORRIDOR))
    assert results.puzzle(SAMPLE_RUN) == CORRIDOR


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_run_that_was_not_written_to_its_end_is_as_if_it_never_was(
    folder: Path, cut: int
) -> None:
    path = folder / RUNS
    os.truncate(path, path.stat().st_size - cut)
    assert read_results(folder).runs == [SAMPLE_RUN]
    with open_folder(folder) as results:
        assert SECOND_RUN.key not in results.runs
        results.append(SECOND_RUN)
    assert read_results(folder).runs == [SAMPLE_RUN, SECOND_RUN]


def test_zeros_that_a_dying_disk_left_are_cut_off(folder: Path) -> None:
    with (folder / RUNS).open("ab") as file:
        file.write(bytes(100) + b"\n")
    third = replace(SECOND_RUN, digest="third")
    with open_folder(folder) as results:
        assert len(results.runs) == 2
        results.append(third)
    assert read_results(folder).runs == [SAMPLE_RUN, SECOND_RUN, third]


def test_a_damaged_line_in_the_middle_is_reported(folder: Path) -> None:
    lines = (folder / RUNS).read_bytes().splitlines(keepends=True)
    (folder / RUNS).write_bytes(lines[0] + b'{"planner": "fast"}\n' + lines[1])
    with pytest.raises(ResultsError, match="line 2 is damaged"):
        read_results(folder)


def test_a_run_cannot_be_added_twice(folder: Path) -> None:
    with open_folder(folder) as results, pytest.raises(ResultsError, match="fast on second"):
        results.append(SECOND_RUN)
    assert read_results(folder).runs == [SAMPLE_RUN, SECOND_RUN]


def test_an_edited_puzzle_is_another_one(folder: Path) -> None:
    edited = replace(SECOND_RUN, digest="edited")
    with open_folder(folder) as results:
        results.append(edited)
    assert read_results(folder).runs[-1] == edited


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"settings": replace(SAMPLE_SETTINGS, seed=7)}, "seed 0 and not 7"),
        ({"settings": replace(SAMPLE_SETTINGS, build="xyz")}, "build abc and not xyz"),
        (
            {
                "settings": replace(
                    SAMPLE_SETTINGS, machine=replace(SAMPLE_SETTINGS.machine, processor="Z3")
                )
            },
            "processor Abacus and not Z3",
        ),
    ],
)
def test_two_settings_are_not_mixed(folder: Path, changes: dict[str, object], message: str) -> None:
    before = (folder / RUNS).read_bytes()
    with pytest.raises(ResultsError, match=message):
        open_folder(folder, **changes)
    assert (folder / RUNS).read_bytes() == before
    with open_folder(folder, **changes, restart=True) as results:
        assert not results.runs


def test_planners_can_be_added_and_keep_their_order(folder: Path) -> None:
    with open_folder(folder, planners={"slow": "3"}):
        pass
    assert read_results(folder).planners == {"fast": "1", "slow": "3"}


def test_runs_of_another_version_are_kept_and_do_not_count(folder: Path) -> None:
    mended = replace(SAMPLE_RUN, planner_version="2", seconds=0.1)
    with open_folder(folder, planners={"fast": "2"}) as results:
        assert mended.key not in results.runs
        results.append(mended)
    assert read_results(folder).runs == [mended]
    with open_folder(folder):
        pass
    assert read_results(folder).runs == [SAMPLE_RUN, SECOND_RUN]


@pytest.mark.parametrize(
    "damage",
    [
        {"seconds": float("inf")},
        {"cpu_seconds": 10**400},
        {"plan": ["L"]},
        {"status": "puzzled"},
        {"message": None},
        {"digest": "../../elsewhere"},
    ],
)
def test_a_row_with_an_impossible_value_is_reported(
    folder: Path, damage: dict[str, object]
) -> None:
    lines = (folder / RUNS).read_text().splitlines(keepends=True)
    lines[0] = json.dumps(json.loads(lines[0]) | damage) + "\n"
    (folder / RUNS).write_text("".join(lines))
    with pytest.raises(PushWorldError, match="line 1 is damaged"):
        read_results(folder)


@pytest.mark.parametrize("file", [RUNS, SETTINGS])
def test_deep_nesting_is_reported(folder: Path, file: str) -> None:
    (folder / file).write_text("[" * 200_000 + "\n{}\n")
    done = run("report", str(folder))
    assert (done.exit_code, done.err.count("\n")) == (2, 1)
    assert file in done.err


def test_two_processes_do_not_add_to_one_folder(folder: Path) -> None:
    with open_folder(folder), pytest.raises(PushWorldError, match="another process is adding"):
        open_folder(folder)
    with open_folder(folder):
        pass


def test_the_lock_of_a_killed_process_is_free(folder: Path) -> None:
    code = f"import fcntl, os; fcntl.flock(os.open({str(folder / LOCK)!r}, 0o102), 2); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    with open_folder(folder):
        pass


@pytest.mark.parametrize(
    "precious", ["thesis.tex", "puzzles/mine.pwp", "report/report.html", "settings.json"]
)
def test_a_folder_with_other_files_is_not_touched(tmp_path: Path, precious: str) -> None:
    (tmp_path / precious).parent.mkdir(exist_ok=True)
    (tmp_path / precious).write_text("precious")
    with pytest.raises(PushWorldError, match=precious.partition("/")[0]):
        open_folder(tmp_path, restart=True)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / precious]


def test_a_restart_that_was_killed_can_be_repeated(folder: Path) -> None:
    (folder / RUNS).unlink()
    (folder / ".0123456789ab.partial").touch()
    with open_folder(folder, restart=True) as results:
        assert not results.runs
    assert not (folder / ".0123456789ab.partial").exists()


def test_what_is_no_results_folder_is_reported(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(ResultsError, match="holds no results"):
        read_results(tmp_path)
    (folder / SETTINGS).write_text(json.dumps({"settings": {}}))
    with pytest.raises(ResultsError, match="does not hold the settings"):
        read_results(folder)
    (tmp_path / "file").write_text("")
    with pytest.raises(PushWorldError, match=r"file cannot be written"):
        open_folder(tmp_path / "file")
