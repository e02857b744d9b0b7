"""Responses of an endpoint: what was answered, or why there is no answer. Nothing in them is trusted."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from pushworld.puzzle import PushWorldError

MOST_CHARACTERS = 200_000
"""What is kept of an answer, and of the reasoning before it; a longer answer counts as none."""

MOST_OF_AN_ERROR = 300
"""Characters of an endpoint's error message that are kept."""

WORTH_REPEATING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
FATAL = {301, 302, 303, 307, 308, 401, 402, 403, 404, 405}
HIDDEN = "[key]"


class EndpointError(PushWorldError):
    """The endpoint answers no request: going on makes no sense."""


class RequestFailedError(PushWorldError):
    """One request got no answer, and repeating it did not help."""

    def __init__(self, problem: str, requests: int = 1) -> None:
        super().__init__(problem)
        self.requests = requests


class OutOfTimeError(PushWorldError):
    """A model did not answer within the seconds that it may take for a task."""


class BudgetSpentError(PushWorldError):
    """The evaluation has used up the requests or tokens that it may use."""


class PassingError(Exception):
    """A problem that may be over at the next attempt.

    Attributes:
        problem: what it is.
        retry_after: the seconds that the endpoint asks to wait, if it does.
    """

    def __init__(self, problem: str, retry_after: float | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.retry_after = retry_after


@dataclass(frozen=True)
class Answer:
    """What a model answered.

    Attributes:
        text: its answer, at most `MOST_CHARACTERS`; empty if it was longer, or there was none.
        reasoning: what it thought before, if the endpoint tells; shown, never scored.
        finish: why the model stopped, such as ``stop`` or ``length``; ``too-long`` for an answer that
            was not kept.
        prompt_tokens, completion_tokens: as the endpoint counts them; 0 if it does not.
        requests: how many were sent, failed ones included.
        seconds: from the first request to the answer, without waiting between attempts.
    """

    text: str
    reasoning: str = ""
    finish: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 1
    seconds: float = 0.0


def read_answer(body: bytes | None, key: str | None) -> Answer:
    """Returns the answer in a response.

    Args:
        body: of the response; None if it was too long to read.
        key: that was sent, and that no text may repeat.

    Raises:
        PassingError: if it is no chat completion.
    """
    if body is None:
        return Answer("", finish="too-long")
    try:
        content = json.loads(body)
        choice = content["choices"][0]
        message = choice["message"]
        text = _text_of(message["content"])
        reasoning = message.get("reasoning_content") or message.get("reasoning") or ""
        finish = "refusal" if message.get("refusal") else choice.get("finish_reason")
        usage = content.get("usage") or {}
        counts = [_count(usage.get(f"{kind}_tokens")) for kind in ("prompt", "completion")]
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        start = without_key(body.decode(errors="replace"), key)[:60]
        raise PassingError(f"the response is no chat completion: {start!r}") from None
    text = without_key(text, key)
    thought = without_key(reasoning if isinstance(reasoning, str) else "", key)
    too_long = len(text) > MOST_CHARACTERS
    return Answer(
        text="" if too_long else text,
        reasoning=thought[:MOST_CHARACTERS],
        finish="too-long" if too_long else without_key(str(finish), key)[:40],
        prompt_tokens=counts[0],
        completion_tokens=counts[1],
    )


def raise_refusal(
    url: str, status: int, retry_after: str | None, body: bytes | None, key: str | None
) -> NoReturn:
    """Raises the error that fits a response without an answer.

    Raises:
        PassingError: if it may be over at the next attempt.
        EndpointError: if no request will be answered.
        RequestFailedError: if this one will not be.
    """
    told = _shortened(without_key(_error_message(body or b""), key))
    problem = f"HTTP {status}" + (f": {told}" if told else "")
    if status in WORTH_REPEATING:
        raise PassingError(problem, _seconds(retry_after))
    if status in FATAL:
        advice = {
            401: "; check the key and --key-variable",
            403: "; check the key and --key-variable",
            404: "; check the address and --model",
        }.get(status, "; redirects are not followed" if status < 400 else "")
        raise EndpointError(f"{url} answers {problem}{advice}")
    raise RequestFailedError(problem)


def without_key(text: str, key: str | None) -> str:
    """Returns a text of the endpoint without the key, and without halves of characters."""
    text = text if key is None else text.replace(key, HIDDEN)
    return text.encode(errors="replace").decode()


def _text_of(content: Any) -> str:
    """Returns the text of a message; raises TypeError or KeyError if it is something else."""
    if content is None:  # a refusal, or all tokens went into reasoning
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int) and 0 <= value < 2**40 else 0


def _error_message(body: bytes) -> str:
    """Returns what an endpoint says about an error."""
    try:
        error = json.loads(body)["error"]
        return str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, KeyError, TypeError, RecursionError):
        return body.decode(errors="replace")


def _shortened(text: str) -> str:
    """Returns a text on one line, and not all of it if it is long."""
    words = " ".join(text.split())
    return words if len(words) <= MOST_OF_AN_ERROR else words[:MOST_OF_AN_ERROR] + " …"


def _seconds(value: str | None) -> float | None:
    """Returns the seconds that a Retry-After header names, as a number or as a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
        return max(0.0, (date - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
