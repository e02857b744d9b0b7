"""What a scientist asks a database while a study runs: who is where; and deleting a participant."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pushworld.puzzle import PushWorldError
from pushworld.web.studies.store import delete_participant, find_participant
from pushworld.web.trace_database import open_database

_STATUS = """
SELECT id, condition, slot, visits, consented_ms, finished_ms,
    (SELECT max(received_ms) FROM events WHERE events.session = participants.session),
    (SELECT count(*) FROM events WHERE events.session = participants.session),
    (SELECT count(*) FROM trials WHERE trials.session = participants.session),
    (SELECT count(outcome) FROM trials WHERE trials.session = participants.session),
    (SELECT count(*) FROM trials WHERE trials.session = participants.session AND outcome = 'solved')
FROM participants ORDER BY consented_ms, id
"""


@dataclass(frozen=True)
class ParticipantStatus:
    """How far a participant is; times are in milliseconds since 1970 UTC."""

    id: str
    condition: str | None
    slot: int
    visits: int
    consented_ms: int
    finished_ms: int | None
    last_ms: int | None  # when the last event was stored; None if there is none
    events: int
    puzzles: int
    # done, solved: how many of the puzzles have ended, and how many of those are solved
    done: int
    solved: int


@dataclass(frozen=True)
class StudyStatus:
    """The study in a database, and its participants in the order of their consent."""

    title: str
    version: str
    participants: tuple[ParticipantStatus, ...]


def study_status(path: Path) -> StudyStatus:
    """Returns the study in a database; its server may run at the same time. Raises PushWorldError."""
    with closing(open_database(path, create=False)) as database:
        try:
            found = database.execute("SELECT title, version FROM studies").fetchone()
            rows = database.execute(_STATUS).fetchall()
        except sqlite3.Error as error:
            raise PushWorldError(f"{path} cannot be read: {error}") from error
        if found is None:
            raise PushWorldError(
                f"{path} has no study: 'pushworld play --study' makes such a database"
            )
    title, version = found
    return StudyStatus(title, version, tuple(ParticipantStatus(*row) for row in rows))


def withdraw(path: Path, participant_id: str) -> None:
    """Deletes all rows of a participant, also from the files; the server may run at the same time.

    Raises:
        PushWorldError: if there is no such participant, or the database cannot be written.
    """
    with closing(open_database(path, create=False)) as database:
        try:
            with database:
                database.execute("BEGIN IMMEDIATE")
                participant = find_participant(database, id=participant_id)
                if participant is None:
                    raise PushWorldError(f"{path} has no participant {participant_id!r}")
                delete_participant(database, participant.session)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise PushWorldError(f"{path} cannot be written: {error}") from error
