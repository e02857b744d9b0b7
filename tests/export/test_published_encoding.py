"""The counterexample of docs/guides/export.md: what the published encoding allows is no plan by the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from pushworld import Puzzle, solve
from pushworld.export import export_pddl, plan_from_external
from pushworld.puzzle import PlanError
from tests.docs.blocks import blocks
from tests.export.cheapest import SearchTask, cheapest_plan
from tests.export.pddl_reader import State, read_pddl
from tests.state_space import shortest_length

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "export.md"
_, SECTION = GUIDE.read_text("utf-8").split("### The published encoding is wrong\n")
DRAWN = blocks(SECTION, "text")[0].strip()
CORRIDOR = Puzzle.parse(DRAWN)
LONGER = Puzzle.parse(f"{DRAWN} .")
"""What the published encoding makes of the corridor: its wide object may enter the border on the right."""


def pddl_task(puzzle: Puzzle) -> SearchTask[State]:
    task = export_pddl(puzzle)
    return read_pddl(task.domain, task.problem)


def test_a_plan_through_the_border_is_refused() -> None:
    found = cheapest_plan(pddl_task(LONGER))
    assert found is not None
    _, steps = found
    text = "\n".join(f"({step})" for step in steps)
    assert plan_from_external(LONGER, text) == "R"
    assert CORRIDOR.step(CORRIDOR.initial_state, 1) == CORRIDOR.initial_state
    with pytest.raises(PlanError):
        plan_from_external(CORRIDOR, text)


def test_the_corridor_has_no_plan() -> None:
    assert shortest_length(CORRIDOR) is None
    assert solve(CORRIDOR).status == "unsolvable"
    assert cheapest_plan(pddl_task(CORRIDOR)) is None
