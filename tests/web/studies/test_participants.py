"""A study from the link to the completion code, as the page and the scientist see it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from pushworld.puzzle import Puzzle
from tests.cli.running import run
from tests.web.server_process import RunningServer
from tests.web.studies.taking_part import (
    AGE,
    HARD,
    HEAD,
    ONE_PUZZLE,
    PLANS,
    REMARKS,
    Person,
    rows,
    study_file,
    study_server,
)

RULES = """
[rules]
time_limit = 600
move_limit = 40
hints = true
give_up_after = 0
[[blocks]]
name = "practice"
text = "Practice"
puzzles = ["first-push"]
questions = false
rules = { undo = false, hints = false, give_up = false, time_limit = 0 }
[[blocks]]
name = "main"
puzzles = ["crossroads", "keyhole"]
"""
QUESTIONS = HARD + AGE + REMARKS + "required = false\n"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server of the study above, and its database; each test has participants of its own."""
    path = study_file(tmp_path_factory.mktemp("study"), RULES + QUESTIONS)
    with study_server(path) as server:
        yield server, path.with_suffix(".db")


def events_of(database: Path, person: str) -> list[tuple[Any, ...]]:
    return rows(
        database,
        "SELECT trial, visit, kind, action, actor, shown, step, state, time_ms, digest FROM events "
        "JOIN participants USING (session) WHERE id = ? ORDER BY sequence",
        person,
    )


def test_a_participant_goes_from_consent_to_the_code(study: tuple[RunningServer, Path]) -> None:
    server, database = study
    site = server.json("data/site.json")
    assert site["study"]["title"] == "A study"
    assert site["recording"] is False
    assert server.json("data/site.json")["sets"] == []
    person = Person(server.client, "whole-way", {"STUDY_ID": "s1", "email": "ada@example.org"})
    assert person.go("enter") | {"text": ""} == {
        **{"type": "now", "token": None, "stage": "consent", "done": 0, "total": 3},
        **{"received": 0, "text": ""},
    }
    assert person.go("consent", agreed=True)["stage"] == "instructions"
    first = person.go("continue")["puzzle"]
    assert (first["block"], first["text"], first["puzzle"]) == (
        "practice",
        "Practice",
        "first-push",
    )
    assert first["rules"]["time_limit"] is None
    assert first["rules"]["undo"] is False
    answer = person.solve()
    assert (answer["outcome"], answer["now"]["stage"]) == ("solved", "puzzle")
    assert person.now["puzzle"]["puzzle"] == "crossroads"
    assert person.now["puzzle"]["remaining_ms"] == 600_000
    assert person.solve()["now"]["questions"]["outcome"] == "solved"
    assert person.go("answers", trial=1, answers={"hard": 3})["stage"] == "puzzle"
    person.send(person.event("start"))
    assert person.send(person.event("give-up"))["outcome"] == "gave-up"
    assert person.go("answers", trial=2, answers={"hard": 7})["questions"]["trial"] is None
    assert person.ask("answers", trial=None, answers={"age": 17}).status_code == 400
    finished = person.go("answers", trial=None, answers={"age": 33})
    assert finished["finished"]["code"] == "CODE42"
    assert person.go("enter")["stage"] == "finished"

    assert rows(
        database,
        "SELECT trial, question, answer FROM answers JOIN participants USING (session) "
        "WHERE id = 'whole-way' ORDER BY received_ms, trial",
    ) == [(1, "hard", "3"), (2, "hard", "7"), (None, "age", "33"), (None, "remarks", None)]
    ((parameters, slot),) = rows(
        database, "SELECT parameters, slot FROM participants WHERE id = 'whole-way'"
    )
    assert json.loads(parameters) == {"PROLIFIC_PID": "whole-way", "STUDY_ID": "s1"}
    status = json.loads(run("study", "status", str(database), "--json").out)
    (mine,) = [each for each in status["participants"] if each["id"] == "whole-way"]
    shown = run("study", "status", str(database), columns=80).out
    assert re.search(r"^whole-way +finished +2 +2 +\d\d-\d\d \d\d:", shown, re.MULTILINE)
    assert (mine["done"], mine["solved"], mine["puzzles"], slot) == (3, 2, 3, 0)
    assert mine["finished_ms"] >= mine["last_ms"] >= mine["consented_ms"]


