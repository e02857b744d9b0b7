"""A small port of PushWorld, as an example: it reads questions of the checker and answers them.

python check.py python port.py
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

Cell = tuple[int, int]

DIRECTIONS = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}


class World:
    """The cells of everything; raises ValueError if the puzzle is not valid."""

    def __init__(self, text: str) -> None:
        rows = [line.split() for line in text.rstrip().split("\n")]
        width, height = len(rows[0]), len(rows)
        if not rows[0] or any(len(row) != width for row in rows):
            raise ValueError("rows must be of one length")
        cells: dict[str, set[Cell]] = {}
        for y, row in enumerate(rows, 1):
            for x, cell in enumerate(row, 1):
                for name in cell.upper().split("+") if cell != "." else []:
                    cells.setdefault(name, set()).add((x, y))
        if any(not re.fullmatch("A|W|AW|[MG].+", name) for name in cells):
            raise ValueError("an id is not known")
        border = {(x, y) for x in range(width + 2) for y in range(height + 2)}
        inside = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
        self.walls = cells.pop("W", set()) | (border - inside)
        self.agent_walls = cells.pop("AW", set())
        outlines = {"M" + name[1:]: cells.pop(name) for name in list(cells) if name[0] == "G"}
        if "A" not in cells or not set(outlines) <= set(cells):
            raise ValueError("the agent or the object of a goal is missing")
        if any(shape(each) != shape(cells[name]) for name, each in outlines.items()):
            raise ValueError("a goal is of another shape than its object")
        taken = [cell for each in cells.values() for cell in each]
        if len(taken) > len(set(taken)) or self.walls & set(taken):
            raise ValueError("two objects overlap, or one stands in a wall")
        if cells["A"] & self.agent_walls:
            raise ValueError("the agent stands in an agent wall")
        self.objects = cells
        self.goals = {name: corner(each) for name, each in outlines.items()}

    def step(self, action: str) -> None:
        """Moves the agent and everything that it pushes, or nothing."""
        delta = DIRECTIONS[action]
        moving = ["A"]
        for name in moving:
            entered = moved(self.objects[name], delta)
            if entered & self.walls or (name == "A" and entered & self.agent_walls):
                return
            for other in self.objects:
                if other not in moving and entered & self.objects[other]:
                    moving.append(other)
        for name in moving:
            self.objects[name] = moved(self.objects[name], delta)

    def state(self) -> dict[str, Cell]:
        return {name: corner(each) for name, each in self.objects.items()}


def corner(cells: set[Cell]) -> Cell:
    """Returns the top-left corner of the box around cells."""
    return min(x for x, _ in cells), min(y for _, y in cells)


def shape(cells: set[Cell]) -> set[Cell]:
    """Returns cells from the corner of their box."""
    x, y = corner(cells)
    return moved(cells, (-x, -y))


def moved(cells: set[Cell], by: Cell) -> set[Cell]:
    return {(x + by[0], y + by[1]) for x, y in cells}


def told(states: Sequence[Mapping[str, Any]], goals: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the answer: the states before the first and after every action, and what is achieved in them."""
    reached = [sorted(name for name in goals if state[name] == goals[name]) for state in states]
    solved = bool(goals) and len(reached[-1]) == len(goals)
    return {"states": states, "achieved": reached, "solved": solved}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    try:
        world = World(question["puzzle"])
    except ValueError:
        return {"refused": True}
    states = [world.state()]
    for action in question["actions"]:
        world.step(action)
        states.append(world.state())
    return told(states, world.goals)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))))
