"""Where designs are made: on the cores of this machine, or on a Ray cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from typing import Any

from pushworld.design.search import Designed, DesignRequest, design_one
from pushworld.process import worker_processes
from pushworld.process.cluster import RETRIES, ray_cluster, result_of
from pushworld.puzzle import PushWorldError

Designs = Generator[Designed, None, None]

Engine = Callable[[DesignRequest, Iterable[int]], Designs]
"""Makes the designs of some numbers and gives them in order, begun early or not; what is under way
ends when the generator is closed."""


def choose_engine(name: str, workers: int, address: str | None = None) -> Engine:
    """Returns the engine ``local`` or ``ray``, or raises PushWorldError."""
    if name == "local":
        return local_engine(workers)
    if name == "ray":
        return ray_engine(address)
    raise PushWorldError(f"there is no engine {name!r}: choose local or ray")


def local_engine(workers: int) -> Engine:
    """Returns an engine that uses processes of this machine, which end with this one in any case.

    The engine raises PushWorldError if one of them is killed.
    """

    def run(request: DesignRequest, numbers: Iterable[int]) -> Designs:
        waiting = iter(numbers)
        running: deque[Future[Designed]] = deque()
        with worker_processes(workers, "the designer") as processes:
            while True:
                # A few more than there are workers, so that none waits for a slow one.
                while len(running) < 2 * workers and (number := next(waiting, None)) is not None:
                    running.append(processes.submit(design_one, request, number))
                if not running:
                    return
                yield running.popleft().result()

    return run


def ray_engine(address: str | None) -> Engine:
    """Returns an engine that uses all cores of a Ray cluster.

    Raises:
        PushWorldError: if Ray is not installed or the cluster cannot be used.
    """

    def run(request: DesignRequest, numbers: Iterable[int]) -> Designs:
        waiting = iter(numbers)
        running: deque[Any] = deque()
        with ray_cluster(address) as ray:
            task = ray.remote(design_one).options(max_retries=RETRIES)
            try:
                while True:
                    room = 2 * max(1, int(ray.cluster_resources().get("CPU", 0)))
                    while len(running) < room and (number := next(waiting, None)) is not None:
                        running.append(task.remote(request, number))
                    if not running:
                        return
                    yield result_of(ray, running.popleft())
            finally:
                for each in running:
                    ray.cancel(each, force=True)

    return run
