"""Presses: the bar alone has a goal, and reaches it when the pieces fill the mould."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pushworld.design.plan_features import covered_cells
from pushworld.design.presses import MOULDS, press
from pushworld.puzzle import Puzzle
from pushworld.puzzle.free_space import connected, free_cells, neighbours


def presses(width: int, height: int, kind: str = "") -> Iterator[tuple[Puzzle, str]]:
    for seed in range(500):
        made = press(Random(seed), width, height, kind)
        if made is not None:
            yield made


@pytest.fixture(scope="module")
def made() -> list[tuple[Puzzle, str]]:
    return [next(presses(24, 24, kind)) for kind in MOULDS]


def test_plans_solve_presses_of_the_size(made: list[tuple[Puzzle, str]]) -> None:
    for puzzle, plan in made:
        assert puzzle.validate(plan)
        assert puzzle.width - 2 <= 24
        assert puzzle.height - 2 <= 24


def test_at_the_end_the_pieces_fill_what_lies_behind_the_bar_or_beside_the_hall(
    made: list[tuple[Puzzle, str]],
) -> None:
    for puzzle, plan in made:
        assert [thing.name for thing in puzzle.movables if thing.goal] == ["M1"]
        *_, last = puzzle.replay(plan)
        agent, bar, *pieces = (
            thing.cells_at(place) for thing, place in zip(puzzle.objects, last, strict=True)
        )
        filled = set().union(*pieces)
        behind = free_cells(puzzle) - bar
        behind -= connected(agent, behind)
        assert behind in (filled, set())
        assert not filled & covered_cells(puzzle, plan, ["M1"])


def test_at_the_start_no_object_touches_another(made: list[tuple[Puzzle, str]]) -> None:
    for puzzle, _ in made:
        for thing in puzzle.movables:
            around = neighbours(thing.cells_at(thing.start)) - thing.cells_at(thing.start)
            others = (each for each in puzzle.movables if each is not thing)
            assert not any(around & other.cells_at(other.start) for other in others)


def test_a_small_board_has_no_press() -> None:
    assert list(presses(9, 9)) == []
