"""Downloads published files over HTTP: resumable, and verified before they are installed."""

from __future__ import annotations

import http.client
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Thread
from typing import TypeVar
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from pushworld.datasets.errors import DataError
from pushworld.datasets.published.manifest import UPSTREAM_URL, Entry
from pushworld.datasets.published.report import Problem, Report
from pushworld.datasets.published.store import Store, advised, default_store
from pushworld.files import writing

MIRROR_VARIABLE = "PUSHWORLD_MIRROR"
CHUNK = 1 << 16
RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
RANGE_NOT_SATISFIABLE = 416
_NETWORK_ERRORS = (OSError, http.client.HTTPException, ValueError)
"""What a server can cause; ValueError by redirecting to an address that is not valid."""

Result = TypeVar("Result")
OnBytes = Callable[[Entry, int, int | None], None]
"""Called with a file, the number of bytes received so far, and its size if that is known."""


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how long to retry.

    Attributes:
        attempts: the number of attempts in a row without any new bytes before giving up.
        first_delay: seconds to wait after the first failure; each further wait is twice as long.
        timeout: seconds without an answer or without data that count as a failure.
        least_rate: bytes a second; a file that comes more slowly is given up.
        sleep: the function that waits.
    """

    attempts: int = 5
    first_delay: float = 0.5
    timeout: float = 30.0
    least_rate: float = 1000.0
    sleep: Callable[[float], None] = time.sleep


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

    Files that are installed already are skipped. A file is installed when it is complete and its
    SHA-256 is the published one. The part of an interrupted file is kept, and the next call
    resumes it.

    Args:
        entries: the files; all of the store's manifest if not given.
        store: where to install; the user's data folder if not given.
        base_url: the address below which the files have their published paths.
        retries: when to retry and when to give up.
        on_bytes: called whenever some bytes of a file have arrived.
        on_file: called with each published path when it is done.
    """
    store = store or default_store()
    client = _Client(store, _checked_url(base_url), retries or RetryPolicy(), on_bytes)
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
                    store.partial_path(entry).unlink(missing_ok=True)
                    report.installed.append(entry.path)
            except _WrongBytesError as error:
                report.wrong.append(Problem(entry.path, str(error)))
            except _RefusedError as error:
                report.missing.append(Problem(entry.path, str(error)))
            except _UnreachableError as error:
                report.missing.append(Problem(entry.path, str(error)))
                report.notes.append("the server does not answer; run this again to continue")
            on_file(entry.path)
    return report


class _WrongBytesError(Exception):
    """The server sent something that is not the published file."""


class _RefusedError(Exception):
    """The server answers that it does not send the file."""


class _DroppedError(Exception):
    """The connection failed or ended early; the bytes received are kept, and a retry may help."""


class _UnreachableError(Exception):
    """All retries failed."""


@dataclass(frozen=True)
class _Client:
    store: Store
    base_url: str
    retries: RetryPolicy
    on_bytes: OnBytes

    def fetch(self, entry: Entry) -> bytes:
        """Returns the published bytes of a file, or raises one of the errors above."""
        partial = self.store.partial_path(entry)
        may_start_over = _size(partial) > 0
        while True:
            self._fetch_rest(entry, partial)
            data = partial.read_bytes()
            if entry.matches(data):
                return data
            partial.unlink()
            if not may_start_over:
                raise _WrongBytesError(
                    f"{self._url(entry)} has other bytes than the published file (SHA-256 differs)"
                )
            # The kept part may have been wrong.
            may_start_over = False

    def _fetch_rest(self, entry: Entry, partial: Path) -> None:
        """Fetches the rest of a file, with retries."""
        most = _size(partial)
        failures = 0
        end = time.monotonic() + self.retries.timeout + entry.max_bytes / self.retries.least_rate
        while True:
            try:
                return self._fetch_once(entry, partial, end)
            except _DroppedError as error:
                failures = 1 if _size(partial) > most else failures + 1
                most = max(most, _size(partial))
                if failures >= self.retries.attempts:
                    raise _UnreachableError(f"{self._url(entry)}: {error}") from error
            self.retries.sleep(self.retries.first_delay * 2 ** (failures - 1))

    def _fetch_once(self, entry: Entry, partial: Path, end: float) -> None:
        """Appends the body of one response to the partial file, until the clock shows `end`."""
        start = _size(partial)
        response = self._open(entry, partial, start)
        try:
            if response.status == http.HTTPStatus.PARTIAL_CONTENT:
                if not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
                    partial.unlink(missing_ok=True)
                    raise _DroppedError("the server sent another range than the one asked for")
            else:
                start = 0
            length = response.headers.get("Content-Length")
            total = (
                start + int(length) if length and length.isdecimal() and len(length) < 20 else None
            )
            received = self._save(entry, partial, response, start, total, end)
        finally:  # closing waits for a read that was given up
            Thread(target=response.close, daemon=True).start()
        if total is not None and received < total:
            raise _DroppedError(f"the connection ended after {received} of {total} bytes")

    def _open(self, entry: Entry, partial: Path, start: int) -> http.client.HTTPResponse:
        request = Request(
            self._url(entry), headers={"User-Agent": f"pushworld/{version('pushworld')}"}
        )
        if start:
            request.add_header("Range", f"bytes={start}-")
        timeout = self.retries.timeout
        try:
            response = _within(timeout, lambda: urlopen(request, timeout=timeout))
        except HTTPError as error:  # its own words may be anything
            problem = f"the server answers {error.code} {http.client.responses.get(error.code, '')}"
            if error.code == RANGE_NOT_SATISFIABLE:
                partial.unlink(missing_ok=True)
            elif error.code not in RETRIED_STATUSES:
                raise _RefusedError(f"{self._url(entry)}: {problem}") from error
            raise _DroppedError(problem) from error
        except _NETWORK_ERRORS as error:
            raise _DroppedError(_reason(error)) from error
        if not isinstance(response, http.client.HTTPResponse):
            raise _RefusedError(f"{self._url(entry)} leads to an address that is not http")
        return response

    def _save(
        self,
        entry: Entry,
        partial: Path,
        response: http.client.HTTPResponse,
        start: int,
        total: int | None,
        end: float,
    ) -> int:
        """Writes the body after `start` and returns the size of the partial file."""
        received = start
        try:
            with advised(), writing(partial), partial.open("ab") as file:
                file.truncate(start)
                while chunk := self._read(response):
                    file.write(chunk)
                    file.flush()
                    received += len(chunk)
                    self.on_bytes(entry, received, total)
                    if received > entry.max_bytes:
                        raise _WrongBytesError(
                            f"{self._url(entry)} is larger than the published file"
                        )
                    if time.monotonic() > end:
                        raise _UnreachableError(
                            f"{self._url(entry)} is slower than {self.retries.least_rate:g} bytes a second"
                        )
        except _WrongBytesError:
            partial.unlink()
            raise
        return received

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


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _checked_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise DataError(f"{url!r} is not an address to download from: give http:// or https://")
    return url.rstrip("/")
