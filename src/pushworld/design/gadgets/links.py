"""Links: the dependencies of a composed puzzle, what follows from them, and their proofs.

A composition is proved if it has a plan, and none without any object that its links need.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pushworld.design.budget import looking_back_proves_unsolvable, solve_within
from pushworld.design.gadgets.grammar import SINKS
from pushworld.design.variants import frozen, with_goals_of, without_objects
from pushworld.puzzle import Position, Puzzle, PuzzleError, PuzzleObject

PROOF_STATES = 20_000
"""States of each search of a proof."""


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


def proves_links(
    composition: Composition, states: int, chosen: Sequence[Link] | None = None
) -> bool:
    """Returns whether every link of a composition, or of some chosen ones, is proved.

    A link is proved if the goals that depend on it are out of reach without each object that the link
    needs. The order of two goals is proved if the first cannot be achieved once the second has been,
    and that two pieces fit together if neither can follow the other.
    """
    puzzle, links = composition.puzzle, composition.links
    chosen = links if chosen is None else chosen
    try:
        variants = [
            _too_early(with_goals_of(puzzle, link.frees), name)
            for link in chosen
            for name in {"order": link.frees[1:], "fit": link.frees}.get(link.gadget, ())
        ]
    except PuzzleError:  # something stands there at the start
        return False
    for link in chosen:
        asked = with_goals_of(puzzle, goals_behind(links, link))
        variants += [without_objects(asked, {name}) for name in link.needs]
    return all(_is_unsolvable(each, states) for each in variants)


def works_alone(composition: Composition, places: Mapping[str, Position]) -> bool:
    """Returns whether a search finds that the last gadget works while only its own objects are there.

    A gadget with goals works if its pieces reach them; another one if its piece comes to a given place.
    """
    link = composition.links[-1]
    ours = {*link.frees, *link.needs, *link.moves}

    def asked(thing: PuzzleObject) -> PuzzleObject:
        if thing.name not in link.frees:
            return replace(thing, goal=None)
        return thing if link.is_goal else replace(thing, goal=places[thing.name])

    puzzle = composition.puzzle
    objects = tuple(asked(thing) for thing in puzzle.movables if thing.name in ours)
    alone = replace(puzzle, objects=(puzzle.agent, *objects))
    return solve_within(alone, PROOF_STATES).status == "solved"


def gates_that_matter(
    composition: Composition, states: int, chosen: Sequence[Link] | None = None
) -> set[str]:
    """Returns the gates of all or some links that every plan must move.

    As walls they put the goals behind them out of reach.
    """
    puzzle, links = composition.puzzle, composition.links
    return {
        name
        for link in (links if chosen is None else chosen)
        for name in link.moves
        if _is_unsolvable(frozen(with_goals_of(puzzle, goals_behind(links, link)), {name}), states)
    }


def _is_unsolvable(puzzle: Puzzle, states: int) -> bool:
    """Returns whether there is provably no plan: by a quick search, looking back from the goals, or by a search."""
    status = solve_within(puzzle, min(states, PROOF_STATES)).status
    if status != "state-limit":
        return status == "unsolvable"
    return looking_back_proves_unsolvable(puzzle) or (
        states > PROOF_STATES and solve_within(puzzle, states).status == "unsolvable"
    )


def _too_early(puzzle: Puzzle, name: str) -> Puzzle:
    """Returns the puzzle with an object at its goal and turned into a wall."""
    there = tuple(
        replace(thing, start=thing.goal) if thing.name == name and thing.goal else thing
        for thing in puzzle.objects
    )
    return frozen(replace(puzzle, objects=there), {name})
