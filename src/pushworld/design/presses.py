"""Presses: pieces that fill a mould exactly, and a bar that sweeps the hall beside it.

The bar locks the one small object that has a goal, and opens the lock when it has swept the hall. So nothing tells a
planner how far the pieces have come. A press is made backwards from its packed end: the bar is pulled back, then
one piece after the other is pulled out to a place of its own. The moves in the other direction are its plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from pushworld.design.gadgets.rooms import moved
from pushworld.puzzle import Action, Position, Puzzle, PuzzleObject, Symmetry, transform
from pushworld.puzzle.free_space import neighbours

MARGIN = 2
"""The columns of the hall on either side of its mould."""

CORRIDOR = 2
"""The columns beside the hall: the agent's way from one side of the bar to the other, and a wall."""

LENGTHS = (2, 5)
SIZES = (3, 4)
"""How many cells the rods and the pieces of a jigsaw have."""

HOLES, HEIGHTS = 2, (1, 3)
"""The columns of a sorter's pieces, and their heights."""

HALLS = (4, 8)
"""How many more columns than its longest piece a hall has whose mould is beside it."""

BOXES, DEPTHS, TOOTH, ATTEMPTS = (6, 9), (1, 5), 2, 50
"""The columns of a jigsaw and their depths, the longest tooth of its lid, and how often one is tried."""

BESIDE, BESIDE_TOO = (3, 4), (1, 2)
"""How many holes each side of a hall has, and if there are others above it."""

SPARE = (3, 8)
"""How many rows a hall has beyond the longest piece and the longest tooth of the bar."""

LEAST_PIECES, MOST_PIECES, LEAST_ABOVE = 6, 9, 4
"""How many pieces a press has, and the fewest shafts above a hall."""

FARTHEST, LONGEST = 50, 180
"""The most actions for one piece, and for all of them."""

SPREAD = 4
"""By how many actions the way of a piece may be longer than the shortest one."""

CHOICES = 3
"""The nearest of this many pieces that can be pulled out is next."""


@dataclass(frozen=True)
class Mould:
    """What the pieces fill, above a hall or beside it. The cell (0, 0) is the hall's first one.

    Attributes:
        columns: of the hall.
        parts: the cells of the pieces at the end.
        teeth: the lengths of the teeth that the bar has in some columns.
    """

    columns: int
    parts: list[set[Position]]
    teeth: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Lock:
    """What the bar opens when it is at the hall's first row: the way of a small object, the key, to its goal.

    Attributes:
        key, goal: their cells; the agent pushes the key to the right.
        of_bar: what the bar has more, when it is pulled back.
        bolt: the cells of an object that the bar moves, if there is one.
        room: cells that what moves needs.
        agent_walls: where only the bar goes.
    """

    key: Position
    goal: Position
    of_bar: set[Position]
    bolt: set[Position] = field(default_factory=set)
    room: set[Position] = field(default_factory=set)
    agent_walls: set[Position] = field(default_factory=set)

    @property
    def things(self) -> set[Position]:
        """The cells of its objects."""
        return {self.key} | self.bolt

    @property
    def cells(self) -> set[Position]:
        """What is no wall."""
        return self.things | self.room | {self.goal}


def _bolt(rows: int) -> Lock:
    """A tail of the bar is the bolt: it lies before the key until the bar is at the first row."""
    tail = {(1, rows + n) for n in range(1, rows + 2)}
    return Lock((0, rows + 2), (2, rows + 2), tail)


def _plunger(rows: int) -> Lock:
    """A tooth of the bar goes through a narrow place and lifts the bolt off the goal."""
    tooth = {(1, rows - n) for n in range(1, TOOTH + 1)}
    bolt = {(x, -TOOTH) for x in (0, 1)}
    narrow = {(1, -n) for n in range(1, TOOTH)}
    return Lock((-1, -TOOTH), (0, -TOOTH), tooth, bolt, moved(bolt, (0, -1)) | narrow, narrow)


