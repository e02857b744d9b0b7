"""Searches in a process of their own, so that none can disturb or end the measurement."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

from pushworld import Puzzle, SolveResult, _native, solve
from pushworld.planners import Progress
from pushworld.puzzle import PushWorldError

GRACE = 30.0
"""Seconds beyond its time limit after which a search counts as hung."""

AFTER_SECONDS = 1.0
"""A process that searched for longer is not used again: its memory may be in disorder."""


class BuildChangedError(PushWorldError):
    """The package was built anew while it was measured."""


@dataclass(frozen=True)
class Job:
    """One search to measure."""

    puzzle: Puzzle
    planner: str
    time_limit: float
    memory_limit_gb: float
    threads: int
    seed: int


@dataclass(frozen=True)
class Failure:
    """What became of a search that returned no result."""

    status: Literal["crashed", "hung", "error"]
    message: str
    seconds: float


class Worker:
    """A process that runs one search after another and is replaced when it has suffered.

    Use it as a context manager: at the end the process is killed.
    """

    def __init__(self, build: str, grace: float = GRACE) -> None:
        self._build = build
        self._grace = grace
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one."""
        return None if self._process is None else self._process.pid

    def run(self, job: Job) -> SolveResult | Failure:
        """Returns what the search found, or how it failed.

        Raises:
            BuildChangedError: if the process finds another build of the package than was asked for.
        """
        connection = self._connection or self._begin()
        start = time.perf_counter()
        outcome: SolveResult | Failure
        try:
            connection.send(job)
            if connection.poll(job.time_limit + self._grace):
                outcome = connection.recv()
            else:
                outcome = Failure("hung", "it does not end", time.perf_counter() - start)
        except (EOFError, OSError):
            outcome = Failure("crashed", self._last_words(), time.perf_counter() - start)
        if outcome.status != "solved" or outcome.seconds > AFTER_SECONDS:
            self._end()
        return outcome

    def _begin(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        try:
            build = self._connection.recv()
        except EOFError:
            raise PushWorldError(f"no process can be started: {self._last_words()}") from None
        if build != self._build:
            raise BuildChangedError(
                "the package was built anew during the measurement: start again"
            )
        return self._connection

    def _end(self) -> None:
        if self._process is not None and self._connection is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None

    def _last_words(self) -> str:
        assert self._process is not None
        self._process.join()
        code = self._process.exitcode or 0
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def build_of_package() -> str:
    """Returns a short text that is another one when the native code is another one."""
    return hashlib.sha256(Path(_native.__file__).read_bytes()).hexdigest()[:12]


def _serve(connection: Connection) -> None:
    """Runs jobs until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which kills this one
    parent = os.getppid()

    def end_with_parent(_: Progress) -> None:
        if os.getppid() != parent:
            raise SystemExit

    solve(Puzzle.parse("A M1 G1"), threads=2)  # what only the first search pays for
    connection.send(build_of_package())
    while True:
        try:
            job: Job = connection.recv()
        except EOFError:
            return
        start = time.perf_counter()
        try:
            connection.send(
                solve(
                    job.puzzle,
                    job.planner,
                    time_limit=job.time_limit,
                    memory_limit_gb=job.memory_limit_gb,
                    threads=job.threads,
                    seed=job.seed,
                    progress=end_with_parent,
                )
            )
        except Exception as error:
            connection.send(Failure("error", str(error), time.perf_counter() - start))
