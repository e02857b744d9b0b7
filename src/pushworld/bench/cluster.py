"""Runs on a Ray cluster: each is a task with its resources declared."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pushworld.bench.execution import Job, execute
from pushworld.bench.records import Run
from pushworld.puzzle import PushWorldError

RETRIES = 20
"""How often a run is begun anew because its node died."""


def run_on_cluster(
    jobs: Sequence[Job],
    workers: int | None,
    on_start: Callable[[Job], None],
    address: str | None = None,
) -> Iterator[Run]:
    """Gives the runs as they end, each once; a run is begun anew when its node dies.

    Args:
        jobs: what to do.
        workers: runs at the same time at most; None for as many as the cluster has room for.
        on_start: called when a run is handed to the cluster.
        address: of the cluster, as for `ray.init`; a cluster on this machine if not given.

    Raises:
        PushWorldError: if Ray is not installed, the cluster cannot be reached, or it has no node
            with the resources that a run needs.
    """
    ray = _connected(address)
    task = ray.remote(execute).options(
        num_cpus=jobs[0].settings.threads,
        memory=int(jobs[0].settings.memory_limit_gb * 1e9),
        max_retries=RETRIES,
    )
    waiting = iter(jobs)
    running: list[Any] = []

    def start_next() -> None:
        for job in waiting:
            on_start(job)
            running.append(task.remote(job))
            return

    try:
        _check_room(ray, jobs[0])
        for _ in range(workers or len(jobs)):
            start_next()
        while running:
            (ended,), running[:] = ray.wait(running, num_returns=1)
            try:
                run = ray.get(ended)
            except ray.exceptions.RayTaskError as error:
                raise error.cause if isinstance(error.cause, PushWorldError) else error from None
            start_next()
            yield run
    finally:
        for each in running:
            ray.cancel(each, force=True)
        ray.shutdown()


def _connected(address: str | None) -> Any:
    """Returns the module `ray`, connected to the cluster."""
    try:
        import ray
    except ImportError as error:
        raise PushWorldError("the engine ray needs Ray: pip install 'pushworld[bench]'") from error
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise PushWorldError(f"the Ray cluster cannot be used: {error}") from error
    return ray


def _check_room(ray: Any, job: Job) -> None:
    """Raises PushWorldError unless some node can take a run."""
    memory = job.settings.memory_limit_gb * 1e9
    for node in ray.nodes():
        has = node["Resources"]
        if (
            node["Alive"]
            and has.get("CPU", 0) >= job.settings.threads
            and has.get("memory", 0) >= memory
        ):
            return
    raise PushWorldError(
        f"no node of the Ray cluster has {job.settings.threads} CPUs and "
        f"{job.settings.memory_limit_gb:g} GB of memory for a run: lower --threads or --memory-limit"
    )
