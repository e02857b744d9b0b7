"""The learned planner behind the protocol of all planners."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pushworld import _native
from pushworld.engine import Engine
from pushworld.learned.network import DEAD_END_DISTANCE, shipped_network
from pushworld.learned.observation import Observer, StoppedError
from pushworld.learned.search import GuidedSearch, Outcome
from pushworld.planners.native import PROGRESS_INTERVAL, stopped_status
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

FASTEST_SECONDS_PER_CELL = 1e-5
"""No machine evaluates a grid in less. If there is less time, the search does not begin, because the
parts of an evaluation that cannot be interrupted take long for a large world."""

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
        run = _Run(time_limit, bytes_of(memory_limit_gb), progress, max_states or MOST_STATES)
        status: Status
        try:
            status = run.search_for_plan(puzzle)
        except KeyboardInterrupt:
            status = "interrupted"
        except StoppedError:
            status = "time-limit"
        except _native.SearchStopped as stopped:
            status = stopped_status(stopped)
        found = run.search
        if found is None:
            return SolveResult.of_plan(puzzle, self.name, status, None, run.seconds)
        return SolveResult.of_plan(
            puzzle,
            self.name,
            status,
            found.plan,
            run.seconds,
            expanded=found.expanded,
            generated=found.generated,
            evaluated=found.evaluated,
            states=found.states,
            peak_memory_bytes=found.peak_bytes,
        )


class _Run:
    """A search within its limits, which reports its progress."""

    def __init__(
        self,
        time_limit: float,
        max_bytes: int,
        progress: ProgressCallback | None,
        max_states: int,
    ) -> None:
        self.start = time.perf_counter()
        self.time_limit = time_limit
        self.max_bytes = max_bytes
        self.progress = progress
        self.max_states = max_states
        self.search: GuidedSearch | None = None
        self._reported = 0.0

    @property
    def seconds(self) -> float:
        """The time since the start."""
        return time.perf_counter() - self.start

    def search_for_plan(self, puzzle: Puzzle) -> Status:
        """Makes the search, runs it, and returns how it ended."""
        if Observer.bytes_for(puzzle) > self.max_bytes:
            return "memory-limit"
        control = _native.Control(self.time_limit, self.max_bytes, self.max_states)
        self.search = GuidedSearch(puzzle, shipped_network(), stop=self.stop, control=control)
        if self._proves_unsolvable(self.search.engine):
            return "unsolvable"
        if self.seconds + FASTEST_SECONDS_PER_CELL * self.search.cells > self.time_limit:
            return "time-limit"
        status = STATUS_OF[self.search.run(self.stop, self.max_bytes)]
        if status == "time-limit" and self.search.states >= self.max_states:
            return "state-limit"
        return status

    def _proves_unsolvable(self, engine: Engine) -> bool:
        """Returns whether breadth-first search proves that a small puzzle has no plan.

        The network finds ways to goals, but cannot prove that there are none. A plan that this search
        finds is not used: the planner solves puzzles only with what it has learned.
        """
        left = max(0.0, self.time_limit - self.seconds)
        control = _native.Control(left, min(self.max_bytes, PROOF_BYTES), self.max_states)
        try:
            found = _native.solve_breadth_first(engine.native, control, seed=0, threads=1)
        except ValueError:
            return False
        return found.status == "unsolvable"

    def stop(self) -> bool:
        """Returns whether a limit is reached; reports about ten times a second."""
        seconds = self.seconds
        if self.progress is not None and seconds - self._reported > PROGRESS_INTERVAL:
            self._reported = seconds
            self.progress(self._snapshot(seconds))
        states = 0 if self.search is None else self.search.states
        return seconds > self.time_limit or states >= self.max_states

    def _snapshot(self, seconds: float) -> Progress:
        found = self.search
        if found is None:
            return Progress(seconds, 0, 0, None, 0)
        best = found.best_distance
        return Progress(
            seconds=seconds,
            expanded=found.expanded,
            states=found.states,
            best_heuristic=round(best) if best < DEAD_END_DISTANCE else None,
            memory_bytes=found.memory_bytes,
        )
