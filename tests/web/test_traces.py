"""Recorded games: stored once, exported as sent, and without anything about the player."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import PushWorldError, Puzzle
from pushworld.traces.rows import EventRow
from pushworld.web.request_bodies import BadRequestError, parse_events
from pushworld.web.trace_database import KINDS, Event, open_database
from tests.cli.running import run
from tests.web.server_process import RunningServer
from tests.web.trace_requests import SESSION, event, post, recording_server, stored


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server and its database; each test has sessions of its own."""
    database = tmp_path_factory.mktemp("traces") / "traces.db"
    with recording_server(database) as server:
        yield server, database


def test_a_game_is_kept_and_exported(tmp_path: Path) -> None:
    database = tmp_path / "traces.db"
    game = [event(index, kind) for index, kind in enumerate(KINDS)]
    with recording_server(database) as server:
        site = server.json("data/site.json")
        assert site["recording"] is True
        assert "agree" in site["consent"]
        digests = {each["digest"] for each in server.json("data/sets/bundled.json")}
        assert post(server, game).json() == {"stored": len(game)}

    folder = tmp_path / "data"
    output, table, puzzles = (
        folder / name for name in ("events.csv", "events.parquet", "puzzles.csv")
    )
    for form, events in (("csv", output), ("parquet", table)):
        outcome = run(
            *("traces", "export", str(database), "-o", str(folder), "--format", form, "--json")
        )
        assert json.loads(outcome.out)[str(events)] == len(game)

    with output.open(newline="") as file:
        rows = list(csv.DictReader(file))
    records = pyarrow.parquet.read_table(table).to_pylist()
    assert list(rows[0]) == list(records[0]) == list(EventRow._fields)
    for sent, row, record in zip(game, rows, records, strict=True):
        received = record.pop("received_ms")
        assert received > sent["time_ms"]
        assert record == sent | {"session": SESSION, "visit": None, "trial": None}
        assert row == {
            key: "" if value is None else str(value)
            for key, value in (record | {"received_ms": received}).items()
        }

    with puzzles.open(newline="") as file:
        texts = {row["puzzle"]: row for row in csv.DictReader(file)}
    for each in bundled_puzzles():
        assert Puzzle.parse(texts[f"bundled/{each.name}"]["pwp"]) == each.puzzle
    assert digests == {row["digest"] for row in texts.values()}
    summary = run("traces", "info", str(database), "--json").out
    assert json.loads(summary) == {"events": len(game), "sessions": 1, "puzzles": 1}


def test_what_is_sent_again_is_not_stored_again(recording: tuple[RunningServer, Path]) -> None:
    server, database = recording
    one, other = "a-player", "another-player"
    assert post(server, [event(0), event(1)], one).json() == {"stored": 2}
    assert post(server, [event(0), event(1), event(2)], one).json() == {"stored": 3}
    assert post(server, [event(1, "undo")], one).json() == {"stored": 1}
    assert post(server, [event(0)], other).json() == {"stored": 1}
    assert stored(database, one, other) == [
        *((one, sequence, "move", "R") for sequence in range(3)),
        (other, 0, "move", "R"),
    ]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"sequence": -1}, "'sequence' of event 1"),
        ({"sequence": "1"}, "'sequence' of event 1"),
        ({"sequence": 2**60}, "'sequence' of event 1"),
        ({"time_ms": None}, "'time_ms' of event 1"),
        ({"step": True}, "'step' of event 1"),
        ({"kind": "cheat"}, "'kind' of event 1"),
        ({"kind": ["move"]}, "'kind' of event 1"),
        ({"action": "X"}, "'action' of event 1"),
        ({"action": None}, "'action' of event 1"),
        ({"sequence": 1.5}, "'sequence' of event 1"),
        ({"actor": "nobody"}, "'actor' of event 1"),
        ({"actor": {}}, "'actor' of event 1"),
        ({"puzzle": "=1+1"}, "'puzzle' of event 1"),
        ({"puzzle": "x" * 1000}, "'puzzle' of event 1"),
        ({"shown": "everything"}, "'shown' of event 1"),
        ({"state": "1,2;DROP"}, "'state' of event 1"),
        ({"digest": "not a hash"}, "'digest' of event 1"),
    ],
)
def test_events_that_make_no_sense_are_refused_as_a_whole(
    wrong: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadRequestError, match=words):
        parse_events({"session": SESSION, "events": [event(0), event(1) | wrong]})


def test_a_refused_request_stores_nothing(recording: tuple[RunningServer, Path]) -> None:
    server, database = recording
    assert post(server, [event(0), event(1, "cheat")], "refused-player").status_code == 400
    assert post(server, [event(0)], "short").status_code == 400
    assert post(server, [event(0)] * 1001, "refused-player").status_code == 400
    assert stored(database, "refused-player", "short") == []


