"""Responses of JSON lines that are sent one by one, and end when the client disconnects."""

import asyncio
import json
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from pushworld.web.search_messages import SearchMessage, SendMessage

MAX_SEND_SECONDS = 10.0
"""A client that does not accept a line for this long counts as disconnected."""


class JsonLinesResponse(Response):
    """JSON objects, one per line; the producer is cancelled when the client disconnects.

    Starlette's `StreamingResponse` does not limit the time of a send, and whether it notices that
    the client disconnects while the producer waits depends on the server's version of ASGI.
    """

    media_type = "application/x-ndjson"

    def __init__(self, produce: Callable[[SendMessage], Awaitable[None]]) -> None:
        """Makes the response, which ends when `produce`, called with the function that sends a line, returns."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._produce = produce

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tasks = {
            asyncio.ensure_future(self._respond(send)),
            asyncio.ensure_future(_wait_for_disconnect(receive)),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _respond(self, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            try:
                async with asyncio.timeout(MAX_SEND_SECONDS):
                    await send(message)
            except TimeoutError:
                raise ClientDisconnect from None

        async def send_line(line: SearchMessage) -> None:
            body = json.dumps(line).encode() + b"\n"
            await send_in_time({"type": "http.response.body", "body": body, "more_body": True})

        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send_in_time(start)
        await self._produce(send_line)
        await send_in_time({"type": "http.response.body", "body": b"", "more_body": False})


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
