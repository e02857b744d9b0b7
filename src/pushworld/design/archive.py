"""The archive of MAP-Elites (Mouret and Clune, 2015): the best candidate found of each kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from pushworld.design.candidates import Candidate
from pushworld.design.gadgets.links import depth

SCORE_STEP = 0.25

SIZE_STEP = 24

Cell = tuple[tuple[str, ...], int, int, int, int, int]


def cell_of(candidate: Candidate) -> Cell:
    """Returns the cell of a candidate.

    A cell is a set of skills, a step of difficulty, a depth of the chain of dependencies, a step of
    size, and numbers of goals and of movables.
    """
    puzzle = candidate.puzzle
    return (
        candidate.skills,
        int(candidate.score // SCORE_STEP),
        depth(candidate.links),
        puzzle.width * puzzle.height // SIZE_STEP,
        len(puzzle.goal),
        len(puzzle.movables),
    )


@dataclass
class Archive:
    """Candidates, one for each cell."""

    elites: dict[Cell, Candidate] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.elites)

    def add(self, candidate: Candidate) -> bool:
        """Keeps a candidate if it is the best of its cell; returns whether it was kept."""
        cell = cell_of(candidate)
        known = self.elites.get(cell)
        if known is not None and known.quality >= candidate.quality:
            return False
        self.elites[cell] = candidate
        return True

    def choose(self, random: Random) -> Candidate:
        """Returns a parent for the next candidate: the best of three elites drawn at random."""
        drawn = random.choices(list(self.elites.values()), k=3)
        return max(drawn, key=lambda each: each.quality)
