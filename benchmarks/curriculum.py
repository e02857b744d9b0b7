"""Checks a curriculum and prints what is in it.

    pushworld generate curriculum --count 10000 -o curriculum
    python benchmarks/curriculum.py curriculum
    python benchmarks/curriculum.py curriculum --sheet sheet.png
    python benchmarks/curriculum.py curriculum --again 200

Every plan must solve its puzzle, and no test puzzle may be a training puzzle in any of its eight symmetric forms, by
comparing the drawings themselves. `--sheet` draws twelve puzzles of each level. `--again` makes some puzzles again, at equal
distances in the manifest, and prints how many are the same and what a draw costs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from contact_sheet import contact_sheet

from pushworld.design.curriculum import MANIFEST, draw
from pushworld.puzzle import Puzzle, Symmetry, crop, transform

SHOWN = 12
LEVELS = (1, 2, 3, 4)

Row = dict[str, Any]
Drawing = tuple[Any, ...]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sheet", type=Path, help="draw some puzzles of each level")
    parser.add_argument("--again", type=int, default=0, help="how many puzzles to make again")
    arguments = parser.parse_args()
    file = arguments.folder / MANIFEST
    manifest = file.read_bytes() if file.is_file() else b""
    rows = [json.loads(line) for line in manifest.splitlines()[1:]]
    if not rows:
        parser.error(
            f"{arguments.folder} has no puzzles: make some with `pushworld generate curriculum`"
        )
    puzzles = {row["name"]: Puzzle.load(arguments.folder / f"{row['name']}.pwp") for row in rows}
    print(f"{len(rows)} puzzles of {rows[-1]['draw'] + 1} draws")
    print(f"SHA-256 of the manifest: {hashlib.sha256(manifest).hexdigest()}")
    print_levels(rows)
    failed = [row["name"] for row in rows if not puzzles[row["name"]].validate(row["plan"])]
    shared = in_training(puzzles)
    print(f"plans that do not solve their puzzles: {len(failed)}")
    print(f"test puzzles that are training puzzles in some symmetric form: {len(shared)}")
    if arguments.sheet:
        chosen = [row["name"] for level in LEVELS for row in of_level(rows, level)[:SHOWN]]
        contact_sheet([puzzles[name] for name in chosen], SHOWN, 180).save(arguments.sheet)
    if arguments.again > 0:
        seed = json.loads(manifest.splitlines()[0])["seed"]
        make_again(rows[:: max(1, len(rows) // arguments.again)], seed)
    if failed or shared:
        sys.exit(1)


def of_level(rows: Iterable[Row], level: int) -> list[Row]:
    """Returns the rows of a level."""
    return [row for row in rows if row["level"] == level]


def print_levels(rows: list[Row]) -> None:
    """Prints how many puzzles each level has, and what they are like, as Markdown."""
    print(
        "| level | train | test | score | actions (least, median, most) | proved shortest | from |"
    )
    print("| --- | --: | --: | --- | --- | --: | --- |")
    for level in LEVELS:
        chosen = of_level(rows, level)
        if not chosen:
            continue
        scores, lengths = [row["score"] for row in chosen], [row["length"] for row in chosen]
        test = sum(row["name"].startswith("test/") for row in chosen)
        sources = Counter(row["source"] for row in chosen).most_common()
        print(
            f"| {level} | {len(chosen) - test:,} | {test:,} | {min(scores):.2f} to {max(scores):.2f} | "
            f"{min(lengths)}, {median(lengths):g}, {max(lengths)} | "
            f"{sum(row['optimal'] for row in chosen):,} | "
            f"{', '.join(f'{source} {number:,}' for source, number in sources)} |"
        )


def make_again(rows: list[Row], seed: int) -> None:
    """Prints how many rows a draw makes again as they are, and the CPU time of a draw by level."""
    same, seconds = 0, defaultdict[int, list[float]](list)
    for row in rows:
        began = time.process_time()
        again = draw(seed, row["draw"])
        seconds[row["level"]].append(time.process_time() - began)
        same += all(again.get(key) == row[key] for key in row if key != "name")
    print(f"made again: {same} of {len(rows)} are the same")
    for level, each in sorted(seconds.items()):
        print(f"level {level}: {mean(each):.2f} s of CPU time for a draw, mean of {len(each)}")


def in_training(puzzles: dict[str, Puzzle]) -> list[str]:
    """Returns the names of the test puzzles of which some symmetric form is a training puzzle."""
    train = {drawing(each) for name, each in puzzles.items() if name.startswith("train/")}
    return [
        name
        for name, puzzle in puzzles.items()
        if name.startswith("test/")
        and any(drawing(transform(puzzle, symmetry)) in train for symmetry in Symmetry)
    ]


def drawing(puzzle: Puzzle) -> Drawing:
    """Returns what one sees of a puzzle: its cells, and its objects without their names."""
    puzzle = crop(replace(puzzle, name=""))
    objects = sorted((thing.shape, thing.start, thing.goal or ()) for thing in puzzle.movables)
    agent = (puzzle.agent.shape, puzzle.agent.start)
    walls = (puzzle.walls, puzzle.agent_walls)
    return puzzle.width, puzzle.height, agent, tuple(objects), *walls


if __name__ == "__main__":
    main()
