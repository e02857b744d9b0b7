"""From a study that a server ran, and from databases of earlier versions, to tables."""

from __future__ import annotations

import csv
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pushworld.traces.export import export_folder
from pushworld.traces.report import make_report
from pushworld.web.trace_database import open_database
from tests.traces.recordings import Script, write_recording
from tests.traces.test_games import CORRIDOR

BLOCK = """
[[blocks]]
name = "main"
puzzles = ["first-push", "keyhole"]
"""


def exported(database: Path, folder: Path) -> dict[str, list[dict[str, str]]]:
    written = export_folder(database, folder)
    tables = {}
    for path in written:
        with path.open(newline="", encoding="utf-8") as file:
            tables[path.stem] = list(csv.DictReader(file))
    return tables


def test_a_study_becomes_tables(tmp_path: Path) -> None:
    taking_part: Any = pytest.importorskip(
        "tests.web.studies.taking_part", reason="needs the packages of the server"
    )
    path = taking_part.study_file(tmp_path, BLOCK + taking_part.HARD)
    with taking_part.study_server(path) as server:
        person = taking_part.Person(server.client, "=id")
        person.begin()
        person.send(person.event("start"), person.event("blur"))
        person.clock += 60_000
        person.send(person.event("focus"))
        person.go("enter")  # the page was loaded again
        person.solve()
        person.go("answers", trial=0, answers={"hard": 3})
        person.send(person.event("start"), person.event("give-up"))
    tables = exported(path.with_suffix(".db"), tmp_path / "data")
    solved, gave_up = tables["games"]
    assert (solved["puzzle"], solved["outcome"], solved["visits"]) == ("first-push", "solved", "2")
    assert (solved["replayed"], solved["alone"], solved["focus_lost"]) == ("TRUE", "TRUE", "1")
    assert float(solved["time_s"]) > 60 > float(solved["active_s"])
    assert (gave_up["puzzle"], gave_up["outcome"], gave_up["moves"]) == ("keyhole", "gave-up", "0")
    (answer,) = tables["answers"]
    assert (answer["puzzle"], answer["text"], answer["answer"]) == ("first-push", "How hard?", "3")
    (participant,) = tables["participants"]
    assert participant["participant"] == "'=id"
    assert (participant["started"], participant["solved"], participant["finished"]) == (
        "2",
        "1",
        "",
    )
    assert {row["think_s"] for row in tables["moves"][1:]} == {"0.4"}


@pytest.mark.parametrize("version", [1, 2])
def test_databases_of_earlier_versions(version: int, tmp_path: Path) -> None:
    script = Script("s", CORRIDOR).play().moves("RRuRR").add("solved")
    path = write_recording(tmp_path / "old.db", [script])
    lacking = ["shown", "state", "visit", "trial", *(["actor"] if version == 1 else [])]
    with closing(open_database(path)) as connection:
        connection.executescript(
            "".join(
                f"DROP TABLE {table};" for table in ("studies", "participants", "trials", "answers")
            )
            + "".join(f"ALTER TABLE events DROP COLUMN {column};" for column in lacking)
            + f"PRAGMA user_version = {version};"
        )
    tables = exported(path, tmp_path / "data")
    (game,) = tables["games"]
    assert (game["outcome"], game["moves"], game["undos"], game["time_s"]) == (
        "solved",
        "4",
        "1",
        "5.0",
    )
    assert (game["trial"], game["condition"], game["replayed"]) == ("", "", "TRUE")
    assert {row["actor"] for row in tables["moves"]} == {"" if version == 1 else "player"}
    assert not tables["participants"]
    (corridor,) = make_report(path, seconds=0).figures
    assert corridor.share.count == 1
