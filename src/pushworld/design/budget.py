"""Budgets: how many states the experiments of an analysis may store.

Budgets never limit time or memory (a deadline may: see `pushworld.design.deadline`). A search that ends at a number of states ends at the same state on
every machine and in every run, so an analysis can be repeated exactly. A clock cannot promise that, nor
can a limit on bytes, which depends on how a program stores its states.
"""

from __future__ import annotations

from dataclasses import dataclass

from pushworld.design.deadline import OutOfTimeError, check_deadline, seconds_left
from pushworld.planners import ShortenResult, SolveResult, shorten, solve
from pushworld.puzzle import PushWorldError, Puzzle

NO_TIME_LIMIT = 1e9
LEAST_SECONDS = 1e-3
"""The limit of a search that begins after the deadline."""


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
    """A plan that was shortened as far as the budget allowed.

    Attributes:
        plan: its actions as a string over ``LRUD``.
        optimal: whether it is proved that no plan is shorter.
    """

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


def shorten_within(puzzle: Puzzle, plan: str, states: int) -> Solution:
    """Returns a plan of at most the same length; shortening stores about this number of states at most.

    Raises:
        OutOfTimeError: if the deadline ended the search.
        KeyboardInterrupt: if the user ends it.
    """
    check_deadline()
    result = _shorten(puzzle, plan, states)
    if result.status == "time-limit":
        raise OutOfTimeError
    return Solution(result.plan, result.optimal)


def shorten_until_deadline(puzzle: Puzzle, plan: str, states: int) -> Solution:
    """Returns the same, or the best plan until the deadline."""
    result = _shorten(puzzle, plan, states)
    return Solution(result.plan, result.optimal)


def _shorten(puzzle: Puzzle, plan: str, states: int) -> ShortenResult:
    result = shorten(puzzle, plan, _time_limit(), max_states=states)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


def _time_limit() -> float:
    return min(NO_TIME_LIMIT, max(LEAST_SECONDS, seconds_left()))
