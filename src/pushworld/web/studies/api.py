"""The requests of participants: parsed, worked on by the recorder, and answered."""

import asyncio
import re
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pushworld.web.recorder import Recorder, RecordingError
from pushworld.web.request_bodies import MAX_EVENTS, BadRequestError, parse_event, read_json_object
from pushworld.web.studies import store
from pushworld.web.studies.conduct import Conduct
from pushworld.web.studies.messages import Now, Stored
from pushworld.web.studies.study import Study
from pushworld.web.trace_database import Event

MAX_PARAMETER = 200
MAX_TRIALS = 10_000
SECONDS_BETWEEN_NOTES = 10
SECONDS_PER_EVENT = 0.002
"""How long after each of its events the next request of a participant waits: nobody plays faster."""

_KEY = re.compile(r"[0-9a-f]{32}")

Handler = Callable[[dict[str, Any]], Awaitable[Now | Stored]]


class StudyServer:
    """The server's side of a study."""

    def __init__(self, study: Study, recorder: Recorder, database: Path) -> None:
        """Makes the database that of the study; raises PushWorldError."""
        recorder.run_now(partial(store.open_study, study=study, path=database))
        recorder.add_puzzles((each.digest, name, each.pwp) for name, each in study.puzzles.items())
        self.study = study
        self._recorder = recorder
        self._conduct = Conduct(study)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def routes(self) -> list[Route]:
        """Returns the routes of the requests that `messages` lists."""
        handlers: dict[str, Handler] = {
            "enter": self._enter,
            "consent": self._consent,
            "continue": self._continue,
            "events": self._events,
            "answers": self._answers,
            "withdraw": self._withdraw,
        }
        return [
            Route(f"/api/study/{name}", partial(_answer, handler), methods=["POST"])
            for name, handler in handlers.items()
        ]

    @asynccontextmanager
    async def keeping_time(self) -> AsyncIterator[None]:
        """Notes every few seconds that the server runs: time without one is not a participant's."""

        async def keep() -> None:
            while True:
                with suppress(RecordingError):
                    await self._recorder.run(store.note_time)
                await asyncio.sleep(SECONDS_BETWEEN_NOTES)

        keeping = asyncio.create_task(keep())
        try:
            yield
        finally:
            keeping.cancel()

    async def check_search(self, data: Mapping[str, Any]) -> None:
        """Raises BadRequestError if the participant who asks the solver may not do so now."""
        if not await self._recorder.run(partial(self._conduct.may_search, token=_token(data))):
            raise BadRequestError("this puzzle has no hints", 403)

    async def _enter(self, data: dict[str, Any]) -> Now:
        participant, key, _ = self._identity(data)
        return await self._recorder.run(
            partial(self._conduct.enter, participant_id=participant, key=key)
        )

    async def _consent(self, data: dict[str, Any]) -> Now:
        participant, key, parameters = self._identity(data)
        agreed = data.get("agreed")
        if not isinstance(agreed, bool):
            raise BadRequestError("'agreed' must be true or false")
        work = partial(
            self._conduct.consent,
            participant_id=participant,
            key=key,
            parameters=parameters,
            agreed=agreed,
        )
        return await self._recorder.run(work)

    async def _continue(self, data: dict[str, Any]) -> Now:
        return await self._recorder.run(partial(self._conduct.proceed, token=_token(data)))

    async def _events(self, data: dict[str, Any]) -> Stored:
        shown = data.get("trial")
        if shown is not None and (type(shown) is not int or not 0 <= shown < MAX_TRIALS):
            raise BadRequestError("'trial' must be that of a puzzle")
        events = _study_events(data)
        token = _token(data)
        turn = self._turns.setdefault(token.partition(".")[0], asyncio.Lock())
        await turn.acquire()
        try:
            work = partial(self._conduct.play, token=token, events=events, shown=shown)
            return await self._recorder.run(work)
        finally:
            wait = len(events) * SECONDS_PER_EVENT
            asyncio.get_running_loop().call_later(wait, turn.release)

    async def _answers(self, data: dict[str, Any]) -> Now:
        trial, answers = data.get("trial"), data.get("answers")
        if trial is not None and type(trial) is not int:
            raise BadRequestError("'trial' must be a whole number or null")
        if not isinstance(answers, dict):
            raise BadRequestError("'answers' must be an object")
        work = partial(self._conduct.answer, token=_token(data), trial=trial, answers=answers)
        return await self._recorder.run(work)

    async def _withdraw(self, data: dict[str, Any]) -> Now:
        work = partial(self._conduct.withdraw, token=_token(data))
        return await self._recorder.run(work, erases=True)

    def _identity(self, data: Mapping[str, Any]) -> tuple[str, str, dict[str, str]]:
        """Returns the participant's id, the browser's key, and the parameters that the study names."""
        given = data.get("parameters")
        if not isinstance(given, dict):
            raise BadRequestError("'parameters' must be an object")
        parameters = {}
        for name in self.study.parameters:
            value = given.get(name, "")
            if not isinstance(value, str) or len(value) > MAX_PARAMETER or not _is_plain(value):
                raise BadRequestError(
                    f"{name} in the link must be at most {MAX_PARAMETER} printable characters"
                )
            if "{{%" in value:
                raise BadRequestError(
                    f"{name} in the link is the placeholder {value}, which the recruiting site "
                    "did not fill in: open the link from there"
                )
            if value:
                parameters[name] = value
        person = parameters.get(self.study.id_parameter)
        if person is None and not self.study.anonymous:
            raise BadRequestError(
                f"the link lacks {self.study.id_parameter}: open the link that you were given"
            )
        key = data.get("key")
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise BadRequestError("'key' must be 32 hexadecimal digits")
        return person or f"anonymous-{key}", key, parameters


async def _answer(handler: Handler, request: Request) -> Response:
    message = await handler(await read_json_object(request))
    return JSONResponse(message, headers={"Cache-Control": "no-store"})


def _token(data: Mapping[str, Any]) -> str:
    token = data.get("token")
    if not isinstance(token, str):
        raise BadRequestError("'token' must be the one that the server sent")
    return token


def _study_events(data: Mapping[str, Any]) -> list[Event]:
    """Returns the events; `sequence` is the page's number, and the server completes the rest."""
    events = data.get("events")
    if not isinstance(events, list) or len(events) > MAX_EVENTS:
        raise BadRequestError(f"'events' must be a list of at most {MAX_EVENTS:,} events")
    found = []
    for index, each in enumerate(events):
        if not isinstance(each, dict):
            raise BadRequestError(f"event {index} must be an object")
        trial = each.get("trial")
        if type(trial) is not int or not 0 <= trial < MAX_TRIALS:
            raise BadRequestError(f"'trial' of event {index} must be that of a puzzle")
        known = {"sequence": each.get("number"), "puzzle": "study", "digest": "-"}
        found.append(parse_event("study", index, {**each, **known})._replace(trial=trial))
    return found


def _is_plain(value: str) -> bool:
    return not any(unicodedata.category(each).startswith("C") for each in value)
