"""Native work outside of a search, within the deadline of an analysis. Ctrl-C ends it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pushworld import _native
from pushworld.design.budget import solve_within
from pushworld.design.deadline import OutOfTimeError, seconds_left
from pushworld.engine import Engine
from pushworld.planners.native import make_control, run_watched
from pushworld.puzzle import Puzzle

MEMORY_GB = 8
PROOF_STEPS = 100_000_000
"""Steps of a proof with pairs of objects: a second or two."""

LOOKING_BACK = 1_000
"""States of A* in a proof: its pattern databases do the work."""

Result = TypeVar("Result")


def run_within_deadline(work: Callable[[_native.Control], Result]) -> Result:
    """Returns what `work` returns for the limits that it must keep.

    Raises:
        OutOfTimeError: if the deadline or the memory ended it.
        KeyboardInterrupt: if the user ended it.
    """
    control = make_control(seconds_left(), MEMORY_GB, None)
    try:
        return run_watched(lambda: work(control), control, lambda: None)
    except _native.SearchStopped as stopped:
        if str(stopped) == "interrupted":
            raise KeyboardInterrupt from None
        raise OutOfTimeError from None


def engine_within_deadline(puzzle: Puzzle) -> Engine:
    """Returns the engine of a puzzle. Raises as `run_within_deadline` does."""
    return run_within_deadline(lambda control: Engine(puzzle, control))


def pairs_prove_unsolvable(puzzle: Puzzle, steps: int = PROOF_STEPS) -> bool:
    """Returns whether pairs of positions prove that there is no plan. Raises as the others do."""

    def prove(control: _native.Control) -> bool:
        engine = Engine(puzzle, control)
        return bool(_native.goals_are_unreachable(engine.native, control, steps))

    return run_within_deadline(prove)


def looking_back_proves_unsolvable(puzzle: Puzzle) -> bool:
    """Returns whether A* proves at once that there is no plan.

    Its pattern databases look back from each goal, with the agent and two objects. Where a goal lies in a narrow place,
    few states lead to it, however many follow from the start.
    """
    return solve_within(puzzle, LOOKING_BACK, "astar").status == "unsolvable"
