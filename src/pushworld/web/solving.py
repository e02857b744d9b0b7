"""Searches for players: a few processes, a short line before them, and limits that hold.

A search never holds the server's memory or its interpreter: it runs in a process of its own that
is killed when the player leaves, cancels, or a limit is passed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pushworld.machine import usable_cores
from pushworld.planners.solving import check_limits
from pushworld.web import messages

START_SECONDS = 60.0
"""So long a process may take until it can search; on a busy machine that is seconds."""

GRACE_SECONDS = 2.0
"""So long after its time limit a search that has not ended is killed."""

REUSE_SECONDS = 1.0
"""A process that searched for longer is not used again: its memory may be in disorder."""

MAX_LINE_BYTES = 16 << 20

FULL = "the solver is busy and too many are waiting for it: try again in a minute"
STOPPED = "the server is being stopped"

Tell = Callable[[messages.Message], Awaitable[None]]


@dataclass(frozen=True)
class SolverLimits:
    """What searches may use.

    Attributes:
        workers: how many run at the same time; the others wait.
        queue: how many may wait; more are sent away.
        time_limit: the most seconds that one may ask for.
        memory_limit_gb: what one may hold, in gigabytes (10^9 bytes).
    """

    workers: int = 1
    queue: int = 8
    time_limit: float = 300
    memory_limit_gb: float = 2


def solver_limits(
    workers: int | None, queue: int, time_limit: float, memory_limit_gb: float
) -> SolverLimits:
    """Returns the limits; without a number of workers, one core is left to the server.

    Raises:
        PushWorldError: if one of them makes no sense.
    """
    if workers is None:
        workers = max(1, usable_cores() - 1)
    check_limits(time_limit, memory_limit_gb, workers, seed=0)
    return SolverLimits(workers, queue, time_limit, memory_limit_gb)


class Ticket:
    """A place in the line; `moved` is set whenever the line moves."""

    def __init__(self) -> None:
        self.moved = asyncio.Event()


class SolverPool:
    """The processes that search, and the line before them."""

    def __init__(self, limits: SolverLimits) -> None:
        self.limits = limits
        self._free = limits.workers
        self._line: deque[Ticket] = deque()
        self._spare: list[_Worker] = []
        self._working: set[_Worker] = set()
        self._refills: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        """Starts the processes ahead of the first search, so that nobody waits for imports."""
        self._spare = [await _Worker.launch() for _ in range(self.limits.workers)]

    async def close(self) -> None:
        """Ends all searches at once; those who wait for one are told."""
        self._closed = True
        self._move_line()
        await asyncio.gather(*self._refills)
        processes = [*self._spare, *self._working]
        for worker in processes:
            worker.kill()
        await asyncio.gather(*(worker.wait() for worker in processes))

    @property
    def is_full(self) -> bool:
        """Whether so many wait that one more would only wait in vain."""
        return len(self._line) >= self.limits.queue + self._free

    async def solve(self, pwp: str, time_limit: float, tell: Tell) -> None:
        """Waits in the line, searches, and tells what happens; cancelling it ends the search."""
        if self.is_full:
            await tell(messages.error(FULL))
            return
        ticket = Ticket()
        self._line.append(ticket)
        try:
            await self._wait(ticket, tell)
        finally:
            self._line.remove(ticket)
            self._move_line()
        if self._closed:
            await tell(messages.error(STOPPED))
            return
        self._free -= 1
        try:
            last = await self._search(pwp, min(time_limit, self.limits.time_limit), tell)
        finally:
            self._free += 1
            self._move_line()
        await tell(last)

    async def _wait(self, ticket: Ticket, tell: Tell) -> None:
        """Returns when it is the ticket's turn, or the pool is closed."""
        while not self._closed:
            place = self._line.index(ticket)
            if place < self._free:
                return
            ticket.moved.clear()
            await tell(messages.queued(place - self._free + 1))
            await ticket.moved.wait()

    def _move_line(self) -> None:
        for ticket in self._line:
            ticket.moved.set()

    async def _search(self, pwp: str, seconds: float, tell: Tell) -> messages.Message:
        """Tells the progress of a search and returns its last message."""
        worker = await self._take_worker()
        last: messages.Message | None = None
        job = {
            "pwp": pwp,
            "time_limit": seconds,
            "memory_limit_gb": self.limits.memory_limit_gb,
        }
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker.until_ready()
            began = time.perf_counter()
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                last = await worker.converse(job, tell)
            if time.perf_counter() - began > REUSE_SECONDS:
                worker.kill()
        except TimeoutError:
            worker.kill()
            last = messages.result("time-limit", None, seconds, 0)
        finally:
            if last is None:
                worker.kill()
            self._put_back(worker)
        if last is None:
            return messages.error(await self._last_words(worker))
        return last

    async def _take_worker(self) -> _Worker:
        while self._spare:
            worker = self._spare.pop()
            if worker.is_alive:
                break
        else:
            worker = await _Worker.launch()
        self._working.add(worker)
        if self._closed:
            worker.kill()
        return worker

    def _put_back(self, worker: _Worker) -> None:
        """Makes the process, or soon a new one in its place, ready for the next search."""
        self._working.discard(worker)
        if worker.is_alive:
            self._spare.append(worker)
        elif not self._closed:
            task = asyncio.create_task(self._refill())
            self._refills.add(task)
            task.add_done_callback(self._refills.discard)

    async def _refill(self) -> None:
        """Starts a process if there are fewer than there should be."""
        if self._lacks_workers():
            worker = await _Worker.launch()
            if self._lacks_workers():
                self._spare.append(worker)
            else:
                worker.kill()

    def _lacks_workers(self) -> bool:
        return not self._closed and len(self._spare) + len(self._working) < self.limits.workers

    async def _last_words(self, worker: _Worker) -> str:
        if self._closed:
            return STOPPED
        code = await worker.wait()
        if code == -signal.SIGKILL:
            return "the system ended the search, most likely for lack of memory"
        return f"the search ended unexpectedly (exit code {code})"


class _Worker:
    """A process of `pushworld.web.worker`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._is_ready = False
        self._killed = False

    @classmethod
    async def launch(cls) -> _Worker:
        """Returns a process that has been started; it may still be importing."""
        return cls(
            await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-m",
                "pushworld.web.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=MAX_LINE_BYTES,
            )
        )

    @property
    def is_alive(self) -> bool:
        return not self._killed and self._process.returncode is None

    def kill(self) -> None:
        """Ends the process at once, whatever it does."""
        if self.is_alive:
            self._killed = True
            with suppress(ProcessLookupError):
                # The process's own `kill` first collects one that has just died, which asyncio,
                # waiting for it in a thread, then takes for a child that it never had.
                os.kill(self._process.pid, signal.SIGKILL)

    async def wait(self) -> int:
        """Returns the exit code when the process has ended."""
        return await self._process.wait()

    async def until_ready(self) -> None:
        """Waits until the process has imported all it needs, or has died of it."""
        if not self._is_ready:
            assert self._process.stdout is not None
            await self._process.stdout.readline()
            self._is_ready = True

    async def converse(self, job: dict[str, Any], tell: Tell) -> messages.Message | None:
        """Tells what the process says of the job and returns its last word, None if it dies."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(ConnectionError):
            stdin.write(json.dumps(job).encode() + b"\n")
            await stdin.drain()
        while line := await stdout.readline():
            message: messages.Message = json.loads(line)
            if message["type"] != "progress":
                return message
            await tell(message)
        return None
