"""The learned planner behind the protocol of all planners."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pushworld import _native
from pushworld.engine import Engine
from pushworld.learned.network import DEAD_END_DISTANCE, shipped_network
from pushworld.learned.search import GuidedSearch, Outcome
from pushworld.planners.native import PROGRESS_INTERVAL
from pushworld.planners.protocol import (
    MOST_STATES,
    Availability,
    Progress,
    ProgressCallback,
    SolveResult,
    Status,
    bytes_of,
)
from pushworld.puzzle import Puzzle

PROOF_BYTES = 4_000_000
"""The memory of the search for a proof of unsolvability: some tens of milliseconds' worth."""

STATUS_OF: dict[Outcome, Status] = {
    "solved": "solved",
    "unsolvable": "unsolvable",
    "stopped": "time-limit",
    "full": "memory-limit",
}


@dataclass(frozen=True)
class LearnedPlanner:
    """Best-first search with the network that comes with the package; it needs NumPy only."""

    name: str = "learned"
    description: str = "best-first search guided by a small network, trained to imitate"
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
        """Returns the result of the search, which is deterministic whatever the seed."""
        start = time.perf_counter()
        search = GuidedSearch(puzzle, shipped_network())
        watch = _Watch(search, start, time_limit, progress, max_states or MOST_STATES)
        max_bytes = bytes_of(memory_limit_gb)
        status: Status
        try:
            if _proved_unsolvable(search.engine, time_limit, max_bytes, watch.max_states):
                status = "unsolvable"
            else:
                status = STATUS_OF[search.run(watch.stop, max_bytes)]
                if status == "time-limit" and search.states >= watch.max_states:
                    status = "state-limit"
        except KeyboardInterrupt:
            status = "interrupted"
        seconds = time.perf_counter() - start
        return SolveResult.of_plan(
            puzzle,
            self.name,
            status,
            search.plan,
            seconds,
            expanded=search.expanded,
            generated=search.generated,
            evaluated=search.evaluated,
            states=search.states,
            peak_memory_bytes=search.peak_bytes,
        )


def _proved_unsolvable(engine: Engine, time_limit: float, max_bytes: int, max_states: int) -> bool:
    """Returns whether breadth-first search proves that a small puzzle has no plan.

    The network finds ways to goals, but cannot prove that there are none. A plan that this search
    finds is not used: the planner solves puzzles only with what it has learned.
    """
    control = _native.Control(time_limit, min(max_bytes, PROOF_BYTES), max_states)
    try:
        found = _native.solve_breadth_first(engine.native, control, seed=0, threads=1)
    except ValueError:
        return False
    return found.status == "unsolvable"


@dataclass
class _Watch:
    """Ends a search at its time limit, and reports its progress."""

    search: GuidedSearch
    start: float
    time_limit: float
    progress: ProgressCallback | None
    max_states: int
    reported: float = 0.0

    def stop(self) -> bool:
        """Returns whether a limit is reached; reports about ten times a second."""
        seconds = time.perf_counter() - self.start
        if self.progress is not None and seconds - self.reported > PROGRESS_INTERVAL:
            self.reported = seconds
            self.progress(self._snapshot(seconds))
        return seconds > self.time_limit or self.search.states >= self.max_states

    def _snapshot(self, seconds: float) -> Progress:
        best = self.search.best_distance
        return Progress(
            seconds=seconds,
            expanded=self.search.expanded,
            states=self.search.states,
            best_heuristic=round(best) if best < DEAD_END_DISTANCE else None,
            memory_bytes=self.search.memory_bytes,
        )
