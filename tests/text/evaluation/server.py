"""A local endpoint whose models follow the scripts of the package, so that tests need no network.

It knows the tasks that it may be asked about, and finds the one that a prompt describes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from http.server import BaseHTTPRequestHandler
from random import Random
from threading import Lock
from typing import Any

from pushworld.puzzle import Action, State
from pushworld.text import (
    FORMATS,
    KINDS,
    NOTATIONS,
    Task,
    asked,
    describe,
    question_of,
    read_answer,
)
from pushworld.text.answers import ANSWER, block, write_actions
from pushworld.text.evaluation.baselines import MODELS, WALKS, Script, plan_for
from pushworld.text.evaluation.settings import ONLY_PICTURE
from pushworld.text.pictures import picture_url
from pushworld.text.prompts import rules
from tests.http_server import Quiet, QuietServer, answering

MOST_BYTES = 64_000_000
MOVES_A_TURN = 4
SLIPS = 0.06
"""How often the model ``bad`` makes another move than it should."""


@dataclass(frozen=True)
class Asked:
    """What a model is asked.

    Attributes:
        task: what the first message describes.
        notation: of moves.
        turn: how many answers there were before.
        interactive: whether it plays in turns.
        position: how many moves of the best plan known lead to what it is shown; None if it is elsewhere.
    """

    task: Task
    notation: str
    turn: int
    interactive: bool
    position: Callable[[], int | None]

    def block(self, moves: Sequence[int]) -> str:
        """Returns moves as an answer; in turns, a few of them."""
        moves = moves[:MOVES_A_TURN] if self.interactive else moves
        return block(write_actions(moves or [0], self.notation))


Model = Callable[[Asked, Random], str]


def following(script: Script) -> Model:
    """Returns a model that follows a script; in turns, it goes on where it is, or blindly."""

    def answer(asked: Asked, random: Random) -> str:
        text = script(asked.task, random, asked.notation)
        if not asked.interactive or "<plan>" not in text:
            return text
        moves = read_answer(text, asked.notation)
        if script is MODELS["good"]:
            position = asked.position()
            return asked.block(() if position is None else moves[position:])
        rest = moves[MOVES_A_TURN * asked.turn :]
        return asked.block(rest or random.choices(list(Action), k=MOVES_A_TURN))

    return answer


def bad(task: Task, random: Random, notation: str) -> str:
    """Makes slips, which ruin the longer plans."""
    slips = Random(task.key)
    if task.kind != "plan":
        return (MODELS["good"] if slips.random() > 5 * SLIPS else lazy)(task, random, notation)
    said = "The first object goes left, then I walk around it. Let me check … yes, that works."
    moves = (
        move if slips.random() > SLIPS else slips.choice(list(Action)) for move in plan_for(task)
    )
    return f"{said}\n\n{block(write_actions(tuple(moves) or [0], notation))}"


def lazy(task: Task, random: Random, notation: str) -> str:
    """Answers in words, without a block that can be read."""
    return "Move the green agent to the right until the red object stands on its outline."


def aimless(asked: Asked, random: Random) -> str:
    """Moves at random, and answers questions with the example of their prompt."""
    if asked.task.kind != "plan":
        return block(question_of(asked.task, asked.notation).example, ANSWER)
    return asked.block(random.choices(list(Action), k=30))


SCRIPTS: dict[str, Script] = {**MODELS, **WALKS, "bad": bad, "lazy": lazy}
ANSWERING: dict[str, Model] = {name: following(each) for name, each in SCRIPTS.items()}
ANSWERING |= {"aimless": aimless, "slow": ANSWERING["good"]}
"""What the models answer; ``slow`` takes its time."""


@dataclass
class ScriptedServer:
    """An endpoint on this machine; `serving` runs it.

    Attributes:
        tasks: that it may be asked about.
        delay: seconds that the model ``slow`` takes.
        key: that requests must have; None asks for none.
        models: by their names.
        asked: the model, the task's digest and the turn of every request that was answered.
    """

    tasks: Sequence[Task]
    delay: float = 2.0
    key: str | None = None
    models: Mapping[str, Model] = field(default_factory=lambda: ANSWERING)
    asked: list[tuple[str, str, int]] = field(default_factory=list)
    requests: int = 0
    _lock: Lock = field(default_factory=Lock)

    def respond(self, body: bytes, authorization: str) -> tuple[int, bytes, dict[str, str]]:
        """Returns the status, the body and the headers of a response."""
        with self._lock:
            self.requests += 1
        try:
            content = json.loads(body)
            model, messages = content["model"], content["messages"]
            question = self._question(messages)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return _error(400, f"this is no request for a chat completion: {error}")
        if self.key is not None and authorization != f"Bearer {self.key}":
            return _error(401, f"Incorrect API key provided: {authorization}")
        if model not in self.models:
            return _error(404, f"the model {model!r} does not exist: use {', '.join(self.models)}")
        if question is None:
            return _error(400, "the messages describe none of the tasks of this server")
        if model == "slow":
            time.sleep(self.delay)
        digest = question.task.key
        random = Random(f"{model} {digest} {question.turn}")
        text = self.models[model](question, random)
        with self._lock:
            self.asked.append((model, digest, question.turn))
        return completion(model, text, len(body), content.get("stream") is True)

    def _question(self, messages: list[dict[str, Any]]) -> Asked | None:
        texts = [_text(each["content"]) for each in messages if each["role"] == "user"]
        turn = sum(each["role"] == "assistant" for each in messages)
        formats = (*FORMATS, *[ONLY_PICTURE] * ("data:image" in texts[0]))
        notation = next((each for each in NOTATIONS if rules(each) in texts[0]), NOTATIONS[0])
        for task, format in ((task, format) for format in formats for task in self.tasks):
            if _board(task, task.puzzle.initial_state, format) in texts[0]:
                if (about := _asked(task, texts[0], notation)) is None:
                    return None
                position = partial(_position, task, format, texts[-1])
                interactive = "You play in turns" in texts[0]
                return Asked(about, notation, turn, interactive, position)
        return None


def _asked(task: Task, prompt: str, notation: str) -> Task | None:
    """Returns the task with the question of a prompt."""
    if "<plan>" in prompt:
        return task
    known = (asked(task, kind) for kind in KINDS if kind != "plan")
    return next(
        (each for each in known if each and question_of(each, notation).text in prompt), None
    )


@contextmanager
def serving(server: ScriptedServer) -> Iterator[str]:
    """Yields the address of the endpoint, which runs until the block ends."""

    class Handler(Quiet, BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = min(int(self.headers.get("Content-Length") or 0), MOST_BYTES)
            body = self.rfile.read(length)
            status, answer, headers = server.respond(body, self.headers.get("Authorization") or "")
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

    with answering(QuietServer(("127.0.0.1", 0), Handler)) as address:
        yield f"{address}/v1"


def _position(task: Task, format: str, shown: str) -> int | None:
    """Returns how many moves of the best plan known lead to what is shown; None if none do."""
    states = list(task.puzzle.replay(plan_for(task)))
    numbers = reversed(range(len(states)))
    return next((each for each in numbers if _board(task, states[each], format) in shown), None)


@lru_cache(maxsize=10_000)
def _board(task: Task, state: State, format: str) -> str:
    """Returns how a message shows a state."""
    if format == ONLY_PICTURE:
        return picture_url(task.puzzle, state)
    return describe(task.puzzle, state, format, legend=False)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(
        part["text"] if part["type"] == "text" else part["image_url"]["url"] for part in content
    )


def completion(model: str, text: str, size: int, stream: bool) -> tuple[int, bytes, dict[str, str]]:
    """Returns the response with an answer: whole, or as a stream of its parts."""
    counts = {"prompt_tokens": size // 4, "completion_tokens": len(text) // 4}
    usage = counts | {"total_tokens": sum(counts.values())}
    kind = "chat.completion.chunk" if stream else "chat.completion"
    head = {"id": "scripted", "object": kind, "created": 0, "model": model}
    said = {"role": "assistant", "content": text}
    if not stream:
        choice = {"index": 0, "finish_reason": "stop", "message": said}
        return 200, json.dumps(head | {"choices": [choice], "usage": usage}).encode(), {}
    parts: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": usage},
    ]
    events = [*(json.dumps(head | part) for part in parts), "[DONE]"]
    body = "".join(f"data: {event}\n\n" for event in events).encode()
    return 200, body, {"Content-Type": "text/event-stream"}


def _error(status: int, message: str) -> tuple[int, bytes, dict[str, str]]:
    return status, json.dumps({"error": {"message": message}}).encode(), {}
