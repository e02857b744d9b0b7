"""Planners in native code. Each runs in a thread of its own, so that it can be watched and stopped."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import TypeVar, cast

from pushworld import _native
from pushworld.engine import Engine
from pushworld.planners.protocol import (
    MOST_STATES,
    Availability,
    LimitStatus,
    Progress,
    ProgressCallback,
    SolveResult,
    bytes_of,
)
from pushworld.puzzle import PushWorldError, Puzzle, format_plan

Result = TypeVar("Result")

PROGRESS_INTERVAL = 0.1
NO_HEURISTIC = 2**28
"""Values from here on stand for an infinite or missing heuristic."""


@dataclass(frozen=True)
class NativePlanner:
    """A planner that is a search of the native module."""

    name: str
    description: str
    search: "_native.Search"
    complete: bool = True
    optimal: bool = False

    def availability(self) -> Availability:
        """Returns the version of the package."""
        return Availability.of_this_package()

    def solve(
        self,
        puzzle: Puzzle,
        *,
        time_limit: float,
        memory_limit_gb: float,
        threads: int,
        seed: int,
        progress: ProgressCallback | None,
        max_states: int | None = None,
    ) -> SolveResult:
        """Returns what the search finds; Ctrl-C ends it with the status ``interrupted``."""
        start = time.perf_counter()
        control = make_control(time_limit, memory_limit_gb, max_states)

        def report() -> None:
            if progress is not None:
                progress(_snapshot(control, time.perf_counter() - start))

        def search() -> _native.SearchResult:
            return self.search(Engine(puzzle, control).native, control, seed=seed, threads=threads)

        try:
            found = run_watched(search, control, report)
        except _native.SearchStopped as stopped:
            return SolveResult.of_plan(
                puzzle, self.name, stopped_status(stopped), None, time.perf_counter() - start
            )
        seconds = time.perf_counter() - start
        plan = format_plan(found.plan) if found.status == "solved" else None
        return SolveResult.of_plan(
            puzzle,
            self.name,
            found.status,
            plan,
            seconds,
            expanded=found.expanded,
            generated=found.generated,
            evaluated=found.evaluated,
            states=found.states,
            peak_memory_bytes=found.peak_bytes,
            unsuitable=tuple(found.unsuitable),
            lower_bound=control.lower_bound or None,
        )


def make_control(seconds: float, memory_limit_gb: float, max_states: int | None) -> _native.Control:
    """Returns the limits of a native search that begins now."""
    return _native.Control(
        seconds=max(0.0, seconds),
        bytes=bytes_of(memory_limit_gb),
        max_states=MOST_STATES if max_states is None else max_states,
    )


def stopped_status(stopped: _native.SearchStopped) -> LimitStatus:
    """Returns the status of a search that ended before it began."""
    return cast("LimitStatus", str(stopped))


def run_watched(
    search: Callable[[], Result],
    control: _native.Control,
    report: Callable[[], None],
) -> Result:
    """Runs the search and returns its result; reports meanwhile. An exception here interrupts it."""
    with ThreadPoolExecutor(1, "pushworld-search") as pool:
        try:
            future: Future[Result] = pool.submit(search)
            try:
                return _wait(future, report)
            except KeyboardInterrupt:
                control.interrupt()
                return future.result()
        except BaseException:  # whenever it comes: leaving the pool waits for the search to end
            control.interrupt()
            raise


def _wait(future: Future[Result], report: Callable[[], None]) -> Result:
    """Waits for the result and returns it; reports meanwhile."""
    while True:
        try:
            return future.result(PROGRESS_INTERVAL)
        except NotYet:
            report()
        except ValueError as error:
            raise PushWorldError(str(error)) from error


def _snapshot(control: _native.Control, seconds: float) -> Progress:
    return Progress(
        seconds=seconds,
        expanded=control.expanded,
        states=control.states,
        best_heuristic=control.best if control.best < NO_HEURISTIC else None,
        memory_bytes=control.used_bytes,
    )
