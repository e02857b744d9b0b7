"""The bodies of the page's requests: read within limits, and validated before use."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pushworld.files import parse_json
from pushworld.planners import planners
from pushworld.puzzle import LETTERS, PushWorldError, Puzzle
from pushworld.web.trace_database import ACTORS, KINDS, SHOWN, Event

if TYPE_CHECKING:  # who only checks a study file needs no server
    from starlette.requests import Request

MAX_BODY_BYTES = 256 << 10
MAX_BODY_SECONDS = 30.0
MAX_CELLS = 10_000
"""The most cells of a puzzle to solve; the command line solves larger ones."""

MAX_EVENTS = 1_000
MAX_INTEGER = 2**53
_SESSION = re.compile(r"[A-Za-z0-9_-]{8,64}")
_PUZZLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]{0,199}")
_STATE = re.compile(r"[0-9]{1,4},[0-9]{1,4}( [0-9]{1,4},[0-9]{1,4}){0,999}")
_DIGEST = re.compile(r"[A-Za-z0-9:_-]{1,128}")


class BadRequestError(Exception):
    """A request that is refused; `status` is the HTTP status of the answer, `code` what the page acts upon."""

    def __init__(self, message: str, status: int = 400, code: str = "invalid") -> None:
        super().__init__(message)
        self.status, self.code = status, code


Job = dict[str, Any]
"""What a worker searches for: `pwp`, `time_limit`, and either `planner` and `max_states`, or the `change` of a
revision."""


async def read_json_object(request: Request) -> dict[str, Any]:
    """Returns the JSON object in the body of a request; raises BadRequestError."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise BadRequestError("the body must be application/json", 415)
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            body = await _read_bounded(request)
    except TimeoutError:
        raise BadRequestError("the body took too long to arrive", 408) from None
    try:
        value = parse_json(body, "the body")
    except PushWorldError:
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


def parse_solve_request(data: dict[str, Any], max_seconds: float) -> Job:
    """Returns the puzzle to solve, with a time limit of at most `max_seconds`; raises BadRequestError."""
    planner, max_states = data.get("planner", "default"), data.get("max_states")
    if planner not in (names := [each.name for each in planners()]):
        raise BadRequestError(f"'planner' must be one of {', '.join(names)}")
    if max_states is not None and (type(max_states) is not int or not 0 < max_states < MAX_INTEGER):
        raise BadRequestError("'max_states' must be a whole number from 1 to 2^53 - 1")
    return _search_job(data, max_seconds) | {"planner": planner, "max_states": max_states}


def parse_revise_request(data: dict[str, Any], max_seconds: float) -> Job:
    """Returns the puzzle to revise, with a time limit of at most `max_seconds`; raises BadRequestError."""
    change = data.get("change")
    if not isinstance(change, str):
        raise BadRequestError("'change' must be the name of a change")
    return _search_job(data, max_seconds) | {"change": change}


def _search_job(data: dict[str, Any], max_seconds: float) -> Job:
    """Returns the text of a puzzle with goals, and the time limit of a search."""
    pwp = data.get("pwp")
    if not isinstance(pwp, str):
        raise BadRequestError("'pwp' must be the text of a puzzle")
    wanted = data.get("time_limit", max_seconds)
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
    return {"pwp": pwp, "time_limit": float(min(wanted, max_seconds))}


def parse_events(data: dict[str, Any]) -> list[Event]:
    """Returns the events of a request; raises BadRequestError."""
    session = data.get("session")
    if not isinstance(session, str) or not _SESSION.fullmatch(session):
        raise BadRequestError("'session' must be 8 to 64 letters, digits, '-' or '_'")
    events = data.get("events")
    if not isinstance(events, list) or len(events) > MAX_EVENTS:
        raise BadRequestError(f"'events' must be a list of at most {MAX_EVENTS:,} events")
    return [parse_event(session, index, each) for index, each in enumerate(events)]


def parse_event(session: str, index: int, data: object) -> Event:
    """Returns one event of a request; raises BadRequestError."""
    if not isinstance(data, dict):
        raise BadRequestError(f"event {index} must be an object")

    def field(name: str, fits: Callable[[Any], object], must_be: str, null: bool = False) -> Any:
        value = data.get(name)
        if not (null and value is None) and not fits(value):
            raise BadRequestError(f"{name!r} of event {index} must be {must_be}")
        return value

    def text(name: str, pattern: re.Pattern[str], must_be: str, null: bool = False) -> Any:
        return field(
            name, lambda value: isinstance(value, str) and pattern.fullmatch(value), must_be, null
        )

    def choice(name: str, options: Sequence[str], must_be: str = "", null: bool = True) -> Any:
        must_be = must_be or f"one of {', '.join(options)}{', or null' if null else ''}"
        return field(name, lambda value: isinstance(value, str) and value in options, must_be, null)

    def number(name: str) -> Any:
        must_be = "a whole number from 0 to 2^53 - 1"
        return field(name, lambda value: type(value) is int and 0 <= value < MAX_INTEGER, must_be)

    kind = choice("kind", KINDS, null=False)
    moves = "L, R, U or D; null only if the event is not a move"
    return Event(
        session=session,
        sequence=number("sequence"),
        puzzle=text("puzzle", _PUZZLE, "the ids of a set and of a puzzle in it, joined by '/'"),
        digest=text("digest", _DIGEST, "the hash of a puzzle's text"),
        time_ms=number("time_ms"),
        kind=kind,
        action=choice("action", tuple(LETTERS), moves, null=kind != "move"),
        step=number("step"),
        actor=choice("actor", ACTORS),
        shown=choice("shown", SHOWN),
        state=text("state", _STATE, "positions like '1,2 3,4', or null", null=True),
    )
