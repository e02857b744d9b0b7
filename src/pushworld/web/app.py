"""The application: the site's files from memory, the solver, and recording."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import anyio.to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pushworld.web.messages import Message, error
from pushworld.web.protection import LOOPBACK_NAMES, Protection
from pushworld.web.reading import BadRequestError, read_events, read_json, read_solve_job
from pushworld.web.recording import Recorder, RecordingError
from pushworld.web.site import INDEX, Asset
from pushworld.web.solving import FULL, SolverPool, Tell
from pushworld.web.streams import LineStream


@dataclass(frozen=True)
class Services:
    """What the server offers beside files.

    Attributes:
        solver: searches for players; None turns that off.
        recorder: keeps what players do; None turns that off.
    """

    solver: SolverPool | None = None
    recorder: Recorder | None = None


def create_app(
    assets: Mapping[str, Asset],
    services: Services,
    *,
    names: tuple[str, ...] = LOOPBACK_NAMES,
    any_address: bool = False,
) -> Starlette:
    """Returns the application.

    Args:
        assets: the site's files by path, as `pushworld.web.site.build_site` returns them.
        services: what else there is.
        names: the host names that stand for this server.
        any_address: whether requests may also use any IP address for it.
    """

    async def serve_asset(request: Request) -> Response:
        asset = assets.get(request.path_params["path"] or INDEX)
        if asset is None:
            return JSONResponse({"message": "there is no such page"}, 404)
        return _asset_response(request, asset)

    async def solve(request: Request) -> Response:
        pool = services.solver
        if pool is None:
            return _refuse("the solver is turned off", 404)
        data = await read_json(request)
        job = await anyio.to_thread.run_sync(read_solve_job, data, pool.limits.time_limit)
        if pool.is_full:
            return _refuse(FULL, 503, {"Retry-After": "30"})

        async def produce(tell: Tell) -> None:
            await pool.solve(job.pwp, job.time_limit, tell)

        return LineStream(produce)

    async def record(request: Request) -> Response:
        if services.recorder is None:
            return _refuse("recording is turned off", 404)
        events = read_events(await read_json(request))
        try:
            stored = await services.recorder.store(events)
        except RecordingError as problem:
            return _refuse(f"the events could not be stored: {problem}", 503)
        return JSONResponse({"stored": stored}, headers={"Cache-Control": "no-store"})

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if services.recorder is not None:
                stack.callback(services.recorder.close)
            if services.solver is not None:
                await services.solver.start()
                stack.push_async_callback(services.solver.close)
            yield

    return Starlette(
        routes=[
            Route("/api/solve", solve, methods=["POST"]),
            Route("/api/traces", record, methods=["POST"]),
            Route("/{path:path}", serve_asset, methods=["GET"]),
        ],
        middleware=[Middleware(Protection, names=names, any_address=any_address)],
        exception_handlers={BadRequestError: _bad_request, ClientDisconnect: _gone},
        lifespan=lifespan,
    )


def _asset_response(request: Request, asset: Asset) -> Response:
    headers = {"ETag": asset.etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if asset.etag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers=headers)
    body = asset.body
    if asset.compressed is not None and _takes_gzip(request.headers.get("accept-encoding", "")):
        body = asset.compressed
        headers["Content-Encoding"] = "gzip"
        headers["ETag"] = f"W/{asset.etag}"
    return Response(body, headers={**headers, "Content-Type": asset.media_type})


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, quality = each.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _refuse(text: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Returns an answer that the page can read like the last line of a stream."""
    message: Message = error(text)
    return JSONResponse(message, status, {"Cache-Control": "no-store", **(headers or {})})


def _bad_request(_: Request, problem: Exception) -> Response:
    assert isinstance(problem, BadRequestError)
    # The rest of a body that is too large or too slow is not worth reading.
    headers = {"Connection": "close"} if problem.status in (408, 413) else {}
    return _refuse(str(problem), problem.status, headers)


def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=499)
