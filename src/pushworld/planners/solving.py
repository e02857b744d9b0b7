"""The one way to solve a puzzle: arguments are checked, plans are replayed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Literal, get_args

from pushworld.planners.protocol import MOST_STATES, Planner, ProgressCallback, SolveResult
from pushworld.planners.registry import get_planner, with_fewest_pushes, with_strategies
from pushworld.planners.strategies import Strategy
from pushworld.puzzle import PushWorldError, Puzzle

MOST_THREADS = 1000
Minimize = Literal["actions", "pushes"]
"""What a plan may have the fewest of."""


def solve(
    puzzle: Puzzle,
    planner: str = "default",
    *,
    time_limit: float = 10,
    memory_limit_gb: float = 8,
    max_states: int | None = None,
    threads: int = 1,
    seed: int = 0,
    strategies: Iterable[Strategy] | None = None,
    minimize: Minimize | None = None,
    progress: ProgressCallback | None = None,
) -> SolveResult:
    """Returns a plan for the puzzle, or why there is none.

    With one thread, the same seed gives the same plan on every run, unless a limit on time or memory
    ends the search. Ctrl-C ends the search with the status ``interrupted``.

    Args:
        puzzle: what to solve; it must have goals.
        planner: the name of one of `pushworld.planners.planners()`.
        time_limit: seconds of wall time.
        memory_limit_gb: what the tables of the search may hold, in gigabytes (10^9 bytes).
        max_states: the search ends with the status ``state-limit`` if it has seen that many different
            states. The limit is checked before each expansion, so the search may see a few states
            more; with one thread it ends in the same place on every machine. External planners
            refuse it.
        threads: how many cores to use, for planners that can use several.
        seed: for planners that make arbitrary choices.
        strategies: what the planner ``default`` runs instead of its own strategies
            (`pushworld.planners.strategies`); other planners refuse it.
        minimize: ``actions`` asks for a shortest plan, ``pushes`` for one with the fewest pushes and,
            among those, the fewest actions. Then ``astar`` takes the place of ``default``; planners
            that cannot do it refuse.
        progress: called about ten times a second.

    Raises:
        PushWorldError: if an argument is wrong or the planner cannot take the puzzle.
    """
    chosen = _choose(planner, strategies, minimize)
    check_limits(time_limit, memory_limit_gb, threads, seed, max_states)
    if not puzzle.goal:
        raise PushWorldError("the puzzle has no goals, so there is nothing to solve")
    result = chosen.solve(
        puzzle,
        time_limit=float(time_limit),
        memory_limit_gb=float(memory_limit_gb),
        max_states=None if max_states is None else int(max_states),
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


def _choose(
    planner: str, strategies: Iterable[Strategy] | None, minimize: Minimize | None
) -> Planner:
    if minimize is None:
        return get_planner(planner) if strategies is None else with_strategies(planner, strategies)
    if strategies is not None:
        raise PushWorldError("strategies do not minimize anything: leave out one of the two")
    if minimize not in get_args(Minimize):
        raise PushWorldError(f"a plan can minimize 'actions' or 'pushes', not {minimize!r}")
    if minimize == "pushes":
        return with_fewest_pushes(planner)
    chosen = get_planner("astar" if planner == "default" else planner)
    if not chosen.optimal:
        raise PushWorldError(f"the planner {planner!r} does not find shortest plans")
    return chosen


def check_limits(
    time_limit: float,
    memory_limit_gb: float,
    threads: int,
    seed: int,
    max_states: int | None = None,
) -> None:
    """Raises PushWorldError if one of them makes no sense."""
    check_positive("the time limit", time_limit, "seconds")
    check_positive("the memory limit", memory_limit_gb, "gigabytes")
    if not isinstance(threads, Integral) or not 1 <= threads <= MOST_THREADS:
        raise PushWorldError(f"the number of threads must be 1 to {MOST_THREADS}, not {threads!r}")
    if not isinstance(seed, Integral) or not 0 <= seed < 2**64:
        raise PushWorldError(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")
    if max_states is not None and (
        not isinstance(max_states, Integral) or not 1 <= max_states <= MOST_STATES
    ):
        raise PushWorldError(
            f"the limit on states must be a whole number from 1 to 2^64 - 1, not {max_states!r}"
        )


def check_positive(what: str, value: float, unit: str) -> None:
    """Raises PushWorldError if the value is no positive number."""
    if not isinstance(value, Real) or math.isnan(value) or value <= 0:
        raise PushWorldError(f"{what} must be a positive number of {unit}, not {value!r}")
