"""The real server, started as a user starts it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.waiting import PATIENCE, wait_until

COMMAND = (sys.executable, "-c", "from pushworld.cli import main; main()")

ENDLESS = """\
A  .  .  .  .  .  .  .  .  .
.  M1 .  M3 .  M5 .  M7 .  .
.  .  .  .  .  .  .  .  .  .
.  M2 .  M4 .  M6 .  M8 .  .
.  .  .  .  .  .  .  .  .  .
.  .  .  .  G1+G2  .  .  .  .  .
.  M9 .  .  .  .  .  .  M0 .
.  .  .  .  .  .  .  .  .  .
"""
"""Two objects have the same goal cell: no search can prove in time that this is impossible."""


@dataclass(frozen=True)
class RunningServer:
    """A server in a process of its own.

    Attributes:
        address: where the page is.
        client: for requests to it; paths are relative to the page.
        process: the process.
    """

    address: str
    client: httpx.Client
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        port = urlsplit(self.address).port
        assert port is not None
        return port

    def json(self, path: str) -> Any:
        """Returns the data in a file of the site."""
        return self.client.get(path).raise_for_status().json()

    def solve(self, pwp: str, time_limit: float = 30) -> list[dict[str, Any]]:
        """Returns all messages of a search."""
        with self.stream(pwp, time_limit) as response:
            assert response.status_code == 200, response.read()
            return [json.loads(line) for line in response.iter_lines()]

    @contextmanager
    def stream(self, pwp: str, time_limit: float = 300) -> Iterator[httpx.Response]:
        """Yields the answer to a request for a search; leaving the context disconnects."""
        body = {"pwp": pwp, "time_limit": time_limit}
        with self.client.stream("POST", "api/solve", json=body) as response:
            yield response

    def searches(self) -> set[int]:
        """Returns the processes that search or are ready to (Linux only)."""
        found = set()
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it has just ended
                state, parent = stat.read_text().rpartition(")")[2].split()[:2]
                if int(parent) == self.process.pid and state != "Z":
                    found.add(int(stat.parent.name))
        return found

    def search(self) -> int:
        """Returns the only process as soon as those of earlier searches have ended."""
        wait_until(lambda: len(self.searches()) == 1)
        (process,) = self.searches()
        return process

    def stop(self, by: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Ends the server; returns its exit code and what it wrote to standard error."""
        self.process.send_signal(by)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


@contextmanager
def running_server(*arguments: str, data: Path | None = None) -> Iterator[RunningServer]:
    """Yields a server with the arguments, on a free port unless they name one.

    Args:
        arguments: for ``pushworld play``.
        data: the folder of installed puzzles; one that does not exist if not given.
    """
    chosen = arguments if "--port" in arguments else (*arguments, "--port", "0")
    process = subprocess.Popen(
        [*COMMAND, "play", "--no-browser", *chosen],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PUSHWORLD_DATA": str(data or "no-such-folder"), "NO_COLOR": "1"},
    )
    try:
        yield from _connected(process)
    finally:
        process.kill()
        process.communicate()


def _connected(process: subprocess.Popen[str]) -> Iterator[RunningServer]:
    assert process.stdout is not None
    said = process.stdout.readline()  # it says this as soon as it listens
    found = re.search(r"http://\S+", said)
    if found is None:
        _, errors = process.communicate(timeout=PATIENCE)
        raise AssertionError(f"no server: {said}{errors}")
    with httpx.Client(base_url=found[0], timeout=PATIENCE) as client:
        yield RunningServer(found[0], client, process)


def await_message(lines: Iterator[str]) -> dict[str, Any]:
    """Returns the next message of a search after those about the queue.

    The caller must keep `lines`: the client disconnects when they are garbage-collected.
    """
    message: dict[str, Any] = json.loads(next(lines))
    while message["type"] == "queued":
        message = json.loads(next(lines))
    return message


def await_progress(lines: Iterator[str]) -> dict[str, Any]:
    """Returns the next message of a search, which must be about its progress."""
    message = await_message(lines)
    assert message["type"] == "progress"
    return message
