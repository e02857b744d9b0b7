"""What can go wrong in a study: the server dies, clocks jump, disks fill, files change, people attack."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.puzzle import PushWorldError
from pushworld.web.app import Services, create_app
from pushworld.web.recorder import Recorder
from pushworld.web.studies import api
from pushworld.web.studies.referee import MAX_PLAN, Game, NotAllowedError, World
from pushworld.web.studies.status import study_status, withdraw
from pushworld.web.studies.store import Trial
from pushworld.web.studies.study_file import load_study
from pushworld.web.trace_database import Event
from tests.cli.running import run
from tests.waiting import PATIENCE, wait_until
from tests.web.server_process import COMMAND, RunningServer
from tests.web.studies.taking_part import (
    HEAD,
    ONE_PUZZLE,
    Person,
    rows,
    study_file,
    study_server,
)

LIMITED = "[rules]\ntime_limit = {limit}\n" + ONE_PUZZLE


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server and its database; each test has participants of its own."""
    questions = '[[questions.end]]\nid = "why"\nkind = "text"\ntext = "?"\n'
    path = study_file(tmp_path_factory.mktemp("study"), ONE_PUZZLE + questions)
    with study_server(path) as server:
        yield server, path.with_suffix(".db")


def test_who_knows_an_id_is_not_yet_that_participant(study: tuple[RunningServer, Path]) -> None:
    server, database = study
    owner = Person(server.client, "owner")
    stranger = Person(server.client, "owner", key="1" * 32)
    owner.begin()
    for request in ("enter", "consent"):
        answer = stranger.ask(request, agreed=True)
        assert (answer.status_code, answer.json()["code"]) == (403, "browser")
    assert owner.solve()["outcome"] == "solved"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE participants SET key = NULL WHERE id = 'owner'")
    assert stranger.go("enter")["stage"] == "questions"
    assert owner.ask("enter").status_code == 403


def test_who_floods_a_study_waits_and_the_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "SECONDS_PER_EVENT", PATIENCE)
    database = tmp_path / "study.db"
    recorder = Recorder(database)
    server = api.StudyServer(load_study(study_file(tmp_path)), recorder, database)
    app = create_app({}, Services(recorder=recorder, study=server), names=("study",))

    async def attempt() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://study") as client:

            async def ask(request: str, **body: Any) -> dict[str, Any]:
                answer = await client.post(f"api/study/{request}", json=body)
                found: dict[str, Any] = answer.raise_for_status().json()
                return found

            async def token_of(name: str) -> str:
                who = {"parameters": {"PROLIFIC_PID": name}, "key": "0" * 32}
                token: str = (await ask("consent", **who, agreed=True))["token"]
                await ask("continue", token=token)
                return token

            flooding, calm = await token_of("flooding"), await token_of("calm")
            start = Person(httpx.Client(), "").event("start", trial=0)
            await ask("events", token=flooding, events=[start])
            again = asyncio.create_task(ask("events", token=flooding, events=[start]))
            await ask("events", token=calm, events=[start])
            await ask("events", token=await token_of("new"), events=[start])
            assert not again.done()
            again.cancel()

    asyncio.run(attempt())
    recorder.close()


