"""The solver behind the page: its answers, and its limits for all requests."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pushworld.datasets import bundled_puzzles
from pushworld.puzzle import Puzzle, PuzzleError
from pushworld.web.request_bodies import MAX_BODY_BYTES, BadRequestError, parse_solve_request
from tests.waiting import PATIENCE, growing_limits, wait_until
from tests.web.server_process import (
    ENDLESS,
    RunningServer,
    await_message,
    await_progress,
    running_server,
)

EASY = "A M1 G1"

needs_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    """A server with one worker, a queue of one, and a long time limit."""
    limits = ("--solver-workers", "1", "--solver-queue", "1", "--solver-time", "300")
    with running_server("--puzzles", "bundled", *limits) as running:
        yield running


@pytest.mark.parametrize("bundled", bundled_puzzles(), ids=lambda each: each.name)
def test_plans_solve_the_puzzle(server: RunningServer, bundled: Any) -> None:
    *_, last = server.solve(bundled.puzzle.to_pwp())
    assert last["type"] == "result"
    assert last["status"] == "solved"
    assert bundled.puzzle.validate(last["plan"])
    assert last["seconds"] > 0
    assert last["states"] > 0


def test_a_dead_end_is_proved(server: RunningServer) -> None:
    *_, last = server.solve("A . M1 W G1")
    assert last["status"] == "unsolvable"
    assert last["plan"] is None


def test_progress_is_streamed_while_the_search_runs(server: RunningServer) -> None:
    with server.stream(ENDLESS) as response:
        assert response.headers["content-type"] == "application/x-ndjson"
        lines = response.iter_lines()
        first = await_progress(lines)
        last = await_progress(lines)
        while last["states"] == first["states"]:
            last = await_progress(lines)
    assert 0 < first["seconds"] < last["seconds"]
    assert first["states"] < last["states"]
    assert last["memory_bytes"] > 0
    assert set(first) == {"type", "seconds", "states", "rate", "best", "memory_bytes"}


@needs_proc
def test_hanging_up_ends_the_search(server: RunningServer) -> None:
    with server.stream(ENDLESS) as response:
        lines = response.iter_lines()
        await_progress(lines)
        searching = server.search()
    assert server.solve(EASY)[-1]["status"] == "solved"  # the only place is free again
    wait_until(lambda: searching not in server.searches())


@needs_proc
@pytest.mark.large
def test_a_search_that_does_not_end_is_ended(server: RunningServer) -> None:
    for seconds in growing_limits(2):  # time enough to stop it while it searches
        with server.stream(ENDLESS, time_limit=seconds) as response:
            lines = response.iter_lines()
            if await_message(lines)["type"] == "progress":
                searching = server.search()
                os.kill(searching, signal.SIGSTOP)  # it will never look at its clock again
                *_, last = lines
                break
    assert json.loads(last)["status"] == "time-limit"
    assert server.solve(EASY)[-1]["status"] == "solved"
    wait_until(lambda: searching not in server.searches())


@needs_proc
def test_a_search_that_dies_is_told_and_replaced(server: RunningServer) -> None:
    with server.stream(ENDLESS) as response:
        lines = response.iter_lines()
        await_progress(lines)
        searching = server.search()
        os.kill(searching, signal.SIGKILL)
        *_, last = lines
    assert json.loads(last)["type"] == "error"
    assert "lack of memory" in json.loads(last)["message"]
    assert server.solve(EASY)[-1]["status"] == "solved"


@needs_proc
def test_a_waiting_process_that_dies_is_replaced(server: RunningServer) -> None:
    assert server.solve(EASY)[-1]["status"] == "solved"
    for waiting in server.searches():
        os.kill(waiting, signal.SIGKILL)
    server.solve(EASY)  # may still get the dead one
    assert server.solve(EASY)[-1]["status"] == "solved"


def test_who_comes_too_late_is_told_so_at_once(server: RunningServer) -> None:
    with ExitStack() as stack:
        running = stack.enter_context(server.stream(ENDLESS))
        search = running.iter_lines()
        await_progress(search)
        waiting = stack.enter_context(server.stream(EASY))
        lines = waiting.iter_lines()
        assert json.loads(next(lines)) == {"type": "queued", "position": 1}
        with server.stream(EASY) as refused:
            assert refused.status_code == 503
            assert "retry-after" in refused.headers
            assert "busy" in json.loads(refused.read())["message"]
        running.close()
        assert json.loads(next(lines))["status"] == "solved"


def test_leaving_the_line_makes_room_in_it(server: RunningServer) -> None:
    with server.stream(ENDLESS) as running:
        search = running.iter_lines()
        await_progress(search)
        entered = 0
        while entered < 3:  # the server learns on its own time that a connection has ended
            with server.stream(EASY) as waiting:
                if waiting.status_code == 200:
                    assert json.loads(next(waiting.iter_lines()))["type"] == "queued"
                    entered += 1
    wait_until(lambda: server.client.post("api/solve", json={"pwp": EASY}).is_success)


def test_wishes_do_not_go_beyond_the_servers_limits() -> None:
    limits = ("--solver-time", "0.5", "--solver-memory", "1")
    with running_server("--puzzles", "bundled", *limits) as server:
        *_, last = server.solve(ENDLESS, time_limit=10**6)
        assert last["status"] == "time-limit"
        assert last["plan"] is None


def test_memory_is_limited() -> None:
    with running_server("--puzzles", "bundled", "--solver-memory", "0.002") as server:
        *_, last = server.solve(ENDLESS)
        assert last["status"] == "memory-limit"


@pytest.mark.parametrize("text", ["A M1 G1\nA", "", "A Q", "M1 G1", "A A+M1", "A M1 M1 G1"])
def test_the_parsers_words_are_returned(server: RunningServer, text: str) -> None:
    with pytest.raises(PuzzleError) as expected:
        Puzzle.parse(text)
    answer = server.client.post("api/solve", json={"pwp": text})
    assert answer.status_code == 400
    assert answer.json()["message"] == str(expected.value)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("", 400, "not valid JSON"),
        ("{", 400, "not valid JSON"),
        ("[" * 200_000, 400, "not valid JSON"),
        ("[]", 400, "must be a JSON object"),
        ("{}", 400, "'pwp' must be"),
        ('{"pwp": 3}', 400, "'pwp' must be"),
        ('{"pwp": "A M1 G1", "time_limit": 0}', 400, "'time_limit' must be"),
        ('{"pwp": "A M1 G1", "time_limit": NaN}', 400, "not valid JSON"),
        ('{"pwp": "A M1 G1", "time_limit": true}', 400, "'time_limit' must be"),
        ('{"pwp": "A M1 G1", "time_limit": "5"}', 400, "'time_limit' must be"),
        ('{"pwp": "A M1"}', 400, "no goals"),
        (json.dumps({"pwp": "A M1 G1 " + ". " * 20_000}), 413, "cells"),
        (json.dumps({"pwp": " " * MAX_BODY_BYTES}), 413, "larger than"),
    ],
)
def test_bad_requests_are_explained(
    server: RunningServer, body: str, status: int, words: str
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = server.client.post("api/solve", content=body, headers=headers)
    assert answer.status_code == status
    assert words in answer.json()["message"]


def test_a_body_without_end_is_cut_off_while_it_arrives(server: RunningServer) -> None:
    head = (
        f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(head.encode() + b" " * (MAX_BODY_BYTES + 1))
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


@given(
    st.dictionaries(
        st.sampled_from(["pwp", "time_limit"]) | st.text(max_size=3),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(alphabet="AM1G+. \n"),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=5,
        ),
    ),
)
def test_whatever_is_asked_is_a_job_within_the_limits_or_refused(data: dict[str, Any]) -> None:
    try:
        job = parse_solve_request(data, max_seconds=60)
    except BadRequestError:
        return
    assert Puzzle.parse(job["pwp"]).goal
    assert 0 < job["time_limit"] <= 60


def revise(server: RunningServer, **body: object) -> tuple[int, list[dict[str, Any]]]:
    """Returns the status and all messages of the answer to a request for a revision."""
    with server.client.stream("POST", "api/revise", json=body) as response:
        return response.status_code, [json.loads(line) for line in response.iter_lines()]


def test_a_revision_is_a_puzzle_with_a_note(server: RunningServer) -> None:
    drawn = ". . . . .\nA . M1 . G1\n. . . . ."
    status, (*_, last) = revise(server, pwp=drawn, change="harder")
    assert status == 200
    assert last["type"] == "result"
    assert re.match(r"difficulty [0-9.]+ instead of [0-9.]+$", last["note"])
    assert Puzzle.parse(last["pwp"]) != Puzzle.parse(drawn)


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"pwp": EASY}, 400, "'change' must be the name"),
        ({"pwp": "A M1", "change": "tidy"}, 400, "no goals"),
        ({"change": "tidy"}, 400, "'pwp' must be"),
        ({"pwp": EASY, "change": "prettier"}, 200, "there is no change 'prettier'"),
        ({"pwp": "A M1 W G1", "change": "harder"}, 200, "finds no plan"),
    ],
)
def test_what_cannot_be_revised_is_refused_with_the_reason(
    server: RunningServer, body: dict[str, object], status: int, message: str
) -> None:
    answered, (*_, last) = revise(server, **body)
    assert answered == status
    assert last["type"] == "error"
    assert message in last["message"]
