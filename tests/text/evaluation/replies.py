"""A server that sends what a test gives it, whatever it is asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.text.evaluation.server import ScriptedServer

Reply = tuple[int, bytes, dict[str, str]]
"""The status, the body and the headers of an answer."""


@dataclass
class Replies(ScriptedServer):
    """A server that sends given replies, one after another; the last one again and again."""

    replies: list[Reply] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)

    def respond(self, body: bytes, authorization: str) -> Reply:
        self.bodies.append(json.loads(body))
        return self.replies[min(len(self.bodies), len(self.replies)) - 1]


def completion(content: Any, **more: Any) -> Reply:
    """Returns the reply with an answer."""
    choice = {"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return 200, json.dumps({"choices": [choice], **more}).encode(), {}
