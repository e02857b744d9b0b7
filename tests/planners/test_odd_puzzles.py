"""Puzzles at the edge of what is allowed, each with a solution that is known beforehand."""

from __future__ import annotations

import pytest

from pushworld import Puzzle, shorten, solve
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


@COMPLETE
@pytest.mark.parametrize("movables", [63, 64, 65, 200])
def test_a_row_of_many_objects_is_pushed_as_one(planner: str, movables: int) -> None:
    row = "A " + " ".join(f"M{k}" for k in range(movables)) + " G0"
    assert solve(Puzzle.parse(row), planner, time_limit=PATIENCE).status == "unsolvable"
    last = movables - 1
    result = solve(Puzzle.parse(row.replace("G0", f"G{last}")), planner, time_limit=PATIENCE)
    assert result.plan == "R"


def crowd_around(goal: str) -> Puzzle:
    """Returns 80 movables two cells apart and one with a goal, which a square among them hides."""
    cells = {
        f"M{x}n{y}": [(2 * x + 1, 2 * y + 1)]
        for x in range(9)
        for y in range(9)
        if (x, y) != (4, 4)
    }
    cells |= {"A": [(0, 0)], "M1": block(9, 9, 1, 1), goal: block(9, 13, 1, 1)}
    return drawn(19, 19, cells)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("seed", [0, 5])
def test_crowds_are_solved_by_pushes(threads: int, seed: int) -> None:
    puzzle = crowd_around("G1")
    result = solve(puzzle, time_limit=PATIENCE, threads=threads, seed=seed)
    assert result.plan is not None
    assert puzzle.validate(result.plan)
    assert len(shorten(puzzle, result.plan, 0.1).plan) <= len(result.plan)
    if threads == 1:
        assert solve(puzzle, time_limit=PATIENCE, seed=seed).plan == result.plan
