"""Processes of this machine: commands under limits on time and memory, and workers."""

from pushworld.process.limited import Limit, Limits, Outcome, Usage, run_limited
from pushworld.process.workers import Workers, worker_processes

__all__ = [
    "Limit",
    "Limits",
    "Outcome",
    "Usage",
    "Workers",
    "run_limited",
    "worker_processes",
]
