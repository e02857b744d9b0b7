"""Evaluations: all tasks are asked once, under one set of settings, whatever the model does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from pushworld.bench.tasks import digest_of
from pushworld.puzzle import PushWorldError
from pushworld.text import describe, one_shot_prompt
from pushworld.text.evaluation import Budget, Endpoint, evaluate, read_evaluation
from pushworld.text.evaluation import endpoint as endpoint_module
from pushworld.text.evaluation.journal import JOURNAL, TASKS, EvaluationError, opened_journal
from pushworld.text.evaluation.outcomes import outcome_of
from pushworld.text.evaluation.runner import MOST_FAILURES
from pushworld.text.evaluation.settings import hidden_seed
from tests.text.evaluation.evaluating import LIMIT, ask, few_tasks, scripted, settings
from tests.text.evaluation.replies import Replies, completion
from tests.text.evaluation.server import serving

DIGESTS = [digest_of(task.puzzle) for task in few_tasks()]


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "FIRST_WAIT", 0.0)


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of a finished evaluation, to be copied."""
    folder = tmp_path_factory.mktemp("answered") / "a"
    with scripted() as (_, address):
        ask(folder, address)
    return folder


def statuses(folder: Path) -> list[str]:
    found = read_evaluation(folder)
    return [outcome_of(found, digest).status for digest in found.tasks]


@pytest.mark.parametrize("mode", ["one-shot", "interactive"])
@pytest.mark.parametrize(
    ("format", "notation"),
    [("grid", "letters"), ("objects", "words"), ("json", "numbers"), ("none", "letters")],
)
def test_a_good_model_solves_everything_however_it_is_asked(
    mode: str, format: str, notation: str, tmp_path: Path
) -> None:
    with scripted() as (_, address):
        result = ask(
            tmp_path / "a",
            address,
            mode=mode,
            format=format,
            notation=notation,
            picture=format == "none",
        )
    assert (result.unanswered, result.reason) == (0, "")
    for digest in DIGESTS:
        score = outcome_of(result.evaluation, digest).score
        assert score.solved
        assert score.moves == score.best_known


def test_a_bad_model_is_no_better_in_turns(tmp_path: Path) -> None:
    with scripted() as (_, address):
        for mode in ("one-shot", "interactive"):
            ask(tmp_path / mode, address, "bad", mode=mode, max_turns=20)
    at_once, in_turns = (
        [status == "solved" for status in statuses(tmp_path / mode)]
        for mode in ("one-shot", "interactive")
    )
    assert any(at_once)
    assert not all(in_turns)


def test_what_is_sent_is_the_prompt_and_the_picture(tmp_path: Path) -> None:
    server = Replies(few_tasks(), replies=[completion("<plan>L</plan>")])
    with serving(server) as address:
        ask(tmp_path / "a", address, picture=True)
    sent = [body["messages"][0]["content"] for body in server.bodies]
    prompts = [one_shot_prompt(task.puzzle, picture=True) for task in few_tasks()]
    assert sorted(text["text"] for text, _ in sent) == sorted(prompts)
    assert all(
        image["image_url"]["url"].startswith("data:image/png;base64,iVBOR") for _, image in sent
    )


def test_pictures_and_history_of_an_episode(tmp_path: Path) -> None:
    server = Replies(few_tasks(), replies=[completion("<plan>L</plan>"), completion("no idea")])
    with serving(server) as address:
        one = settings("m", mode="interactive", limit=1, picture=True, history=1, budget=4)
        evaluate(tmp_path / "a", one, Endpoint(address, "m", concurrency=1))
    assert [len(body["messages"]) for body in server.bodies] == [1, 3, 3, 3, 3, 3]
    (known,) = read_evaluation(tmp_path / "a").tasks.values()
    moved = known.puzzle.step(known.puzzle.initial_state, 0)
    for body in server.bodies[1:]:
        prompt, answer, last = body["messages"]
        assert describe(known.puzzle, moved, legend=False) in last["content"][0]["text"]
        assert describe(known.puzzle) in prompt["content"][0]["text"]
        assert answer["role"] == "assistant"
        assert last["content"][1]["type"] == "image_url"


