"""Interrupts while workers of the designer start."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from threading import Thread, get_ident

import pytest

from pushworld.design.engines import interrupts_wait

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
