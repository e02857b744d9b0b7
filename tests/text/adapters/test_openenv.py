"""The server for OpenEnv in a process of its own, and the client of the real package."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from typing import Any

import pytest

from pushworld.puzzle import Puzzle
from pushworld.text import picture, tasks

pytest.importorskip("openenv", reason="needs openenv: make test-openenv")

import yaml
from openenv.cli._validation import validate_running_environment

from pushworld.text.adapters import openenv as adapter
from pushworld.text.adapters.openenv import PushWorldAction, PushWorldClient

MANIFEST = yaml.safe_load((files(adapter) / "openenv.yaml").read_text())


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server that is started as the manifest says."""
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        MANIFEST["app"],
        "--host",
        "127.0.0.1",
        "--port",
        "0",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            lines = iter(process.stderr.readline, "")
            yield next(
                found[0] for line in lines if (found := re.search(r"http://[\d.]+:\d+", line))
            )
        finally:
            process.terminate()


@pytest.fixture
def client(address: str) -> Iterator[Any]:
    """A client with a session of its own."""
    with PushWorldClient(base_url=address).sync() as client:
        yield client


def answer(plan: str) -> PushWorldAction:
    return PushWorldAction(answer=f"I push.\n<plan>{plan}</plan>")


def known_task(seed: int) -> tuple[Puzzle, str]:
    """Returns the puzzle and the shortest plan that the server draws for a seed."""
    task = next(tasks("generated:1", limit=1, seed=seed))
    assert task.plan is not None
    return task.puzzle, task.plan


def test_the_server_keeps_the_standard(address: str) -> None:
    report = validate_running_environment(address)
    assert report["passed"], report
    assert import_module(MANIFEST["app"].split(":")[0]).app.title


def test_an_episode(client: Any) -> None:
    puzzle, plan = known_task(5)
    start = client.reset(seed=5, episode_id="mine", picture=True)
    assert "Rules:" in start.observation.text
    assert not start.done
    assert b64decode(start.observation.picture) == picture(puzzle)

    after = client.step(answer(plan[0]))
    assert (after.reward, after.done, after.observation.moves) == (0.0, False, 1)
    *_, state = puzzle.replay(plan[0])
    assert b64decode(after.observation.picture) == picture(puzzle, state)

    end = client.step(answer(plan[1:]))
    assert end.observation.solved
    assert (end.reward, end.done) == (1.0, True)
    known = client.state()
    assert (known.episode_id, known.step_count, known.source) == ("mine", 2, "generated:1")
    assert known.score["moves"] == len(plan)
    assert plan not in str(known)


def test_sessions_do_not_disturb_each_other(address: str, client: Any) -> None:
    first = client.reset(seed=1)
    with PushWorldClient(base_url=address).sync() as other:
        assert other.reset(seed=2).observation.text != first.observation.text
        other.step(answer("LRLR"))
    assert client.step(answer("L")).observation.moves == 1
    assert client.reset(seed=1).observation.text == first.observation.text


def test_every_episode_ends(client: Any) -> None:
    client.reset(seed=1, budget=5)
    end = client.step(answer("LRLRLRLR"))
    assert end.done
    assert end.observation.moves == 5
    assert 0 <= end.reward <= 0.25

    client.reset(seed=1)
    for _ in range(5):
        assert not end.observation.solved
        end = client.step(PushWorldAction(answer="x" * 1_100_000))
    assert "characters" in end.observation.text
    assert (end.done, end.reward) == (True, 0.0)
    with pytest.raises(RuntimeError, match="the episode is over"):
        client.step(answer("L"))


def test_a_curriculum_with_proofs(client: Any) -> None:
    client.reset(source="curriculum")
    first = client.state()
    assert first.source.startswith("stream:")
    assert (first.score["progress"], first.score["dead_end"]) == (0.0, False)
    client.step(PushWorldAction(answer="I do not know."))
    assert client.reset(source="curriculum").observation.goals


def test_mistakes(client: Any) -> None:
    with pytest.raises(RuntimeError, match="call reset first"):
        client.step(answer("L"))
    for source in ("/etc", "evaluation/../..", "no-such-set"):
        with pytest.raises(RuntimeError, match="there is no source"):
            client.reset(source=source)
    with pytest.raises(RuntimeError, match="the budget must be"):
        client.reset(budget=10**9)
    with pytest.raises(RuntimeError, match="no format"):
        client.reset(format="xml")
    assert client.reset(source="bundled", seed=1, notation="words", undo=True).observation.goals
