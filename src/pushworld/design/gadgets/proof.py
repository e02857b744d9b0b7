"""Proofs: a composed puzzle has a plan, and none without any object that its links need."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.budget import solve_within
from pushworld.design.gadgets.composition import Composition, Link, compose
from pushworld.design.gadgets.grammar import SINKS, VAULTS
from pushworld.design.variants import frozen, without_objects
from pushworld.puzzle import Puzzle, PuzzleError

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

    A link is proved if the puzzle is unsolvable without each object that the link needs. The order of
    two goals is proved if the first cannot be achieved once the second has been.
    """
    plan = solve_within(composition.puzzle, states).plan
    return Proved(composition, plan) if plan and proves_links(composition, states) else None


def proves_links(composition: Composition, states: int) -> bool:
    """Returns whether every link of a composition is proved; see `prove`."""
    puzzle = composition.puzzle
    variants = [
        without_objects(puzzle, {name}) for link in composition.links for name in link.needs
    ]
    try:
        variants += [
            _too_early(puzzle, link.frees[1])
            for link in composition.links
            if link.gadget == "order"
        ]
    except PuzzleError:  # something stands there at the start
        return False
    return all(solve_within(each, states).status == "unsolvable" for each in variants)


def gates_that_matter(composition: Composition, states: int) -> set[str]:
    """Returns the gates without which their keys are not needed: a plan without both is found."""
    puzzle = composition.puzzle
    return {
        name
        for link in composition.links
        for name in link.moves
        if link.needs and solve_within(without_objects(puzzle, {name, *link.needs}), states).plan
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


def _too_early(puzzle: Puzzle, name: str) -> Puzzle:
    """Returns the puzzle with an object at its goal and turned into a wall."""
    there = tuple(
        replace(thing, start=thing.goal) if thing.name == name and thing.goal else thing
        for thing in puzzle.objects
    )
    return frozen(replace(puzzle, objects=there), {name})
