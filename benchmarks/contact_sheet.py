"""Draws many puzzles on one picture.

    python benchmarks/contact_sheet.py classic docs/images/classic.png
    python benchmarks/contact_sheet.py DIR sheet.png --columns 6
    python benchmarks/contact_sheet.py ../shared/puzzles classic DIR blind.png --blind key.txt --each 12

`--blind` shuffles some puzzles of each set and numbers them. The key says in a file of its own which set each
is from, so that you can guess first and count afterwards. Keep pictures with published puzzles to yourself.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from random import Random

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
    parser.add_argument("sets", nargs="+", metavar="SET", help="names of sets, or folders")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--side", type=int, default=180, help="pixels for each puzzle")
    parser.add_argument("--blind", type=Path, metavar="KEY", help="shuffle, and write the key here")
    parser.add_argument("--each", type=int, default=12, help="puzzles of each set (with --blind)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.blind:
        puzzles, key = shuffled(arguments.sets, arguments.each, Random(arguments.seed))
        arguments.blind.write_text(key, encoding="utf-8")
    else:
        puzzles = [puzzle for each in arguments.sets for puzzle in load_set(each)]
    sheet = contact_sheet(puzzles, arguments.columns, arguments.side)
    arguments.picture.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(arguments.picture, optimize=True)


def shuffled(sets: list[str], each: int, random: Random) -> tuple[list[Puzzle], str]:
    """Returns some puzzles of each set, mixed and named by numbers, and the key to the numbers."""
    drawn = []
    for name in sets:
        puzzles = load_set(name)
        drawn += [(name, puzzle) for puzzle in random.sample(puzzles, min(each, len(puzzles)))]
    random.shuffle(drawn)
    key = "".join(
        f"{number} {name} {puzzle.name}\n" for number, (name, puzzle) in enumerate(drawn, start=1)
    )
    numbered = [replace(puzzle, name=str(n)) for n, (_, puzzle) in enumerate(drawn, start=1)]
    return numbered, key


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
