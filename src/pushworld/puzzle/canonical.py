"""Canonical forms: whether puzzles differ only in symmetry, padding and names."""

from __future__ import annotations

import hashlib

from pushworld.puzzle.model import Puzzle, PuzzleObject
from pushworld.puzzle.transform import Symmetry, crop, transform


def canonical_form(puzzle: Puzzle) -> str:
    """Returns a text that is equal for puzzles that differ only in symmetry, padding and names."""
    small = crop(puzzle)
    return min(_written(transform(small, symmetry)) for symmetry in Symmetry)


def canonical_hash(puzzle: Puzzle) -> str:
    """Returns a digest of the canonical form."""
    return hashlib.sha256(canonical_form(puzzle).encode()).hexdigest()[:16]


def _written(puzzle: Puzzle) -> str:
    def described(thing: PuzzleObject) -> tuple[object, ...]:
        return (thing.goal or (), thing.start, thing.shape)

    movables = sorted(described(thing) for thing in puzzle.movables)
    parts = (
        puzzle.width,
        puzzle.height,
        sorted(puzzle.walls),
        sorted(puzzle.agent_walls - puzzle.walls),
        described(puzzle.agent),
        movables,
    )
    return repr(parts)
