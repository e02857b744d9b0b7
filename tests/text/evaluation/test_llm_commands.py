"""The commands of ``pushworld llm``: what they print and write, and that a key is nowhere in it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from pushworld.text import one_shot_prompt, tasks
from tests.cli.running import run
from tests.text.evaluation.evaluating import LIMIT, SET, scripted

KEY = "sk-test-3f9a1c77e2d84b60"
TASKS = (SET, "--limit", str(LIMIT))


def test_an_evaluation_ends_with_its_report(tmp_path: Path) -> None:
    with scripted() as (_, address):
        options = ["--url", address, "--model", "good", "-o", str(tmp_path / "good")]
        done = run("llm", "evaluate", *TASKS, *options)
        again = run("llm", "evaluate", *TASKS, *options)
    assert done.exit_code == again.exit_code == 0
    assert re.search(r"^good +100 % \(61–100\)", done.out, re.MULTILINE)
    assert f"{LIMIT} of {LIMIT} tasks answered, {LIMIT} solved" in done.err
    assert f"{LIMIT} of {LIMIT} tasks are answered already" in again.err
    assert (tmp_path / "good" / "report" / "report.html").is_file()


def test_a_spent_budget_is_no_success(tmp_path: Path) -> None:
    with scripted() as (_, address):
        options = ["--url", address, "--model", "good", "-o", str(tmp_path / "good")]
        done = run("llm", "evaluate", *TASKS, *options, "--max-requests", "2")
    assert done.exit_code == 13
    assert "not finished: 4 tasks without an answer: the budget of 2 requests is spent" in done.err


def test_no_output_contains_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model ``echo`` repeats the key, and the endpoint does when it refuses it."""
    monkeypatch.setenv("SECRET", KEY)
    told = []
    with scripted() as (server, address):
        common = [*TASKS, "--url", address, "--key-variable", "SECRET", "--retries", "0"]
        for model in ("echo", "good", "malformed", "unknown"):
            told.append(
                run("llm", "evaluate", *common, "--model", model, "-o", str(tmp_path / model))
            )
        assert len(server.asked) == 2 * LIMIT
        server.key = "another"
        told.append(run("llm", "evaluate", *common, "--model", "bad", "-o", str(tmp_path / "bad")))
        told.append(run("llm", "report", str(tmp_path), "-o", str(tmp_path / "r"), "--json"))
    assert [each.exit_code for each in told] == [0, 0, 2, 2, 2, 0]
    assert "[key]" in (tmp_path / "echo" / "journal.jsonl").read_text()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 10
    for text in [*(path.read_text() for path in files), *(each.out + each.err for each in told)]:
        assert KEY not in text


def test_several_contestants_in_one_report(tmp_path: Path) -> None:
    with scripted() as (_, address):
        for mode in ("one-shot", "interactive"):
            options = ["--url", address, "--model", "bad", "--mode", mode, "--undo"]
            run("llm", "evaluate", *TASKS, *options, "-o", str(tmp_path / "models" / mode))
    names = ["--baselines", "random,default"]
    done = run("llm", "baselines", *TASKS, *names, "-o", str(tmp_path / "programs"))
    assert done.exit_code == 0
    told = run("llm", "report", str(tmp_path / "models"), str(tmp_path / "programs"), "--json")
    labels = list(json.loads(told.out)["contestants"])
    assert sorted(labels) == ["bad (interactive)", "bad (one-shot)", "default", "random"]
    table = run(
        "llm", "report", str(tmp_path / "programs"), "--markdown", "--no-proofs", columns=30
    )
    assert "| default | 100 % (61–100) |" in table.out
    archive, place = str(tmp_path / "all.zip"), str(tmp_path / "r")
    run("llm", "report", str(tmp_path / "programs"), "--pack", archive, "-o", place)
    assert json.loads(run("llm", "report", archive, "--json", "-o", place).out) == json.loads(
        run("llm", "report", str(tmp_path / "programs"), "--json", "-o", place).out
    )


def test_the_first_entry_answers_the_tasks_of_this_version(tmp_path: Path) -> None:
    archive = Path(__file__).parents[3] / "benchmarks" / "results" / "language-models.zip"
    done = run("llm", "report", str(archive), "--no-proofs", "-o", str(tmp_path))
    assert "answers of a program" in done.out
    assert "Not verified" not in done.out  # made again when tasks or prompts change


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--model", "m", "--extra", "{"], "--extra is not valid JSON"),
        (["--model", "m", "--extra", "[]"], "--extra must be a JSON object"),
        (["--model", "m", "--key-variable", "UNSET_VARIABLE"], "'UNSET_VARIABLE' holds no key"),
        (["--model", "m", "--private-seed-variable", "UNSET_VARIABLE"], "holds no seed"),
        (["--model", "m", "--samples", "0"], "the number of samples must be 1 or more"),
        (["--model", "m", "--timeout", "nan"], "--timeout must be a positive number"),
        (["--model", "m", "--url", "localhost"], "must be an address"),
        ([], "--model"),
    ],
)
def test_mistakes_are_told_in_one_line(options: list[str], error: str, tmp_path: Path) -> None:
    done = run("llm", "evaluate", *TASKS, *options, "-o", str(tmp_path / "a"))
    assert done.exit_code == 2
    assert error in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "a").exists()


def test_without_httpx_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    done = run("llm", "evaluate", *TASKS, "--model", "m", "-o", str(tmp_path / "a"))
    assert done.exit_code == 2
    assert "pip install 'pushworld[llm]'" in done.err
    assert not (tmp_path / "a").exists()


def test_the_prompt_of_a_set_is_that_of_its_first_task() -> None:
    told = run("llm", "prompt", "evaluation", "--format", "json")
    assert told.out == one_shot_prompt(next(tasks("evaluation")).puzzle, format="json") + "\n"
    assert run("llm", "prompt", "no-such-set").exit_code == 2


def test_the_budget_that_a_prompt_tells_is_the_documented_one() -> None:
    (task,) = tasks("keyhole")
    assert task.best_known is not None
    told = run("llm", "prompt", "keyhole", "--mode", "interactive").out
    assert f"You have {max(40, 4 * task.best_known)} moves in all" in told


def test_folders_without_answers(tmp_path: Path) -> None:
    done = run("llm", "report", str(tmp_path))
    assert done.exit_code == 2
    assert "holds no evaluation" in done.err
