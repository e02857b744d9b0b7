"""The server: what it serves and what it refuses."""

from __future__ import annotations

import http.client
import socket
from contextlib import suppress

import httpx
import pytest

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle
from pushworld.web.server import address_for_others
from tests.waiting import PATIENCE
from tests.web.server_process import RunningServer
from tests.web.trace_requests import SESSION, event


@pytest.fixture
def server(plain_server: RunningServer) -> RunningServer:
    return plain_server


def test_the_site_says_what_it_offers(server: RunningServer) -> None:
    site = server.json("data/site.json")
    assert site["solver"] is True
    assert site["recording"] is False
    assert site["consent"] is None
    sets = server.json("data/site.json")["sets"]
    assert sets == [{"id": "bundled", "title": "First steps", "count": 12}]


def test_the_puzzles_of_a_set_are_the_puzzles(server: RunningServer) -> None:
    records = server.json("data/sets/bundled.json")
    assert [record["name"] for record in records] == [each.title for each in bundled_puzzles()]
    assert len({record["id"] for record in records}) == len(records)
    for record, bundled in zip(records, bundled_puzzles(), strict=True):
        puzzle = Puzzle.parse(record["pwp"])
        assert puzzle == bundled.puzzle
        assert puzzle.validate(bundled.plan)
        assert set(bundled.tags) <= set(record["tags"])
        assert (record["width"], record["height"]) == (puzzle.width, puzzle.height)
        assert (record["objects"], record["goals"]) == (len(puzzle.movables), len(puzzle.goal))


def test_the_page_is_at_the_root(server: RunningServer) -> None:
    page = server.client.get("")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.text == server.client.get("index.html").text
    assert "<!doctype html" in page.text.lower()


def test_caches_ask_only_whether_something_is_new(server: RunningServer) -> None:
    path = "data/sets/bundled.json"
    plain = server.client.get(path, headers={"Accept-Encoding": "identity"})
    packed = server.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.content == plain.content
    for answer in (plain, packed):
        again = server.client.get(path, headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
        assert again.content == b""
    other = server.client.get(path, headers={"If-None-Match": '"something-else"'})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "", 200), ("GET", "nothing", 404), ("PUT", "", 405), ("POST", "api/solve", 415)],
)
def test_every_answer_carries_the_security_headers(
    server: RunningServer, method: str, path: str, status: int
) -> None:
    answer = server.client.request(method, path)
    assert answer.status_code == status
    policy = answer.headers["content-security-policy"].split("; ")
    assert "default-src 'self'" in policy
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    assert "object-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert not any("'unsafe" in rule for rule in policy)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py",
        "/../../web/app.py",
        "/js/../../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/..%5capp.py",
        "/js/..\\..\\app.py",
        "/data/../../app.py",
        "/data/sets/../../../app.py",
        "/data/sets/..%2f..%2f..%2fapp.py",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/etc/passwd",
        "/file:///etc/passwd",
        "/index.html%00",
        "/js/",
        "/data/sets/",
        "http://localhost/etc/passwd",
    ],
)
def test_nothing_outside_the_site_can_be_read(server: RunningServer, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest("GET", path, skip_host=True)
    connection.putheader("Host", f"127.0.0.1:{server.port}")
    connection.endheaders()
    answer = connection.getresponse()
    assert answer.status in (400, 404)
    assert b"import" not in answer.read()
    connection.close()


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("127.0.0.1", True),
        ("localhost:1234", True),
        ("LOCALHOST", True),
        ("[::1]:80", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("user@localhost", False),
        ("localhost:port", False),
        ("192.0.2.7", False),
        ("", False),
    ],
)
def test_only_names_of_this_machine_are_answered(
    server: RunningServer, host: str, is_ours: bool
) -> None:
    answer = server.client.get("data/site.json", headers={"Host": host})
    assert answer.status_code == (200 if is_ours else 421)


@pytest.mark.parametrize("path", ["api/solve", "api/traces"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://[broken"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_can_post_nothing(
    server: RunningServer, path: str, headers: dict[str, str]
) -> None:
    answer = server.client.post(path, json={"pwp": "A M1 G1"}, headers=headers)
    assert answer.status_code == 403


def test_our_own_page_can_post(server: RunningServer) -> None:
    headers = {"Origin": server.address.rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    answer = server.client.post("api/solve", json={"pwp": "A M1 G1"}, headers=headers)
    assert answer.status_code == 200


def test_a_server_for_others_answers_addresses_and_the_names_it_is_given(
    public_server: RunningServer,
) -> None:
    for host, status in {
        "192.0.2.7:8470": 200,
        "[2001:db8::1]": 200,
        "play.example": 200,
        "localhost": 200,
        "evil.example": 421,
        "192.0.2.7.evil.example": 421,
    }.items():
        answer = public_server.client.get("data/site.json", headers={"Host": host})
        assert answer.status_code == status, host


def test_a_server_for_others_says_what_they_can_type(public_server: RunningServer) -> None:
    address = address_for_others("0.0.0.0", public_server.address)
    if address is None:
        pytest.skip("this machine has no network")
    assert public_server.process.stdout is not None
    assert address in public_server.process.stdout.readline()
    assert httpx.get(address, timeout=PATIENCE).status_code == 200
    assert public_server.json("data/site.json")["network_url"] == address
    assert address_for_others("127.0.0.1", "http://127.0.0.1:8470/") is None


def test_solver_and_recording_that_are_turned_off_say_so(public_server: RunningServer) -> None:
    site = public_server.json("data/site.json")
    assert site["solver"] is site["recording"] is False
    for path, body in (
        ("api/solve", {"pwp": "A M1 G1"}),
        ("api/traces", {"session": SESSION, "events": [event(0)]}),
    ):
        answer = public_server.client.post(path, json=body)
        assert answer.status_code == 404
        assert "turned off" in answer.json()["message"]


def test_connections_that_send_rubbish_do_no_harm(server: RunningServer) -> None:
    for rubbish in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: " + b"x" * 99999,
    ):
        address = ("127.0.0.1", server.port)
        with (
            socket.create_connection(address, timeout=PATIENCE) as connection,
            suppress(ConnectionError),  # the server may hang up before it has read all
        ):
            connection.sendall(rubbish)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            while connection.recv(65536):
                pass
    with httpx.Client(timeout=PATIENCE) as another:
        assert another.get(f"{server.address}data/site.json").status_code == 200
