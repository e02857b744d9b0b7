"""A small port of PushWorld, as an example: it reads questions of the checker and answers them.

python check.py python port.py
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

Cell = tuple[int, int]

DIRECTIONS = {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}


class RefusedError(Exception):
    """The puzzle is not valid."""


class World:
    """A puzzle: the cells of everything, and the positions of objects."""

    def __init__(self, text: str) -> None:
        rows = [line.split() for line in text.rstrip().split("\n")]
        width, height = len(rows[0]), len(rows)
        if not rows[0] or any(len(row) != width for row in rows):
            raise RefusedError
        cells: dict[str, set[Cell]] = {}
        for y, row in enumerate(rows, 1):
            for x, cell in enumerate(row, 1):
                for name in cell.upper().split("+") if cell != "." else []:
                    cells.setdefault(name, set()).add((x, y))
        if any(not re.fullmatch("A|W|AW|[MG].+", name) for name in cells):
            raise RefusedError
        border = {(x, y) for x in range(width + 2) for y in range(height + 2)}
        inside = {(x, y) for x in range(1, width + 1) for y in range(1, height + 1)}
        self.walls = cells.pop("W", set()) | (border - inside)
        self.agent_walls = cells.pop("AW", set())
        outlines = {"M" + name[1:]: cells.pop(name) for name in list(cells) if name[0] == "G"}
        if "A" not in cells or not set(outlines) <= set(cells):
            raise RefusedError
        self.state = {name: corner(each) for name, each in cells.items()}
        self.shapes = {name: moved(each, corner(each), -1) for name, each in cells.items()}
        self.goals = {name: corner(each) for name, each in outlines.items()}
        if any(
            moved(each, corner(each), -1) != self.shapes[name] for name, each in outlines.items()
        ):
            raise RefusedError
        taken = [cell for each in cells.values() for cell in each]
        if len(taken) > len(set(taken)) or self.walls & set(taken):
            raise RefusedError
        if cells["A"] & self.agent_walls:
            raise RefusedError

    def step(self, action: str) -> None:
        """Moves the agent and everything that it pushes, or nothing."""
        delta = DIRECTIONS[action]
        moving = ["A"]
        for name in moving:
            entered = moved(self.cells(name), delta)
            for other in self.state:
                if other not in moving and entered & self.cells(other):
                    moving.append(other)
        for name in moving:
            entered = moved(self.cells(name), delta)
            if entered & self.walls or (name == "A" and entered & self.agent_walls):
                return
        for name in moving:
            x, y = self.state[name]
            self.state[name] = x + delta[0], y + delta[1]

    def cells(self, name: str) -> set[Cell]:
        return moved(self.shapes[name], self.state[name])

    def achieved(self) -> list[str]:
        return sorted(name for name, goal in self.goals.items() if self.state[name] == goal)

    def solved(self) -> bool:
        return bool(self.goals) and len(self.achieved()) == len(self.goals)


def corner(cells: set[Cell]) -> Cell:
    """Returns the top-left corner of the box around cells."""
    return min(x for x, _ in cells), min(y for _, y in cells)


def moved(cells: set[Cell], by: Cell, times: int = 1) -> set[Cell]:
    return {(x + times * by[0], y + times * by[1]) for x, y in cells}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Returns the states before the first and after every action, and what is achieved in them."""
    try:
        world = World(question["puzzle"])
    except RefusedError:
        return {"refused": True}
    states, achieved = [world.state.copy()], [world.achieved()]
    for action in question["actions"]:
        world.step(action)
        states.append(world.state.copy())
        achieved.append(world.achieved())
    return {"states": states, "achieved": achieved, "solved": world.solved()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))))
