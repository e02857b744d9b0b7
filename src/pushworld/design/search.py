"""The search for one puzzle of a level, which depends only on the request and a number.

Puzzles are composed of gadgets and polished: see `pushworld.design.gadgets`. Searches that begin with a
drawing are in `pushworld.design.variations`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from random import Random

from pushworld.design.analysis import Analysis, analyze
from pushworld.design.budget import BUDGETS
from pushworld.design.candidates import Wish
from pushworld.design.gadgets.composition import any_fits
from pushworld.design.gadgets.evaluation import USEFUL
from pushworld.design.gadgets.growing import grow
from pushworld.design.gadgets.links import Link
from pushworld.design.ideas import find_idea, minimal_form
from pushworld.journal import Row
from pushworld.puzzle import PushWorldError, Puzzle, crop

SMALLEST, LARGEST = 4, 60

SIZES = ("10x10", "10x10", "12x12", "24x24")
"""Sizes that suit the levels: hard puzzles need space for their chains."""


@dataclass(frozen=True)
class DesignRequest:
    """What to design. A request and a number determine one puzzle.

    Attributes:
        wish: the wanted level and skills.
        width, height: of the interior.
        seed: random seed.
        minimal: whether to remove every wall and object that makes no difference.
        evaluations: how many puzzles one search may evaluate.
        polish: how many changes of an accepted puzzle are tried before it is final.
    """

    wish: Wish
    width: int
    height: int
    seed: int = 0
    minimal: bool = False
    evaluations: int = 400
    polish: int = 8

    def __post_init__(self) -> None:
        check_size(self.width, self.height)
        for skill in self.wish.skills:
            if skill in USEFUL and not any_fits(USEFUL[skill], self.width, self.height):
                raise PushWorldError(
                    f"nothing that demands {skill} fits into {self.width}x{self.height} cells: choose "
                    "a larger --size"
                )

    @property
    def name(self) -> str:
        return self.wish.name

    def search(self, number: int) -> Designed:
        """Returns the result of the search with a number. A pure function: it may run on any machine."""
        random = Random(f"pushworld design {self.seed} {number}")
        found, counts = grow(
            self.wish, self.width, self.height, random, self.evaluations, self.polish
        )
        if found is None:
            return Designed(number, None, None, *counts)
        if self.minimal:
            small = minimal_form(found.puzzle, find_idea(found.puzzle, found.plan))
            smaller = first_that_holds(number, [small], *counts, self.wish.skills)
            if smaller.puzzle is not None:
                return replace(smaller, links=found.links)
        return Designed(number, crop(found.puzzle), found.analysis, *counts, found.links)


@dataclass(frozen=True)
class Designed:
    """The result of one search.

    Attributes:
        number: the number of the search.
        puzzle: the puzzle that it found, or None.
        analysis: the analysis of that puzzle.
        looked_at: how many puzzles were evaluated.
        solvable: how many of them have a plan that is not trivial.
        accepted: how many of them were as wished.
        links: the dependencies that it was composed of.
        facts: for the journal, of a puzzle without an analysis.
    """

    number: int
    puzzle: Puzzle | None
    analysis: Analysis | None
    looked_at: int
    solvable: int
    accepted: int
    links: tuple[Link, ...] = ()
    facts: Row | None = None


def check_size(*sides: int) -> None:
    """Raises PushWorldError if a side of a puzzle is too short or too long."""
    for side in sides:
        if not SMALLEST <= side <= LARGEST:
            raise PushWorldError(
                f"each side of a puzzle must be {SMALLEST} to {LARGEST} cells, not {side}"
            )


def first_that_holds(
    number: int,
    puzzles: Iterable[Puzzle],
    looked_at: int,
    solvable: int,
    accepted: int,
    skills: tuple[str, ...],
    plans: Collection[str] = (),
) -> Designed:
    """Returns the result of a search: the first puzzle in which a larger budget finds the skills too.

    Args:
        plans: known ones, which may solve some of the puzzles.
    """
    for puzzle in puzzles:
        known = next(filter(puzzle.validate, plans), None)
        analysis = analyze(puzzle, BUDGETS["quick"], known_plan=known)
        if analysis.roles is not None and set(skills) <= set(analysis.skills):
            return Designed(number, puzzle, analysis, looked_at, solvable, accepted)
    return Designed(number, None, None, looked_at, solvable, accepted)
