"""Protection against other sites: checks of each request, and security headers on each answer."""

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
SAFE_METHODS = ("GET", "HEAD")


class SecurityMiddleware:
    """Refuses requests of other sites' pages, and adds the security headers to all answers.

    A page of another site can make a browser send requests here. If it uses its own name for this
    server (DNS rebinding), the header Host shows that; if it sends a request across origins, Origin
    and Sec-Fetch-Site show that.
    """

    def __init__(
        self, app: ASGIApp, names: Collection[str], any_address: bool, embeddable: bool
    ) -> None:
        """Wraps an application.

        Args:
            names: the host names of this server, in lower case.
            any_address: whether requests may also use any IP address as the host.
            embeddable: whether other pages may show the address `/?embed` inside them.
        """
        self._app = app
        self._names = frozenset(names)
        self._any_address = any_address
        self._embeddable = embeddable

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                sent.update(SECURITY_HEADERS)
                if self._embeddable and scope["path"] == "/" and scope["query_string"] == b"embed":
                    sent["Content-Security-Policy"] = "; ".join(PAGE_POLICY)
            await send(message)

        headers = Headers(scope=scope)
        refusal = None
        if not self._is_our_host(headers.get("host", "")):
            refusal = JSONResponse({"message": "this is not a name of this server"}, 421)
        elif scope["method"] not in SAFE_METHODS and not is_same_origin(headers):
            refusal = JSONResponse({"message": "pages of other sites may not do this"}, 403)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _is_our_host(self, host: str) -> bool:
        name = host_name(host)
        return name is not None and (
            name in self._names or (self._any_address and _is_address(name))
        )


def is_same_origin(headers: Headers) -> bool:
    """Returns whether a request comes from our own page, or from a client that is not a page."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    # The scheme may differ: a proxy may use HTTPS outside and HTTP to this server.
    return origin is None or _host_and_port(origin) == headers.get("host", "").lower()


def host_name(host: str) -> str | None:
    """Returns the name in a header Host, without the port, or None if the header is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _host_and_port(origin: str) -> str | None:
    """Returns host and port of an origin, or None if it has none, such as ``null``."""
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
