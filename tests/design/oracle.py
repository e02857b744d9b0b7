"""The oracle of these tests, and the puzzles that it is asked about."""

from __future__ import annotations

from dataclasses import replace

from pushworld.design.variants import difference
from pushworld.puzzle import Puzzle
from tests.state_space import StateSpace as Oracle

__all__ = ["Oracle", "asking_only_for", "is_trivial_edit", "without"]


def without(puzzle: Puzzle, *names: str) -> Puzzle:
    """Returns the puzzle without some objects and their goals."""
    return replace(puzzle, objects=tuple(each for each in puzzle.objects if each.name not in names))


def is_trivial_edit(one: Puzzle, other: Puzzle) -> bool:
    """Returns whether two puzzles differ in only a few cells, under the best symmetry."""
    return difference(one, other) <= 0.05


def asking_only_for(puzzle: Puzzle, name: str) -> Puzzle:
    """Returns the puzzle with one of its goals."""
    return replace(
        puzzle,
        objects=tuple(
            each if each.name == name else replace(each, goal=None) for each in puzzle.objects
        ),
    )
