"""The SQLite database of recorded events and of studies: its schema, and how it is opened."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from pushworld.puzzle import PushWorldError

_IN_GAMES = ("start", "move", "undo", "redo", "reset", "hint", "solution", "warning", "solved")
_BESIDE_GAMES = ("leave", "blur", "focus")
_IN_STUDIES = ("resume", "give-up", "time-limit", "move-limit")
KINDS = (*_IN_GAMES, *_BESIDE_GAMES, *_IN_STUDIES)
ACTORS = ("player", "hint", "machine", "link")
SHOWN = ("hint-1", "hint-2", "hint-3", "solution", "dead-end")

APPLICATION_ID = 0x50574C44  # "PWLD": tells our databases from others
SCHEMA_VERSION = 4

_STUDY_TABLES = """
CREATE TABLE studies (
    version    TEXT PRIMARY KEY,
    title      TEXT    NOT NULL,
    file       TEXT    NOT NULL,
    digests    TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    seen_ms    INTEGER NOT NULL
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
    visits        INTEGER NOT NULL,
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

_BROWSER_KEY = "ALTER TABLE participants ADD COLUMN key TEXT;"

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
{_BROWSER_KEY}
"""

_UPGRADES = {
    1: "ALTER TABLE events ADD COLUMN actor TEXT;",
    2: "ALTER TABLE events ADD COLUMN shown TEXT; ALTER TABLE events ADD COLUMN state TEXT;"
    "ALTER TABLE events ADD COLUMN visit INTEGER; ALTER TABLE events ADD COLUMN trial INTEGER;"
    + _STUDY_TABLES,
    3: _BROWSER_KEY,
}
"""From each earlier version of the schema to the next; what was not recorded stays NULL."""


class Event(NamedTuple):
    """What happened in a game, and the state it led to; `pushworld.traces.rows.EventRow` explains the fields.

    A `redo` has the actor of the move that is redone, `solved` that of the last move.
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


def insert_events(database: sqlite3.Connection, events: Iterable[Event], now: int) -> None:
    """Stores events that are received now; those that are stored already stay as they are."""
    database.executemany(_INSERT, [(*event, now) for event in events])


def latest_ms(database: sqlite3.Connection) -> int:
    """Returns the last moment that the database knows of, by the clock of its server; 0 if none."""
    (latest,) = database.execute(
        "SELECT max(ifnull((SELECT max(received_ms) FROM events), 0),"
        " ifnull((SELECT max(received_ms) FROM answers), 0),"
        " ifnull((SELECT max(consented_ms) FROM participants), 0),"
        " ifnull((SELECT max(seen_ms) FROM studies), 0))"
    ).fetchone()
    return int(latest)


def open_database(path: Path, *, create: bool = True) -> sqlite3.Connection:
    """Returns a connection to a database of recorded events; raises PushWorldError."""
    if not create and not path.exists():
        raise PushWorldError(f"there is no file {path}")
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
    except (sqlite3.Error, UnicodeDecodeError) as error:  # its words may quote a damaged schema
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
        upgrade = _UPGRADES.get(version)
        if upgrade is None:
            raise PushWorldError(f"{path} is damaged: it has no valid version of the schema")
        version += 1
        database.executescript(f"BEGIN; {upgrade} PRAGMA user_version = {version}; COMMIT;")
    # A commit returns when its pages are on the disk, not only in the system's cache.
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA busy_timeout = 5000")
    # What is deleted is overwritten: who withdraws leaves nothing behind.
    database.execute("PRAGMA secure_delete = ON")
