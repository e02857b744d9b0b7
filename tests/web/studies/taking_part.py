"""A participant's page without a browser: the requests that it sends, and the game it computes."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import LETTERS, Puzzle
from pushworld.web.trace_database import open_database
from tests.web.server_process import RunningServer, running_server

PLANS = {each.name: each.plan or "" for each in bundled_puzzles()}
"""A solution of each bundled puzzle."""

HEAD = """
title = "A study"
consent = "Do you agree?"
instructions = "Push."
[completion]
code = "CODE42"
"""
HARD = """
[[questions.after_puzzle]]
id = "hard"
kind = "likert"
text = "How hard?"
labels = ["easy", "hard"]
"""
AGE = """
[[questions.end]]
id = "age"
kind = "number"
text = "Age?"
minimum = 18
maximum = 120
integer = true
"""
REMARKS = """
[[questions.end]]
id = "remarks"
kind = "text"
text = "Remarks?"
"""
ONE_PUZZLE = """
[[blocks]]
name = "main"
puzzles = ["first-push"]
"""


def study_file(folder: Path, text: str = ONE_PUZZLE, head: str = HEAD) -> Path:
    """Returns a new study file."""
    path = folder / "study.toml"
    path.write_text(head + text, encoding="utf-8")
    return path


def study_server(path: Path, *arguments: str) -> AbstractContextManager[RunningServer]:
    """Returns a server of a study; its database is next to the file, with the suffix .db."""
    return running_server("--study", str(path), *arguments)


def rows(database: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """Returns the rows that a query finds."""
    with closing(open_database(database, create=False)) as connection:
        return connection.execute(query, values).fetchall()


@dataclass
class Person:
    """Someone who takes part.

    Attributes:
        client: the connection to the server.
        id: the value of PROLIFIC_PID in the link.
        now: where the server said that the person is.
        last: the last answer to events.
        key: what the browser keeps.
    """

    client: httpx.Client
    id: str
    more: dict[str, str] = field(default_factory=dict)
    now: dict[str, Any] = field(default_factory=dict)
    last: dict[str, Any] = field(default_factory=dict)
    key: str = "0" * 32
    number: int = 0
    clock: int = 1_700_000_000_000

    def ask(self, request: str, **body: Any) -> httpx.Response:
        """Returns the answer to a request."""
        if request in ("enter", "consent"):
            body = {"parameters": {"PROLIFIC_PID": self.id} | self.more, "key": self.key} | body
        else:
            body = {"token": self.now["token"]} | body
        return self.client.post(f"api/study/{request}", json=body)

    def go(self, request: str, **body: Any) -> dict[str, Any]:
        """Returns where the person is after a request."""
        answer = self.ask(request, **body)
        assert answer.status_code == 200, answer.text
        self.now = answer.json()
        self.number = self.now["received"]
        return self.now

    def begin(self) -> dict[str, Any]:
        """Agrees, reads the instructions, and returns the first puzzle."""
        self.go("consent", agreed=True)
        puzzle: dict[str, Any] = self.go("continue")["puzzle"]
        return puzzle

    def event(self, kind: str, action: str | None = None, **more: Any) -> dict[str, Any]:
        """Returns the next event as the page would send it, without the state."""
        self.number += 1
        self.clock += 400
        return {
            "number": self.number - 1,
            "trial": self.now["puzzle"]["trial"] if "puzzle" in self.now else None,
            "kind": kind,
            "action": action,
            "actor": "player",
            "shown": None,
            "step": 0,
            "time_ms": self.clock,
        } | more

    def send(self, *events: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to events, and follows it."""
        answer = self.ask("events", events=list(events))
        assert answer.status_code == 200, answer.text
        self.last = answer.json()
        self.number = self.last["received"]
        if self.last["now"] is not None:
            self.now = self.last["now"]
        return self.last

    def moves(self, plan: str, step: int = 0) -> list[dict[str, Any]]:
        """Returns the events of moves that all have an effect."""
        return [
            self.event("move", letter, step=step + index + 1) for index, letter in enumerate(plan)
        ]

    def solve(self) -> dict[str, Any]:
        """Solves the current puzzle by its known plan; returns the answer of the server."""
        puzzle = self.now["puzzle"]
        plan = effective(puzzle["pwp"], PLANS[puzzle["puzzle"]])
        start = [] if puzzle["started"] else [self.event("start")]
        return self.send(*start, *self.moves(plan[puzzle["step"] :], puzzle["step"]))


def effective(pwp: str, plan: str) -> str:
    """Returns the moves of a plan that change the state."""
    puzzle = Puzzle.parse(pwp)
    state, made = puzzle.initial_state, ""
    for letter in plan:
        after = puzzle.step(state, LETTERS.index(letter))
        made += letter if after != state else ""
        state = after
    return made
