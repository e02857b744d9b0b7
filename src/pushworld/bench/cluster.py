"""Runs on a Ray cluster: each is a task with its resources declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pushworld.bench.execution import Job, execute
from pushworld.bench.records import Run, Settings
from pushworld.process.cluster import RETRIES, ray_cluster, result_of
from pushworld.puzzle import PushWorldError


def run_on_cluster(
    jobs: Sequence[Job],
    workers: int | None,
    on_start: Callable[[Job], None],
    address: str | None = None,
) -> Iterator[Run]:
    """Gives the runs as they end, each once; a run is begun anew when its node dies.

    Runs that are under way end when the generator is closed.

    Args:
        jobs: what to do, all with the same settings.
        workers: runs at the same time at most; None for as many as the cluster has room for.
        on_start: called when a run is handed to the cluster.
        address: of the cluster, as for `ray.init`; a cluster on this machine if not given.

    Raises:
        PushWorldError: if Ray is not installed, the cluster cannot be reached, it has no node with
            the resources that a run needs, or nodes die all the time.
    """
    settings = jobs[0].settings
    waiting = list(reversed(jobs))
    running: list[Any] = []
    with ray_cluster(address) as ray:
        if not _room(ray, settings):
            raise PushWorldError(
                f"no node of the Ray cluster has {settings.threads} CPUs and "
                f"{settings.memory_limit_gb:g} GB of memory for a run: lower --threads or "
                "--memory-limit"
            )
        task = ray.remote(execute).options(
            num_cpus=settings.threads,
            memory=int(settings.memory_limit_gb * 1e9),
            max_retries=RETRIES,
        )
        try:
            while waiting or running:
                while waiting and len(running) < (workers or max(1, _room(ray, settings))):
                    on_start(waiting[-1])
                    running.append(task.remote(waiting.pop()))
                (ended,), running[:] = ray.wait(running, num_returns=1)
                yield result_of(ray, ended)
        finally:
            for each in running:
                ray.cancel(each, force=True)


def _room(ray: Any, settings: Settings) -> int:
    """Returns how many runs all nodes can take at the same time."""
    memory = settings.memory_limit_gb * 1e9
    resources = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return sum(
        int(min(has.get("CPU", 0) // settings.threads, has.get("memory", 0) // memory))
        for has in resources
    )
