"""Links: the dependencies of a composed puzzle, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pushworld.design.gadgets.grammar import SINKS
from pushworld.puzzle import Puzzle


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

    @property
    def is_goal(self) -> bool:
        """Whether the pieces have their goals there."""
        return self.gadget in SINKS


@dataclass(frozen=True)
class Composition:
    """A composed puzzle with the dependencies that it claims."""

    puzzle: Puzzle
    links: tuple[Link, ...]


def depth(links: Sequence[Link]) -> int:
    """Returns the number of links in the longest chain of dependencies."""

    def depth_of(link: Link) -> int:
        before = [each for name in (*link.needs, *link.frees) for each in _freeing(links, name)]
        return 1 + max((depth_of(each) for each in before if each is not link), default=0)

    return max((depth_of(link) for link in links if link.is_goal), default=0)


def needed_for(links: Sequence[Link], name: str) -> set[str]:
    """Returns the names of all objects that must be free before an object is."""
    needed = {need for link in _freeing(links, name) for need in link.needs}
    return needed.union(*(needed_for(links, need) for need in needed))


def held_by(links: Sequence[Link]) -> set[str]:
    """Returns the names of the objects that gadgets hold or consist of."""
    vaults = [link for link in links if not link.is_goal]
    parts = (link.needs for link in vaults if link.gadget == "drawer")
    return set().union(*parts, *((*link.frees, *link.moves) for link in vaults))


def goals_behind(links: Sequence[Link], link: Link) -> set[str]:
    """Returns the names of the pieces with goals that depend on a link."""
    if link.is_goal:
        return set(link.frees)
    freed = set(link.frees)
    later = [each for each in links if freed & {*each.needs, *(each.frees if each.is_goal else ())}]
    return set().union(*(goals_behind(links, each) for each in later if each is not link))


def _freeing(links: Sequence[Link], name: str) -> list[Link]:
    """Returns the link that frees an object, if a gadget holds it."""
    return [link for link in links if name in link.frees and not link.is_goal]
