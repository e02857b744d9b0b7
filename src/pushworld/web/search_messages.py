"""The messages about a search, from the worker to the server and on to the page.

`ready` comes first, for the server alone: the worker can search now. `queued` has a position, `progress` the
seconds and either what a search has seen or a text about a revision. The last one is `result` or `error`.
"""

from collections.abc import Awaitable, Callable
from typing import Any

SearchMessage = dict[str, Any]
SendMessage = Callable[[SearchMessage], Awaitable[None]]


def result(status: str, plan: str | None, seconds: float, states: int) -> SearchMessage:
    """Returns the last message of a search: its result."""
    return {"type": "result", "status": status, "plan": plan, "seconds": seconds, "states": states}


def error(text: str) -> SearchMessage:
    """Returns the last message of a search that has no result: the reason."""
    return {"type": "error", "message": text}
