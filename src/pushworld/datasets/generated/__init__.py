"""New puzzles drawn at random: the Level 0 sets of the paper, sets of one's own, endless streams.

The sets that were published with the paper are in `pushworld.datasets.published.level0`.
"""

from pushworld.datasets.generated.batch import PuzzleBatch
from pushworld.datasets.generated.distribution import PuzzleDistribution
from pushworld.datasets.generated.folder import generate_folder
from pushworld.datasets.generated.level0_sets import (
    AS_PUBLISHED,
    LEVEL0_DISTRIBUTIONS,
    level0_distribution,
)
from pushworld.datasets.generated.shapes import polyominoes
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
