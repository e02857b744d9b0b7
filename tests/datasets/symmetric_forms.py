"""What two puzzles share that are the same up to symmetry and names, by way of the Python model."""

from __future__ import annotations

from pushworld.puzzle import Puzzle, Symmetry, transform

Form = tuple[object, ...]


def symmetric_form(puzzle: Puzzle) -> Form:
    """Returns the smallest of the eight forms of a puzzle, without names."""
    return min(_form(transform(puzzle, symmetry)) for symmetry in Symmetry)


def _form(puzzle: Puzzle) -> Form:
    movables = sorted((thing.shape, thing.start, thing.goal or ()) for thing in puzzle.movables)
    agent = (puzzle.agent.shape, puzzle.agent.start)
    return puzzle.width, puzzle.height, sorted(puzzle.walls), agent, movables
