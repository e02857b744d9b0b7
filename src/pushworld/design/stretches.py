"""Stretches: the order in which a plan carries sets of objects, which is the idea of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from pushworld.puzzle import Puzzle

Stretch = frozenset[str]
"""The names of the movables that the pushes of a stretch move."""


def stretches_of(puzzle: Puzzle, plan: str) -> tuple[Stretch, ...]:
    """Returns the stretches of a plan: pushes that move the same objects, whatever walks lie between."""
    names = [thing.name for thing in puzzle.objects]
    moved = (
        frozenset(
            name for name, one, other in zip(names, before, after, strict=True) if one != other
        )
        - {puzzle.agent.name}
        for before, after in pairwise(puzzle.replay(plan))
    )
    return tuple(stretch for stretch, _ in groupby(filter(None, moved)))


def likeness(one: Sequence[Stretch], other: Sequence[Stretch]) -> float:
    """Returns how alike two orders are: 1 minus the edit distance as a share of the longer one."""
    longer = max(len(one), len(other))
    return 1 - _edit_distance(one, other) / longer if longer else 1.0


def _edit_distance(one: Sequence[Stretch], other: Sequence[Stretch]) -> int:
    """Returns how many insertions, deletions and replacements lead from one order to the other."""
    row = list(range(len(other) + 1))
    for i, ours in enumerate(one, start=1):
        above, row = row, [i]
        for j, theirs in enumerate(other, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (ours != theirs)))
    return row[-1]
