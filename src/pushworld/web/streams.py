"""Answers that grow line by line, and end when nobody listens any more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from pushworld.web.messages import Message as Line

MAX_SEND_SECONDS = 10.0
"""A client that does not take a line for so long counts as gone."""

Produce = Callable[[Callable[[Line], Awaitable[None]]], Awaitable[None]]


class LineStream(Response):
    """JSON objects, one a line, as they come; the producer is cancelled when the client leaves."""

    media_type = "application/x-ndjson"

    def __init__(self, produce: Produce) -> None:
        """Answers with the lines that `produce` hands to the function that it is given."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._produce = produce

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tasks = {
            asyncio.ensure_future(self._answer(send)),
            asyncio.ensure_future(_wait_until_gone(receive)),
        }
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _answer(self, send: Send) -> None:
        async def send_soon(message: Message) -> None:
            try:
                async with asyncio.timeout(MAX_SEND_SECONDS):
                    await send(message)
            except TimeoutError:
                raise ClientDisconnect from None

        async def tell(line: Line) -> None:
            body = json.dumps(line).encode() + b"\n"
            await send_soon({"type": "http.response.body", "body": body, "more_body": True})

        await send_soon({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await self._produce(tell)
        await send_soon({"type": "http.response.body", "body": b"", "more_body": False})


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
