"""Composition: a chain of dependencies, chosen backwards from the goal, and a room around it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from random import Random

from pushworld.design.gadgets.grammar import SINKS, VAULTS, Gadget, Shape
from pushworld.puzzle import Position, Puzzle, PuzzleObject, Symmetry
from pushworld.puzzle.model import border_cells, bounding_corner_and_shape

PLACES_TRIED = 12
"""How many places are tried for one gadget."""


@dataclass(frozen=True)
class Link:
    """One dependency of a composed puzzle.

    Attributes:
        gadget: the kind of the gadget.
        frees: the names of the pieces that it frees, or whose goals it holds.
        needs: the names of the objects that it needs for that.
    """

    gadget: str
    frees: tuple[str, ...]
    needs: tuple[str, ...]


@dataclass(frozen=True)
class Composition:
    """A composed puzzle with the dependencies that it claims, the goal's first."""

    puzzle: Puzzle
    links: tuple[Link, ...]

    @property
    def depth(self) -> int:
        """The number of links in the longest chain of dependencies."""
        freeing = {name: link for link in self.links[1:] for name in link.frees}

        def depth_of(link: Link) -> int:
            before = [freeing[name] for name in (*link.needs, *link.frees) if name in freeing]
            return 1 + max((depth_of(each) for each in before if each is not link), default=0)

        return depth_of(self.links[0]) if self.links else 0


@dataclass
class _Item:
    """An object of the chain: its shape, its goal, and its start if a gadget holds it."""

    name: str
    shape: Shape
    goal: Position | None = None
    start: Position | None = None


@dataclass
class _Room:
    """A room while gadgets are placed into it. All cells are those of the world."""

    width: int
    height: int
    walls: set[Position] = field(default_factory=set)
    agent_walls: set[Position] = field(default_factory=set)
    inside: set[Position] = field(default_factory=set)
    clear: set[Position] = field(default_factory=set)
    items: list[_Item] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)

    def is_interior(self, cell: Position) -> bool:
        return 0 < cell[0] < self.width - 1 and 0 < cell[1] < self.height - 1

    def new_item(self, shape: Shape, cells: Collection[Position] | None = None) -> _Item:
        item = _Item(f"M{len(self.items) + 1}", shape)
        if cells is not None:
            item.start = bounding_corner_and_shape(cells)[0]
        self.items.append(item)
        return item


def compose(
    random: Random,
    width: int,
    height: int,
    gadgets: int,
    kinds: Collection[str] = (*SINKS, *VAULTS),
) -> Composition | None:
    """Returns a puzzle of some gadgets, or None if they do not fit into the room.

    It is not known yet to be solvable, nor that its links are needed: see
    `pushworld.design.gadgets.proof.prove`.

    Args:
        width, height: of the interior.
        gadgets: how many there are, the goal's included.
        kinds: the gadgets to choose from, by their names in `SINKS` and `VAULTS`.
    """
    room = _Room(width + 2, height + 2)
    drawn, shapes = SINKS[random.choice([kind for kind in SINKS if kind in kinds])](random)
    vaults = [kind for kind in VAULTS if kind in kinds]
    waiting = _place_sink(room, drawn, shapes, random)
    if waiting is None:
        return None
    for _ in range(gadgets - 1):
        if not waiting:
            return None
        item = waiting.pop(random.randrange(len(waiting)))
        tools = _place_vault(room, item, vaults, random)
        if tools is None:
            return None
        waiting += tools
    return _furnished(room, random)


def _place_sink(
    room: _Room, gadget: Gadget, shapes: tuple[Shape, ...], random: Random
) -> list[_Item] | None:
    """Places the goal's gadget; returns the objects that it asks for."""
    symmetry = random.choice(list(Symmetry))
    offset = _place(room, gadget, symmetry, random, anywhere=gadget.kind == "place")
    if offset is None:
        return None
    pieces = []
    for shape, outline in zip(shapes, gadget.goals, strict=True):
        pieces.append(room.new_item(_turned(shape, symmetry)))
        pieces[-1].goal = bounding_corner_and_shape(_moved(outline, symmetry, offset))[0]
    tools = [room.new_item(_turned(shape, symmetry)) for shape in gadget.tools]
    names = tuple(each.name for each in pieces), tuple(each.name for each in tools)
    room.links.append(Link(gadget.kind, *names))
    return pieces + tools


def _place_vault(room: _Room, item: _Item, vaults: list[str], random: Random) -> list[_Item] | None:
    """Places a gadget that holds an object; returns the tools that it asks for."""
    symmetry = random.choice(list(Symmetry))
    shape = _turned(item.shape, symmetry.inverse)
    width, height = 1 + max(x for x, _ in shape), 1 + max(y for _, y in shape)
    if len(shape) < width * height:
        return None
    gadget = VAULTS[random.choice(vaults)](width, height, random)
    offset = _place(room, gadget, symmetry, random)
    if offset is None:
        return None
    item.start = bounding_corner_and_shape(_moved(gadget.held, symmetry, offset))[0]
    needs = []
    part = _moved(gadget.cells("Gg"), symmetry, offset)
    if part:
        moving = room.new_item(bounding_corner_and_shape(part)[1], part)
        needs += [moving.name] if gadget.needs_part else []
    tools = [room.new_item(_turned(tool, symmetry)) for tool in gadget.tools]
    needs += [tool.name for tool in tools]
    room.links.append(Link(gadget.kind, (item.name,), tuple(needs)))
    return tools


