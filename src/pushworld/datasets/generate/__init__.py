"""New puzzles drawn at random: the Level 0 sets of the paper, sets of one's own, endless streams.

The sets that were published with the paper are in `pushworld.datasets.level0`.
"""

from pushworld.datasets.generate.batch import PuzzleBatch
from pushworld.datasets.generate.distribution import PuzzleDistribution
from pushworld.datasets.generate.folder import generate_folder
from pushworld.datasets.generate.level0_sets import (
    AS_PUBLISHED,
    LEVEL0_DISTRIBUTIONS,
    level0_distribution,
)
from pushworld.datasets.generate.shapes import polyominoes
from pushworld.datasets.generate.stream import PuzzleStream, Split, as_split, generate

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
