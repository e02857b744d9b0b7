"""The deadline of an analysis: its experiments end when it passes, and say so.

The deadline belongs to the context rather than to each function, because the budgets that the
experiments take must not depend on a clock.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_deadline: ContextVar[float] = ContextVar("deadline", default=math.inf)


class OutOfTimeError(Exception):
    """An experiment that the deadline ended before it was decided."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Sets the deadline of everything inside the context, unless there is an earlier one."""
    end = math.inf if seconds is None else time.monotonic() + seconds
    token = _deadline.set(min(end, _deadline.get()))
    try:
        yield
    finally:
        _deadline.reset(token)


@contextmanager
def share_of_time(share: float) -> Iterator[None]:
    """Gives everything inside the context a share of the time that is left."""
    with time_limit(seconds_left() * share):
        yield


def seconds_left() -> float:
    """Returns the time until the deadline, infinite if there is none; at least 0."""
    return max(0.0, _deadline.get() - time.monotonic())


def check_deadline() -> None:
    """Raises OutOfTimeError if the deadline has passed."""
    if seconds_left() <= 0:
        raise OutOfTimeError
