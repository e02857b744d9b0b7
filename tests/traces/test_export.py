"""Exports: what is in the files is what happened, and the codebook explains every column."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from pushworld.puzzle import Puzzle
from pushworld.traces.cache import APPLICATION_ID
from pushworld.traces.rows import TABLES, TYPES, codebook
from tests.cli.running import Outcome, run
from tests.traces.recordings import Script, add_participant, add_study, write_recording

TRAP = Puzzle.parse("A . M1 G1 .\n. W . . .", name="trap")
CORRIDOR = Puzzle.parse("A M1 . . G1", name="corridor")
HOSTILE = "=cmd|' /C calc'!A0"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Returns a database with two participants, one of whom solves nothing."""
    good = Script("a" * 32, TRAP, trial=0, visit=1).play().moves("LRR", 0.5).add("solved")
    good.trial = 1
    good.play(CORRIDOR).moves("RuR", 0.5).add("give-up")
    bad = Script("b" * 32, TRAP, trial=0, visit=1, now=5).play().moves("RRRLL", 2)
    path = write_recording(tmp_path / "study.db", [good, bad])
    answers = [(0, "effort", "4"), (0, "how", HOSTILE), (None, "age", "-3"), (None, "sex", None)]
    add_study(path)
    add_participant(path, good, "<b>P1</b>", [TRAP, CORRIDOR], answers)
    add_participant(path, bad, HOSTILE, [TRAP, CORRIDOR], finished=False)
    return path


def export(database: Path, *arguments: str) -> Outcome:
    return run("traces", "export", str(database), *arguments)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_every_table_in_both_formats(study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    written = json.loads(export(study, "-o", str(folder), "--json").out)
    others = json.loads(export(study, "-o", str(folder), "--format", "parquet", "--json").out)
    assert len(written) == len(others) == len(TABLES)
    for table in TABLES:
        texts = rows_of(folder / f"{table.name}.csv")
        typed = pyarrow.parquet.read_table(folder / f"{table.name}.parquet")
        names = [column.name for column in table.columns]
        assert typed.schema.names == names
        assert len(texts) == len(typed) == written[str(folder / f"{table.name}.csv")]
        for text, value in zip(texts, typed.to_pylist(), strict=True):
            assert {name: as_text(value[name]) for name in names} == {
                name: each.removeprefix("'") for name, each in text.items()
            }
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_a_psych_ds_dataset_keeps_the_rules_of_its_schema(study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    written = json.loads(export(study, "-o", str(folder), "--format", "psych-ds", "--json").out)
    about = json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))
    assert (about["@context"], about["@type"]) == ("http://schema.org/", "Dataset")
    assert about["name"]
    assert about["description"]
    known = {each["name"] for each in about["variableMeasured"]}
    assert {each["@type"] for each in about["variableMeasured"]} == {"PropertyValue"}
    files = sorted((folder / "data").iterdir())
    assert sorted(written) == list(map(str, files))
    assert len(files) == len(TABLES)
    for file in files:
        assert re.fullmatch(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv", file.name)
        with file.open(newline="", encoding="utf-8") as opened:
            header, *rows = csv.reader(opened)
        assert set(header) <= known
        assert len(set(header)) == len(header)
        assert {len(row) for row in rows} <= {len(header)}
    assert {each.name for each in folder.iterdir()} == {
        "README.md",
        "dataset_description.json",
        "data",
    }


def as_text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).upper() if isinstance(value, bool) else str(value)


