"""Pictures show what the renderer shows, with labels that leave nothing open."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from PIL import Image

from pushworld.puzzle import Plan, Puzzle
from pushworld.render import render_rgb
from pushworld.text import picture
from tests import strategies

SIDE = 32


def pixels(puzzle: Puzzle, plan: Plan = ()) -> NDArray[np.uint8]:
    *_, state = puzzle.replay(plan)
    image = Image.open(BytesIO(picture(puzzle, state)))
    assert image.format == "PNG"
    return np.asarray(image)


@given(puzzle=strategies.small_puzzles, plan=strategies.plans)
def test_pictures_differ_from_the_renderers_only_by_labels(puzzle: Puzzle, plan: Plan) -> None:
    *_, state = puzzle.replay(plan)
    changed = (pixels(puzzle, plan) != render_rgb(puzzle, state, SIDE)).any(axis=2)
    cells = changed.reshape(puzzle.height, SIDE, puzzle.width, SIDE).any(axis=(1, 3))
    outlines = Counter(
        cell for thing in puzzle.objects if thing.goal for cell in thing.cells_at(thing.goal)
    )
    labelled = set(outlines) | (puzzle.agent_walls - puzzle.walls)
    for thing, position in zip(puzzle.objects, state, strict=True):
        labelled |= thing.cells_at(position)
    found = {(x, y) for y, x in np.argwhere(cells).tolist()}
    assert found >= labelled
    if max(outlines.values(), default=0) <= 1:
        assert found == labelled, "only outlines on each other need more space than a cell"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "A M1 . M2\n. . . .\nG1 . . G2", "A M1 . M2\n. . . .\nG2 . . G1", id="which outline"
        ),
        pytest.param("A M1 . M2", "A M1 . M1", id="what belongs together"),
        pytest.param("A M1+AW .", "A M1 .", id="what is under an object"),
        pytest.param("A M1 M2 G1+G2", "A M1 M2+G2 G1", id="outlines on each other"),
    ],
)
def test_puzzles_that_look_alike_have_different_pictures(one: str, other: str) -> None:
    assert not np.array_equal(pixels(Puzzle.parse(one)), pixels(Puzzle.parse(other)))


@pytest.mark.parametrize(("columns", "side"), [(10, 32), (60, 24), (300, 5), (998, 3)])
def test_pictures_of_large_worlds_stay_small(columns: int, side: int) -> None:
    puzzle = Puzzle.parse(" ".join(["A", "M1", "G1", *["."] * (columns - 3)]))
    assert pixels(puzzle).shape == (3 * side, (columns + 2) * side, 3)
