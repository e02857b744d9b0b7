"""The recorder of a running server: a request is acknowledged only when it is on the disk.

One thread writes. All requests that arrive while it waits for the disk go into its next transaction,
so that a hundred players cost little more than one.
"""

import asyncio
import queue
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pushworld.puzzle import PushWorldError
from pushworld.web.trace_database import Event, insert_events, latest_ms, open_database


class RecordingError(Exception):
    """Events could not be stored, for example because the disk is full."""


Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection, int], Result]
"""Reads and writes the database at a moment, which is given in milliseconds since 1970."""


@dataclass(frozen=True)
class _Request:
    """Work to do, and the future that waits for it; `erases` if it must leave no trace."""

    work: Work[Any]
    done: asyncio.Future[Any]
    erases: bool


class Recorder:
    """Stores what happens on a running server."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the database; raises PushWorldError."""
        self._database = open_database(path)
        try:
            self._now = _steady_clock(self._database)
        except sqlite3.Error as error:
            raise PushWorldError(f"{path} cannot be read: {error}") from error
        self._fails = False
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="pushworld-recorder", daemon=True)
        self._thread.start()

    def add_puzzles(self, puzzles: Iterable[tuple[str, str, str]]) -> None:
        """Stores puzzles, given as (digest, puzzle, pwp); must be called before `store`."""

        def work(database: sqlite3.Connection, _: int) -> None:
            database.executemany("INSERT OR IGNORE INTO puzzles VALUES (?, ?, ?)", puzzles)

        self.run_now(work)

    async def store(self, events: Sequence[Event]) -> int:
        """Returns the number of events as soon as all are on the disk, also those stored before.

        Raises:
            RecordingError: if they cannot be stored.
        """

        def work(database: sqlite3.Connection, now: int) -> int:
            insert_events(database, events, now)
            return len(events)

        return await self.run(work)

    async def run(self, work: Work[Result], *, erases: bool = False) -> Result:
        """Returns what the work returns, as soon as what it has written is on the disk.

        If it raises an exception, nothing of it is written, and the exception is raised here.

        Args:
            erases: whether what it deletes is to be removed from the files too.

        Raises:
            RecordingError: if the database cannot be written.
        """
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._requests.put(_Request(work, done, erases))
        return await done

    def run_now(self, work: Work[Result]) -> Result:
        """Does work before the server starts; raises PushWorldError if the database cannot be written."""
        try:
            with self._database:
                return work(self._database, self._now())
        except sqlite3.Error as error:
            raise PushWorldError(f"the database cannot be written: {error}") from error

    def close(self) -> None:
        """Stores the waiting events and closes the database."""
        self._requests.put(None)
        self._thread.join()
        self._database.close()

    def _write(self) -> None:
        ending = False
        while not ending:
            batch = [self._requests.get()]
            while not self._requests.empty():
                batch.append(self._requests.get())
            ending = None in batch
            requests = [request for request in batch if request is not None]
            for request, outcome in zip(requests, self._commit(requests), strict=True):
                request.done.get_loop().call_soon_threadsafe(_settle, request, outcome)

    def _commit(self, requests: Sequence[_Request]) -> list[Any]:
        """Does all work in one transaction; returns what came of each, which may be an error."""
        database, outcomes = self._database, []
        try:
            with database:
                database.execute("BEGIN IMMEDIATE")
                for request in requests:
                    outcomes.append(self._do(request.work))
            if any(request.erases for request in requests):
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            problem = f"{error}{'; is the disk full?' if 'I/O' in str(error) else ''}"
            self._tell(True, f"error: the database cannot be written: {problem}")
            return [RecordingError(problem)] * len(requests)
        self._tell(False, "the database can be written again")
        return outcomes

    def _tell(self, fails: bool, message: str) -> None:
        """Tells who runs the server when writing begins to fail, and when it works again."""
        if fails != self._fails:
            print(message, file=sys.stderr, flush=True)
        self._fails = fails

    def _do(self, work: Work[Any]) -> Any:
        """Returns the result of a piece of work, or its exception after taking back what it wrote."""
        self._database.execute("SAVEPOINT work")
        try:
            result = work(self._database, self._now())
        except sqlite3.Error:
            raise  # the disk's fault: then the whole transaction has failed
        except Exception as problem:
            self._database.execute("ROLLBACK TO work")
            result = problem
        self._database.execute("RELEASE work")
        return result


def _steady_clock(database: sqlite3.Connection) -> Callable[[], int]:
    """Returns a clock that never goes back, neither if someone sets the system's nor after a restart."""
    began = time.monotonic_ns() // 1_000_000
    first = max(time.time_ns() // 1_000_000, latest_ms(database))
    return lambda: first + time.monotonic_ns() // 1_000_000 - began


def _settle(request: _Request, outcome: Any) -> None:
    """Resolves the future of a request, unless its player has disconnected."""
    if request.done.cancelled():
        return
    if isinstance(outcome, Exception):
        request.done.set_exception(outcome)
    else:
        request.done.set_result(outcome)
