"""Revisions of a drawing: they are better by an independent measure, and end in time."""

from __future__ import annotations

from random import Random

import pytest

from pushworld.design.difficulty import grade
from pushworld.design.revisions import demand_tool, revise
from pushworld.puzzle import PushWorldError, Puzzle
from tests.design.oracle import Oracle, without

DRAWN = Puzzle.parse(". . . . . . .\n. A . M1 . G1 .\n. . . . . . .")


def test_harder_puzzles_have_a_higher_score_and_are_the_same_each_time() -> None:
    said: list[str] = []
    revision = revise(DRAWN, "harder", said.append)
    assert revision is not None
    assert grade(revision.puzzle).score > grade(DRAWN).score
    assert Oracle(revision.puzzle).shortest is not None
    assert revise(DRAWN, "harder") == revision
    assert said[0].startswith("0 of ")


def test_bars_and_agent_walls_demand_a_tool_now_and_then() -> None:
    plan = "RRR"
    needed = 0
    for seed in range(60):
        puzzle = demand_tool(DRAWN, plan, Random(seed))
        if puzzle is None:
            continue
        (tool,) = {thing.name for thing in puzzle.movables} - {"M1"}
        assert puzzle.agent_walls
        solvable = Oracle(puzzle).shortest is not None
        needed += solvable and Oracle(without(puzzle, tool)).shortest is None
    assert needed > 0


def test_a_puzzle_that_needs_a_tool_gets_no_other() -> None:
    revision = revise(DRAWN, "tool")
    assert revision is not None
    with pytest.raises(PushWorldError, match="needs a tool already: object 2"):
        revise(revision.puzzle, "tool")


@pytest.mark.parametrize("change", ["harder", "tool"])
def test_too_little_time_is_an_error_and_not_a_verdict(change: str) -> None:
    with pytest.raises(PushWorldError, match="time was too short"):
        revise(DRAWN, change, seconds=1e-9)


def test_tidying_a_tidy_puzzle_changes_nothing() -> None:
    first = revise(DRAWN, "tidy")
    assert first is not None
    assert first.puzzle.width * first.puzzle.height < DRAWN.width * DRAWN.height
    assert revise(first.puzzle, "tidy") is None


@pytest.mark.parametrize(
    ("text", "change", "message"),
    [
        ("A M1 . G1", "prettier", "no change 'prettier'"),
        ("A M1", "tidy", "no goals"),
        ("A M1 W G1", "harder", "finds no plan"),
        ("A M1 W G1", "tidy", "proved unsolvable"),
    ],
)
def test_what_cannot_be_revised_has_a_reason(text: str, change: str, message: str) -> None:
    with pytest.raises(PushWorldError, match=message):
        revise(Puzzle.parse(text), change)
