"""Ray: a connection to a cluster, and what its tasks return."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pushworld.puzzle import PushWorldError

RETRIES = 20
"""How often a task is started again because its node died."""


@contextmanager
def ray_cluster(address: str | None) -> Iterator[Any]:
    """Gives the module `ray`, connected to a cluster as long as the context lasts.

    Args:
        address: of the cluster, as for `ray.init`; a cluster on this machine if not given.

    Raises:
        PushWorldError: if Ray is not installed or the cluster cannot be reached.
    """
    ray = _ray()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address)
    try:
        yield ray
    finally:
        if ours:
            ray.shutdown()


def _ray() -> Any:
    """Returns the module `ray`."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise PushWorldError("the engine ray needs Ray: pip install 'pushworld[bench]'") from error
    return ray


def _connect(ray: Any, address: str | None) -> None:
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise PushWorldError(f"the Ray cluster {address} cannot be used: {error}") from error


def result_of(ray: Any, task: Any) -> Any:
    """Returns what a task returned, and raises its PushWorldError if it raised one."""
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, PushWorldError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        raise PushWorldError(f"the Ray cluster cannot finish a run: {error}") from error