@pytest.mark.parametrize("mode", ["one-shot", "interactive"])
def test_nothing_that_was_answered_is_asked_again(mode: str, tmp_path: Path) -> None:
    with scripted() as (server, address):
        first = ask(tmp_path / "a", address, mode=mode, budget_of=Budget(max_requests=4))
        assert first.unanswered
        assert first.reason == "the budget of 4 requests is spent"
        done = list(server.asked)
        assert len(done) == 4
        second = ask(tmp_path / "a", address, mode=mode)
        third = ask(tmp_path / "a", address, mode=mode)
    assert second.unanswered == third.unanswered == 0
    assert len(server.asked) == len(set(server.asked)), "a turn was asked twice"
    assert set(done) < set(server.asked)
    assert statuses(tmp_path / "a") == ["solved"] * LIMIT


def test_tokens_are_a_budget_too(tmp_path: Path) -> None:
    with scripted() as (server, address):
        result = ask(tmp_path / "a", address, budget_of=Budget(max_tokens=10))
        assert "10 tokens is spent" in result.reason
        assert 1 <= len(server.asked) < LIMIT
        again = ask(tmp_path / "a", address, budget_of=Budget(max_tokens=10))
    assert again.unanswered == result.unanswered, "tokens of earlier runs count"


@pytest.mark.parametrize(
    "changes",
    [
        {"body": {"temperature": 1}},
        {"notation": "words"},
        {"mode": "interactive"},
        {"picture": True},
        {"limit": LIMIT - 1},
        {"tasks_seed": "1"},
        {"name": "another"},
    ],
)
def test_other_settings_are_refused(
    changes: dict[str, Any], answered: Path, tmp_path: Path
) -> None:
    copytree(answered, tmp_path / "a")
    with pytest.raises(PushWorldError, match="made for another request, with another"):
        ask(tmp_path / "a", "http://127.0.0.1:9/v1", **changes)
    assert (tmp_path / "a" / JOURNAL).read_bytes() == (answered / JOURNAL).read_bytes()


def test_a_folder_has_one_writer(answered: Path, tmp_path: Path) -> None:
    copytree(answered, tmp_path / "a")
    evaluation = read_evaluation(tmp_path / "a")
    with (
        opened_journal(tmp_path / "a", evaluation.settings, list(evaluation.tasks.values())),
        pytest.raises(PushWorldError, match="another process is adding"),
    ):
        ask(tmp_path / "a", "http://127.0.0.1:9/v1")


def test_folders_of_other_things_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("important")
    with scripted() as (_, address), pytest.raises(PushWorldError, match="not empty"):
        ask(tmp_path, address)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_limited_model_is_asked_until_it_answers(tmp_path: Path) -> None:
    with scripted() as (server, address):
        result = ask(tmp_path / "a", address, "limited", retries=20)
    assert statuses(tmp_path / "a") == ["solved"] * LIMIT
    assert result.evaluation.requests == server.requests > LIMIT


def test_a_model_that_never_answers_ends_the_evaluation(tmp_path: Path) -> None:
    with scripted() as (_, address):
        with pytest.raises(PushWorldError, match="answers nothing: the response is no chat"):
            ask(tmp_path / "a", address, "malformed")
        assert statuses(tmp_path / "a") == ["no answer"] * LIMIT


def test_a_model_that_answers_no_longer_ends_it_too(tmp_path: Path) -> None:
    server = Replies([], replies=[completion("<plan>L</plan>"), (500, b"down", {})])
    many = settings("m", sources=("bundled",), limit=None)
    with serving(server) as address:
        endpoint = Endpoint(address, "m", concurrency=1, retries=0)
        with pytest.raises(PushWorldError, match=f"{MOST_FAILURES} tasks in a row.*HTTP 500: down"):
            evaluate(tmp_path / "a", many, endpoint)
        assert len(server.bodies) == 1 + MOST_FAILURES
        server.replies = [completion("<plan>L</plan>")]
        server.bodies.clear()
        result = evaluate(tmp_path / "a", many, Endpoint(address, "m"))
    assert result.unanswered == 0
    assert len(server.bodies) == len(result.evaluation.tasks) - 1, (
        "only the answer is not asked again"
    )


def test_a_wrong_model_or_key_ends_it_at_once(tmp_path: Path) -> None:
    with scripted(key="right") as (_, address):
        with pytest.raises(PushWorldError, match=r"HTTP 401.*--key-variable"):
            ask(tmp_path / "a", address, key="wrong")
        with pytest.raises(PushWorldError, match=r"HTTP 404.*'unknown' does not exist.*--model"):
            ask(tmp_path / "b", address, "unknown", key="right")
        assert ask(tmp_path / "c", address, key="right").unanswered == 0


