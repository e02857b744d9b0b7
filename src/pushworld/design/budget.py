"""Limits of experiments: budgets of states, a deadline, and proofs and searches within both.

A budget limits neither time nor memory. A search that ends at a number of states ends at the same state on
every machine and in every run, so an analysis can be repeated exactly. A clock cannot promise that, nor
can a limit on bytes, which depends on how a program stores its states.

A deadline may come first: experiments then end, and say so. It belongs to the context rather than to each
function, because budgets must not depend on a clock.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from pushworld import _native
from pushworld.engine import Engine
from pushworld.planners import SolveResult, shorten, solve
from pushworld.planners.native import make_control, run_watched
from pushworld.puzzle import PushWorldError, Puzzle

NO_TIME_LIMIT = 1e9
LEAST_SECONDS = 1e-3
"""The limit of a search that begins after the deadline."""

MEMORY_GB = 8
LOOKING_BACK = 1_000
"""States of A* in a proof: its pattern databases do the work."""

Result = TypeVar("Result")

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


class OutOfTimeError(Exception):
    """An experiment that the deadline ended before it was decided."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Sets the deadline of everything inside the context, unless there is an earlier one."""
    end = math.inf if seconds is None else time.monotonic() + seconds
    token = _deadline.set(min(end, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def share_of_time(share: float) -> Iterator[None]:
    """Gives everything inside the context a share of the time that is left."""
    with time_limit(seconds_left() * share):
        yield


def seconds_left() -> float:
    """Returns the time until the deadline, infinite if there is none; at least 0."""
    return max(0.0, _deadline.get() - time.monotonic())


def check_deadline() -> None:
    """Raises OutOfTimeError if the deadline has passed."""
    if seconds_left() <= 0:
        raise OutOfTimeError


@dataclass(frozen=True)
class Budget:
    """The limits of the experiments of an analysis.

    Attributes:
        search_states: states of the search for a first plan.
        experiment_states: states of each search on a variant of the puzzle.
        shorten_states: states of the search that shortens one plan.
        max_states: state spaces of at most this number of states are explored completely.
        max_pairs: how many pairs of objects are removed together.
        max_goals: goal orders are tried for at most this number of goals.
        walks: how many random walks, and how many greedy walks.
    """

    search_states: int
    experiment_states: int
    shorten_states: int
    max_states: int
    max_pairs: int
    max_goals: int
    walks: int


BUDGETS = {
    "quick": Budget(300_000, 100_000, 300_000, 5_000, 10, 3, 4),
    "normal": Budget(1_000_000, 300_000, 1_000_000, 50_000, 28, 4, 10),
    "thorough": Budget(8_000_000, 2_000_000, 4_000_000, 400_000, 91, 5, 40),
}

DESIGNING = Budget(300_000, 20_000, 50_000, 2_000, 6, 3, 2)
DESIGNING_HARD = Budget(300_000, 150_000, 200_000, 2_000, 3, 3, 2)
"""For a candidate of a design, and for one of level 4. The final puzzle gets a larger budget."""

GRADING = Budget(1_000_000, 100_000, 2_000_000, 0, 0, 0, 0)
"""For grading: the budget with which the difficulty model was calibrated."""


def named_budget(name: str) -> Budget:
    """Returns the budget of a name of `--effort`; raises PushWorldError if there is none."""
    if name not in BUDGETS:
        raise PushWorldError(f"there is no effort {name!r}: choose one of {', '.join(BUDGETS)}")
    return BUDGETS[name]


def solve_within(puzzle: Puzzle, states: int, planner: str = "default") -> SolveResult:
    """Returns the result of a search that stores about this number of states at most.

    Its status is ``time-limit`` if the deadline ended it.

    Raises:
        KeyboardInterrupt: if the user ends the search.
    """
    result = solve(puzzle, planner, time_limit=_time_limit(), max_states=states)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


@dataclass(frozen=True)
class Solution:
    """A plan, shortened as far as the budget allowed, and whether it is proved that none is shorter."""

    plan: str
    optimal: bool

    @property
    def length(self) -> int:
        return len(self.plan)


def plan_within(puzzle: Puzzle, states: int) -> str | None:
    """Returns a plan that the default planner finds within this number of states, or None.

    Raises:
        OutOfTimeError: if the deadline ended the search.
        KeyboardInterrupt: if the user ends it.
    """
    check_deadline()
    result = solve_within(puzzle, states)
    if result.status == "time-limit":
        raise OutOfTimeError
    return result.plan


def shorten_within(puzzle: Puzzle, plan: str, states: int, *, so_far: bool = False) -> Solution:
    """Returns a plan of at most the same length; shortening stores about this number of states at most.

    Args:
        so_far: whether the best plan until the deadline will do.

    Raises:
        OutOfTimeError: if it will not, and the deadline ended the search.
        KeyboardInterrupt: if the user ends it.
    """
    if not so_far:
        check_deadline()
    result = shorten(puzzle, plan, _time_limit(), max_states=states)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    if result.status == "time-limit" and not so_far:
        raise OutOfTimeError
    return Solution(result.plan, result.optimal)


def length_within(puzzle: Puzzle, budget: Budget) -> int | None:
    """Returns the length of a plan after shortening, or None; raises as `plan_within` does."""
    plan = plan_within(puzzle, budget.experiment_states)
    return None if plan is None else shorten_within(puzzle, plan, budget.shorten_states).length


def _time_limit() -> float:
    return min(NO_TIME_LIMIT, max(LEAST_SECONDS, seconds_left()))


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


def looking_back_proves_unsolvable(puzzle: Puzzle) -> bool:
    """Returns whether A* proves at once that there is no plan.

    Its pattern databases look back from each goal, with the agent and two objects. Where a goal lies in a narrow place,
    few states lead to it, however many follow from the start.
    """
    return solve_within(puzzle, LOOKING_BACK, "astar").status == "unsolvable"
