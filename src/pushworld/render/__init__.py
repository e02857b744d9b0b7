"""Pictures of puzzles: arrays, PNG, SVG, GIF and MP4 files, and text for terminals."""

import os
from collections.abc import Iterable
from pathlib import Path

from pushworld.files import write_text
from pushworld.puzzle import Puzzle, State
from pushworld.render.animation import Timing, write_gif, write_mp4, write_png
from pushworld.render.raster import (
    DEFAULT_PIXELS_PER_CELL,
    Painter,
    RenderError,
    render_rgb,
    states_of_plan,
)
from pushworld.render.svg import render_svg
from pushworld.render.terminal import render_terminal

__all__ = [
    "Painter",
    "RenderError",
    "Timing",
    "render_rgb",
    "render_svg",
    "render_terminal",
    "save_picture",
    "states_of_plan",
]


def save_picture(
    path: str | os.PathLike[str],
    puzzle: Puzzle,
    state: State | None = None,
    plan: str | Iterable[int] = "",
    *,
    pixels_per_cell: int = DEFAULT_PIXELS_PER_CELL,
    border_width: int | None = None,
    timing: Timing | None = None,
) -> None:
    """Writes a picture of a state or a plan, in the format that the suffix of the file names.

    Args:
        path: the file: ``.png`` or ``.svg`` for a state, ``.gif`` or ``.mp4`` for a plan.
        state: the state to show or to start from, or None for the initial one.
        plan: actions to play from there; PNG and SVG show the state after the last one.
        pixels_per_cell: the side of a cell, at least 3.
        border_width: the width of borders; 2 if not given, or 1 where cells are smaller than 5.
        timing: how a plan plays.

    Raises:
        RenderError: if the suffix is another, or the picture cannot be made as asked.
        PushWorldError: if the file cannot be written.
    """
    path = Path(path)
    states = states_of_plan(puzzle, plan, state)
    match path.suffix.lower():
        case ".png":
            write_png(path, Painter(puzzle, pixels_per_cell, border_width), states[-1])
        case ".svg":
            write_text(path, render_svg(puzzle, states[-1], pixels_per_cell, border_width))
        case ".gif" | ".mp4":
            write = write_gif if path.suffix.lower() == ".gif" else write_mp4
            painter = Painter(puzzle, pixels_per_cell, border_width)
            write(path, painter, states, timing or Timing())
        case other:
            raise RenderError(
                f"{path}: pictures cannot be written as {other or 'a file without a suffix'}: "
                "use .png, .svg, .gif or .mp4"
            )
