"""Jobs on executors: when they start, and in which order their results come."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice
from threading import Event

import pytest

from pushworld.process import local_threads, run_jobs
from tests.process.executors import SameProcess


def test_results_come_as_jobs_end_or_in_order() -> None:
    opened = Event()

    def first_waits_and_last_opens(number: int, _: object) -> int:
        if number == 0:
            opened.wait()
        if number == 3:
            opened.set()
        return number

    with local_threads(2) as threads:
        as_they_end = run_jobs(threads, first_waits_and_last_opens, range(4))
        assert [next(as_they_end), next(as_they_end)] == [1, 2]
        assert sorted(as_they_end) == [0, 3]
        opened.clear()
        in_order = run_jobs(threads, first_waits_and_last_opens, range(4), in_order=True)
        assert list(in_order) == [0, 1, 2, 3]


def test_many_jobs_run_while_the_first_is_slow() -> None:
    many_ended = Event()

    def first_waits_for_many(number: int, _: object) -> int:
        if number == 0:
            assert many_ended.wait(60)
        if number == 20:
            many_ended.set()
        return number

    with local_threads(2) as threads:
        in_order = run_jobs(threads, first_waits_for_many, count(), in_order=True)
        assert list(islice(in_order, 30)) == list(range(30))


def test_jobs_start_only_when_there_is_room() -> None:
    started: list[int] = []
    results = run_jobs(SameProcess(), str, count(), on_start=started.append)
    assert list(islice(results, 3)) == ["0", "1", "2"]
    assert started == [0, 1, 2, 3]


def test_what_a_job_raises_is_raised() -> None:
    results = run_jobs(SameProcess(), int, ["1", "one"])
    assert next(results) == 1
    with pytest.raises(ValueError, match="one"):
        next(results)


def test_leaving_asks_threads_to_stop() -> None:
    asked: list[bool] = []
    begun = Event()

    def run_until_asked(number: int, stopped: Callable[[], bool]) -> None:
        begun.set()
        while not stopped():
            pass
        asked.append(True)

    with local_threads(1) as threads:
        threads.submit(run_until_asked, 0)
        begun.wait()
    assert asked == [True]
