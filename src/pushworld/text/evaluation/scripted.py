"""A local endpoint whose models follow scripts: to try an evaluation, and to test it, without any network.

It knows the tasks that it may be asked about, and finds the one that a prompt describes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Lock, Thread
from typing import Any

from pushworld.puzzle import PushWorldError, State
from pushworld.text import FORMATS, KINDS, NOTATIONS, Task, asked, describe, question_of
from pushworld.text.evaluation.scripts import SCRIPTS, Asked, Script, plan_for
from pushworld.text.evaluation.settings import ONLY_PICTURE
from pushworld.text.pictures import picture_url
from pushworld.text.prompts import rules

MOST_BYTES = 64_000_000


@dataclass
class ScriptedServer:
    """An endpoint on this machine; `serving` runs it.

    Attributes:
        tasks: that it may be asked about.
        delay: seconds that the model ``slow`` takes.
        key: that requests must have; None asks for none.
        scripts: of the models by their names.
        asked: the model, the task's digest and the turn of every request that was answered.
    """

    tasks: Sequence[Task]
    delay: float = 2.0
    key: str | None = None
    scripts: Mapping[str, Script] = field(default_factory=lambda: SCRIPTS)
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
        if model not in self.scripts:
            return _error(404, f"the model {model!r} does not exist: use {', '.join(self.scripts)}")
        if question is None:
            return _error(400, "the messages describe none of the tasks of this server")
        if model == "slow":
            time.sleep(self.delay)
        digest = question.task.key
        random = Random(f"{model} {digest} {question.turn}")
        text = self.scripts[model](question, random)
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
def serving(server: ScriptedServer, port: int = 0) -> Iterator[str]:
    """Yields the address of the endpoint, which runs until the block ends.

    Raises:
        PushWorldError: if the port is taken.
    """

    class Handler(BaseHTTPRequestHandler):
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

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Says nothing about clients that hang up."""

    try:
        web = Server(("127.0.0.1", port), Handler)
    except (OSError, OverflowError) as error:
        raise PushWorldError(f"port {port} cannot be used: {error}") from error
    thread = Thread(target=web.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{web.server_port}/v1"
    finally:
        web.shutdown()
        thread.join()
        web.server_close()


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
