"""The commands ``pushworld data list|import|download``, as a user runs them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pushworld.datasets import published_manifest
from pushworld.planners import solve
from pushworld.puzzle import Puzzle
from pushworld.web.catalogue import load_catalogue
from tests.cli.running import Outcome, run
from tests.datasets.server import hang_after, running, wrong_bytes
from tests.datasets.tiny import write_files
from tests.shared import SHARED, needs_shared, published_puzzles


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder of the test's own."""
    monkeypatch.setenv("PUSHWORLD_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("PUSHWORLD_MIRROR", raising=False)
    return tmp_path / "data"


def data(*arguments: str | Path) -> Outcome:
    """Returns what ``pushworld data`` with the arguments does."""
    outcome = run("data", *map(str, arguments))
    assert "Traceback" not in outcome.err
    return outcome


def data_json(*arguments: str | Path, exit_code: int = 0) -> Any:
    """Returns what the command prints with ``--json``."""
    outcome = data(*arguments, "--json")
    assert outcome.exit_code == exit_code
    return json.loads(outcome.out)


def test_list_shows_every_set_and_what_is_installed(data_folder: Path) -> None:
    shown = data("list")
    assert shown.exit_code == 0
    for words in ("bundled", "level1", "published", "level0/base/train", "223", "2000"):
        assert words in shown.out
    listed = data_json("list")
    assert listed["folder"] == str(data_folder)
    sets = {each["name"]: each for each in listed["sets"]}
    assert sets["bundled"]["installed"] == sets["bundled"]["total"] > 0
    assert [sets[f"level{level}"]["total"] for level in (1, 2, 3, 4)] == [68, 74, 67, 14]
    assert sets["published"]["installed"] == 0
    assert sets["published"]["total"] == 223


def test_list_shows_the_names_in_a_set() -> None:
    assert "first-push" in data("list", "bundled").out.splitlines()
    assert "first-push" in data_json("list", "bundled")["puzzles"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["list", "level9"], "there is no set 'level9'"),
        (["list", "bas"], "did you mean 'level0/base'"),
        (["list", "level1"], "level1 is not installed"),
        (["import", "no/such/path"], "does not exist"),
        (["download", "level9"], "there is no set 'level9'"),
        (["download", "--base-url", "nonsense"], "not an address"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], words: str) -> None:
    outcome = data(*arguments)
    assert outcome.exit_code == 2
    assert words in outcome.err
    assert not outcome.out


def test_an_import_of_wrong_files_says_so(tmp_path: Path) -> None:
    wrong = {entry.path: b"A M1 G1" for entry in published_manifest().of_levels(["level4"])}
    source = write_files(tmp_path / "sets [1]", wrong)
    outcome = data("import", source)
    assert outcome.exit_code == 1
    assert "0 installed, 0 already there, 14 wrong, 0 missing" in outcome.out
    assert "wrong: level4/" in outcome.err
    assert "sets [1]" in outcome.err
    assert "4 more" in outcome.err
    report = data_json("import", source, exit_code=1)
    assert not report["complete"]
    assert len(report["wrong"]) == 14


def test_a_download_of_wrong_or_absent_files_says_so() -> None:
    first, *_ = published_manifest().of_levels(["level4"])
    with running({first.path: b"A M1 G1"}) as server:
        server.misbehaviours[first.path] = [wrong_bytes]
        report = data_json("download", "level4", "--base-url", server.url, exit_code=1)
    assert [problem["path"] for problem in report["wrong"]] == [first.path]
    assert len(report["missing"]) == 13
    assert "404" in report["missing"][0]["reason"]


def test_the_mirror_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with running({}) as server:
        monkeypatch.setenv("PUSHWORLD_MIRROR", server.url)
        outcome = data("download", "base/train")
        assert server.requests == ["level0.zip"]
    assert outcome.exit_code == 1
    assert "missing: level0.zip" in outcome.err


def test_bundled_puzzles_need_no_download() -> None:
    outcome = data("download", "bundled")
    assert outcome.exit_code == 0
    assert outcome.out.startswith("0 installed")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals as POSIX has them")
def test_an_interrupt_says_how_to_continue(tmp_path: Path) -> None:
    program = "from pushworld.cli import main; main()"
    with running({"level0.zip": bytes(1000)}) as server:
        server.misbehaviours["level0.zip"] = [hang_after(100)]
        arguments = ["data", "download", "level0", "--base-url", server.url]
        process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            env={**os.environ, "PUSHWORLD_DATA": str(tmp_path)},
            stderr=subprocess.PIPE,
            text=True,
            # The test run itself may be in the background, where this signal is ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        server.asked.wait()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 13
    assert "run the same command to continue" in err
    assert "Traceback" not in err


@needs_shared
def test_the_published_puzzles_at_hand_are_imported() -> None:
    assert SHARED is not None
    absent = 223 - len(published_puzzles())
    report = data_json("import", SHARED / "puzzles", exit_code=1 if absent else 0)
    assert len(report["installed"]) == 224 - absent
    assert len(report["missing"]) == absent
    sets = {each["name"]: each for each in data_json("list")["sets"]}
    assert sets["published"]["installed"] == 223 - absent
    assert sets["level0/goals/test"]["installed"] == 200
    names = data("list", "goals/test").out.splitlines()
    assert names[-1] == "level0/goals/test/199"
    assert data("import", SHARED / "puzzles" / "level0.zip").exit_code == 0


@needs_shared
def test_level0_is_downloaded() -> None:
    assert SHARED is not None
    archive = (SHARED / "puzzles" / "level0.zip").read_bytes()
    with running({"level0.zip": archive}) as server:
        outcome = data("download", "level0", "--base-url", server.url)
    assert outcome.exit_code == 0
    assert outcome.out.startswith("1 installed, 0 already there, 0 wrong, 0 missing")


@needs_shared
def test_human_solutions_are_watched_and_validated(tmp_path: Path) -> None:
    assert SHARED is not None
    puzzle = SHARED / "puzzles/level1/Two Goals.pwp"
    plan = solve(Puzzle.load(puzzle)).plan
    assert plan is not None
    copy = {
        "level1/Two Goals.pwp": puzzle.read_bytes(),
        "level1/Two Goals.yaml": f"plan: {plan}\n".encode(),
    }
    imported = data_json("import", write_files(tmp_path / "copy", copy), exit_code=1)
    assert imported["human"] == ["level1/Two Goals"]
    picture = tmp_path / "two-goals.gif"
    rendered = run("render", "Two Goals", "--plan", "human", "-o", str(picture), "--json")
    assert json.loads(rendered.out)["plan"] == plan
    assert picture.is_file()
    assert run("validate", "Two Goals", str(tmp_path / "copy/level1/Two Goals.yaml")).exit_code == 0
    (record,) = load_catalogue(["level1"])[0].puzzles
    assert record["human"] == plan
    lacking = run("validate", "first-push", "human")
    assert lacking.exit_code == 2
    assert "data import" in lacking.err
