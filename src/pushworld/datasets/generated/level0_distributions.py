"""The distributions of the seven Level 0 sets of the paper.

The paper gives sizes, numbers and shapes. The published puzzles answer what it leaves open (see
``docs/reference/level0.md``): shapes are uniform over orientations, objects with goals do not start at the
border and differ in shape, and a draw without a solution is rejected as a whole.
"""

from __future__ import annotations

from dataclasses import replace

from pushworld.datasets.errors import DataError
from pushworld.datasets.generated.distribution import PuzzleDistribution
from pushworld.datasets.generated.polyominoes import FLAT_DOMINO, SQUARE, polyominoes

_SHAPES = polyominoes(1, 3)
_BASE = PuzzleDistribution()

LEVEL0_DISTRIBUTIONS: dict[str, PuzzleDistribution] = {
    "base": _BASE,
    "size": replace(_BASE, width=(5, 10), height=(5, 10)),
    "walls": replace(_BASE, walls=(3, 5)),
    "obstacles": replace(_BASE, obstacles=(2, 2)),
    "shapes": replace(_BASE, agent_shapes=_SHAPES, goal_shapes=(_SHAPES,), obstacle_shapes=_SHAPES),
    "goals": replace(_BASE, goals=(2, 2), goal_shapes=((SQUARE,), (FLAT_DOMINO,))),
    "all": replace(
        _BASE,
        width=(5, 10),
        height=(5, 10),
        walls=(3, 5),
        obstacles=(1, 2),
        goals=(1, 2),
        agent_shapes=_SHAPES,
        goal_shapes=(_SHAPES,),
        obstacle_shapes=_SHAPES,
    ),
}
"""The distributions by the names of the sets, in the paper's order."""

AS_PUBLISHED: dict[str, PuzzleDistribution] = {
    **LEVEL0_DISTRIBUTIONS,
    "all": replace(LEVEL0_DISTRIBUTIONS["all"], width=(5, 9), height=(5, 9)),
}
"""The distributions of the published sets: in ``all``, sides go up to 9, not to 10 as in the paper."""


def level0_distribution(name: str) -> PuzzleDistribution:
    """Returns the distribution of a Level 0 set, or raises DataError if there is no such set."""
    if name not in LEVEL0_DISTRIBUTIONS:
        raise DataError(
            f"there is no Level 0 set {name!r}: the sets are {', '.join(LEVEL0_DISTRIBUTIONS)}"
        )
    return LEVEL0_DISTRIBUTIONS[name]
