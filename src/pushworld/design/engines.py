"""Where designs are made: on the cores of this machine, or on a Ray cluster."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from typing import Any

from pushworld.bench.cluster import RETRIES, ray_cluster, result_of
from pushworld.design.search import Designed, DesignRequest, design_one
from pushworld.puzzle import PushWorldError

Engine = Callable[[DesignRequest, Iterable[int]], Iterator[Designed]]
"""Makes the designs of some numbers and gives them in order, begun early or not."""


def choose_engine(name: str, workers: int, address: str | None = None) -> Engine:
    """Returns the engine ``local`` or ``ray``, or raises PushWorldError."""
    if name == "local":
        return local_engine(workers)
    if name == "ray":
        return ray_engine(address)
    raise PushWorldError(f"there is no engine {name!r}: choose local or ray")


def local_engine(workers: int) -> Engine:
    """Returns an engine that uses processes of this machine."""

    def run(request: DesignRequest, numbers: Iterable[int]) -> Iterator[Designed]:
        waiting = iter(numbers)
        running: deque[AsyncResult[Designed]] = deque()
        with get_context("spawn").Pool(workers, initializer=_leave_interrupts) as pool:
            while True:
                # A few more than there are workers, so that none waits for a slow one.
                while len(running) < 2 * workers and (number := next(waiting, None)) is not None:
                    running.append(pool.apply_async(design_one, (request, number)))
                if not running:
                    return
                yield running.popleft().get()

    return run


def ray_engine(address: str | None) -> Engine:
    """Returns an engine that uses all cores of a Ray cluster.

    Raises:
        PushWorldError: if Ray is not installed or the cluster cannot be used.
    """

    def run(request: DesignRequest, numbers: Iterable[int]) -> Iterator[Designed]:
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


def _leave_interrupts() -> None:
    """Lets Ctrl-C end the main process alone, which then ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
