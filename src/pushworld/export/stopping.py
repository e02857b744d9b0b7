"""Ends an export that takes too much: a task may be a thousand times as large as its puzzle."""

from __future__ import annotations

from collections.abc import Callable

Stop = Callable[[], bool]
"""Asked all the time during an export whether to end it."""


class ExportStoppedError(Exception):
    """An export that was ended before its end."""


def never() -> bool:
    """Lets an export take what it needs."""
    return False


def check(stop: Stop) -> None:
    """Raises ExportStoppedError if it is time to."""
    if stop():
        raise ExportStoppedError
