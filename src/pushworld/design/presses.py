"""Presses: pieces that fill a mould exactly, and a bar that sweeps the hall below it.

Only the bar has a goal, so no planner sees how far the pieces have come. A press is made backwards from its packed
end: the bar is pulled back, then one piece after the other is pulled out to a place of its own. The moves in the
other direction are its plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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

HOLES, HEIGHTS = 2, (1, 3)
"""The columns of a sorter's pieces, and their heights."""

HALLS = (2, 6)
"""How many more columns than its longest piece a hall has whose mould is beside it."""

BOXES, DEPTHS, TOOTH, ATTEMPTS = (5, 8), (2, 4), 2, 50
"""The columns and rows of a jigsaw, the longest tooth of its lid, and how often one is tried."""

SPARE = (4, 8)
"""How many rows a hall has beyond the longest piece and the longest tooth of the bar."""

LEAST_PIECES, MOST_PIECES = 5, 8
FARTHEST, LONGEST = 50, 180
"""The most actions for one piece, and for all of them."""

SPREAD = 4
"""By how many actions the way of a piece may be longer than the shortest one."""

CHOICES = 3
"""The nearest of this many pieces that can be pulled out is next."""


@dataclass(frozen=True)
class Mould:
    """What the pieces fill, above a hall or at its right. The cell (0, 0) is the hall's first one.

    Attributes:
        columns: of the hall.
        parts: the cells of the pieces at the end.
        teeth: the lengths of the teeth that the bar has in some columns.
    """

    columns: int
    parts: list[set[Position]]
    teeth: dict[int, int] = field(default_factory=dict)


def press(random: Random, width: int, height: int, kind: str = "") -> tuple[Puzzle, str] | None:
    """Returns a puzzle of at most this size inside, with a plan, or None if it does not fit.

    Args:
        kind: a name of `MOULDS`; any if there is none.
    """
    mould = MOULDS[kind or random.choice(list(MOULDS))](random, width - CORRIDOR)
    parts, columns = mould.parts, mould.columns
    if not LEAST_PIECES <= len(parts) <= MOST_PIECES:
        return None
    cells = set().union(*parts)
    depth, over = max(0, -min(y for _, y in cells)), max(columns, *(x + 1 for x, _ in cells))
    rows = max(len({y for _, y in part}) for part in parts) + random.randint(*SPARE)
    rows = max(rows + max(mould.teeth.values(), default=0), 2 + max(y for _, y in cells))
    left, top = CORRIDOR + 1, depth + 1
    bottom, right = top + rows, left + columns
    world_right = left + over
    if bottom + 1 > height or world_right > width + 1:
        return None
    hall = {(x, y) for x in range(left, right) for y in range(top, bottom)}
    pieces = [moved(part, (left, top)) for part in parts]
    corridor = {(1, y) for y in range(top, bottom + 2)} | {(2, top), (2, bottom + 1)}
    row = {(x, bottom) for x in range(left, right)}
    bar = row | {
        (left + x, bottom - n) for x, length in mould.teeth.items() for n in range(length + 1)
    }
    free = hall.union(*pieces, corridor, row, moved(row, (0, 1)), moved(bar, (0, -rows)))
    agent = random.choice(sorted(moved(row, (0, 1))))
    unpacked = _unpacked(random, pieces, bar, agent, hall, free)
    if unpacked is None:
        return None
    agent, pieces, plan = unpacked
    world = {(x, y) for x in range(world_right + 1) for y in range(bottom + 3)}
    high = min(y for _, y in bar)
    objects = [PuzzleObject("A", ((0, 0),), agent)]
    objects.append(PuzzleObject.from_cells("M1", bar, (left, high - rows)))
    objects += [PuzzleObject.from_cells(f"M{n}", piece) for n, piece in enumerate(pieces, 2)]
    walls = border_cells(world_right + 1, bottom + 3) | world - free
    puzzle = Puzzle(world_right + 1, bottom + 3, tuple(objects), walls)
    upright = (Symmetry.IDENTITY, Symmetry.ROTATE_180, Symmetry.FLIP_X, Symmetry.FLIP_Y)
    symmetry = random.choice(upright)
    letters = (action.letter for action in symmetry.apply_to_plan(plan + Action.UP.letter * rows))
    return transform(puzzle, symmetry), "".join(letters)


