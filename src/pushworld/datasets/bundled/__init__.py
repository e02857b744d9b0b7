"""The puzzles that ship with the package: the set ``bundled``, which teaches, and the set ``classic``."""

from pushworld.datasets.bundled.index import (
    BundledPuzzle,
    ClassicPuzzle,
    bundled_puzzles,
    classic_puzzles,
)

__all__ = ["BundledPuzzle", "ClassicPuzzle", "bundled_puzzles", "classic_puzzles"]
