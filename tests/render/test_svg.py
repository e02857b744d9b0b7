"""Vector pictures, drawn again by a small rasteriser that knows nothing of cells."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.puzzle import Puzzle
from pushworld.render import RenderError, render_rgb, render_svg, states_of_plan
from tests.shared import needs_shared, published_puzzles
from tests.strategies import GRIDS, puzzles_on, small_puzzles

SVG = "{http://www.w3.org/2000/svg}"
Polygon = list[tuple[float, float]]


def polygons(data: str) -> list[Polygon]:
    """Returns the corners of each closed part of a path made of M, h, v and z."""
    parts: list[Polygon] = []
    for part in data.split("z")[:-1]:
        start, *moves = re.findall(r"[Mhv][-\d. ]+", part)
        x, y = map(float, start[1:].split())
        corners = [(x, y)]
        for move in moves:
            length = float(move[1:])
            x, y = (x + length, y) if move[0] == "h" else (x, y + length)
            corners.append((x, y))
        parts.append(corners)
    return parts


def rasterise(svg: str) -> np.ndarray:
    """Returns the picture: a pixel shows the last fill or stroke that covers its centre."""
    root = ElementTree.fromstring(svg)
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    assert root.attrib["viewBox"] == f"0 0 {width} {height}"
    half = float(root.attrib["stroke-width"]) / 2
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    image = np.zeros((height, width, 3), np.uint8)
    for path in root.iter(f"{SVG}path"):
        inside = np.zeros((height, width), bool)
        stroked = np.zeros((height, width), bool)
        for corners in polygons(path.attrib["d"]):
            for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
                if ax == bx:
                    inside ^= (min(ay, by) <= y) & (y < max(ay, by)) & (x >= ax)
                stroked |= (
                    (min(ax, bx) - half <= x)
                    & (x <= max(ax, bx) + half)
                    & (min(ay, by) - half <= y)
                    & (y <= max(ay, by) + half)
                )
        for mask, colour in ((inside, path.attrib["fill"]), (stroked, path.attrib["stroke"])):
            if colour != "none":
                image[mask] = tuple(bytes.fromhex(colour[1:]))
    return image


@given(
    small_puzzles | GRIDS["nested"].flatmap(puzzles_on),
    st.sampled_from(((20, 2), (3, 1), (7, 3), (8, 1))),
)
def test_it_shows_what_the_pixels_show(puzzle: Puzzle, sizes: tuple[int, int]) -> None:
    assert np.array_equal(
        rasterise(render_svg(puzzle, None, *sizes)), render_rgb(puzzle, None, *sizes)
    )


def test_it_shows_a_state() -> None:
    puzzle = Puzzle.parse("A M1 G1")
    solved = states_of_plan(puzzle, "R")[-1]
    assert np.array_equal(rasterise(render_svg(puzzle, solved)), render_rgb(puzzle, solved))


@needs_shared
@pytest.mark.parametrize("path", published_puzzles()[::10], ids=lambda path: path.stem)
def test_published_puzzle(path: Path) -> None:
    puzzle = Puzzle.load(path)
    assert np.array_equal(rasterise(render_svg(puzzle, None, 4)), render_rgb(puzzle, None, 4))


def test_one_path_for_each_thing_with_its_name() -> None:
    puzzle = Puzzle.parse(
        """
        M1  .   A  G1  .   M<&>
        .   M1  A  .   G1  M<&>
        AW  .   .  W   .   .
        """.strip()
    )
    root = ElementTree.fromstring(render_svg(puzzle))
    titles = [path.findtext(f"{SVG}title") for path in root.iter(f"{SVG}path")]
    background = agent_walls = walls = None
    assert titles == [background, agent_walls, walls, "A", "M1", "M<&>", "goal of M1"]


def test_outlines_are_as_short_as_can_be() -> None:
    assert 'd="M79 21v18h-58v-18z"' in render_svg(Puzzle.parse("A A A"))


def test_a_notebook_shows_the_puzzle() -> None:
    puzzle = Puzzle.parse("A M1 G1")
    assert vars(Puzzle)["_repr_svg_"](puzzle) == render_svg(puzzle)


def test_errors() -> None:
    puzzle = Puzzle.parse("A M1 G1")
    with pytest.raises(RenderError, match="use 1 to 9"):
        render_svg(puzzle, border_width=10)
    with pytest.raises(RenderError, match="outside the world"):
        render_svg(puzzle, ((9, 9), (1, 1)))
