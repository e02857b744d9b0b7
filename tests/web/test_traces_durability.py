"""No acknowledged event is lost, whatever happens to the server or the disk."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import httpx
import pytest

from pushworld.web.recorder import Recorder
from tests.waiting import PATIENCE
from tests.web.server_process import RunningServer
from tests.web.trace_requests import SESSION, event, post, recording_server, stored


def test_what_was_acknowledged_survives_a_stop_and_a_kill(tmp_path: Path) -> None:
    database = tmp_path / "traces.db"
    with recording_server(database) as server:
        assert post(server, [event(0)]).json() == {"stored": 1}
        assert server.stop() == (0, "")
    with recording_server(database) as server:
        acknowledged = {(SESSION, 0), *events_until_killed(server)}
    kept = {(session, sequence) for session, sequence, *_ in stored(database)}
    assert acknowledged <= kept
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def events_until_killed(server: RunningServer) -> set[tuple[str, int]]:
    """Kills a server while players send events, and returns those that it has acknowledged."""
    acknowledged: set[tuple[str, int]] = set()
    enough = threading.Event()

    def keep_playing(player: int) -> None:
        session = f"player-{player:04}"
        with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
            for first in range(0, 10**6, 3):
                events = [event(first + index) for index in range(3)]
                try:
                    body = {"session": session, "events": events}
                    answer = client.post("api/traces", json=body)
                except httpx.TransportError:
                    return
                assert answer.json() == {"stored": 3}
                acknowledged.update((session, each["sequence"]) for each in events)
                if len(acknowledged) > 600:
                    enough.set()

    players = [threading.Thread(target=keep_playing, args=(player,)) for player in range(8)]
    for player in players:
        player.start()
    assert enough.wait(PATIENCE)
    server.stop(signal.SIGKILL)
    for player in players:
        player.join(PATIENCE)
    assert len(acknowledged) > 600
    return acknowledged


@pytest.mark.skipif(sys.platform != "linux", reason="limits the files of another process")
def test_a_full_disk_is_told_and_survived(tmp_path: Path) -> None:
    import resource

    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    database = tmp_path / "traces.db"
    with recording_server(database) as server:
        pid = server.process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
        acknowledged: list[int] = []
        for first in range(0, 100_000, 100):
            events = [event(first + index) for index in range(100)]
            answer = post(server, events)
            if answer.status_code != 200:
                break
            acknowledged += [each["sequence"] for each in events]
        assert answer.status_code == 503
        assert "nothing could be stored" in answer.json()["message"]
        assert [row[1] for row in stored(database)] == acknowledged
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
        assert post(server, events).json() == {"stored": 100}
        assert len(stored(database)) == len(acknowledged) + 100


def test_the_servers_clock_may_be_set_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def moments() -> list[int]:
        recorder = Recorder(tmp_path / "traces.db")
        try:
            found = []
            for hours in (0, -30, 30):
                clock = iter([time.time_ns() + hours * 3600 * 10**9] * 10)
                with monkeypatch.context() as patch:
                    patch.setattr(time, "time_ns", partial(next, clock))
                    found.append(await recorder.run(lambda _, now: now))
            return found
        finally:
            recorder.close()

    first, *rest = asyncio.run(moments())
    assert rest == sorted(rest)
    assert first <= rest[0] <= rest[1] < first + 3_600_000
