"""How the server starts and stops."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import sys
from collections.abc import Collection
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pushworld.web.server import DEFAULT_HOST, DEFAULT_PORT, open_listener, server_config
from tests.cli.running import run
from tests.large import large
from tests.waiting import PATIENCE
from tests.web.server_process import ENDLESS, await_progress, running_server

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@needs_proc
@pytest.mark.parametrize("by", [signal.SIGINT, large(signal.SIGTERM)])
def test_ctrl_c_ends_the_server_and_its_searches_at_once(by: signal.Signals) -> None:
    with running_server("--puzzles", "bundled") as server, server.stream(ENDLESS) as response:
        lines = response.iter_lines()
        await_progress(lines)
        searches = [os.pidfd_open(pid) for pid in server.searches()]
        assert searches
        code, errors = server.stop(by)
        assert code == 0
        assert errors == ""
        *_, last = lines
        assert "the server is being stopped" in last
        assert _all_end(searches)


@needs_proc
def test_searches_do_not_outlive_a_server_that_is_killed() -> None:
    with running_server("--puzzles", "bundled") as server, server.stream(ENDLESS) as response:
        lines = response.iter_lines()
        await_progress(lines)
        searches = [os.pidfd_open(pid) for pid in server.searches()]
        assert searches
        server.stop(signal.SIGKILL)
        assert _all_end(searches)


def _all_end(pidfds: list[int]) -> bool:
    """Waits until the processes have ended, and returns whether they did within reason."""
    ended = all(select.select([pidfd], [], [], PATIENCE)[0] for pidfd in pidfds)
    for pidfd in pidfds:
        os.close(pidfd)
    return ended


PLAY = ("play", "--no-browser", "--puzzles", "bundled")


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        outcome = run(*PLAY, "--port", str(port))
    assert outcome.exit_code == 2
    assert f"port {port} of 127.0.0.1 is taken" in outcome.err
    assert outcome.err.count("\n") == 1


def test_without_a_wish_a_free_port_is_found() -> None:
    with (
        open_listener(DEFAULT_HOST, None) as first,
        open_listener(DEFAULT_HOST, None) as second,
    ):
        ports = {listener.getsockname()[1] for listener in (first, second)}
    assert len(ports) == 2
    assert DEFAULT_PORT in ports or not _is_free(DEFAULT_PORT)


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def test_an_address_of_another_machine_is_an_error() -> None:
    outcome = run(*PLAY, "--host", "192.0.2.1")
    assert outcome.exit_code == 2
    assert "192.0.2.1 cannot be used" in outcome.err


def hide(modules: Collection[str], patch: pytest.MonkeyPatch) -> None:
    """Makes modules look as if they were not installed; ours that need them are loaded again."""
    for name in list(sys.modules):
        if name.startswith("pushworld.web."):
            patch.delitem(sys.modules, name)
    for name in modules:
        patch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("module", ["uvicorn", "starlette.applications"])
def test_a_missing_extra_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hide([module], monkeypatch)
    outcome = run(*PLAY)
    assert outcome.exit_code == 2
    assert f"the page needs {module}: run pip install 'pushworld[web]'" in outcome.err
    assert outcome.err.count("\n") == 1


def test_help_and_the_export_need_no_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(["uvicorn", "starlette", "starlette.applications"], monkeypatch)
    assert run("--help").exit_code == 0
    assert run("play", "--help").exit_code == 0
    outcome = run(*PLAY, "--export", str(tmp_path / "site"))
    assert outcome.exit_code == 0, outcome.err
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.parametrize("unfinished", ["", "GET / HTTP/1.1\r\nHost: x\r\nX-Part: "])
@pytest.mark.parametrize("limits", [(None, 0.05), (3, PATIENCE)], ids=["seconds", "connections"])
def test_who_does_not_finish_a_request_is_disconnected(
    unfinished: str, limits: tuple[int | None, float]
) -> None:
    """But not who waits for an answer: that may take as long as a search does."""
    most, seconds = limits

    async def attempt() -> None:
        begun, closed = asyncio.Event(), asyncio.Event()

        async def slow(_: Request) -> PlainTextResponse:
            begun.set()
            await closed.wait()
            return PlainTextResponse("done")

        app = Starlette(routes=[Route("/slow", slow)])
        server = uvicorn.Server(server_config(app, most_connections=most, request_seconds=seconds))
        listener = open_listener(DEFAULT_HOST, 0)
        waits = _sent(listener, "GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        running = asyncio.create_task(server.serve([listener]))
        await begun.wait()
        reader, writer = await asyncio.open_connection(sock=_sent(listener, unfinished))
        _sent(listener, "").close()  # one connection more
        assert await asyncio.wait_for(reader.read(), PATIENCE) == b""  # the server has closed it
        closed.set()
        patient, patient_writer = await asyncio.open_connection(sock=waits)
        assert (await patient.read()).endswith(b"done")
        server.should_exit = True
        await running
        for each in (writer, patient_writer):
            each.close()

    asyncio.run(attempt())


def _sent(listener: socket.socket, text: str) -> socket.socket:
    """Returns a connection on which a text is on its way before the server looks."""
    connection = socket.create_connection(listener.getsockname())
    connection.sendall(text.encode())
    return connection
