"""Downloads published files over HTTP, each verified before it is installed."""

import http.client
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from threading import Thread
from typing import Literal, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import UPSTREAM_URL, Entry
from pushworld.datasets.published.store import Problem, Report, Store, default_store

MIRROR_VARIABLE = "PUSHWORLD_MIRROR"
CHUNK = 1 << 16
RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
_NETWORK_ERRORS = (OSError, http.client.HTTPException, ValueError)
"""What a server can cause; ValueError by redirecting to an address that is not valid."""

Result = TypeVar("Result")
OnBytes = Callable[[Entry, int, int | None], None]
"""Called with a file, the number of bytes received so far, and its size if that is known."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how long to retry.

    Attributes:
        attempts: how often a file is tried.
        first_delay: seconds to wait after the first failure; each further wait is twice as long.
        timeout: seconds without an answer or without data that count as a failure.
        least_rate: bytes a second; a file that comes more slowly is given up.
        sleep: the function that waits.
        clock: the function that tells the seconds for `least_rate`.
    """

    attempts: int = 5
    first_delay: float = 0.5
    timeout: float = 30.0
    least_rate: float = 1000.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


def download(
    entries: Iterable[Entry] | None = None,
    store: Store | None = None,
    *,
    base_url: str = UPSTREAM_URL,
    retries: RetryPolicy | None = None,
    on_bytes: OnBytes = lambda entry, received, total: None,
    on_file: Callable[[str], None] = lambda path: None,
) -> Report:
    """Downloads and installs published files, and returns a report.

    Files that are installed already are skipped, so the next call continues an interrupted one. A file is
    installed when it is complete and its SHA-256 is the published one.

    Args:
        entries: the files; all of the store's manifest if not given.
        store: where to install; the user's data folder if not given.
        base_url: the address below which the files have their published paths.
        retries: when to retry and when to give up.
        on_bytes: called whenever some bytes of a file have arrived.
        on_file: called with each published path when it is done.
    """
    store = store or default_store()
    client = _Client(_checked_url(base_url), retries or RetryPolicy(), on_bytes)
    report = Report()
    with store.download_lock():
        for entry in store.manifest.entries if entries is None else entries:
            try:
                if store.is_installed(entry):
                    report.already.append(entry.path)
                elif report.notes:
                    report.missing.append(Problem(entry.path, "not tried"))
                else:
                    store.install(entry, client.fetch(entry))
                    report.installed.append(entry.path)
            except _FailedError as error:
                problems = report.wrong if error.kind == "wrong" else report.missing
                problems.append(Problem(entry.path, str(error)))
                if error.kind == "unreachable":
                    report.notes.append("the server does not answer; run this again to continue")
            on_file(entry.path)
    return report


class _FailedError(Exception):
    """A file cannot be had: its bytes are wrong, the server refused it, or is unreachable after all retries."""

    def __init__(self, kind: Literal["wrong", "refused", "unreachable"], problem: str) -> None:
        super().__init__(problem)
        self.kind = kind


class _DroppedError(Exception):
    """The connection failed or ended early; a retry may help."""


@dataclass(frozen=True)
class _Client:
    base_url: str
    retries: RetryPolicy
    on_bytes: OnBytes

    def fetch(self, entry: Entry) -> bytes:
        """Returns the published bytes of a file, or raises `_FailedError`."""
        end = (
            self.retries.clock() + self.retries.timeout + entry.max_bytes / self.retries.least_rate
        )
        failures = 0
        while True:
            try:
                data = self._receive(entry, end)
                break
            except _DroppedError as error:
                failures += 1
                if failures >= self.retries.attempts:
                    raise _FailedError("unreachable", f"{self._url(entry)}: {error}") from error
            self.retries.sleep(self.retries.first_delay * 2 ** (failures - 1))
        if not entry.matches(data):
            raise _FailedError(
                "wrong",
                f"{self._url(entry)} has other bytes than the published file (SHA-256 differs)",
            )
        return data

    def _receive(self, entry: Entry, end: float) -> bytes:
        """Returns the body of one response, which must be there when the clock shows `end`."""
        response = self._open(entry)
        data = bytearray()
        try:
            length = response.headers.get("Content-Length") or ""
            total = int(length) if length.isdecimal() and len(length) < 20 else None
            while chunk := self._read(response):
                data += chunk
                self.on_bytes(entry, len(data), total)
                if len(data) > entry.max_bytes:
                    problem = f"{self._url(entry)} is larger than the published file"
                    raise _FailedError("wrong", problem)
                if self.retries.clock() > end:
                    rate = f"{self.retries.least_rate:g} bytes a second"
                    raise _FailedError("unreachable", f"{self._url(entry)} is slower than {rate}")
        finally:  # closing waits for a read that was given up
            Thread(target=response.close, daemon=True).start()
        if total is not None and len(data) < total:
            raise _DroppedError(f"the connection ended after {len(data)} of {total} bytes")
        return bytes(data)

    def _open(self, entry: Entry) -> http.client.HTTPResponse:
        request = Request(
            self._url(entry), headers={"User-Agent": f"pushworld/{version('pushworld')}"}
        )
        timeout = self.retries.timeout
        try:
            response = _within(timeout, lambda: urlopen(request, timeout=timeout))
        except HTTPError as error:  # its own words may be anything
            problem = f"the server answers {error.code} {http.client.responses.get(error.code, '')}"
            if error.code not in RETRIED_STATUSES:
                raise _FailedError("refused", f"{self._url(entry)}: {problem}") from error
            raise _DroppedError(problem) from error
        except _NETWORK_ERRORS as error:
            raise _DroppedError(_reason(error)) from error
        if not isinstance(response, http.client.HTTPResponse):
            problem = f"{self._url(entry)} leads to an address that is not http"
            raise _FailedError("refused", problem)
        return response

    def _read(self, response: http.client.HTTPResponse) -> bytes:
        try:
            return _within(self.retries.timeout, lambda: response.read1(CHUNK))
        except _NETWORK_ERRORS as error:
            raise _DroppedError(_reason(error)) from error

    def _url(self, entry: Entry) -> str:
        return f"{self.base_url}/{quote(entry.path)}"


def _within(seconds: float, work: Callable[[], Result]) -> Result:
    """Returns the result of work that waits for a server, or raises its error or TimeoutError.

    Timeouts of sockets count from the last byte: a server that drips could go on without an end.
    """
    done: list[Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            done.append(work())
        except Exception as error:
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not done:
        raise TimeoutError(f"no answer within {seconds:g} s")
    return done[0]


def _reason(error: BaseException) -> str:
    """Returns the reason of an error on one line, without what urllib wraps around it."""
    cause = getattr(error, "reason", None) or error
    text = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return "".join(each if each.isprintable() else "?" for each in text[:200])


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise DataError(f"{url!r} is not an address to download from: give http:// or https://")
    return url.rstrip("/")
