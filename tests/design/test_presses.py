"""Presses: the bar alone has a goal, and reaches it when the pieces fill the mould."""

from __future__ import annotations

from random import Random

import pytest

from pushworld.design.presses import press
from pushworld.puzzle import Puzzle
from pushworld.puzzle.free_space import connected, free_cells, neighbours


def presses(width: int, height: int, seeds: range) -> list[tuple[Puzzle, str]]:
    made = (press(Random(seed), width, height) for seed in seeds)
    return [each for each in made if each is not None]


@pytest.fixture(scope="module")
def made() -> list[tuple[Puzzle, str]]:
    found = presses(20, 20, range(60))
    assert len(found) >= 5
    return found


def test_plans_solve_presses_of_the_size(made: list[tuple[Puzzle, str]]) -> None:
    for puzzle, plan in made:
        assert puzzle.validate(plan)
        assert puzzle.width - 2 <= 20
        assert puzzle.height - 2 <= 20


def test_at_the_end_the_pieces_fill_what_lies_behind_the_bar(
    made: list[tuple[Puzzle, str]],
) -> None:
    for puzzle, plan in made:
        assert [thing.name for thing in puzzle.movables if thing.goal] == ["M1"]
        *_, last = puzzle.replay(plan)
        agent, bar, *pieces = (
            thing.cells_at(place) for thing, place in zip(puzzle.objects, last, strict=True)
        )
        behind = free_cells(puzzle) - bar
        behind -= connected(agent, behind)
        assert behind == set().union(*pieces)


def test_at_the_start_no_object_touches_another(made: list[tuple[Puzzle, str]]) -> None:
    for puzzle, _ in made:
        for thing in puzzle.movables:
            around = neighbours(thing.cells_at(thing.start)) - thing.cells_at(thing.start)
            others = (each for each in puzzle.movables if each is not thing)
            assert not any(around & other.cells_at(other.start) for other in others)


def test_a_small_board_has_no_press() -> None:
    assert presses(9, 9, range(20)) == []