def test_every_event_says_who_acted_what_was_shown_and_where_it_led(
    study: tuple[RunningServer, Path],
) -> None:
    server, database = study
    person = Person(server.client, "who-acted")
    person.begin()
    person.solve()
    puzzle = Puzzle.parse(person.now["puzzle"]["pwp"])
    plan = PLANS["crossroads"]
    first, second = plan[0], plan[1]
    events = [
        person.event("start"),
        person.event("blur", actor=None),
        person.event("focus", "R"),
        person.event("hint", shown="hint-1"),
        person.event("hint", shown="hint-2"),
        person.event("move", first, step=1, actor="hint", shown="hint-2"),
        person.event("move", second, step=2, actor="machine"),
        person.event("undo", step=1),
        person.event("redo", second, step=2),
        person.event("warning", actor="machine", shown="dead-end", step=2),
        person.event("reset", step=0),
        person.event("give-up"),
    ]
    assert person.send(*events)["outcome"] == "gave-up"
    assert person.send(person.event("leave", trial=1))["refused"] is None
    found = [row for row in events_of(database, "who-acted") if row[0] == 1]
    expected = [
        *(("start", "player"), ("blur", "player"), ("focus", "player")),
        *(("hint", "player"), ("hint", "player"), ("move", "hint"), ("move", "machine")),
        *(("undo", "player"), ("redo", "machine"), ("warning", "machine"), ("reset", "player")),
        *(("give-up", "player"), ("leave", "player")),
    ]
    assert [(row[2], row[4]) for row in found] == expected
    assert [row[3] for row in found] == [*[None] * 5, first, second, None, second, *[None] * 4]
    assert [row[5] for row in found][3:6] == ["hint-1", "hint-2", "hint-2"]
    plan = ""
    for _, _, kind, action, _, _, step, state, *_ in found:
        plan = plan[: step - 1] + action if kind in ("move", "redo") else plan[:step]
        *_, last = puzzle.replay(plan)
        assert state == " ".join(f"{x},{y}" for x, y in last)


def test_the_server_keeps_the_rules(study: tuple[RunningServer, Path]) -> None:
    server, database = study
    person = Person(server.client, "cheat")
    person.begin()

    def refused(*events: dict[str, Any]) -> str:
        answer = person.send(*events)
        assert answer["now"] is not None
        return str(answer["refused"]["message"])

    assert refused(person.event("move", "R", step=1)) == "this puzzle has not been started"
    person.send(person.event("start"), *person.moves("R"))
    assert refused(person.event("undo")) == "undo is not allowed in this puzzle"
    assert refused(person.event("hint")) == "this puzzle has no hints"
    assert refused(person.event("move", "R", step=2, actor="machine")).startswith("this puzzle has")
    assert refused(person.event("give-up", step=1)) == "this puzzle cannot be given up"
    assert refused(person.event("move", "R", step=7)).startswith("after this event")
    assert refused(person.event("move", "R", step=2, state="0,0")).startswith("after this event")
    assert refused(person.event("solved", step=1)).startswith("events of kind 'solved'")
    assert refused(person.event("start", trial=1)) == "this is not the puzzle to play now"
    solving = {"pwp": person.now["puzzle"]["pwp"], "token": person.now["token"]}
    assert server.client.post("api/solve", json=solving).status_code == 403
    assert server.client.post("api/solve", json={"pwp": solving["pwp"]}).status_code == 400
    assert server.client.post("api/traces", json={}).status_code == 404
    answer = person.send(*person.moves("R", 1), person.event("undo"), *person.moves("R", 2))
    assert answer["refused"]["number"] == person.number
    assert answer["now"]["puzzle"]["plan"] == "RR"
    assert person.solve()["outcome"] == "solved"
    assert refused(person.event("move", "R", trial=0, step=5)) == "this puzzle is over"
    person.send(person.event("start"))
    with server.client.stream("POST", "api/solve", json=solving) as stream:
        assert stream.status_code == 200
    answer = person.send(*person.moves("RL" * 30))
    assert answer["outcome"] == "move-limit"
    assert answer["refused"]["message"] == "this puzzle is over"
    ((made,),) = rows(
        database,
        "SELECT moves FROM trials JOIN participants USING (session) "
        "WHERE id = 'cheat' AND outcome = 'move-limit'",
    )
    assert made == 40
    assert person.send(person.event("start", trial=2))["refused"]["message"].startswith("questions")


def test_a_reload_resumes_at_the_same_position(study: tuple[RunningServer, Path]) -> None:
    server, database = study
    person = Person(server.client, "reloads")
    person.begin()
    person.solve()
    plan = PLANS["crossroads"]
    person.send(person.event("start"), *person.moves(plan[:3]), person.event("undo", step=2))
    puzzle = person.go("enter")["puzzle"]
    assert (puzzle["started"], puzzle["plan"], puzzle["step"]) == (True, plan[:3], 2)
    assert (puzzle["actors"], puzzle["moves"]) == ("ppp", 3)
    assert person.send(person.event("redo", plan[2], step=3))["refused"] is None
    assert [row[1:3] for row in events_of(database, "reloads")][-2:] == [(2, "resume"), (2, "redo")]


