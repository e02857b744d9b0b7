"""The server process: its options, its port, the browser, and its shutdown."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pushworld.puzzle import PushWorldError
from pushworld.web.catalogue import load_catalogue, load_with_puzzle
from pushworld.web.site import build_site, checked_url
from pushworld.web.studies.study import Study

try:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from pushworld.web.app import Services, create_app
    from pushworld.web.recorder import Recorder
    from pushworld.web.security import LOOPBACK_NAMES
    from pushworld.web.solver_pool import SolverLimits, SolverPool
    from pushworld.web.studies.api import StudyServer
except ImportError as missing:
    raise PushWorldError(
        f"the page needs {missing.name}: run pip install 'pushworld[web]'"
    ) from missing

if TYPE_CHECKING:
    from starlette.types import ASGIApp

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8470
SHUTDOWN_SECONDS = 5
REQUEST_SECONDS = 10
"""How long a connection may take to send the headers of its next request."""
BACKLOG = 128
OTHER_FILES = BACKLOG + 64
"""Files for connections that are accepted at once before they are counted, and for all else."""


@dataclass(frozen=True)
class ServerOptions:
    """How to serve the page."""

    host: str = DEFAULT_HOST  # the address to listen on
    # the port to listen on; 0 is any free one, None is 8470 or, if taken, a free one
    port: int | None = None
    # names of sets and folders; if empty, the bundled puzzles and the installed levels
    puzzles: Sequence[str] = ()
    # the limits of searches; None turns the solver off
    solver: SolverLimits | None = field(default_factory=SolverLimits)
    # the database of recorded events; None turns recording off. A study needs it.
    record: Path | None = None
    # further names of this server, such as that of a reverse proxy
    allowed_hosts: Sequence[str] = ()
    puzzle: str | None = None  # the puzzle to open, a file or a name; None opens the gallery
    public_url: str | None = None  # where others find the page, for copied links
    study: Study | None = None  # the study to run; then the page is only for its participants


def serve(options: ServerOptions, on_ready: Callable[[str], None]) -> None:
    """Serves the page until Ctrl-C, and tells its address as soon as the server listens; raises PushWorldError."""
    study = options.study
    route = ""
    if study is not None:
        sets = []
    elif options.puzzle is None:
        sets = load_catalogue(options.puzzles)
    else:
        sets, record = load_with_puzzle(options.puzzles, options.puzzle)
        route = f"#/play/{record['set']}/{record['id']}"
    solver = options.solver if study is None or study.needs_solver else None
    if study is not None and study.needs_solver and solver is None:
        raise PushWorldError("the study allows hints or solutions: leave out --no-solver")
    public_url = checked_url(options.public_url)
    listener = open_listener(options.host, options.port)
    assets = build_site(
        sets,
        solver=solver is not None,
        recording=options.record is not None and study is None,
        public_url=public_url,
        network_url=address_for_others(options.host, address_of(listener)),
        study=None if study is None else study.info,
    )
    for asset in assets.values():
        _ = asset.etag, asset.compressed  # computed before players wait for it
    recorder = taking_part = None
    if options.record is not None:
        recorder = Recorder(options.record)
        recorder.add_puzzles(
            (each["digest"], f"{each['set']}/{each['id']}", each["pwp"])
            for one in sets
            for each in one.puzzles
        )
        if study is not None:
            taking_part = StudyServer(study, recorder, options.record)
    services = Services(SolverPool(solver) if solver else None, recorder, taking_part)
    names, any_address = names_of_server(options.host, options.allowed_hosts)
    app = create_app(assets, services, names=names, any_address=any_address)
    config = server_config(app, most_connections=allow_many_connections())
    server = _Server(config, services.solver, lambda: on_ready(address_of(listener) + route))
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        return  # the server has already shut down


def server_config(
    app: ASGIApp, *, most_connections: int | None, request_seconds: float = REQUEST_SECONDS
) -> uvicorn.Config:
    """Returns how an application is served.

    Args:
        most_connections: if there are more, those that have waited longest for a request are closed.
        request_seconds: how long a connection may wait for a request.
    """
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=_Connection,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,  # it would contain the players' addresses
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        limit_concurrency=most_connections,
        timeout_keep_alive=request_seconds,  # type: ignore[arg-type]
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


class _Connection(H11Protocol):
    """A connection that is closed if its next request does not arrive in time.

    By itself, uvicorn waits without end for a first request and for the rest of any request's headers.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._limit_waiting()
        if self.limit_concurrency and len(self.connections) >= self.limit_concurrency:
            waiting = {
                each._waiting.when(): each.transport
                for each in self.connections - {self}
                if isinstance(each, _Connection)
                and each._waiting
                and not each.transport.is_closing()
            }
            if waiting:
                waiting[min(waiting)].close()

    def handle_events(self) -> None:
        super().handle_events()
        self._limit_waiting()

    def _limit_waiting(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            if self._waiting is None:
                self._waiting = self.loop.call_later(self.timeout_keep_alive, self.transport.close)
        elif self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class _Server(uvicorn.Server):
    """A server that calls back when it is ready, and ends searches first when it shuts down."""

    def __init__(
        self, config: uvicorn.Config, solver: SolverPool | None, on_ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._solver = solver
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._solver is not None:
            await self._solver.close()
        await super().shutdown(sockets)


def allow_many_connections() -> int | None:
    """Raises the limit of open files to the maximum, since each connection needs one.

    Returns the number of connections that leaves enough files for all else; None on Windows.
    """
    if sys.platform == "win32":
        return None
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems allow less than they report
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else max(soft - OTHER_FILES, 16)


def open_listener(host: str, port: int | None) -> socket.socket:
    """Returns a socket that listens on the port; if it is None, on 8470 or any free port. Raises PushWorldError."""
    try:
        return _bind(host, DEFAULT_PORT if port is None else port)
    except OSError as error:
        if port is None and error.errno == errno.EADDRINUSE:
            return _bind(host, 0)
        where = f"port {DEFAULT_PORT if port is None else port} of {host}"
        if error.errno == errno.EADDRINUSE:
            raise PushWorldError(
                f"{where} is taken: choose another one with --port, or leave --port out"
            ) from error
        raise PushWorldError(f"{where} cannot be used: {error.strerror or error}") from error


def _bind(host: str, port: int) -> socket.socket:
    family, *_, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    # An address like :: stands for those of IPv4 too.
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=both)


def address_of(listener: socket.socket) -> str:
    """Returns the address to open in a browser on this machine."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def address_for_others(host: str, address: str) -> str | None:
    """Returns what people on other machines can type, if the server listens on all addresses."""
    elsewhere = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}
    if host not in elsewhere:
        return None
    family, other = elsewhere[host]
    # Which address of this machine would be used to get there: nothing is sent.
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((other, 9))
        name = probe.getsockname()[0]
        return address.replace("localhost", f"[{name}]" if ":" in name else name)
    return None


def names_of_server(host: str, further: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Returns the host names that requests may use, and whether they may use any IP address.

    A server that is open to other machines does not know all its addresses. Allowing any IP address
    is safe: DNS rebinding needs a name.
    """
    names = {*LOOPBACK_NAMES, host.lower(), *(name.lower() for name in further)}
    is_local = host.lower() in LOOPBACK_NAMES
    if not is_local:
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    return tuple(sorted(names)), not is_local


def open_browser(address: str) -> None:
    """Opens the page in the user's browser, unless the machine has no display."""
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(map(os.environ.get, displays)):
        return
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