def _place(
    room: _Room, gadget: Gadget, symmetry: Symmetry, random: Random, anywhere: bool = False
) -> Position | None:
    """Draws a gadget at a free place with its back to a side; returns its offset, None if none fits."""
    for _ in range(PLACES_TRIED):
        offset = _random_offset(room, gadget, symmetry, random, anywhere)
        walls = _moved(gadget.cells("#"), symmetry, offset)
        inside = _moved(gadget.cells("._RrGgOoQq"), symmetry, offset)
        clear = _moved(gadget.cells(","), symmetry, offset)
        border = border_cells(room.width, room.height)
        if (
            all(room.is_interior(cell) for cell in inside | clear)
            and all(room.is_interior(cell) or cell in border for cell in walls)
            and not inside & (room.walls | room.inside | room.clear)
            and not walls & (room.inside | room.clear)
            and not clear & (room.walls | room.inside)
        ):
            room.walls |= walls - border
            room.inside |= inside
            room.clear |= clear
            room.agent_walls |= _moved(gadget.cells("_rgoq"), symmetry, offset)
            return offset
    return None


def _random_offset(
    room: _Room, gadget: Gadget, symmetry: Symmetry, random: Random, anywhere: bool
) -> Position:
    """Returns an offset at which a gadget touches its side: often in a corner or in the middle."""
    cells = [symmetry.apply_to_vector(cell) for cell in gadget.cells("#._RrGgOoQq,")]
    low_x, high_x = min(x for x, _ in cells), max(x for x, _ in cells)
    low_y, high_y = min(y for _, y in cells), max(y for _, y in cells)

    def along(low: int, high: int, size: int) -> int:
        # Walls at the gadget's ends may fall together with the border.
        first, last = -low, size - 1 - high
        if first > last:
            return first
        middle = (first + last) // 2
        return random.choice((first, last, middle, random.randint(first, last)))

    back = symmetry.apply_to_vector((0, -1))
    x, y = along(low_x, high_x, room.width), along(low_y, high_y, room.height)
    if anywhere:
        return x, y
    if back[0]:
        x = 1 - low_x if back[0] < 0 else room.width - 2 - high_x
    else:
        y = 1 - low_y if back[1] < 0 else room.height - 2 - high_y
    return x, y


def _furnished(room: _Room, random: Random) -> Composition | None:
    """Puts the loose objects and the agent into the hall."""
    hall = {(x, y) for x in range(1, room.width - 1) for y in range(1, room.height - 1)}
    hall -= room.walls | room.inside
    taken: set[Position] = set()
    objects = []
    for item in room.items:
        if item.start is not None:
            continue
        roomy = room.clear if random.random() < 0.5 else set()
        places = _places(item.shape, hall - taken - roomy) or _places(item.shape, hall - taken)
        if not places:
            return None
        item.start = random.choice(_central(places, item.shape, hall))
        taken |= {(item.start[0] + x, item.start[1] + y) for x, y in item.shape}
    objects = [
        PuzzleObject(each.name, each.shape, each.start or (0, 0), each.goal) for each in room.items
    ]
    free = sorted(hall - taken)
    if not free or any(thing.start == thing.goal for thing in objects):
        return None
    agent = PuzzleObject("A", ((0, 0),), random.choice(free))
    puzzle = Puzzle(
        room.width,
        room.height,
        (agent, *objects),
        frozenset(room.walls),
        frozenset(room.agent_walls),
    )
    return Composition(puzzle, tuple(room.links))


def _places(shape: Shape, free: set[Position]) -> list[Position]:
    return sorted((x, y) for x, y in free if all((x + dx, y + dy) in free for dx, dy in shape))


def _central(places: list[Position], shape: Shape, hall: set[Position]) -> list[Position]:
    """Returns the places that are not at a wall, or all if there is none."""

    def is_central(place: Position) -> bool:
        cells = [(place[0] + x, place[1] + y) for x, y in shape]
        return all(
            near in hall
            for x, y in cells
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        )

    return [place for place in places if is_central(place)] or places


def _turned(shape: Shape, symmetry: Symmetry) -> Shape:
    return bounding_corner_and_shape(symmetry.apply_to_vector(cell) for cell in shape)[1]


def _moved(cells: Collection[Position], symmetry: Symmetry, offset: Position) -> set[Position]:
    turned = (symmetry.apply_to_vector(cell) for cell in cells)
    return {(x + offset[0], y + offset[1]) for x, y in turned}
