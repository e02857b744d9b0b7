"""What planners found out about recorded positions, kept beside the recording."""

from __future__ import annotations

import json
import math
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pushworld.puzzle import PushWorldError

SUFFIX = ".measures"
APPLICATION_ID = 0x50574D53  # "PWMS"
SECONDS_BETWEEN_WRITES = 2.0

_SCHEMA = f"""
BEGIN;
CREATE TABLE outlooks (
    digest TEXT NOT NULL, state TEXT NOT NULL, lower REAL NOT NULL, upper REAL NOT NULL,
    rank INTEGER NOT NULL, PRIMARY KEY (digest, state)
) WITHOUT ROWID;
CREATE TABLE facts (
    digest TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (digest, name)
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
COMMIT;
"""


@dataclass(frozen=True)
class Outlook:
    """What is known about a position."""

    lower: float = 0  # no plan is shorter; infinite if there is none
    upper: float = math.inf  # the length of the best plan known; infinite if none is known
    rank: int = 0  # of the effort that searched for a plan, 0 if none has

    @property
    def best(self) -> int | None:
        """The length of the best plan known, or None."""
        return None if math.isinf(self.upper) else int(self.upper)

    @property
    def shortest(self) -> bool | None:
        """Whether it is proved that no plan is shorter; None if no plan is known."""
        return None if self.best is None else self.lower == self.upper

    @property
    def solvable(self) -> bool | None:
        """Whether there is a plan, or None if that is not known."""
        if self.best is not None:
            return True
        return False if math.isinf(self.lower) else None

    @property
    def decided(self) -> bool:
        """Whether nothing more can be found out."""
        return self.lower == self.upper


class Cache:
    """A file of results about positions and puzzles; a context manager. Raises PushWorldError.

    Results are proofs and plans, so they stay true; a file can be deleted at any time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = time.monotonic()
        try:
            self._database = sqlite3.connect(path, timeout=30)
            (application,) = self._database.execute("PRAGMA application_id").fetchone()
            (tables,) = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not tables and not application:
                self._database.executescript(_SCHEMA)
            elif application != APPLICATION_ID:
                raise sqlite3.Error("it is something else")
        except sqlite3.Error as error:
            raise PushWorldError(
                f"{path} cannot keep what planners find out: {error}; name another file with --cache"
            ) from error

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    @property
    def is_time_to_keep(self) -> bool:
        """Whether the last write was some time ago."""
        return time.monotonic() - self._last > SECONDS_BETWEEN_WRITES

    def outlooks(self, digest: str) -> dict[str, Outlook]:
        """Returns what is known about the positions of a puzzle."""
        query = "SELECT state, lower, upper, rank FROM outlooks WHERE digest = ?"
        return {
            state: Outlook(lower, upper, rank)
            for state, lower, upper, rank in self._database.execute(query, (digest,))
        }

    def keep(self, digest: str, outlooks: Mapping[str, Outlook]) -> None:
        """Stores what is known about positions of a puzzle."""
        rows = [
            (digest, state, each.lower, each.upper, each.rank) for state, each in outlooks.items()
        ]
        self._write("INSERT OR REPLACE INTO outlooks VALUES (?, ?, ?, ?, ?)", rows)

    def fact(self, digest: str, name: str, find: Callable[[], Any]) -> Any:
        """Returns a fact about a puzzle, as values for JSON; finds it if it is not known."""
        query = "SELECT value FROM facts WHERE digest = ? AND name = ?"
        row = self._database.execute(query, (digest, name)).fetchone()
        if row is not None:
            return json.loads(row[0])
        value = find()
        self._write(
            "INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", [(digest, name, json.dumps(value))]
        )
        return value

    def _write(self, statement: str, rows: list[tuple[Any, ...]]) -> None:
        self._last = time.monotonic()
        try:
            with self._database as transaction:
                transaction.executemany(statement, rows)
        except sqlite3.Error as error:
            raise PushWorldError(f"{self.path} cannot be written: {error}") from error


def cache_beside(recording: Path) -> Path:
    """Returns the file of results that belongs to a recording."""
    return recording.with_name(recording.name + SUFFIX)
