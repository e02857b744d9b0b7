"""Random puzzles: the Level 0 sets of the paper, distributions of your own, endless streams.

The published Level 0 sets are in `pushworld.datasets.published.store`.
"""

from pushworld.datasets.generated.distribution import (
    AS_PUBLISHED,
    LEVEL0_DISTRIBUTIONS,
    PuzzleDistribution,
    level0_distribution,
    polyominoes,
)
from pushworld.datasets.generated.folder import generate_folder
from pushworld.datasets.generated.stream import PuzzleBatch, PuzzleStream, Split, as_split, generate

__all__ = [
    "AS_PUBLISHED",
    "LEVEL0_DISTRIBUTIONS",
    "PuzzleBatch",
    "PuzzleDistribution",
    "PuzzleStream",
    "Split",
    "as_split",
    "generate",
    "generate_folder",
    "level0_distribution",
    "polyominoes",
]
