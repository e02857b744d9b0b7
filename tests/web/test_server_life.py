"""How the server begins and ends."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE
from tests.web.server_process import COMMAND, ENDLESS, await_progress, running_server

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@needs_proc
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
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


def _run(*arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    code = f"{before}\nfrom pushworld.cli import main\nmain()"
    return subprocess.run(
        [*COMMAND[:2], code, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1"},
    )


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ended = _run("play", "--no-browser", "--port", str(port))
    assert ended.returncode == 2
    assert f"port {port} of 127.0.0.1 is taken" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_without_a_wish_a_free_port_is_found() -> None:
    from pushworld.web.server import DEFAULT_HOST, DEFAULT_PORT, open_listener

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
    ended = _run("play", "--no-browser", "--host", "192.0.2.1")
    assert ended.returncode == 2
    assert "192.0.2.1 cannot be used" in ended.stderr


@pytest.mark.parametrize("module", ["uvicorn", "starlette"])
def test_a_missing_extra_is_named(module: str) -> None:
    without = f"import sys; sys.modules[{module!r}] = None"
    ended = _run("play", "--no-browser", before=without)
    assert ended.returncode == 2
    assert "pip install 'pushworld[web]'" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert _run("--help", before=without).returncode == 0


def test_the_export_needs_no_extra(tmp_path: Path) -> None:
    without = "import sys; sys.modules['uvicorn'] = sys.modules['starlette'] = None"
    ended = _run("play", "--puzzles", "bundled", "--export", str(tmp_path / "site"), before=without)
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "site" / "index.html").is_file()
