"""The sets ``frontier`` and ``heldout``: presses with plans, within the limits of the sets."""

from __future__ import annotations

from collections import Counter

import pytest

from pushworld.datasets import FrontierPuzzle, frontier_puzzles, heldout_puzzles, load_set
from pushworld.puzzle.transform import canonical_form

ENTRIES = (*frontier_puzzles(), *heldout_puzzles())


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_plan_solves_each_puzzle_within_the_limits_of_the_set(entry: FrontierPuzzle) -> None:
    puzzle = entry.puzzle
    assert puzzle.validate(entry.plan)
    assert 0 < (entry.at_least or 0) <= len(entry.plan) <= 150
    assert len(puzzle.objects) <= 14
    assert max(puzzle.width, puzzle.height) <= 24


def test_no_two_puzzles_are_the_same_and_no_kind_has_more_than_twenty() -> None:
    puzzles = load_set("frontier") + load_set("heldout")
    assert puzzles == [entry.puzzle for entry in ENTRIES]
    assert len(set(map(canonical_form, puzzles))) == len(puzzles)
    assert max(Counter((entry.folder, entry.press) for entry in ENTRIES).values()) <= 20
