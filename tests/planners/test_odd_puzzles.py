"""Puzzles at the edge of what is allowed, each with a solution that is known beforehand."""

from __future__ import annotations

import pytest

from pushworld import Puzzle, solve
from pushworld.planners import planners
from tests.waiting import PATIENCE

COMPLETE = pytest.mark.parametrize("planner", [each.name for each in planners() if each.complete])


def drawn(width: int, height: int, cells: dict[str, list[tuple[int, int]]]) -> Puzzle:
    """Returns a world of that interior with the given cells of elements, (0, 0) its first cell."""
    rows: list[list[list[str]]] = [[[] for _ in range(width)] for _ in range(height)]
    for element, places in cells.items():
        for x, y in places:
            rows[y][x].append(element)
    return Puzzle.parse("\n".join(" ".join("+".join(cell) or "." for cell in row) for row in rows))


def block(left: int, top: int, width: int, height: int) -> list[tuple[int, int]]:
    """Returns the cells of a rectangle."""
    return [(x, y) for y in range(top, top + height) for x in range(left, left + width)]


@COMPLETE
@pytest.mark.parametrize("width", [62, 254, 998])
def test_agent_and_object_are_almost_as_wide_as_the_world(planner: str, width: int) -> None:
    """Together they are far wider than a row of the world."""
    puzzle = drawn(
        width,
        8,
        {
            "A": block(0, 0, width - 2, 2),
            "M1": block(1, 3, width - 2, 2),
            "G1": block(1, 5, width - 2, 2),
        },
    )
    result = solve(puzzle, planner, time_limit=PATIENCE)
    assert result.status == "solved"
    assert result.length == 3
