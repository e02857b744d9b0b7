"""Searches for players: a pool of worker processes with a bounded queue and firm limits.

A search runs in a worker process, never in the server. The worker is killed when the player leaves
or cancels, or when a limit is exceeded.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass

from pushworld.machine import usable_cores
from pushworld.planners.solving import check_limits
from pushworld.web.request_bodies import Job
from pushworld.web.search_messages import SearchMessage, SendMessage, error, result

START_SECONDS = 60.0
"""How long a worker may take until it can search: seconds on a busy machine."""

GRACE_SECONDS = 2.0
"""A search that has not ended this long after its time limit is killed."""

REUSE_SECONDS = 1.0
"""A worker is not reused after a longer search, whose memory may stay fragmented."""

MAX_LINE_BYTES = 16 << 20

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
"""The signal that ends a process at once; on Windows SIGTERM does."""

BUSY = "the solver is busy and too many are waiting for it: try again in a minute"
STOPPED = "the server is being stopped"


@dataclass(frozen=True)
class SolverLimits:
    """The limits of searches."""

    workers: int = 1  # how many run at the same time; the others wait
    queue: int = 8  # how many may wait; further ones are refused
    time_limit: float = 300  # the longest time limit that a player may choose, in seconds
    memory_limit_gb: float = 2  # the memory of one search, in gigabytes (10^9 bytes)


def solver_limits(
    workers: int | None, queue: int, time_limit: float, memory_limit_gb: float
) -> SolverLimits:
    """Returns the limits; the default number of workers leaves one core to the server. Raises PushWorldError."""
    if workers is None:
        workers = max(1, usable_cores() - 1)
    check_limits(time_limit, memory_limit_gb, workers, seed=0)
    return SolverLimits(workers, queue, time_limit, memory_limit_gb)


class SolverPool:
    """The worker processes, and the queue of searches that wait for them."""

    def __init__(self, limits: SolverLimits) -> None:
        self.limits = limits
        self._free = limits.workers
        self._queue: deque[asyncio.Event] = deque()  # each is set when the queue has changed
        self._idle: list[_Worker] = []
        self._searching: set[_Worker] = set()
        self._replacements: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        """Starts the workers before the first search, so that no player waits for their imports."""
        self._idle = [await _Worker.launch() for _ in range(self.limits.workers)]

    async def close(self) -> None:
        """Ends all searches at once, and sends a last message to the players who wait."""
        self._closed = True
        self._notify_queue()
        await asyncio.gather(*self._replacements)
        workers = [*self._idle, *self._searching]
        for worker in workers:
            worker.kill()
        await asyncio.gather(*(worker.wait() for worker in workers))

    @property
    def is_full(self) -> bool:
        """Whether a further search would be refused."""
        return len(self._queue) >= self.limits.queue + self._free

    async def solve(self, job: Job, send: SendMessage) -> None:
        """Waits in the queue and searches, sending messages; cancelling it ends the search."""
        if self.is_full:
            await send(error(BUSY))
            return
        changed = asyncio.Event()
        self._queue.append(changed)
        try:
            await self._wait_for_turn(changed, send)
        finally:
            self._queue.remove(changed)
            self._notify_queue()
        if self._closed:
            await send(error(STOPPED))
            return
        self._free -= 1
        try:
            last = await self._search(job, send)
        finally:
            self._free += 1
            self._notify_queue()
        await send(last)

    async def _wait_for_turn(self, changed: asyncio.Event, send: SendMessage) -> None:
        """Returns when a worker is free for this place in the queue, or the pool is closed."""
        while not self._closed:
            place = self._queue.index(changed)
            if place < self._free:
                return
            changed.clear()
            await send({"type": "queued", "position": place - self._free + 1})
            await changed.wait()

    def _notify_queue(self) -> None:
        for changed in self._queue:
            changed.set()

    async def _search(self, job: Job, send: SendMessage) -> SearchMessage:
        """Sends the progress of a search and returns its last message."""
        worker = await self._take_worker()
        last: SearchMessage | None = None
        job = {**job, "memory_limit_gb": self.limits.memory_limit_gb}
        seconds = job["time_limit"]
        try:
            async with asyncio.timeout(START_SECONDS):
                await worker.wait_until_ready()
            began = time.perf_counter()
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                last = await worker.search(job, send)
            if time.perf_counter() - began > REUSE_SECONDS:
                worker.kill()
        except TimeoutError:
            worker.kill()
            last = result("time-limit", None, seconds, 0)
        finally:
            if last is None:
                worker.kill()
            self._return_worker(worker)
        if last is None:
            return error(await self._reason_of_end(worker))
        return last

    async def _take_worker(self) -> _Worker:
        if self._replacements:  # a worker that is being started is not launched twice
            await asyncio.wait(self._replacements)
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                break
        else:
            worker = await _Worker.launch()
        self._searching.add(worker)
        if self._closed:
            worker.kill()
        return worker

    def _return_worker(self, worker: _Worker) -> None:
        """Keeps the worker for the next search, or starts another one if it has been killed."""
        self._searching.discard(worker)
        if worker.is_alive:
            self._idle.append(worker)
        elif not self._closed:
            task = asyncio.create_task(self._replace_worker())
            self._replacements.add(task)
            task.add_done_callback(self._replacements.discard)

    async def _replace_worker(self) -> None:
        if self._lacks_workers():
            worker = await _Worker.launch()
            if self._lacks_workers():
                self._idle.append(worker)
            else:
                worker.kill()

    def _lacks_workers(self) -> bool:
        return not self._closed and len(self._idle) + len(self._searching) < self.limits.workers

    async def _reason_of_end(self, worker: _Worker) -> str:
        """Returns why a worker ended without a result."""
        if self._closed:
            return STOPPED
        code = await worker.wait()
        if code == -KILL:
            return "the system ended the search, most likely for lack of memory"
        return f"the search ended unexpectedly (exit code {code})"


class _Worker:
    """A process that runs `pushworld.web.solver_worker`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._is_ready = False
        self._killed = False

    @classmethod
    async def launch(cls) -> _Worker:
        """Returns a worker that has been started; it may still be importing."""
        program, pipe = (
            (sys.executable, "-P", "-m", "pushworld.web.solver_worker"),
            asyncio.subprocess.PIPE,
        )
        return cls(
            await asyncio.create_subprocess_exec(
                *program, stdin=pipe, stdout=pipe, limit=MAX_LINE_BYTES
            )
        )

    @property
    def is_alive(self) -> bool:
        return not self._killed and self._process.returncode is None

    def kill(self) -> None:
        """Ends the process at once."""
        if self.is_alive:
            self._killed = True
            with suppress(ProcessLookupError):
                # `Process.kill` would first reap a process that has just died; asyncio, which waits
                # for it in a thread, would then report an unknown child.
                os.kill(self._process.pid, KILL)

    async def wait(self) -> int:
        """Returns the exit code when the process has ended."""
        return await self._process.wait()

    async def wait_until_ready(self) -> None:
        """Returns when the process has imported everything, or has died before that."""
        if not self._is_ready:
            assert self._process.stdout is not None
            await self._process.stdout.readline()
            self._is_ready = True

    async def search(self, job: Job, send: SendMessage) -> SearchMessage | None:
        """Sends the progress of a search; returns its last message, or None if the process dies."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(ConnectionError):
            stdin.write(json.dumps(job).encode() + b"\n")
            await stdin.drain()
        while line := await stdout.readline():
            message: SearchMessage = json.loads(line)
            if message["type"] != "progress":
                return message
            await send(message)
        return None
