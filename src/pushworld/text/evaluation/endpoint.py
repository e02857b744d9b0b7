"""An OpenAI-compatible endpoint: requests are sent, and repeated where that can help."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pushworld.puzzle import PushWorldError
from pushworld.text.evaluation.responses import (
    Answer,
    BudgetSpentError,
    RequestFailedError,
    raise_refusal,
    read_answer,
    without_key,
)

if TYPE_CHECKING:
    import httpx

Message = dict[str, Any]
"""A message of the protocol: a role and a content."""

PATH = "/chat/completions"
MOST_BYTES = 4_000_000  # a longer response is not read to its end
LONGEST_WAIT = 120.0  # seconds between two attempts, whatever the endpoint asks for
FIRST_WAIT = 1.0


@dataclass
class Budget:
    """What an evaluation may use in all, and what it has used; requests under way are still answered."""

    max_requests: int | None = None
    max_tokens: int | None = None
    requests: int = 0
    tokens: int = 0

    def check(self) -> None:
        """Raises BudgetSpentError if no further request may be sent."""
        if self.max_requests is not None and self.requests >= self.max_requests:
            raise BudgetSpentError(f"the budget of {self.max_requests:,} requests is spent")
        if self.max_tokens is not None and self.tokens >= self.max_tokens:
            raise BudgetSpentError(
                f"the budget of {self.max_tokens:,} tokens is spent ({self.tokens:,} used)"
            )


def check_endpoint(url: str) -> None:
    """Raises PushWorldError if no request can be sent to an endpoint."""
    completions_url(url)
    try:
        import httpx  # noqa: F401
    except ImportError as error:
        raise PushWorldError("asking a model needs httpx: pip install 'pushworld[llm]'") from error


def key_from(variable: str | None) -> str | None:
    """Returns the key in an environment variable, or None if no variable is named; no error shows it."""
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise PushWorldError(
            f"the environment variable {variable!r} holds no key: set it, or leave out --key-variable "
            "for an endpoint without keys"
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise PushWorldError(
            f"the environment variable {variable!r} holds something else than a key"
        )
    return key


def completions_url(url: str) -> str:
    """Returns the address of an endpoint's chat completions."""
    try:
        parts = urlsplit(url.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise PushWorldError(
            "the endpoint must be an address such as https://api.example.com/v1 or "
            "http://localhost:8000/v1"
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise PushWorldError(
            "the endpoint's address must not hold a user, a password or parameters: name the "
            "environment variable that holds the key with --key-variable"
        )
    address = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"
    return address if address.endswith(PATH) else address + PATH


@dataclass
class Endpoint:
    """A model behind an OpenAI-compatible endpoint; an async context manager.

    The key is sent as a bearer token and nowhere else: redirects are not followed, and texts of the
    endpoint that repeat the key are stored without it.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    # further parameters of each request, such as ``temperature``
    body: Mapping[str, Any] = field(default_factory=dict)
    timeout: float = 600.0  # seconds for one request
    retries: int = 5
    concurrency: int = 4  # requests at the same time
    budget: Budget = field(default_factory=Budget)
    _not_before: float = 0.0
    _client: httpx.AsyncClient | None = field(default=None, repr=False)

    async def __aenter__(self) -> Endpoint:
        import httpx

        self._client = httpx.AsyncClient(
            # Without compression, a small response cannot unpack to a large one.
            headers={"Accept": "application/json", "Accept-Encoding": "identity"}
            | ({} if self.key is None else {"Authorization": f"Bearer {self.key}"}),
            timeout=httpx.Timeout(self.timeout),
            limits=httpx.Limits(max_connections=self.concurrency),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def ask(self, messages: Sequence[Message]) -> Answer:
        """Returns the model's answer to messages, or raises one of the errors of `responses`."""
        content = json.dumps({"model": self.model, "messages": messages, **self.body}).encode()
        seconds = 0.0
        for attempt in range(self.retries + 1):
            self.budget.check()
            while (left := self._not_before - time.monotonic()) > 0:
                await asyncio.sleep(left)
            self.budget.check()  # another request may have spent it meanwhile
            self.budget.requests += 1
            start = time.monotonic()
            try:
                answer = await self._ask_once(content)
            except RequestFailedError as error:
                seconds += time.monotonic() - start
                if not error.passing or attempt == self.retries:
                    tried = f" ({attempt + 1} attempts)" if attempt and error.passing else ""
                    failed = RequestFailedError(f"{error}{tried}")
                    failed.requests = attempt + 1
                    raise failed from None
                self._pause(attempt, error.retry_after)
                continue
            seconds += time.monotonic() - start
            self.budget.tokens += sum(answer.tokens)
            return replace(answer, requests=attempt + 1, seconds=seconds)
        raise AssertionError("unreachable")

    def _pause(self, attempt: int, retry_after: float | None) -> None:
        """Lets all requests wait: an endpoint that is overloaded is so for all of them."""
        usual = FIRST_WAIT * 2**attempt * random.uniform(0.5, 1)
        wait = min(usual if retry_after is None else retry_after, LONGEST_WAIT)
        self._not_before = max(self._not_before, time.monotonic() + wait)

    async def _ask_once(self, content: bytes) -> Answer:
        import httpx

        assert self._client is not None
        try:
            # httpx limits each read, which an endpoint that sends byte by byte never exceeds.
            async with asyncio.timeout(self.timeout):
                address, kind = completions_url(self.url), {"Content-Type": "application/json"}
                sent = self._client.stream("POST", address, content=content, headers=kind)
                async with sent as response:
                    body = await _read(response)
        except (TimeoutError, httpx.TimeoutException):
            problem = f"no answer within {self.timeout:g} s"
            raise RequestFailedError(problem, passing=True) from None
        except httpx.HTTPError as error:
            problem = without_key(f"no connection: {error or type(error).__name__}", self.key)
            raise RequestFailedError(problem, passing=True) from None
        if response.status_code != 200:
            wait = response.headers.get("Retry-After")
            raise_refusal(self.url, response.status_code, wait, body, self.key)
        return read_answer(body, self.key)


async def _read(response: httpx.Response) -> bytes | None:
    """Returns the body of a response, or None if it is too long."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    return bytes(body)
