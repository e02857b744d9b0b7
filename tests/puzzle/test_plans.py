"""Plans as texts and as numbers, and whether they solve a puzzle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld import Action, PlanError, PushWorldError, Puzzle
from pushworld.puzzle import format_plan, parse_plan
from tests.strategies import plans

PUZZLE = Puzzle.parse("A . M1 . G1")


def test_the_numbers_of_actions_are_a_contract() -> None:
    assert [(a.value, a.letter, a.delta) for a in Action] == [
        (0, "L", (-1, 0)),
        (1, "R", (1, 0)),
        (2, "U", (0, -1)),
        (3, "D", (0, 1)),
    ]


@given(plans)
def test_plans_are_read_as_written(plan: tuple[Action, ...]) -> None:
    assert parse_plan(format_plan(plan)) == plan
    assert parse_plan([int(action) for action in plan]) == plan
    assert parse_plan(np.array(plan, np.uint8)) == plan


def test_case_and_white_space_do_not_matter() -> None:
    assert format_plan(parse_plan(" lR\nuD\t")) == "LRUD"
    assert parse_plan("") == ()
    letters: list[Any] = ["L", "r"]
    assert parse_plan(letters) == (Action.LEFT, Action.RIGHT)


@pytest.mark.parametrize(
    ("plan", "named"),
    [
        ("LLX", "'X' at position 3"),
        ("L-R", "'-' at position 2"),
        ("L R 0", "'0' at position 5"),
        ([0, 4], "4 at position 2"),
        ([-1], "-1 at position 1"),
        ([0, 1.5], "1.5 at position 2"),
        (["LR"], "'LR' at position 1"),
        ([""], "'' at position 1"),
        ([None], "None at position 1"),
    ],
)
def test_what_is_not_a_plan(plan: Any, named: str) -> None:
    with pytest.raises(PlanError) as caught:
        parse_plan(plan)
    assert str(caught.value).startswith(named)
    assert isinstance(caught.value, PushWorldError)
    with pytest.raises(PlanError):
        PUZZLE.validate(plan)


@given(st.text())
def test_any_text_is_a_plan_or_a_plan_error(text: str) -> None:
    try:
        plan = parse_plan(text)
    except PlanError:
        assert set(text.upper()) - set("LRUD \n\t")
    else:
        assert format_plan(plan) == "".join(text.split()).upper()


def test_valid_plans_end_with_all_goals_achieved() -> None:
    assert PUZZLE.validate("RRR")
    assert PUZZLE.validate([1, 1, 1])
    assert not PUZZLE.validate("RR")
    assert not PUZZLE.validate("")
    assert PUZZLE.validate("URRRU"), "actions without effect count, and do no harm"
    assert PUZZLE.validate("RRRL"), "the agent may leave"


def test_a_goal_reached_on_the_way_is_not_enough() -> None:
    puzzle = Puzzle.parse("A M1 G1 .")
    assert puzzle.validate("R")
    assert not puzzle.validate("RR")
