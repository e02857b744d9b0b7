"""What strategies of the default planner search, against exhaustive search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, permutations, product

import pytest

from pushworld import Puzzle, solve
from pushworld.datasets import resolve_puzzle
from pushworld.planners import OpenList, Strategy, default_strategies
from pushworld.planners.strategies import (
    COMMITMENTS,
    EVALUATORS,
    FEATURES,
    OBJECTS,
    OPTIONS,
)
from tests.planners.tiny_puzzles import tiny_puzzle
from tests.state_space import fewest_pushes, shortest_length
from tests.waiting import PATIENCE


def all_open_lists() -> Iterator[OpenList]:
    """Yields every set of features with every order of evaluators."""
    features: list[tuple[str, ...]] = [
        *chain.from_iterable(combinations(FEATURES, count) for count in range(len(FEATURES) + 1))
    ]
    evaluators: list[tuple[str, ...]] = [
        *chain.from_iterable(
            permutations(EVALUATORS, count) for count in range(len(EVALUATORS) + 1)
        )
    ]
    for pair in product(features, evaluators):
        yield OpenList(*pair)


TINY = [tiny_puzzle(seed) for seed in (2, 9, 12, 25)]


@pytest.mark.parametrize("commitment", COMMITMENTS)
def test_every_single_open_list_agrees_with_exhaustive_search(commitment: str) -> None:
    expected = [shortest_length(puzzle) for puzzle in TINY]
    assert {length is None for length in expected} == {True, False}
    for open_list in all_open_lists():
        strategy = Strategy.parse(f"{open_list} | commitment {commitment}")
        for puzzle, shortest in zip(TINY, expected, strict=True):
            result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
            assert (result.status == "unsolvable") == (shortest is None), str(strategy)
            assert (result.status == "solved") == (shortest is not None), str(strategy)


@pytest.mark.parametrize("commitment", COMMITMENTS)
def test_few_objects_agree_with_exhaustive_search(commitment: str) -> None:
    """A plan that moves few objects is a plan, and a proof is about the puzzle with all of them."""
    strategy = Strategy.parse(
        f"novelty, rgd; affordances: cost | commitment {commitment} | objects few"
    )
    left_out = 0
    for seed in range(100, 160):
        puzzle = tiny_puzzle(seed, max_movables=4)
        left_out += any(thing.goal is None for thing in puzzle.movables)
        result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
        assert result.status == ("unsolvable" if shortest_length(puzzle) is None else "solved")
    assert left_out > 20


def test_few_objects_of_many() -> None:
    """Clutter costs nothing: the search moves the goal object and what it cannot do without."""
    rows = [["."] * 14 for _ in range(9)]
    for index, row in enumerate(range(0, 9, 2)):
        for column in (2, 5, 8, 11):
            rows[row][column] = f"M{20 + 4 * index + column // 3}"
    rows[4][0], rows[4][2], rows[4][13] = "A", "M1", "G1"
    puzzle = Puzzle.parse("\n".join(" ".join(row) for row in rows))
    all_objects, few = Strategy.parse("fifo"), Strategy.parse("fifo | objects few")
    assert solve(puzzle, strategies=[few], max_states=20_000).status == "solved"
    assert solve(puzzle, strategies=[all_objects], max_states=20_000).status == "state-limit"


def test_what_is_in_the_way_is_cleared_in_stages() -> None:
    """A bar finds its corridor plugged three times. The agent is too wide for the holes below the plugs,
    but carries a key that reaches through them: three errands, of which no heuristic knows."""
    rows = """
        .  .  .  .  .  .  .  .  .  .  .  W  .  W  W  .  W  W  .  W  W
        .  .  M1 M1 M1 M1 M1 M1 M1 M1 M1 G1 M2+G1 G1 G1 M3+G1 G1 G1 M4+G1 G1 .
        .  .  .  .  .  .  .  .  .  .  .  W  .  W  W  .  W  W  .  W  W
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        A  A  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        A  A  .  .  M9 .  .  .  .  M6 .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  M9 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  M9 .  .  .  M5 .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  M9 .  .  .  .  .  .  M7 .  .  .  .  .  .  .  .  .
        .  .  .  M9 M9 M9 .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
        .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
    """
    puzzle = Puzzle.parse("\n".join(line.strip() for line in rows.strip().splitlines()))
    open_lists = "novelty, rgd; affordances: cost | commitment any"
    all_objects, few = Strategy.parse(open_lists), Strategy.parse(f"{open_lists} | objects few")
    result = solve(puzzle, strategies=[few], max_states=50_000)
    assert result.plan is not None
    assert puzzle.validate(result.plan)
    assert solve(puzzle, strategies=[all_objects], max_states=50_000).status == "state-limit"


@pytest.mark.parametrize("objects", OBJECTS)
def test_goals_in_turn_agree_with_exhaustive_search(objects: str) -> None:
    """What single stages prove is not about the puzzle."""
    strategy = Strategy.parse(f"novelty, rgd | objects {objects} | goals in-turn")
    puzzles = [tiny_puzzle(seed, max_movables=4) for seed in range(200, 280)]
    assert sum(len(puzzle.goal) > 1 for puzzle in puzzles) > 20
    for puzzle in puzzles:
        result = solve(puzzle, strategies=[strategy], time_limit=PATIENCE)
        assert result.status == ("unsolvable" if shortest_length(puzzle) is None else "solved")


SHELF = """
. .  .  .  .  .  .  .  .  .  .  .
. .  .  M1 .  .  M3 .  .  .  .  .
A .  .  .  .  .  .  .  W  W  W  W
. .  .  M2 .  .  M4 .  .  G1 G2 G3
. .  .  .  .  .  .  .  W  W  W  W
. .  .  .  .  .  .  .  .  .  .  .
"""
"""A corridor is filled from its inner end, though the puzzle names that object last."""


SHAFT = """
G1 W . . .  .  .  .  . .
.  . . . .  .  .  .  . .
M2 W . . .  M1 .  .  . .
M2 W . . .  .  .  .  . .
.  . . . .  .  .  M5 . .
M3 W . . .  .  .  .  . .
M3 . . . M4 .  .  .  . .
.  . . . .  .  M6 .  A A
.  . . . .  .  .  .  A A
"""
"""The agent fits into no hole of the shaft. The goal object, two bars and a spacer between them must
stand in it before one push from below moves all of them, and two need a tool to get there."""


@pytest.mark.parametrize(
    ("rows", "states"), [(SHELF, 500), (SHAFT, 20_000)], ids=["order", "layout"]
)
def test_goals_in_turn_solve_what_goals_together_do_not(rows: str, states: int) -> None:
    puzzle = Puzzle.parse(rows.strip())
    together = Strategy.parse("cost | commitment any")
    in_turn = Strategy.parse("cost | commitment any | goals in-turn")
    result = solve(puzzle, strategies=[in_turn], max_states=states)
    assert result.plan is not None
    assert puzzle.validate(result.plan)
    assert solve(puzzle, strategies=[together], max_states=states).status == "state-limit"


def test_one_goal_is_looked_for_in_turn_only_where_layouts_are_needed() -> None:
    in_turn = Strategy.parse("mine = cost | goals in-turn")
    without = Strategy.parse("mine = cost | goals in-turn | layouts 0")
    shaft, open_room = Puzzle.parse(SHAFT.strip()), Puzzle.parse("A . M1 . G1")
    assert solve(shaft, strategies=[in_turn], max_states=100).unsuitable == ()
    assert solve(shaft, strategies=[without], max_states=100).unsuitable == ("mine",)
    assert solve(open_room, strategies=[in_turn]).unsuitable == ("mine",)


def test_first_in_first_out_finds_the_fewest_pushes() -> None:
    breadth_first = Strategy.parse("fifo")
    lengths = set()
    for seed in range(31, 81):
        puzzle = tiny_puzzle(seed)
        result = solve(puzzle, strategies=[breadth_first], time_limit=PATIENCE)
        assert result.pushes == fewest_pushes(puzzle), puzzle.to_pwp()
        lengths.add(result.pushes)
    assert len(lengths) > 4


SMALL = {"turn": 50, "first-states": 20, "searches": 2, "least-states": 10, "begin-pushes": 20} | {
    "stage-pushes": 50,
    "stage-turn": 10,
    "layout-turn": 50,
}
"""Limits so small that the searches enter later rounds within some thousand states."""


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_changes_what_the_planner_does(name: str) -> None:
    def counts(puzzle: Puzzle, **more: int) -> tuple[int, int]:
        options = tuple((SMALL | more).items())
        chosen = [replace(each, options=options) for each in default_strategies()]
        found = solve(puzzle, strategies=chosen, seed=1, max_states=3000, time_limit=PATIENCE)
        return found.expanded, found.generated

    assert any(
        counts(puzzle, **{name: value}) != counts(puzzle)
        for puzzle in map(
            resolve_puzzle, ("tower-block", "pan-pipes", "deep-water", "pneumatic-post")
        )
        for value in (OPTIONS[name].least, OPTIONS[name].most)
    )


def test_shares_divide_the_states_of_a_thread() -> None:
    """A strategy with a large share runs for as long as the first turn of one with a small share."""
    rows = [["."] * 12 for _ in range(12)]
    rows[0][0], rows[3][3], rows[8][8], rows[5][9], rows[1][10] = "A", "M1", "M2", "M3", "G1"
    puzzle = Puzzle.parse("\n".join(" ".join(row) for row in rows))
    slow, fast = Strategy.parse("fifo | share 1000"), Strategy.parse("novelty, rgd")
    patient = solve(puzzle, strategies=[slow, fast], max_states=3000)
    quick = solve(puzzle, strategies=[fast, slow], max_states=3000)
    assert (patient.status, quick.status) == ("state-limit", "solved")
