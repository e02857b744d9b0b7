"""Composition: a chain of dependencies, chosen backwards from the goal, and a room around it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from pushworld.design.gadgets.grammar import NARROW, SINKS, VAULTS, Gadget, Shape, block
from pushworld.design.gadgets.rooms import Chamber, Room, places, turned
from pushworld.puzzle import Position, Puzzle, PuzzleObject, Symmetry
from pushworld.puzzle.model import bounding_corner_and_shape

VAULTS_TRIED = 4
"""How many gadgets are tried for one piece."""

LARGE_AGENTS = 0.3
"""How often the agent has 2 x 2 cells: then gadgets are too narrow for it, and need no agent walls."""

AT_HAND = 0.7
"""How often a loose tool lies in the chamber of its gadget."""


@dataclass(frozen=True)
class Link:
    """One dependency of a composed puzzle.

    Attributes:
        gadget: the kind of the gadget.
        frees: the names of the pieces that it frees, or whose goals it holds.
        needs: the names of the objects that it needs for that.
        moves: the names of its moving parts that it does not need: gates.
    """

    gadget: str
    frees: tuple[str, ...]
    needs: tuple[str, ...]
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Composition:
    """A composed puzzle with the dependencies that it claims, the goal's first."""

    puzzle: Puzzle
    links: tuple[Link, ...]

    @property
    def depth(self) -> int:
        """The number of links in the longest chain of dependencies."""
        return depth(self.links)


def depth(links: Sequence[Link]) -> int:
    """Returns the number of links in the longest chain of dependencies; the goal's come first."""
    freeing = {name: link for link in links[1:] for name in link.frees}

    def depth_of(link: Link) -> int:
        before = [freeing[name] for name in (*link.needs, *link.frees) if name in freeing]
        return 1 + max((depth_of(each) for each in before if each is not link), default=0)

    return depth_of(links[0]) if links else 0


@dataclass
class _Item:
    """An object of the chain.

    Attributes:
        near: the chamber of the gadget that asks for it.
        start: where a gadget holds it; None if it is loose.
    """

    name: str
    shape: Shape
    near: Chamber
    start: Position | None = None
    goal: Position | None = None


class _Chain:
    """A chain while it is composed."""

    def __init__(self, room: Room, random: Random) -> None:
        self.room = room
        self.random = random
        self.items: list[_Item] = []
        self.links: list[Link] = []

    def add_sink(self, kind: str) -> list[_Item] | None:
        """Places the goal's gadget; returns the objects that it asks for, None if it does not fit."""
        gadget, shapes = SINKS[kind](self.random)
        symmetry = self.random.choice(list(Symmetry))
        placed = self.room.place(gadget, symmetry, self.random)
        if placed is None:
            return None
        pieces = []
        for shape, outline in zip(shapes, gadget.goals, strict=True):
            pieces.append(self._new(turned(shape, symmetry), placed.chamber))
            pieces[-1].goal = bounding_corner_and_shape(placed.cells(outline))[0]
        tools = self._tools(gadget, symmetry, placed.chamber)
        self._link(kind, pieces, tools)
        return pieces + tools

    def add_vault(self, item: _Item, kind: str) -> list[_Item] | None:
        """Places a gadget that holds an object; returns the tools that it asks for, None if none."""
        symmetry = self.random.choice(list(Symmetry))
        shape = turned(item.shape, symmetry.inverse)
        width, height = 1 + max(x for x, _ in shape), 1 + max(y for _, y in shape)
        if len(shape) < width * height:
            return None
        gadget = VAULTS[kind](width, height, self.random)
        placed = self.room.place(gadget, symmetry, self.random)
        if placed is None:
            return None
        item.start = bounding_corner_and_shape(placed.cells(gadget.held))[0]
        part = placed.cells(gadget.cells("Gg"))
        parts = []
        if part:
            start, shape = bounding_corner_and_shape(part)
            parts = [self._new(shape, placed.chamber)]
            parts[0].start = start
        tools = self._tools(gadget, symmetry, placed.chamber)
        if gadget.needs_part:
            self._link(kind, [item], [*parts, *tools])
        else:
            self._link(kind, [item], tools, parts)
        return tools

    def _tools(self, gadget: Gadget, symmetry: Symmetry, chamber: Chamber) -> list[_Item]:
        return [self._new(turned(tool, symmetry), chamber) for tool in gadget.tools]

    def _new(self, shape: Shape, near: Chamber) -> _Item:
        self.items.append(_Item(f"M{len(self.items) + 1}", shape, near))
        return self.items[-1]

    def _link(
        self, kind: str, frees: list[_Item], needs: list[_Item], moves: Sequence[_Item] = ()
    ) -> None:
        names = (tuple(each.name for each in items) for items in (frees, needs, moves))
        self.links.append(Link(kind, *names))


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
    sinks = [kind for kind in SINKS if kind in kinds]
    vaults = [kind for kind in VAULTS if kind in kinds]
    large = random.random() < LARGE_AGENTS and not set(kinds).isdisjoint(NARROW)
    if large:
        sinks = [kind for kind in sinks if kind in NARROW]
        vaults = [kind for kind in vaults if kind in NARROW]
    if not sinks or (gadgets > 1 and not vaults):
        return None
    room = Room(width, height, door=2 if large else 1, random=random)
    chain = _Chain(room, random)
    waiting = chain.add_sink(random.choice(sinks))
    if waiting is None:
        return None
    for _ in range(gadgets - 1):
        if not waiting:
            return None
        item = waiting.pop(random.randrange(len(waiting)))
        attempts = (chain.add_vault(item, random.choice(vaults)) for _ in range(VAULTS_TRIED))
        tools = next((each for each in attempts if each is not None), None)
        if tools is None:
            return None
        waiting += tools
    return _furnished(chain, block(2, 2) if large else block(1, 1))


def _furnished(chain: _Chain, agent: Shape) -> Composition | None:
    """Puts the loose objects and the agent into the hall."""
    room, random = chain.room, chain.random
    free = room.hall()
    objects = []
    for item in chain.items:
        if item.start is None:
            nearby = item.near.cells() if random.random() < AT_HAND else free
            starts = places(item.shape, free & nearby)
            if not starts:
                return None
            item.start = random.choice(room.central(starts, item.shape))
        if item.start == item.goal:
            return None
        objects.append(PuzzleObject(item.name, item.shape, item.start, item.goal))
        free -= objects[-1].cells_at(item.start)
    starts = places(agent, free)
    if not starts:
        return None
    objects = [PuzzleObject("A", agent, random.choice(starts)), *objects]
    closed = frozenset(room.closed) if len(agent) == 1 else frozenset()
    puzzle = Puzzle(room.width, room.height, tuple(objects), frozenset(room.walls), closed)
    return Composition(puzzle, tuple(chain.links))
