"""The worker process: reads a search job per line from standard input, writes messages as lines.

The server kills it to end a search at once. It ends by itself when the server has ended.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from pushworld.planners import Progress, shorten, solve
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.web.search_messages import SearchMessage, error, result

PROGRESS_SECONDS = 0.2
SHORTEN_SECONDS = 0.5
"""The time limit for shortening a plan of the default planner, so that people can follow it."""

ADDRESS_SPACE_FACTOR = 1.5
ADDRESS_SPACE_EXTRA = 2 * 10**9
"""What the process may map beyond the memory limit of the search: code, threads, copies."""


def main() -> None:
    """Runs jobs until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server obeys Ctrl-C and kills this one
    if hasattr(os, "nice"):
        os.nice(10)  # the server has priority
    solve(Puzzle.parse("A M1 G1"))  # loads what only the first search needs to load
    jobs: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read_jobs, args=(sys.stdin, jobs), daemon=True).start()
    _send({"type": "ready"})
    while True:
        _search(jobs.get())


def _read_jobs(lines: IO[str], jobs: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Queues jobs until the server closes the pipe, then ends the process, even during a search."""
    for line in lines:
        jobs.put(json.loads(line))
    os._exit(0)


def _search(job: dict[str, Any]) -> None:
    limit_gb = job["memory_limit_gb"]
    _limit_address_space(int(limit_gb * 1e9 * ADDRESS_SPACE_FACTOR) + ADDRESS_SPACE_EXTRA)
    began = time.perf_counter()
    try:
        _send(_revise(job) if "change" in job else _solve(job))
    except PushWorldError as problem:
        _send(error(str(problem)))
    except MemoryError:
        _send(result("memory-limit", None, time.perf_counter() - began, 0))


def _solve(job: dict[str, Any]) -> SearchMessage:
    """Returns the last message of a search for a plan."""
    began = time.perf_counter()
    is_due = _every(PROGRESS_SECONDS)

    def report(seen: Progress) -> None:
        if is_due():
            _send(
                {
                    "type": "progress",
                    "seconds": seen.seconds,
                    "states": seen.states,
                    "rate": seen.states / max(seen.seconds, 1e-9),
                    "best": seen.best_heuristic,
                    "memory_bytes": seen.memory_bytes,
                }
            )

    limit_gb = job["memory_limit_gb"]
    puzzle = Puzzle.parse(job["pwp"])
    found = solve(
        puzzle,
        job["planner"],
        time_limit=job["time_limit"],
        memory_limit_gb=limit_gb,
        max_states=job["max_states"],
        progress=report,
    )
    left = job["time_limit"] - (time.perf_counter() - began)
    plan = found.plan
    if plan and left > 0 and job["planner"] == "default":
        plan = shorten(puzzle, plan, min(SHORTEN_SECONDS, left), memory_limit_gb=limit_gb).plan
    seconds = time.perf_counter() - began
    return result(found.status, plan, seconds, found.states)


def _revise(job: dict[str, Any]) -> SearchMessage:
    """Returns the last message of a revision."""
    from pushworld.design.revisions import revise  # most workers only solve

    began = time.perf_counter()
    is_due = _every(PROGRESS_SECONDS)

    def report(text: str) -> None:
        if is_due():
            _send({"type": "progress", "seconds": time.perf_counter() - began, "text": text})

    revision = revise(Puzzle.parse(job["pwp"]), job["change"], report, job["time_limit"])
    seconds = time.perf_counter() - began
    pwp, note = (revision.puzzle.to_pwp(), revision.note) if revision else (None, "")
    return {"type": "result", "pwp": pwp, "note": note, "seconds": seconds}


def _every(seconds: float) -> Callable[[], bool]:
    """Returns a function that is true at most once in this number of seconds."""
    last = time.perf_counter()

    def is_due() -> bool:
        nonlocal last
        now = time.perf_counter()
        if now - last < seconds:
            return False
        last = now
        return True

    return is_due


def _send(message: SearchMessage) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _limit_address_space(size: int) -> None:
    """Limits the address space of this process, where the system supports it."""
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        with suppress(ValueError, OSError):  # not supported, or already lower
            resource.setrlimit(resource.RLIMIT_AS, (size, hard))


if __name__ == "__main__":
    main()
