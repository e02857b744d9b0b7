"""Generated sets as folders, by the library and by the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pushworld.datasets import DataError, load_set
from pushworld.datasets.generated import LEVEL0_DISTRIBUTIONS, generate, generate_folder
from pushworld.datasets.generated.folder import MANIFEST
from pushworld.puzzle import PushWorldError
from tests.cli.running import run

BASE = LEVEL0_DISTRIBUTIONS["base"]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def make(folder: Path, count: int, seed: int = 1) -> None:
    generate_folder(folder, BASE, count, name="base", seed=seed, split="train")


def test_the_folder_holds_the_stream_and_what_it_came_from(tmp_path: Path) -> None:
    make(tmp_path / "set", 12)
    header, *rows = map(json.loads, (tmp_path / "set" / MANIFEST).read_text().splitlines())
    assert (header["seed"], header["split"], header["distribution"]["walls"]) == (
        1,
        "train",
        [3, 3],
    )
    puzzles = {puzzle.name: puzzle for puzzle in load_set(tmp_path / "set")}
    assert [row["name"] for row in rows] == [f"base-train-{i}" for i in range(12)]
    assert all(puzzles[row["name"]].validate(row["plan"]) for row in rows)
    expected = generate(BASE, 12, seed=1, split="train").puzzles()
    assert [puzzles[row["name"]] for row in rows] == expected


def test_going_on_gives_the_same_bytes(tmp_path: Path) -> None:
    make(tmp_path / "whole", 20)
    make(tmp_path / "parts", 7)
    manifest = tmp_path / "parts" / MANIFEST
    manifest.write_text(manifest.read_text() + '{"name": "base-train-7", "cand')
    make(tmp_path / "parts", 20)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_request_of_which_nothing_came_does_not_keep_its_folder(tmp_path: Path) -> None:
    make(tmp_path / "set", 0, seed=2)
    make(tmp_path / "set", 2)
    make(tmp_path / "other", 2)
    assert contents(tmp_path / "set") == contents(tmp_path / "other")


@pytest.mark.parametrize("left", ["", '{"format": 1, "na'])
def test_a_run_killed_while_it_began_leaves_nothing_in_the_way(left: str, tmp_path: Path) -> None:
    make(tmp_path / "whole", 2)
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / MANIFEST).write_text(left)
    make(tmp_path / "set", 2)
    assert contents(tmp_path / "set") == contents(tmp_path / "whole")


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no locks there")
def test_two_at_once_do_not_mix_in_a_folder(tmp_path: Path) -> None:
    def start_another(made: int) -> None:
        with pytest.raises(PushWorldError, match="another process is adding to"):
            make(tmp_path / "set", 300)
        reported.append(made)

    reported: list[int] = []
    generate_folder(
        tmp_path / "set", BASE, 300, name="base", seed=1, split="train", on_progress=start_another
    )
    assert reported == [256, 300]
    make(tmp_path / "alone", 300)
    assert contents(tmp_path / "set") == contents(tmp_path / "alone")


def test_a_manifest_that_is_no_text_is_damaged(tmp_path: Path) -> None:
    make(tmp_path / "set", 2)
    (tmp_path / "set" / MANIFEST).write_bytes(b"\xff\xfe")
    with pytest.raises(PushWorldError, match="is damaged"):
        make(tmp_path / "set", 3)


@pytest.mark.parametrize("name", ["", "a/b"])
def test_names_that_no_file_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="files cannot be called after"):
        generate_folder(tmp_path / "set", BASE, 1, name=name)
    assert not (tmp_path / "set").exists()


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    make(tmp_path / "set", 2)
    before = contents(tmp_path / "set")
    with pytest.raises(PushWorldError, match="with another seed: name another folder"):
        make(tmp_path / "set", 5, seed=2)
    assert contents(tmp_path / "set") == before
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    with pytest.raises(PushWorldError, match="not empty"):
        make(tmp_path / "other", 2)


@pytest.mark.parametrize("header", ["{}\n[]\n", "null\n", "3\n", "[" * 100_000 + "\n"])
def test_a_damaged_manifest_is_an_error(header: str, tmp_path: Path) -> None:
    make(tmp_path / "set", 2)
    (tmp_path / "set" / MANIFEST).write_text(header)
    with pytest.raises(PushWorldError, match="damaged"):
        make(tmp_path / "set", 5)


@pytest.mark.parametrize("row", ['{"hash": 3, "candidate": 1}', '{"hash": "x", "candidate": 1}'])
def test_a_damaged_row_is_an_error(row: str, tmp_path: Path) -> None:
    make(tmp_path / "set", 2)
    with (tmp_path / "set" / MANIFEST).open("a") as file:
        file.write(row + "\n")
    with pytest.raises(PushWorldError, match="damaged"):
        make(tmp_path / "set", 5)


def test_level0_on_the_command_line(tmp_path: Path) -> None:
    make(tmp_path / "expected", 6)
    outcome = run(
        *("generate", "level0", "base", "--count", "6", "--seed", "1", "--json"),
        *("-o", str(tmp_path / "made")),
    )
    assert outcome.exit_code == 0
    assert json.loads(outcome.out)["puzzles"] == 6
    assert contents(tmp_path / "made") == contents(tmp_path / "expected")


def test_custom_on_the_command_line(tmp_path: Path) -> None:
    outcome = run(
        *("generate", "custom", "--width", "6-7", "--height", "4", "--walls", "0-2"),
        *("--cells", "2", "--goals", "2", "--obstacles", "0", "--length", "8-60000"),
        *("--count", "5", "--name", "dominoes", "-o", str(tmp_path / "made")),
    )
    assert outcome.exit_code == 0, outcome.err
    puzzles = load_set(tmp_path / "made")
    assert [puzzle.name for puzzle in puzzles] == [f"dominoes-{i}" for i in range(5)]
    for puzzle in puzzles:
        assert puzzle.height == 6
        assert puzzle.width in (8, 9)
        assert [len(thing.shape) for thing in puzzle.objects] == [2, 2, 2]
        assert len(puzzle.goal) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("level0", "bass"), "there is no Level 0 set 'bass'"),
        (("level0", "base", "--split", "dev"), "there is no split 'dev'"),
        (("custom", "--walls", "some"), "'some' is no range"),
        (("custom", "--cells", "0"), "1 to 8 cells"),
    ],
)
def test_mistakes_are_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    outcome = run("generate", *arguments, "-o", str(tmp_path / "made"))
    assert outcome.exit_code == 2
    assert message in " ".join(outcome.err.split())
    assert not (tmp_path / "made").exists()
