"""``pushworld analyze`` and ``pushworld design`` as a user runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.puzzle import Puzzle
from tests.cli.running import run
from tests.waiting import PATIENCE, wait_until


def test_analyze_tells_what_a_puzzle_demands() -> None:
    told = run("analyze", "keyhole", "--effort", "quick")
    assert told.exit_code == 0
    assert "M2 tool" in told.out
    assert "tool-use" in told.out
    assert "15 actions, as few as any plan has" in told.out


def test_analyze_as_json() -> None:
    told = json.loads(run("analyze", "lid-last", "--effort", "quick", "--json").out)
    assert told["puzzle"] == "lid-last"
    assert told["goals"]["order_matters"] is True
    assert told["measures"]["plan"]["length"] == 18
    assert told["difficulty"]["level"] == 1
    assert "multiple-goals" in told["skills"]


def test_analyze_of_an_unsolvable_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "corner.pwp"
    file.write_text("M1 . .\n. A .\n. . G1\n")
    told = run("analyze", str(file))
    assert told.exit_code == 0
    assert "proved unsolvable" in told.out
    assert "level" not in told.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyze", "keyhole", "--effort", "heroic"), "no effort 'heroic'"),
        (("design", "--size", "wide", "-o", "DIR"), "'wide' is no size"),
        (("design", "--skill", "juggling", "-o", "DIR"), "no skill 'juggling'"),
        (("design", "--engine", "cloud", "-o", "DIR"), "no engine 'cloud'"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    told = run(*(str(tmp_path / "new") if each == "DIR" else each for each in arguments))
    assert told.exit_code == 2
    assert message in told.err
    assert len(told.err.strip().splitlines()) == 1


def test_design_writes_a_folder_and_continues(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    request = ("design", "--level", "1", "--size", "5x5", "--seed", "3", "--evaluations", "60")
    command = (*request, "--workers", "1", "--count", "1", "-o", str(folder), "--json")
    first = run(*command)
    assert first.exit_code == 0
    assert json.loads(first.out)["puzzles"] == 1
    again = json.loads(run(*command).out)
    assert again["there_before"] == 1
    assert Puzzle.load(folder / "level1-001.pwp").goal


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
def test_no_worker_outlives_a_design_that_is_ended(tmp_path: Path) -> None:
    """Schedulers end jobs with SIGTERM."""
    command = ("design", "--level", "4", "--size", "30x30", "--workers", "2", "-o")
    design = subprocess.Popen(
        [sys.executable, "-m", "pushworld", *command, str(tmp_path / "large")],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: len(_session(design.pid)) > 2)
    design.terminate()
    _, told = design.communicate(timeout=PATIENCE)
    assert design.returncode == 13
    assert "Traceback" not in told
    wait_until(lambda: not _session(design.pid))


def _session(leader: int) -> list[int]:
    """Returns the processes of a session that have not ended."""
    members = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            state = (path / "stat").read_text().rpartition(")")[2].split()[0]
            if os.getsid(int(path.name)) == leader and state != "Z":
                members.append(int(path.name))
        except OSError:
            pass
    return members
