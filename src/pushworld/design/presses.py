"""Presses: pieces that fill a mould exactly, and a bar that sweeps the hall below it.

Only the bar has a goal, so no planner sees how far the pieces have come. A press is made backwards from its packed
end: the bar is pulled back, then one piece after the other is pulled out to a place of its own. The moves in the
other direction are its plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pushworld.design.gadgets.rooms import moved
from pushworld.puzzle import Action, Position, Puzzle, PuzzleObject, Symmetry, transform
from pushworld.puzzle.free_space import neighbours
from pushworld.puzzle.model import border_cells

MARGIN = 2
"""The columns of the hall on either side of its mould."""

CORRIDOR = 2
"""The columns beside the hall: the agent's way from one side of the bar to the other, and a wall."""

LENGTHS = (2, 5)
SIZES = (3, 4)
"""How many cells the rods and the pieces of a jigsaw have."""

DEPTHS, ATTEMPTS = (2, 4), 50
"""The rows of a jigsaw, and how often one is tried."""

SPARE = (4, 8)
"""How many rows a hall has beyond the longest piece."""

LEAST_PIECES, MOST_PIECES = 4, 10
FARTHEST, LONGEST = 50, 250
"""The most actions for one piece, and for all of them."""

SPREAD = 4
"""By how many actions the way of a piece may be longer than the shortest one."""

CHOICES = 3
"""Of so many pieces that can be pulled out, the nearest is next."""


def press(random: Random, width: int, height: int) -> tuple[Puzzle, str] | None:
    """Returns a puzzle of at most this size inside, with a plan, or None if it does not fit."""
    most = width - CORRIDOR - 2 * MARGIN
    if most < LEAST_PIECES:
        return None
    mould, widest = random.choice(MOULDS)
    parts = mould(random, random.randint(LEAST_PIECES, min(most, widest)))
    if not LEAST_PIECES <= len(parts) <= MOST_PIECES:
        return None
    columns = 2 * MARGIN + 1 + max(x for part in parts for x, _ in part)
    depth = max(-y for part in parts for _, y in part)
    rows = max(len({y for _, y in part}) for part in parts) + random.randint(*SPARE)
    left, top = CORRIDOR + 1, depth + 1
    bottom, right = top + rows, left + columns
    if bottom + 1 > height:
        return None
    hall = {(x, y) for x in range(left, right) for y in range(top, bottom)}
    pieces = [moved(part, (left + MARGIN, top)) for part in parts]
    corridor = {(1, y) for y in range(top, bottom + 2)} | {(2, top), (2, bottom + 1)}
    bar = {(x, bottom) for x in range(left, right)}
    free = hall.union(*pieces, corridor, bar, moved(bar, (0, 1)))
    agent = random.choice(sorted(moved(bar, (0, 1))))
    unpacked = _unpacked(random, pieces, bar, agent, hall, free)
    if unpacked is None:
        return None
    agent, pieces, plan = unpacked
    world = {(x, y) for x in range(right + 1) for y in range(bottom + 3)}
    objects = [PuzzleObject("A", ((0, 0),), agent)]
    objects.append(PuzzleObject.from_cells("M1", bar, (left, top)))
    objects += [PuzzleObject.from_cells(f"M{n}", piece) for n, piece in enumerate(pieces, 2)]
    walls = border_cells(right + 1, bottom + 3) | world - free
    puzzle = Puzzle(right + 1, bottom + 3, tuple(objects), walls)
    symmetry = random.choice([each for each in Symmetry if each.value[1] == 0])
    letters = (action.letter for action in symmetry.apply_to_plan(plan + Action.UP.letter * rows))
    return transform(puzzle, symmetry), "".join(letters)


def _organ(random: Random, width: int) -> list[set[Position]]:
    """Returns rods beside each other: each belongs into the shaft of its length."""
    return _rods(random, range(0, width, 2), 1)


def _chimneys(random: Random, width: int) -> list[set[Position]]:
    """Returns rods that lie in shafts, one behind another: their lengths have to add up."""
    return _rods(random, range(0, width, 3), 3)


def _rods(random: Random, columns: range, most: int) -> list[set[Position]]:
    rods = []
    for x in columns:
        top = 0
        for _ in range(random.randint(1, most)):
            length = random.randint(*LENGTHS)
            rods.append({(x, y) for y in range(top - length, top)})
            top -= length
    return rods


def _jigsaw(random: Random, width: int) -> list[set[Position]]:
    """Returns pieces that fill a box, none if no attempt succeeds."""
    rows = random.randint(*DEPTHS)
    box = {(x, -y) for x in range(width) for y in range(1, rows + 1)}
    for _ in range(ATTEMPTS):
        left, parts = set(box), []
        while left:
            part = {min(left)}
            for _ in range(random.randint(*SIZES) - 1):
                part.add(random.choice(sorted(neighbours(part) & left - part) or [min(part)]))
            if len(part) < min(SIZES):
                break
            left -= part
            parts.append(part)
        else:
            return parts
    return []


MOULDS = ((_organ, 17), (_chimneys, 10), (_jigsaw, 8))
"""The kinds, and how wide they are at most."""


def _unpacked(
    random: Random,
    pieces: list[set[Position]],
    bar: set[Position],
    agent: Position,
    hall: set[Position],
    free: set[Position],
) -> tuple[Position, list[set[Position]], str] | None:
    """Pulls every piece into the hall, to another column, where it touches nothing.

    Returns where the agent and the pieces are then, with the plan that brings all of them back.
    """
    cells, plan = dict(enumerate(pieces)), ""
    inside = list(cells)
    while inside:
        options = []
        random.shuffle(inside)
        for number in inside:
            others = bar.union(*(piece for other, piece in cells.items() if other != number))
            apart = bar.union(*(cells[other] for other in cells if other not in inside))
            near = {(x + dx, y + dy) for x, y in apart for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
            ways: list[tuple[str, Position, set[Position]]] = []
            for way, start, (dx, dy) in _ways_back(agent, cells[number], free - others):
                if ways and len(way) > len(ways[0][0]) + SPREAD:
                    break
                place = moved(cells[number], (dx, dy))
                if dx and place <= hall - near:
                    ways.append((way, start, place))
            if ways:
                options.append((len(ways[0][0]), number, random.choice(ways)))
            if len(options) == CHOICES:
                break
        if not options or len(plan) > LONGEST:
            return None
        _, number, (way, agent, cells[number]) = min(options, key=lambda each: each[:2])
        inside.remove(number)
        plan = way + plan
    return agent, list(cells.values()), plan


def _ways_back(
    agent: Position, piece: set[Position], free: set[Position]
) -> Iterator[tuple[str, Position, Position]]:
    """Yields the plans that begin with a push and end here, the shortest first.

    With each come the cell of the agent at its beginning, and by how much the piece is moved there.
    """
    found = {(agent, (0, 0)): ""}
    states = list(found)
    for (x, y), (right, down) in states:
        plan = found[(x, y), (right, down)]
        if len(plan) == FARTHEST:
            return
        for action in Action:
            dx, dy = action.delta
            before = x - dx, y - dy
            pulls = (x + dx - right, y + dy - down) in piece
            for place in ((right, down), (right - dx, down - dy))[: 1 + pulls]:
                there = moved(piece, place)
                state = before, place
                if state in found or before not in free or before in there or not there <= free:
                    continue
                found[state] = action.letter + plan
                states.append(state)
                if place != (right, down):
                    yield found[state], *state
