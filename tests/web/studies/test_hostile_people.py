"""What people may send to a study: ids of others, floods, odd ids, nonsense, scripts."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pushworld.web.app import Services, create_app
from pushworld.web.recorder import Recorder
from pushworld.web.studies import api
from pushworld.web.studies.referee import MAX_PLAN, Game, NotAllowedError, World
from pushworld.web.studies.store import Trial
from pushworld.web.studies.study_file import load_study
from pushworld.web.trace_database import Event
from tests.cli.running import run
from tests.waiting import PATIENCE
from tests.web.server_process import RunningServer
from tests.web.studies.taking_part import (
    HEAD,
    ONE_PUZZLE,
    Person,
    rows,
    study_file,
    study_server,
)


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
