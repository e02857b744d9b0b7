"""Where designs are made: on the cores of this machine, or on a Ray cluster."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread, current_thread, main_thread
from typing import Any

from pushworld.bench.cluster import RETRIES, ray_cluster, result_of
from pushworld.design.search import Designed, DesignRequest, design_one
from pushworld.puzzle import PushWorldError

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)

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
        context = get_context("spawn")
        theirs, ours = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(workers, context, _begin_worker, (theirs,))
        try:
            while True:
                # A few more than there are workers, so that none waits for a slow one.
                while len(running) < 2 * workers and (number := next(waiting, None)) is not None:
                    with interrupts_wait():
                        running.append(pool.submit(design_one, request, number))
                if not running:
                    return
                yield running.popleft().result()
        except BrokenProcessPool as error:
            raise PushWorldError(
                "a process of the designer was killed, perhaps for want of memory: the same command "
                "goes on, with fewer --workers if need be"
            ) from error
        finally:
            ours.close()
            pool.shutdown(cancel_futures=True)
            theirs.close()

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


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Lets Ctrl-C and SIGTERM wait, also for a process begun meanwhile.

    A worker that is interrupted while it starts, or whose main process is, ends with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask") or current_thread() is not main_thread():
        yield  # Windows has no such mask, and other threads are not interrupted
        return
    came: list[int] = []
    # The new process inherits the mask. Handlers run in this thread whichever gets the signal.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    handlers = [signal.signal(each, lambda number, _: came.append(number)) for each in INTERRUPTS]
    try:
        yield
    finally:
        for each, handler in zip(INTERRUPTS, handlers, strict=True):
            signal.signal(each, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    for number in came:
        signal.raise_signal(number)


def _begin_worker(main_process: Connection) -> None:
    """Lets this process end when the main one closes the connection or dies, not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    Thread(target=_end_with, args=(main_process,), daemon=True).start()


def _end_with(main_process: Connection) -> None:
    with suppress(EOFError, OSError):
        main_process.recv()
    os._exit(0)
