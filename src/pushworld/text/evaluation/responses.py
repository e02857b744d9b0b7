"""Responses of an endpoint: what was answered, or why there is no answer. Nothing in them is trusted."""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NoReturn

from pushworld.puzzle import PushWorldError

MOST_CHARACTERS = 200_000
"""What is kept of an answer, and of the reasoning before it; a longer answer counts as none."""

MOST_OF_AN_ERROR = 300  # characters of an endpoint's error message that are kept
WORTH_REPEATING = {408, 409, 425, 429, 500, 502, 503, 504, 529}
FATAL = {301, 302, 303, 307, 308, 401, 402, 403, 404, 405}
HIDDEN = "[key]"


class EndpointError(PushWorldError):
    """The endpoint answers no request: going on makes no sense."""


class RequestFailedError(PushWorldError):
    """One request got no answer."""

    requests = 1  # how many were sent

    def __init__(
        self, problem: str, *, passing: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(problem)
        self.passing = passing  # whether the next attempt may get one
        self.retry_after = retry_after  # the seconds that the endpoint asks to wait before it


class BudgetSpentError(PushWorldError):
    """The evaluation has used up the requests or tokens that it may use."""


@dataclass(frozen=True)
class Answer:
    """What a model answered."""

    text: str  # empty if it was longer than `MOST_CHARACTERS`, or there was none
    reasoning: str = ""  # what it thought before, if the endpoint tells; shown, never scored
    finish: str = "stop"  # why the model stopped, such as ``stop``, ``length`` or ``too-long``
    # of the prompt and the answer, as the endpoint counts them; 0 if it does not
    tokens: tuple[int, int] = (0, 0)
    requests: int = 1  # how many were sent, failed ones included
    seconds: float = 0.0  # from the first request to the answer, without waiting between attempts


def read_answer(body: bytes | None, key: str | None) -> Answer:
    """Returns the answer in a response; raises RequestFailedError if it is no chat completion.

    Args:
        body: of the response; None if it was too long to read.
        key: that was sent, and that no text may repeat.
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
        tokens = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        start = without_key(body.decode(errors="replace"), key)[:60]
        problem = f"the response is no chat completion: {start!r}"
        raise RequestFailedError(problem, passing=True) from None
    text = without_key(text, key)
    thought = without_key(reasoning if isinstance(reasoning, str) else "", key)
    too_long = len(text) > MOST_CHARACTERS
    return Answer(
        text="" if too_long else text,
        reasoning=thought[:MOST_CHARACTERS],
        finish="too-long" if too_long else without_key(str(finish), key)[:40],
        tokens=tokens,
    )


def raise_refusal(
    url: str, status: int, retry_after: str | None, body: bytes | None, key: str | None
) -> NoReturn:
    """Raises EndpointError if no request will be answered, RequestFailedError if this one is not."""
    told = " ".join(without_key(_error_message(body or b""), key).split())
    if len(told) > MOST_OF_AN_ERROR:
        told = told[:MOST_OF_AN_ERROR] + " …"
    problem = f"HTTP {status}" + (f": {told}" if told else "")
    if status in FATAL:
        advice = {
            401: "; check the key and --key-variable",
            403: "; check the key and --key-variable",
            404: "; check the address and --model",
        }.get(status, "; redirects are not followed" if status < 400 else "")
        raise EndpointError(f"{url} answers {problem}{advice}")
    passing = status in WORTH_REPEATING
    raise RequestFailedError(problem, passing=passing, retry_after=_seconds(retry_after))


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


def _seconds(value: str | None) -> float | None:
    """Returns the seconds that a Retry-After header names, as a number or as a date."""
    if value is None:
        return None
    with suppress(ValueError):
        return max(0.0, float(value))
    with suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    return None
