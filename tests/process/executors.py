"""An executor that runs jobs in the process of the tests."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")


class SameProcess:
    """Runs each job when it is submitted."""

    room = 1

    def __enter__(self) -> SameProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def submit(self, function: Callable[..., Result], job: Any, /) -> Future[Result]:
        future: Future[Result] = Future()
        try:
            future.set_result(function(job))
        except Exception as error:
            future.set_exception(error)
        return future
