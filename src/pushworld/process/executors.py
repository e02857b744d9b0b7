"""Executors: functions run in threads, in processes, or as tasks of a Ray cluster, with one loop for all."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from threading import Event
from typing import Any, Protocol, TypeVar

from pushworld.puzzle import PushWorldError

Job = TypeVar("Job")
Result = TypeVar("Result")

RETRIES = 20
"""How often Ray restarts a task whose node died."""

AHEAD = 16
"""How far ahead of a slow job others may run whose results come after it."""


class Executor(Protocol):
    """Runs functions elsewhere; the context managers that open one end its jobs when they exit."""

    @property
    def room(self) -> int:
        """How many jobs can run at the same time."""

    def submit(self, function: Callable[..., Result], job: Any, /) -> Future[Result]:
        """Returns the future result of the function for a job."""


def run_jobs(
    executor: Executor,
    function: Callable[..., Result],
    jobs: Iterable[Job],
    *,
    on_start: Callable[[Job], object] = lambda job: None,
    in_order: bool = False,
) -> Iterator[Result]:
    """Yields the result of the function for each job, and raises what a job raises.

    Jobs are taken only when there is room for them, so there may be any number.

    Args:
        on_start: called with each job before it is submitted.
        in_order: yield results in the order of the jobs rather than as they end. `AHEAD` times as many
            jobs are then submitted as there is room for, so that no worker waits for a slow one.
    """
    waiting = iter(jobs)
    running: list[Future[Result]] = []

    def start_jobs() -> None:
        room = executor.room * (AHEAD if in_order else 1)
        for job in islice(waiting, max(0, room - len(running))):
            on_start(job)
            running.append(executor.submit(function, job))

    start_jobs()
    while running:
        wait(running[:1] if in_order else running, return_when=FIRST_COMPLETED)
        ended = next(each for each in running if each.done())
        running.remove(ended)
        start_jobs()
        yield ended.result()


@dataclass(frozen=True)
class Threads:
    """Threads of this process, for functions that wait for other processes."""

    room: int
    _pool: ThreadPoolExecutor
    _stop: Event

    def submit(self, function: Callable[..., Result], job: Any) -> Future[Result]:
        """Calls the function with the job and a function that says whether to stop."""
        return self._pool.submit(function, job, self._stop.is_set)


@contextmanager
def local_threads(count: int) -> Iterator[Threads]:
    """Yields an executor of threads; leaving asks all jobs to stop and waits until they do."""
    stop = Event()
    with ThreadPoolExecutor(count, "pushworld") as pool:
        try:
            yield Threads(count, pool, stop)
        finally:
            stop.set()


@dataclass(frozen=True)
class RayTasks:
    """Tasks of a Ray cluster, each with its resources declared; Ray restarts those whose node dies."""

    _ray: Any
    _task: Any
    _cpus: int
    _memory_bytes: int
    _most: int | None
    _running: set[Any] = field(default_factory=set)

    @property
    def room(self) -> int:
        return self._most or max(1, self.slots())

    def slots(self) -> int:
        """Returns how many tasks all nodes together can run at the same time."""
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        by_cpus = [int(node.get("CPU", 0) // self._cpus) for node in nodes]
        if not self._memory_bytes:
            return sum(by_cpus)
        by_memory = [int(node.get("memory", 0) // self._memory_bytes) for node in nodes]
        return sum(map(min, by_cpus, by_memory))

    def submit(self, function: Callable[..., Result], job: Any) -> Future[Result]:
        reference = self._task.remote(function, job)
        future: Future[Result] = reference.future()
        self._running.add(reference)
        future.add_done_callback(lambda _: self._running.discard(reference))
        return future

    def cancel(self) -> None:
        """Kills the tasks that run."""
        for reference in list(self._running):
            self._ray.cancel(reference, force=True)


@contextmanager
def ray_tasks(
    address: str | None, *, cpus: int = 1, memory_bytes: int = 0, most: int | None = None
) -> Iterator[RayTasks]:
    """Yields an executor of a Ray cluster; leaving kills the tasks that run.

    Args:
        address: of the cluster, as for `ray.init`; a cluster on this machine if not given.
        cpus, memory_bytes: what each task needs.
        most: tasks at the same time; None for as many as the cluster has room for.

    Raises:
        PushWorldError: if Ray is not installed, the cluster cannot be reached, or it cannot finish a
            task.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise PushWorldError("the engine ray needs Ray: pip install 'pushworld[bench]'") from error
    ours = not ray.is_initialized()
    if ours:
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise PushWorldError(f"the Ray cluster {address} cannot be used: {error}") from error
    task: Any = ray.remote(_call).options(
        num_cpus=cpus, memory=memory_bytes or None, max_retries=RETRIES
    )
    tasks = RayTasks(ray, task, cpus, memory_bytes, most)
    try:
        yield tasks
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, PushWorldError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        raise PushWorldError(f"the Ray cluster cannot finish a run: {error}") from error
    finally:
        tasks.cancel()
        if ours:
            ray.shutdown()


def _call(function: Callable[[Job], Result], job: Job) -> Result:
    """Returns what the function returns: Ray takes no partial functions as tasks."""
    return function(job)
