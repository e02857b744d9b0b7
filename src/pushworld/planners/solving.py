"""The one way to solve a puzzle: arguments are checked, plans are replayed."""

import math
import time
from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Literal, get_args

from pushworld.planners.protocol import (
    COUNTS,
    MOST_ACTIONS,
    MOST_STATES,
    REPLAY_SECONDS,
    LimitStatus,
    Planner,
    PlannerError,
    ProgressCallback,
    SolveResult,
    WrongPlanError,
    replayed,
)
from pushworld.planners.registry import get_planner, with_fewest_pushes, with_strategies
from pushworld.planners.strategies import Strategy
from pushworld.puzzle import PushWorldError, Puzzle

MOST_THREADS = 1000
STATUSES = ("solved", "unsolvable", *get_args(LimitStatus))
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
    strategies: Iterable[Strategy | str] | str | None = None,
    minimize: Minimize | None = None,
    progress: ProgressCallback | None = None,
) -> SolveResult:
    """Returns a plan for the puzzle, or why there is none.

    With one thread, the same seed gives the same plan on every run, unless a limit on time or memory
    ends the search. Ctrl-C ends the search with the status ``interrupted``.

    Args:
        puzzle: what to solve; it must have goals.
        planner: the name of one of `pushworld.planners.planners()`, a TOML file, or ``module:attribute``.
        time_limit: seconds of wall time.
        memory_limit_gb: what the tables of the search may hold, in gigabytes (10^9 bytes).
        max_states: the search ends with the status ``state-limit`` if it has seen that many different
            states. The limit is checked before each expansion, so the search may see a few states
            more; with one thread it ends in the same place on every machine. External planners
            refuse it.
        threads: how many cores to use, for planners that can use several.
        seed: for planners that make arbitrary choices.
        strategies: what the planner ``default`` runs instead of its own strategies: values, names,
            texts or files (`pushworld.planners.strategies`); other planners refuse it.
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
    start = time.perf_counter()
    deadline = start + time_limit + REPLAY_SECONDS
    result = run_planner(
        chosen,
        puzzle,
        time_limit=float(time_limit),
        memory_limit_gb=float(memory_limit_gb),
        threads=int(threads),
        seed=int(seed),
        progress=progress,
        **({} if max_states is None else {"max_states": int(max_states)}),
    )
    if result.plan is None and result.status != "solved":
        return result
    replay = replayed(puzzle, result.plan or "", lambda: time.perf_counter() > deadline)
    if replay is None:
        seconds = time.perf_counter() - start
        return replace(result, status="time-limit", plan=None, length=None, seconds=seconds)
    solves, pushes = replay
    if not solves:
        raise WrongPlanError(
            f"the planner {chosen.name!r} returned a plan for {puzzle.name!r} that does not solve it"
        )
    return replace(result, pushes=pushes)


def run_planner(planner: Planner, puzzle: Puzzle, **options: Any) -> SolveResult:
    """Returns what a planner says, with the time that it took; its plan is not replayed.

    Args:
        options: of `Planner.solve`.

    Raises:
        PlannerError: if what it says is no result.
    """
    start = time.perf_counter()
    result = planner.solve(puzzle, **options)
    seconds = time.perf_counter() - start
    problem = ""
    if not isinstance(result, SolveResult):
        problem = f"a {type(result).__name__} and no SolveResult"
    elif result.status not in STATUSES:
        problem = f"the status {str(result.status)[:40]!r}, which is none of {', '.join(STATUSES)}"
    elif not isinstance(result.plan, str | None):
        problem = f"a plan that is a {type(result.plan).__name__} and no text"
    elif len(result.plan or "") > MOST_ACTIONS:
        problem = (
            f"a plan of {len(result.plan or ''):,} actions; at most {MOST_ACTIONS:,} are taken"
        )
    elif not all(isinstance(getattr(result, name), Integral) for name in COUNTS):
        problem = f"counts that are no whole numbers: {', '.join(COUNTS)} must be"
    elif not isinstance(result.lower_bound, Integral | None):
        problem = f"a lower bound that is a {type(result.lower_bound).__name__} and no whole number"
    elif not _are_texts(result.unsuitable):
        problem = "unsuitable strategies that are no texts"
    if problem:
        raise PlannerError(f"the planner {planner.name!r} returned {problem}")
    counts: dict[str, Any] = {
        name: min(max(0, int(getattr(result, name))), MOST_STATES) for name in COUNTS
    }
    represented, bound = result.representation_seconds, result.lower_bound
    return replace(
        result,
        **counts,
        planner=planner.name,
        length=None if result.plan is None else len(result.plan),
        pushes=None,
        states_per_second=counts["states"] / max(seconds, 1e-9),
        seconds=seconds,
        representation_seconds=(
            min(max(0.0, represented), seconds) if isinstance(represented, Real) else None
        ),
        lower_bound=None if bound is None else min(max(0, int(bound)), MOST_ACTIONS),
        unsuitable=tuple(result.unsuitable),
    )


def _are_texts(values: object) -> bool:
    return isinstance(values, tuple | list) and all(isinstance(each, str) for each in values)


def _choose(
    planner: str, strategies: Iterable[Strategy | str] | str | None, minimize: Minimize | None
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
    if not getattr(chosen, "optimal", False):
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
