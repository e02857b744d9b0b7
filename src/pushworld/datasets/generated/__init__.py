"""Random puzzles: the Level 0 sets of the paper, distributions of your own, endless streams.

The published Level 0 sets are in `pushworld.datasets.published.level0`.
"""

from pushworld.datasets.generated.distribution import PuzzleDistribution
from pushworld.datasets.generated.folder import generate_folder
from pushworld.datasets.generated.level0_distributions import (
    AS_PUBLISHED,
    LEVEL0_DISTRIBUTIONS,
    level0_distribution,
)
from pushworld.datasets.generated.polyominoes import polyominoes
from pushworld.datasets.generated.puzzle_batch import PuzzleBatch
from pushworld.datasets.generated.stream import PuzzleStream, Split, as_split, generate

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
