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

Kind = Literal[
    "start",
    "move",
    "undo",
    "redo",
    "reset",
    "hint",
    "solution",
    "warning",
    "solved",
    "leave",
    "blur",
    "focus",
    "resume",
    "give-up",
    "time-limit",
    "move-limit",
]
KINDS: tuple[str, ...] = get_args(Kind)
Actor = Literal["player", "hint", "machine", "link"]
ACTORS: tuple[str, ...] = get_args(Actor)
Shown = Literal["hint-1", "hint-2", "hint-3", "solution", "dead-end"]
SHOWN: tuple[str, ...] = get_args(Shown)

APPLICATION_ID = 0x50574C44  # "PWLD": tells our databases from others
SCHEMA_VERSION = 3

_STUDY_TABLES = """
CREATE TABLE studies (
    version    TEXT PRIMARY KEY,
    title      TEXT    NOT NULL,
    file       TEXT    NOT NULL,
    digests    TEXT    NOT NULL,
    created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE participants (
    id            TEXT PRIMARY KEY,
    session       TEXT    NOT NULL UNIQUE,
    study         TEXT    NOT NULL,
    parameters    TEXT    NOT NULL,
    condition     TEXT,
    slot          INTEGER NOT NULL,
    consented_ms  INTEGER NOT NULL,
    instructed_ms INTEGER,
    finished_ms   INTEGER,
    visit         INTEGER NOT NULL,
    received      INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE trials (
    session    TEXT    NOT NULL,
    trial      INTEGER NOT NULL,
    block      TEXT    NOT NULL,
    puzzle     TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    started_ms INTEGER,
    ended_ms   INTEGER,
    paused_ms  INTEGER NOT NULL,
    outcome    TEXT,
    plan       TEXT    NOT NULL,
    actors     TEXT    NOT NULL,
    step       INTEGER NOT NULL,
    moves      INTEGER NOT NULL,
    PRIMARY KEY (session, trial)
) WITHOUT ROWID;
CREATE TABLE answers (
    session     TEXT    NOT NULL,
    trial       INTEGER,
    question    TEXT    NOT NULL,
    answer      TEXT,
    received_ms INTEGER NOT NULL
);
CREATE UNIQUE INDEX answers_once ON answers (session, ifnull(trial, -1), question);
"""
"""What studies add; `pushworld.web.studies.store` explains the columns."""

_SCHEMA = f"""
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
    shown       TEXT,
    state       TEXT,
    visit       INTEGER,
    trial       INTEGER,
    PRIMARY KEY (session, sequence)
) WITHOUT ROWID;
CREATE TABLE puzzles (
    digest TEXT PRIMARY KEY,
    puzzle TEXT NOT NULL,
    pwp    TEXT NOT NULL
) WITHOUT ROWID;
{_STUDY_TABLES}
"""

_UPGRADES = {
    1: "ALTER TABLE events ADD COLUMN actor TEXT;",
    2: "ALTER TABLE events ADD COLUMN shown TEXT; ALTER TABLE events ADD COLUMN state TEXT;"
    "ALTER TABLE events ADD COLUMN visit INTEGER; ALTER TABLE events ADD COLUMN trial INTEGER;"
    + _STUDY_TABLES,
}
"""From each earlier version of the schema to the next; what was not recorded stays NULL."""


class Event(NamedTuple):
    """What happened in a game, and the state it led to; docs/guides/traces.md explains the fields.

    Attributes:
        session: who: one visit of a player who is recorded, or one participant of a study.
        sequence: counts the events of the session from 0.
        puzzle: the ids of a set and of a puzzle in it, joined by '/'; in a study, as its file
            names the puzzle.
        digest: the SHA-256 of the puzzle's text.
        time_ms: when, by the page's clock.
        kind: what happened.
        action: the letter of a move or of a redone one.
        step: the number of moves from the start of the puzzle to the state after the event.
        actor: who acted. `hint` is a player who made the move that a hint showed, `machine` the page
            or the server by itself, `link` nobody knows. A `redo` has the actor of the move that
            is redone, `solved` that of the last move.
        shown: what help the page showed after the event; None for none.
        state: the positions after the event as ``x,y x,y``, in the order of `Puzzle.objects`.
        visit: in a study, counts the times that the participant opened the page, from 1.
        trial: in a study, the place of the puzzle in the participant's order, from 0.
    """

    session: str
    sequence: int
    puzzle: str
    digest: str
    time_ms: int
    kind: str
    action: str | None
    step: int
    actor: str | None
    shown: str | None = None
    state: str | None = None
    visit: int | None = None
    trial: int | None = None


_INSERT = (
    f"INSERT OR IGNORE INTO events ({', '.join(Event._fields)}, received_ms) "
    f"VALUES ({', '.join('?' * (len(Event._fields) + 1))})"
)


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
        rows = [(*event, now) for request in requests for event in request.events]
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
    if version > SCHEMA_VERSION:
        raise PushWorldError(
            f"{path} has version {version} of the schema, and this pushworld knows versions up to "
            f"{SCHEMA_VERSION}: it was written by a later pushworld, so use that"
        )
    while version < SCHEMA_VERSION:
        upgrade = _UPGRADES[version]
        version += 1
        database.executescript(f"BEGIN; {upgrade} PRAGMA user_version = {version}; COMMIT;")
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
