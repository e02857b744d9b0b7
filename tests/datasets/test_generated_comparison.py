"""Generated Level 0 puzzles against the published ones, and the test that compares them."""

from __future__ import annotations

import math
from random import Random

import pytest

from pushworld.datasets.generated.distribution import AS_PUBLISHED
from pushworld.puzzle import Puzzle
from tests.datasets.comparison import (
    chi_square_tail,
    compare_set,
    compare_values,
    format_comparison,
)
from tests.shared import level0_archive, needs_shared


def published(name: str) -> list[Puzzle]:
    """Returns every third puzzle of a published set, of both splits."""
    with level0_archive() as archive:
        members = sorted(
            member
            for member in archive.namelist()
            if member.startswith(f"level0/{name}/") and member.endswith(".pwp")
        )
        return [Puzzle.parse(archive.read(member).decode()) for member in members[::3]]


@needs_shared
@pytest.mark.parametrize("name", AS_PUBLISHED)
@pytest.mark.large
def test_generated_sets_are_distributed_like_the_published_ones(name: str) -> None:
    compared = compare_set(name, published(name), 800, lengths=30)
    differing = [each.name for each in compared.properties if each.differs]
    assert not differing, format_comparison(compared)


@needs_shared
def test_published_all_stops_at_nine_where_the_paper_says_ten() -> None:
    puzzles = published("all")
    assert max(max(puzzle.width, puzzle.height) for puzzle in puzzles) - 2 == 9


def test_chi_square_tail_against_known_quantiles() -> None:
    for freedom, critical in ((1, 3.841), (2, 5.991), (5, 11.070), (10, 18.307), (31, 44.985)):
        assert math.isclose(chi_square_tail(critical, freedom), 0.05, rel_tol=1e-3)


def test_a_shifted_distribution_is_noticed_and_the_same_one_is_not() -> None:
    random = Random(1)
    one = [random.randint(3, 5) for _ in range(1000)]
    same = [random.randint(3, 5) for _ in range(3000)]
    shifted = [random.choice((3, 3, 4, 5)) for _ in range(1000)]
    assert not compare_values("walls", one, same).differs
    assert compare_values("walls", shifted, same).differs
    assert compare_values("walls", [3] * 50, [4] * 50).differs
