"""``pushworld info``, ``validate`` and ``transform``, and what all commands have in common."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pushworld
from pushworld.cli.arguments import complete_puzzle
from pushworld.puzzle import Puzzle, Symmetry, crop, pad, transform
from tests.cli.running import run

TEXT = """\
A  .  M1   G1  .
.  W  M2   G2  AW
.  W  Mx   Mx  .
"""
PUZZLE = Puzzle.parse(TEXT)


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "yard.pwp"
    file.write_text(TEXT)
    return str(file)


def test_version_and_help() -> None:
    assert run("--version").out == f"pushworld {pushworld.__version__}\n"
    text = run("--help").out
    for word in ("info", "validate", "transform", "--install-completion", "10 unsolvable"):
        assert word in text
    for command in ("info", "validate", "transform"):
        outcome = run(command, "--help")
        assert outcome.exit_code == 0
        assert f"pushworld {command} " in outcome.out


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "pushworld", "info", "no-such-puzzle"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "no-such-puzzle" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_info(path: str) -> None:
    outcome = run("info", path)
    assert outcome.exit_code == 0
    for words in ("yard", "7 x 5 cells", "2 cells inside", "1 cells", "goal object", "(3, 1)"):
        assert words in outcome.out


def test_info_as_json(path: str) -> None:
    facts = json.loads(run("info", path, "--json").out)
    assert {key: facts[key] for key in ("puzzle", "width", "height", "goals")} == {
        "puzzle": "yard",
        "width": 7,
        "height": 5,
        "goals": 2,
    }
    assert facts["walls"] == 2
    assert facts["agent_walls"] == 1
    assert [thing["name"] for thing in facts["objects"]] == ["A", "M1", "M2", "Mx"]
    assert facts["objects"][1] == {
        "name": "M1",
        "role": "goal object",
        "width": 1,
        "height": 1,
        "shape": [[0, 0]],
        "start": [3, 1],
        "goal": [4, 1],
        "positions": 13,
    }
    assert [thing["positions"] for thing in facts["objects"]] == [12, 13, 13, 8]
    assert facts["log10_states_at_most"] == pytest.approx(4.21, abs=0.01)


def test_info_on_a_bundled_puzzle_and_a_sandbox(tmp_path: Path) -> None:
    assert "skills:" in run("info", "first-push").out
    sandbox = tmp_path / "sandbox.pwp"
    sandbox.write_text("A M1 .")
    assert "none, a sandbox" in run("info", str(sandbox)).out


def test_info_draws_names_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "[bold]odd.pwp"
    file.write_text("A M[red] G[red]")
    outcome = run("info", str(file))
    assert "[bold]odd" in outcome.out
    assert "M[red]" in outcome.out


def test_info_tells_what_the_package_knows_of_its_own_puzzles() -> None:
    shown = run("info", "cradle").out.splitlines()
    assert shown[1].startswith("Cradle: ")
    assert shown[2].startswith("skills: manipulation-planning, ")
    assert shown[3] == "level 1; best plan known: 16 actions, as few as any plan has"


def test_validate(path: str, tmp_path: Path) -> None:
    solvable = tmp_path / "easy.pwp"
    solvable.write_text("A M1 G1")
    valid = run("validate", str(solvable), "r")
    assert (valid.exit_code, valid.out) == (0, "valid: 1 action, 1 of 1 goals achieved\n")

    outcome = run("validate", path, "RRUU")
    assert outcome.exit_code == 1
    assert outcome.out.splitlines() == [
        "not valid: 4 actions, 1 of 2 goals achieved",
        "  M2 ends at (3, 2), its goal is (4, 2)",
        "  2 without effect: actions 3, 4",
    ]


def test_validate_as_json(path: str) -> None:
    outcome = run("validate", path, "-", "--json", stdin="RR\nU\n")
    assert outcome.exit_code == 1
    assert json.loads(outcome.out) == {
        "puzzle": "yard",
        "plan": "RRU",
        "valid": False,
        "length": 3,
        "goals": 2,
        "achieved": ["M1"],
        "missing": ["M2"],
        "without_effect": [3],
        "final_state": {"A": [3, 1], "M1": [4, 1], "M2": [3, 2], "Mx": [3, 3]},
    }


def test_a_plan_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    assert run("solve", "first-push", "-o", str(file)).exit_code == 0
    assert run("validate", "first-push", str(file)).exit_code == 0
    shown = run("show", "first-push", "--plan", str(file), "--json")
    assert json.loads(shown.out)["solved"]


def test_a_plan_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "plan.txt"
    file.write_bytes(b"\xff\xfe")
    outcome = run("validate", "first-push", str(file))
    assert (outcome.exit_code, outcome.err) == (
        2,
        f"error: the plan {file} cannot be read: it is not text\n",
    )


def test_letters_are_a_plan_even_if_a_file_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("RRRR").write_text("L")
    assert run("validate", "first-push", "RRRR").exit_code == 0


def test_a_sandbox_has_no_valid_plan(tmp_path: Path) -> None:
    file = tmp_path / "sandbox.pwp"
    file.write_text("A M1 .")
    outcome = run("validate", str(file), "R")
    assert (outcome.exit_code, outcome.out) == (
        1,
        "not valid: 1 action, the puzzle has no goals\n",
    )


@pytest.mark.parametrize("symmetry", Symmetry)
def test_transform(path: str, symmetry: Symmetry) -> None:
    outcome = run("transform", path, "--symmetry", symmetry.name.lower().replace("_", "-"))
    assert outcome.exit_code == 0
    assert Puzzle.parse(outcome.out) == transform(PUZZLE, symmetry)


def test_transform_pads_and_crops_into_a_file(path: str, tmp_path: Path) -> None:
    padded, cropped = tmp_path / "padded.pwp", tmp_path / "cropped.pwp"
    assert run("transform", path, "--pad", "20x10", "-o", str(padded)).exit_code == 0
    assert Puzzle.load(padded) == pad(PUZZLE, 20, 10)
    outcome = run("transform", str(padded), "--crop", "-o", str(cropped))
    assert outcome.out == f"wrote {cropped}\n"
    assert Puzzle.load(cropped) == crop(PUZZLE) == PUZZLE


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["info", "no-such-puzzle"], "no-such-puzzle"),
        (["info", "no-such-file.pwp"], "no-such-file.pwp"),
        (["info", "[bold]x[/nothing]"], "[bold]x[/nothing]"),
        (["validate", "PATH", "LLQ"], "'Q' at position 3"),
        (["transform", "PATH", "--pad", "big"], "'big' is no size"),
        (["transform", "PATH", "--pad", "3x3"], "does not fit"),
        (["transform", "PATH", "--pad", "99999x99999"], "each side must be 3 to 1000"),
        (["transform", "PATH", "-o", "no/such/folder/x.pwp"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(path: str, arguments: list[str], words: str) -> None:
    outcome = run(*[path if argument == "PATH" else argument for argument in arguments])
    assert outcome.exit_code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert words in outcome.err


def test_a_broken_file_is_reported_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "broken.pwp"
    file.write_text(".  .\nA  Q\n")
    outcome = run("info", str(file))
    assert outcome.exit_code == 2
    assert f"{file}, line 2, column 4: unknown id 'Q'" in outcome.err


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["info"], ["transform", "x", "--symmetry", "sideways"]]
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    outcome = run(*arguments)
    assert outcome.exit_code == 2
    assert "Traceback" not in outcome.err


def test_completion_knows_names_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("first-room").mkdir()
    Path("first-try.pwp").touch()
    Path("first-notes.txt").touch()
    assert complete_puzzle("first-") == ["first-push", "first-room/", "first-try.pwp"]
