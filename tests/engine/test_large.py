"""Worlds, objects and numbers of objects beyond one machine word, by the engine's general path."""

from __future__ import annotations

from random import Random

from pushworld.engine import Engine
from pushworld.puzzle import Position, Puzzle, PuzzleObject
from tests.engine.walking import assert_agreement, assert_no_overlap


def grid_of_movables(side: int, count: int, shape: list[Position], spacing: int) -> Puzzle:
    """Returns a world with the agent in its corner and movables of one shape in rows."""
    columns = (side - 4) // spacing
    movables = [
        PuzzleObject.from_cells(
            f"M{k}",
            [(3 + k % columns * spacing + x, 3 + k // columns * spacing + y) for x, y in shape],
        )
        for k in range(count)
    ]
    agent = PuzzleObject.from_cells("A", [(1, 3)])
    return Puzzle(side, side, (agent, *movables), frozenset(), name="large")


def test_256_by_256_with_250_movables() -> None:
    puzzle = grid_of_movables(256, 250, [(0, 0), (1, 0), (1, 1), (4, 6)], spacing=15)
    assert len(puzzle.movables) == 250
    assert_agreement(puzzle, Random(3), steps=40)
    engine = Engine(puzzle)
    state = puzzle.initial_state
    for action in [1] * 260:
        state = engine.step(state, action)
    assert_no_overlap(puzzle, state)
    assert state[0][0] > puzzle.initial_state[0][0]
    assert engine.step(state, 1) == state == puzzle.step(state, 1), "the far wall stops the row"


def test_a_row_of_250_is_pushed_as_one() -> None:
    row = "A " + " ".join(f"M{k}" for k in range(250)) + " ."
    puzzle = Puzzle.parse(row)
    pushed = tuple((x + 1, y) for x, y in puzzle.initial_state)
    assert (
        Engine(puzzle).step(puzzle.initial_state, 1)
        == pushed
        == puzzle.step(puzzle.initial_state, 1)
    )
    assert Engine(puzzle).step(pushed, 1) == pushed


def test_objects_as_wide_as_the_world() -> None:
    frame = [(x, y) for x in range(120) for y in range(9) if x in (0, 119) or y in (0, 8)]
    bar = [(x, 4) for x in range(2, 118)]
    puzzle = Puzzle(
        width=130,
        height=20,
        objects=(
            PuzzleObject.from_cells("A", [(60, 7)]),
            PuzzleObject.from_cells("M1", [(x + 3, y + 5) for x, y in frame]),
            PuzzleObject.from_cells("M2", [(x + 3, y + 5) for x, y in bar]),
        ),
        walls=frozenset(),
    )
    assert_agreement(puzzle, Random(5), steps=60)


def test_shapes_too_large_for_the_push_tables() -> None:
    """Sixty different shapes, each as large as the world: their tables would not fit in memory."""
    side = 240
    movables = [
        PuzzleObject.from_cells(f"M{k}", [(2 + k, 2), (100 + k, 4 + 2 * k), (235 - 2 * k, 236)])
        for k in range(60)
    ]
    agent = PuzzleObject.from_cells("A", [(1, 2)])
    puzzle = Puzzle(side, side, (agent, *movables), frozenset(), name="too large for tables")
    assert_agreement(puzzle, Random(7), steps=25)


def test_objects_of_a_thousand_cells() -> None:
    """Nine squares of 32 by 32 cells, each with a hole elsewhere, and an agent that fits a hole."""
    movables = [
        PuzzleObject.from_cells(
            f"M{k}",
            [
                (3 + 34 * (k % 3) + x, 3 + 34 * (k // 3) + y)
                for x in range(32)
                for y in range(32)
                if (x, y) != (k, 31 - k)
            ],
        )
        for k in range(9)
    ]
    agent = PuzzleObject.from_cells("A", [(1, 3), (1, 4)])
    puzzle = Puzzle(110, 108, (agent, *movables), frozenset(), name="thousands")
    assert len(puzzle.movables[0].shape) == 1023
    assert_agreement(puzzle, Random(11), steps=20)
