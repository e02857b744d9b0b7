"""Benchmarks of planners: runs under limits, a store that loses none, and reports."""

from pushworld.bench.records import Run, RunStatus, Settings
from pushworld.bench.runner import DEFAULT_PLANNERS, Watcher, run
from pushworld.bench.store import Results, ResultsError, read_results

__all__ = [
    "DEFAULT_PLANNERS",
    "Results",
    "ResultsError",
    "Run",
    "RunStatus",
    "Settings",
    "Watcher",
    "read_results",
    "run",
]
