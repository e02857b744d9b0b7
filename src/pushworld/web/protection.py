"""What keeps other sites out, and tells browsers to do so too."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pushworld.web.site import PAGE_POLICY

SECURITY_HEADERS = {
    "Content-Security-Policy": "; ".join((*PAGE_POLICY, "frame-ancestors 'none'")),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
READING = ("GET", "HEAD")


class Protection:
    """Answers only requests that are meant for this server, and puts our headers on all answers.

    A page elsewhere can make a browser send requests here. Its own name for this server (DNS
    rebinding) shows in the header Host; a request that it sends across origins shows in Origin and
    Sec-Fetch-Site.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], any_address: bool) -> None:
        """Protects an application.

        Args:
            app: the application.
            names: the host names that stand for this server, in lower case.
            any_address: whether a request may also use any IP address for it.
        """
        self._app = app
        self._names = frozenset(names)
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY_HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        refusal = None
        if not self._is_for_us(headers.get("host", "")):
            refusal = JSONResponse({"message": "this server has another name"}, 421)
        elif scope["method"] not in READING and not is_same_origin(headers):
            refusal = JSONResponse({"message": "pages of other sites may not do this"}, 403)
        await (refusal or self._app)(scope, receive, send_protected)

    def _is_for_us(self, host: str) -> bool:
        name = host_name(host)
        return name is not None and (
            name in self._names or (self._any_address and _is_address(name))
        )


def is_same_origin(headers: Headers) -> bool:
    """Returns whether the request comes from our own page, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    # The scheme is not compared: a proxy may speak HTTPS to the world and HTTP to us.
    return origin is None or _place(origin) == headers.get("host", "").lower()


def host_name(host: str) -> str | None:
    """Returns the name in a header Host without the port, or None if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _place(origin: str) -> str | None:
    """Returns host and port of an origin; None for ``null`` and whatever else has none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
