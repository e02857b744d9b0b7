"""The taskset and the environment inside verifiers, with a scripted model behind a real endpoint."""

from __future__ import annotations

import asyncio
import json
import sys
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from runpy import run_module
from typing import Any

import pytest
import verifiers.v1 as vf
from verifiers.v1.harnesses.utils.launch import CHAT_PROGRAM_SOURCE
from verifiers.v1.runtimes.subprocess import SubprocessRuntime
from verifiers.v1.utils.loaders import environment_class, taskset_class

from pushworld.puzzle import Puzzle
from pushworld.text import picture, question_of, tasks
from pushworld.text.adapters.verifiers import (
    PushWorldData,
    PushWorldEnv,
    PushWorldTask,
    PushWorldTaskset,
    load_environment,
)
from tests.text.evaluation.server import ScriptedServer, completion, serving

Answer = Callable[[list[dict[str, Any]]], str]
"""Answers the messages of a conversation."""


@pytest.fixture(autouse=True)
def no_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the chat program run in this environment, not in one that uv would download."""
    name = sha256(CHAT_PROGRAM_SOURCE.encode()).hexdigest()
    program = tmp_path / f"{name}.py"
    program.write_text(CHAT_PROGRAM_SOURCE)
    monkeypatch.setattr(SubprocessRuntime, "scripts_dir", str(tmp_path))
    monkeypatch.setattr(SubprocessRuntime, "_interpreters", {str(program): sys.executable})
    monkeypatch.setattr("verifiers.v1.runtimes.subprocess.CACHE_DIR", tmp_path)


@dataclass
class Model(ScriptedServer):
    """An endpoint that answers the messages of a conversation."""

    answer: Answer = str

    def respond(self, body: bytes, authorization: str) -> tuple[int, bytes, dict[str, str]]:
        request = json.loads(body)
        return completion(
            "scripted", self.answer(request["messages"]), len(body), request["stream"]
        )


def played(env: PushWorldEnv, model: Answer) -> Any:
    """Returns the only trace of the first task, played by a model."""

    async def play(url: str) -> Any:
        context = vf.ModelContext(model="scripted", client=vf.EvalClientConfig(base_url=url))
        async with env.serving():
            (slot,) = env.slots(next(iter(env.taskset)))
            return await env.run_slot(slot, context)

    with serving(Model([], answer=model)) as url:
        episode = asyncio.run(play(url))
    assert episode.ok, episode
    (trace,) = episode.traces
    return trace


def block(plan: str) -> str:
    return f"I push.\n<plan>{plan}</plan>"


def shortest(env: PushWorldEnv) -> str:
    """Returns the shortest plan of the first task."""
    plan = next(iter(env.taskset)).task.plan
    assert isinstance(plan, str)
    return plan


def scored_again(trace: Any) -> tuple[object, object]:
    """Returns the rewards and metrics that ``vf-replay`` computes from a file of traces."""
    saved = trace.task.data.model_dump_json(exclude_none=True)
    copy = trace.model_copy(update={"rewards": {}, "metrics": {}})
    asyncio.run(PushWorldTask(PushWorldData.model_validate_json(saved)).score(copy))
    return copy.rewards, copy.metrics


def test_verifiers_finds_the_classes_by_the_id() -> None:
    assert taskset_class("pushworld-v1") is PushWorldTaskset
    assert environment_class("pushworld-v1") is PushWorldEnv


def test_vf_eval_asks_the_scripted_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    known = list(tasks("evaluation", limit=1))
    options = "eval pushworld-v1 -m good -n 1 --no-push --env.taskset.source evaluation"
    with serving(ScriptedServer(known)) as address:
        options += f" --env.taskset.limit 1 --client.base-url {address}"
        monkeypatch.setattr(sys, "argv", ["vf", *options.split()])
        run_module("pushworld.text.adapters.vf", run_name="__main__")
    assert "reward 1.00 · err 0.00" in capsys.readouterr().out


def test_one_shot() -> None:
    env = load_environment(source="generated:2", seed="one", limit=1)
    plan = shortest(env)
    trace = played(env, lambda messages: block(plan))
    assert trace.reward == 1.0
    assert scored_again(trace) == (trace.rewards, trace.metrics)
    assert trace.metrics["solved"] == 1
    assert trace.metrics["moves"] == len(plan)
    assert trace.metrics["illegal_answers"] == 0
    first = played(env, lambda messages: block(plan[0]))
    assert 0 < first.metrics["progress"] < 1
    assert first.metrics["dead_end"] == 0


def test_other_questions() -> None:
    env = load_environment(source="evaluation", limit=1, ask=["see"])
    (task,) = env.taskset
    trace = played(env, lambda messages: f"<answer>{question_of(task.task).right[0]}</answer>")
    assert trace.reward == 1.0


def test_the_prompt_has_no_name_and_no_plan() -> None:
    for task in load_environment(source="bundled").taskset.take(5):
        assert task.data.name not in task.data.prompt
        assert task.task.plan not in task.data.prompt
        assert asyncio.run(task.validate(None))


def test_interactive_with_pictures() -> None:
    env = load_environment(
        **{"source": "generated:1", "seed": "two", "limit": 1, "interactive": True},
        **{"undo": True, "picture": True, "format": None},
    )
    plan = shortest(env)
    seen: list[list[dict[str, Any]]] = []

    def model(messages: list[dict[str, Any]]) -> str:
        seen.append(messages)
        answers = [block(plan[0]), "<undo>1</undo>", "I do not know.", block(plan)]
        return answers[len(seen) - 1]

    trace = played(env, model)
    assert trace.metrics["solved"] == 1
    assert trace.metrics["illegal_answers"] == 1
    assert trace.metrics["moves"] == len(plan) + 1
    assert trace.reward == 0.5 + 0.5 * len(plan) / (len(plan) + 1)

    puzzle = Puzzle.parse(trace.task.data.task["puzzle"])
    *_, state = puzzle.replay(plan[0])
    for messages, shown in zip(seen, (None, state, None, None), strict=True):
        text, image = messages[-1]["content"]
        assert text["type"] == "text"
        assert b64decode(image["image_url"]["url"].partition(",")[2]) == picture(puzzle, shown)
    assert scored_again(trace) == (trace.rewards, trace.metrics)
    assert "There is no <plan> block." in seen[3][-1]["content"][0]["text"]


def test_every_episode_ends() -> None:
    env = load_environment(source="generated:3", limit=1, interactive=True, budget=4)
    replies = iter(["x" * 1_100_000, block("LRLRLR")])
    trace = played(env, lambda messages: next(replies))
    assert trace.num_turns == 2
    assert trace.metrics["solved"] == 0
    assert trace.metrics["moves"] == 4
    assert trace.metrics["illegal_answers"] == 1
    assert 0 <= trace.reward <= 0.25


def test_generated_tasksets_have_no_end() -> None:
    endless = load_environment(source="generated:1").taskset
    assert not endless.bounded
    first = [task.data for task in endless.take(2)]
    again = [task.data for task in load_environment(source="generated:1", limit=2).taskset]
    assert [data.task for data in first] == [data.task for data in again]
    assert load_environment(source="bundled").taskset.bounded
