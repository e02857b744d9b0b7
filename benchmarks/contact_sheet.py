"""Draws many puzzles on one picture.

    python benchmarks/contact_sheet.py classic docs/images/classic.png
    python benchmarks/contact_sheet.py DIR sheet.png --columns 6

Keep pictures with published puzzles to yourself.
"""

from pathlib import Path

from common import command_line, run_script
from PIL import Image, ImageDraw

from pushworld.datasets import load_set
from pushworld.files import make_folder
from pushworld.puzzle import Puzzle
from pushworld.render import render_rgb

MARGIN = 12
CAPTION = 16


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("sets", nargs="+", metavar="SET", help="or a folder")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--side", type=int, default=180, help="pixels for each puzzle")
    arguments = parser.parse_args()
    puzzles = [puzzle for each in arguments.sets for puzzle in load_set(each)]
    sheet = contact_sheet(puzzles, arguments.columns, arguments.side)
    make_folder(arguments.picture.parent)
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
    run_script(main)
