"""The ASGI application: the site's files, the solver and the recorder."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pushworld.web.json_lines import JsonLinesResponse
from pushworld.web.recorder import Recorder, RecordingError
from pushworld.web.request_bodies import (
    BadRequestError,
    Job,
    parse_events,
    parse_revise_request,
    parse_solve_request,
    read_json_object,
)
from pushworld.web.search_messages import error
from pushworld.web.security import LOOPBACK_NAMES, SecurityMiddleware
from pushworld.web.site import INDEX, Asset
from pushworld.web.solver_pool import BUSY, SolverPool
from pushworld.web.studies.api import StudyServer

ParseRequest = Callable[[dict[str, Any], float], Job]
"""Returns what a request wants, with a time limit of at most the given seconds."""


@dataclass(frozen=True)
class Services:
    """What the server offers besides files."""

    solver: SolverPool | None = None  # searches for players; None turns the solver off
    recorder: Recorder | None = None  # stores what players do; None turns recording off
    # the study that players take part in, if any; it uses the recorder
    study: StudyServer | None = None


def create_app(
    assets: Mapping[str, Asset],
    services: Services,
    *,
    names: tuple[str, ...] = LOOPBACK_NAMES,
    any_address: bool = False,
) -> Starlette:
    """Returns the application with the files of `build_site`; requests must name a host of `names`, or any address."""

    async def serve_asset(request: Request) -> Response:
        asset = assets.get(request.path_params["path"] or INDEX)
        if asset is None:
            return JSONResponse({"message": "there is no such page"}, 404)
        return _asset_response(request, asset)

    async def solve(request: Request) -> Response:
        return await run_search(request, parse_solve_request)

    async def revise(request: Request) -> Response:
        if services.study is not None:
            return _refuse("a study has no editor", 404)
        return await run_search(request, parse_revise_request)

    async def run_search(request: Request, parse: ParseRequest) -> Response:
        pool = services.solver
        if pool is None:
            return _refuse("the solver is turned off", 404)
        data = await read_json_object(request)
        if services.study is not None:
            await services.study.check_search(data)
        job = await anyio.to_thread.run_sync(parse, data, pool.limits.time_limit)
        if pool.is_full:
            return _refuse(BUSY, 503, {"Retry-After": "30"})
        return JsonLinesResponse(partial(pool.solve, job))

    async def record(request: Request) -> Response:
        if services.recorder is None or services.study is not None:
            return _refuse("recording is turned off", 404)
        events = parse_events(await read_json_object(request))
        stored = await services.recorder.store(events)
        return JSONResponse({"stored": stored}, headers={"Cache-Control": "no-store"})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if services.recorder is not None:
                stack.callback(services.recorder.close)
            if services.study is not None:
                await stack.enter_async_context(services.study.keeping_time())
            if services.solver is not None:
                await services.solver.start()
                stack.push_async_callback(services.solver.close)
            yield

    return Starlette(
        routes=[
            Route("/api/solve", solve, methods=["POST"]),
            Route("/api/revise", revise, methods=["POST"]),
            Route("/api/traces", record, methods=["POST"]),
            *(services.study.routes() if services.study is not None else ()),
            Route("/{path:path}", serve_asset, methods=["GET"]),
        ],
        middleware=[
            Middleware(
                SecurityMiddleware,
                names=names,
                any_address=any_address,
                embeddable=services.study is None,
            )
        ],
        exception_handlers={
            BadRequestError: _bad_request,
            RecordingError: _not_stored,
            ClientDisconnect: _disconnected,
        },
        lifespan=lifespan,
    )


def _asset_response(request: Request, asset: Asset) -> Response:
    """Returns a file from memory, which costs a small part of what Starlette's `StaticFiles` does.

    Browsers keep the file and ask by its entity tag whether it has changed.
    """
    headers = {"ETag": asset.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if asset.etag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers=headers)
    body = asset.body
    if asset.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = asset.compressed
        headers |= {"Content-Encoding": "gzip", "ETag": f"W/{asset.etag}"}
    return Response(body, headers=headers, media_type=asset.media_type)


def _refuse(
    text: str, status: int, headers: Mapping[str, str] | None = None, code: str = "invalid"
) -> Response:
    """Returns an answer that the page can read like the last line of a stream."""
    message = error(text) | {"code": code}
    return JSONResponse(message, status, {"Cache-Control": "no-store", **(headers or {})})


def _bad_request(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, BadRequestError)
    # The rest of a body that is too large or too slow is not read.
    headers = {"Connection": "close"} if problem.status in (408, 413) else {}
    return _refuse(str(problem), problem.status, headers, problem.code)


def _not_stored(_: Request, problem: Exception) -> Response:
    return _refuse(f"nothing could be stored: {problem}", 503, code="storage")


def _disconnected(_: Request, __: Exception) -> Response:
    return Response(status_code=499)
