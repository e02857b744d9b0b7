"""Chains: gadgets in a room, each of which holds what another one asks for."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from random import Random

from pushworld.datasets.generated.rooms import turned
from pushworld.design.gadgets.grammar import SINKS, VAULTS, Gadget, Shape, can_hold, size_of
from pushworld.design.gadgets.links import Composition, Link, needed_for
from pushworld.design.gadgets.rooms import Chamber, Room, aligned, central, moved, places
from pushworld.puzzle import Position, Puzzle, PuzzleObject, Symmetry
from pushworld.puzzle.model import bounding_corner_and_shape

AT_HAND = 0.7
"""How often a loose tool lies in the chamber of its gadget."""


@dataclass(frozen=True)
class Item:
    """An object of the chain.

    Attributes:
        near: the chamber of the gadget that asks for it.
        start: where it is, if that is known.
        held: whether a gadget holds it, or it is part of one.
    """

    name: str
    shape: Shape
    near: Chamber
    start: Position | None = None
    goal: Position | None = None
    held: bool = False


@dataclass(frozen=True)
class _Vault:
    """A gadget that holds an object, and the names of the tools that it asks for."""

    gadget: Gadget
    symmetry: Symmetry
    tools: tuple[str, ...]


class Chain:
    """A chain while it is composed. Copies are independent, but for the source of randomness.

    Attributes:
        agent: the shape of the agent.
        items: the objects by their names.
    """

    def __init__(self, room: Room, agent: Shape, random: Random) -> None:
        self.room = room
        self.agent = agent
        self.random = random
        self.items: dict[str, Item] = {}
        self.links: list[Link] = []
        self._vaults: list[_Vault] = []
        self._agent_start: Position | None = None

    def copy(self) -> Chain:
        """Returns a chain that can be changed without changing this one."""
        other = copy(self)
        other.room = self.room.copy()
        other.items, other.links = dict(self.items), list(self.links)
        other._vaults = list(self._vaults)
        return other

    @property
    def loose(self) -> list[str]:
        """The names of the objects that no gadget holds."""
        return [each.name for each in self.items.values() if not each.held]

    @property
    def starts(self) -> dict[str, Position]:
        """Where the objects are, as far as that is known."""
        return {name: each.start for name, each in self.items.items() if each.start is not None}

    def add_sink(self, kind: str) -> bool:
        """Places a gadget with goals; returns whether it fits."""
        gadget, shapes = SINKS[kind](self.random)
        symmetry = self.random.choice(list(Symmetry))
        placed = self.room.place(gadget, symmetry, self.random)
        if placed is None:
            return False
        pieces = [
            self._new(
                turned(shape, symmetry),
                placed.chamber,
                goal=bounding_corner_and_shape(placed.cells(outline))[0],
            )
            for shape, outline in zip(shapes, gadget.goals, strict=True)
        ]
        self._link(kind, pieces, self._tools(gadget, symmetry, placed.chamber))
        return True

    def add_vault(self, name: str, kind: str) -> bool:
        """Places a gadget that holds an object; returns whether it can hold it, and fits."""
        symmetry = self.random.choice(list(Symmetry))
        shape = turned(self.items[name].shape, symmetry.inverse)
        if not can_hold(kind, shape):
            return False
        return self._hold(name, VAULTS[kind](*size_of(shape), self.random), symmetry)

    def add_twin(self, name: str) -> bool:
        """Repeats a gadget whose tools can serve twice; returns whether there is one and it fits."""
        shape = self.items[name].shape
        able = [
            vault
            for vault in self._vaults
            if vault.tools
            and can_hold(vault.gadget.kind, turned(shape, vault.symmetry.inverse))
            and size_of(turned(shape, vault.symmetry.inverse)) == size_of(vault.gadget.held)
            and not any(
                name == tool or name in needed_for(self.links, tool) for tool in vault.tools
            )
        ]
        if not able:
            return False
        vault = self.random.choice(able)
        return self._hold(name, vault.gadget, vault.symmetry, vault.tools)

    def furnished(self) -> Composition | None:
        """Puts the loose objects and the agent into the hall; those that lie well stay.

        Returns None if there is no place for one of them.
        """
        room, random = self.room, self.random
        free = room.hall()
        objects: list[PuzzleObject] = []

        def choose(shape: Shape, starts: list[Position]) -> Position:
            others = [place for each in objects for place in (each.start, each.goal) if place]
            return random.choice(aligned(central(starts, shape, free), others))

        for name, item in self.items.items():
            start = item.start
            if not item.held and (start is None or not moved(item.shape, start) <= free):
                nearby = item.near.cells if random.random() < AT_HAND else free
                starts = places(item.shape, free & nearby)
                if not starts:
                    return None
                start = choose(item.shape, starts)
                self.items[name] = replace(item, start=start)
            assert start is not None
            if start == item.goal:
                return None
            objects.append(PuzzleObject(name, item.shape, start, item.goal))
            free -= objects[-1].cells_at(start)
        starts = places(self.agent, free)
        if not starts:
            return None
        if self._agent_start not in starts:
            self._agent_start = choose(self.agent, starts)
        agent = PuzzleObject("A", self.agent, self._agent_start)
        closed = frozenset(room.closed) if len(self.agent) == 1 else frozenset()
        puzzle = Puzzle(room.width, room.height, (agent, *objects), frozenset(room.walls), closed)
        return Composition(puzzle, tuple(self.links))

    def _hold(
        self, name: str, gadget: Gadget, symmetry: Symmetry, tools: Sequence[str] = ()
    ) -> bool:
        """Places a gadget that holds an object, with its link; returns whether it fits.

        Args:
            tools: those that it asks for, if they are there.
        """
        placed = self.room.place(gadget, symmetry, self.random)
        if placed is None:
            return False
        start = bounding_corner_and_shape(placed.cells(gadget.held))[0]
        self.items[name] = replace(self.items[name], start=start, held=True)
        if not tools:
            tools = self._tools(gadget, symmetry, placed.chamber)
            self._vaults.append(_Vault(gadget, symmetry, tuple(tools)))
        parts: list[str] = []
        cells = placed.cells(gadget.cells("Gg"))
        if cells:
            start, shape = bounding_corner_and_shape(cells)
            parts = [self._new(shape, placed.chamber, start=start, held=True)]
        if gadget.needs_part:
            self._link(gadget.kind, [name], [*parts, *tools])
        else:
            self._link(gadget.kind, [name], tools, parts)
        return True

    def _tools(self, gadget: Gadget, symmetry: Symmetry, chamber: Chamber) -> list[str]:
        return [self._new(turned(tool, symmetry), chamber) for tool in gadget.tools]

    def _new(
        self,
        shape: Shape,
        near: Chamber,
        start: Position | None = None,
        goal: Position | None = None,
        held: bool = False,
    ) -> str:
        name = f"M{len(self.items) + 1}"
        self.items[name] = Item(name, shape, near, start, goal, held)
        return name

    def _link(
        self, kind: str, frees: Sequence[str], needs: Sequence[str], moves: Sequence[str] = ()
    ) -> None:
        self.links.append(Link(kind, tuple(frees), tuple(needs), tuple(moves)))