def test_what_is_sent_again_is_not_stored_again(study: tuple[RunningServer, Path]) -> None:
    server, database = study
    person = Person(server.client, "sends-again")
    person.begin()
    events = [person.event("start"), *person.moves("RR")]
    for _ in range(2):
        assert person.send(*events)["received"] == 3
    assert person.send(*events, *person.moves("R", 2))["received"] == 4
    assert person.ask("events", events=[person.event("blur", number=9)]).status_code == 400
    assert [row[2] for row in events_of(database, "sends-again")] == ["start", *["move"] * 3]
    token = person.go("enter")["token"]
    last = person.moves("R", 3)
    for _ in range(2):  # the page that lost the first answer learns from the second what happened
        answer = person.send(*last)
        assert (answer["outcome"], answer["now"]["puzzle"]["trial"]) == ("solved", 1)
    assert person.now["token"] == token
    assert person.ask("events", events=[], trial=0).json()["outcome"] == "solved"
    assert person.ask("events", events=[]).json()["outcome"] is None
    blur = person.ask("events", events=[person.event("blur", trial=0)]).json()
    assert (blur["received"], blur["outcome"], blur["now"]) == (2, None, None)


def test_who_declines_or_withdraws_leaves_nothing(tmp_path: Path) -> None:
    path = study_file(tmp_path)
    database = path.with_suffix(".db")
    with study_server(path) as server:
        shy = Person(server.client, "declines-entirely")
        shy.go("enter")
        assert shy.go("consent", agreed=False)["stage"] == "declined"
        people = [Person(server.client, f"participant-number-{index}") for index in range(3)]
        for person in people:
            person.begin()
            person.solve()
        session = people[0].now["token"].split(".")[0]
        assert people[0].go("withdraw")["stage"] == "withdrawn"
        people[0].now["token"] = f"{session}.1"
        answer = people[0].ask("events", events=[])
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown")
        assert run("study", "withdraw", str(database), people[1].id).exit_code == 0
        assert run("study", "withdraw", str(database), people[1].id).exit_code == 2
        for table in ("participants", "trials", "events"):
            assert rows(database, f"SELECT count(DISTINCT session) FROM {table}") == [(1,)]
        files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
        assert b"participant-number-2" in files
        for gone in ("declines-entirely", "participant-number-0", "participant-number-1", session):
            assert gone.encode() not in files


def test_nothing_personal_is_stored_that_the_study_does_not_name(tmp_path: Path) -> None:
    path = study_file(
        tmp_path, "[participants]\nparameters = ['who']\nanonymous = true\n" + ONE_PUZZLE
    )
    with study_server(path) as server:
        client = httpx.Client(
            base_url=server.address, headers={"User-Agent": "Sentinel", "Cookie": "sentinel=1"}
        )
        key = "0123456789abcdef" * 2
        body = {"parameters": {"who": "", "PROLIFIC_PID": "Sentinel"}, "key": key, "agreed": True}
        assert client.post("api/study/consent", json=body).json()["stage"] == "instructions"
        assert client.post("api/study/enter", json=body).json()["token"].endswith(".2")
        assert client.post("api/study/enter", json=body | {"key": "1"}).status_code == 400
    assert rows(path.with_suffix(".db"), "SELECT id, parameters FROM participants") == [
        (f"anonymous-{key}", "{}")
    ]
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for word in (b"entinel", b"127.0.0.1"):
        assert word not in files


def test_conditions_and_redirects(tmp_path: Path) -> None:
    head = HEAD + 'redirect = "https://example.org/?id={PROLIFIC_PID}&s={SESSION_ID}"\n'
    conditions = '[[conditions]]\nname = "a"\n[[conditions]]\nname = "b"\nrules.hints = true\n'
    path = study_file(tmp_path, conditions + ONE_PUZZLE, head)
    with study_server(path) as server:
        hints = []
        for index in range(4):
            person = Person(server.client, f"{index}&x={{SESSION_ID}}")
            hints.append(person.begin()["rules"]["hints"])
            finished = person.solve()["now"]["finished"]
            assert finished["redirect"] == (
                f"https://example.org/?id={index}%26x%3D%7BSESSION_ID%7D&s="
            )
    assert hints == [False, True, False, True]
    found = rows(path.with_suffix(".db"), "SELECT condition FROM participants ORDER BY id")
    assert found == [("a",), ("b",), ("a",), ("b",)]


@pytest.mark.parametrize("command", ["study status", "study withdraw", "traces info"])
def test_a_database_that_is_not_there_is_told(command: str, tmp_path: Path) -> None:
    path = tmp_path / "nothing.db"
    who = ["somebody"] if command == "study withdraw" else []
    done = run(*command.split(), str(path), *who, columns=400)
    assert done.exit_code == 2
    assert f"there is no file {path}" in done.err
    assert not path.exists()
