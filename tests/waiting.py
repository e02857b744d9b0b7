"""Waiting for what other processes do, on machines that may be slow and busy."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

PATIENCE = 600.0
"""Seconds after which something that should happen counts as not happening."""


def wait_until(condition: Callable[[], object]) -> None:
    """Returns when the condition holds; fails if it never does."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "this should have happened long ago"
        time.sleep(0.02)


def growing_limits(first: float = 0.5) -> Iterator[float]:
    """Yields time limits for something that must have begun when its limit ends it.

    A test takes the first that is long enough on the machine as it is now.
    """
    limit = first
    while limit < PATIENCE:
        yield limit
        limit *= 4
    raise AssertionError("no time is long enough")