def test_endless_episodes_end(tmp_path: Path) -> None:
    with scripted() as (server, address):
        ask(tmp_path / "a", address, "malicious", mode="interactive", max_turns=7)
    by_task = [sum(digest == key for _, digest, _ in server.asked) for key in DIGESTS]
    assert max(by_task) <= 7
    assert "solved" not in statuses(tmp_path / "a")


def test_a_huge_answer_is_not_stored(tmp_path: Path) -> None:
    with scripted() as (_, address):
        ask(tmp_path / "a", address, "malicious")
    assert (tmp_path / "a" / JOURNAL).stat().st_size < 100_000
    turns = [turn for each in read_evaluation(tmp_path / "a").turns.values() for turn in each]
    assert "too-long" in {turn.finish for turn in turns}
    assert any("<script>" in (turn.answer or "") for turn in turns)


def test_an_incomplete_last_line_is_asked_again(tmp_path: Path) -> None:
    with scripted() as (server, address):
        ask(tmp_path / "a", address)
        journal = tmp_path / "a" / JOURNAL
        whole = journal.read_bytes()
        journal.write_bytes(whole[:-30])
        assert len(read_evaluation(tmp_path / "a").turns) == LIMIT - 1
        server.asked.clear()
        assert ask(tmp_path / "a", address).unanswered == 0
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "error"),
    [
        (JOURNAL, '"turn": 0', '"turn": 5', "does not follow"),
        (JOURNAL, '"task": "', '"task": "0', "does not follow"),
        (JOURNAL, '"answer": "', '"answer": 7, "x": "', "damaged"),
        (JOURNAL, '"journal": 2', '"journal": 1', "another version"),
        (JOURNAL, '"mode": "one-shot"', '"mode": "telepathy"', "there is no mode"),
        (JOURNAL, '"tasks_seed": "0"', '"tasks_seed": 0', "must be texts"),
        (TASKS, '"key": "', '"key": "0', "another digest"),
        (TASKS, '"plan": "', '"plan": "X', "damaged"),
        (TASKS, '"plan": "', '"plan": "LLLLLL", "skills": [], "x": "', "damaged"),
    ],
)
def test_damaged_folders(
    file: str, old: str, new: str, error: str, answered: Path, tmp_path: Path
) -> None:
    copytree(answered, tmp_path / "a")
    path = tmp_path / "a" / file
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(EvaluationError, match=error):
        read_evaluation(tmp_path / "a")


def test_a_private_seed_is_in_no_file(tmp_path: Path) -> None:
    secret = "correct horse battery staple"
    private = settings("m", sources=("generated:1",), limit=3, tasks_seed=hidden_seed(secret))
    server = Replies([], replies=[completion("<plan>L</plan>")])
    with serving(server) as address:
        result = evaluate(tmp_path / "a", private, Endpoint(address, "m"), seed=secret)
        with pytest.raises(PushWorldError, match="private seed, and this is not it"):
            evaluate(tmp_path / "a", private, Endpoint(address, "m"), seed=secret + "!")
        with pytest.raises(PushWorldError, match="private seed"):
            evaluate(tmp_path / "a", private, Endpoint(address, "m"))
    assert len(result.evaluation.tasks) == 3
    public = replace(private, tasks_seed="0")
    with serving(server) as address:
        other = evaluate(tmp_path / "b", public, Endpoint(address, "m"))
    assert not result.evaluation.tasks.keys() & other.evaluation.tasks.keys()
    for path in (tmp_path / "a").iterdir():
        assert secret not in path.read_text()
        assert json.dumps(secret) not in path.read_text()
    with pytest.raises(PushWorldError, match="at least 16"):
        hidden_seed("short")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"sources": ("generated:1",), "limit": None}, "have no end.*--limit"),
        ({"sources": ("no-such-set",)}, "no-such-set"),
        ({"body": {"messages": []}}, "sets 'messages' itself"),
        ({"format": "none"}, "--picture"),
        ({"budget": 0}, "budget of moves"),
        ({"history": -1}, "exchanges"),
        ({"model": "", "name": ""}, "--model"),
    ],
)
def test_settings_that_make_no_sense(changes: dict[str, Any], error: str, tmp_path: Path) -> None:
    with pytest.raises(PushWorldError, match=error):
        evaluate(tmp_path / "a", settings(**changes), Endpoint("http://127.0.0.1:9/v1", "good"))
    assert not (tmp_path / "a").exists()
