"""The study file: the example passes, and every fault has its line and key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pushworld.puzzle import PushWorldError
from pushworld.web.studies.checked_table import line_of
from pushworld.web.studies.study import Rules
from pushworld.web.studies.study_file import (
    EXAMPLE,
    StudyFileError,
    load_study,
    remarks,
)
from tests.cli.running import run
from tests.web.studies.taking_part import HEAD, ONE_PUZZLE, study_file


def test_the_example_passes_the_check(tmp_path: Path) -> None:
    path = tmp_path / "my study.toml"
    assert run("study", "init", str(path)).exit_code == 0
    assert run("study", "init", str(path)).exit_code == 2
    checked = run("study", "check", str(path))
    assert checked.exit_code == 0
    assert "6 puzzles in 2 blocks, 1 condition" in checked.out
    assert "note:" not in checked.out
    facts = json.loads(run("study", "check", str(path), "--json").out)
    assert facts["faults"] == []
    study = load_study(path)
    assert study.rules_of("main", None) == Rules(time_limit=300, give_up_after=60)
    assert study.rules_of("practice", None) == Rules()


def test_the_lines_of_the_examples_keys() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    lines = text.splitlines()
    for path, expected in (
        (("title",), "title = "),
        (("consent",), 'consent = """'),
        (("blocks", 1, "name"), 'name = "main"'),
        (("blocks", 1, "puzzles", 2), 'puzzles = ["keyhole"'),
        (("questions", "end", 2, "id"), 'id = "strategy"'),
        (("rules", "none"), "[rules]"),
    ):
        assert lines[line_of(text, path) - 1].startswith(expected)


def test_lines_after_texts_and_lists_that_look_like_keys() -> None:
    text = '''
a = """
[b]
c = 1 "" \\""" # not the end
"""
d = [ # one
  "x = ]", # two
  [1, 2],
  {y = "}"},
]
"e.f".g = 'h = #"' # i = 2
[[j.k]]
l = {m = 1}
[[j.k]]
[j.k.n]
o = \'\'\'
p = 1\'\'\'
q = 2
'''
    expected: dict[tuple[str | int, ...], int] = {
        ("a",): 2,
        ("d",): 6,
        ("d", 0): 7,
        ("d", 1): 8,
        ("d", 2): 9,
        ("e.f", "g"): 11,
        ("j", "k", 0): 12,
        ("j", "k", 0, "l"): 13,
        ("j", "k", 1): 14,
        ("j", "k", 1, "n"): 15,
        ("j", "k", 1, "n", "o"): 16,
        ("j", "k", 1, "n", "q"): 18,
    }
    assert {path: line_of(text, path) for path in expected} == expected


@pytest.mark.parametrize(
    ("text", "line", "key", "problem"),
    [
        ("[rules]\ntime_limit = -1\n", 2, "rules.time_limit", "must be a number from 0"),
        ("[rules]\n\nundo = 1\n", 3, "rules.undo", "must be true or false"),
        ("[rules]\nmove_limit = 2.5\n", 2, "rules.move_limit", "must be a whole number"),
        ("[rules]\nmove_limit = true\n", 2, "rules.move_limit", "must be a whole number"),
        ("[rules]\nhnits = true\n", 2, "rules.hnits", "did you mean hints?"),
        ("rules = 3\n", 1, "rules", "must be a table: [rules]"),
        ("[[blocks]]\npuzzles = ['keyhole']\n", 1, "blocks[2].name", "is missing"),
        ("[[blocks]]\nname = 'main'\npuzzles = ['keyhole']\n", 2, "blocks[2].name", "taken by"),
        ("[[blocks]]\nname = 'x'\npuzzles = []\n", 3, "blocks[2].puzzles", "at least one puzzle"),
        (
            "[[blocks]]\nname = 'x'\npuzzles = ['keyhole',\n'keyholes']\n",
            4,
            "blocks[2].puzzles[2]",
            "there is no puzzle 'keyholes': did you mean 'keyhole'",
        ),
        (
            "[[blocks]]\nname = 'x'\npuzzles = ['keyhole', 'keyhole']\n",
            3,
            "blocks[2].puzzles[2]",
            "in this list twice",
        ),
        (
            "[[blocks]]\nname = 'x'\npuzzles = ['keyhole']\norder = 'any'\n",
            4,
            "blocks[2].order",
            "one",
        ),
        (
            "[participants]\nparameters = ['a b']\n",
            2,
            "participants.parameters[1]",
            "a letter, then",
        ),
        ("[participants]\nid = 'X'\n", 2, "participants.id", "one of PROLIFIC_PID"),
        ("[[questions.end]]\nid = 'a'\ntext = 'b'\n", 1, "questions.end[1].kind", "is missing"),
        (
            "[[questions.end]]\nid = 'a'\ntext = 'b'\nkind = 'likert'\nlabels = ['c']\n",
            5,
            "questions.end[1].labels",
            "two texts",
        ),
        (
            "[[questions.end]]\nid = 'a'\ntext = 'b'\nkind = 'text'\noptions = ['c']\n",
            5,
            "questions.end[1].options",
            "no such key",
        ),
        ("[[conditions]]\nname = '<script>'\n", 2, "conditions[1].name", "a letter, then"),
        ("thanks = 'a\\u0000b'\n".replace("'", '"'), 1, "thanks", "without control characters"),
        ("block_order = 3\n", 1, "block_order", "one of fixed, random, counterbalanced"),
        ("seed = 1e99\n", 1, "seed", "whole number"),
    ],
)
def test_each_fault_has_its_line_and_key(
    tmp_path: Path, text: str, line: int, key: str, problem: str
) -> None:
    # Keys of the whole file come before its tables, tables after them.
    first, second = ("", text) if text.startswith("[") else (text, "")
    path = study_file(tmp_path, ONE_PUZZLE + second, first + HEAD)
    with pytest.raises(StudyFileError) as found:
        load_study(path)
    (fault,) = found.value.faults
    before = (HEAD + ONE_PUZZLE).count("\n") if second else 0
    assert (fault.line - before, fault.key) == (line, key)
    assert problem in fault.problem
    shown = run("study", "check", str(path))
    assert shown.exit_code == 2
    assert f"study.toml, line {fault.line}: {key}: " in shown.err


