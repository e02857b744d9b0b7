"""Draws many puzzles on one picture.

    python benchmarks/contact_sheet.py classic docs/images/classic.png
    python benchmarks/contact_sheet.py DIR sheet.png --columns 6
    python benchmarks/contact_sheet.py ../shared/puzzles classic DIR blind.png --blind key.txt --each 12
    python benchmarks/contact_sheet.py --score guesses.txt --blind key.txt

`--blind` shuffles some puzzles of each set and numbers them. The key says in a file of its own which set each
is from: each line has a number and a set. Write your guesses in the same way before you read it; `--score`
then counts them. Keep pictures with published puzzles to yourself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from common import command_line, run_script
from PIL import Image, ImageDraw

from pushworld.datasets import load_set
from pushworld.puzzle import Puzzle
from pushworld.render import render_rgb

MARGIN = 12
CAPTION = 16


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("places", nargs="*", metavar="SET... PICTURE", help="sets, or folders")
    parser.add_argument("--columns", type=int, default=10)
    parser.add_argument("--side", type=int, default=180, help="pixels for each puzzle")
    parser.add_argument("--blind", type=Path, metavar="KEY", help="shuffle, and write the key here")
    parser.add_argument("--each", type=int, default=12, help="puzzles of each set (with --blind)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--score", type=Path, metavar="GUESSES", help="count guesses by the key")
    arguments = parser.parse_args()
    if arguments.score and arguments.blind:
        print(scores(read_sets(arguments.score), read_sets(arguments.blind)))
        return
    if len(arguments.places) < 2:
        parser.error("name the sets, and then the picture")
    *sets, picture = arguments.places
    if arguments.blind:
        puzzles, key = shuffled(sets, arguments.each, Random(arguments.seed))
        arguments.blind.write_text(key, encoding="utf-8")
    else:
        puzzles = [puzzle for each in sets for puzzle in load_set(each)]
    sheet = contact_sheet(puzzles, arguments.columns, arguments.side)
    Path(picture).parent.mkdir(parents=True, exist_ok=True)
    sheet.save(picture, optimize=True)


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


def read_sets(file: Path) -> dict[int, str]:
    """Returns the set of each number in a key or a file of guesses."""
    lines = [line.split() for line in file.read_text("utf-8").splitlines() if line.strip()]
    return {int(number): name for number, name, *_ in lines}


def scores(guesses: dict[int, str], key: dict[int, str]) -> str:
    """Returns for each set what its puzzles were taken for."""
    sets = list(dict.fromkeys(key.values()))
    rows = [f"{sum(guesses.get(n) == name for n, name in key.items())} of {len(key)} right"]
    for name in sets:
        taken = Counter(guesses.get(number, "-") for number, true in key.items() if true == name)
        rows.append(f"{name}: " + ", ".join(f"{count} for {each}" for each, count in taken.items()))
    return "\n".join(rows)


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
