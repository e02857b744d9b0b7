"""Searches do what they did before, state by state (see `tests.planners.signature`)."""

from __future__ import annotations

import pytest

from pushworld.puzzle import Puzzle
from tests.planners.signature import puzzles, recorded, rows_of


@pytest.mark.parametrize("puzzle", puzzles(), ids=lambda puzzle: puzzle.name)
def test_searches_are_as_recorded(puzzle: Puzzle) -> None:
    assert list(rows_of(puzzle)) == recorded()[puzzle.name]
