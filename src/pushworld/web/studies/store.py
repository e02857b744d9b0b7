"""The rows of a study in the database of traces.

One database holds one version of one study. Events, trials and answers know a participant only by
`session`, a random name: without the table `participants` they are anonymous. Times are
milliseconds since 1970-01-01 UTC by the server's clock, which never goes back in one database.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from pushworld.puzzle import PushWorldError
from pushworld.web.studies.study import Study
from pushworld.web.trace_database import Event, insert_events, latest_ms


@dataclass
class Participant:
    """A row of the table `participants`."""

    id: str  # from the link
    session: str  # the random name
    study: str  # the version of the study: the SHA-256 of its file
    parameters: str  # those of the link that the study names, as JSON
    condition: str | None  # the name of the condition; None in a study without conditions
    slot: int  # the number of the combination of condition and orders, as `assignment` counts them
    consented_ms: int  # when the participant agreed
    instructed_ms: int | None = None  # when the instructions were read
    finished_ms: int | None = None  # when everything was done
    visits: int = 1  # how often the participant has opened the page
    received: int = 0  # how many events of the last visit are stored
    key: str | None = None  # what only the browser that began knows; None lets the next browser in


@dataclass
class Trial:
    """A row of the table `trials`: a puzzle in the order of a participant."""

    session: str  # the participant
    trial: int  # its place in the order, from 0
    block: str  # the name of its block
    puzzle: str  # its name in the study file
    digest: str  # the SHA-256 of its text
    started_ms: int | None = None  # when it was first shown
    ended_ms: int | None = None  # when it ended; for a time limit, when that was reached
    # how long no server ran since it was first shown. This does not count for limits.
    paused_ms: int = 0
    outcome: str | None = None  # how it ended: solved, gave-up, time-limit, move-limit or answered
    plan: str = ""  # the moves made, with the undone ones that can be redone
    # who made each of them, by first letters of `pushworld.web.trace_database.ACTORS`
    actors: str = ""
    step: int = 0  # how many of them are in effect
    moves: int = 0  # the number of moves with an effect, undone ones and redone ones included


_COLUMNS: dict[type[Participant] | type[Trial], str] = {
    table: ", ".join(each.name for each in fields(table)) for table in (Participant, Trial)
}


def open_study(database: sqlite3.Connection, now: int, study: Study, path: Path) -> None:
    """Makes the database that of the study, and adds the time since its last server to the pauses.

    Raises:
        PushWorldError: if it has participants of another study, or of another version of this one.
    """
    digests = {name: each.digest for name, each in study.puzzles.items()}
    row = (study.version, study.title, study.file, json.dumps(digests))
    (participants,) = database.execute("SELECT count(*) FROM participants").fetchone()
    for version, title, *_, known in database.execute(
        "SELECT version, title, file, digests FROM studies"
    ).fetchall():
        if not participants or (version == study.version and json.loads(known) == digests):
            continue
        what = "other puzzles" if version == study.version else "another version of the study file"
        raise PushWorldError(
            f"{path} has {participants} participants of {title!r} with {what} "
            f"(SHA-256 {version[:12]}): go on with the file of that time, "
            "which the database holds, or name a new database with --record"
        )
    paused = now - (latest_ms(database) or now)
    database.execute(
        "UPDATE trials SET paused_ms = paused_ms + ? WHERE started_ms NOTNULL AND outcome IS NULL",
        (paused,),
    )
    database.execute("DELETE FROM studies WHERE version != ?", (study.version,))
    database.execute("INSERT OR IGNORE INTO studies VALUES (?, ?, ?, ?, ?, ?)", (*row, now, now))
    database.execute("UPDATE studies SET digests = ?, seen_ms = ?", (json.dumps(digests), now))


def note_time(database: sqlite3.Connection, now: int) -> None:
    """Notes that a server runs now."""
    database.execute("UPDATE studies SET seen_ms = ?", (now,))


def find_participant(database: sqlite3.Connection, **key: str) -> Participant | None:
    """Returns the participant of an `id` or of a `session`."""
    ((column, value),) = key.items()
    row = database.execute(
        f"SELECT {_COLUMNS[Participant]} FROM participants WHERE {column} = ?", (value,)
    ).fetchone()
    return None if row is None else Participant(*row)


def slots_taken(database: sqlite3.Connection) -> dict[int, int]:
    """Returns the number of participants by slot."""
    return dict(database.execute("SELECT slot, count(*) FROM participants GROUP BY slot"))


def save(database: sqlite3.Connection, row: Participant | Trial) -> None:
    """Stores a row, in place of an earlier version of it."""
    table = "participants" if isinstance(row, Participant) else "trials"
    values = tuple(vars(row).values())
    marks = ", ".join("?" * len(values))
    database.execute(
        f"INSERT OR REPLACE INTO {table} ({_COLUMNS[type(row)]}) VALUES ({marks})", values
    )


def trials_of(database: sqlite3.Connection, session: str) -> list[Trial]:
    """Returns the trials of a participant, in order."""
    rows = database.execute(
        f"SELECT {_COLUMNS[Trial]} FROM trials WHERE session = ? ORDER BY trial", (session,)
    )
    return [Trial(*row) for row in rows]


def append_events(
    database: sqlite3.Connection, session: str, events: Sequence[Event], now: int
) -> None:
    """Stores events of a participant after all earlier ones."""
    (first,) = database.execute(
        "SELECT ifnull(max(sequence), -1) + 1 FROM events WHERE session = ?", (session,)
    ).fetchone()
    numbered = (each._replace(sequence=first + index) for index, each in enumerate(events))
    insert_events(database, numbered, now)


def is_answered(database: sqlite3.Connection, session: str, trial: int | None) -> bool:
    """Returns whether the questions about a trial, or those at the end, are answered."""
    found = database.execute(
        "SELECT 1 FROM answers WHERE session = ? AND trial IS ? LIMIT 1", (session, trial)
    )
    return found.fetchone() is not None


def add_answers(
    database: sqlite3.Connection,
    session: str,
    trial: int | None,
    answers: Iterable[tuple[str, str | None]],
    now: int,
) -> None:
    """Stores answers by the ids of their questions; None stands for one that was left out."""
    rows = [(session, trial, question, answer, now) for question, answer in answers]
    database.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", rows)


def delete_participant(database: sqlite3.Connection, session: str) -> None:
    """Deletes all rows of a participant."""
    for table in ("events", "trials", "answers", "participants"):
        database.execute(f"DELETE FROM {table} WHERE session = ?", (session,))
