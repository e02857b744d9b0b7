"""Reads a database of recorded games, of any version."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.traces.rows import EventRow, PuzzleRow
from pushworld.web.trace_database import open_database

BATCH_ROWS = 50_000


class Recording:
    """A database of recorded games that is open for reading; a context manager.

    The server may record at the same time.

    Raises:
        PushWorldError: if it is no such database, or one of a later version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._database = open_database(path, create=False)
        self._database.row_factory = sqlite3.Row

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def rows(self, query: str) -> Iterator[sqlite3.Row]:
        """Yields the rows of a query; raises PushWorldError if the database is damaged."""
        try:
            with closing(self._database.execute(query)) as found:
                while batch := found.fetchmany(BATCH_ROWS):
                    yield from batch
        except sqlite3.Error as error:
            raise PushWorldError(f"{self.path} cannot be read: {error}") from error

    def events(self) -> Iterator[EventRow]:
        """Yields all events, session by session, in the order in which they happened."""
        columns = ", ".join(EventRow._fields)
        query = f"SELECT {columns} FROM events ORDER BY session, sequence"
        return (EventRow(*row) for row in self.rows(query))

    def puzzle_rows(self) -> Iterator[PuzzleRow]:
        """Yields the puzzles that the server offered."""
        query = "SELECT digest, puzzle, pwp FROM puzzles ORDER BY puzzle, digest"
        return (PuzzleRow(*row) for row in self.rows(query))

    @cached_property
    def puzzles(self) -> dict[str, Puzzle]:
        """The puzzles by digest."""
        return {row.digest: Puzzle.parse(row.pwp, name=row.puzzle) for row in self.puzzle_rows()}

    @cached_property
    def title(self) -> str:
        """The title of the study; empty if it is not a study."""
        return next((row["title"] for row in self.rows("SELECT title FROM studies")), "")

    @cached_property
    def question_texts(self) -> dict[tuple[bool, str], str]:
        """The questions of the study, by whether they come at the end, and their ids."""
        files = [tomllib.loads(row["file"]) for row in self.rows("SELECT file FROM studies")]
        return {
            (key == "end", question["id"]): question["text"]
            for file in files
            for key, questions in file.get("questions", {}).items()
            for question in questions
        }

    def summary(self) -> dict[str, int]:
        """Returns the numbers of events, of sessions, and of puzzles with events."""
        (row,) = self.rows(
            "SELECT count(*) AS events, count(DISTINCT session) AS sessions, "
            "count(DISTINCT digest) AS puzzles FROM events"
        )
        return dict(row)


def iso_time(milliseconds: int) -> str:
    """Returns a time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
