"""A local HTTP server that serves files well, and on request as badly as networks do."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest

from tests.http_server import Quiet, answering

Misbehaviour = Callable[["Handler", bytes], None]


class BadServer(ThreadingHTTPServer):
    """Serves `files`; each request for a path first uses up one of the path's `misbehaviours`.

    Attributes:
        requests: the path of every request, in order.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.misbehaviours: dict[str, list[Misbehaviour]] = defaultdict(list)
        self.requests: list[str] = []
        self.asked = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/mirror"


class Handler(Quiet, BaseHTTPRequestHandler):
    server: BadServer

    def do_GET(self) -> None:
        assert "%20" in self.path or " " not in unquote(self.path)
        path = unquote(self.path).removeprefix("/mirror/")
        self.server.requests.append(path)
        self.server.asked.set()
        if path not in self.server.files:
            self.send_error(404)
            return
        data = self.server.files[path]
        waiting = self.server.misbehaviours[path]
        (waiting.pop(0) if waiting else serve)(self, data)

    def start(self, status: int, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.end_headers()


def serve(handler: Handler, data: bytes, cut: int | None = None) -> None:
    """Serves the file as a good server does."""
    handler.start(200, len(data))
    handler.wfile.write(data[:cut])


def cut_after(count: int) -> Misbehaviour:
    """Promises all and closes the connection after some bytes."""
    return lambda handler, data: serve(handler, data, count)


def reset_after(count: int) -> Misbehaviour:
    """Breaks the connection off in the middle, as a crashed router does."""

    def misbehave(handler: Handler, data: bytes) -> None:
        serve(handler, data, count)
        linger = struct.pack("ii", 1, 0)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        handler.connection.close()

    return misbehave


def wrong_bytes(handler: Handler, data: bytes) -> None:
    serve(handler, bytes(len(data)))


def endless(handler: Handler, data: bytes) -> None:
    """Sends without a stated length and without an end."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(bytes(1 << 16))
    except OSError:
        handler.close_connection = True


def answer(status: int) -> Misbehaviour:
    return lambda handler, data: handler.send_error(status)


def hang_after(count: int) -> Misbehaviour:
    """Sends some bytes and then nothing, until the client goes away."""

    def misbehave(handler: Handler, data: bytes) -> None:
        serve(handler, data, count)
        handler.wfile.flush()
        handler.rfile.read(1)

    return misbehave


def sending(parts: list[bytes], pause: float = 0.0) -> Misbehaviour:
    """Sends some bytes, one part after the other, and hangs up."""

    def misbehave(handler: Handler, data: bytes) -> None:
        with suppress(OSError):
            for part in parts:
                handler.wfile.write(part)
                handler.wfile.flush()
                time.sleep(pause)
        handler.close_connection = True

    return misbehave


def redirecting(place: str) -> Misbehaviour:
    """Sends the client elsewhere."""
    head = f"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: {place}\r\n\r\n"
    return sending([head.encode()])


@contextmanager
def running(files: dict[str, bytes]) -> Iterator[BadServer]:
    server = BadServer(files)
    with answering(server), pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "*")
        yield server
