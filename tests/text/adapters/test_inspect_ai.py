"""The tasks inside Inspect; its mock model only carries what our scripted models answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pushworld.text import Task, tasks
from tests.text.evaluation.server import ScriptedServer

pytest.importorskip("inspect_ai", reason="needs inspect-ai: make test-inspect")

from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from pushworld.text.adapters import inspect_ai as adapter

Script = Callable[[list[Any]], ModelOutput]
SOURCE = {"source": "stream:3", "limit": 4, "seed": "0"}

SOLVER = """
import json
world = json.load(open("puzzle.json"))
w, h = world["width"], world["height"]
border = {(x, y) for x in range(w) for y in range(h) if x in (0, w - 1) or y in (0, h - 1)}
walls = border | set(map(tuple, world["walls"]))
agent_walls = walls | set(map(tuple, world["agent_walls"]))
start = tuple(frozenset(map(tuple, cells)) for cells in [world["agent"], *(o["cells"] for o in world["objects"])])
goals = {i: frozenset(map(tuple, o["goal"])) for i, o in enumerate(world["objects"], 1) if "goal" in o}

def step(state, dx, dy):
    after, queue = list(state), [0]
    for i in queue:
        after[i] = frozenset((x + dx, y + dy) for x, y in state[i])
        if after[i] & (walls if i else agent_walls):
            return state
        queue += [j for j, cells in enumerate(state) if j not in queue and cells & after[i]]
    return tuple(after)

plans = {start: ""}
for state in (queue := [start]):
    if all(state[i] == cells for i, cells in goals.items()):
        print(plans[state])
        break
    for letter, move in {"L": (-1, 0), "R": (1, 0), "U": (0, -1), "D": (0, 1)}.items():
        after = step(state, *move)
        if after not in plans:
            plans[after] = plans[state] + letter
            queue.append(after)
"""
"""What a model might write that solves puzzles by a program."""


def run(name: str, script: Script, folder: Path, **options: Any) -> EvalLog:
    """Returns the log of a task, found as users name it."""

    def output(messages: list[Any], *_: object) -> ModelOutput:
        """Returns the answer; without counts, the mock model would download a tokenizer."""
        return script(messages).model_copy(update={"usage": ModelUsage(total_tokens=1)})

    mock = get_model("mockllm/scripted", custom_outputs=output, memoize=False)
    (log,) = evaluate(
        f"pushworld/{name}",
        model=mock,
        task_args=SOURCE | options,
        log_dir=str(folder),
        display="none",
    )
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[tuple[str, str], float]:
    """Returns the figures of a log by score and name."""
    assert log.results is not None
    return {
        (score.name, metric.name): metric.value
        for score in log.results.scores
        for metric in score.metrics.values()
    }


def scripted(model: str, source: str = "stream:3", limit: int = 4) -> Script:
    """Returns how a scripted model answers messages about tasks."""
    server = ScriptedServer(list(tasks(source, limit=limit, seed="0")))

    def answer(messages: list[Any]) -> ModelOutput:
        sent = [{"role": each.role, "content": each.text} for each in messages]
        body = json.dumps({"model": model, "messages": sent}).encode()
        _, reply, _ = server.respond(body, "")
        return ModelOutput.from_content(
            model, json.loads(reply)["choices"][0]["message"]["content"]
        )

    return answer


def test_the_four_tasks(tmp_path: Path) -> None:
    about: dict[str, Any] = {"source": "evaluation", "limit": 8}
    found = metrics(run("pushworld", scripted("optimist", **about), tmp_path, **about))
    for kind in ("see", "simulate", "push", "plan"):
        assert found["solved", kind] == 1
    assert found["solved", "judge"] < 1
    assert 0 < found["reward", "mean"] < 1


def test_one_question_in_other_words(tmp_path: Path) -> None:
    options = {"ask": "plan", "notation": "words", "format": "objects"}
    log = run("pushworld", scripted("good"), tmp_path, **options)
    assert metrics(log)["solved", "all"] == 1
    assert log.samples is not None
    assert len(log.samples) == 4


def test_pictures_travel_with_the_prompt(tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def lazy(messages: list[Any]) -> ModelOutput:
        seen.append([part.type for part in messages[-1].content])
        return ModelOutput.from_content("lazy", "I do not know.")

    log = run("pushworld", lazy, tmp_path, ask="see", with_picture=True, limit=1)
    assert seen == [["text", "image"]]
    assert metrics(log)["solved", "all"] == 0


def test_moves_as_tools(tmp_path: Path) -> None:
    """The agent takes a move back, then plays the plan; the log holds the score of the episode."""
    plans = {task.key: task.plan or "" for task in tasks("stream:3", limit=4, seed="0")}
    boards = {
        adapter._episode(task, True).tool_prompt: task.key
        for task in tasks("stream:3", limit=4, seed="0")
    }

    def play(messages: list[Any]) -> ModelOutput:
        plan = plans[boards[messages[0].text]]
        turn = sum(each.role == "assistant" for each in messages)
        calls = [("move", {"moves": "L"}), ("take_back", {"count": 1}), ("move", {"moves": plan})]
        return ModelOutput.for_tool_call("scripted", *calls[turn])

    log = run("pushworld_agent", play, tmp_path)
    assert metrics(log)["solved", "all"] == 1
    assert log.samples is not None
    for sample in log.samples:
        assert sample.scores is not None
        score = sample.scores["replayed"].metadata
        assert score is not None
        assert score["moves"] == score["best_known"] + 1


def test_an_agent_that_calls_no_tool_ends(tmp_path: Path) -> None:
    log = run("pushworld_agent", lambda messages: ModelOutput.from_content("lazy", "Hm."), tmp_path)
    assert metrics(log)["solved", "all"] == 0
    assert metrics(log)["reward", "mean"] == 0


def test_a_solver_of_its_own_in_a_sandbox(tmp_path: Path) -> None:
    """The model's program runs in a sandbox, reads the puzzle there, and finds the plan that is submitted."""

    def write_a_solver(messages: list[Any]) -> ModelOutput:
        if messages[-1].role == "tool":
            plan = messages[-1].text.strip()
            return ModelOutput.for_tool_call(
                "scripted", "submit", {"answer": f"<plan>{plan}</plan>"}
            )
        return ModelOutput.for_tool_call("scripted", "python", {"code": SOLVER})

    log = run("pushworld_programs", write_a_solver, tmp_path, sandbox="local")
    assert metrics(log)["solved", "all"] == 1
    assert metrics(log)["reward", "mean"] == 1  # breadth-first plans are shortest


def test_samples_restore_their_tasks() -> None:
    task = next(tasks("evaluation", limit=1))
    assert Task.from_json(json.loads(json.dumps(task.to_json()))) == task
