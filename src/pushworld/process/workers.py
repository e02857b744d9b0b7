"""Worker processes, which never outlive the process that started them."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Thread, current_thread, main_thread
from typing import Any, TypeVar

from pushworld.puzzle import PushWorldError

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)

Result = TypeVar("Result")


@dataclass(frozen=True)
class Workers:
    """An executor of worker processes; each calls one function at a time."""

    room: int
    _pool: ProcessPoolExecutor

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Returns the future result of the function, which one of the processes calls."""
        with interrupts_wait():
            return self._pool.submit(function, *arguments)


@contextmanager
def worker_processes(count: int, whose: str) -> Iterator[Workers]:
    """Yields an executor of up to `count` processes on this machine.

    Leaving the context ends them, whatever they are doing. They also end when this process does.

    Args:
        whose: who uses them, for the error message.

    Raises:
        PushWorldError: if one of them is killed.
    """
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(count, context, _begin_worker, (theirs,))
    try:
        yield Workers(count, pool)
    except BrokenProcessPool as error:
        raise PushWorldError(
            f"a process of {whose} was killed, perhaps because memory ran out: run the same command "
            "to continue, with fewer --workers if needed"
        ) from error
    finally:
        ours.close()
        # A worker that is in native code for long would notice the end of the connection late.
        for worker in list((pool._processes or {}).values()):
            worker.terminate()
        pool.shutdown(cancel_futures=True)
        theirs.close()


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Delays Ctrl-C and SIGTERM until the end of the context, for processes started in it as well.

    Without this, an interrupt while a worker starts ends it with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask") or current_thread() is not main_thread():
        yield  # Windows has no such mask, and only the main thread is interrupted
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
    """Ends this process when the main one closes the connection or dies, and not by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    Thread(target=_end_with, args=(main_process,), daemon=True).start()


def _end_with(main_process: Connection) -> None:
    with suppress(EOFError, OSError):
        main_process.recv()
    os._exit(0)
