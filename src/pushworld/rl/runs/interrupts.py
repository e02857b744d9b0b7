"""Ctrl-C and SIGTERM that wait for a safe moment."""

from __future__ import annotations

import signal
import threading
from types import FrameType

SIGNALS = signal.SIGINT, signal.SIGTERM


class StopRequest:
    """Whether the user, or a scheduler, has asked the program to stop.

    After `listen`, the first signal that would raise KeyboardInterrupt only sets `received`; the
    next one raises it again. Only the main thread gets signals; in other threads `listen` does
    nothing.
    """

    def __init__(self) -> None:
        self.received = False
        self._handled: list[signal.Signals] = []

    def listen(self) -> None:
        """Starts to catch signals; further calls change nothing."""
        main = threading.current_thread() is threading.main_thread()
        if self._handled or self.received or not main:
            return
        self._handled = [
            each for each in SIGNALS if signal.getsignal(each) is signal.default_int_handler
        ]
        for each in self._handled:
            signal.signal(each, self._receive)

    def close(self) -> None:
        """Restores the handlers of the signals."""
        for each in self._handled:
            signal.signal(each, signal.default_int_handler)
        self._handled = []

    def _receive(self, _number: int, _frame: FrameType | None) -> None:
        self.received = True
        self.close()
