"""Puzzles at the edge of what is allowed, each with a solution that is known beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pushworld import Puzzle, shorten, solve
from pushworld.planners import Strategy, default_strategies, planners
from pushworld.planners.native import NativePlanner
from pushworld.puzzle import PuzzleObject
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import shortest_length
from tests.waiting import PATIENCE

EACH_NATIVE_PLANNER = pytest.mark.parametrize(
    "planner", [each.name for each in planners() if isinstance(each, NativePlanner)]
)


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


@EACH_NATIVE_PLANNER
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


@EACH_NATIVE_PLANNER
@pytest.mark.parametrize("movables", [63, 64, 65, 100])
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


@pytest.mark.parametrize("width", [70, 258])
def test_walks_in_wide_worlds(width: int) -> None:
    """A row takes several words. The agent comes from the right and pushes the object back to the right."""
    middle = width // 64 * 64
    puzzle = drawn(
        width,
        4,
        {
            "A": [(width - 1, 2)],
            "M1": [(middle - 2, 2)],
            "G1": [(middle + 1, 1)],
            "W": [(middle, 2), (middle - 4, 1), (middle - 4, 2)],
        },
    )
    shortest = solve(puzzle, "bfs", time_limit=PATIENCE)
    assert shortest.plan is not None
    assert solve(puzzle, "astar", time_limit=PATIENCE).length == shortest.length


def with_onlookers(puzzle: Puzzle, count: int) -> Puzzle:
    """Returns the puzzle beside a block of walls with as many objects in it that can never move."""
    columns = 8
    rows = -(-count // columns)
    left, width = puzzle.width, puzzle.width + columns + 1
    height = max(puzzle.height, rows + 2)
    places = [(left + k % columns, 1 + k // columns) for k in range(count)]
    onlookers = [PuzzleObject.from_cells(f"Mstuck{k}", [at]) for k, at in enumerate(places)]
    inside = {(x, y) for x in range(1, puzzle.width - 1) for y in range(1, puzzle.height - 1)}
    free = (inside - puzzle.walls) | set(places)
    return replace(
        puzzle,
        width=width,
        height=height,
        objects=(*puzzle.objects, *onlookers),
        walls=frozenset({(x, y) for x in range(width) for y in range(height)} - free),
    )


@EACH_NATIVE_PLANNER
def test_objects_that_cannot_move_change_nothing(planner: str) -> None:
    """However many they are."""
    for seed in range(24):
        puzzle = tiny_puzzle(seed, max_movables=2)
        shortest = shortest_length(puzzle)
        for count in (61, 66):
            result = solve(with_onlookers(puzzle, count), planner, time_limit=PATIENCE)
            assert result.status == ("unsolvable" if shortest is None else "solved"), seed


@EACH_NATIVE_PLANNER
def test_an_agent_that_cannot_move_solves_nothing(planner: str) -> None:
    boxed_in = Puzzle.parse("A  W . .\nW  . M1 G1\n. . . .")
    assert solve(boxed_in, planner, time_limit=PATIENCE).status == "unsolvable"
    fenced_in = Puzzle.parse("A  AW . .\nAW M1 G1 .\n. . . .")
    assert solve(fenced_in, planner, time_limit=PATIENCE).status == "unsolvable"


@EACH_NATIVE_PLANNER
def test_goals_that_overlap_are_unsolvable(planner: str) -> None:
    same_cell = Puzzle.parse(". . . . .\nA M1 . G1+G2 .\n. . M2 . .\n. . . . .")
    assert solve(same_cell, planner, time_limit=PATIENCE).status == "unsolvable"


def goals_in_a_row(goals: int, depth: int = 40) -> Puzzle:
    """Returns a puzzle in which one object must go down a shaft, and then a push moves all others home.

    The row of the others closes the shaft. No two goal facts but those of the row change together.
    """
    last = goals - 1
    row = ["M1", *(f"M{k}+G{k - 1}" for k in range(2, goals)), f"G{last}"]
    shaft = [[*["W"] * goals, "."] for _ in range(depth)]
    shaft[1][-1] = f"G{goals}"
    lines = [["A", *["."] * goals], [".", *["W"] * last, f"M{goals}"], [".", *row], *shaft]
    return Puzzle.parse("\n".join(" ".join(line) for line in lines))


@pytest.mark.parametrize("goals", [9, 11, 12, 40, 70])
def test_each_goal_is_a_goal_fact_of_its_own(goals: int) -> None:
    """However many goals: a search that overlooks one goes down the shaft to its end."""
    committed = Strategy.parse("fifo | commitment any")
    result = solve(goals_in_a_row(goals), strategies=[committed], time_limit=PATIENCE)
    assert (result.status, result.pushes, result.expanded) == ("solved", 4, 8)


@pytest.mark.parametrize("solvable", [True, False])
def test_twelve_goals(solvable: bool) -> None:
    """All strategies solve the puzzle, or prove that a closed shaft makes it unsolvable."""
    puzzle = goals_in_a_row(12, depth=3)
    if not solvable:
        puzzle = replace(puzzle, walls=puzzle.walls | {(1, 3)})
    for strategy in default_strategies():
        result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
        assert result.status == ("solved" if solvable else "unsolvable")
