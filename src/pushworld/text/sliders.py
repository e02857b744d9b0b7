"""Interlocked sliders: puzzles far beyond drawn sizes, whose shortest plans grow with the number of parts as wished.

A slider is one object of cells that lie apart. It is up or down. Its handle is in a chamber at the end of a
corridor of its own, where the agent pushes it down or up. Other cells of it are gates in the corridors of other
sliders, each open in one of its positions. A cell in a slot of two keeps it from moving any other way. So
the gates alone decide in which order sliders move: like the bits of a Gray code, if slider k asks for slider
k - 1 down and all before up, which takes 2 ^ k moves of sliders.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import log2
from random import Random

from pushworld.puzzle import (
    Action,
    Position,
    Puzzle,
    PuzzleObject,
    Symmetry,
    format_plan,
    transform,
)

Gates = Mapping[int, bool]
"""The sliders that have gates in a corridor, and whether each must be down to open it."""


GROWTH: dict[str, Callable[[int], float]] = {
    "row": lambda length: length / 9,
    "chain": lambda length: (length / 5) ** 0.5,
    "counter": lambda length: log2(length) - 3.5,
}
"""About how many sliders of a kind have a plan of a given length: they grow linearly, quadratically, exponentially."""


def draw_sliders(kind: str, count: int, random: Random) -> tuple[Puzzle, str]:
    """Returns a puzzle of some sliders in random order, turned at random, and its shortest plan.

    The gates force the order in which sliders move, and there is one way between two handles; so no
    plan is shorter. In a row, the plan goes from one end to the other.

    Args:
        kind: one of `GROWTH`: ``row``, whose sliders do not depend on each other and all have goals;
            ``chain``, in which each needs the one before; ``counter``, the Gray code.
    """
    order = random.sample(range(count), count)
    gates: list[dict[int, bool]] = [{} for _ in range(count)]
    flips, decoys = order if kind == "row" else range(count), 0
    if kind != "row":
        decoys = random.choice((0, 0, 1, 2))
        for index in range(1, count):
            gates[index] = {decoys + index - 1: True}
            if kind == "counter":
                gates[index] |= {decoys + other: False for other in range(index - 1)}
        gates[-1] |= dict.fromkeys(range(decoys), False)
        gates = [{} for _ in range(decoys)] + gates
        order = random.sample(range(len(gates)), len(gates))
    if kind == "counter":
        flips = [(number & -number).bit_length() - 1 for number in range(1, 2 ** (count - 1) + 1)]
    goals = set(range(count)) if kind == "row" else {len(gates) - 1}
    built = _Sliders(gates, order, set(range(decoys)))
    plan = built.plan([decoys + flip for flip in flips])
    symmetry = random.choice(list(Symmetry))
    puzzle = transform(built.puzzle(goals, random), symmetry)
    return puzzle, format_plan(symmetry.apply_to_plan(plan))


class _Sliders:
    """Sliders, all of which are up at the start, and their world."""

    def __init__(self, gates: Sequence[Gates], order: Sequence[int], one_way: set[int]) -> None:
        """Builds the world.

        Args:
            gates: in the corridor of each slider.
            order: of the sliders from top to bottom.
            one_way: those that cannot be pushed up again, and close the way for good.
        """
        count = len(gates)
        columns = [3 + 3 * index if any(gates) else 3 for index in range(count)]
        tops = [1 + 5 * order.index(index) for index in range(count)]
        self.width, self.height = max(columns) + 4, 5 * count + 1
        self.start = (1, tops[order[0]] + 2)
        self.handles = [(column, top + 1) for column, top in zip(columns, tops, strict=True)]
        self.cells: list[set[Position]] = []
        self.free: set[Position] = {(1, y) for y in range(3, 5 * count - 1)}
        for column, top in zip(columns, tops, strict=True):
            self.free |= {(x, top + 2) for x in range(1, column)}
            self.free |= {(x, y) for x in (column - 1, column) for y in range(top, top + 4)}
            self.free |= (slot := {(column + 2, top + 1), (column + 2, top + 2)})
            self.cells.append({(column, top + 1), min(slot)})
        for index, needed in enumerate(gates):
            for other, down in needed.items():
                x, y = columns[other], tops[index] + (2 if down else 1)
                self.cells[other].add((x, y))
                self.free |= {(x, y), (x, y + 1)}
        for index in one_way:
            self.free.discard((columns[index], tops[index] + 3))

    def puzzle(self, goals: set[int], random: Random) -> Puzzle:
        """Returns the puzzle in which some sliders must go down; their names are drawn."""
        names = random.sample(range(1, len(self.cells) + 1), len(self.cells))
        things = []
        for index, number in enumerate(names):
            thing = PuzzleObject.from_cells(f"M{number}", self.cells[index])
            x, y = thing.start
            things.append(replace(thing, goal=(x, y + 1) if index in goals else None))
        things.sort(key=lambda thing: (thing.goal is None, int(thing.name[1:])))
        inside = {(x, y) for x in range(self.width) for y in range(self.height)}
        agent = PuzzleObject("A", ((0, 0),), self.start)
        return Puzzle(self.width, self.height, (agent, *things), frozenset(inside - self.free))

    def plan(self, flips: Sequence[int]) -> list[Action]:
        """Returns the moves that push these sliders one after another, each down or up as it can."""
        down = [False] * len(self.cells)
        place, moves = self.start, list[Action]()
        for flip in flips:
            taken = {(x, y + down[i]) for i, cells in enumerate(self.cells) for x, y in cells}
            x, y = self.handles[flip]
            moves += _walk(place, (x, y + 2 if down[flip] else y - 1), self.free - taken)
            moves.append(Action.UP if down[flip] else Action.DOWN)
            place = (x, y + down[flip])
            down[flip] = not down[flip]
        return moves


def _walk(start: Position, end: Position, free: set[Position]) -> list[Action]:
    """Returns a shortest walk over free cells."""
    ways: dict[Position, list[Action]] = {start: []}
    for place in (queue := [start]):
        if place == end:
            break
        for action in Action:
            there = place[0] + action.delta[0], place[1] + action.delta[1]
            if there in free and there not in ways:
                ways[there] = [*ways[place], action]
                queue.append(there)
    return ways[end]
