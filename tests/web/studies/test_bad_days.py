"""What can go wrong in a study: the server dies, clocks jump, disks fill, files change."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from pushworld.puzzle import PushWorldError
from pushworld.web.studies.status import study_status, withdraw
from tests.cli.running import run
from tests.waiting import PATIENCE, wait_until
from tests.web.server_process import COMMAND, RunningServer
from tests.web.studies.taking_part import (
    ONE_PUZZLE,
    Person,
    rows,
    study_file,
    study_server,
)

LIMITED = "[rules]\ntime_limit = {limit}\n" + ONE_PUZZLE


def test_a_killed_server_loses_nothing_acknowledged(tmp_path: Path) -> None:
    path = study_file(tmp_path, LIMITED.format(limit=3600))
    acknowledged: dict[str, int] = {}
    enough = threading.Event()

    def keep_playing(server: RunningServer, name: str) -> None:
        with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
            person = Person(client, name)
            person.begin()
            person.send(person.event("start"))
            for step in range(10**6):
                try:
                    person.send(person.event("move", "RL"[step % 2], step=step + 1))
                except httpx.TransportError:
                    return
                acknowledged[name] = step + 1
                if sum(acknowledged.values()) > 200:
                    enough.set()

    names = [f"player-{index}" for index in range(6)]
    with study_server(path) as server:
        threads = [threading.Thread(target=keep_playing, args=(server, name)) for name in names]
        for thread in threads:
            thread.start()
        assert enough.wait(PATIENCE)
        server.stop(signal.SIGKILL)
        for thread in threads:
            thread.join(PATIENCE)
    with study_server(path) as server:
        for name in names:
            puzzle = Person(server.client, name).go("enter")["puzzle"]
            assert puzzle["step"] in (acknowledged[name], acknowledged[name] + 1)
            assert puzzle["plan"] == ("RL" * puzzle["step"])[: puzzle["step"]]
            assert 0 < puzzle["remaining_ms"] <= 3600_000
    for name in names:
        found = rows(
            path.with_suffix(".db"),
            "SELECT sequence, kind FROM events JOIN participants USING (session) WHERE id = ?",
            name,
        )
        assert [sequence for sequence, _ in found] == list(range(len(found)))
        assert sum(kind == "move" for _, kind in found) >= acknowledged[name]
    with closing(sqlite3.connect(path.with_suffix(".db"))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_the_pages_clock_decides_nothing(tmp_path: Path) -> None:
    path = study_file(tmp_path, LIMITED.format(limit=36_000))
    with study_server(path) as server:
        person = Person(server.client, "jumps")
        person.begin()
        times = [1_700_000_000_000, 0, 2**53 - 1, 5]
        events = [person.event("start"), *person.moves("RRR")]
        person.send(*(event | {"time_ms": time} for event, time in zip(events, times, strict=True)))
        assert 0 < person.send()["remaining_ms"] <= 36_000_000
    found = rows(path.with_suffix(".db"), "SELECT time_ms FROM events ORDER BY sequence")
    assert [time for (time,) in found] == times


@pytest.mark.parametrize("hours", [-30, 30])
def test_the_servers_clock_may_be_set_while_it_is_down(tmp_path: Path, hours: int) -> None:
    path = study_file(tmp_path, LIMITED.format(limit=36_000))
    database = path.with_suffix(".db")
    with study_server(path) as server:
        person = Person(server.client, "jumps")
        person.begin()
        person.send(person.event("start"), *person.moves("R"))
        server.stop()
    jump = hours * 3_600_000
    with closing(sqlite3.connect(database)) as connection:  # as if all this had been then
        for table, columns in {
            "events": ("received_ms",),
            "participants": ("consented_ms", "instructed_ms"),
            "trials": ("started_ms",),
            "studies": ("created_ms", "seen_ms"),
        }.items():
            for column in columns:
                connection.execute(f"UPDATE {table} SET {column} = {column} - ?", (jump,))
        connection.commit()
    with study_server(path) as server:
        again = Person(server.client, "jumps")
        assert 0 < again.go("enter")["puzzle"]["remaining_ms"] <= 36_000_000
        assert again.solve()["outcome"] == "solved"
    times = rows(database, "SELECT received_ms FROM events ORDER BY sequence")
    assert times == sorted(times)
    ((duration,),) = rows(database, "SELECT ended_ms - started_ms - paused_ms FROM trials")
    assert 0 <= duration < 36_000_000


def test_limits_of_time_are_the_servers(tmp_path: Path) -> None:
    rules = "[rules]\ntime_limit = 1.5\ngive_up_after = 1\n"
    path = study_file(
        tmp_path, rules + ONE_PUZZLE.replace('"first-push"', '"first-push", "keyhole"')
    )
    with study_server(path) as server:
        person = Person(server.client, "slow")
        person.begin()
        early = person.send(person.event("start"), person.event("give-up"))
        assert early["refused"]["message"] == "this puzzle cannot be given up yet"
        wait_until(lambda: person.send()["outcome"] == "time-limit")
        assert person.now["puzzle"]["trial"] == 1
        late = person.send(person.event("move", "R", step=1, trial=0))
        assert late["refused"]["message"] == "this puzzle is over"
        person.send(person.event("start"))
        other = Person(server.client, "slow")
        wait_until(lambda: other.go("enter")["stage"] == "finished")
    found = rows(
        path.with_suffix(".db"),
        "SELECT outcome, ended_ms - started_ms - paused_ms, plan FROM trials ORDER BY trial",
    )
    assert found == [("time-limit", 1500, ""), ("time-limit", 1500, "")]


@pytest.mark.skipif(sys.platform != "linux", reason="limits the files of another process")
def test_a_full_disk_is_told_and_survived(tmp_path: Path) -> None:
    import resource

    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    path = study_file(tmp_path)
    database = path.with_suffix(".db")
    with study_server(path) as server:
        pid = server.process.pid
        person = Person(server.client, "unlucky")
        person.begin()
        person.send(person.event("start"))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
        made = 0
        while True:
            events = person.moves("RL" * 50, made)
            answer = person.ask("events", events=events)
            if answer.status_code != 200:
                break
            made += 100
        assert (answer.status_code, answer.json()["code"]) == (503, "storage")
        assert "is the disk full?" in answer.json()["message"]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        newcomer = Person(server.client, "newcomer")
        assert newcomer.ask("consent", agreed=True).status_code == 503
        assert rows(database, "SELECT step, moves FROM trials") == [(made, made)]
        assert rows(database, "SELECT count(*) FROM events") == [(made + 1,)]
        assert rows(database, "SELECT id FROM participants") == [("unlucky",)]
        assert server.client.get("").status_code == 200
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
        assert person.send(*events)["received"] == made + 101
        newcomer.begin()
        _, told = server.stop()
        assert [line.split(":")[0] for line in told.splitlines()] == [
            "error",
            "the database can be written again",
        ]
    assert rows(database, "SELECT step, moves FROM trials WHERE step > 0") == [(made + 100,) * 2]

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    new = tmp_path / "new.db"
    done = subprocess.run(
        [*COMMAND, "play", "--no-browser", "--study", str(path), "--record", str(new)],
        capture_output=True,
        text=True,
        preexec_fn=limit_files,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "new.db" in done.stderr


def test_an_edited_study_file_does_not_change_a_running_study(tmp_path: Path) -> None:
    puzzle = tmp_path / "own.pwp"
    puzzle.write_text("A . M1 G1\n")
    path = study_file(tmp_path, ONE_PUZZLE.replace("first-push", "own.pwp"))
    text = path.read_text()
    with study_server(path) as server:
        assert Person(server.client, "early").begin()["puzzle"] == "own.pwp"
        path.write_text(text.replace("Do you agree?", "Really?"))
        assert Person(server.client, "late").go("enter")["text"] == "Do you agree?"
        server.stop()
    refused = run("play", "--study", str(path), "--no-browser")
    assert refused.exit_code == 2
    assert "has 1 participants of 'A study' with another version of the study file" in refused.err
    path.write_text(text)
    puzzle.write_text("A . . M1 G1\n")
    refused = run("play", "--study", str(path), "--no-browser")
    assert refused.exit_code == 2
    assert "with other puzzles" in refused.err
    puzzle.write_text("A . M1 G1\n")
    with study_server(path) as server:
        assert Person(server.client, "early").go("enter")["stage"] == "puzzle"
    ((file,),) = rows(path.with_suffix(".db"), "SELECT file FROM studies")
    assert file == text
    path.write_text(text.replace("Do you agree?", "Really?"))
    assert run("study", "withdraw", str(path.with_suffix(".db")), "early").exit_code == 0
    with study_server(path) as server:  # nobody is in it, so nothing is mixed up
        assert Person(server.client, "new").go("enter")["text"] == "Really?"


def test_a_damaged_database_is_told_in_words(
    study: tuple[RunningServer, Path], tmp_path: Path
) -> None:
    server, database = study
    person = Person(server.client, "whole")
    person.begin()
    person.solve()
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    whole = copy.read_bytes()
    dice, refused = Random(0), 0
    for _ in range(60):
        damaged = bytearray(whole)
        place = dice.randrange(len(damaged))
        damaged[place : place + 200] = dice.randbytes(min(200, len(damaged) - place))
        copy.write_bytes(damaged[: dice.choice([None, place])])
        copy.with_name("copy.db-wal").unlink(missing_ok=True)
        try:
            study_status(copy)
            withdraw(copy, "whole")
        except PushWorldError:
            refused += 1
    assert refused > 10
    copy.write_bytes(whole.replace(b"CREATE TABLE participants", b"CREATE \xe5ABLE participants"))
    with pytest.raises(PushWorldError, match="cannot be opened"):
        study_status(copy)
