"""``pushworld analyze`` and ``pushworld design`` as a user runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.puzzle import Puzzle
from tests.cli.running import run
from tests.waiting import PATIENCE, wait_until


def test_analyze_tells_what_a_puzzle_demands() -> None:
    outcome = run("analyze", "keyhole", "--effort", "quick")
    assert outcome.exit_code == 0
    assert "M2 tool" in outcome.out
    assert "tool-use" in outcome.out
    assert "15 actions, as few as any plan has" in outcome.out
    assert re.search(r"quality +[0-9]+ of 100: roles 1\.00", outcome.out)


def test_analyze_as_json() -> None:
    shown = json.loads(run("analyze", "lid-last", "--effort", "quick", "--json").out)
    assert shown["puzzle"] == "lid-last"
    assert shown["goals"]["order_matters"] is True
    assert shown["measures"]["plan"]["length"] == 18
    assert shown["difficulty"]["level"] == 1
    assert "multiple-goals" in shown["skills"]
    assert shown["quality"]["roles"] == 1
    assert 0 < shown["quality"]["score"] <= 100


def test_analyze_of_an_unsolvable_puzzle(tmp_path: Path) -> None:
    file = tmp_path / "corner.pwp"
    file.write_text("M1 . .\n. A .\n. . G1\n")
    outcome = run("analyze", str(file))
    assert outcome.exit_code == 0
    assert "proved unsolvable" in outcome.out
    assert "level" not in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("analyze", "keyhole", "--effort", "heroic"), "no effort 'heroic'"),
        (("design", "--size", "wide", "-o", "DIR"), "'wide' is no size"),
        (("design", "--skill", "juggling", "-o", "DIR"), "no skill 'juggling'"),
        (("design", "--like", "keyhole", "--level", "3", "-o", "DIR"), "--like keeps the level"),
        (("design", "--states", "5", "-o", "DIR"), "need --against"),
        (("design", "--against", "rgd", "--level", "3", "-o", "DIR"), "leave out --level"),
        (("design", "--from", "no-drawing.pwp", "-o", "DIR"), "no-drawing"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    outcome = run(*(str(tmp_path / "new") if each == "DIR" else each for each in arguments))
    assert outcome.exit_code == 2
    assert message in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


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
def test_design_makes_a_puzzle_minimal_and_fills_a_sketch(tmp_path: Path) -> None:
    sketch = tmp_path / "sketch.pwp"
    sketch.write_text(". A . ? ? ? .\n. . M1 ? ? ? .\n. . . ? ? ? G1\n. . . ? ? ? .\n")
    folder = tmp_path / "filled"
    options = ("--level", "1", "--count", "1", "--evaluations", "40", "--workers", "1")
    assert run("design", "--from", str(sketch), *options, "-o", str(folder)).exit_code == 0
    filled = folder / "sketch-001.pwp"
    assert Puzzle.load(filled).goal
    small = tmp_path / "small"
    outcome = run("design", "--from", str(filled), "--minimal", "-o", str(small))
    assert outcome.out.startswith("1 puzzle in")
    before, after = Puzzle.load(filled), Puzzle.load(small / "minimal-001.pwp")
    assert len(after.movables) <= len(before.movables)
    assert after.width * after.height <= before.width * before.height


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
    _, shown = design.communicate(timeout=PATIENCE)
    assert design.returncode == 13
    assert "Traceback" not in shown
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
