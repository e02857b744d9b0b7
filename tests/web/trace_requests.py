"""Events as the page sends them, and as the database has them."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import httpx

from pushworld.datasets import bundled_puzzles
from pushworld.web.catalogue import puzzle_digest
from pushworld.web.trace_database import open_database
from tests.web.server_process import RunningServer, running_server

SESSION = "0123456789abcdef"
DIGEST = puzzle_digest(bundled_puzzles()[0].puzzle.to_pwp())


def recording_server(database: Path) -> AbstractContextManager[RunningServer]:
    """Returns a server that records into a database, and has no solver."""
    return running_server("--puzzles", "bundled", "--no-solver", "--record", str(database))


def event(sequence: int, kind: str = "move", **more: Any) -> dict[str, Any]:
    """Returns an event with the given fields, and valid values for the others."""
    return {
        "sequence": sequence,
        "puzzle": "bundled/first-push",
        "digest": DIGEST,
        "time_ms": 1_700_000_000_000 + sequence,
        "kind": kind,
        "action": "R" if kind == "move" else None,
        "actor": "player" if kind == "move" else None,
        "step": sequence,
        "shown": None,
        "state": "1,1 2,2",
    } | more


def post(server: RunningServer, events: list[Any], session: Any = SESSION) -> httpx.Response:
    """Returns the answer to events that are sent."""
    return server.client.post("api/traces", json={"session": session, "events": events})


def stored(database: Path, *sessions: str) -> list[tuple[Any, ...]]:
    """Returns session, sequence, kind and action of the events of these sessions, or of all."""
    with closing(open_database(database, create=False)) as connection:
        rows = connection.execute(
            "SELECT session, sequence, kind, action FROM events ORDER BY session, sequence"
        ).fetchall()
    return [row for row in rows if not sessions or row[0] in sessions]
