"""Planners in native code. Each runs in a thread of its own, so that it can be watched and stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Protocol

from pushworld import _native
from pushworld.engine import Engine
from pushworld.planners.protocol import (
    MOST_STATES,
    Availability,
    Progress,
    ProgressCallback,
    SolveResult,
    bytes_of,
)
from pushworld.puzzle import PushWorldError, Puzzle, format_plan

PROGRESS_INTERVAL = 0.1
NO_HEURISTIC = 2**28
"""Values from here on stand for an infinite or missing heuristic."""


class Search(Protocol):
    """A search of the native module."""

    def __call__(
        self, dynamics: _native.Dynamics, control: _native.Control, *, seed: int, threads: int
    ) -> _native.SearchResult: ...


@dataclass(frozen=True)
class NativePlanner:
    """A planner that is a search of the native module."""

    name: str
    description: str
    complete: bool
    optimal: bool
    search: Search

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
        engine = Engine(puzzle)
        control = make_control(
            time_limit - (time.perf_counter() - start), memory_limit_gb, max_states
        )

        def report() -> None:
            if progress is not None:
                progress(_snapshot(control, time.perf_counter() - start))

        found = run_watched(
            lambda: self.search(engine.native, control, seed=seed, threads=threads),
            control,
            report,
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
        )


def make_control(seconds: float, memory_limit_gb: float, max_states: int | None) -> _native.Control:
    """Returns the limits of a native search that begins now."""
    return _native.Control(
        seconds=max(0.0, seconds),
        bytes=bytes_of(memory_limit_gb),
        max_states=MOST_STATES if max_states is None else max_states,
    )


def run_watched(
    search: Callable[[], _native.SearchResult],
    control: _native.Control,
    report: Callable[[], None],
) -> _native.SearchResult:
    """Runs the search and returns its result; reports meanwhile. An exception here interrupts it."""
    with ThreadPoolExecutor(1, "pushworld-search") as pool:
        try:
            future: Future[_native.SearchResult] = pool.submit(search)
            try:
                return _wait(future, report)
            except KeyboardInterrupt:
                control.interrupt()
                return future.result()
        except BaseException:  # whenever it comes: leaving the pool waits for the search to end
            control.interrupt()
            raise


def _wait(future: Future[_native.SearchResult], report: Callable[[], None]) -> _native.SearchResult:
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
