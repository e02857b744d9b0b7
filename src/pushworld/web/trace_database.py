"""The SQLite database of recorded events; an event is acknowledged only when it is on the disk.

One thread writes. All events that arrive while it waits for the disk go into its next transaction,
so that a hundred players cost little more than one.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from pushworld.puzzle import PushWorldError

Kind = Literal["start", "move", "undo", "redo", "reset", "hint", "solved", "leave"]
KINDS: tuple[str, ...] = get_args(Kind)
Actor = Literal["player", "hint", "machine", "link"]
ACTORS: tuple[str, ...] = get_args(Actor)

APPLICATION_ID = 0x50574C44  # "PWLD": tells our databases from others
SCHEMA_VERSION = 2

_SCHEMA = """
CREATE TABLE events (
    session     TEXT    NOT NULL,
    sequence    INTEGER NOT NULL,
    puzzle      TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    time_ms     INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    action      TEXT,
    step        INTEGER NOT NULL,
    received_ms INTEGER NOT NULL,
    actor       TEXT,
    PRIMARY KEY (session, sequence)
) WITHOUT ROWID;
CREATE TABLE puzzles (
    digest TEXT PRIMARY KEY,
    puzzle TEXT NOT NULL,
    pwp    TEXT NOT NULL
) WITHOUT ROWID;
"""

_UPGRADE = "BEGIN; ALTER TABLE events ADD COLUMN actor TEXT; PRAGMA user_version = 2; COMMIT;"
"""From version 1 of the schema: who made a move was not recorded."""

_INSERT = "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class Event(NamedTuple):
    """An action of a player; docs/guides/traces.md explains the fields."""

    session: str
    sequence: int
    puzzle: str
    digest: str
    time_ms: int
    kind: str
    action: str | None
    step: int
    actor: str | None


class RecordingError(Exception):
    """Events could not be stored, for example because the disk is full."""


@dataclass(frozen=True)
class _Request:
    """Events to store, and the future that waits for them."""

    events: Sequence[Event]
    done: asyncio.Future[int]
    loop: asyncio.AbstractEventLoop


class Recorder:
    """Stores the events of a running server."""

    def __init__(self, path: Path) -> None:
        """Opens or creates the database.

        Raises:
            PushWorldError: if the file cannot be written or is not a database of traces.
        """
        self._database = open_database(path)
        self._requests: queue.SimpleQueue[_Request | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="pushworld-recorder", daemon=True)
        self._thread.start()

    def add_puzzles(self, puzzles: Iterable[tuple[str, str, str]]) -> None:
        """Stores puzzles, given as (digest, puzzle, pwp); must be called before `store`."""
        with self._database as transaction:
            transaction.executemany("INSERT OR IGNORE INTO puzzles VALUES (?, ?, ?)", puzzles)

    async def store(self, events: Sequence[Event]) -> int:
        """Returns the number of events as soon as all are on the disk, also those stored before.

        Raises:
            RecordingError: if they cannot be stored.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[int] = loop.create_future()
        self._requests.put(_Request(events, done, loop))
        return await done

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
            problem = self._commit(requests)
            for request in requests:
                request.loop.call_soon_threadsafe(_settle, request, problem)

    def _commit(self, requests: Sequence[_Request]) -> RecordingError | None:
        """Stores the events of all requests in one transaction; returns the error, if any."""
        now = time.time_ns() // 1_000_000
        rows = [(*event[:-1], now, event.actor) for request in requests for event in request.events]
        try:
            with self._database as transaction:
                transaction.executemany(_INSERT, rows)
        except sqlite3.Error as error:
            return RecordingError(str(error))
        return None


def open_database(path: Path, *, create: bool = True) -> sqlite3.Connection:
    """Returns a connection to a database of recorded events.

    Raises:
        PushWorldError: if the file is missing (and `create` is false), cannot be opened, or is not
            a database of traces.
    """
    mode = "rwc" if create else "rw"
    try:
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, check_same_thread=False
        )
        try:
            _check_or_create(database, path, create)
        except BaseException:
            database.close()
            raise
    except sqlite3.Error as error:
        raise PushWorldError(f"{path} cannot be opened as a database of traces: {error}") from error
    return database


def _check_or_create(database: sqlite3.Connection, path: Path, create: bool) -> None:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    is_new = create and not tables and not application
    if not is_new and application != APPLICATION_ID:
        raise PushWorldError(f"{path} is a database, but not one of recorded traces")
    if is_new:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(
            f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version == 1:
        database.executescript(_UPGRADE)
        version = SCHEMA_VERSION
    if version != SCHEMA_VERSION:
        raise PushWorldError(
            f"{path} has version {version} of the schema where {SCHEMA_VERSION} is needed"
        )
    # A commit returns when its pages are on the disk, not only in the system's cache.
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA busy_timeout = 5000")


def _settle(request: _Request, problem: RecordingError | None) -> None:
    """Resolves the future of a request, unless its player has disconnected."""
    if request.done.cancelled():
        return
    if problem is None:
        request.done.set_result(len(request.events))
    else:
        request.done.set_exception(problem)
