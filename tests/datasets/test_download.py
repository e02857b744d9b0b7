"""Downloading from a server that behaves, and from one that does not."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from pushworld.datasets import DataError, Entry, Report, Store, download
from pushworld.datasets.published.download import RetryPolicy
from tests.datasets.server import (
    BadServer,
    Misbehaviour,
    answer,
    cut_after,
    endless,
    redirecting,
    reset_after,
    running,
    sending,
    wrong_bytes,
)
from tests.datasets.tiny import FILES, installed_files

LONG = "level2/Long Way.pwp"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
REST = {path: data for path, data in FILES.items() if path != LONG}


@pytest.fixture
def server() -> Iterator[BadServer]:
    with running(dict(FILES)) as server:
        yield server


def fetch(server: BadServer, store: Store, waits: list[float] | None = None) -> Report:
    retries = RetryPolicy(attempts=3, sleep=(waits if waits is not None else []).append)
    return download(store=store, base_url=server.url, retries=retries)


def test_everything_is_fetched_once_and_then_left_alone(server: BadServer, store: Store) -> None:
    report = fetch(server, store)
    assert report.complete
    assert report.installed == list(FILES)
    assert installed_files(store) == FILES
    again = fetch(server, store)
    assert again.complete
    assert again.already == list(FILES)
    assert len(server.requests) == len(FILES)


def test_only_what_is_asked_for_is_fetched(server: BadServer, store: Store) -> None:
    report = download(store.manifest.of_levels(["level1"]), store, base_url=server.url)
    assert report.installed == ["level1/Tiny Steps.pwp", "level1/Dont Look Back.pwp"]


def test_progress_is_reported(server: BadServer, store: Store) -> None:
    sizes: dict[str, tuple[int, int | None]] = {}
    done: list[str] = []

    def note(entry: Entry, received: int, total: int | None) -> None:
        sizes[entry.path] = received, total

    download(store=store, base_url=server.url, on_bytes=note, on_file=done.append)
    assert sizes == {path: (len(data), len(data)) for path, data in FILES.items()}
    assert done == list(FILES)


@pytest.mark.parametrize("cut", [cut_after, reset_after])
def test_a_broken_connection_is_tried_again(
    cut: Callable[[int], Misbehaviour], server: BadServer, store: Store
) -> None:
    server.misbehaviours[LONG] = [cut_after(100), cut(0)]
    waits: list[float] = []
    assert fetch(server, store, waits).complete
    assert installed_files(store) == FILES
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(status: int, server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [answer(status), answer(status)]
    waits: list[float] = []
    assert fetch(server, store, waits).complete
    assert waits == [0.5, 1.0]


def test_wrong_bytes_are_not_installed_and_the_rest_is(server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [wrong_bytes]
    report = fetch(server, store)
    assert [problem.path for problem in report.wrong] == [LONG]
    assert "SHA-256" in report.wrong[0].reason
    assert installed_files(store) == REST
    assert fetch(server, store).installed == [LONG]


def test_an_endless_answer_is_not_read_to_its_end(server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [endless]
    report = fetch(server, store)
    assert "larger" in report.wrong[0].reason
    assert installed_files(store) == REST


def test_a_file_that_is_not_there_is_reported_with_its_address(
    server: BadServer, store: Store
) -> None:
    del server.files[LONG]
    report = fetch(server, store)
    assert [problem.path for problem in report.missing] == [LONG]
    assert f"{server.url}/level2/Long%20Way.pwp" in report.missing[0].reason
    assert "404" in report.missing[0].reason
    assert server.requests.count(LONG) == 1
    assert installed_files(store) == REST


def test_a_damaged_install_is_fetched_again_and_kept_until_then(
    server: BadServer, store: Store
) -> None:
    fetch(server, store)
    (store.root / LONG).write_bytes(b"oops")
    server.misbehaviours[LONG] = [wrong_bytes]
    assert not fetch(server, store).complete
    assert (store.root / LONG).read_bytes() == b"oops"
    assert fetch(server, store).installed == [LONG]


def test_a_server_that_stops_answering_ends_the_download(server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [*[cut_after(0)] * 2, cut_after(100)]
    report = fetch(server, store)
    assert report.installed == ["level1/Tiny Steps.pwp", "level1/Dont Look Back.pwp"]
    assert [problem.path for problem in report.missing] == list(FILES)[2:]
    assert "ended after 100 of" in report.missing[0].reason
    assert report.missing[1].reason == "not tried"
    assert report.notes
    assert server.requests[-1] == LONG
    assert fetch(server, store).complete


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [
        (redirecting("/mirror/level2/Long%20Way.pwp"), "the server answers 302 Found"),
        (redirecting("file:///etc/passwd"), "the server answers 302 Found"),
        (redirecting("http://[::1/"), "Invalid IPv6 URL"),
        (sending([b"HTTP/1.1 404 \x1b[2Jgone\r\n\r\n"]), "the server answers 404 Not Found"),
        (sending([b"\x1b[2J\r\n\r\n"]), ": ?[2J??"),
    ],
)
def test_a_hostile_server_is_told_in_one_line(
    misbehaviour: Misbehaviour, reason: str, server: BadServer, store: Store
) -> None:
    server.misbehaviours[LONG] = [misbehaviour] * 20
    report = fetch(server, store)
    assert report.missing[0].path == LONG
    assert reason in report.missing[0].reason
    assert report.missing[0].reason.isprintable()
    assert LONG not in installed_files(store)


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", CHUNKED])
def test_an_answer_that_drips_has_an_end(head: bytes, server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [sending([head, *[b"0"] * 1000], 0.02)] * 2
    entries = store.manifest.of_levels(["level2"])
    report = download(entries, store, base_url=server.url, retries=RetryPolicy(2, 0, timeout=0.2))
    assert "no answer within 0.2 s" in report.missing[0].reason
    assert installed_files(store) == {}


def test_a_file_that_comes_too_slowly_is_given_up(server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [sending([b"HTTP/1.1 200 OK\r\n\r\n", *[b"y"] * 1000], 0.02)]
    entries = store.manifest.of_levels(["level2"])
    hours = (3600.0 * hour for hour in count())
    retries = RetryPolicy(least_rate=1e7, clock=lambda: next(hours))
    report = download(entries, store, base_url=server.url, retries=retries)
    assert "slower than 1e+07 bytes" in report.missing[0].reason
    assert installed_files(store) == {}


def test_without_a_server_what_is_installed_still_counts(server: BadServer, store: Store) -> None:
    fetch(server, store)
    (store.root / LONG).unlink()
    server.misbehaviours[LONG] = [answer(503)] * 3
    report = fetch(server, store)
    assert [problem.path for problem in report.missing] == [LONG]
    assert report.already == list(REST)


def test_no_server_at_all(store: Store) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        waits: list[float] = []
        report = download(store=store, base_url=url, retries=RetryPolicy(sleep=waits.append))
    assert len(report.missing) == len(FILES)
    assert waits == [0.5, 1.0, 2.0, 4.0]


def test_an_interrupt_loses_nothing_that_was_finished(server: BadServer, store: Store) -> None:
    server.misbehaviours[LONG] = [cut_after(100)]

    def interrupt(entry: Entry, received: int, total: int | None) -> None:
        if entry.path == LONG:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(store=store, base_url=server.url, on_bytes=interrupt)
    assert list(installed_files(store)) == ["level1/Dont Look Back.pwp", "level1/Tiny Steps.pwp"]
    assert fetch(server, store).complete


@pytest.mark.parametrize(
    "url", ["", "example.org/sets", "file:///etc", "ftp://example.org", "http://"]
)
def test_an_address_that_is_none(url: str, store: Store) -> None:
    with pytest.raises(DataError, match="not an address"):
        download(store=store, base_url=url)


def test_a_folder_that_cannot_be_written(server: BadServer, tmp_path: Path, store: Store) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be written"):
        fetch(server, Store(tmp_path / "file", store.manifest))
