"""Recordings made by hand: events written into a database as the server writes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pushworld.puzzle import LETTERS, Puzzle
from pushworld.puzzle.pwp import puzzle_digest
from pushworld.traces.games import state_text
from pushworld.web.trace_database import Event, open_database

BEGINNING = 1_700_000_000_000
SERVER_IS_AHEAD = 10_000
"""Milliseconds by which the server's clock differs from the page's."""


@dataclass
class Script:
    """Writes the events of a session.

    Attributes:
        puzzle: what is played; `play` begins another game.
        now: milliseconds since the beginning.
    """

    session: str
    puzzle: Puzzle
    trial: int | None = None
    visit: int | None = None
    now: int = 0
    events: list[tuple[Event, int]] = field(default_factory=list)
    line: list[tuple[str, str]] = field(default_factory=list)

    def play(self, puzzle: Puzzle | None = None) -> Script:
        """Starts a game."""
        self.puzzle = puzzle or self.puzzle
        self.line = []
        return self.add("start")

    def wait(self, seconds: float) -> Script:
        self.now += round(1000 * seconds)
        return self

    def moves(self, letters: str, each: float = 1.0, actor: str = "player") -> Script:
        """Makes moves; u takes one back, x resets."""
        for letter in letters:
            self.wait(each)
            if letter == "u":
                self.line.pop()
                self.add("undo", actor=actor)
            elif letter == "x":
                self.line.clear()
                self.add("reset", actor=actor)
            else:
                before = self.state
                if self.puzzle.step(before, LETTERS.index(letter)) != before:
                    self.line.append((letter, actor))
                self.add("move", letter, actor)
        return self

    @property
    def state(self) -> Any:
        *_, last = self.puzzle.replay("".join(letter for letter, _ in self.line))
        return last

    def add(
        self,
        kind: str,
        action: str | None = None,
        actor: str | None = "player",
        shown: str | None = None,
        late: float = 0.0,
        server: bool = False,
    ) -> Script:
        """Adds an event.

        Args:
            late: by how many seconds it reached the server late.
            server: whether the server made it, so that its time is the server's.
        """
        received = BEGINNING + self.now + SERVER_IS_AHEAD + round(1000 * late)
        event = Event(
            session=self.session,
            sequence=len(self.events),
            puzzle=self.puzzle.name,
            digest=puzzle_digest(self.puzzle.to_pwp()),
            time_ms=received if server else BEGINNING + self.now,
            kind=kind,
            action=action,
            step=len(self.line),
            actor=actor,
            shown=shown,
            state=state_text(self.state),
            visit=self.visit,
            trial=self.trial,
        )
        self.events.append((event, received))
        return self


def write_recording(path: Path, scripts: Sequence[Script]) -> Path:
    """Writes the events of scripts, and their puzzles, into a database."""
    database = open_database(path)
    with database:
        for script in scripts:
            for event, received in script.events:
                database.execute(
                    f"INSERT INTO events ({', '.join(Event._fields)}, received_ms) "
                    f"VALUES ({', '.join('?' * (len(Event._fields) + 1))})",
                    (*event, received),
                )
            keep_puzzle(database, script.puzzle)
    database.close()
    return path


def keep_puzzle(database: Any, puzzle: Puzzle) -> None:
    text = puzzle.to_pwp()
    database.execute(
        "INSERT OR IGNORE INTO puzzles VALUES (?, ?, ?)", (puzzle_digest(text), puzzle.name, text)
    )


STUDY = """
title = "A <study>"
[[questions.after_puzzle]]
id = "effort"
text = "How hard was it?"
[[questions.end]]
id = "age"
text = "How old are you?"
"""


def add_study(path: Path) -> None:
    """Adds the study file."""
    database = open_database(path, create=False)
    with database:
        database.execute(
            "INSERT INTO studies (version, title, file, digests, created_ms, seen_ms) "
            "VALUES ('v', 'A <study>', ?, '{}', 0, 0)",
            (STUDY,),
        )
    database.close()


def add_participant(
    path: Path,
    script: Script,
    name: str,
    order: Sequence[Puzzle],
    answers: Sequence[tuple[int | None, str, str | None]] = (),
    finished: bool = True,
    condition: str = "A",
) -> None:
    """Adds the rows of a participant, the order of puzzles and the answers to questions."""
    database = open_database(path, create=False)
    with database:
        database.execute(
            "INSERT INTO participants (id, session, study, parameters, condition, slot, consented_ms, "
            "instructed_ms, finished_ms, visits, received) VALUES (?, ?, 'v', ?, ?, 0, ?, ?, ?, ?, 0)",
            (
                name,
                script.session,
                json.dumps({"STUDY_ID": "=1+1"}),
                condition,
                BEGINNING,
                BEGINNING + 1000,
                BEGINNING + script.now if finished else None,
                script.visit or 1,
            ),
        )
        for trial, puzzle in enumerate(order):
            keep_puzzle(database, puzzle)
            digest = puzzle_digest(puzzle.to_pwp())
            database.execute(
                "INSERT INTO trials (session, trial, block, puzzle, digest, paused_ms, plan, actors, "
                "step, moves) VALUES (?, ?, 'main', ?, ?, 0, '', '', 0, 0)",
                (script.session, trial, puzzle.name, digest),
            )
        for asked_about, question, answer in answers:
            database.execute(
                "INSERT INTO answers (session, trial, question, answer, received_ms) "
                "VALUES (?, ?, ?, ?, ?)",
                (script.session, asked_about, question, answer, BEGINNING + script.now),
            )
    database.close()
