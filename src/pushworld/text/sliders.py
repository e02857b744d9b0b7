"""Interlocked sliders: puzzles far beyond drawn sizes, whose shortest plans grow with the number of parts as wished.

A slider is one object of cells that lie apart. It is up or down. Its handle is in a chamber at the end of a
corridor of its own, where the agent pushes it down or up. Other cells of it are gates in the corridors of other
sliders, each open in one of its positions. A cell in a slot of two keeps it from moving any other way. So
the gates alone decide in which order sliders move: like the bits of a Gray code, if slider k asks for slider
k - 1 down and all before up, which takes 2 ^ k moves of sliders.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import log2
from random import Random
from typing import Any

from pushworld.puzzle import (
    Action,
    Plan,
    Position,
    Puzzle,
    PuzzleObject,
    Symmetry,
    format_plan,
    transform,
)
from pushworld.text.description import moved_labels

Gates = Mapping[int, bool]
"""The sliders that have gates in a corridor, and whether each must be down to open it."""


GROWTH: dict[str, Callable[[int], float]] = {
    "row": lambda length: length / 9,
    "chain": lambda length: (length / 5) ** 0.5,
    "counter": lambda length: log2(length) - 3.5,
}
"""About how many sliders of a kind have a plan of a given length: they grow linearly, quadratically, exponentially."""

GOAL_SKILLS = ("multiple-goals", "path-planning", "manipulation-planning")
"""What a second goal demands, whose slider opens the way to the last one and must return."""

TOOL_SKILLS = ("tool-use", "assembly")
"""What tools of a last slider demand: one, and two of which the agent pushes one with the other."""


def draw_sliders(kind: str, count: int, random: Random) -> tuple[Puzzle, str, dict[str, Any]]:
    """Returns a puzzle of some sliders in random order, turned at random, its shortest plan, and what else
    follows from its construction, as fields of `pushworld.text.Task`.

    The gates force the order in which sliders move, and there is one way between two handles; so no
    plan is shorter. In a row, the plan goes from one end to the other. Some last sliders are out of reach of
    the agent, who pushes them with one tool or two in a line.

    Args:
        kind: one of `GROWTH`: ``row``, whose sliders do not depend on each other and all have goals;
            ``chain``, in which each needs the one before; ``counter``, the Gray code. Of the last two, the
            slider before the last may have to return.
    """
    order = random.sample(range(count), count)
    gates: list[dict[int, bool]] = [{} for _ in range(count)]
    flips, decoys, last = order, 0, order[-1]
    goals, skills = dict.fromkeys(order, True), list[str]()
    if kind != "row":
        decoys = random.choice((0, 1, 2))
        for index in range(1, count):
            gates[index] = {decoys + index - 1: True}
            if kind == "counter":
                gates[index] |= {decoys + other: False for other in range(index - 1)}
        gates[-1] |= dict.fromkeys(range(decoys), False)
        gates = [{} for _ in range(decoys)] + gates
        order = random.sample(range(len(gates)), len(gates))
        last = len(gates) - 1
        returns = random.random() < 0.5
        goals = {last: True} | ({last - 1: False} if returns else {})
        skills = ["movable-obstacle"] if count > 1 + returns else []  # it has no goal
        skills += GOAL_SKILLS if returns else ()
        flips = [*range(count), *[count - 2] * returns]
        if kind == "counter":
            most = 3 * 2 ** (count - 2) if returns else 2 ** (count - 1)
            flips = [(number & -number).bit_length() - 1 for number in range(1, most + 1)]
    tools = random.choice((0, 1, 2))
    skills += TOOL_SKILLS[:tools]
    built = _Sliders(gates, order, set(range(decoys)), last, tools)
    pushed = [decoys + flip for flip in flips]
    plan, walk, dead_after = built.plan(pushed), list[Action](), None
    if decoys:  # a walk leaves the plan for a trap, or for the first slider, which can return
        begun = pushed[: random.randint(0, pushed.index(last))]
        if random.random() < 0.5:
            begun.append(random.randrange(decoys))
            dead_after = len(built.plan(begun))
        walk = built.plan([*begun, *[decoys] * random.randint(1, 3)])
    symmetry = random.choice(list(Symmetry))
    puzzle = transform(built.puzzle(goals, random), symmetry)
    turned = symmetry.apply_to_plan(plan)
    facts = {
        "skills": tuple(skills),
        "walk": format_plan(symmetry.apply_to_plan(walk)),
        "dead_after": dead_after,
        "pushes": _first_pushes(puzzle, turned),
    }
    return puzzle, format_plan(turned), facts


class _Sliders:
    """Sliders, all of which are up at the start, and their world."""

    def __init__(
        self, gates: Sequence[Gates], order: Sequence[int], one_way: set[int], last: int, tools: int
    ) -> None:
        """Builds the world.

        Args:
            gates: in the corridor of each slider.
            order: of the sliders from top to bottom.
            one_way: those that cannot be pushed up again, and close the way for good.
            last: the slider that tools push.
            tools: in its chamber, which two more rows make room for.
        """
        count, self.tooled = len(gates), last if tools else None
        columns = [3 + 3 * index if any(gates) else 3 for index in range(count)]
        tops = [1 + 5 * order.index(index) for index in range(count)]
        if tools:
            tops = [top + 2 if top >= tops[last] else top for top in tops]
        self.width, self.height = max(columns) + 4, max(tops) + 5
        self.start = (1, min(tops) + 2)
        self.handles = [(column, top + 1) for column, top in zip(columns, tops, strict=True)]
        self.cells: list[set[Position]] = []
        self.free: set[Position] = {(1, y) for y in range(min(tops) + 2, max(tops) + 3)}
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
        self.agent_walls, self.tools = set[Position](), list[set[Position]]()
        if tools:  # the agent cannot stand where it would push the handle
            x, y = columns[last], tops[last]
            self.free |= {(x, y - 1), (x, y - 2), (x - 1, y - 1), (x - 1, y - 2)}
            self.agent_walls = {(x, y)}
            self.tools = [{(x, y), (x, y - 1)}] if tools == 1 else [{(x, y)}, {(x, y - 1)}]

    def puzzle(self, goals: Mapping[int, bool], random: Random) -> Puzzle:
        """Returns the puzzle in which some sliders must end down (True) or up; names are drawn."""
        count = len(self.cells)
        names = random.sample(range(1, count + len(self.tools) + 1), count + len(self.tools))
        things = []
        for index, (number, cells) in enumerate(
            zip(names, [*self.cells, *self.tools], strict=True)
        ):
            thing = PuzzleObject.from_cells(f"M{number}", cells)
            x, y = thing.start
            goal = (x, y + goals[index]) if index in goals else None
            things.append(replace(thing, goal=goal))
        things.sort(key=lambda thing: (thing.goal is None, int(thing.name[1:])))
        inside = {(x, y) for x in range(self.width) for y in range(self.height)}
        agent = PuzzleObject("A", ((0, 0),), self.start)
        walls = frozenset(inside - self.free)
        return Puzzle(self.width, self.height, (agent, *things), walls, frozenset(self.agent_walls))

    def plan(self, flips: Sequence[int]) -> list[Action]:
        """Returns the moves that push these sliders one after another, each down or up as it can."""
        down = [False] * len(self.cells)
        place, moves = self.start, list[Action]()
        filled = set[Position]().union(*self.tools)
        for flip in flips:
            taken = {(x, y + down[i]) for i, cells in enumerate(self.cells) for x, y in cells}
            x, y = self.handles[flip]
            above = y - 3 if flip == self.tooled else y - 1
            moves += _walk(place, (x, y + 2 if down[flip] else above), self.free - taken - filled)
            moves.append(Action.UP if down[flip] else Action.DOWN)
            place = (x, y + 1 if down[flip] else above + 1)
            down[flip] = not down[flip]
            if flip == self.tooled:
                filled = {(x, y + 1) for x, y in filled}
        return moves


def _first_pushes(puzzle: Puzzle, plan: Plan) -> tuple[str, ...]:
    """Returns the objects that a plan pushes first, and where to."""
    for action, (before, after) in zip(plan, pairwise(puzzle.replay(plan)), strict=True):
        if len(labels := moved_labels(puzzle, before, after)) > 1:
            return tuple(f"{label} {Action(action).letter}" for label in sorted(labels[1:]))
    return ()


def _walk(start: Position, end: Position, free: set[Position]) -> list[Action]:
    """Returns a shortest walk over free cells."""
    steps = [(action, action.delta) for action in Action]
    came: dict[Position, tuple[Position, Action] | None] = {start: None}
    for x, y in (queue := [start]):
        if (x, y) == end:
            break
        for action, (dx, dy) in steps:
            if (there := (x + dx, y + dy)) in free and there not in came:
                came[there] = ((x, y), action)
                queue.append(there)
    moves = []
    while last := came[end]:
        end, action = last
        moves.append(action)
    return moves[::-1]
