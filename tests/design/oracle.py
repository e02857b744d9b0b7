"""The oracle of these tests, and the puzzles that it is asked about."""

from __future__ import annotations

from dataclasses import replace

from pushworld.puzzle import Puzzle
from tests.state_space import StateSpace as Oracle

__all__ = ["Oracle", "asking_only_for", "without"]


def without(puzzle: Puzzle, *names: str) -> Puzzle:
    """Returns the puzzle without some objects and their goals."""
    return replace(puzzle, objects=tuple(each for each in puzzle.objects if each.name not in names))


def asking_only_for(puzzle: Puzzle, name: str) -> Puzzle:
    """Returns the puzzle with one of its goals."""
    return replace(
        puzzle,
        objects=tuple(
            each if each.name == name else replace(each, goal=None) for each in puzzle.objects
        ),
    )
