"""Worker processes: what they return, how they end, and interrupts while they start."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from threading import Thread, get_ident

import pytest

from pushworld.process import worker_processes
from pushworld.process.workers import interrupts_wait
from pushworld.puzzle import PushWorldError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals as POSIX has them")


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """The test run itself may be in the background, where this signal is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_this_thread() -> None:
    signal.pthread_kill(get_ident(), signal.SIGINT)


def interrupt_another_thread() -> None:
    def get_one() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        signal.pthread_kill(get_ident(), signal.SIGINT)

    thread = Thread(target=get_one)
    thread.start()
    thread.join()


@pytest.mark.parametrize("interrupt", [interrupt_this_thread, interrupt_another_thread])
def test_an_interrupt_waits_for_the_end(interrupt: Callable[[], None]) -> None:
    done = []

    def start_a_worker() -> None:
        with interrupts_wait():
            interrupt()
            done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        start_a_worker()
    assert done == ["all of it"]


def test_afterwards_an_interrupt_is_one_again() -> None:
    with interrupts_wait():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_workers_return_results_and_exceptions() -> None:
    with worker_processes(1, "the test") as workers:
        six, nothing = workers.submit(sum, [1, 2, 3]), workers.submit(max, [])
        assert six.result() == 6
        with pytest.raises(ValueError):
            nothing.result()


def test_a_worker_that_is_killed_is_reported_and_the_others_end() -> None:
    def work() -> None:
        with worker_processes(2, "the test") as workers:
            workers.submit(time.sleep, 10**6)
            killed = workers.submit(signal.raise_signal, signal.SIGKILL)
            workers.submit(time.sleep, 10**6)
            killed.result()

    with pytest.raises(PushWorldError, match="a process of the test was killed"):
        work()
    assert not active_children()


def test_leaving_ends_what_workers_are_doing() -> None:
    with worker_processes(1, "the test") as workers:
        endless = [workers.submit(time.sleep, 10**6) for _ in range(3)]
    assert not any(
        each.done() and each.exception() is None for each in endless if not each.cancelled()
    )
    assert not active_children()
