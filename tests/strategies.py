"""Hypothesis strategies for puzzles and walks, over the worlds of `tests.grids`."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from pushworld.puzzle import Action, Puzzle
from tests.grids import KINDS, Grid, puzzle_on

# Plain seeds: hypothesis's own random choices are too often alike to make worlds that move.
randoms = st.sampled_from(range(2**20)).map(Random)
plans = st.lists(st.sampled_from(Action), max_size=30).map(tuple)


def puzzles_on(grid: Grid) -> st.SearchStrategy[Puzzle]:
    """Returns the puzzles that a grid shows, with goals for some of the objects."""
    return randoms.map(lambda random: puzzle_on(grid, random))


GRIDS: dict[str, st.SearchStrategy[Grid]] = {kind: randoms.map(KINDS[kind]) for kind in KINDS}

small_puzzles = GRIDS["painted"].flatmap(puzzles_on)
puzzles = st.one_of(*GRIDS.values()).flatmap(puzzles_on)