def press(random: Random, width: int, height: int, kind: str = "") -> tuple[Puzzle, str] | None:
    """Returns a puzzle of at most this size inside, with a plan, or None if it does not fit.

    Args:
        kind: a name of `MOULDS`; any if there is none.
    """
    mould = MOULDS[kind or random.choice(list(MOULDS))](random, width - CORRIDOR)
    parts = mould.parts
    if not LEAST_PIECES <= len(parts) <= MOST_PIECES:
        return None
    cells = set().union(*parts)
    high = min(y for _, y in cells) < 0
    rows = max(len({y for _, y in part}) for part in parts) + random.randint(*SPARE)
    rows = max(rows + max(mould.teeth.values(), default=0), 2 + max(y for _, y in cells))
    lock = (_bolt if high else _plunger)(rows)
    row = {(x, rows) for x in range(mould.columns)}
    bar = row | {(x, rows - n) for x, length in mould.teeth.items() for n in range(length + 1)}
    bar |= lock.of_bar
    hall = {(x, y) for x in range(mould.columns) for y in range(rows)}
    left, agent = min(0, *(x for x, _ in cells)) - CORRIDOR, (0, rows + 1)
    entries = 0, rows + 1, lock.key[1]
    corridor = {(left, y) for y in range(min(entries), max(entries) + 1)}
    corridor |= {(x, y) for x in range(left, 1) for y in entries}
    free = hall.union(*parts, corridor, bar, moved(bar, (0, -rows)), lock.cells)
    frame = 1 - min(x for x, _ in free), 1 - min(y for _, y in free)
    size = (max(x for x, _ in free) + frame[0] + 2, max(y for _, y in free) + frame[1] + 2)
    if size[0] > width + 2 or size[1] > height + 2:
        return None
    unpacked = _unpacked(random, parts, bar | lock.things, agent, hall, free - lock.agent_walls)
    if unpacked is None:
        return None
    agent, pieces, plan = unpacked
    plan += "U" * rows + "D" * rows + "L" * -left
    plan += ("U" if lock.key[1] < 0 else "D") * abs(lock.key[1] - rows - 1)
    plan += "R" * (lock.goal[0] - left - 1)
    things = [lock.bolt] if lock.bolt else []
    (agent,), (key,), (goal,) = (moved({each}, frame) for each in (agent, lock.key, lock.goal))
    objects = [PuzzleObject("A", ((0, 0),), agent), PuzzleObject("M1", ((0, 0),), key, goal)]
    for number, thing in enumerate([bar, *things, *pieces], 2):
        objects.append(PuzzleObject.from_cells(f"M{number}", moved(thing, frame)))
    world = {(x, y) for x in range(size[0]) for y in range(size[1])}
    walls, agent_walls = world - moved(free, frame), moved(lock.agent_walls, frame)
    puzzle = Puzzle(*size, tuple(objects), frozenset(walls), frozenset(agent_walls))
    upright = (Symmetry.IDENTITY, Symmetry.ROTATE_180, Symmetry.FLIP_X, Symmetry.FLIP_Y)
    symmetry = random.choice(upright)
    letters = (action.letter for action in symmetry.apply_to_plan(plan))
    return transform(puzzle, symmetry), "".join(letters)


def _spaced(random: Random, room: int, wide: int, least: int = LEAST_ABOVE) -> range:
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
    """Pieces that fill an outline, but for the teeth of the bar, if it has any."""
    columns = range(MARGIN, MARGIN + random.randint(*BOXES))
    teeth = {x: random.randint(0, most) for x in columns} if most else {}
    box = {
        (x, -y)
        for x in columns
        for y in range(1 + teeth.get(x, 0), 1 + teeth.get(x, 0) + random.randint(*DEPTHS))
    }
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
            return Mould(len(columns) + 2 * MARGIN, parts, teeth)
    return Mould(0, [])


def _lid(random: Random, room: int) -> Mould:
    """The same with a bar whose outline fits the pieces."""
    return _jigsaw(random, room, TOOTH)


def _beside(beside: MakeMould, above: MakeMould | None = None) -> MakeMould:
    """Returns a kind with moulds on both sides of the hall, into which the bar pushes nothing, and maybe one above."""

    def made(random: Random, room: int) -> Mould:
        upper = above(random, room) if above else None
        each = BESIDE_TOO if above else BESIDE
        sides = [beside(random, room).parts[: random.randint(*each)] for _ in range(2)]
        if any(len({y for _, y in part}) == 1 for parts in sides for part in parts):
            return Mould(0, [])  # it would fit into the narrow place of a plunger
        high = max(len({y for _, y in part}) for parts in sides for part in parts)
        columns = upper.columns if upper else high + random.randint(*HALLS)
        west, east = (
            [{(-y, x - MARGIN + 2) for x, y in part} for part in parts] for parts in sides
        )
        parts = [{(-x, y) for x, y in part} for part in west]
        parts += [moved(part, (columns - 1, -1)) for part in east]
        return Mould(columns, parts + (upper.parts if upper else []))

    return made


MakeMould = Callable[[Random, int], Mould]

MOULDS: dict[str, MakeMould] = {
    "organ": _organ,
    "chimneys": _chimneys,
    "jigsaw": _jigsaw,
    "lid": _lid,
    "drawers": _beside(_organ),
    "pigeonholes": _beside(_sorter),
    "cabinet": _beside(_organ, _organ),
    "sorter": _beside(_sorter, _sorter),
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
            near = apart | neighbours(apart)
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
