"""One request: what is sent, what is repeated, and what is made of responses of all kinds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from threading import Event
from typing import Any

import pytest

from pushworld.puzzle import PushWorldError
from pushworld.text.evaluation import endpoint as endpoint_module
from pushworld.text.evaluation.endpoint import Budget, Endpoint, completions_url, key_from
from pushworld.text.evaluation.responses import (
    MOST_CHARACTERS,
    Answer,
    BudgetSpentError,
    EndpointError,
    RequestFailedError,
)
from tests.http_server import Quiet, QuietServer, answering
from tests.text.evaluation.hostile import GARBAGE
from tests.text.evaluation.replies import Replies, Reply, completion
from tests.text.evaluation.server import serving

KEY = "sk-test-3f9a1c77e2d84b60"
MESSAGES = [{"role": "user", "content": "Where to?"}]
SLOW_DOWN: Reply = (429, b'{"error": {"message": "slow down"}}', {"Retry-After": "0"})


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint_module, "FIRST_WAIT", 0.0)


def ask(address: str, **options: Any) -> Answer:
    async def once() -> Answer:
        async with Endpoint(address, "m", **options) as endpoint:
            return await endpoint.ask(MESSAGES)

    return asyncio.run(once())


@contextmanager
def replying(*replies: Reply) -> Iterator[tuple[Replies, str]]:
    server = Replies([], replies=list(replies))
    with serving(server) as address:
        yield server, address


def test_parameters_are_sent_and_the_answer_is_read() -> None:
    usage = {"prompt_tokens": 12, "completion_tokens": 5}
    with replying(completion("<plan>L</plan>", usage=usage)) as (server, address):
        answer = ask(address, body={"temperature": 0.5, "top_p": 0.9})
    assert server.bodies == [{"model": "m", "messages": MESSAGES, "temperature": 0.5, "top_p": 0.9}]
    assert (answer.text, answer.finish, answer.requests) == ("<plan>L</plan>", "stop", 1)
    assert answer.tokens == (12, 5)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "ab"),
        ("\ud800 half a character", "? half a character"),
    ],
)
def test_odd_answers_are_answers(content: Any, text: str) -> None:
    with replying(completion(content, usage={"prompt_tokens": "many"})) as (_, address):
        answer = ask(address)
    assert answer.text == text
    assert answer.tokens == (0, 0)


def test_reasoning_is_kept_apart() -> None:
    message = {"content": "<plan>L</plan>", "reasoning_content": "Left it is."}
    body = json.dumps({"choices": [{"message": message}]}).encode()
    with replying((200, body, {})) as (_, address):
        answer = ask(address)
    assert (answer.text, answer.reasoning) == ("<plan>L</plan>", "Left it is.")


def test_what_may_pass_is_asked_again() -> None:
    gone = format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)
    replies = [SLOW_DOWN, (503, b"", {"Retry-After": gone}), (500, b"oh", {}), completion("hm")]
    with replying(*replies) as (server, address):
        answer = ask(address, retries=3)
    assert (answer.text, answer.requests, len(server.bodies)) == ("hm", 4, 4)


def test_all_requests_wait_as_long_as_the_endpoint_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        endpoint._not_before = 0.0

    async def twice() -> None:
        async with endpoint:
            await endpoint.ask(MESSAGES)
            endpoint._pause(0, 7.0)
            await endpoint.ask(MESSAGES)

    replies = [(429, b"", {"Retry-After": "33"}), completion("hm"), completion("hm")]
    with replying(*replies) as (_, address):
        endpoint = Endpoint(address, "m")
        monkeypatch.setattr(asyncio, "sleep", sleep)
        asyncio.run(twice())
    assert [round(wait) for wait in waits] == [33, 7]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_no_answer(garbage: bytes) -> None:
    with (
        replying((200, garbage, {})) as (server, address),
        pytest.raises(RequestFailedError, match=r"no chat completion.*\(2 attempts\)"),
    ):
        ask(address, retries=1)
    assert len(server.bodies) == 2


def test_garbage_may_be_followed_by_an_answer() -> None:
    with replying((200, b"{", {}), completion("hm")) as (_, address):
        assert ask(address).text == "hm"


@pytest.mark.parametrize("length", [MOST_CHARACTERS + 1, 5_000_000])
def test_endless_answers_count_as_none(length: int) -> None:
    with replying(completion("A" * length)) as (_, address):
        answer = ask(address)
    assert (answer.text, answer.finish) == ("", "too-long")


@pytest.mark.parametrize("status", [301, 401, 402, 403, 404])
def test_what_no_request_can_mend_ends_the_evaluation(status: int) -> None:
    reply = (status, b'{"error": {"message": "no"}}', {"Location": "http://127.0.0.1:9/"})
    with (
        replying(reply) as (server, address),
        pytest.raises(EndpointError, match=f"HTTP {status}: no"),
    ):
        ask(address)
    assert len(server.bodies) == 1


def test_a_refused_request_is_not_repeated() -> None:
    with (
        replying((400, b"context too long", {})) as (server, address),
        pytest.raises(RequestFailedError, match="HTTP 400: context too long"),
    ):
        ask(address)
    assert len(server.bodies) == 1


def test_nobody_there() -> None:
    with replying() as (_, address):
        pass
    with pytest.raises(RequestFailedError, match="no connection"):
        ask(address, retries=1)


@contextmanager
def dripping() -> Iterator[str]:
    """Yields the address of a server that sends a byte now and then, and never ends."""
    ended = Event()

    class Handler(Quiet, BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not ended.wait(0.01):
                self.wfile.write(b" ")

    with answering(QuietServer(("127.0.0.1", 0), Handler)) as address:
        try:
            yield f"{address}/v1"
        finally:
            ended.set()


def test_an_endless_response_ends_at_the_limits() -> None:
    with (
        dripping() as address,
        pytest.raises(RequestFailedError, match=r"no answer within 0.1 s \(2 attempts\)"),
    ):
        ask(address, timeout=0.1, retries=1)


def test_budgets_end_before_the_request() -> None:
    with replying(completion("hm", usage={"prompt_tokens": 70, "completion_tokens": 30})) as (
        server,
        address,
    ):
        for budget in (Budget(max_requests=2), Budget(max_tokens=150)):
            ask(address, budget=budget)
            ask(address, budget=budget)
            with pytest.raises(BudgetSpentError, match="is spent"):
                ask(address, budget=budget)
    assert len(server.bodies) == 4


def test_a_repeated_request_counts_in_the_budget() -> None:
    with replying(SLOW_DOWN) as (server, address), pytest.raises(BudgetSpentError):
        ask(address, budget=Budget(max_requests=3), retries=10)
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    "reply",
    [
        (401, f"Incorrect API key provided: Bearer {KEY}".encode(), {}),
        (400, json.dumps({"error": "x" * 290 + KEY}).encode(), {}),
        (200, f"debug: authorization={KEY}".encode(), {}),
        (200, b"x" * 50 + KEY.encode(), {}),
    ],
)
def test_no_error_shows_the_key(reply: Reply) -> None:
    with replying(reply) as (_, address), pytest.raises(PushWorldError) as raised:
        ask(address, key=KEY, retries=0)
    for part in (KEY, KEY[:12]):
        assert part not in str(raised.value)
        assert part not in repr(raised.value)


def test_nothing_that_is_stored_or_printed_shows_the_key() -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    body = (
        '{"choices": [{"message": {"content": "KEY", "reasoning": "KEY"}, "finish_reason": "KEY"}]}'
    )
    with replying((200, body.replace("KEY", escaped).encode(), {})) as (_, address):
        answer = ask(address, key=KEY)
        assert KEY not in repr(Endpoint(address, "m", KEY))
    assert KEY not in repr(answer)
    assert answer.text == "[key]"


@pytest.mark.parametrize("value", ["", "  ", "two words", "schlüssel", "line\nline"])
def test_keys_come_from_variables(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert key_from(None) is None
    monkeypatch.setenv("TEST_KEY", KEY)
    assert key_from("TEST_KEY") == KEY
    monkeypatch.setenv("TEST_KEY", value)
    with pytest.raises(PushWorldError, match="TEST_KEY") as raised:
        key_from("TEST_KEY")
    assert not value.strip() or value not in str(raised.value)


def test_addresses() -> None:
    full = "https://api.example.com/v1/chat/completions"
    for given in ("https://api.example.com/v1", "https://api.example.com/v1/", full):
        assert completions_url(given) == full
    for wrong in ("api.example.com", "ftp://example.com", "http://", "http://h:99999999/v1", ""):
        with pytest.raises(PushWorldError, match="must be an address"):
            completions_url(wrong)
    for telling in ("https://user:secret@h/v1", "https://h/v1?api-key=secret"):
        with pytest.raises(PushWorldError, match="--key-variable") as raised:
            completions_url(telling)
        assert "secret" not in str(raised.value)
