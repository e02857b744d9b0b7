"""An evaluation that is killed at any moment loses no answer, and asks for none twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pushworld.text.evaluation import read_evaluation
from pushworld.text.evaluation.journal import JOURNAL
from pushworld.text.evaluation.outcomes import outcome_of
from tests.text.evaluation.evaluating import LIMIT, SET, scripted
from tests.waiting import PATIENCE, wait_until

KILLS = 2


def start(address: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pushworld", "llm", "evaluate", SET, f"--limit={LIMIT}"]
    options = ["--mode=interactive", f"--url={address}", "--model=slow", f"--output={folder}"]
    return subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def stored(folder: Path) -> set[tuple[str, int]]:
    if not (folder / JOURNAL).exists():
        return set()
    turns = read_evaluation(folder).turns.values()
    return {(turn.task, turn.turn) for each in turns for turn in each}


def is_within_an_episode(asked: list[tuple[str, str, int]]) -> bool:
    """Whether an episode has come to its third question: two of its answers are stored by then."""
    return len(asked) > 4 and any(turn > 1 for _, _, turn in asked)


def test_killed_evaluations_continue_within_their_episodes(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    with scripted(delay=0.02) as (server, address):
        answers = 0
        for _ in range(KILLS):
            known = stored(folder)
            runner = start(address, folder)
            wait_until(lambda: is_within_an_episode(server.asked[answers:]))  # noqa: B023
            os.kill(runner.pid, signal.SIGKILL)
            runner.communicate(timeout=PATIENCE)
            assert runner.returncode == -signal.SIGKILL, "it was still at work"
            asked_now = {(digest, turn) for _, digest, turn in server.asked[answers:]}
            assert not asked_now & known, "an answer that was stored was asked again"
            assert stored(folder) >= known, "an answer was lost"
            answers = len(server.asked)
        known = stored(folder)
        assert any(number > 0 for _, number in known), "no kill came within an episode"
        last = start(address, folder)
        last.communicate(timeout=PATIENCE)
        assert last.returncode == 0
        asked_now = {(digest, turn) for _, digest, turn in server.asked[answers:]}
        assert not asked_now & known
    found = read_evaluation(folder)
    assert [outcome_of(found, digest).status for digest in found.tasks] == ["solved"] * LIMIT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_evaluations_say_how_to_continue(
    number: signal.Signals, tmp_path: Path
) -> None:
    with scripted(delay=0.02) as (server, address):
        runner = start(address, tmp_path / "a")
        wait_until(lambda: len(server.asked) > 4)
        runner.send_signal(number)
        _, told = runner.communicate(timeout=PATIENCE)
    assert runner.returncode == 13
    assert told.decode().splitlines()[1:] == ["interrupted: run the same command to continue"]
    assert stored(tmp_path / "a")
