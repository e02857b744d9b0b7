"""Processes that work for this one, and never outlive it."""

from __future__ import annotations

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
from typing import ParamSpec, TypeVar

from pushworld.puzzle import PushWorldError

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Workers:
    """Processes that call functions, one after the other."""

    _pool: ProcessPoolExecutor

    def submit(
        self,
        function: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Future[Result]:
        """Returns what the function will return when one of the processes has called it."""
        with interrupts_wait():
            return self._pool.submit(function, *arguments, **named)


@contextmanager
def worker_processes(count: int, whose: str) -> Iterator[Workers]:
    """Yields up to so many processes of this machine.

    They end where the context ends, whatever they are doing, and with this process in any case.

    Raises:
        PushWorldError: if one of them is killed; it says whose it was.
    """
    context = get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(count, context, _begin_worker, (theirs,))
    try:
        yield Workers(pool)
    except BrokenProcessPool as error:
        raise PushWorldError(
            f"a process of {whose} was killed, perhaps for want of memory: the same command goes "
            "on, with fewer --workers if need be"
        ) from error
    finally:
        ours.close()
        pool.shutdown(cancel_futures=True)
        theirs.close()


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
