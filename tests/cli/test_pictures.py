"""The commands `show` and `render`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from pushworld.puzzle import Puzzle
from pushworld.render import render_rgb, render_terminal, states_of_plan
from tests.cli.running import run

TEXT = "A M1 . G1"
PUZZLE = Puzzle.parse(TEXT)


@pytest.fixture
def maze(tmp_path: Path) -> str:
    """A puzzle file."""
    file = tmp_path / "maze.pwp"
    file.write_text(TEXT)
    return str(file)


def pushworld(*arguments: str | Path) -> tuple[int, str, str]:
    """Returns the exit code, output and errors of a command."""
    outcome = run(*map(str, arguments))
    return outcome.exit_code, outcome.out, outcome.err


def test_show(maze: str) -> None:
    code, out, _ = pushworld("show", maze)
    assert code == 0
    assert out.startswith("maze: 6 x 3 cells, 0 of 1 goals\n")
    assert render_terminal(PUZZLE, colour=False) in out
    assert "agent wall" in out.splitlines()[-1]


def test_show_in_colour(maze: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "50")
    code, out, _ = pushworld("show", maze, "--colour")
    assert code == 0
    assert out.endswith(render_terminal(PUZZLE, columns=100, rows=48))
    assert pushworld("show", maze, "--color")[1] == out


def test_show_the_state_after_a_plan(maze: str) -> None:
    first, second, third = states_of_plan(PUZZLE, "rr")
    _, out, _ = pushworld("show", maze, "--plan", "rr")
    assert "1 of 1 goals, step 2 of 2" in out
    assert render_terminal(PUZZLE, third, colour=False) in out
    _, out, _ = pushworld("show", maze, "--plan", "rr", "--step", "1")
    assert render_terminal(PUZZLE, second, colour=False) in out
    assert render_terminal(PUZZLE, third, colour=False) not in out
    _, out, _ = pushworld("show", maze, "--plan", "rr", "--animate")
    for state in (first, second, third):
        assert render_terminal(PUZZLE, state, colour=False) in out


def test_show_json(maze: str) -> None:
    code, out, _ = pushworld("show", maze, "--plan", "rr", "--json")
    assert code == 0
    assert json.loads(out) == {
        "puzzle": "maze",
        "width": 6,
        "height": 3,
        "plan": "RR",
        "state": {"A": [3, 1], "M1": [4, 1]},
        "goals": {"M1": [4, 1]},
        "achieved_goals": 1,
        "solved": True,
    }


def test_render(maze: str, tmp_path: Path) -> None:
    file = tmp_path / "state.png"
    options = ("--plan", "RR", "--step", "1", "--pixels-per-cell", "10", "--border", "3")
    code, out, _ = pushworld("render", maze, "-o", file, *options)
    assert (code, out) == (0, f"wrote {file}\n")
    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB"))
    assert np.array_equal(pixels, render_rgb(PUZZLE, states_of_plan(PUZZLE, "R")[-1], 10, 3))


def test_render_an_animation(maze: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.gif"
    options = ("--plan", "RR", "--smooth", "3", "--fps", "20", "--json")
    code, out, _ = pushworld("render", maze, "-o", file, *options)
    assert code == 0
    assert json.loads(out) == {"puzzle": "maze", "file": str(file), "plan": "RR"}
    with Image.open(file) as image:
        assert len(ImageSequence.all_frames(image)) == 7
        assert image.info["duration"] == 50


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("-o", "x.bmp"), "use .png, .svg, .gif or .mp4"),
        (("-o", "x.png", "--plan", "LZ"), "'Z' at position 2 of the plan is not an action"),
        (("-o", "x.png", "--plan", "L", "--step", "2"), "there is no step 2"),
        (("-o", "x.png", "--border", "10"), "use 1 to 9"),
        (("-o", "x.gif", "--fps", "90"), "at most 50"),
        ((), "Missing option '--output'"),
    ],
)
def test_mistakes(
    maze: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = pushworld("render", maze, *arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert "Traceback" not in err


def test_a_puzzle_that_is_not_there() -> None:
    code, _, err = pushworld("show", "no-such-puzzle")
    assert code == 2
    assert "no-such-puzzle" in err


def test_help_teaches_by_example() -> None:
    for command in ("show", "render"):
        code, out, _ = pushworld(command, "--help")
        assert code == 0
        assert f"pushworld {command} first-push" in out
