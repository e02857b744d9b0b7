"""Every published puzzle at hand: read, written, read again, and walked at random."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pushworld.puzzle import Puzzle
from tests.engine.walking import assert_agreement
from tests.shared import level0_archive, needs_shared, published_puzzles

LEVEL0_SETS = ["base", "size", "walls", "obstacles", "shapes", "goals", "all"]
LEVEL0_SET_SIZE = 2000 + 200
LEVEL0_WALKED = 50


@needs_shared
@pytest.mark.parametrize(
    "path", published_puzzles(), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_published_puzzle(path: Path) -> None:
    puzzle = Puzzle.load(path)
    assert puzzle.name == path.stem
    assert puzzle.goal
    assert not puzzle.is_solved(puzzle.initial_state)
    assert_written_as_read(puzzle, path.read_text())
    assert_agreement(puzzle, Random(path.stem), steps=20)


@needs_shared
@pytest.mark.parametrize("level0_set", LEVEL0_SETS)
def test_level0(level0_set: str) -> None:
    with level0_archive() as archive:
        names = [
            name
            for name in archive.namelist()
            if name.startswith(f"level0/{level0_set}/") and name.endswith(".pwp")
        ]
        texts = {name: archive.read(name).decode() for name in names}
    puzzles = {name: Puzzle.parse(text, name) for name, text in texts.items()}
    assert len(puzzles) == LEVEL0_SET_SIZE
    for name in Random(0).sample(names, LEVEL0_WALKED):
        assert_written_as_read(puzzles[name], texts[name])
        assert_agreement(puzzles[name], Random(name), steps=10)


def assert_written_as_read(puzzle: Puzzle, text: str) -> None:
    """Writing gives the cells that were read, in any order of the ids of one cell and any case."""
    written = puzzle.to_pwp()
    assert Puzzle.parse(written) == puzzle
    assert cells_of(written) == cells_of(text)


def cells_of(text: str) -> list[list[set[str]]]:
    return [
        [set(cell.upper().split("+")) for cell in line.split()] for line in text.split("\n") if line
    ]
