"""HTTP servers in a thread of the process that asks them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread


class QuietServer(ThreadingHTTPServer):
    """A server that says nothing about clients that hang up."""

    def handle_error(self, *_: object) -> None:
        pass


class Quiet:
    """A part of handlers that do not list the requests."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering(server: ThreadingHTTPServer) -> Iterator[str]:
    """Yields the address of a server, without a slash at its end; it answers until the block ends."""
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
