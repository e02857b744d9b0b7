"""What the page sends, read within bounds and checked before anything is done with it."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.web.recording import KINDS, Event

MAX_BODY_BYTES = 256 << 10
MAX_BODY_SECONDS = 30.0
MAX_CELLS = 10_000
"""Of a puzzle to solve; larger worlds are for the command line."""

MAX_EVENTS = 1_000
MAX_INTEGER = 2**53
_SESSION = re.compile(r"[A-Za-z0-9_-]{8,64}")
_PUZZLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,199}")
_DIGEST = re.compile(r"[A-Za-z0-9:_-]{1,128}")


class BadRequestError(Exception):
    """A request that cannot be answered; `status` is the HTTP status that says so."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class SolveJob:
    """A puzzle to solve, and the seconds that the player wants to wait at most."""

    pwp: str
    time_limit: float


async def read_json(request: Request) -> dict[str, Any]:
    """Returns the JSON object that the request's body holds.

    Raises:
        BadRequestError: if it is too large, too slow or something else.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise BadRequestError("the body must be application/json", 415)
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            body = await _read_bounded(request)
    except TimeoutError:
        raise BadRequestError("the body took too long to arrive", 408) from None
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequestError("the body is not valid JSON") from None
    if not isinstance(value, dict):
        raise BadRequestError("the body must be a JSON object")
    return value


async def _read_bounded(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise BadRequestError(f"the body is larger than {MAX_BODY_BYTES >> 10} KiB", 413)
    return bytes(body)


def read_solve_job(data: dict[str, Any], longest: float) -> SolveJob:
    """Returns what to solve, checked by the parser; `longest` is the server's own time limit.

    Raises:
        BadRequestError: with the parser's words if the text is no puzzle.
    """
    pwp = data.get("pwp")
    if not isinstance(pwp, str):
        raise BadRequestError("'pwp' must be the text of a puzzle")
    wanted = data.get("time_limit", longest)
    if isinstance(wanted, bool) or not isinstance(wanted, int | float) or not wanted > 0:
        raise BadRequestError("'time_limit' must be a positive number of seconds")
    if len(pwp.split()) > MAX_CELLS:
        raise BadRequestError(f"the puzzle has more than {MAX_CELLS:,} cells", 413)
    try:
        puzzle = Puzzle.parse(pwp)
    except PushWorldError as error:
        raise BadRequestError(str(error)) from None
    if not puzzle.goal:
        raise BadRequestError("the puzzle has no goals, so there is nothing to solve")
    return SolveJob(pwp, float(min(wanted, longest)))


def read_events(data: dict[str, Any]) -> list[Event]:
    """Returns the events of a request.

    Raises:
        BadRequestError: that names the event and the field that are wrong.
    """
    session = data.get("session")
    if not isinstance(session, str) or not _SESSION.fullmatch(session):
        raise BadRequestError("'session' must be 8 to 64 letters, digits, '-' or '_'")
    events = data.get("events")
    if not isinstance(events, list) or len(events) > MAX_EVENTS:
        raise BadRequestError(f"'events' must be a list of at most {MAX_EVENTS:,} events")
    return [_read_event(session, index, each) for index, each in enumerate(events)]


def _read_event(session: str, index: int, data: object) -> Event:
    if not isinstance(data, dict):
        raise BadRequestError(f"event {index} must be an object")

    def wrong(field: str, must_be: str) -> BadRequestError:
        return BadRequestError(f"{field!r} of event {index} must be {must_be}")

    def whole_number(field: str) -> int:
        value = data.get(field)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise wrong(field, "a number")
        if not 0 <= value < MAX_INTEGER:
            raise wrong(field, "from 0 to 2^53 - 1")
        return int(value)

    puzzle, digest = data.get("puzzle"), data.get("digest")
    kind, action = data.get("kind"), data.get("action")
    if not isinstance(puzzle, str) or not _PUZZLE.fullmatch(puzzle):
        raise wrong("puzzle", "the ids of a set and of a puzzle in it, joined by '/'")
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise wrong("digest", "the hash of a puzzle's text")
    if not isinstance(kind, str) or kind not in KINDS:
        raise wrong("kind", f"one of {', '.join(KINDS)}")
    if action not in ("L", "R", "U", "D", None) or (kind == "move" and action is None):
        raise wrong("action", "L, R, U or D, and null only for what is no move")
    return Event(
        session=session,
        sequence=whole_number("sequence"),
        puzzle=puzzle,
        digest=digest,
        time_ms=whole_number("time_ms"),
        kind=kind,
        action=action,
        step=whole_number("step"),
    )
