"""The messages about a search, from the worker to the server and on to the page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pushworld.planners import Progress

SearchMessage = dict[str, Any]
SendMessage = Callable[[SearchMessage], Awaitable[None]]


def ready() -> SearchMessage:
    """Returns the first message of a worker, for the server alone: it can search now."""
    return {"type": "ready"}


def queued(position: int) -> SearchMessage:
    """Returns the message that a search is waiting; position 1 is next."""
    return {"type": "queued", "position": position}


def progress(seen: Progress) -> SearchMessage:
    """Returns the message about the progress of a search."""
    return {
        "type": "progress",
        "seconds": seen.seconds,
        "states": seen.states,
        "rate": seen.states / max(seen.seconds, 1e-9),
        "best": seen.best_heuristic,
        "memory_bytes": seen.memory_bytes,
    }


def result(status: str, plan: str | None, seconds: float, states: int) -> SearchMessage:
    """Returns the last message of a search: its result."""
    return {
        "type": "result",
        "status": status,
        "plan": plan,
        "seconds": seconds,
        "states": states,
    }


def attempt(seconds: float, text: str) -> SearchMessage:
    """Returns the message about the progress of a revision."""
    return {"type": "progress", "seconds": seconds, "text": text}


def revised(pwp: str | None, note: str, seconds: float) -> SearchMessage:
    """Returns the last message of a revision: the new puzzle, None if nothing better was found."""
    return {"type": "result", "pwp": pwp, "note": note, "seconds": seconds}


def error(text: str) -> SearchMessage:
    """Returns the last message of a search that has no result: the reason."""
    return {"type": "error", "message": text}
