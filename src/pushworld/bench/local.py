"""Runs on this machine, several at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event

from pushworld.bench.execution import Job, execute
from pushworld.bench.records import Run


def run_locally(
    jobs: Sequence[Job], workers: int, on_start: Callable[[Job], None]
) -> Iterator[Run]:
    """Gives the runs as they end; runs that are under way end when the generator is closed."""
    stop = Event()
    waiting = iter(jobs)
    running: set[Future[Run]] = set()
    with ThreadPoolExecutor(workers, "pushworld-bench") as pool:

        def start_next() -> None:
            for job in waiting:
                on_start(job)
                running.add(pool.submit(execute, job, stop.is_set))
                return

        try:
            for _ in range(workers):
                start_next()
            while running:
                ended, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in ended:
                    running.remove(future)
                    start_next()
                    yield future.result()
        finally:
            stop.set()
