"""Proofs: a composed puzzle has a plan, and none without any object that its links need."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.budget import solve_within
from pushworld.design.gadgets.composition import compose
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.gadgets.links import Composition, Link, goals_behind
from pushworld.design.variants import frozen, with_goals_of, without_objects
from pushworld.design.watched import looking_back_proves_unsolvable, pairs_prove_unsolvable
from pushworld.puzzle import Position, Puzzle, PuzzleError, PuzzleObject

PROOF_STATES = 20_000
"""States of each search of a proof."""


@dataclass(frozen=True)
class Proved:
    """A puzzle with a plan and with links that are proved.

    Attributes:
        composition: the puzzle and its links.
        plan: a plan that solves it.
    """

    composition: Composition
    plan: str

    @property
    def puzzle(self) -> Puzzle:
        return self.composition.puzzle

    @property
    def links(self) -> tuple[Link, ...]:
        return self.composition.links


def prove(composition: Composition, states: int = PROOF_STATES) -> Proved | None:
    """Returns the puzzle with a plan, or None if it has none or some link is not proved.

    A link is proved if the goals that depend on it are out of reach without each object that the link
    needs. The order of two goals is proved if the first cannot be achieved once the second has been,
    and that two pieces fit together if neither can follow the other.
    """
    plan = solve_within(composition.puzzle, states).plan
    return Proved(composition, plan) if plan and proves_links(composition, states) else None


def proves_links(
    composition: Composition, states: int, chosen: Sequence[Link] | None = None
) -> bool:
    """Returns whether every link of a composition, or of some chosen ones, is proved; see `prove`."""
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


def composed_puzzles(
    seed: int | str,
    width: int,
    height: int,
    gadgets: int,
    kinds: Collection[str] = (*SINKS, *VAULTS),
    states: int = PROOF_STATES,
) -> Iterator[Proved | None]:
    """Yields puzzles without end, determined by the seed; None for each attempt that failed.

    Args:
        width, height: of the interior.
        gadgets: how many there are, the goal's included.
        kinds: the gadgets to choose from, by their names in `SINKS` and `VAULTS`.
        states: of each search of a proof.
    """
    random = Random(f"pushworld gadgets {seed}")
    while True:
        composition = compose(random, width, height, gadgets, kinds)
        yield None if composition is None else prove(composition, states)


def _is_unsolvable(puzzle: Puzzle, states: int) -> bool:
    """Returns whether there is provably no plan: looking back from the goals, by a search, or by pairs."""
    if looking_back_proves_unsolvable(puzzle):
        return True
    status = solve_within(puzzle, min(states, PROOF_STATES)).status
    if status != "state-limit":
        return status == "unsolvable"
    if pairs_prove_unsolvable(puzzle):
        return True
    return states > PROOF_STATES and solve_within(puzzle, states).status == "unsolvable"


def _too_early(puzzle: Puzzle, name: str) -> Puzzle:
    """Returns the puzzle with an object at its goal and turned into a wall."""
    there = tuple(
        replace(thing, start=thing.goal) if thing.name == name and thing.goal else thing
        for thing in puzzle.objects
    )
    return frozen(replace(puzzle, objects=there), {name})