def test_what_the_tables_say(study: Path, tmp_path: Path) -> None:
    assert export(study, "-o", str(tmp_path / "data")).exit_code == 0
    games = rows_of(tmp_path / "data/games.csv")
    assert [(each["puzzle"], each["outcome"], each["block"]) for each in games] == [
        ("trap", "solved", "main"),
        ("corridor", "gave-up", "main"),
        ("trap", "unfinished", "main"),
    ]
    assert [each["best_length"] for each in games] == ["2", "3", "2"]
    assert [each["unsolvable_after"] for each in games] == ["", "", "3"]
    assert [each["unsolvable_moves"] for each in games] == ["0", "0", "2"]
    moves = rows_of(tmp_path / "data/moves.csv")
    trap = [each for each in moves if each["session"] == "b" * 32]
    assert [each["moved"] for each in trap] == ["A", "A M1", "A M1", "A", "A"]
    assert [each["solvable_after"] for each in trap] == ["TRUE", "TRUE", *["FALSE"] * 3]
    assert [each["best_after"] for each in trap] == ["1", "0", "", "", ""]
    assert [each["think_s"] for each in trap] == ["2.0"] * 5
    people = rows_of(tmp_path / "data/participants.csv")
    assert [(each["solved"], each["started"], bool(each["finished"])) for each in people] == [
        ("1", "2", True),
        ("0", "1", False),
    ]
    assert json.loads(people[0]["order"]) == ["trap", "corridor"]
    answers = rows_of(tmp_path / "data/answers.csv")
    assert [each["text"] for each in answers] == ["How hard was it?", "", "How old are you?", ""]
    assert [(each["puzzle"], each["answer"]) for each in answers] == [
        ("trap", "4"),
        ("trap", f"'{HOSTILE}"),
        ("", "-3"),
        ("", ""),
    ]


def test_nothing_of_a_link_leaves_with_anonymous(study: Path, tmp_path: Path) -> None:
    assert export(study, "-o", str(tmp_path / "data"), "--anonymous").exit_code == 0
    texts = "".join(path.read_text("utf-8") for path in (tmp_path / "data").glob("participants.*"))
    assert "P1" not in texts
    assert "STUDY_ID" not in texts
    assert export(study, "-o", str(tmp_path / "named")).exit_code == 0
    named = rows_of(tmp_path / "named/participants.csv")
    assert [each["participant"] for each in named] == ["<b>P1</b>", f"'{HOSTILE}"]


def test_the_codebook_explains_every_column(study: Path, tmp_path: Path) -> None:
    export(study, "-o", str(tmp_path / "data"), "--effort", "none")
    text = (tmp_path / "data/codebook.md").read_text("utf-8")
    assert text == codebook()
    for part in text.split("\n## ")[1:]:
        name = part.split("\n", 1)[0]
        explained = re.findall(
            r"^\| `(\w+)` \| ([\w ]+?)(?:, may be empty)? \| (.+) \|$", part, re.M
        )
        header = (tmp_path / "data" / f"{name}.csv").read_text("utf-8").splitlines()[0]
        assert [each[0] for each in explained] == header.split(",")
        assert {each[1] for each in explained} <= set(TYPES.values())


def test_without_planners_people_are_still_believed(study: Path, tmp_path: Path) -> None:
    assert export(study, "-o", str(tmp_path / "data"), "--effort", "none").exit_code == 0
    games = rows_of(tmp_path / "data/games.csv")
    assert [each["best_length"] for each in games] == ["2", "", "2"]
    assert games[0]["best_is_shortest"] == "FALSE"


def test_the_results_of_planners_are_kept(study: Path, tmp_path: Path) -> None:
    export(study, "-o", str(tmp_path / "one"), "--cache", str(tmp_path / "cache"))
    assert not study.with_name("study.db.measures").exists()
    again = export(
        study, "-o", str(tmp_path / "two"), "--effort", "none", "--cache", str(tmp_path / "cache")
    )
    assert again.exit_code == 0
    assert (tmp_path / "one/moves.csv").read_bytes() == (tmp_path / "two/moves.csv").read_bytes()
    (application,) = sqlite3.connect(tmp_path / "cache").execute("PRAGMA application_id").fetchone()
    assert application == APPLICATION_ID
    refused = export(study, "-o", str(tmp_path / "three"), "--cache", str(study))
    assert refused.exit_code == 2
    assert "--cache" in refused.err


def test_a_folder_that_cannot_be_written(study: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    outcome = export(study, "-o", str(tmp_path / "file" / "data"))
    assert outcome.exit_code == 2
    assert "cannot be written" in outcome.err


@pytest.mark.parametrize("what", ["absent.db", "text.db", "later.db"])
def test_files_that_are_no_recordings(what: str, tmp_path: Path) -> None:
    if what == "text.db":
        (tmp_path / what).write_text("no database " * 100)
    elif what == "later.db":
        write_recording(tmp_path / what, [])
        with sqlite3.connect(tmp_path / what) as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
    for command in (["export", "-o", str(tmp_path / "data")], ["info"]):
        outcome = run("traces", command[0], str(tmp_path / what), *command[1:])
        assert outcome.exit_code == 2
        assert what in outcome.err
        assert "Traceback" not in outcome.err
