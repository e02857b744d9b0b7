"""Composition: a chain of dependencies, chosen backwards from the goal, and a room around it."""

from collections.abc import Collection
from dataclasses import replace
from itertools import product
from random import Random

from pushworld.design.gadgets.chains import Chain
from pushworld.design.gadgets.grammar import NARROW, SINKS, VAULTS, block
from pushworld.design.gadgets.links import Composition, Link
from pushworld.design.gadgets.rooms import Room
from pushworld.puzzle import Position, PuzzleObject, Symmetry
from pushworld.puzzle.free_space import free_cells, occupied

VAULTS_TRIED = 4
"""How many gadgets are tried for one piece."""

LARGE_AGENTS = 0.3
"""How often the agent has 2 x 2 cells: then gadgets are too narrow for it, and need no agent walls."""

MOST_GOALS = 5
MORE_GOALS = 0.2
TWINS = 0.4
"""How often a chain grows by a further goal, or by a second use of a tool."""

EXTENSIONS_TRIED = 30
"""How many gadgets are tried for one extension."""


def compose(
    random: Random,
    width: int,
    height: int,
    gadgets: int,
    kinds: Collection[str] = (*SINKS, *VAULTS),
) -> Composition | None:
    """Returns a puzzle of some gadgets, or None if they do not fit into the room.

    It is not known yet to be solvable, nor that its links are needed: see
    `pushworld.design.gadgets.links.proves_links`.

    Args:
        width, height: of the interior.
        gadgets: how many there are, the goal's included.
        kinds: the gadgets to choose from, by their names in `SINKS` and `VAULTS`.
    """
    chain = begin(random, width, height, kinds)
    for _ in range(gadgets - 1):
        if chain is None or not (chain.loose and _vaults(chain, kinds)):
            return None
        name = random.choice(chain.loose)
        vaults = _vaults(chain, kinds)
        if not any(chain.add_vault(name, random.choice(vaults)) for _ in range(VAULTS_TRIED)):
            return None
    return None if chain is None else chain.furnished()


def begin(
    random: Random,
    width: int,
    height: int,
    kinds: Collection[str],
    large_agents: float = LARGE_AGENTS,
    cell: bool = False,
) -> Chain | None:
    """Returns a chain of one gadget with goals, or None if it does not fit.

    Args:
        large_agents: how often the agent has 2 x 2 cells.
        cell: whether a corner stays free for a cell: see `shut_in`.
    """
    large = random.random() < large_agents and not set(kinds).isdisjoint(NARROW)
    room = Room(width, height, door=2 if large else 1, random=random)
    if cell:
        corner = _rectangle(width - 4, 1, 5, 10)
        if height < 9 or not room.clear.isdisjoint(corner):
            return None
        room.walls |= corner
        room.clear.add((width - 5, 6))
    chain = Chain(room, block(2, 2) if large else block(1, 1), random)
    sinks = _sinks(chain, kinds)
    return chain if sinks and chain.add_sink(random.choice(sinks)) else None


def extend(chain: Chain, kinds: Collection[str]) -> bool:
    """Adds a gadget to a chain: one that holds a loose object, or one with goals.

    Returns whether one fits. A gadget may be the same as another one, so that both use one tool.
    """
    random = chain.random
    goals = sum(item.goal is not None for item in chain.items.values())
    for _ in range(EXTENSIONS_TRIED):
        sinks, vaults, loose = _sinks(chain, kinds), _vaults(chain, kinds), chain.loose
        if sinks and goals < MOST_GOALS and random.random() < MORE_GOALS:
            added = chain.add_sink(random.choice(sinks))
        elif not loose or not vaults:
            return False
        elif random.random() < TWINS:
            added = chain.add_twin(random.choice(loose))
        else:
            added = chain.add_vault(random.choice(loose), random.choice(vaults))
        if added:
            return True
    return False


def shut_in(composition: Composition) -> Composition | None:
    """Returns the puzzle with a cell in its corner, in which the agent begins, or None if there is no place for it.

    The agent must push a block down a shaft to its goal. In large halls hardly a careless walk comes to a dead
    end; here most pushes are one. The block is too large for the door, so it serves as no tool.
    """
    puzzle = composition.puzzle
    x, y = puzzle.width - 5, 6
    inside = _rectangle(x, 1, 4, 4) | _rectangle(x + 1, 5, 2, 5) | {(x - 1, y), (x, y)}
    if (x - 2, y) not in free_cells(puzzle) - occupied(puzzle) or not inside <= puzzle.walls:
        return None
    agent, *movables = puzzle.objects
    name = f"M{len(movables) + 1}"
    block_in_cell = PuzzleObject(name, block(2, 3), (x + 1, 2), (x + 1, y + 1))
    objects = replace(agent, start=(x, 4)), *movables, block_in_cell
    begun = replace(puzzle, objects=objects, walls=puzzle.walls - inside)
    return Composition(begun, (*composition.links, Link("place", (name,), ())))


def _rectangle(x: int, y: int, width: int, height: int) -> frozenset[Position]:
    return frozenset(product(range(x, x + width), range(y, y + height)))


def any_fits(kinds: Collection[str], width: int, height: int) -> bool:
    """Returns whether one of some gadgets, with the smallest piece, fits into an empty room."""
    random = Random("pushworld gadgets that fit")
    return any(
        Room(width, height, 1, random).place(gadget, random.choice(list(Symmetry)), random)
        for kind in kinds
        for _ in range(EXTENSIONS_TRIED)
        for gadget in [VAULTS[kind](1, 1, random) if kind in VAULTS else SINKS[kind](random)[0]]
    )


def _sinks(chain: Chain, kinds: Collection[str]) -> list[str]:
    return [kind for kind in SINKS if kind in kinds and _suits(chain, kind)]


def _vaults(chain: Chain, kinds: Collection[str]) -> list[str]:
    return [kind for kind in VAULTS if kind in kinds and _suits(chain, kind)]


def _suits(chain: Chain, kind: str) -> bool:
    """Returns whether a gadget keeps the agent out."""
    return len(chain.agent) == 1 or kind in NARROW
