"""The server of the page under slow, oversized, aborted, odd and foreign requests.

Whatever comes, the server goes on to answer others, foreign requests are refused, nothing outside the site is
served, and it never writes a traceback.
"""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from random import Random

from tests.laboratory.trials import Options, Outcome, Trials
from tests.web.server_process import RunningServer, running_server

INPUTS = "requests that are slow, oversized, aborted, malformed, foreign or ask for other files"
COUNT = 2_000
CHUNK = 100
PATIENCE = 60.0
HELD = 300
"""Connections that slow clients hold open at the same time."""

PATHS = (
    *("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/js/..\\..\\app.py", "//etc/passwd"),
    *("/data/sets/..%2f..%2f..%2fapp.py", "/index.html%00", "/%ff%fe", "/" + "a/" * 3000 + "b"),
)
HOSTS = ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "user@localhost", "")
ORIGINS = ("http://evil.example", "null", "http://localhost.evil.example", "https://127.0.0.1")
SECRET = (b"import starlette", b"root:x:0")

Attack = Callable[[Random, RunningServer, ExitStack], str | None]
"""Does something to the server; returns what is wrong with its answer. The stack closes what stays open."""


def start(options: Options) -> Trials:
    """Returns a function that sends some requests."""
    kinds = options.chosen(ATTACKS)

    def tried(trials: range) -> Outcome:
        outcome = Outcome()
        with running_server("--puzzles", "bundled") as server:
            with ExitStack() as held:
                for trial in trials:
                    kind = kinds[trial % len(kinds)]
                    try:
                        problem = ATTACKS[kind](options.random(trial), server, held)
                    except OSError:
                        problem = None  # the server hung up, as it may
                    outcome.counts[kind] += 1
                    problem = problem or answers(server, outcome)
                    if problem:
                        outcome.findings.append(f"trial {trial}, {kind}: {problem}")
            code, errors = server.stop()
            if code != 0 or "Traceback" in errors:
                outcome.findings.append(f"the server ended with {code}: {errors[-1500:]}")
        return outcome

    return tried


def answers(server: RunningServer, outcome: Outcome) -> str | None:
    """Returns what is wrong if the server does not answer an ordinary request."""
    begun = time.monotonic()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        connection.request("GET", "/data/site.json")
        status = connection.getresponse().status
        connection.close()
    except OSError as error:
        return f"the server no longer answers: {error}"
    outcome.peak("seconds for an answer", round(time.monotonic() - begun, 2))
    return None if status == 200 else f"the server answers {status}"


def slow(random: Random, server: RunningServer, held: ExitStack) -> None:
    """Begins requests and never ends them."""
    beginnings = (
        b"G",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-",
        b"POST /api/solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 1000\r\n\r\n{",
    )
    for _ in range(HELD // 10):
        connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        held.callback(connection.close)
        connection.sendall(random.choice(beginnings))


def oversized(random: Random, server: RunningServer, held: ExitStack) -> str | None:
    size = random.choice((70_000, 10**6, 10**8))
    match random.randrange(4):
        case 0:
            answer = _send(server, b"GET /" + b"a" * min(size, 10**6) + b" HTTP/1.1\r\n\r\n")
        case 1:
            answer = _send(server, b"GET / HTTP/1.1\r\nX: " + b"a" * min(size, 10**6) + b"\r\n\r\n")
        case 2:
            head = f"POST /api/solve HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
            answer = _send(server, head.encode() + b"[" * min(size, 10**6))
        case _:
            head = f"POST /api/solve HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
            head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            chunk = b"ffff\r\n" + b"[" * 0xFFFF + b"\r\n"
            answer = _send(server, head.encode() + chunk * 40)
    return "an oversized request was served" if answer.startswith(b"HTTP/1.1 2") else None


def aborted(random: Random, server: RunningServer, held: ExitStack) -> None:
    """Hangs up in the middle of a request, or of the answer, with a reset."""
    body = b'{"pwp": "A . M1 . G1\\n. . . . .", "time_limit": 5}'
    head = f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    request = head.encode() + body
    connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    connection.sendall(request[: random.choice((random.randrange(len(request)), len(request)))])
    linger = b"\1\0\0\0\0\0\0\0"  # a reset instead of a regular end
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    connection.close()


def malformed(random: Random, server: RunningServer, held: ExitStack) -> None:
    requests = (
        random.randbytes(random.randrange(1, 3000)),
        b"\x16\x03\x01\x02\x00\x01\x00" + random.randbytes(200),  # TLS
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        b"POST /api/solve HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\r\n" * 500,
    )
    _send(server, random.choice(requests))


def foreign(random: Random, server: RunningServer, held: ExitStack) -> str | None:
    """Comes from another site, or by another name of this machine."""
    own = f"127.0.0.1:{server.port}"
    host, origin = random.choice(HOSTS), ""
    if random.random() < 0.5:
        host, origin = own, f"Origin: {random.choice(ORIGINS)}\r\n"
    body = b'{"pwp": "A M1 G1", "time_limit": 1}'
    kind = random.choice(("application/json", "text/plain", "application/x-www-form-urlencoded"))
    head = f"POST /api/solve HTTP/1.1\r\nHost: {host}\r\n{origin}Content-Type: {kind}\r\n"
    answer = _send(server, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    return f"a foreign request was served: {head}" if answer.startswith(b"HTTP/1.1 2") else None


def elsewhere(random: Random, server: RunningServer, held: ExitStack) -> str | None:
    path = random.choice(PATHS)
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n"
    answer = _send(server, request.encode())
    return f"{path} was served" if any(each in answer for each in SECRET) else None


ATTACKS: dict[str, Attack] = {
    "slow": slow,
    "oversized": oversized,
    "aborted": aborted,
    "malformed": malformed,
    "foreign": foreign,
    "elsewhere": elsewhere,
}


def _send(server: RunningServer, data: bytes) -> bytes:
    """Returns what the server answers at first; nothing if it hangs up or waits for more."""
    connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    connection.settimeout(2)
    with connection, suppress(OSError):
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(data)
        return connection.recv(1 << 16)
    return b""
