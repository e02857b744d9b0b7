"""Ctrl-C as a question that is answered when nothing would be lost."""

from __future__ import annotations

import signal
import threading
from types import FrameType

SIGNALS = signal.SIGINT, signal.SIGTERM


class StopRequest:
    """Whether the user, or a scheduler, wants the work to end.

    From `listen` on, the first signal that would raise KeyboardInterrupt is only noted; the next
    one raises it again. Other threads than the main one get no signals, and hear none.
    """

    def __init__(self) -> None:
        self.asked = False
        self._taken: list[signal.Signals] = []

    def listen(self) -> None:
        """Begins to note; calling it again changes nothing."""
        if self._taken or self.asked or threading.current_thread() is not threading.main_thread():
            return
        self._taken = [
            each for each in SIGNALS if signal.getsignal(each) is signal.default_int_handler
        ]
        for each in self._taken:
            signal.signal(each, self._note)

    def close(self) -> None:
        """Lets every signal do again what it did before."""
        for each in self._taken:
            signal.signal(each, signal.default_int_handler)
        self._taken = []

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.asked = True
        self.close()
