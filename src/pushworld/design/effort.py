"""How much work an experiment may cost: in memory and states, never in time.

A search that ends when its tables are full ends at the same state on every machine and in every
run, which a clock cannot promise. What feeds tags and grades is bounded in this way alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from pushworld.planners import SolveResult, shorten, solve
from pushworld.puzzle import PushWorldError, Puzzle

NO_TIME_LIMIT = 1e9
MEGABYTES_PER_GIGABYTE = 1000


@dataclass(frozen=True)
class Effort:
    """What the experiments of an analysis may cost.

    Attributes:
        search_mb: megabytes of tables for the search that looks for a first plan.
        experiment_mb: the same for each further search: an object less, a goal alone, a state.
        shorten_mb: megabytes of tables for each plan that is made shorter.
        max_states: state spaces of up to so many states are explored completely.
        max_pairs: how many pairs of objects are removed together.
        max_goals: orders are tried for up to so many goals.
        plays: how many random plays, and how many greedy ones.
    """

    search_mb: int
    experiment_mb: int
    shorten_mb: int
    max_states: int
    max_pairs: int
    max_goals: int
    plays: int


EFFORTS = {
    "quick": Effort(60, 30, 8, 5_000, 10, 3, 4),
    "normal": Effort(250, 100, 24, 50_000, 28, 4, 10),
    "thorough": Effort(2000, 500, 100, 400_000, 91, 5, 40),
}


DESIGNING = Effort(60, 10, 3, 2_000, 6, 3, 2)
DESIGNING_HARD = Effort(60, 40, 8, 2_000, 3, 3, 2)
"""What a look at one of many candidates may cost; what comes out is analysed with more."""

GRADING = Effort(120, 30, 8, 0, 0, 0, 0)
"""What the difficulty model was calibrated with. Every puzzle is graded at this effort."""


def named_effort(name: str) -> Effort:
    """Returns the effort of a name, or raises PushWorldError with those that exist."""
    if name not in EFFORTS:
        raise PushWorldError(f"there is no effort {name!r}: choose one of {', '.join(EFFORTS)}")
    return EFFORTS[name]


def search(puzzle: Puzzle, megabytes: int, planner: str = "default") -> SolveResult:
    """Returns what a planner finds until its tables are full; the same in every run.

    Raises:
        KeyboardInterrupt: if the user ends the search.
    """
    result = solve(
        puzzle,
        planner,
        time_limit=NO_TIME_LIMIT,
        memory_limit_gb=megabytes / MEGABYTES_PER_GIGABYTE,
    )
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result


@dataclass(frozen=True)
class Solution:
    """A plan as short as it could be made.

    Attributes:
        plan: its actions as a string over ``LRUD``.
        optimal: whether it is proved that no plan is shorter.
    """

    plan: str
    optimal: bool

    @property
    def length(self) -> int:
        return len(self.plan)


def shortened(puzzle: Puzzle, plan: str, megabytes: int) -> Solution:
    """Returns the plan made shorter until the tables are full; the same in every run.

    Raises:
        KeyboardInterrupt: if the user ends the search.
    """
    result = shorten(
        puzzle, plan, NO_TIME_LIMIT, memory_limit_gb=megabytes / MEGABYTES_PER_GIGABYTE
    )
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return Solution(result.plan, result.optimal)
