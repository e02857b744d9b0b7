"""Processes: commands under limits on time and memory, and executors for jobs here or on a cluster."""

from pushworld.process.executors import Executor, local_threads, ray_tasks, run_jobs
from pushworld.process.limited import (
    Limit,
    Limits,
    Outcome,
    Usage,
    check_that_processes_can_be_limited,
    run_limited,
)
from pushworld.process.workers import Workers, worker_processes

__all__ = [
    "Executor",
    "Limit",
    "Limits",
    "Outcome",
    "Usage",
    "Workers",
    "check_that_processes_can_be_limited",
    "local_threads",
    "ray_tasks",
    "run_jobs",
    "run_limited",
    "worker_processes",
]
