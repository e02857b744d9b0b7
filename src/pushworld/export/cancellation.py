"""Cancelling an export: a task can be a thousand times as large as its puzzle."""

import time
from collections.abc import Callable

Stop = Callable[[], bool]
"""Called often during an export; the export is cancelled when it returns True."""


class ExportStoppedError(Exception):
    """An export was cancelled."""


def after(seconds: float) -> Stop:
    """Returns what cancels an export after a time."""
    deadline = time.monotonic() + seconds
    return lambda: time.monotonic() >= deadline


def never() -> bool:
    """Returns False: the export is never cancelled."""
    return False


def check(stop: Stop) -> None:
    """Raises ExportStoppedError if the export is to be cancelled."""
    if stop():
        raise ExportStoppedError
