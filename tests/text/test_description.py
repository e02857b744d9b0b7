"""Texts of puzzles show everything, and nothing that a stranger wrote."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from pushworld.design.variants import from_state
from pushworld.puzzle import Plan, PushWorldError, Puzzle
from pushworld.text import FORMATS, describe
from tests import strategies
from tests.text.readers import READERS


def relabelled(puzzle: Puzzle) -> Puzzle:
    """Returns the puzzle with the labels of texts, without agent walls under walls."""
    movables = (
        replace(thing, name=f"M{number}") for number, thing in enumerate(puzzle.movables, start=1)
    )
    return replace(
        puzzle,
        objects=(puzzle.agent, *movables),
        agent_walls=puzzle.agent_walls - puzzle.walls,
    )


@pytest.mark.parametrize("format", FORMATS)
@given(puzzle=strategies.puzzles, plan=strategies.plans)
def test_a_text_shows_the_whole_puzzle_and_state(format: str, puzzle: Puzzle, plan: Plan) -> None:
    *_, state = puzzle.replay(plan)
    shown = READERS[format](describe(puzzle, state, format))
    assert shown == relabelled(from_state(puzzle, state))


def test_goals_under_objects_and_walls_stay_visible() -> None:
    puzzle = Puzzle.parse("A+G1 M1 M2+G3+AW M3 W+G2")
    assert describe(puzzle).splitlines()[2].split() == [
        "1", "#", "A+G1", "M1", "~+M2+G3", "M3", "#+G2", "#",
    ]  # fmt: skip


def test_texts_show_the_initial_state_unless_told_otherwise() -> None:
    puzzle = Puzzle.parse("A M1 . G1")
    for format in FORMATS:
        assert describe(puzzle, format=format) == describe(puzzle, puzzle.initial_state, format)


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(PushWorldError, match="'yaml': choose one of grid, objects, json"):
        describe(Puzzle.parse("A M1 G1"), format="yaml")


def test_a_state_of_another_puzzle_is_an_error() -> None:
    with pytest.raises(PushWorldError, match="the state has 1 positions"):
        describe(Puzzle.parse("A M1 G1"), ((1, 1),))
