"""The one way to solve a puzzle: arguments checked, plan replayed."""

from __future__ import annotations

import math
from numbers import Integral, Real

from pushworld.planners.protocol import ProgressCallback, SolveResult
from pushworld.planners.registry import get_planner
from pushworld.puzzle import PushWorldError, Puzzle

MOST_THREADS = 1000


def solve(
    puzzle: Puzzle,
    planner: str = "default",
    *,
    time_limit: float = 10,
    memory_limit_gb: float = 8,
    threads: int = 1,
    seed: int = 0,
    progress: ProgressCallback | None = None,
) -> SolveResult:
    """Returns a plan for the puzzle, or why there is none.

    The same seed and one thread give the same plan on every run, unless a limit ends the search.
    Ctrl-C ends the search with the status ``interrupted``.

    Args:
        puzzle: what to solve; it must have goals.
        planner: the name of one of `pushworld.planners.planners()`.
        time_limit: seconds of wall time.
        memory_limit_gb: what the tables of the search may hold, in gigabytes (10^9 bytes).
        threads: how many cores to use, for planners that can use several.
        seed: for planners that make arbitrary choices.
        progress: called about ten times a second.

    Raises:
        PushWorldError: if an argument is wrong or the planner cannot take the puzzle.
    """
    chosen = get_planner(planner)
    check_limits(time_limit, memory_limit_gb, threads, seed)
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals, so there is nothing to solve")
    result = chosen.solve(
        puzzle,
        time_limit=float(time_limit),
        memory_limit_gb=float(memory_limit_gb),
        threads=int(threads),
        seed=int(seed),
        progress=progress,
    )
    if result.plan is not None and not puzzle.validate(result.plan):
        raise RuntimeError(
            f"the planner {planner!r} returned a plan for {puzzle.name!r} that does not solve it: "
            f"{result.plan}"
        )
    return result


def check_limits(time_limit: float, memory_limit_gb: float, threads: int, seed: int) -> None:
    """Raises PushWorldError if one of them makes no sense."""
    check_positive("the time limit", time_limit, "seconds")
    check_positive("the memory limit", memory_limit_gb, "gigabytes")
    if not isinstance(threads, Integral) or not 1 <= threads <= MOST_THREADS:
        raise PushWorldError(f"the number of threads must be 1 to {MOST_THREADS}, not {threads!r}")
    if not isinstance(seed, Integral) or not 0 <= seed < 2**64:
        raise PushWorldError(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")


def check_positive(what: str, value: float, unit: str) -> None:
    """Raises PushWorldError if the value is no positive number."""
    if not isinstance(value, Real) or math.isnan(value) or value <= 0:
        raise PushWorldError(f"{what} must be a positive number of {unit}, not {value!r}")
