"""Pixel pictures, drawn by hand: each letter is a pixel, small letters are borders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from pushworld.puzzle import Puzzle, pad
from pushworld.render import Painter, RenderError, render_rgb, states_of_plan
from tests.strategies import small_puzzles

COLOURS = {
    ".": "FFFFFF",
    "W": "0A0A0A",
    "w": "050505",
    "Y": "FAC71E",
    "y": "7D640F",
    "A": "00DC00",
    "a": "006E00",
    "M": "469BFF",
    "m": "23487F",
    "R": "DC0000",
    "r": "6E0000",
    "g": "B90000",
}
LETTERS = {colour: letter for letter, colour in COLOURS.items()}


def letters(image: np.ndarray) -> list[str]:
    """Returns the rows of a picture, one letter a pixel."""
    return ["".join(LETTERS[pixel.tobytes().hex().upper()] for pixel in row) for row in image]


def interior(text: str, pixels_per_cell: int = 3) -> list[str]:
    """Returns the picture of a puzzle without the wall around it."""
    image = render_rgb(Puzzle.parse(text.strip()), pixels_per_cell=pixels_per_cell)
    cell = slice(pixels_per_cell, -pixels_per_cell)
    return letters(image[cell, cell])


def test_a_whole_world() -> None:
    assert letters(render_rgb(Puzzle.parse("A"), pixels_per_cell=3)) == [
        "wwwwwwwww",
        "wWWWWWWWw",
        "wWwwwwwWw",
        "wWwaaawWw",
        "wWwaAawWw",
        "wWwaaawWw",
        "wWwwwwwWw",
        "wWWWWWWWw",
        "wwwwwwwww",
    ]


def test_default_size_and_border() -> None:
    image = render_rgb(Puzzle.parse("A ."))
    assert image.shape == (3 * 20, 4 * 20, 3)
    assert image.dtype == np.uint8
    assert letters(image[20:40, 20:60]) == [
        *["a" * 20 + "." * 20] * 2,
        *["aa" + "A" * 16 + "aa" + "." * 20] * 16,
        *["a" * 20 + "." * 20] * 2,
    ]


def test_inner_edges_are_not_drawn_and_borders_turn_inner_corners() -> None:
    text = """
    M1 .  A
    M1 M1 A
    """
    assert interior(text) == [
        "mmm...aaa",
        "mMm...aAa",
        "mMm...aAa",
        "mMmmmmaAa",
        "mMMMMmaAa",
        "mmmmmmaaa",
    ]


def test_neighbours_keep_their_own_borders() -> None:
    assert interior("M1 M2 A") == [
        "mmmmmmaaa",
        "mMmmMmaAa",
        "mmmmmmaaa",
    ]


def test_a_ring_has_a_border_inside() -> None:
    text = """
    M1 M1 M1
    M1 A  M1
    M1 M1 M1
    """
    assert interior(text) == [
        "mmmmmmmmm",
        "mMMMMMMMm",
        "mMmmmmmMm",
        "mMmaaamMm",
        "mMmaAamMm",
        "mMmaaamMm",
        "mMmmmmmMm",
        "mMMMMMMMm",
        "mmmmmmmmm",
    ]


def test_cells_of_one_object_that_touch_at_a_corner() -> None:
    text = """
    M1 .
    A  M1
    """
    assert interior(text) == [
        "mmm...",
        "mMm...",
        "mmm...",
        "aaammm",
        "aAamMm",
        "aaammm",
    ]


def test_objects_stand_over_agent_walls() -> None:
    assert interior("AW AW+M1 AW A") == [
        "yyymmmyyyaaa",
        "yYYmMmYYyaAa",
        "yyymmmyyyaaa",
    ]


def test_walls_stand_over_agent_walls() -> None:
    assert interior("A . AW+W .")[1] == "aAa...wWw..."


def test_goals_are_outlines_over_everything() -> None:
    text = """
    M1 M1 .  G1 G1
    M1 .  .  G1 .
    A  .  .  .  .
    """
    assert interior(text)[:6] == [
        "rrrrrr...gggggg",
        "rRRRRr...g....g",
        "rRrrrr...g.gggg",
        "rRr......g.g...",
        "rRr......g.g...",
        "rrr......ggg...",
    ]
    assert interior("M1 A+G1 .") == ["rrrggg...", "rRrgAg...", "rrrggg..."]
    assert interior("M1 A W+G1")[1] == "rRraAagWg"
    assert interior("M1 A AW+G1") == ["rrraaaggg", "rRraAagYg", "rrraaaggg"]
    assert interior("M1+G1 A") == ["gggaaa", "gRgaAa", "gggaaa"]
    assert interior("M2+G1 A M1") == ["gggaaarrr", "gMgaAarRr", "gggaaarrr"]


def test_border_width() -> None:
    image = render_rgb(Puzzle.parse("A"), pixels_per_cell=7, border_width=3)
    assert letters(image[7:14, 7:14]) == [*["aaaaaaa"] * 3, "aaaAaaa", *["aaaaaaa"] * 3]
    narrow = render_rgb(Puzzle.parse("A"), pixels_per_cell=4)
    assert letters(narrow[4:8, 4:8]) == ["aaaa", "aAAa", "aAAa", "aaaa"]


def test_a_state_after_actions() -> None:
    puzzle = Puzzle.parse("A M1 .")
    state = states_of_plan(puzzle, "R")[-1]
    image = render_rgb(puzzle, state, pixels_per_cell=3)
    assert letters(image[3:6, 3:12]) == ["...aaammm", "...aAamMm", "...aaammm"]


def test_objects_on_their_way() -> None:
    puzzle = Puzzle.parse("A M1 .")
    before, after = states_of_plan(puzzle, "R")
    painter = Painter(puzzle, pixels_per_cell=3)
    halfway = painter.indices(before, after, 1 / 3)
    assert np.array_equal(halfway[3:6, 4:10], painter.indices(before)[3:6, 3:9])
    assert np.array_equal(painter.indices(before, after, 1.0), painter.indices(after))


@given(small_puzzles)
def test_an_observation_is_the_picture_as_floats(puzzle: Puzzle) -> None:
    width, height = puzzle.width + 3, puzzle.height + 2
    seen = Painter(pad(puzzle, width, height), 3, 1).floats()
    padded = render_rgb(pad(puzzle, width, height), pixels_per_cell=3, border_width=1)
    assert seen.dtype == np.float32
    assert np.array_equal(seen, padded.astype(np.float32) / 255)
    assert 0 <= seen.min() <= seen.max() <= 1


def test_a_painter_paints_every_state_afresh() -> None:
    puzzle = Puzzle.parse("A M1 . .")
    painter = Painter(puzzle, pixels_per_cell=3)
    for state in states_of_plan(puzzle, "RRLL"):
        assert np.array_equal(painter.rgb(state), render_rgb(puzzle, state, pixels_per_cell=3))


@pytest.mark.parametrize(
    ("sizes", "problem"),
    [
        ({"pixels_per_cell": 2}, "2 pixels per cell are too few .* use 3 or more"),
        ({"pixels_per_cell": 5, "border_width": 3}, "border of 3 pixels .* use 1 to 2"),
        ({"border_width": 0}, "border of 0 pixels .* use 1 to 9"),
        ({"pixels_per_cell": 10_000}, "too large: use at most 2886 pixels per cell"),
    ],
)
def test_sizes_that_make_no_picture(sizes: dict[str, Any], problem: str) -> None:
    with pytest.raises(RenderError, match=problem):
        render_rgb(Puzzle.parse("A ."), **sizes)


def test_states_that_make_no_picture() -> None:
    puzzle = Puzzle.parse("A M1 .")
    with pytest.raises(RenderError, match="1 positions, but the puzzle has 2 objects"):
        render_rgb(puzzle, ((1, 1),))
    for outside in ((-1, 1), (5, 1), (1, 3)):
        with pytest.raises(RenderError, match=r"M1 at .* is outside the world"):
            render_rgb(puzzle, ((1, 1), outside))
