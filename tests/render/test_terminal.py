"""Text pictures: letters without colours, half blocks and coloured letters with them."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest

from pushworld.puzzle import Puzzle
from pushworld.render import RenderError, render_rgb, render_terminal, states_of_plan
from pushworld.render.terminal import play, supports_colour

PUZZLE = Puzzle.parse(
    """
    .  .  AW  AW+M10  G1+AW
    A  M1 G2  M2+G3   W
    .  .  M3  .       .
    """.strip()
)
Pixel = tuple[int, int, int]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def characters(text: str) -> list[list[tuple[str, Pixel | None, Pixel | None, bool]]]:
    """Returns the character, foreground, background and underline of each place of a screen."""
    screen = []
    for line in text.splitlines():
        foreground: Pixel | None = None
        background: Pixel | None = None
        underlined = False
        row = []
        for codes, character in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if character:
                row.append((character, foreground, background, underlined))
                continue
            colours = {
                kind: (int(red), int(green), int(blue))
                for kind, red, green, blue in re.findall(r"([34]8);2;(\d+);(\d+);(\d+)", codes)
            }
            assert codes.startswith("0")
            foreground, background = colours.get("38"), colours.get("48")
            underlined = codes.startswith("0;1;4;")
        assert (foreground, background) == (None, None), "colours leak into the next line"
        screen.append(row)
    return screen


def test_letters() -> None:
    assert (
        render_terminal(PUZZLE, colour=False)
        == """\
###################################
#####  .    .  ::::::M10:{ G1}#####
#####  A    M1 [ G2][ M2]##########
#####  .    .    M3   .    .  #####
###################################
"""
    )


def test_letters_follow_the_state_and_show_objects_on_goals() -> None:
    puzzle = Puzzle.parse("A M1 G1 W+G2 M2")
    solved = states_of_plan(puzzle, "R")[-1]
    assert (
        render_terminal(puzzle, solved, colour=False).splitlines()[1]
        == "#### .   A  [M1][##] M2 ####"
    )


@pytest.mark.parametrize(
    ("columns", "rows", "side"), [(80, 24, 8), (49, 24, 7), (80, 8, 3), (21, 99, 3)]
)
def test_half_blocks_show_the_pixels_as_large_as_fits(columns: int, rows: int, side: int) -> None:
    screen = characters(render_terminal(PUZZLE, columns=columns, rows=rows))
    image = render_rgb(PUZZLE, pixels_per_cell=side, border_width=1)
    upper = np.array([[place[1] for place in row] for row in screen])
    lower = [[place[2] for place in row] for row in screen]
    assert {place[0] for row in screen for place in row} == {"▀"}
    assert np.array_equal(upper, image[::2])
    if len(image) % 2:
        assert set(lower.pop()) == {None}
    assert np.array_equal(np.array(lower), image[1::2])


def test_a_tall_world_is_longer_than_the_screen_but_not_wider() -> None:
    lines = render_terminal(PUZZLE, columns=80, rows=2).splitlines()
    assert len(lines) == 8
    assert len(characters(lines[0] + "\n")[0]) == 3 * PUZZLE.width


def test_coloured_letters_where_blocks_are_too_wide() -> None:
    screen = characters(render_terminal(PUZZLE, columns=20))
    assert ["".join(place[0] for place in row) for row in screen] == [
        "              ",
        "        10 1  ",
        "   A 1 2 2    ",
        "       3      ",
        "              ",
    ]
    colours = np.array([[place[2] for place in row[::2]] for row in screen])
    centres = render_rgb(PUZZLE, pixels_per_cell=5, border_width=2)[2::5, 2::5]
    assert np.array_equal(colours, centres)
    underlined = [[place[3] for place in row[::2]] for row in screen]
    assert [(x, y) for y, row in enumerate(underlined) for x, mark in enumerate(row) if mark] == [
        (5, 1),
        (3, 2),
        (4, 2),
    ]


def test_colours_only_on_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert supports_colour(Terminal())
    assert not supports_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not supports_colour(Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not supports_colour(Terminal())


def test_playing_leaves_the_last_picture_and_the_screen_as_it_was() -> None:
    stream = Terminal()
    play(["one\n", "two\n"], stream, fps=1e6)
    shown = stream.getvalue()
    leaves = shown.index("\x1b[?1049l")
    assert shown.startswith("\x1b[?1049h")
    assert shown.index("one") < shown.index("two") < leaves
    assert shown.index("\x1b[?25h") < leaves
    assert shown[leaves:] == "\x1b[?1049ltwo\n"


def test_errors() -> None:
    with pytest.raises(RenderError, match="1 positions"):
        render_terminal(PUZZLE, ((1, 1),))
