"""A process that searches: one job a line on standard input, messages on standard output.

The server kills it to end a search at once. It ends by itself when the server is gone.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import IO, Any

from pushworld.planners import Progress, shorten, solve
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.web import messages

PROGRESS_SECONDS = 0.2
SHORTEN_SECONDS = 0.5
"""At most this long a plan is made shorter, so that a person wants to follow it."""

ADDRESS_SPACE_FACTOR = 1.5
ADDRESS_SPACE_EXTRA = 2 * 10**9
"""Beyond the limit for a search's tables, the process may map this much: code, threads, copies."""


def main() -> None:
    """Answers jobs until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which kills this one
    if hasattr(os, "nice"):
        os.nice(10)  # the server answers players first
    solve(Puzzle.parse("A M1 G1"))  # what only the first search pays for
    jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(sys.stdin, jobs), daemon=True).start()
    _tell(messages.ready())
    while True:
        _answer(jobs.get())


def _read_jobs(lines: IO[str], jobs: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Hands jobs over until the server closes its end, and then ends the process, search or not."""
    for line in lines:
        jobs.put(json.loads(line))
    os._exit(0)


def _answer(job: dict[str, Any]) -> None:
    limit_gb = job["memory_limit_gb"]
    _limit_address_space(int(limit_gb * 1e9 * ADDRESS_SPACE_FACTOR) + ADDRESS_SPACE_EXTRA)
    began = time.perf_counter()
    last = began

    def report(seen: Progress) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= PROGRESS_SECONDS:
            last = now
            _tell(messages.progress(seen))

    try:
        puzzle = Puzzle.parse(job["pwp"])
        result = solve(
            puzzle, time_limit=job["time_limit"], memory_limit_gb=limit_gb, progress=report
        )
        left = job["time_limit"] - (time.perf_counter() - began)
        plan = result.plan
        if plan and left > 0:
            plan = shorten(puzzle, plan, min(SHORTEN_SECONDS, left), memory_limit_gb=limit_gb).plan
        seconds = time.perf_counter() - began
        _tell(messages.result(result.status, plan, seconds, result.states))
    except PushWorldError as error:
        _tell(messages.error(str(error)))
    except MemoryError:
        _tell(messages.result("memory-limit", None, time.perf_counter() - began, 0))


def _tell(message: messages.Message) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _limit_address_space(count: int) -> None:
    """Makes the system refuse memory beyond the limit, where it can."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        with suppress(ValueError, OSError):  # a system without it, or with a lower limit already
            resource.setrlimit(resource.RLIMIT_AS, (count, hard))


if __name__ == "__main__":
    main()
