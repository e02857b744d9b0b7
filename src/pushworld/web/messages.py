"""What the server tells the page about a search, one JSON object a line."""

from __future__ import annotations

from typing import Any

from pushworld.planners import Progress

Message = dict[str, Any]


def ready() -> Message:
    """Says, to the server alone, that a process can take its first search."""
    return {"type": "ready"}


def queued(position: int) -> Message:
    """Says that a search waits; 1 is next."""
    return {"type": "queued", "position": position}


def progress(seen: Progress) -> Message:
    """Says how far a search has come."""
    return {
        "type": "progress",
        "seconds": seen.seconds,
        "states": seen.states,
        "rate": seen.states / max(seen.seconds, 1e-9),
        "best": seen.best_heuristic,
        "memory_bytes": seen.memory_bytes,
    }


def result(status: str, plan: str | None, seconds: float, states: int) -> Message:
    """Says what a search found; this ends the stream."""
    return {
        "type": "result",
        "status": status,
        "plan": plan,
        "seconds": seconds,
        "states": states,
    }


def error(text: str) -> Message:
    """Says why there is no result; this ends the stream."""
    return {"type": "error", "message": text}
