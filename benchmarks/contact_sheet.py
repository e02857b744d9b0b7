"""Draws many puzzles on one picture.

python benchmarks/contact_sheet.py classic docs/images/classic.png
python benchmarks/contact_sheet.py DIR sheet.png --columns 6
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, ImageDraw

from pushworld.datasets import load_set
from pushworld.puzzle import Puzzle
from pushworld.render import render_rgb

MARGIN = 12
CAPTION = 16


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", help="the name of a set, or a folder")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--side", type=int, default=180, help="pixels for each puzzle")
    arguments = parser.parse_args()
    sheet = contact_sheet(load_set(arguments.set), arguments.columns, arguments.side)
    arguments.picture.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(arguments.picture, optimize=True)


def contact_sheet(puzzles: list[Puzzle], columns: int, side: int) -> Image.Image:
    """Returns a picture of the puzzles in rows, each with its name below."""
    rows = -(-len(puzzles) // columns)
    step_x, step_y = side + MARGIN, side + MARGIN + CAPTION
    size = (columns * step_x + MARGIN, rows * step_y + MARGIN)
    sheet = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(sheet)
    for index, puzzle in enumerate(puzzles):
        left = MARGIN + index % columns * step_x
        top = MARGIN + index // columns * step_y
        scale = max(3, side // max(puzzle.width, puzzle.height))
        picture = Image.fromarray(render_rgb(puzzle, pixels_per_cell=scale))
        place = left + (side - picture.width) // 2, top + (side - picture.height) // 2
        sheet.paste(picture, place)
        draw.text((left + side // 2, top + side + 2), puzzle.name, fill="black", anchor="ma")
    return sheet


if __name__ == "__main__":
    main()