def test_the_database_has_nothing_about_the_player(recording: tuple[RunningServer, Path]) -> None:
    server, database = recording
    answer = server.client.post(
        "api/traces",
        json={"session": SESSION, "events": [event(0, name="Ada")], "name": "Ada Lovelace"},
        headers={"User-Agent": "Sentinel Browser", "Cookie": "sentinel=1"},
    )
    assert answer.status_code == 200
    files = [file.read_bytes() for file in database.parent.iterdir()]
    assert any(SESSION.encode() in content for content in files)
    for word in (b"entinel", b"127.0.0.1", b"Ada"):
        assert not any(word in content for content in files)


def test_the_documents_example_replays_games(recording: tuple[RunningServer, Path]) -> None:
    server, database = recording
    puzzle = server.json("data/sets/bundled.json")[0]  # four moves to the right solve it
    about = {"puzzle": f"bundled/{puzzle['id']}", "digest": puzzle["digest"]}
    second = server.json("data/sets/bundled.json")[1]
    other = {"puzzle": f"bundled/{second['id']}", "digest": second["digest"], "step": 0}
    happened = [
        *(("start", None, 0), ("move", "R", 1), ("blur", None, 1), ("move", "R", 2)),
        *(("undo", None, 1), ("redo", "R", 2), ("reset", None, 0), ("hint", None, 0)),
        *(("move", "R", 1), ("move", "R", 2), ("move", "R", 3), ("move", "R", 4)),
        ("solved", None, 4),
    ]
    game = [
        event(index, kind, action=action, step=step, **about)
        for index, (kind, action, step) in enumerate(happened)
    ]
    assert post(server, game, "who-solved-it").is_success
    left = event(5, "leave", step=2, **about)
    assert post(server, [*game[:4], event(4, "start", **other), left], "who-gave-up").is_success
    text = (Path(__file__).parents[2] / "docs" / "guides" / "traces.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=database.parent, capture_output=True, text=True
    )
    players = ("who-solved-it", "who-gave-up")
    printed = [line.split() for line in done.stdout.splitlines() if line.startswith(players)]
    assert [line[:3] for line in printed] == [
        ["who-gave-up", "unfinished", "2"],
        ["who-gave-up", "unfinished", "0"],
        ["who-solved-it", "solved", "4"],
    ], done.stderr


@pytest.mark.parametrize("content", [b"", b"this is no database, but a diary" * 100])
def test_what_is_no_database_of_traces_is_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(content)
    outcome = run("traces", "info", str(path))
    assert outcome.exit_code == 2
    assert "other.db" in outcome.err
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bank.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE accounts (owner TEXT)")
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(PushWorldError, match="not one of recorded traces"):
        open_database(path)
    assert path.read_bytes() == before


STUDY_TABLES = ("studies", "participants", "trials", "answers")


@pytest.mark.parametrize("version", [1, 2])
def test_events_of_an_earlier_version_stay_and_are_not_guessed(
    tmp_path: Path, version: int
) -> None:
    path = tmp_path / "traces.db"
    lacking = ["shown", "state", "visit", "trial", *(["actor"] if version == 1 else [])]
    with closing(open_database(path)) as connection:
        connection.executescript(
            "".join(f"DROP TABLE {table};" for table in STUDY_TABLES)
            + "".join(f"ALTER TABLE events DROP COLUMN {column};" for column in lacking)
            + f"PRAGMA user_version = {version};"
        )
        row = ("session", 0, "a/b", "c", 1, "move", "R", 1, 2, "machine")[: 8 + version]
        marks = ", ".join("?" * len(row))
        connection.execute(f"INSERT INTO events VALUES ({marks})", row)
        connection.commit()
    for _ in range(2):
        with closing(open_database(path, create=False)) as connection:
            (found,) = connection.execute("SELECT action, actor, shown, state FROM events")
            for table in STUDY_TABLES:
                assert connection.execute(f"SELECT * FROM {table}").fetchall() == []
        assert found == ("R", None if version == 1 else "machine", None, None)


def test_a_database_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "traces.db"
    with closing(open_database(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    outcome = run("traces", "info", str(path))
    assert outcome.exit_code == 2
    assert "written by a later pushworld" in outcome.err


def test_bad_outputs_are_named(tmp_path: Path) -> None:
    database = tmp_path / "traces.db"
    open_database(database).close()
    (tmp_path / "no").touch()
    outcome = run("traces", "export", str(database), "-o", str(tmp_path / "no"))
    assert outcome.exit_code == 2
    assert "cannot be written" in outcome.err
    outcome = run("traces", "export", str(tmp_path / "no.db"), "-o", str(tmp_path / "data"))
    assert outcome.exit_code == 2
    assert not (tmp_path / "no.db").exists()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(list(event(0))), _JSON), _JSON)
def test_whatever_is_sent_is_stored_or_refused(changes: dict[str, Any], session: Any) -> None:
    for name in (SESSION, session):
        try:
            events = parse_events({"session": name, "events": [event(0) | changes]})
        except BadRequestError:
            continue
        with closing(sqlite3.connect(":memory:")) as connection:
            marks = ", ".join("?" * len(Event._fields))
            found = connection.execute(f"SELECT {marks}", events[0]).fetchone()
        assert found == events[0]
