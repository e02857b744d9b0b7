"""Presses: a bar unlocks the only goal, which it can do when the pieces fill the mould."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pushworld.design.plan_features import covered_cells
from pushworld.design.presses import MOULDS, press
from pushworld.puzzle import Puzzle, PuzzleObject
from pushworld.puzzle.free_space import connected, free_cells, neighbours


def presses(width: int, height: int, kind: str = "") -> Iterator[tuple[Puzzle, str]]:
    for seed in range(50_000):
        made = press(Random(seed), width, height, kind)
        if made is not None:
            yield made


QUICKLY_MADE = ("organ", "pigeonholes", "sorter")
KINDS = [
    pytest.param(kind, marks=() if kind in QUICKLY_MADE else pytest.mark.large) for kind in MOULDS
]


@pytest.fixture(scope="module", params=KINDS)
def made(request: pytest.FixtureRequest) -> tuple[Puzzle, str]:
    return next(presses(22, 22, request.param))


def pieces_of(puzzle: Puzzle) -> list[PuzzleObject]:
    """Returns what is neither the key, the bar nor a bolt: a bolt lies beside the key."""
    key, _, *others = puzzle.movables
    around = neighbours(key.cells_at(key.start)) | key.cells_at(key.start)
    beyond = neighbours(around)
    return [each for each in others if not each.cells_at(each.start) & beyond]


def test_plans_solve_presses_of_the_size(made: tuple[Puzzle, str]) -> None:
    puzzle, plan = made
    assert puzzle.validate(plan)
    assert puzzle.width <= 24
    assert puzzle.height <= 24
    assert [thing.name for thing in puzzle.movables if thing.goal] == ["M1"]


def test_at_the_end_the_pieces_fill_every_place_that_the_bar_leaves_them(
    made: tuple[Puzzle, str],
) -> None:
    puzzle, plan = made
    *_, last = puzzle.replay(plan)
    end = dict(zip(puzzle.objects, last, strict=True))
    filled = set().union(*(piece.cells_at(end[piece]) for piece in pieces_of(puzzle)))
    swept = covered_cells(puzzle, plan, ["M2"])
    assert not filled & swept
    for cell in filled:
        assert connected([cell], free_cells(puzzle) - swept) <= filled


def test_the_key_moves_after_everything_else_has_moved(
    made: tuple[Puzzle, str],
) -> None:
    puzzle, plan = made
    states = list(puzzle.replay(plan))
    moves = [
        next(n for n, state in enumerate(states) if state[thing] != states[0][thing])
        for thing in range(1, len(puzzle.objects))
    ]
    key, bar, *others = moves
    assert max(others) < key
    assert bar < key


def test_at_the_start_no_piece_touches_another_object(made: tuple[Puzzle, str]) -> None:
    puzzle, _ = made
    for piece in pieces_of(puzzle):
        around = neighbours(piece.cells_at(piece.start)) - piece.cells_at(piece.start)
        others = (each for each in puzzle.movables if each is not piece)
        assert not any(around & other.cells_at(other.start) for other in others)


def test_a_small_board_has_no_press() -> None:
    assert not any(press(Random(seed), 9, 9) for seed in range(500))
