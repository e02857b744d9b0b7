"""Events as the page sends them, and what the database has of them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from pushworld.web.trace_database import open_database
from tests.web.server_process import RunningServer

SESSION = "0123456789abcdef"


def event(sequence: int, kind: str = "move", **more: Any) -> dict[str, Any]:
    """Returns an event with the fields that are given, and fitting ones beside them."""
    return {
        "sequence": sequence,
        "puzzle": "bundled/first-push",
        "digest": "d" * 64,
        "time_ms": 1_700_000_000_000 + sequence,
        "kind": kind,
        "action": "R" if kind == "move" else None,
        "step": sequence,
    } | more


def post(server: RunningServer, events: list[Any], session: Any = SESSION) -> httpx.Response:
    """Returns the answer to events that are sent."""
    return server.client.post("api/traces", json={"session": session, "events": events})


def stored(database: Path) -> list[tuple[Any, ...]]:
    """Returns session, sequence, kind and action of all events in the database."""
    with closing(open_database(database, create=False)) as connection:
        return connection.execute(
            "SELECT session, sequence, kind, action FROM events ORDER BY session, sequence"
        ).fetchall()