def test_all_faults_are_shown_at_once(tmp_path: Path) -> None:
    path = study_file(tmp_path, "[rules]\nundo = 1\nredo = 2\n", 'title = "x"\n')
    outcome = run("study", "check", str(path), "--json")
    keys = [fault["key"] for fault in json.loads(outcome.out)["faults"]]
    assert sorted(keys) == ["blocks", "consent", "rules.redo", "rules.undo"]
    outcome = run("play", "--study", str(path))
    assert outcome.exit_code == 2
    assert "and 3 more: pushworld study check" in outcome.err


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'title = "x"\nconsent = \n', "line 2"),
        (b'title = "x"\n\ntitle = "y"\n', "line 3"),
        (b'title = "x"\nconsent = "\xff"\n', "line 2"),
        (b'title = "x', "line 1"),
    ],
)
def test_what_is_no_toml_has_a_line_too(tmp_path: Path, data: bytes, place: str) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(data)
    with pytest.raises(PushWorldError, match=f"study.toml, {place}"):
        load_study(path)
    with pytest.raises(PushWorldError, match="cannot be read"):
        load_study(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "example.org", "https://{Y}", "http:// x"]
)
def test_redirects_lead_to_web_pages(tmp_path: Path, address: str) -> None:
    with pytest.raises(StudyFileError, match=r"completion\.redirect"):
        load_study(study_file(tmp_path, f'redirect = "{address}"\n' + ONE_PUZZLE))


def test_puzzles_next_to_the_file_that_make_no_sense(tmp_path: Path) -> None:
    (tmp_path / "keyhole").write_text("no puzzle, but a file of that name")
    (tmp_path / "good.pwp").write_text("A M1 G1\n")
    (tmp_path / "no-goal.pwp").write_text("A M1 .\n")
    (tmp_path / "solved.pwp").write_text("A M1+G1 .\n")
    (tmp_path / "broken.pwp").write_text("A A .\n. . A\n")
    names = ["keyhole", "good.pwp", "no-goal.pwp", "solved.pwp", "broken.pwp"]
    path = study_file(tmp_path, f'[[blocks]]\nname = "x"\npuzzles = {json.dumps(names)}\n')
    with pytest.raises(StudyFileError) as found:
        load_study(path)
    problems = [fault.problem for fault in found.value.faults]
    assert len(problems) == 3
    assert "no goals" in problems[0]
    assert "solved from the start" in problems[1]


def test_what_may_surprise_the_author_is_remarked(tmp_path: Path) -> None:
    rules = "[rules]\nundo = false\nreset = false\ngive_up = false\n"
    path = study_file(tmp_path, rules + ONE_PUZZLE, HEAD.replace('code = "CODE42"', ""))
    assert len(list(remarks(load_study(path)))) == 3
    assert run("study", "check", str(path)).out.count("note: ") == 3


def test_a_study_names_its_puzzles_itself(tmp_path: Path) -> None:
    path = study_file(tmp_path)
    assert run("play", "--study", str(path), "--puzzles", "bundled").exit_code == 2
    assert run("play", "keyhole", "--study", str(path)).exit_code == 2
    hints = study_file(tmp_path, "[rules]\nhints = true\n" + ONE_PUZZLE)
    outcome = run("play", "--study", str(hints), "--no-solver")
    assert outcome.exit_code == 2
    assert "leave out --no-solver" in outcome.err
