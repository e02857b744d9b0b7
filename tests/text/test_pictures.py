"""Pictures show what the renderer shows, with labels that leave nothing open."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from PIL import Image

from pushworld.design.variants import from_state
from pushworld.puzzle import Plan, Puzzle
from pushworld.text import picture, tasks
from pushworld.text.pictures import LARGEST_CELL, READABLE_CELL, glyphs
from tests import strategies
from tests.text.picture_reader import read_picture


def pixels(puzzle: Puzzle, plan: Plan = ()) -> NDArray[np.uint8]:
    *_, state = puzzle.replay(plan)
    image = Image.open(BytesIO(picture(puzzle, state)))
    assert image.format == "PNG"
    return np.asarray(image)


def seen(puzzle: Puzzle) -> tuple[object, ...]:
    """Returns what a picture must tell: every object, goal and wall, with the names of the texts."""
    things = [(thing.cells_at(thing.start), thing.goal) for thing in puzzle.objects]
    inner = puzzle.walls | puzzle.agent_walls
    return (
        puzzle.width,
        puzzle.height,
        things,
        puzzle.walls,
        puzzle.agent_walls & inner - puzzle.walls,
    )


@given(puzzle=strategies.small_puzzles, plan=strategies.plans)
def test_a_program_that_knows_the_legend_reads_everything(puzzle: Puzzle, plan: Plan) -> None:
    *_, state = puzzle.replay(plan)
    assert seen(read_picture(picture(puzzle, state))) == seen(from_state(puzzle, state))


@pytest.mark.large
def test_pictures_of_the_evaluation_set_can_be_read() -> None:
    """Among them the largest worlds, whose cells have 16 pixels."""
    known = sorted(tasks("evaluation"), key=lambda task: -task.puzzle.width * task.puzzle.height)
    for task in (*known[:2], *known[100::100]):
        assert seen(read_picture(picture(task.puzzle))) == seen(task.puzzle)


@pytest.mark.parametrize("side", range(READABLE_CELL, LARGEST_CELL + 1, 2))
def test_labels_differ_at_every_size(side: int) -> None:
    labels = [f"{letter}{number}" for letter in "MG" for number in range(1, 21)]
    shapes = {glyphs(label, side - 2, side).tobytes() for label in labels}
    assert len(shapes) == len(labels)


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


@pytest.mark.parametrize(("columns", "side"), [(10, 48), (60, 24), (300, 5), (998, 3)])
def test_pictures_of_large_worlds_stay_small(columns: int, side: int) -> None:
    puzzle = Puzzle.parse(" ".join(["A", "M1", "G1", *["."] * (columns - 3)]))
    assert pixels(puzzle).shape == (4 * side, (columns + 3) * side, 3)
