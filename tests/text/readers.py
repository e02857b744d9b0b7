"""Readers of the texts, written from what the texts say: each returns the puzzle that a text shows."""

from __future__ import annotations

import json
import re
from collections import defaultdict

from pushworld.puzzle import Position, Puzzle, PuzzleObject

Cells = dict[str, list[Position]]
"""The cells of ``A``, ``M1``, ``G1``, ``#`` and ``~``."""


def read_grid(text: str) -> Puzzle:
    columns, *lines = text.split("\n. :")[0].splitlines()
    rows = [line.split() for line in lines]
    assert columns.split() == [str(x) for x in range(len(rows[0]) - 1)]
    cells: Cells = defaultdict(list)
    for y, (number, *tokens) in enumerate(rows):
        assert number == str(y)
        for x, token in enumerate(tokens):
            for part in token.split("+"):
                cells[part].append((x, y))
    return puzzle_of(cells, len(rows[0]) - 1, len(rows))


def read_objects(text: str) -> Puzzle:
    size, *lines = text.splitlines()
    match = re.fullmatch(r"World: (\d+) columns .*, (\d+) rows .*", size)
    assert match is not None
    cells: Cells = defaultdict(list)
    keys = {"Walls": "border", "Walls inside the border": "#", "Agent walls": "~"}
    for line in lines:
        name, _, listed = line.partition(": ")
        key = keys.get(name) or name.split()[1]
        cells[key] = [(int(x), int(y)) for x, y in re.findall(r"\((\d+), (\d+)\)", listed)]
    return puzzle_of(cells, int(match[1]), int(match[2]))


def read_json(text: str) -> Puzzle:
    content = json.loads(text)
    cells: Cells = {"A": content["agent"], "#": content["walls"], "~": content["agent_walls"]}
    for each in content["objects"]:
        cells[each["id"]] = each["cells"]
        cells["G" + each["id"][1:]] = each.get("goal", [])
    pairs = {name: [(x, y) for x, y in listed] for name, listed in cells.items()}
    assert content["border"] == "wall"
    return puzzle_of(pairs, content["width"], content["height"])


READERS = {"grid": read_grid, "objects": read_objects, "json": read_json}


def puzzle_of(cells: Cells, width: int, height: int) -> Puzzle:
    objects = []
    for name in sorted(name for name in cells if re.fullmatch(r"A|M\d+", name)):
        thing = PuzzleObject.from_cells(name, cells[name])
        outline = cells.get("G" + name[1:]) if name != "A" else None
        goal = PuzzleObject.from_cells(name, outline) if outline else None
        assert goal is None or goal.shape == thing.shape
        objects.append(PuzzleObject.from_cells(name, cells[name], goal.start if goal else None))
    return Puzzle(width, height, tuple(objects), frozenset(cells["#"]), frozenset(cells["~"]))
