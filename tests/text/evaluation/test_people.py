"""People are asked what models are asked, in a study, and stand in the same table."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from PIL import Image

from pushworld.puzzle import PushWorldError
from pushworld.text import question_of
from pushworld.text.evaluation.settings import Settings, tasks_of
from pushworld.web.studies.study_file import load_study
from tests.cli.running import run
from tests.web.studies.taking_part import Person, effective, rows, study_file, study_server

ASKED = ("stream:2", "--limit", "2", "--ask", "see,plan")


def output(*arguments: str) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, done.err
    return done.out


def test_people_answer_the_tasks_of_models(tmp_path: Path) -> None:
    """One answers everything right; another sees one thing right, one wrong, and gives up."""
    output("llm", "study", *ASKED, "-o", str(tmp_path))
    chosen = tasks_of(
        Settings("people", "people", sources=("stream:2",), limit=2, asks=("see", "plan"))
    ).values()
    plans = {task.puzzle.to_pwp(): task.plan or "" for task in chosen}
    right = {
        question_of(task).text: question_of(task).right for task in chosen if task.kind == "see"
    }
    file = tmp_path / "study.toml"
    with study_server(file) as server, httpx.Client(base_url=server.address) as client:
        for name, knows in (("good", [True, True]), ("poor", [True, False])):
            person = Person(client, name)
            person.go("consent", agreed=True)
            person.go("continue")
            while person.now["stage"] != "finished":
                if person.now["stage"] == "questions":
                    asked = person.now["questions"]
                    (question,) = asked["questions"]
                    assert asked["picture"].startswith("data:image/png;base64,")
                    (answer,) = right[question["text"].partition("\nFor example")[0]]
                    given = answer if knows.pop() else question["text"][-12:]
                    person.go("answers", trial=asked["trial"], answers={question["id"]: given})
                    continue
                start = person.event("start")
                if name == "poor":
                    person.send(start, person.event("give-up"))
                else:
                    pwp = person.now["puzzle"]["pwp"]
                    person.send(start, *person.moves(effective(pwp, plans[pwp])))
    done = rows(tmp_path / "study.db", "SELECT outcome, ended_ms >= started_ms FROM trials")
    assert sorted(done) == [("answered", 1)] * 4 + [("gave-up", 1)] * 2 + [("solved", 1)] * 2
    people = ("--baselines", "people", "--people", str(tmp_path / "study.db"))
    output("llm", "baselines", *ASKED, *people, "-o", str(tmp_path / "runs"))
    told = json.loads(output("llm", "report", str(tmp_path / "runs"), "--json"))
    counts = {
        each["task"]: (each["solved"], each["solved_of"])
        for each in told["figures"]
        if each["difficulty"] == "all"
    }
    assert counts == {"see": (3, 4), "plan": (2, 4)}
    shown = output("llm", "report", str(tmp_path / "runs"), "--markdown")
    assert "3 of 4: 75 %" in shown
    assert "2 of 4: 50 %" in shown


def test_a_question_needs_a_picture_and_every_puzzle_a_question(tmp_path: Path) -> None:
    asks = """
[[blocks]]
name = "see"
puzzles = ["first-push", "crossroads"]
[blocks.asks]
first-push = "What is it?"
"""
    with pytest.raises(PushWorldError, match="crossroads: is missing"):
        load_study(study_file(tmp_path, asks))
    file = study_file(tmp_path, asks + 'crossroads = "And this?"\n')
    with pytest.raises(PushWorldError, match="needs a picture"):
        load_study(file)
    for name in ("first-push", "crossroads"):
        Image.new("RGB", (2, 2)).save(tmp_path / f"{name}.png")
    study = load_study(file)
    assert study.question_of("see", "crossroads") is not None
    assert not study.needs_solver