def test_a_game_does_not_grow_without_end(tmp_path: Path) -> None:
    study = load_study(study_file(tmp_path))
    puzzle = study.puzzles["first-push"]
    trial = Trial("s", 0, "main", "first-push", puzzle.digest, started_ms=0)
    trial.plan, trial.actors, trial.step = "RL" * (MAX_PLAN // 2), "p" * MAX_PLAN, MAX_PLAN
    game = Game(trial, study.rules_of("main", None), World(puzzle), 1)
    move = Event("s", 0, "study", "-", 1, "move", "R", MAX_PLAN + 1, "player")
    with pytest.raises(NotAllowedError, match="at most 20,000 moves"):
        game.apply(move, 1)
    game.apply(move._replace(kind="reset", action=None, step=0), 1)
    game.apply(move._replace(step=1), 1)


def test_two_windows_with_one_id(study: tuple[RunningServer, Path]) -> None:
    server, database = study
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as other:
        people = [Person(server.client, "twins"), Person(other, "twins")]
        together = [
            threading.Thread(target=person.go, args=("consent",), kwargs={"agreed": True})
            for person in people
        ]
        for thread in together:
            thread.start()
        for thread in together:
            thread.join(PATIENCE)
        (one,) = rows(database, "SELECT session FROM participants WHERE id = 'twins'")
        assert {person.now["token"][:32] for person in people} == set(one)
        first, second = sorted(people, key=lambda person: int(person.now["token"][33:]))
        second.go("continue")
        answer = first.ask("events", events=[first.event("start", trial=0)])
        assert (answer.status_code, answer.json()["code"]) == (409, "elsewhere")
        second.send(second.event("start"), *second.moves("R"))
        puzzle = first.go("enter")["puzzle"]
        assert (puzzle["started"], puzzle["plan"]) == (True, "R")
        answer = second.ask("events", events=second.moves("R", 1))
        assert answer.json()["code"] == "elsewhere"
        assert first.solve()["outcome"] == "solved"
        assert second.ask("answers", trial=None, answers={"why": "x"}).status_code == 409
    found = rows(database, "SELECT sequence, kind FROM events WHERE session = ?", *one)
    assert [kind for _, kind in found] == ["start", "move", "resume", *["move"] * 3, "solved"]
    assert [sequence for sequence, _ in found] == list(range(len(found)))


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


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "'); DROP TABLE participants; --",
        "../../etc/passwd",
        "=cmd|' /C calc'!A0",
        "Ada 😀 Lovelace",
        "%00%0d%0aSet-Cookie: x=1",
        "x" * 200,
    ],
)
def test_odd_ids_are_kept_as_they_are(study: tuple[RunningServer, Path], name: str) -> None:
    server, database = study
    person = Person(server.client, name)
    person.begin()
    person.solve()
    person.go("answers", trial=None, answers={"why": f"{name}\0\x1b[31m\nline"})
    ((answer,),) = rows(
        database,
        "SELECT answer FROM answers JOIN participants USING (session) WHERE id = ?",
        name,
    )
    assert answer == f"{name}[31m\nline"
    assert name in [each[0] for each in rows(database, "SELECT id FROM participants")]
    assert run("study", "status", str(database), columns=400).exit_code == 0


@pytest.mark.parametrize(
    "name",
    ["x" * 201, "a\0b", "a\nb", "\x1b[2J", "\ud800", "\u202eabc", "", "{{%PROLIFIC_PID%}}"],
)
def test_ids_of_no_participant_are_refused(study: tuple[RunningServer, Path], name: str) -> None:
    server, _ = study
    body = b'{"agreed": true, "parameters": {"PROLIFIC_PID": "%s"}}' % name.encode(
        "unicode_escape"
    ).replace(b"\\x", b"\\u00")
    for request in ("enter", "consent"):
        answer = server.client.post(
            f"api/study/{request}", content=body, headers={"Content-Type": "application/json"}
        )
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
        words = "not valid JSON" if name == "\ud800" else "PROLIFIC_PID"
        assert words in answer.json()["message"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["enter", "consent", "continue", "events", "answers", "withdraw"]),
    st.dictionaries(
        st.sampled_from(["token", "events", "answers", "trial", "parameters", "agreed", "key"]),
        _JSON,
    ),
    st.dictionaries(
        st.sampled_from(["number", "trial", "kind", "action", "actor", "shown", "step", "time_ms"]),
        _JSON,
    ),
)
def test_whatever_is_sent_is_understood_or_refused(
    study: tuple[RunningServer, Path], request: str, body: dict[str, Any], event: dict[str, Any]
) -> None:
    server, _ = study
    person = Person(server.client, "fuzz")
    person.begin()
    if event:
        body = {"token": person.now["token"], "events": [person.event("start") | event]}
        request = "events"
    answer = server.client.post(
        f"api/study/{request}",
        content=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    assert answer.status_code in (200, 400, 404, 409), answer.text
    assert answer.json()["type"] in ("now", "stored", "error")


def test_texts_of_a_study_are_data(tmp_path: Path) -> None:
    script = "<script>alert(1)</script>"
    path = study_file(
        tmp_path, ONE_PUZZLE, HEAD.replace("A study", script).replace("Push.", script)
    )
    with study_server(path) as server:
        assert server.json("data/site.json")["study"]["title"] == script
        assert script not in server.client.get("").text
        person = Person(server.client, "reader")
        answer = person.ask("consent", agreed=True)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        foreign = server.client.post(
            "api/study/consent", json={}, headers={"Origin": "https://evil.example"}
        )
        assert foreign.status_code == 403