def _spaced(random: Random, room: int, wide: int, least: int = LEAST_PIECES + 1) -> range:
    """Returns the first columns of shafts of a width, at least `least` of them, with walls between them."""
    most = min(MOST_PIECES, (room - 2 * MARGIN + 1) // (wide + 1))
    shafts = random.randint(least, max(least, most))
    return range(MARGIN, MARGIN + shafts * (wide + 1), wide + 1)


def _above(parts: list[set[Position]], teeth: dict[int, int] | None = None) -> Mould:
    """Returns a mould in the middle above a hall."""
    return Mould(MARGIN + 1 + max(x for part in parts for x, _ in part), parts, teeth or {})


def _rod(x: int, low: int, length: int) -> set[Position]:
    return {(x, low - n) for n in range(1, length + 1)}


def _organ(random: Random, room: int) -> Mould:
    """Rods beside each other: each belongs into the shaft of its length."""
    return _above([_rod(x, 0, random.randint(*LENGTHS)) for x in _spaced(random, room, 1)])


def _key(random: Random, room: int) -> Mould:
    """Rods in shafts of one depth: each belongs above the tooth that leaves it as much room as it needs."""
    lengths = {x: random.randint(*LENGTHS) for x in _spaced(random, room, 1, LEAST_PIECES)}
    teeth = {x: LENGTHS[1] - length for x, length in lengths.items()}
    return _above([_rod(x, -teeth[x], length) for x, length in lengths.items()], teeth)


def _chimneys(random: Random, room: int) -> Mould:
    """Rods that lie in shafts, one behind another: their lengths have to add up."""
    rods = []
    for x in _spaced(random, room, 2, 2):
        low = 0
        for _ in range(random.randint(1, 3)):
            rods.append(_rod(x, low, random.randint(*LENGTHS)))
            low -= len(rods[-1])
    return _above(rods)


def _sorter(random: Random, room: int) -> Mould:
    """Pieces of several columns: each belongs into the hole of its shape."""
    return _above(
        [
            set().union(*(_rod(x + n, 0, random.randint(*HEIGHTS)) for n in range(HOLES)))
            for x in _spaced(random, room, HOLES)
        ]
    )


def _jigsaw(random: Random, room: int, most: int = 0) -> Mould:
    """Pieces that fill a box, but for the teeth of the bar, if it has any."""
    width, rows = random.randint(*BOXES), random.randint(*DEPTHS)
    teeth = {MARGIN + x: random.randint(0, most) for x in range(width)} if most else {}
    box = {(MARGIN + x, -y) for x in range(width) for y in range(1, rows + most + 1)}
    box -= set().union(*(_rod(x, 0, length) for x, length in teeth.items()))
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
            return Mould(width + 2 * MARGIN, parts, teeth)
    return Mould(0, [])


def _lid(random: Random, room: int) -> Mould:
    """The same with a bar whose outline fits the pieces."""
    return _jigsaw(random, room, TOOTH)


def _beside(kind: MakeMould) -> MakeMould:
    """Returns the kind with its mould at the right of the hall: the bar pushes no piece into it."""

    def made(random: Random, room: int) -> Mould:
        parts = kind(random, room).parts
        high = max((len({y for _, y in part}) for part in parts), default=0)
        columns = high + random.randint(*HALLS)
        turned = [{(columns - 1 - y, x - MARGIN + 1) for x, y in part} for part in parts]
        return Mould(columns, turned)

    return made


MakeMould = Callable[[Random, int], Mould]

MOULDS: dict[str, MakeMould] = {
    "organ": _organ,
    "key": _key,
    "chimneys": _chimneys,
    "sorter": _sorter,
    "jigsaw": _jigsaw,
    "lid": _lid,
    "drawers": _beside(_organ),
    "pigeonholes": _beside(_sorter),
}
"""The kinds by name."""


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
                if dx and dy and place <= hall - near:
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
    covered: dict[Position, set[Position]] = {}
    steps = [(action.letter, *action.delta) for action in Action]
    for (x, y), (right, down) in states:
        plan = found[(x, y), (right, down)]
        if len(plan) == FARTHEST:
            return
        for letter, dx, dy in steps:
            before = x - dx, y - dy
            if before not in free:
                continue
            pulls = (x + dx - right, y + dy - down) in piece
            for place in ((right, down), (right - dx, down - dy))[: 1 + pulls]:
                state = before, place
                if state in found:
                    continue
                if place not in covered:
                    there = moved(piece, place)
                    covered[place] = there if there <= free else set()
                if not covered[place] or before in covered[place]:
                    continue
                found[state] = letter + plan
                states.append(state)
                if place != (right, down):
                    yield found[state], *state
