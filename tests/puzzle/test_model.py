"""The puzzle as a value: immutable, hashable, and valid by construction."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given

from pushworld import Action, Puzzle, PuzzleError
from pushworld.puzzle import PushWorldError, PuzzleObject
from tests.strategies import puzzles, small_puzzles

AGENT = PuzzleObject.from_cells("A", [(1, 1)])
MOVABLE = PuzzleObject.from_cells("M1", [(2, 1)])


def build(*objects: PuzzleObject, width: int = 6, height: int = 5, **parts: Any) -> Puzzle:
    return Puzzle(width, height, objects, **{"walls": frozenset(), **parts})


def test_a_puzzle_cannot_be_changed() -> None:
    puzzle = build(AGENT, MOVABLE)
    with pytest.raises(FrozenInstanceError):
        puzzle.width = 7  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        puzzle.agent.start = (2, 2)  # type: ignore[misc]
    assert isinstance(puzzle.walls, frozenset)


@given(small_puzzles)
def test_equality_ignores_the_name(puzzle: Puzzle) -> None:
    renamed = replace(puzzle, name="another")
    assert renamed == puzzle
    assert hash(renamed) == hash(puzzle)
    assert {puzzle: 1}[renamed] == 1


@given(small_puzzles)
def test_a_puzzle_travels_between_processes(puzzle: Puzzle) -> None:
    copy = pickle.loads(pickle.dumps(puzzle))
    assert copy == puzzle
    assert copy.name == puzzle.name


def test_an_error_travels_between_processes() -> None:
    error = PuzzleError("what", file="f.pwp", line=2, column=3, cell=(3, 2))
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) == "f.pwp, line 2, column 3: what"
    assert str(PuzzleError("what", cell=(3, 2))) == "cell (3, 2): what"
    assert isinstance(error, PushWorldError)
    assert isinstance(error, ValueError)


def test_any_difference_counts() -> None:
    puzzle = build(AGENT, MOVABLE)
    others = [
        build(AGENT),
        build(AGENT, MOVABLE, width=7),
        build(AGENT, MOVABLE, walls=frozenset({(4, 3)})),
        build(AGENT, MOVABLE, agent_walls=frozenset({(4, 3)})),
        build(AGENT, replace(MOVABLE, goal=(3, 1))),
        build(AGENT, replace(MOVABLE, name="M2")),
        build(AGENT, replace(MOVABLE, start=(3, 3))),
    ]
    assert len({puzzle, *others}) == 8


def test_the_border_is_always_there_and_the_order_is_always_the_same() -> None:
    goal = replace(MOVABLE, name="M3", start=(3, 3), goal=(4, 3))
    puzzle = build(AGENT, MOVABLE, goal)
    assert [thing.name for thing in puzzle.objects] == ["A", "M3", "M1"]
    assert puzzle == build(AGENT, goal, MOVABLE)
    assert {(0, 0), (5, 4), (3, 0), (0, 2)} <= puzzle.walls


@pytest.mark.parametrize(
    ("objects", "problem"),
    [
        ([], "no agent"),
        ([MOVABLE], "must be the agent"),
        ([replace(AGENT, goal=(2, 2))], "must be the agent"),
        ([AGENT, replace(AGENT, start=(2, 2))], "two objects are called A"),
        ([AGENT, MOVABLE, replace(MOVABLE, name="m1", start=(3, 3))], "two objects are called m1"),
        ([AGENT, replace(MOVABLE, name="box")], "'box' cannot be the name"),
        ([AGENT, replace(MOVABLE, name="M 1")], "'M 1' cannot be the name"),
        ([AGENT, replace(MOVABLE, name="M+1")], "cannot be the name"),
        ([AGENT, replace(MOVABLE, shape=())], "shape of M1 is not"),
        ([AGENT, replace(MOVABLE, shape=((1, 0),))], "shape of M1 is not"),
        ([AGENT, replace(MOVABLE, shape=((0, 1), (0, 0)))], "shape of M1 is not"),
        ([AGENT, replace(MOVABLE, start=(9, 9))], "cell (9, 9): M1 is outside the world"),
        ([AGENT, replace(MOVABLE, start=(5, 1))], "cell (5, 1): M1 overlaps a wall"),
        ([AGENT, replace(MOVABLE, start=(1, 1))], "cell (1, 1): M1 overlaps A"),
        ([AGENT, replace(MOVABLE, goal=(9, 1))], "the goal of M1 is outside the interior"),
        ([AGENT, replace(MOVABLE, goal=(0, 1))], "the goal of M1 is outside the interior"),
    ],
)
def test_objects_that_do_not_fit(objects: list[PuzzleObject], problem: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        build(*objects)
    assert problem in str(caught.value)


def test_walls_and_sizes_that_do_not_fit() -> None:
    for size in (2, 1001, 10**9):
        with pytest.raises(PuzzleError, match="each side must be 3 to 1000"):
            build(AGENT, width=size)
    with pytest.raises(PuzzleError, match="a wall is outside the world"):
        build(AGENT, walls=frozenset({(6, 1)}))
    with pytest.raises(PuzzleError, match="an agent wall is outside the interior"):
        build(AGENT, agent_walls=frozenset({(0, 0)}))
    with pytest.raises(PuzzleError, match="A overlaps an agent wall"):
        build(AGENT, agent_walls=frozenset({(1, 1)}))
    build(AGENT, MOVABLE, agent_walls=frozenset({(2, 1)}))


@given(puzzles)
def test_drawn_puzzles_know_their_parts(puzzle: Puzzle) -> None:
    assert puzzle.agent is puzzle.objects[0]
    assert puzzle.movables == puzzle.objects[1:]
    assert len(puzzle.initial_state) == len(puzzle.objects)
    with_goals = puzzle.movables[: len(puzzle.goal)]
    assert tuple(thing.goal for thing in with_goals) == puzzle.goal
    assert all(thing.goal is None for thing in puzzle.movables[len(puzzle.goal) :])
    for thing in puzzle.objects:
        cells = thing.cells_at(thing.start)
        assert len(cells) == len(thing.shape)
        assert max(x for x, _ in cells) - thing.start[0] + 1 == thing.width
        assert max(y for _, y in cells) - thing.start[1] + 1 == thing.height


def test_goals() -> None:
    puzzle = Puzzle.parse("A M1 G1 G2 M2 .")
    state = puzzle.initial_state
    assert puzzle.achieved_goals(state) == 0
    state = puzzle.step(state, Action.RIGHT)
    assert puzzle.achieved_goals(state) == 1
    assert not puzzle.is_solved(state)
    assert puzzle.is_solved(((1, 1), (3, 1), (4, 1)))


def test_a_sandbox_is_never_solved() -> None:
    sandbox = Puzzle.parse("A M1 .")
    assert sandbox.goal == ()
    assert not sandbox.is_solved(sandbox.initial_state)
    assert not sandbox.validate("")
    assert not sandbox.validate("R")


def test_solved_at_the_start() -> None:
    assert Puzzle.parse("A M1+G1").validate("")
